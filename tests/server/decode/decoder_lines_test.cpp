// Lines with which the decode loop does not end a middle, since lines of a block belong to them,
// and where it ends one inside a line.
#include "tests/server/decode/decoder_fixture.h"

namespace tenon::server {
namespace {

// A label, `case word:`, is a statement, so that a middle may end behind it. Behind `while (word)`
// it may end where R begins with a statement.
constexpr char kLabels[] = R"toy(
start: statement+
statement: WORD ["+"] "=" value ";"* NEWLINE | call ";"* NEWLINE | "case" WORD ":" NEWLINE | loop statement
loop: "while" "(" WORD ")" [NEWLINE]
value: WORD | call
call: WORD "(" [WORD] ")"
WORD: /[a-z]+/
NEWLINE: /\n[ \n]*/
%ignore /[ ]+/
)toy";

// Blocks of statements.
constexpr char kBlocks[] = R"toy(
start: statement*
statement: WORD ";" | "{" statement* "}"
WORD: /[a-z]+/
%ignore /[ \n]+/
)toy";

class DecoderLinesTest : public DecoderTest {
 protected:
  DecoderLinesTest() { Use(kLabels); }
  void Use(const std::string& grammar) {
    auto language = Language::Compile(grammar, "test.lark");
    ASSERT_TRUE(language) << language.error().ToString();
    language_ = *language;
  }
};

TEST_F(DecoderLinesTest, ALabelIsWrittenWithItsLines) {
  const std::string_view left = "a = b\n  ", right = "\n  b = c\n";
  const std::string block = "case x:\n    y = z\n    v = u";
  const DecodeResult result = Run(left, right, block + "\n  case w:\n    s = t\n");
  EXPECT_EQ(result.middle, block);
  EXPECT_EQ(result.ended, Ended::kStop);
  EXPECT_EQ(Run(left, right, "case x:\n  y = z\n").middle, "case x:") << "as deep as the label";
  EXPECT_EQ(Run(left, right, block).middle, block) << "where the model ends it";
  EXPECT_EQ(Run("a = b\n  case ", right, block.substr(5) + "\n  y = z").middle, block.substr(5));
  EXPECT_EQ(Run(left, "\n    y = z\n", block).middle, "case x:") << "its lines are there";
}

TEST_F(DecoderLinesTest, AHeadInBracketsIsWrittenWithItsLines) {
  const std::string_view left = "a = b\n", right = "\nb = c\n";
  EXPECT_EQ(Run(left, right, "while (x)\n  y = z\nv = u\n").middle, "while (x)\n  y = z");
  EXPECT_EQ(Run(left, right, "while (x)\ny = z\n").middle, "while (x)");
  EXPECT_EQ(Run(left, right, "call(x)\n  y = z\n").middle, "call(x)") << "no head";
}

// A `;` is inserted before `}`.
TEST_F(DecoderLinesTest, ABlockIsClosedWithoutATerminatorThatNothingNeeds) {
  Use("start: statement*\nstatement: WORD (\";\" | SEMICOLON) | \"{\" statement* \"}\"\n"
      "WORD: /[a-z]+/\nNEWLINE: /\\n/\n%ignore \" \"\n%line_ends NEWLINE\n"
      "%declare SEMICOLON\n%insert SEMICOLON before \"}\"\n");
  const std::string script = "{\n  some\n  other\n}";
  const auto tokens = static_cast<int>(tokenizer_->Encode("{\n  some\n  oth", false).size());
  EXPECT_EQ(Run("a\n", "\nb\n", script, {.max_tokens = tokens}).middle, "{\n  some}");
}

TEST_F(DecoderLinesTest, AModelThatEndsTheMiddleAfterAColonEndsTheLine) {
  const ChoosyText::Choices after = {{"", {"i"}},
                                     {"i", {"f"}},
                                     {"if", {" "}},
                                     {"if ", {"x"}},
                                     {"if x", {":"}},
                                     {"if x:", {"", " ", "y", "\n"}},
                                     {"if x:\n", {"", " "}},
                                     {"if x:\n ", {"y"}},
                                     {"if x:\n y", {"="}},
                                     {"if x:\n y=", {"z"}}};
  Use(kGrammar);
  EXPECT_EQ(Choose("a = b\n", "\n", after).middle, "if x:\n y=z");
}

