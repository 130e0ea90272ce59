#include "server/decode/draft_texts.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "tests/model/tiny_model.h"

namespace tenon::server {
namespace {

class DraftTextsTest : public ::testing::Test {
 protected:
  DraftTextsTest() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
    texts_.emplace(*tokenizer_);
  }
  std::vector<std::string> Known() const {
    std::vector<std::string> known;
    for (const auto& tokens : texts_->tokens())
      known.push_back(tokenizer_->Decode({tokens.begin(), tokens.end()}));
    return known;
  }

  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<DraftTexts> texts_;
};

TEST_F(DraftTextsTest, KnowsTheTextsThatWereLearntLast) {
  const OtherText a{std::string("aaa"), "a"}, b{std::string("bbb"), "b"},
      c{std::string("ccc"), "c"};
  texts_->Learn(std::vector{a, b}, {});
  EXPECT_EQ(Known(), (std::vector<std::string>{"aaa", "bbb"}));
  texts_->Learn(std::vector{c, a}, {});
  EXPECT_EQ(Known(), (std::vector<std::string>{"ccc", "aaa"}));
  texts_->Learn(std::vector<OtherText>(), {});
  EXPECT_TRUE(Known().empty());
}

TEST_F(DraftTextsTest, KeepsATextThatIsLearntAgain) {
  const std::vector<OtherText> texts{{std::string("aaa"), "a"}};
  texts_->Learn(texts, {});
  const TokenId* tokens = texts_->tokens().at(0).data();
  texts_->Learn(texts, {});
  EXPECT_EQ(texts_->tokens().at(0).data(), tokens);
}

TEST_F(DraftTextsTest, GoesOnWhereItWasStopped) {
  const std::vector<OtherText> texts{{std::string("line\n"), "a"}};
  std::stop_source stop;
  stop.request_stop();
  texts_->Learn(texts, stop.get_token());
  EXPECT_EQ(Known(), (std::vector<std::string>{""}));
  texts_->Learn(texts, {});
  EXPECT_EQ(Known(), (std::vector<std::string>{"line\n"}));
}

TEST_F(DraftTextsTest, IsBoundedByTextsAndByTheBytesOfEach) {
  std::string long_text;
  while (long_text.size() <= DraftTexts::kMaxBytes) long_text += "a line of the text\n";
  std::vector<OtherText> texts{{long_text, "long"}};
  for (size_t i = 0; i < 2 * DraftTexts::kMaxTexts; ++i) texts.push_back({std::string("b"), "b"});
  texts_->Learn(texts, {});
  const std::vector<std::string> known = Known();
  EXPECT_EQ(known.size(), DraftTexts::kMaxTexts);
  EXPECT_EQ(known.at(0), long_text.substr(0, DraftTexts::kMaxBytes));
}

}  // namespace
}  // namespace tenon::server
