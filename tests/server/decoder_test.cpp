// The decode loop against a model that is a script: each step its next token is by far the likeliest.
#include "server/complete/decoder.h"

#include <gtest/gtest.h>

#include "constraint/gap/language.h"
#include "model/gguf.h"
#include "server/complete/token_cost.h"
#include "tests/model/tiny_model.h"

namespace tenon::server {
namespace {

using constraint::GapState;
using model::TokenId;

// Statements `word = value` on lines of their own; values are words, calls or strings.
constexpr char kGrammar[] = R"toy(
start: statement+
statement: WORD "=" value NEWLINE
value: WORD | WORD "(" [values] ")" | STRING
values: value | values "," value
WORD: /[a-z]+/
STRING: /"[^"\n]*"/
NEWLINE: /\n/
%ignore /[ ]+/
%ignore COMMENT
COMMENT: /#[^\n]*/
%poison OPEN
OPEN: /"[^"\n]*/
%delimited STRING COMMENT
%layout newline=NEWLINE brackets="()"
)toy";

class DecoderTest : public testing::Test {
 protected:
  DecoderTest() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    auto file = model::GgufFile::Parse(bytes_, "tiny");
    EXPECT_TRUE(file) << file.error().message;
    auto tokenizer = model::Tokenizer::FromGguf(*file);
    EXPECT_TRUE(tokenizer) << tokenizer.error().message;
    tokenizer_.emplace(*std::move(tokenizer));
    auto language = constraint::Language::Compile(kGrammar, "toy.lark");
    EXPECT_TRUE(language) << language.error().ToString();
    language_ = *language;
  }

  // What the decoder makes of a model that writes `script` and then wants to end.
  DecodeResult Run(std::string_view left, std::string_view right, std::string_view script, DecodeLimits limits = {},
                   std::string healed = "") {
    script_ = tokenizer_->Encode(script, false);
    script_.push_back(kEnd);
    at_ = 0;
    model::Sampler sampler(0, 0, {1, 2});
    constraint::GapPolicy policy;
    policy.count = CanonicalCount(*tokenizer_);
    constraint::BudgetedGap gap(
        GapState::Open(language_, left, right, std::move(policy)),
        limits.needs_member ? static_cast<uint32_t>(limits.max_tokens) : constraint::kUnlimitedTokens);
    GapFilter filter(*tokenizer_, ends_, std::move(gap), std::move(healed), limits.needs_member);
    auto step = [this](TokenId) -> std::optional<std::span<const float>> {
      return at_ > most_steps_ ? std::nullopt : std::optional(Next());
    };
    return Decode(std::move(filter), sampler, Next(), step, limits, {});
  }

  bool Fits(std::string_view left, std::string_view middle, std::string_view right) const {
    return Check(*language_, std::string(left) + std::string(middle) + std::string(right),
                 constraint::Strength::kAccept)
        .valid;
  }

  static constexpr TokenId kEnd = 0;
  std::optional<model::Tokenizer> tokenizer_;
  std::shared_ptr<const constraint::Language> language_;
  size_t most_steps_ = 1000;  // of the model

 private:
  std::span<const float> Next() {
    logits_.assign(tokenizer_->size(), 0);
    logits_[script_[std::min(at_++, script_.size() - 1)]] = 10;
    return logits_;
  }

  std::vector<std::byte> bytes_;
  std::vector<TokenId> ends_{kEnd};
  std::vector<TokenId> script_;
  size_t at_ = 0;
  std::vector<float> logits_;
};

TEST_F(DecoderTest, EndsWhereTheModelEndsAndTheMiddleFits) {
  DecodeResult result = Run("a = ", "\nb = c\n", "some(thing)");
  EXPECT_EQ(result.middle, "some(thing)");
  EXPECT_EQ(result.ended, Ended::kStop);
  EXPECT_TRUE(result.closed);
}

TEST_F(DecoderTest, EndsBeforeALineEndWhereTheLineFits) {
  DecodeResult result = Run("a = ", "\nb = c\n", "word\nx = y");
  EXPECT_EQ(result.middle, "word");
  EXPECT_EQ(result.ended, Ended::kStop);
}

TEST_F(DecoderTest, DoesNotLetTheModelEndInsideABracket) {
  DecodeResult result = Run("a = ", "\nb = c\n", "call(x");
  EXPECT_TRUE(result.closed);
  EXPECT_TRUE(Fits("a = ", result.middle, "\nb = c\n")) << result.middle;
}

TEST_F(DecoderTest, ClosesWhatIsOpenBeforeTheTokensRunOut) {
  DecodeLimits limits;
  limits.max_tokens = 6;
  DecodeResult result = Run("a = ", "\nb = c\n", "f(f(f(f(f(f(f(f(", limits);
  EXPECT_EQ(result.middle.substr(0, 3), "f(f");
  EXPECT_TRUE(Fits("a = ", result.middle, "\nb = c\n")) << result.middle;
  EXPECT_LE(tokenizer_->Encode(result.middle, false).size(), 6u) << result.middle;
}

