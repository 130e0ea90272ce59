// The decode loop against a model that is a script: each step its next token is by far the
// likeliest.
#include "server/decode/decoder.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "server/decode/mask_stores.h"
#include "server/decode/token_cost.h"
#include "tests/model/tiny_model.h"
#include "tests/token_ids.h"

namespace tenon::server {
namespace {

// Statements `word = value` on lines of their own; values are words, calls or strings.
constexpr char kGrammar[] = R"toy(
start: statement+
statement: WORD "=" value NEWLINE
value: WORD | WORD "(" [values] ")" | STRING | "not" value
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

// What is decoded, and how.
struct Question {
  Goal goal = Goal::kJoin;
  int max_tokens = 64;
  bool budget = true;  // it is the gap's, too
  std::string healed = {}, right_line = {};
  // The time for decoding, where each decode takes kStepMs.
  std::optional<std::chrono::milliseconds> time = {};
};

constexpr int kStepMs = 10;

// A clock that only the model's work moves.
using FakeTime = std::chrono::steady_clock::time_point;

// A model that writes `script` and then wants to end, whatever is drawn instead; what is forced
// between is not in the script.
class ScriptText : public DecodeText {
 public:
  static constexpr TokenId kEnd{0};

  ScriptText(const model::Tokenizer& tokenizer, std::string_view script, size_t max_steps,
             FakeTime& time)
      : tokenizer_(tokenizer),
        script_(tokenizer.Encode(script, false)),
        steps_left_(max_steps),
        time_(time) {
    script_.push_back(kEnd);
  }
  std::span<const float> Next() {
    logits_.assign(tokenizer_.size(), 0);
    logits_[script_[std::min(at_++, script_.size() - 1)].value] = 10;
    return logits_;
  }
  Logits Append(TokenId token) override {
    tokens_.push_back(token);
    time_ += std::chrono::milliseconds(kStepMs);
    return steps_left_-- == 0 ? std::nullopt : Logits(Next());
  }
  Logits Rewrite(size_t kept, std::span<const TokenId> tokens) override {
    EXPECT_LE(kept, tokens_.size());
    time_ += std::chrono::milliseconds(kStepMs);
    tokens_.resize(kept);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    return logits_;
  }
  const std::vector<TokenId>& tokens() const { return tokens_; }

 private:
  const model::Tokenizer& tokenizer_;
  std::vector<TokenId> script_, tokens_;
  size_t steps_left_, at_ = 0;
  FakeTime& time_;
  std::vector<float> logits_;
};

// A model that prefers some tokens after each text: `after` has them, the likeliest first, and ""
// for the end. Behind any other text it wants to end.
class ChoosyText : public DecodeText {
 public:
  using Choices = std::map<std::string, std::vector<std::string>>;

  ChoosyText(const model::Tokenizer& tokenizer, Choices after)
      : tokenizer_(tokenizer), after_(std::move(after)) {}
  std::span<const float> Next() {
    logits_.assign(tokenizer_.size(), 0);
    const auto choices = after_.find(tokenizer_.Decode(tokens_));
    if (choices == after_.end()) {
      logits_[ScriptText::kEnd.value] = 10;
      return logits_;
    }
    float logit = 10;
    for (const std::string& choice : choices->second) {
      const TokenId token =
          choice.empty() ? ScriptText::kEnd : tokenizer_.Encode(choice, false).at(0);
      logits_[token.value] = logit--;
    }
    return logits_;
  }
  Logits Append(TokenId token) override {
    tokens_.push_back(token);
    return Next();
  }
  Logits Rewrite(size_t kept, std::span<const TokenId> tokens) override {
    tokens_.resize(kept);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    return Next();
  }

 private:
  const model::Tokenizer& tokenizer_;
  Choices after_;
  std::vector<TokenId> tokens_;
  std::vector<float> logits_;
};

class DecoderTest : public testing::Test {
 protected:
  DecoderTest() {
    model::GgufWriter writer;
    model::TinyShape shape;
    shape.pairs = {{"\"", ")"}, {")", ")"}, {")", ","}, {")", "Ċ"}, {"x", "y"}};
    model::AddTinyTokenizer(writer, shape);
    bytes_ = writer.Bytes();
    auto file = model::GgufFile::Parse(bytes_, "tiny");
    EXPECT_TRUE(file) << file.error().message;
    auto tokenizer = model::Tokenizer::FromGguf(*file);
    EXPECT_TRUE(tokenizer) << tokenizer.error().message;
    tokenizer_.emplace(*std::move(tokenizer));
    auto language = Language::Compile(kGrammar, "toy.lark");
    EXPECT_TRUE(language) << language.error().ToString();
    language_ = *language;
  }

