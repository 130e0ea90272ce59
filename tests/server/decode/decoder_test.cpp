// The decode loop: where a middle ends by the model, its tokens or its time; texts and lines
// without a right context.
#include "tests/server/decode/decoder_fixture.h"

namespace tenon::server {
namespace {

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

TEST_F(DecoderTest, ClosesBeforeTheWordThatTheTimeHasCut) {
  const auto within = [this](std::string_view script, std::string_view drawn) {
    const size_t steps = tokenizer_->Encode(drawn, false).size() - 1;
    return Run("a = f(", "\nb = c\n", script, {.time = std::chrono::milliseconds(kStepMs * steps)});
  };
  const DecodeResult result = within("some, other)", "some, oth");
  EXPECT_EQ(result.middle, "some)");
  EXPECT_EQ(result.closing_bytes, 1u);
  EXPECT_EQ(result.ended, Ended::kTime);
  EXPECT_EQ(result.tokens, static_cast<int>(tokenizer_->Encode("some", false).size()));
  EXPECT_EQ(within("some(thing), other)", "some(thing), oth").middle, "some(thing))");
  EXPECT_EQ(within("some, other)", "some, ").middle, "some)") << "a comma is no end";
  EXPECT_EQ(within("some)", "so").middle, "so)") << "there is nothing but a word";
}

TEST_F(DecoderTest, SaysWhereNobodyDrewWhatTheClosingTextSays) {
  const auto is_drawn = [this](std::string_view right, std::string_view script,
                               std::string_view drawn) {
    const size_t steps = tokenizer_->Encode(drawn, false).size() - 1;
    const DecodeResult result =
        Run("a = f(", right, script, {.time = std::chrono::milliseconds(kStepMs * steps)});
    return std::none_of(result.nats.begin(), result.nats.end(),
                        [](const TokenNats& token) { return token.nats == kNobodyDrew; });
  };
  EXPECT_TRUE(is_drawn("\nb = c\n", "some, other)", "some, oth")) << "`some)`";
  EXPECT_FALSE(is_drawn("\nb = c\n", "some)", "so")) << "`so)`: half a word";
  EXPECT_FALSE(is_drawn(")\nb = c\n", "\"text\"", "\"te")) << "`\"te\"`: half a text";
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

TEST_F(DecoderTest, TheModelIsNotSureOfAWordThatClosesAMiddle) {
  max_steps_ = 3;  // as where its context is full
  const DecodeResult brackets = Run("a = ", "\nb = c\n", "f(f(f(f(f(f(f(f(");
  ASSERT_EQ(brackets.middle, "f(f())");
  EXPECT_GT(SurenessOf(brackets.nats), 0.9);
  const DecodeResult word = Run("a = ", "\nb = c\n", "not not not not not not");
  ASSERT_EQ(word.ended, Ended::kWitness);
  ASSERT_NE(word.middle.find_last_not_of("not "), std::string::npos) << word.middle;
  EXPECT_EQ(SurenessOf(word.nats), 0);
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
