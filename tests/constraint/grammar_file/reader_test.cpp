#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"
#include "tests/constraint/grammar_questions.h"
#include "tests/oracle/seed.h"

namespace tenon::constraint {
namespace {

Grammar Read(std::string_view text) {
  auto grammar = ReadGrammar(text, "g.lark");
  EXPECT_TRUE(grammar.has_value()) << (grammar ? "" : grammar.error().ToString());
  return grammar ? *grammar : Grammar{};
}

TEST(GrammarReader, ReadsEveryDirective) {
  const Grammar grammar = Read(
      "// A file with everything\n"
      "# an old comment\n"
      "%start file\n"
      "?file: (stmt NEWLINE INDENT stmt DEDENT)+ -> lines\n"
      "!stmt: \"match\" NAME | \"(\" [NAME] \")\" | NAME#since_2\n"
      "    // a comment between alternatives\n"
      "    | STRING#given \",\"#given STRING\n"
      "\n"
      "NAME: /[a-z]+/i\n"
      "STRING.2: \"'\" /[^']/* \"'\"\n"
      "NEWLINE: /\\r?\\n/\n"
      "COMMENT: \"//\" /.*/\n"
      "BAD_NUMBER: /[0-9]+[a-z]+/\n"
      "%declare INDENT DEDENT\n"
      "%ignore COMMENT\n"
      "%ignore /[ \\t]+/\n"
      "%ignore \"\\f\"\n"
      "%poison BAD_NUMBER\n"
      "%soft \"match\"\n"
      "%delimited STRING COMMENT\n"
      "%emit COMMENT never\n"
      "%emit NAME /[a-z]+/\n"
      "%spell NAME \"x\"\n"
      "%levels since_2\n"
      "%describe NAME \"a name\"\n"
      "%layout newline=NEWLINE indent=INDENT dedent=DEDENT brackets=\"()\"\n");
  // Priority first, then literals, then the order of definition.
  EXPECT_EQ(
      Names(grammar),
      "STRING MATCH LPAR RPAR COMMA U000C NAME NEWLINE COMMENT BAD_NUMBER INDENT DEDENT ANONYMOUS");
  EXPECT_EQ(grammar.path, "g.lark");
  EXPECT_EQ(grammar.predicates, (std::vector<std::string>{"given", "since_2"}));
  EXPECT_EQ(grammar.SymbolName(grammar.start), "file");
  EXPECT_FALSE(grammar.start_nullable);

  const Terminal& string = *Find(grammar, "STRING");
  EXPECT_EQ(string.priority, 2);
  EXPECT_FALSE(string.literal);
  EXPECT_TRUE(string.delimited);
  EXPECT_TRUE(string.emitted);
  const Terminal& match = *Find(grammar, "MATCH");
  EXPECT_TRUE(match.literal);
  EXPECT_TRUE(match.soft);
  EXPECT_EQ(match.kind, TerminalKind::kParsed);
  const Terminal& name = *Find(grammar, "NAME");
  EXPECT_EQ(name.pattern + "/" + name.pattern_flags, "[a-z]+/i");
  EXPECT_EQ(name.emit_pattern + "/" + name.emit_flags, "[a-z]+/");
  EXPECT_EQ(name.spelling, "x");
  EXPECT_EQ(name.description, "a name");
  EXPECT_FALSE(name.soft);
  const Terminal& comment = *Find(grammar, "COMMENT");
  EXPECT_EQ(comment.kind, TerminalKind::kIgnored);
  EXPECT_FALSE(comment.emitted);
  EXPECT_TRUE(comment.delimited);
  EXPECT_EQ(Find(grammar, "ANONYMOUS")->kind, TerminalKind::kIgnored);
  EXPECT_EQ(Find(grammar, "U000C")->kind, TerminalKind::kIgnored);
  EXPECT_EQ(Find(grammar, "BAD_NUMBER")->kind, TerminalKind::kPoison);
  EXPECT_EQ(Find(grammar, "INDENT")->kind, TerminalKind::kDeclared);
  EXPECT_EQ(Find(grammar, "INDENT")->pattern, "");

  ASSERT_TRUE(grammar.layout.has_value());
  EXPECT_EQ(NameOf(grammar, grammar.layout->newline), "NEWLINE");
  EXPECT_EQ(NameOf(grammar, grammar.layout->indent.value()), "INDENT");
  EXPECT_EQ(NameOf(grammar, grammar.layout->dedent.value()), "DEDENT");
  ASSERT_EQ(grammar.layout->brackets.size(), 1u);
  EXPECT_EQ(NameOf(grammar, grammar.layout->brackets[0].first), "LPAR");
  EXPECT_EQ(NameOf(grammar, grammar.layout->brackets[0].second), "RPAR");
  EXPECT_EQ(grammar.Dump(),
            "start: file\n"
            "file -> __plus_1\n"
            "stmt -> MATCH NAME\n"
            "stmt -> LPAR NAME RPAR\n"
            "stmt -> LPAR RPAR\n"
            "stmt -> NAME#since_2\n"
            "stmt -> STRING#given COMMA#given STRING\n"
            "__plus_1 -> stmt NEWLINE INDENT stmt DEDENT\n"
            "__plus_1 -> __plus_1 stmt NEWLINE INDENT stmt DEDENT\n");
}

TEST(GrammarReader, ImportsWhatLarksLibraryHas) {
  struct Import {
    std::string_view name, matches, does_not;
  };
  const Import imports[] = {{"ESCAPED_STRING", R"("a\\\"b")", R"("a\")"},
                            {"NUMBER", "1.5e-3", "-1"},
                            {"SIGNED_NUMBER", "-.5", "-"},
                            {"FLOAT", "1e9", "19"},
                            {"SIGNED_FLOAT", "+1.", "+1"},
                            {"DECIMAL", "1.", "1.5e1"},
                            {"SIGNED_INT", "-12", "1.2"},
                            {"INT", "012", ""},
                            {"CNAME", "_a9", "9a"},
                            {"WORD", "aZ", "a1"},
                            {"C_COMMENT", "/* a **/", "/* a */ */"},
                            {"CPP_COMMENT", "// x", "/ x"},
                            {"SH_COMMENT", "# x", "# x\n"},
                            {"SQL_COMMENT", "-- x", "- x"},
                            {"NEWLINE", "\r\n\n", "\r"},
                            {"WS", " \t\f\r\n", "x"},
                            {"WS_INLINE", " \t", "\n"},
                            {"CR", "\r", "\n"},
                            {"LF", "\n", "\r"},
                            {"DIGIT", "7", "77"},
                            {"HEXDIGIT", "F", "G"},
                            {"LETTER", "q", "1"},
                            {"LCASE_LETTER", "q", "Q"},
                            {"UCASE_LETTER", "Q", "q"}};
  for (const Import& import : imports) {
    const std::string name(import.name);
    const Grammar grammar = Read("%import common." + name + " -> X\nstart: X\n");
    ASSERT_NE(Find(grammar, "X"), nullptr) << name;
    EXPECT_TRUE(Matches(*Find(grammar, "X"), import.matches)) << name;
    EXPECT_FALSE(Matches(*Find(grammar, "X"), import.does_not)) << name;
  }
  const Grammar grammar = Read("%import common (INT, WS)\n%ignore WS\nstart: INT\n");
  EXPECT_EQ(Names(grammar), "INT WS");
}

TEST(GrammarReader, TakesNoNoticeOfARulesPriority) {
  EXPECT_EQ(Read("start.3: A\nA.2: \"a\"\n").rules.size(),
            Read("start: A\nA.2: \"a\"\n").rules.size());
}

TEST(GrammarReader, LayoutMayCountLinesOnly) {
  const Grammar grammar = Read("start: (\"a\" NL)+\nNL: /\\n/\n%layout newline=NL\n");
  ASSERT_TRUE(grammar.layout.has_value());
  EXPECT_FALSE(grammar.layout->indent.has_value());
  EXPECT_TRUE(grammar.layout->brackets.empty());
}

TEST(GrammarReader, OrdersTerminalsByPriorityThenLiteralThenDefinition) {
  EXPECT_EQ(
      Names(Read("start: A B C D \"e\" /f/ \"g\"\nA: /a/\nB: \"b\"\nC.5: /c/\nD.-1: \"d\"\n")),
      "C B E G A ANONYMOUS D");
}

TEST(GrammarReader, TakesALiteralInARuleForTheTerminalThatIsDefinedAsIt) {
  const Grammar grammar =
      Read("start: \"and\" \"or\" \"and\"i /[0-9]+/\nWORD_AND: \"and\"\nNUMBER: /[0-9]+/\n");
  EXPECT_EQ(grammar.Dump(), "start: start\nstart -> WORD_AND OR AND NUMBER\n");
  EXPECT_TRUE(Matches(*Find(grammar, "AND"), "aNd"));
  EXPECT_FALSE(Matches(*Find(grammar, "WORD_AND"), "aNd"));
}

TEST(GrammarReader, GivesAnonymousTerminalsNamesOfTheirOwn) {
  // IF is taken by a name, and the case-insensitive literal is another terminal.
  const Grammar grammar = Read("start: \"if\" \"if\"i IF \"->\" \"_\" \"0x\"\nIF: /i+f/\n");
  EXPECT_EQ(grammar.Dump(),
            "start: start\nstart -> IF_1 IF_2 IF MINUS_MORETHAN UNDERSCORE LITERAL_0X\n");
}

struct PatternCase {
  std::string_view definitions, text;
  bool matches;
};

void PrintTo(const PatternCase& c, std::ostream* out) { *out << c.definitions << " on " << c.text; }

class TerminalPattern : public testing::TestWithParam<PatternCase> {};

TEST_P(TerminalPattern, IsComposedOfItsParts) {
  const Grammar grammar = Read("start: A\n" + std::string(GetParam().definitions));
  ASSERT_NE(Find(grammar, "A"), nullptr);
  EXPECT_EQ(Matches(*Find(grammar, "A"), GetParam().text), GetParam().matches)
      << Find(grammar, "A")->pattern;
  EXPECT_EQ(grammar.terminals.size(), 1u) << "parts are not tokens";
}

INSTANTIATE_TEST_SUITE_P(
    Table, TerminalPattern,
    testing::Values(
        PatternCase{"A: \"a.\"\n", "a.", true}, PatternCase{"A: \"a.\"\n", "ab", false},
        PatternCase{"A: \"ab\"i\n", "aB", true}, PatternCase{"A: \"k\"i\n", "\u212a", false},
        PatternCase{"A: \"a\"i \"b\"\n", "Ab", true}, PatternCase{"A: \"a\"i \"b\"\n", "AB", false},
        PatternCase{"A: /a/i \"b\"\n", "Ab", true}, PatternCase{"A: /a/i \"b\"\n", "aB", false},
        PatternCase{"A: /(?i)a/ \"b\"\n", "Ab", true},
        PatternCase{"A: /(?i)a/ \"b\"\n", "AB", false}, PatternCase{"A: /(?i)ab/\n", "AB", true},
        PatternCase{"A: /a # x/x \"b\"\n", "ab", true}, PatternCase{"A: /./s \"b\"\n", "\nb", true},
        PatternCase{"A: /a|b/ \"c\"\n", "bc", true}, PatternCase{"A: /a|b/ \"c\"\n", "a", false},
        PatternCase{"A: \"ab\"+\n", "abab", true}, PatternCase{"A: \"ab\"+\n", "abb", false},
        PatternCase{"A: \"a\" [\"b\"] \"c\"?\n", "ac", true},
        PatternCase{"A: (\"a\" | \"b\" \"c\")~2\n", "abc", true},
        PatternCase{"A: (\"a\" | \"b\" \"c\")~2\n", "bc", false},
        PatternCase{"A: \"a\"~2..3\n", "aaa", true}, PatternCase{"A: \"a\"~2..3\n", "aaaa", false},
        PatternCase{"A: \"a\"..\"f\"\n", "c", true}, PatternCase{"A: \"a\"..\"f\"\n", "g", false},
        PatternCase{"A: \"\\u00e9\"..\"\\U0001f600\"\n", "\xe2\x82\xac", true},
        PatternCase{"A: B* \"x\"\nB: \"0\"..\"9\" | C\nC: \"_\"i\n", "1_2x", true},
        PatternCase{"A: B\nB: \"+\"\n", "+", true},
        PatternCase{"A: \"x\" | B\n  | C\nB: /b|c/\nC: \"d\"\n", "d", true},
        PatternCase{"A: \"\\t\\n\\\\\\\"\\x41\\/\"\n", "\t\n\\\"A/", true},
        PatternCase{"A: /\\/[^\\/]*\\//\n", "/x/", true},
        // Groups are those of the part that names them; a lazy repetition ends where what follows
        // its part ends.
        PatternCase{"A: /(a|b)/ /(c|d)\\1/ \"-\" B\nB: /(a|b)(c|d)\\2\\1/\n", "acc-bddb", true},
        PatternCase{"A: /(a|b)/ /(c|d)\\1/ \"-\" B\nB: /(a|b)(c|d)\\2\\1/\n", "aca-bddb", false},
        PatternCase{"A: \"/*\" /(.|\\n)*?/ \"*/\"\n", "/*\n*a/*/", true},
        PatternCase{"A: \"/*\" /(.|\\n)*?/ \"*/\"\n", "/**/*/", false},
        PatternCase{"A: \"r\" B\nB: /(#{0,3})<.*?>\\1/s\n", "r#<>a>#", true},
        PatternCase{"A: \"r\" B\nB: /(#{0,3})<.*?>\\1/s\n", "r#<>#>#", false}));

TEST(GrammarReader, WhatIsLeftUnfinishedIsPoison) {
  const Grammar grammar = Read("start: A\nA: /(#{0,1})<.*?>\\1/s\n%unfinished A /#*</\n");
  const Terminal* unfinished = Find(grammar, "A_UNFINISHED");
  ASSERT_NE(unfinished, nullptr);
  EXPECT_EQ(unfinished->kind, TerminalKind::kPoison);
  EXPECT_TRUE(Matches(*unfinished, "#<a>"));
  EXPECT_TRUE(Matches(*unfinished, "<"));
  for (const std::string_view text : {"#", "#<>#", "<>", "#<>#a", "##<"})
    EXPECT_FALSE(Matches(*unfinished, text)) << text;
}

TEST(GrammarReader, WhatRunsOnBelongsToNoLazyRepetition) {
  const Grammar grammar =
      Read("start: A B\nA: /(#{0,1})<.*?>\\1/\nB: /[a-z]/\n%not_before A /(b)\\1/\n");
  const Terminal* run_on = Find(grammar, "A_RUN_ON");
  ASSERT_NE(run_on, nullptr);
  EXPECT_TRUE(Matches(*run_on, "#<a>#bb"));
  EXPECT_FALSE(Matches(*run_on, "#<a>#<>#bb"));
  EXPECT_FALSE(Matches(*run_on, "<a>#bb"));
}

TEST(GrammarReader, ReadsWhatStandsInForBrokenText) {
  const Grammar grammar = Read(
      "start: \"a\"\n"
      "%region module\n"
      "%region block in function_definition lambda has \"async\" before \"async def f():\\n\"\n"
      "%region list before \"[\" after \"]\" filler \"0\"\n");
  ASSERT_EQ(grammar.regions.size(), 3u);
  EXPECT_EQ(grammar.regions[0].node, "module");
  EXPECT_EQ(grammar.regions[0].before, "");
  const Region& block = grammar.regions[1];
  EXPECT_EQ(block.parents, (std::vector<std::string>{"function_definition", "lambda"}));
  EXPECT_EQ(block.token, "async");
  EXPECT_EQ(block.before, "async def f():\n");
  EXPECT_EQ(grammar.regions[2].after, "]");
  EXPECT_EQ(grammar.regions[2].filler, "0");
}

TEST(GrammarReader, ReadsLineEndsWithCarriageReturnAndAByteOrderMark) {
  EXPECT_EQ(Read("\xef\xbb\xbfstart: \"a\"\r\n  | \"b\"\r\n\r\n%ignore \" \"\r\n").Dump(),
            "start: start\nstart -> A\nstart -> B\n");
}

TEST(GrammarReader, LetsALineBreakInsideParentheses) {
  EXPECT_EQ(Read("start: (\n  \"a\" // one\n  \"b\"\n)").Dump(), "start: start\nstart -> A B\n");
}

TEST(GrammarReader, NeverCrashesOnCutOrDamagedText) {
  const std::string text =
      "%start file\nfile: (stmt NL IN stmt DE)+ | \"a\"~2..3 -> x\nstmt: \"m\" [A] | A#p "
      "\",\"#given\nA.2: /[a-z]+(?i:x)/i \"q\"..\"z\" B\n"
      "B: (\"b\"i | C)*\nC: \"\\u00e9\"\nNL: /\\n/\n%declare IN DE\n%ignore /[ \\t]/\n%soft "
      "\"m\"\n%emit NL /\\n/\n%layout newline=NL indent=IN dedent=DE\n%levels p\n";
  ASSERT_TRUE(ReadGrammar(text, "g.lark").has_value())
      << ReadGrammar(text, "g.lark").error().ToString();
  int refused = 0;
  const auto read = [&](const std::string& damaged) {
    const auto grammar = ReadGrammar(damaged, "g.lark");
    if (grammar) return;
    ++refused;
    EXPECT_FALSE(grammar.error().message.empty());
  };
  for (size_t length = 0; length < text.size(); ++length) read(text.substr(0, length));
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (size_t n = 1 + random() % 3; n > 0; --n) {
      const size_t at = random() % damaged.size();
      if (random() % 2 == 0)
        damaged.erase(at, 1 + random() % 4);
      else
        damaged[at] = static_cast<char>(random());
    }
    read(damaged);
  }
  EXPECT_GT(refused, 1000);
}

TEST(GrammarReader, RefusesDeepNestingAndPatternsThatDouble) {
  const auto deep = ReadGrammar("start: " + std::string(100000, '(') + "\n", "g.lark");
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().code, GrammarErrorCode::kTooLarge);
  std::string doubling = "start: A\nA: \"a\"\n";
  std::string name = "A";
  for (int i = 0; i < 40; ++i) {
    doubling += name + "A: " + name + " " + name + "\n";
    name += "A";
  }
  const auto doubled = ReadGrammar(doubling, "g.lark");
  ASSERT_FALSE(doubled.has_value());
  EXPECT_EQ(doubled.error().code, GrammarErrorCode::kTooLarge) << doubled.error().ToString();
}

}  // namespace
}  // namespace tenon::constraint
