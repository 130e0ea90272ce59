// Writing on from a prompt, against a model that is a script: each step its next token is by far the likeliest.
#include "server/complete/prompt_writer.h"

#include <gtest/gtest.h>

#include "constraint/gap/language.h"
#include "model/gguf.h"
#include "tests/model/tiny_model.h"

namespace tenon::server {
namespace {

using constraint::GapState;
using constraint::Language;
using model::TokenId;

class PromptWriterTest : public testing::Test {
 protected:
  PromptWriterTest() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    auto file = model::GgufFile::Parse(bytes_, "tiny");
    EXPECT_TRUE(file) << file.error().message;
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*file));
  }

  Written Run(const std::shared_ptr<const Language>& language, std::string_view left, std::string_view script,
              PromptLimits limits) {
    script_ = tokenizer_->Encode(script, false);
    script_.push_back(kEnd);
    at_ = 0;
    constraint::GapPolicy policy;
    policy.count = [this](std::string_view text) {
      return static_cast<uint32_t>(tokenizer_->Encode(text, false).size());
    };
    model::Sampler sampler(0, 0, {1, 2});
    return WriteOn(GapState::Open(language, left, "", policy), *tokenizer_, ends_, sampler, Next(),
                   [this](TokenId) -> std::optional<std::span<const float>> { return Next(); }, limits, {});
  }

  static std::shared_ptr<const Language> List() {
    return *Language::Compile("start: \"[\" [items] \"]\"\nitems: X | items \",\" X\nX: /x+/\n%ignore / +/\n", "list");
  }

 private:
  std::span<const float> Next() {
    logits_.assign(tokenizer_->size(), 0);
    logits_[script_[std::min(at_++, script_.size() - 1)]] = 10;
    return logits_;
  }

  static constexpr TokenId kEnd = 0;
  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
  std::vector<TokenId> ends_{kEnd}, script_;
  size_t at_ = 0;
  std::vector<float> logits_;
};

TEST_F(PromptWriterTest, EndsWhereTheModelEndsAWholeText) {
  const Written written = Run(List(), "[x,", "xx,x]", {});
  EXPECT_EQ(written.text, "xx,x]");
  EXPECT_TRUE(written.whole);
  EXPECT_EQ(written.ended, Ended::kStop);
}

TEST_F(PromptWriterTest, ABudgetThatIsMetLeavesAViableBeginning) {
  const Written written = Run(List(), "[", "x,x,x,x,x,x,x,x,x,x", {.max_tokens = 4});
  EXPECT_EQ(written.ended, Ended::kBudget);
  EXPECT_FALSE(written.whole);
  EXPECT_EQ(written.tokens, 4);
  EXPECT_TRUE(GapState::Open(List(), "[" + written.text, "", {}).viable());
}

TEST_F(PromptWriterTest, NeverWritesWhatTheGrammarRefuses) {
  const Written written = Run(List(), "[x", "]]]]", {.max_tokens = 8});
  EXPECT_EQ(written.text.substr(0, 1), "]");
  EXPECT_EQ(written.text.find_first_not_of(' ', 1), std::string::npos) << written.text;
  EXPECT_TRUE(written.whole);
}

TEST_F(PromptWriterTest, WritesAWholeMatchOfAnExpressionWithinItsBudget) {
  const auto phone = *Language::FromRegex("[0-9]{3}-[0-9]{4}");
  const Written right = Run(phone, "", "555-1234 and more", {.max_tokens = 64, .must_end = true});
  EXPECT_EQ(right.text, "555-1234");
  EXPECT_EQ(right.ended, Ended::kStop);  // nothing may follow
  const Written cut =
      Run(*Language::FromRegex("a(b*)c"), "", "abbbbbbbbbbbbbbbbbbbb", {.max_tokens = 6, .must_end = true});
  EXPECT_TRUE(cut.whole);
  EXPECT_EQ(cut.text.front(), 'a');
  EXPECT_EQ(cut.text.back(), 'c');
  const Written none = Run(phone, "", "555", {.max_tokens = 2, .must_end = true});
  EXPECT_FALSE(none.whole);
  ASSERT_TRUE(none.infeasible_needs);
  EXPECT_GT(*none.infeasible_needs, 2u);
}

}  // namespace
}  // namespace tenon::server