  // What the decoder makes of a model that writes `script` and then wants to end; with masks and
  // without the same.
  DecodeResult Run(std::string_view left, std::string_view right, std::string_view script,
                   Question question = {}) {
    DecodeResult unmasked = RunOnce(left, right, script, question, false);
    DecodeResult masked = RunOnce(left, right, script, question, true);
    EXPECT_EQ(masked.middle, unmasked.middle) << script;
    EXPECT_EQ(masked.ended, unmasked.ended) << script;
    EXPECT_EQ(unmasked.statistics.masks, 0);
    EXPECT_EQ(masked.statistics.masks > 0, masked.statistics.refused > 0) << script;
    EXPECT_LE(masked.statistics.refused, unmasked.statistics.refused) << script;
    return masked;
  }

  DecodeResult RunOnce(std::string_view left, std::string_view right, std::string_view script,
                       const Question& question, bool masked) {
    time_ = FakeTime();
    ScriptText text(*tokenizer_, script, max_steps_, time_);
    DecodeResult result = Through(left, right, text, question, masked);
    tokens_ = text.tokens();
    return result;
  }

  // What the decoder makes of a model that prefers some tokens; with masks and without the same.
  DecodeResult Choose(std::string_view left, std::string_view right,
                      const ChoosyText::Choices& after, Question question = {}) {
    ChoosyText text(*tokenizer_, after), again(*tokenizer_, after);
    DecodeResult result = Through(left, right, text, question, false);
    EXPECT_EQ(Through(left, right, again, question, true).middle, result.middle);
    return result;
  }

  template <typename Text>
  DecodeResult Through(std::string_view left, std::string_view right, Text& text,
                       const Question& question, bool masked) {
    model::Sampler sampler(0, 0, TokensOf({1, 2}));
    GapOptions options;
    options.count = CanonicalCount(*tokenizer_);
    Budget gap(Gap::Open(*language_, left, right, std::move(options)),
               question.budget ? static_cast<uint32_t>(question.max_tokens) : kUnlimitedTokens);
    if (!gap.feasible()) return {};
    MaskSource masks;
    if (masked) masks = [this] { return Store(); };
    GapFilter filter(*tokenizer_, ends_, std::move(gap),
                     {.goal = question.goal,
                      .healed = question.healed,
                      .left_line = std::string(left.substr(left.rfind('\n') + 1)),
                      .right_line = question.right_line,
                      .masks = masks});
    DecodeLimits limits;
    limits.max_tokens = question.max_tokens;
    limits.deadline = Deadline(question.time, [this] { return time_; });
    return Decode(std::move(filter), sampler, text.Next(), text, limits, {});
  }

  bool Fits(std::string_view left, std::string_view middle, std::string_view right) const {
    return language_->Check(std::string(left) + std::string(middle) + std::string(right)).valid;
  }

  std::optional<model::Tokenizer> tokenizer_;
  std::optional<Language> language_;
  size_t max_steps_ = 1000;  // of the model
  FakeTime time_;
  std::vector<TokenId> tokens_;  // behind the prompt, of the last run

