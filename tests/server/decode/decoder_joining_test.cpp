// Where the decode loop ends a middle that joins a right context: words, blocks, converging, and
// tokens that write into the right context.
#include "server/request/indentation.h"
#include "tests/server/decode/decoder_fixture.h"

namespace tenon::server {
namespace {

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

TEST_F(DecoderTest, CutsNoWordForWhichThereIsNoRoom) {
  const std::string_view script = "\"some other\"";
  EXPECT_EQ(Run("a = ", "\nb = c\n", script).middle, script);
  for (const int tokens : {7, 8, 9})
    EXPECT_EQ(Run("a = ", "\nb = c\n", script, {.max_tokens = tokens}).middle, "\"some \"");
  // A word that begins left of the cursor stays, since its beginning is not the middle's.
  EXPECT_EQ(Run("a = x", "\nb = c\n", "yzzzz", {.max_tokens = 3}).middle, "yzz");
  // Nor does a middle that converges cut one: 12 more bytes have room.
  const Question question{.right_line = ", y)"};
  for (const size_t letters : {40, 60}) {
    const std::string word(letters, 'z'), inside = letters == 40 ? word : "";
    EXPECT_EQ(Run("a = g(", ", y)\nb = c\n", "f(" + word, question).middle, "f(" + inside + ")");
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
  // The model writes on and on; the text right of the cursor wants an open bracket.
  DecodeResult result =
      Run("a = b\n", ", c)\nd = e\n", "x = y\nz = the\nz = the\nz = the\nz = the\nz = the\n",
          {.right_line = ", c)"});
  EXPECT_TRUE(Fits("a = b\n", result.middle, ", c)\nd = e\n")) << result.middle;
  EXPECT_LT(result.middle.size(), 36u) << result.middle;
}

TEST_F(DecoderTest, ALongMiddleBeforeALineEndIsWrittenToItsEnd) {
  std::string script = "f(x";
  for (char name = 'a'; name <= 't'; ++name) script += std::string(", f(") + name + ")";
  script += ')';
  ASSERT_GT(tokenizer_->Encode(script, false).size(), 2 * kMaxFreeTokens);
  const Question question{.max_tokens = 200};
  EXPECT_EQ(Run("a = ", "\nb = c\n", script, question).middle, script);
  EXPECT_EQ(Run("a = g(", "\n)\nb = c\n", script, question).middle, script);
}

// The model would end the middle in the bracket, so the middle converges; then the model ends it.
TEST_F(DecoderTest, EndsWhereTheModelEndsWhileItConverges) {
  // `#` would join the right context, too, and is the next likeliest.
  const ChoosyText::Choices after = {{"", {"x"}}, {"x", {"", ")"}}, {"x)", {"", "#"}}};
  const DecodeResult result = Choose("a = f(", "\nb = c\n", after);
  EXPECT_EQ(result.middle, "x)");
  EXPECT_EQ(result.ended, Ended::kStop);
}

// The likeliest token that joins the right context has a line end, too.
TEST_F(DecoderTest, ConvergesOnTheEndOfALine) {
  const ChoosyText::Choices after = {
      {"", {"x"}}, {"x", {"", "("}}, {"x(", {")"}}, {"x()", {")\n"}}};
  EXPECT_EQ(Choose("a = f(", "", after).middle, "x())");
}

TEST_F(DecoderTest, GoesOnInABlockThatItOpens) {
  const std::string_view block = "call(\n  some(\n    long, arguments, of, it\n  )\n)";
  DecodeResult result =
      Run("a = f(", ")\nb = c\n", std::string(block) + ")\nx = y\n", {.right_line = ")"});
  EXPECT_EQ(result.middle, block);
  EXPECT_EQ(result.ended, Ended::kStop);
}

TEST_F(DecoderTest, AnEmptyBlockIsFilledUpToItsEnd) {
  const std::string_view left = "a = f(\n  ", right = "\n)\nb = c\n";
  const std::string_view script = "x\n  , some(y)\n)\nb = d\n";
  EXPECT_EQ(Run(left, right, script).middle, "x") << "a line where nothing else is known";
  const Question question{.empty_block = EmptyBlock{}};
  const DecodeResult filled = Run(left, right, script, question);
  EXPECT_EQ(filled.middle, "x\n  , some(y)\n");
  EXPECT_EQ(filled.ended, Ended::kStop);
  EXPECT_EQ(Run(left, right, "x", question).middle, "x") << "where the model ends it";
  EXPECT_FALSE(Run(left, right, ")\nb = d\n", question).middle.starts_with(")"));
}

TEST_F(DecoderTest, AnEmptyBlockIsCutBackToALine) {
  const std::string_view left = "a = f(\n  ", right = "\n)\nb = c\n";
  const std::string script = "x\n  , some(y)\n  , third(word)\n)";
  const size_t steps = tokenizer_->Encode("x\n  , some(y)\n  , thi", false).size();
  const Question late{.empty_block = EmptyBlock{},
                      .time = std::chrono::milliseconds(kStepMs * steps)};
  const DecodeResult result = Run(left, right, script, late);
  EXPECT_EQ(result.middle, "x\n  , some(y)");
  EXPECT_EQ(result.ended, Ended::kTime);
}

TEST_F(DecoderTest, AnEmptyBlockThatIndentationEndsIsFilledUpToALessIndentedLine) {
  const std::string_view left = "a = x\n  ", right = "\nb = c\n";
  const Question question{.empty_block = EmptyBlock{0}};
  const DecodeResult filled = Run(left, right, "\n  b = y\n\n  c = f(\nz)\nd = e\n", question);
  EXPECT_EQ(filled.middle, "\n  b = y\n\n  c = f(\nz)") << "within brackets no block ends";
  EXPECT_EQ(filled.ended, Ended::kStop);
  EXPECT_EQ(Run(left, right, "\n  b = y\n  c = z", question).middle, "\n  b = y\n  c = z")
      << "where the model ends it";
  const size_t steps = tokenizer_->Encode("\n  b = y\n  c = ", false).size();
  const Question late{.empty_block = EmptyBlock{0},
                      .time = std::chrono::milliseconds(kStepMs * steps)};
  EXPECT_EQ(Run(left, right, "\n  b = y\n  c = other\n  d = e", late).middle, "\n  b = y");
}

// The bracket and its line end are one token.
TEST_F(DecoderTest, ABlockEndsBeforeALessIndentedLineThatATokenWritesWhole) {
  const ChoosyText::Choices after = {{"", {"x"}}, {"x", {"\n"}}, {"x\n", {")\n"}}};
  const DecodeResult result =
      Choose("a = f(b,\n  ", "\n)\nb = c\n", after, {.empty_block = EmptyBlock{0}});
  EXPECT_EQ(result.middle, "x");
  EXPECT_EQ(result.ended, Ended::kStop);
}

TEST_F(DecoderTest, ATextIsUnneededWhereTheModelEndsAtOnceOrWritesTheTextThatFollows) {
  for (const char* script : {"\n)\nb", ")\nb = d(z"}) {
    const DecodeResult result = Run("a = f(x", "\n)\nb = c\n", script);
    EXPECT_TRUE(result.unneeded) << script;
    EXPECT_TRUE(LoneBracketsOf(result.middle).closing.empty()) << result.middle;
  }
  EXPECT_TRUE(Run("a = f(", ")\n", "", {.right_line = ")"}).unneeded) << "the model ends at once";
  EXPECT_FALSE(Run("a = f(x", "\n)\n", ", y\n)").unneeded);
  EXPECT_FALSE(Run("a = ", "\n", "").unneeded) << "something is missing";
  EXPECT_FALSE(Run("a = f(\n  ", "\n)\n", ")", {.empty_block = EmptyBlock{}}).unneeded);
}

TEST_F(DecoderTest, ABlockThatAColonOpensIsFilledUpToALessIndentedLine) {
  const std::string_view left = "  a = x\n  ", right = "\n";
  const std::string block = "if b:\n    c = d\n\n    e = f(g)";
  DecodeResult result = Run(left, right, block + "\n  h = i\nj = k");
  EXPECT_EQ(result.middle, block);
  EXPECT_EQ(result.ended, Ended::kStop);
  EXPECT_EQ(Run(left, right, block).middle, block) << "where the model ends it";
  EXPECT_EQ(Run(left, right, "c = d\n    e = f").middle, "c = d") << "no block";
  // `if |` goes on as its line does.
  EXPECT_EQ(Run("  if ", right, block.substr(3) + "\n  h = i\nj = k").middle, block.substr(3));
  const size_t tokens = tokenizer_->Encode("if b:\n    c = d\n\n    e = f", false).size();
  result = Run(left, right, block, {.max_tokens = static_cast<int>(tokens)});
  EXPECT_EQ(WithoutBlanksAtEnd(result.middle), "if b:\n    c = d") << "whole lines alone";
}

// `else` begins no statement, so its line belongs to the block above.
TEST_F(DecoderTest, ALineThatBeginsNoStatementGoesOnWithTheBlock) {
  const std::string_view left = "  a = x\n  ", right = "\n";
  const std::string block = "if b:\n    c = d\n  else:\n    e = f";
  DecodeResult result = Run(left, right, block + "\n  h = i");
  EXPECT_EQ(result.middle, block);
  EXPECT_EQ(result.ended, Ended::kStop);
  // The text left of the cursor has an `if` of its own that the line would belong to.
  EXPECT_EQ(Run("  if a:\n    b = x\n  ", right, "if b:\n    c = d\n  else:\n    e = f").middle,
            "if b:\n    c = d");
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

TEST_F(DecoderTest, BeginsInTheColumnOfALineBelowABlock) {
  const ChoosyText::Choices after = {
      {"", {"  ", "x"}}, {"  ", {"y"}},  {"x", {" "}},    {"x ", {"="}},    {"x =", {" "}},
      {"x = ", {"z"}},   {"  y", {" "}}, {"  y ", {"="}}, {"  y =", {" "}}, {"  y = ", {"z"}}};
  EXPECT_EQ(Choose("if a:\n    b = c\n  ", "\nd = e\n", after).middle, "  y = z");
  Question question{.indented_less = true};
  EXPECT_EQ(Choose("if a:\n    b = c\n  ", "\nd = e\n", after, question).middle, "x = z");
  question.healed = "  ";
  EXPECT_EQ(Run("if a:\n    b = c\n  ", "\nd = e\n", "  x = z", question).middle, "x = z")
      << "the blanks that stand there are written anew";
}

// The line `a = g(x) # z` has the bracket that R has, so only `x` was missing.
TEST_F(DecoderTest, EndsBeforeBracketsThatItClosesInRightsPlace) {
  const std::string_view left = "a = g(", right = ", y)\nb = c\n";
  Question question{.right_line = ", y)"};
  const DecodeResult line = Run(left, right, "x) # z\nb = f(z", question);
  EXPECT_EQ(line.middle, "x");
  EXPECT_LE(line.tokens, 7) << "those of its first line";
  const DecodeResult end = Run(left, right, "x) #!!", question);
  EXPECT_EQ(end.middle, "x");
  EXPECT_EQ(end.tokens, 7) << "with the model's end";
  question.max_tokens = 7;
  const DecodeResult spent = Run(left, right, "x) #!!!!!!!!!!", question);
  EXPECT_EQ(spent.middle, "x") << "the tokens end";
  question.max_tokens = 64;
  const std::string_view two = "a = g(f(";
  EXPECT_EQ(Run(two, right, "x)", question).middle, "x)") << "one more to close";
}

TEST_F(DecoderTest, NoBracketIsClosedThatIsAStandIns) {
  const std::string_view left = "a = g(f(", right = ", y))\nb = c\n", script = "x), h(z";
  Question question{.right_line = ", y))"};
  EXPECT_EQ(Run(left, right, script, question).middle, script);
  question.most_closing = 1;
  EXPECT_EQ(Run(left, right, script, question).middle, script) << "that of f";
  question.most_closing = 0;
  const std::string middle = Run(left, right, script, question).middle;
  EXPECT_EQ(middle.find("),"), std::string::npos) << middle;
}

TEST_F(DecoderTest, WhereNothingIsMissingALaterLineClosesNoBracket) {
  const DecodeResult result = Run("a = f(\n  ", "\n  x)\nb = c\n", "y\n  )\nb = f(");
  EXPECT_EQ(result.middle.find(')'), std::string::npos) << result.middle;
  EXPECT_TRUE(Fits("a = f(\n  ", result.middle, "\n  x)\nb = c\n")) << result.middle;
  EXPECT_TRUE(Run("a = f(\n  ", "\nb = c\n", "y\n  )").middle.ends_with(')')) << "it is missing";
}

TEST_F(DecoderTest, ADeeperLineClosesNoBracketThatTheNextLineCloses) {
  const std::string_view script = "g(\n    y\n  ) )\nb = f(z", right = "\n)\nb = c\n";
  const DecodeResult result = Run("a = f(x,\n  ", right, script);
  EXPECT_TRUE(result.middle.starts_with("g(\n    y\n  )")) << result.middle;
  EXPECT_EQ(result.middle.find(") )"), std::string::npos) << result.middle;
  EXPECT_TRUE(Fits("a = f(x,\n  ", result.middle, right)) << result.middle;
  EXPECT_EQ(Run("a = f(x,\n", right, script).middle, script) << "as deep as the next line";
}

TEST_F(DecoderTest, NoLineEndsTheBlockThatTheNextLineEnds) {
  const auto language = Language::Compile(
      "start: statement*\nstatement: WORD \";\" | \";\" | block [\"else\" block]\n"
      "block: \"{\" statement* \"}\"\nWORD: /[a-z]+/\n%ignore /[ \\n]+/\n",
      "blocks.lark");
  ASSERT_TRUE(language) << language.error().ToString();
  language_ = *language;
  for (const char* script : {"b; } else {", "b; } ; {", "b; } {"}) {
    const std::string middle = Run("{\n  a;\n  ", "\n}\n", script).middle;
    EXPECT_TRUE(middle.starts_with("b;")) << middle;
    EXPECT_EQ(middle.find('}'), std::string::npos) << middle;
  }
  EXPECT_EQ(Run("{\n  a;\n  ", "\nc;\n", "b; }").middle, "b; }") << "it is missing";
  EXPECT_EQ(Run("{ {\n  a;\n  ", "\n}\n", "b; }").middle, "b; }") << "so is one of two";
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

// `, other(` and brackets alone would have room, but the model goes on with another token.
TEST_F(DecoderTest, ABlockIsCutBackToALineWhereThereIsNoRoom) {
  const std::string script = "call(\n  some(first)\n  , other(\"text\"), third(word))";
  for (const std::string_view last : {"  , ", "  , oth", "  , other(", "  , other(\"te"}) {
    const std::string cut = script.substr(0, script.find(last) + last.size());
    const auto tokens = static_cast<int>(tokenizer_->Encode(cut, false).size());
    const DecodeResult result =
        Run("a = f(", ")\nb = c\n", script, {.max_tokens = tokens, .right_line = ")"});
    EXPECT_EQ(result.middle, "call(\n  some(first))") << tokens;
    EXPECT_EQ(result.ended, Ended::kWitness);
  }
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

}  // namespace
}  // namespace tenon::server
