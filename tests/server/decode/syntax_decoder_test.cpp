// A middle drawn from a model that is a script, in a language with a syntax alone.
#include "server/decode/syntax_decoder.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/decode/tiny_engine.h"
#include "tests/server/syntax/shipped_syntax.h"

namespace tenon::server {
namespace {

constexpr TokenId kEnd{0};

// Each token of the script in turn, and then the end, whatever is drawn. Where the script's token
// is refused, others come in the order of their ids.
class ScriptText : public DecodeText {
 public:
  ScriptText(const model::Tokenizer& tokenizer, std::string_view script)
      : script_(tokenizer.Encode(script, false)), logits_(tokenizer.size(), 0) {
    script_.push_back(kEnd);
  }
  std::span<const float> Next() {
    std::fill(logits_.begin(), logits_.end(), 0.0F);
    logits_[script_[std::min(at_++, script_.size() - 1)].value] = 10;
    return logits_;
  }
  Logits Append(TokenId) override { return Next(); }
  Logits Rewrite(size_t, std::span<const TokenId>) override { return Next(); }

 private:
  std::vector<TokenId> script_;
  std::vector<float> logits_;
  size_t at_ = 0;
};

class SyntaxDecoderTest : public testing::Test {
 protected:
  // What is drawn at the '|' of a text in C, whose left context ends with `healed`.
  DecodeResult Draw(std::string text, std::string_view script, std::string healed = {},
                    int max_tokens = 64, const std::stop_token& cancel = {}) {
    const size_t offset = text.find('|');
    text.erase(offset, 1);
    const TSLanguage* language = ShippedSyntax("c");
    SyntaxMiddle middle({language, *SyntaxTree::Parse(language, text), offset, below_half_typed_},
                        true);
    model::Sampler sampler(0, 0, TokensOf({1, 2}));
    ScriptText written(engine_.tokenizer(), script);
    DecodeLimits limits;
    limits.max_tokens = max_tokens;
    limits.on_middle = [this](std::string_view middle) { written_ = middle; };
    const std::vector<TokenId> ends{kEnd};
    return DecodeSyntax({engine_.tokenizer(), ends, sampler, written, limits, cancel},
                        std::move(middle), std::move(healed), written.Next(), others_);
  }

  std::vector<std::string> others_;
  bool below_half_typed_ = false;
  std::string written_;  // the last middle that was told of
  TinyEngine engine_{"start: /[a-z]+/\n"};
};

TEST_F(SyntaxDecoderTest, EndsWithTheLineOrTheModel) {
  const DecodeResult line = Draw("int f(void) {\n  |\n}\n", "return 1;\nint");
  EXPECT_EQ(line.middle, "return 1;");
  EXPECT_TRUE(line.closed);
  EXPECT_EQ(line.ended, Ended::kStop);
  EXPECT_EQ(Draw("int x = |;\n", "a + b").middle, "a + b");
}

TEST_F(SyntaxDecoderTest, TheTokensOfAllLinesAreKnown) {
  const DecodeResult result = Draw("int f(void) {\r\n  |\r\n}\r\n", "if (a) {\n    b();\n  }\n");
  EXPECT_EQ(result.middle, "if (a) {\n    b();\n  }");
  ASSERT_FALSE(result.nats.empty());
  EXPECT_EQ(result.nats.back().end_bytes, result.middle.size());
}

TEST_F(SyntaxDecoderTest, TheHealedTextIsWrittenFirstAndNotOffered) {
  EXPECT_EQ(Draw("int x = va|;\n", " value", " va").middle, "lue");
  // The script wants something else: the first tokens that fit write the healed text.
  const DecodeResult other = Draw("int x = va|;\n", "123+ b", " va");
  EXPECT_EQ(other.middle, "+ b") << "three tokens went into the healed text";
}

TEST_F(SyntaxDecoderTest, BeginsInTheColumnOfALineBelowABlock) {
  const std::string_view script = "  a = 1;";
  EXPECT_FALSE(Draw("int f(int a) {\n    a++;\n  |\n}\n", script).middle.starts_with(' '));
  EXPECT_EQ(Draw("int f(int a) {\n|\n}\n", script).middle, script) << "not indented";
  EXPECT_EQ(Draw("int f(int a) {\n  |\n}\n", script).middle, script) << "in the block";
  EXPECT_EQ(Draw("int f(int a) {\n  return|\n}\n", " a;").middle, " a;") << "not blank";
}

TEST_F(SyntaxDecoderTest, DrawsNoBracketThatClosesAHalfTypedLine) {
  const std::string text = "int f(void) {\n  g(a.\n  h(|);\n}\n";
  EXPECT_TRUE(Draw(text, "), i(c").middle.starts_with(")"));
  EXPECT_TRUE(written_.starts_with(")"));
  below_half_typed_ = true;
  written_.clear();
  (void)Draw(text, "), i(c");
  EXPECT_FALSE(written_.starts_with(")")) << written_;
}

TEST_F(SyntaxDecoderTest, DoesNotEndAfterAnOpeningBracket) {
  const auto tokens = [this](std::string_view script) {
    return Draw("int f(int a) {\n  |\n  return 0;\n}\n", script).tokens;
  };
  EXPECT_EQ(tokens("while (a) {"), tokens("while (a) ;") + 1) << "one in the place of the end";
}

TEST_F(SyntaxDecoderTest, ABudgetEndsItBeforeAnUnfinishedWordOrWithBrackets) {
  const DecodeResult cut = Draw("int x = |;\n", "a+bc", {}, 3);
  EXPECT_EQ(cut.middle, "a");
  EXPECT_EQ(cut.ended, Ended::kBudget);
  EXPECT_EQ(cut.tokens, 3);
  const DecodeResult closed = Draw("int x = |;\n", "f(a,b", {}, 64);
  EXPECT_EQ(closed.middle, "f(a,b)");
  EXPECT_EQ(closed.ended, Ended::kWitness);
}

TEST_F(SyntaxDecoderTest, WhereNothingFitsItIsNotClosed) {
  const DecodeResult result = Draw("int x = 1|;\n", ")]");
  EXPECT_FALSE(result.closed);
  EXPECT_EQ(result.middle, "");
}

TEST_F(SyntaxDecoderTest, ACancelledRequestOffersNothing) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(Draw("int x = |;\n", "a", {}, 64, stop.get_token()).cancelled);
}

TEST_F(SyntaxDecoderTest, BeginsUnlikeOtherMiddles) {
  EXPECT_EQ(Draw("int x = |;\n", "ab").middle, "ab");
  others_ = {"ab"};
  EXPECT_FALSE(Draw("int x = |;\n", "ab").middle.starts_with("a"));
  others_ = {"zz"};
  EXPECT_EQ(Draw("int x = |;\n", "ab").middle, "ab");
}

}  // namespace
}  // namespace tenon::server