TEST_F(DecoderLinesTest, AColonInABracketEndsNoLine) {
  Use("start: WORD \"=\" \"(\" WORD \":\" WORD \")\" NEWLINE\nWORD: /[a-z]+/\nNEWLINE: /\\n/\n"
      "%layout newline=NEWLINE brackets=\"()\"\n");
  const ChoosyText::Choices after = {
      {"", {"("}}, {"(", {"x"}}, {"(x", {":"}}, {"(x:", {"", "y", "\n"}}, {"(x:y", {")"}}};
  EXPECT_EQ(Choose("a=", "\n", after).middle, "(x:y)");
}

// No comma may end the list.
TEST_F(DecoderLinesTest, EndsBeforeACommaThatNothingFollows) {
  Use("start: \"[\" WORD (\",\" WORD)* \"]\" \nWORD: /[a-z]+/\n%ignore /[ \\n]+/\n");
  const ChoosyText::Choices after = {
      {"", {"b"}}, {"b", {","}}, {"b,", {"", " "}}, {"b, ", {"c"}}, {"b, c", {""}}};
  EXPECT_EQ(Choose("[a,\n", "\n]", after).middle, "b");
  ChoosyText::Choices brackets = after;
  brackets["b,"] = {"\n"};
  brackets["b,\n"] = {"]", "c"};
  EXPECT_EQ(Choose("[a,\n", "\n]", brackets).middle, "b");
  EXPECT_EQ(Choose("[a,\n", ", d\n]", after, {.right_line = ", d"}).middle, "b");
}

TEST_F(DecoderLinesTest, AModelThatEndsTheMiddleInABlockEndsTheLine) {
  Use(kBlocks);
  const ChoosyText::Choices after = {{"", {"{"}},
                                     {"{", {"\n"}},
                                     {"{\n", {"b"}},
                                     {"{\nb", {";"}},
                                     {"{\nb;", {"", " ", "c", "\n"}},
                                     {"{\nb;\n", {"}"}},
                                     {"{\nb;\n}", {""}}};
  EXPECT_EQ(Choose("a;\n", "\nd;\n", after).middle, "{\nb;\n}");
}

TEST_F(DecoderLinesTest, ABlockThatRLeavesOpenIsCutBackToALine) {
  Use(kBlocks);
  const auto tokens = static_cast<int>(tokenizer_->Encode("b;\n  c;\n  dd", false).size());
  const std::string_view script = "b;\n  c;\n  dd;\n  e;";
  EXPECT_EQ(Run("{\n  a;\n  ", "\n\nf;\n", script, {.max_tokens = tokens}).middle, "b;\n  c;}");
}

TEST_F(DecoderLinesTest, AListThatRLeavesOpenEndsSoonAfterALine) {
  Use("start: (\"{\" (WORD \",\")* \"}\" | WORD \";\")*\nWORD: /[a-z]+/\n%ignore /[ \\n]+/\n");
  const std::string script = "some,\n  other,\n  third,\n  more,\n  words,";
  const std::string middle = Run("{\n  a,\n  ", "\n\nf;\n", script).middle;
  EXPECT_TRUE(middle.starts_with("some,")) << middle;
  EXPECT_TRUE(middle.ends_with('}')) << middle;
  EXPECT_LT(middle.size(), 20u) << middle;
}

// A number has to follow the bracket, and the model knows which.
TEST_F(DecoderLinesTest, AListThatLacksMoreThanItsBracketGoesOn) {
  Use("start: (\"<\" (WORD \",\")* \">\" NUMBER | WORD \";\")*\n"
      "WORD: /[a-z]+/\nNUMBER: /[0-9]+/\n%ignore /[ \\n]+/\n");
  const std::string script = "some,\n  other,\n  third,\n> 12";
  EXPECT_EQ(Run("<\n  a,\n  ", "\n\nf;\n", script + "\n").middle, script);
}

// Where no more words have room the model draws none of those that close the middle.
TEST_F(DecoderLinesTest, NobodyDrawsTheWordsThatCloseTheMiddle) {
  Use("start: \"<\" WORD (\",\" WORD)* \">\" NUMBER\nWORD: /[a-z]+/\nNUMBER: /[0-9]+/\n");
  const DecodeResult result = Run("<a,", "", "s,o,t,m,w,x,y,z,a,b,c", {.max_tokens = 12});
  EXPECT_TRUE(result.middle.starts_with("s,o,t,")) << result.middle;
  EXPECT_EQ(result.ended, Ended::kWitness);
  ASSERT_FALSE(result.nats.empty());
  EXPECT_EQ(result.nats.back().nats, kNobodyDrew);
}