TEST_F(DecoderTest, ClosesWithTheWitnessWhenTheModelCannotGoOn) {
  most_steps_ = 3;  // as where its context is full
  DecodeResult result = Run("a = ", "\nb = c\n", "f(f(f(f(f(f(f(f(");
  EXPECT_EQ(result.ended, Ended::kWitness);
  EXPECT_EQ(result.middle, "f(f())");
  EXPECT_EQ(result.tokens, 4);
}

// Whatever the model writes and wherever the budget cuts it off, the middle fits and is no longer than the budget.
TEST_F(DecoderTest, EndsWellFormedWithinEveryBudget) {
  for (std::string_view script :
       {"f(f(f(f(f(f(f(f(", "some(thing, other", "\"a text that goes on", "x\ny = call(z, \"", "("}) {
    for (int budget = 1; budget <= 24; ++budget) {
      DecodeLimits limits;
      limits.max_tokens = budget;
      DecodeResult result = Run("a = ", "\nb = c\n", script, limits);
      ASSERT_TRUE(result.closed) << script << " within " << budget;
      EXPECT_TRUE(Fits("a = ", result.middle, "\nb = c\n")) << result.middle;
      EXPECT_LE(tokenizer_->Encode(result.middle, false).size(), static_cast<size_t>(budget)) << result.middle;
    }
  }
}

TEST_F(DecoderTest, RefusesWhatWouldSwallowTheRightContext) {
  // A comment or string that the model opens must close before the cursor.
  for (std::string_view script : {"x # note", "\"text", "x #"}) {
    DecodeResult result = Run("a = ", " \nb = \"c\"\n", script);
    std::string whole = "a = " + result.middle + " \nb = \"c\"\n";
    EXPECT_TRUE(Fits("a = ", result.middle, " \nb = \"c\"\n")) << whole;
    size_t comment = result.middle.find('#');
    if (comment != std::string::npos) {
      EXPECT_NE(result.middle.find('\n', comment), std::string::npos) << whole;
    }
  }
}

TEST_F(DecoderTest, ConvergesOnARightContextInTheMiddleOfALine) {
  DecodeLimits limits;
  limits.right_line = ", c)";
  // The model writes on and on; the text right of the cursor wants an open bracket.
  DecodeResult result = Run("a = b\n", ", c)\nd = e\n", "x = y\nz = the\nz = the\nz = the\nz = the\nz = the\n", limits);
  EXPECT_TRUE(Fits("a = b\n", result.middle, ", c)\nd = e\n")) << result.middle;
  EXPECT_LT(result.middle.size(), 36u) << result.middle;
}

TEST_F(DecoderTest, EndsBeforeItRepeatsWhatStandsRightOfTheCursor) {
  DecodeLimits limits;
  limits.right_line = ")";
  DecodeResult result = Run("a = call(", ")\nb = c\n", "word)\nx = y(z", limits);
  EXPECT_EQ(result.middle, "word");
  EXPECT_EQ(result.ended, Ended::kStop);
  // The bracket that it opened itself it has to close.
  result = Run("a = call(", ")\nb = c\n", "f(x)", limits);
  EXPECT_EQ(result.middle, "f(x)");
}

TEST_F(DecoderTest, ReproducesTheHealedTextFirst) {
  // The buffer ends in "wo"; generation begins before it and the script offers another word first.
  DecodeResult result = Run("a = wo", "\nb = c\n", "word", {}, "wo");
  EXPECT_EQ(result.middle, "rd");
  result = Run("a = wo", "\nb = c\n", "other", {}, "wo");
  EXPECT_TRUE(result.closed);
  EXPECT_TRUE(Fits("a = wo", result.middle, "\nb = c\n")) << result.middle;
}

TEST_F(DecoderTest, NeverAnswersBlanksAlone) {
  DecodeResult result = Run("a = b", "\nb = c\n", "  ");
  EXPECT_FALSE(IsBlank(result.middle)) << '[' << result.middle << ']';
}

TEST_F(DecoderTest, EndsAtTheLineEndWithTheLeftContextAlone) {
  DecodeLimits limits;
  limits.needs_member = false;
  DecodeResult result = Run("a = ", "", "call(x\n, y)\nb = c\n", limits);
  EXPECT_EQ(result.middle, "call(x");
}

TEST(HealedBytes, TakesAPartialWordWithItsBlankOrTrailingBlanks) {
  EXPECT_EQ(HealedBytes(""), 0u);
  EXPECT_EQ(HealedBytes("foo("), 0u);
  EXPECT_EQ(HealedBytes("x = fo"), 3u);
  EXPECT_EQ(HealedBytes("x.fo"), 2u);
  EXPECT_EQ(HealedBytes("fo"), 2u);
  EXPECT_EQ(HealedBytes("return  "), 2u);
  EXPECT_EQ(HealedBytes("\n\t"), 1u);
  EXPECT_EQ(HealedBytes("\n"), 0u);
  EXPECT_EQ(HealedBytes(std::string(100, 'a')), 0u);
}

}  // namespace
}  // namespace tenon::server
