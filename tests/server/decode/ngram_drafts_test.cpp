#include "server/decode/ngram_drafts.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "tests/model/tiny_model.h"

namespace tenon::server {
namespace {

// A vocabulary of bytes: a token a letter. '$' stands for a control token.
class NgramDrafts : public ::testing::Test {
 protected:
  NgramDrafts() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
  }
  std::string After(std::string_view text, size_t most = 7) const {
    return tokenizer_->Decode(DraftAfter(Tokens(text), most, *tokenizer_));
  }
  // With another text open.
  std::string Beside(std::string_view other, std::string_view text) const {
    const std::vector<TokenId> tokens = Tokens(other);
    const std::vector<std::span<const TokenId>> others = {tokens};
    return tokenizer_->Decode(DraftAfter(Tokens(text), 7, *tokenizer_, others));
  }

 private:
  std::vector<TokenId> Tokens(std::string_view text) const {
    std::vector<TokenId> tokens;
    for (const char letter : text)
      tokens.push_back(letter == '$' ? TokenId{0} : tokenizer_->Encode({&letter, 1}, false).at(0));
    return tokens;
  }

  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
};

TEST_F(NgramDrafts, GrowWithTheStretchThatAgrees) {
  EXPECT_EQ(After("dabcdefghijk.d"), "");
  EXPECT_EQ(After("xcdefghijk.cd"), "ef");
  EXPECT_EQ(After("xbcdefghijk.bcd"), "efgh");
  EXPECT_EQ(After("xabcdefghijklmnop.abcd"), "efghijk");
}

TEST_F(NgramDrafts, PreferTheLongestStretchThenTheLastPlace) {
  EXPECT_EQ(After("abcd1111 ..cd2222 abcd"), "1111 ..");
  EXPECT_EQ(After(".cd1111 .cd2222 cd"), "22");
}

TEST_F(NgramDrafts, ComeFromAnotherTextWhereItHasALongerStretch) {
  EXPECT_EQ(Beside("abcdefghijk", "xyz.abc"), "defg");
  EXPECT_EQ(Beside("abc1111", "abc2222.abc"), "2222") << "the text's own first";
  EXPECT_EQ(Beside("abcd1111", "bcd2222 abcd"), "1111");
  EXPECT_EQ(Beside("", "xyz.abc"), "");
}

TEST_F(NgramDrafts, AreNoLongerThanAskedFor) {
  EXPECT_EQ(After("xabcdefghijkl.abcd", 3), "efg");
  EXPECT_EQ(After("xabcdefghijkl.abcd", 0), "");
}

TEST_F(NgramDrafts, EndBeforeAControlTokenAndAtTheEndOfTheText) {
  EXPECT_EQ(After("abcde$ghi.abcd"), "e");
  // A text that repeats itself goes on repeating itself.
  EXPECT_EQ(After("ababab"), "ab");
}

TEST_F(NgramDrafts, AreEmptyWhereNothingRepeats) {
  EXPECT_EQ(After(""), "");
  EXPECT_EQ(After("a"), "");
  EXPECT_EQ(After("abcdefg"), "");
}

}  // namespace
}  // namespace tenon::server