TEST_F(DecoderLinesTest, AChainEndsBeforeItRepeatsItself) {
  Use("start: \"(\" WORD (\".\" WORD)* \")\"\nWORD: /[a-z]+/\n%ignore /[ \\n]+/\n");
  const std::string script = "b.\n  some.\n  some.\n  some.\n  other";
  EXPECT_EQ(Run("(a.\n  ", "\n)\n", script).middle, "b.\n  some");
  EXPECT_EQ(Run("(a.\n  ", "\n", script).middle, "b.\n  some)") << "with the bracket that R lacks";
}

TEST_F(DecoderLinesTest, AConditionEndsBeforeItRepeatsItself) {
  Use("start: \"(\" WORD (\"X\" WORD)* \")\"\nWORD: /[a-z]+/\n%ignore /[ \\n]+/\n");
  const std::string script = "b X\n  some X\n  some X\n  some X\n  other";
  EXPECT_EQ(Run("(a X\n  ", "\n)\n", script, {.max_tokens = 80}).middle, "b X\n  some");
}

TEST_F(DecoderLinesTest, EndsBeforeCommentsThatRepeatThemselves) {
  Use("start: \"{\" (WORD \";\")* \"}\"\nWORD: /[a-z]+/\n%ignore /[ \\n]+/\n"
      "%ignore COMMENT\nCOMMENT: /#[^\\n]*/\n");
  const std::string script = "b;\n  # c\n  # d\n  # c\n  # d\n  # c";
  EXPECT_EQ(Run("{\n  a;\n  ", "\n", script).middle, "b;}");
}

TEST_F(DecoderLinesTest, EndsBeforeItStutters) {
  Use("start: \"(\" WORD (\",\" WORD)* \")\"\nWORD: /[a-z]+/\n%ignore /[ \\n]+/\n");
  std::string script = "some, other";
  for (int times = 0; times < 20; ++times) script += ", x";
  const DecodeResult result = Run("(a, ", "\n)", script, {.max_tokens = 80});
  EXPECT_EQ(result.middle, "some, other, x");
  EXPECT_EQ(result.ended, Ended::kWitness);
  EXPECT_EQ(Run("(a, ", "", script, {.max_tokens = 80}).middle, "some, other, x)");
}

TEST_F(DecoderLinesTest, EndsBeforeItRepeatsItself) {
  const Question question{.empty_block = EmptyBlock{0}};
  const std::string twice = "a = b\n  c = d\n  a = b\n  c = d";
  EXPECT_EQ(Run("case x:\n  ", "\nb = c\n", twice + "\n  a = b", question).middle,
            "a = b\n  c = d");
  EXPECT_EQ(Run("case x:\n  ", "\nb = c\n", "a = b\n  c = d\n  a = b\n  e = f", question).middle,
            "a = b\n  c = d\n  a = b\n  e = f");
}

TEST_F(DecoderLinesTest, EndsBeforeItRepeatsTheNextLine) {
  const std::string_view left = "a = b\n", right = "\nsome = value\n";
  EXPECT_EQ(Run(left, right, "while (x) some = value").middle, "while (x)");
  EXPECT_EQ(Run(left, right, "while (x) some = value\nv = u\n").middle, "while (x)");
  EXPECT_EQ(Run(left, right, "while (x) some = values").middle, "while (x) some = values");
  EXPECT_EQ(Run(left, right, "while (x) awesome = value").middle, "while (x) awesome = value");
  EXPECT_EQ(Run(left, "\nb = c\n", "while (x) b = c").middle, "while (x) b = c")
      << "so few letters may stand there by chance";
}

// The model would end the middle in the call, so it converges; the token that joins both sides
// writes R's `;`, too.
TEST_F(DecoderLinesTest, AConvergingMiddleDoesNotRepeatTheRestOfTheLine) {
  const ChoosyText::Choices after = {
      {"", {"f"}}, {"f", {"("}}, {"f(", {"x"}}, {"f(x", {"", " "}}, {"f(x ", {");"}}};
  const DecodeResult result = Choose("a = ", ";\nb = c\n", after, {.right_line = ";"});
  EXPECT_EQ(result.middle, "f(x )");
  EXPECT_EQ(result.tokens, 5);
}

}  // namespace
}  // namespace tenon::server