 private:
  std::optional<MaskStore> Store() {
    if (!store_ || store_->language() != *language_)
      store_ = MaskStore::Build(*language_, VocabularyOf(*tokenizer_));
    return store_;
  }
  std::vector<std::byte> bytes_;
  std::vector<TokenId> ends_{ScriptText::kEnd};
  std::optional<MaskStore> store_;
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
  DecodeResult result = Run("a = ", "\nb = c\n", "f(f(f(f(f(f(f(f(", {.max_tokens = 6});
  EXPECT_EQ(result.middle.substr(0, 3), "f(f");
  EXPECT_TRUE(Fits("a = ", result.middle, "\nb = c\n")) << result.middle;
  EXPECT_LE(tokenizer_->Encode(result.middle, false).size(), 6u) << result.middle;
}

TEST_F(DecoderTest, ClosesWithTheWitnessWhenTheModelCannotGoOn) {
  max_steps_ = 3;  // as where its context is full
  DecodeResult result = Run("a = ", "\nb = c\n", "f(f(f(f(f(f(f(f(");
  EXPECT_EQ(result.ended, Ended::kWitness);
  EXPECT_EQ(result.middle, "f(f())");
  EXPECT_EQ(result.tokens, 4);
}

// Whatever the model writes and wherever the budget cuts it off, the middle fits and is no longer
// than the budget.
TEST_F(DecoderTest, EndsWellFormedWithinEveryBudget) {
  for (std::string_view script : {"f(f(f(f(f(f(f(f(", "some(thing, other", "\"a text that goes on",
                                  "x\ny = call(z, \"", "("}) {
    for (int budget = 1; budget <= 24; ++budget) {
      DecodeResult result = Run("a = ", "\nb = c\n", script, {.max_tokens = budget});
      ASSERT_TRUE(result.closed) << script << " within " << budget;
      EXPECT_TRUE(Fits("a = ", result.middle, "\nb = c\n")) << result.middle;
      EXPECT_LE(tokenizer_->Encode(result.middle, false).size(), static_cast<size_t>(budget))
          << result.middle;
    }
  }
}

// A slow model: whatever it writes, and whenever the time ends, the middle fits, and no more than
// one decode ran past the deadline. Where `(` is refused blanks alone are drawn, and there is none.
TEST_F(DecoderTest, EndsWellFormedWithinEveryTimeAndOneStep) {
  int cut = 0;
  for (std::string_view script : {"f(f(f(f(f(f(f(f(", "some(thing, other", "\"a text that goes on",
                                  "x\ny = call(z, \"", "("}) {
    for (int ms = 0; ms <= 200; ms += 5) {
      const std::chrono::milliseconds time(ms);
      DecodeResult result = Run("a = ", "\nb = c\n", script, {.time = time});
      EXPECT_EQ(result.closed, script != "(") << script << " within " << ms;
      EXPECT_TRUE(!result.closed || Fits("a = ", result.middle, "\nb = c\n")) << result.middle;
      EXPECT_LE(time_ - FakeTime(), time + std::chrono::milliseconds(kStepMs)) << script;
      cut += result.ended == Ended::kTime;
    }
  }
  EXPECT_GT(cut, 50);
}

TEST_F(DecoderTest, IsCutBackToItsLastGoodEndWhenTheTimeEnds) {
  // The bracket ends the word before it, and closes nothing yet.
  const std::string script = "word(call(x), other)";
  const auto steps = [this](std::string_view drawn) {
    return std::chrono::milliseconds(kStepMs * (tokenizer_->Encode(drawn, false).size() - 1));
  };
  DecodeResult result = Run("a = ", "\nb = c\n", script, {.time = steps("word(call(x), ot")});
  EXPECT_EQ(result.middle, "word");
  EXPECT_EQ(result.ended, Ended::kTime);
  EXPECT_EQ(result.tokens, static_cast<int>(tokenizer_->Encode("word", false).size()));
  // All of it is a good end.
  result = Run("a = ", "\nb = c\n", script, {.time = steps(script)});
  EXPECT_EQ(result.middle, script);
  EXPECT_EQ(result.ended, Ended::kTime);
  // No beginning is good: the closing text ends it.
  result = Run("a = ", "\nb = c\n", "\"text\"", {.time = steps("\"te")});
  EXPECT_EQ(result.middle, "\"te\"");
  EXPECT_EQ(result.ended, Ended::kTime);
}

TEST_F(DecoderTest, WritesNoWordThatNobodyDrewWhenTheTimeEnds) {
  const auto steps =
      std::chrono::milliseconds(kStepMs * (tokenizer_->Encode("not", false).size() - 1));
  const DecodeResult result = Run("a = ", "\nb = c\n", "not word", {.time = steps});
  EXPECT_FALSE(result.closed) << result.middle;
  EXPECT_EQ(result.ended, Ended::kTime);
  const DecodeResult unhurried = Run("a = ", "\nb = c\n", "not word");
  EXPECT_EQ(unhurried.middle, "not word");
}

TEST_F(DecoderTest, CutsALineOfTheLeftContextBeforeAnUnfinishedWord) {
  DecodeResult result =
      Run("a = ", "", "call(some, thing",
          {.goal = Goal::kLine, .budget = false, .time = std::chrono::milliseconds(kStepMs * 12)});
  EXPECT_EQ(result.middle, "call(some, ");
  EXPECT_EQ(result.ended, Ended::kTime);
}

// `not` begins no statement, but a longer word does; the model has not meant one.
TEST_F(DecoderTest, TakesAWordBackThatCannotStand) {
  ChoosyText::Choices after = {{"", {"n", "k"}}, {"n", {"o"}},  {"no", {"t"}},  {"not", {" ", "a"}},
                               {"k", {" "}},     {"k ", {"="}}, {"k =", {" "}}, {"k = ", {"v"}}};
  const DecodeResult result = Choose("", "\nb = c\n", after);
  EXPECT_EQ(result.middle, "k = v");
  EXPECT_EQ(result.ended, Ended::kStop);
  EXPECT_EQ(result.nats.size(), 6u);  // with the end
  EXPECT_EQ(result.tokens, 6);

  // It may go on where the model goes on.
  after["not"] = {"a"};
  after["nota"] = {" "};
  after["nota "] = {"="};
  after["nota ="] = {"v"};
  EXPECT_EQ(Choose("", "\nb = c\n", after).middle, "nota =v");
}

TEST_F(DecoderTest, WritesNoWordOnThatTheModelHasEnded) {
  ChoosyText::Choices after = {{"", {"x"}}, {"x", {"=", "y", "("}}, {"x(", {")"}}};
  // `=` is refused, and `y` would make another word.
  EXPECT_EQ(Choose("a = ", "\nb = c\n", after).middle, "x()");
  // So where the word begins left of the cursor.
  EXPECT_EQ(Choose("a = x", "\nb = c\n", after, {.healed = "x"}).middle, "()");
  // Here the model would go on in the word first.
  after["x"] = {"y", "=", "("};
  EXPECT_EQ(Choose("a = ", "\nb = c\n", after).middle, "xy");
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
  // The model writes on and on; the text right of the cursor wants an open bracket.
  DecodeResult result =
      Run("a = b\n", ", c)\nd = e\n", "x = y\nz = the\nz = the\nz = the\nz = the\nz = the\n",
          {.right_line = ", c)"});
  EXPECT_TRUE(Fits("a = b\n", result.middle, ", c)\nd = e\n")) << result.middle;
  EXPECT_LT(result.middle.size(), 36u) << result.middle;
}

TEST_F(DecoderTest, ConvergesOnTheEndOfALine) {
  // The model would end the middle in the bracket; later it writes `)` and a line end at once.
  const ChoosyText::Choices after = {
      {"", {"x"}}, {"x", {"", "("}}, {"x(", {")"}}, {"x()", {")\n"}}};
  EXPECT_EQ(Choose("a = f(", "\nb = c\n", after).middle, "x())");
}

TEST_F(DecoderTest, EndsWhereTheModelEndsWhileItConverges) {
  // `#` would join the right context, too, and is the next likeliest.
  const ChoosyText::Choices after = {
      {"", {"x"}}, {"x", {"", "("}}, {"x(", {")"}}, {"x()", {")"}}, {"x())", {"", "#"}}};
  const DecodeResult result = Choose("a = f(", "\nb = c\n", after);
  EXPECT_EQ(result.middle, "x())");
  EXPECT_EQ(result.ended, Ended::kStop);
}

TEST_F(DecoderTest, GoesOnInABlockThatItOpens) {
  const std::string_view block = "call(\n  some(\n    long, arguments, of, it\n  )\n)";
  DecodeResult result =
      Run("a = f(", ")\nb = c\n", std::string(block) + ")\nx = y\n", {.right_line = ")"});
  EXPECT_EQ(result.middle, block);
  EXPECT_EQ(result.ended, Ended::kStop);
}

TEST_F(DecoderTest, ABlockDoesNotCloseTheBracketAroundItThatTheLineCloses) {
  ChoosyText::Choices after = {
      {"", {"f"}}, {"f", {"("}}, {"f(", {"\n"}}, {"f(\n", {"x"}}, {"f(\nx", {"))", ")"}}};
  const Question question{.right_line = ", y)"};
  // Behind `))` another call would have to follow.
  EXPECT_EQ(Choose("a = f(", ", y)\nb = c\n", after, question).middle, "f(\nx)");
  // Here there is a bracket more to close.
  EXPECT_EQ(Choose("a = g(f(", ", y)\nb = c\n", after, question).middle, "f(\nx))");
}

TEST_F(DecoderTest, ABlockThatTheModelEndsTooEarlyIsClosedSoon) {
  DecodeResult result =
      Run("a = f(", ")\nb = c\n", "call(\n  some(long, arguments, of, it)", {.right_line = ")"});
  EXPECT_TRUE(Fits("a = f(", result.middle, ")\nb = c\n")) << result.middle;
  EXPECT_TRUE(result.middle.starts_with("call(\n  some(long, arguments, of, it)")) << result.middle;
  EXPECT_LT(result.middle.size(), 55u) << result.middle;
}

TEST_F(DecoderTest, ABlockIsCutBackToALineWhereTheModelOrItsTimeEnds) {
  const std::string script = "call(\n  some(first)\n  , other(\"text\"), third(word))";
  const size_t steps = tokenizer_->Encode("call(\n  some(first)\n  , oth", false).size();
  DecodeResult result =
      Run("a = f(", ")\nb = c\n", script,
          {.right_line = ")", .time = std::chrono::milliseconds(kStepMs * steps)});
  EXPECT_EQ(result.middle, "call(\n  some(first))") << "and not `call`";
  EXPECT_EQ(result.ended, Ended::kTime);
  EXPECT_EQ(result.closing_bytes, 1u);
  max_steps_ = steps;  // as where its context is full
  result = Run("a = f(", ")\nb = c\n", script, {.right_line = ")"});
  EXPECT_EQ(result.middle, "call(\n  some(first))");
  EXPECT_EQ(result.ended, Ended::kWitness);
  EXPECT_EQ(result.closing_bytes, 1u);
}

TEST_F(DecoderTest, GoesOnInABlockOfTheLeftContext) {
  const Question question{.healed = "(", .right_line = ")"};
  // To the bracket of the right context, or to where the model ends it.
  EXPECT_EQ(Run("a = f(", ")\nb = c\n", "(\n  some,\n  other\n)\nx", question).middle,
            "\n  some,\n  other\n");
  EXPECT_EQ(Run("a = f(", ")\nb = c\n", "(\n  some,\n  other", question).middle,
            "\n  some,\n  other");
  // No block, but a line of the middle.
  EXPECT_EQ(Run("a = f(", ")\nb = c\n", "(some\n  , other\n)", question).middle, "some");
  // Nor where the bracket is not closed at once.
  EXPECT_EQ(
      Run("a = f(", ", g)\nb = c\n", "(\n  some\n  , other", {.healed = "(", .right_line = ", g)"})
          .middle,
      "\n  some");
}

TEST_F(DecoderTest, ABlockOfTheLeftContextIsCutBackToALine) {
  const std::string script = "(\n  some(first)\n  , other(\"text\"), third(word)";
  const size_t steps =
      tokenizer_->Encode("(\n  some(first)\n  , other(\"text\"), thi", false).size();
  Question question{.healed = "(", .right_line = ")"};
  question.time = std::chrono::milliseconds(kStepMs * steps);
  EXPECT_EQ(Run("a = f(", ")\nb = c\n", script, question).middle, "\n  some(first)");
  question.time.reset();
  question.max_tokens = static_cast<int>(steps);
  const DecodeResult result = Run("a = f(", ")\nb = c\n", script, question);
  EXPECT_EQ(result.middle, "\n  some(first)");
  EXPECT_EQ(result.ended, Ended::kBudget);
}

TEST_F(DecoderTest, EndsBeforeItRepeatsWhatStandsRightOfTheCursor) {
  DecodeResult result = Run("a = call(", ")\nb = c\n", "word)\nx = y(z", {.right_line = ")"});
  EXPECT_EQ(result.middle, "word");
  EXPECT_EQ(result.ended, Ended::kStop);
  // The bracket that it opened itself it has to close.
  result = Run("a = call(", ")\nb = c\n", "f(x)", {.right_line = ")"});
  EXPECT_EQ(result.middle, "f(x)");
}

// The model's token for `")` writes the bracket that stands right of the cursor: it is the quote
// and the end.
TEST_F(DecoderTest, DoesNotWriteTheRightContextInThePlaceOfAMiddle) {
  const DecodeResult result = Run("a = call(", ")\nb = c\n", ")\nx = y(", {.right_line = ")"});
  EXPECT_FALSE(result.middle.starts_with(")")) << result.middle;
}

TEST_F(DecoderTest, CutsATokenThatWritesIntoTheRightContext) {
  DecodeResult result = Run("a = call(", ")\nb = c\n", "\"some\")", {.right_line = ")"});
  EXPECT_EQ(result.middle, "\"some\"");
  EXPECT_EQ(result.ended, Ended::kStop);
  // What it opened itself it closes first, and only then the token's second bracket is that of the
  // right context.
  result = Run("a = call(", ")\nb = c\n", "f(x))", {.right_line = ")"});
  EXPECT_EQ(result.middle, "f(x)");
  EXPECT_EQ(result.ended, Ended::kStop);
  // Another line end behind the bracket than the token's comma.
  result = Run("a = call(", "), d)\nb = c\n", "f(x),", {.right_line = "), d)"});
  EXPECT_TRUE(Fits("a = call(", result.middle, "), d)\nb = c\n")) << result.middle;
}

// `so|me(b)`: the model writes the whole word, and what stands after it.
TEST_F(DecoderTest, CutsAWordBeforeItsRestInTheRightContext) {
  DecodeResult result = Run("a = ", "me(b)\nb = c\n", "some(b)", {.right_line = "me(b)"});
  EXPECT_EQ(result.middle, "so");
  EXPECT_EQ(result.ended, Ended::kStop);
  ASSERT_FALSE(result.nats.empty()) << "a token in which it is cut counts";
  EXPECT_EQ(result.nats.back().end_bytes, 2u);
  // The same without a sign, where the model ends.
  result = Run("a = ", "me\nb = c\n", "some", {.right_line = "me"});
  EXPECT_EQ(result.middle, "so");
  EXPECT_EQ(result.ended, Ended::kStop);
}

TEST_F(DecoderTest, CutsNoWordAtOtherLettersOfTheRightContext) {
  DecodeResult result = Run("a = ", "me(b)\nb = c\n", "somewhat(b)", {.right_line = "me(b)"});
  EXPECT_EQ(result.middle.substr(0, 8), "somewhat");
}

// The head of a token may cost more tokens than it.
TEST_F(DecoderTest, KeepsTheBudgetWhereATokenIsCut) {
  for (int budget = 1; budget <= 12; ++budget) {
    DecodeResult result =
        Run("a = call(", ")\nb = c\n", "\"so\")", {.max_tokens = budget, .right_line = ")"});
    EXPECT_TRUE(Fits("a = call(", result.middle, ")\nb = c\n")) << result.middle;
    EXPECT_LE(tokenizer_->Encode(result.middle, false).size(), static_cast<size_t>(budget))
        << result.middle;
  }
}

TEST_F(DecoderTest, ReproducesTheHealedTextFirst) {
  // The buffer ends in "wo"; generation begins before it and the script offers another word first.
  DecodeResult result = Run("a = wo", "\nb = c\n", "word", {.healed = "wo"});
  EXPECT_EQ(result.middle, "rd");
  result = Run("a = wo", "\nb = c\n", "other", {.healed = "wo"});
  EXPECT_TRUE(result.closed);
  EXPECT_TRUE(Fits("a = wo", result.middle, "\nb = c\n")) << result.middle;
}

TEST_F(DecoderTest, NeverAnswersBlanksAlone) {
  DecodeResult result = Run("a = b", "\nb = c\n", "  ");
  EXPECT_FALSE(IsBlank(result.middle)) << '[' << result.middle << ']';
}

TEST_F(DecoderTest, EndsAtTheLineEndWithTheLeftContextAlone) {
  DecodeResult result =
      Run("a = ", "", "call(x\n, y)\nb = c\n", {.goal = Goal::kLine, .budget = false});
  EXPECT_EQ(result.middle, "call(x");
}

TEST_F(DecoderTest, KnowsHowLikelyEachTokenWas) {
  const DecodeResult result = Run("a = ", "\nb = c\n", "some(thing)");
  const std::vector<TokenId> tokens = tokenizer_->Encode("some(thing)", false);
  ASSERT_EQ(result.nats.size(), tokens.size() + 1) << "the end is one of them";
  size_t end = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    end += tokenizer_->Bytes(tokens[i]).size();
    EXPECT_EQ(result.nats[i].end_bytes, end);
    EXPECT_LT(result.nats[i].nats, 0.1) << "the model wanted it";
  }
}

TEST_F(DecoderTest, WhatClosesAMiddleHasNoTokensOfTheModel) {
  max_steps_ = 3;  // as where its context is full
  const DecodeResult cut = Run("a = ", "\nb = c\n", "f(f(f(f(f(f(f(f(");
  ASSERT_EQ(cut.ended, Ended::kWitness);
  ASSERT_FALSE(cut.nats.empty());
  EXPECT_LT(cut.nats.back().end_bytes, cut.middle.size());
}

// Writing on from a prompt: no right context, to the end of the text.
class TextDecoderTest : public DecoderTest {
 protected:
  TextDecoderTest() {
    language_ = *Language::Compile(
        "start: \"[\" [items] \"]\"\nitems: X | items \",\" X\nX: /x+/\n%ignore / +/\n",
        "list.lark");
  }
  DecodeResult Write(std::string_view left, std::string_view script, int max_tokens = 64) {
    return Run(left, "", script, {.goal = Goal::kText, .max_tokens = max_tokens, .budget = false});
  }
  DecodeResult Match(const char* regex, std::string_view script, int max_tokens) {
    language_ = *Language::FromRegex(regex);
    return Run("", "", script, {.goal = Goal::kText, .max_tokens = max_tokens});
  }
};

TEST_F(TextDecoderTest, EndsWhereTheModelEndsAWholeText) {
  DecodeResult written = Write("[x,", "xx,x]");
  EXPECT_EQ(written.middle, "xx,x]");
  EXPECT_TRUE(written.whole);
  EXPECT_EQ(written.ended, Ended::kStop);
}

TEST_F(TextDecoderTest, ABudgetThatIsMetLeavesAViableBeginning) {
  DecodeResult written = Write("[", "x,x,x,x,x,x,x,x,x,x", 4);
  EXPECT_EQ(written.ended, Ended::kBudget);
  EXPECT_FALSE(written.whole);
  EXPECT_EQ(written.tokens, 4);
  EXPECT_TRUE(Gap::Open(*language_, "[" + written.middle, "", {}).viable());
}

TEST_F(TextDecoderTest, NeverWritesWhatTheGrammarRefuses) {
  DecodeResult written = Write("[x", "]]]]", 8);
  EXPECT_EQ(written.middle.substr(0, 1), "]");
  EXPECT_EQ(written.middle.find_first_not_of(' ', 1), std::string::npos) << written.middle;
  EXPECT_TRUE(written.whole);
}

TEST_F(TextDecoderTest, WritesAWholeMatchOfAnExpressionWithinItsBudget) {
  DecodeResult right = Match("[0-9]{3}-[0-9]{4}", "5551234 and more", 64);
  EXPECT_EQ(right.middle, "555-1234");
  EXPECT_EQ(right.ended, Ended::kStop);  // nothing may follow
  DecodeResult cut = Match("a(b*)c", "abbbbbbbbbbbbbbbbbbbb", 6);
  EXPECT_TRUE(cut.whole);
  EXPECT_EQ(cut.middle.front(), 'a');
  EXPECT_EQ(cut.middle.back(), 'c');
  EXPECT_LE(tokenizer_->Encode(cut.middle, false).size(), 6u);
  EXPECT_FALSE(Match("[0-9]{3}-[0-9]{4}", "555", 2).closed);
}

TEST_F(TextDecoderTest, WritesWhatIsForcedWithoutTheModel) {
  DecodeResult written = Match("[0-9]{3}-[0-9]{4}", "5551234", 64);
  EXPECT_EQ(written.middle, "555-1234");
  EXPECT_EQ(written.statistics.forced, 1);  // the sign between
  EXPECT_EQ(tokens_, tokenizer_->Encode(written.middle, false));
  // All of it, and the model is not asked once.
  written = Match("abc[(]abc[)]", "xyz", 64);
  EXPECT_EQ(written.middle, "abc(abc)");
  EXPECT_EQ(written.ended, Ended::kStop);
  EXPECT_EQ(written.statistics.forced, written.statistics.drawn);
}

// The model draws `t`, `he` is forced behind it: its tokenizer has one token for all three, and
// that is what stands there then.
TEST_F(TextDecoderTest, TokenisesForcedTextAsTheTokenizerDoes) {
  DecodeResult written = Match("(t|x)he[0-9]+;ab", "t1;ab", 64);
  EXPECT_GT(written.statistics.forced, 0);
  EXPECT_EQ(written.middle, "the1;ab");
  EXPECT_EQ(tokens_, tokenizer_->Encode(written.middle, false));
  // What may grow into another token is left to the model.
  written = Match("xt(he|ha)*", "xthe", 64);
  EXPECT_EQ(tokens_, tokenizer_->Encode(written.middle, false));
  EXPECT_EQ(written.middle, "xthe");
}

TEST_F(TextDecoderTest, CountsForcedTokensInTheBudget) {
  for (int budget = 4; budget <= 14; ++budget) {
    DecodeResult written = Match("x{2}:y{3}=(zz)*;end", "xx:yyy=zzzzzzzzzzzzz", budget);
    if (!written.closed) {
      EXPECT_LT(budget, 13);
      continue;
    }
    EXPECT_TRUE(written.whole) << written.middle;
    EXPECT_LE(tokenizer_->Encode(written.middle, false).size(), static_cast<size_t>(budget))
        << written.middle;
    EXPECT_LE(written.statistics.drawn, budget);
  }
}

// The model alone, without a gap.
class UnconstrainedDecoderTest : public DecoderTest {
 protected:
  DecodeResult Write(std::string_view script, int max_tokens = 64,
                     std::optional<std::chrono::milliseconds> time = {}) {
    time_ = FakeTime();
    ScriptText text(*tokenizer_, script, max_steps_, time_);
    DecodeLimits limits;
    limits.max_tokens = max_tokens;
    limits.deadline = Deadline(time, [this] { return time_; });
    model::Sampler sampler(0, 0, TokensOf({1, 2}));
    const std::vector<TokenId> ends{ScriptText::kEnd};
    return DecodeUnconstrained(*tokenizer_, ends, sampler, text.Next(), text, limits, {});
  }
};

TEST_F(UnconstrainedDecoderTest, EndsAtTheEndOfTheFirstLineThatIsNotBlank) {
  DecodeResult written = Write("\n  a ( b\nc");
  EXPECT_EQ(written.middle, "\n  a ( b");
  EXPECT_EQ(written.ended, Ended::kStop);
}

TEST_F(UnconstrainedDecoderTest, EndsWhereTheModelEnds) {
  DecodeResult written = Write("ab");
  EXPECT_EQ(written.middle, "ab");
  EXPECT_EQ(written.ended, Ended::kStop);
  EXPECT_EQ(written.tokens,
            static_cast<int>(tokenizer_->Encode("ab", false).size()) + 1);  // the end is drawn, too
}

TEST_F(UnconstrainedDecoderTest, EndsWithItsBudget) {
  DecodeResult written = Write("a(a(a(a(", 3);
  EXPECT_EQ(written.ended, Ended::kBudget);
  EXPECT_EQ(written.tokens, 3);
}

TEST_F(UnconstrainedDecoderTest, EndsWithItsTimeBeforeAnUnfinishedWord) {
  DecodeResult written = Write("a(bcd", 64, std::chrono::milliseconds(kStepMs * 3));
  EXPECT_EQ(written.ended, Ended::kTime);
  EXPECT_EQ(written.middle, "a(");
  EXPECT_EQ(time_ - FakeTime(), std::chrono::milliseconds(kStepMs * 3));
  written = Write("abcd", 64, std::chrono::milliseconds(0));
  EXPECT_EQ(written.middle, "ab") << "its only token is kept";
}

TEST(HealedBytes, TakesAPartialWordOrSignsWithTheirBlankOrTrailingBlanks) {
  EXPECT_EQ(HealedBytes(""), 0u);
  EXPECT_EQ(HealedBytes("x = fo"), 3u);
  EXPECT_EQ(HealedBytes("x.fo"), 2u);
  EXPECT_EQ(HealedBytes("fo"), 2u);
  EXPECT_EQ(HealedBytes(std::string(32, 'a')), 32u);
  EXPECT_EQ(HealedBytes(std::string(33, 'a')), 0u);
  EXPECT_EQ(HealedBytes("foo("), 1u);
  EXPECT_EQ(HealedBytes("foo(["), 2u);
  EXPECT_EQ(HealedBytes("x ="), 2u);
  EXPECT_EQ(HealedBytes("\n    \""), 2u);
  EXPECT_EQ(HealedBytes("-----"), 4u);
  EXPECT_EQ(HealedBytes("return  "), 2u);
  EXPECT_EQ(HealedBytes("\n\t"), 1u);
  EXPECT_EQ(HealedBytes("\n"), 0u);
}

}  // namespace
}  // namespace tenon::server
