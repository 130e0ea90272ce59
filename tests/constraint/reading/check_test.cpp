// What `check` says about a text, and the two halves of a right context: its automaton and its
// demand graph.
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "constraint/language/language.h"
#include "constraint/language/yields.h"
#include "constraint/reading/branch.h"
#include "constraint/reading/check.h"
#include "constraint/right/demand_graph.h"
#include "constraint/right/right_automaton.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const Language> Compile(const std::string& text) {
  auto compiled = Language::Compile(text, "check.lark");
  if (!compiled) throw std::runtime_error(compiled.error().ToString());
  return *compiled;
}

const char* const kAssignments = R"lark(
start: (NAME "=" value NEWLINE | "if" NAME ":" NEWLINE INDENT start DEDENT)*
value: NUMBER | "(" value ")"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
BAD: /[0-9]+[a-z]+/
NEWLINE: /\n/
BLANKS: / +/
%ignore BLANKS
%poison BAD
%declare INDENT DEDENT
%describe NUMBER "a number"
%layout newline=NEWLINE indent=INDENT dedent=DEDENT brackets="()"
)lark";

class CheckTest : public testing::Test {
 protected:
  CheckResult Read(const std::string& text) const {
    return Check(*language_, text, Strength::kAccept);
  }
  void ExpectError(const std::string& text, size_t offset, const std::string& part) const {
    CheckResult result = Read(text);
    EXPECT_FALSE(result.valid) << text;
    EXPECT_EQ(result.offset_bytes, offset) << text;
    EXPECT_NE(result.message.find(part), std::string::npos) << text << ": " << result.message;
  }
  std::shared_ptr<const Language> language_ = Compile(kAssignments);
};

TEST_F(CheckTest, SaysNothingAboutAValidText) {
  CheckResult result = Read("a = 1\nif a:\n  b = (\n2)\n");
  EXPECT_TRUE(result.valid);
  EXPECT_EQ(result.message, "");
  EXPECT_TRUE(Read("").valid);
}

TEST_F(CheckTest, NamesWhatWasFoundAndWhatCouldStandThere) {
  ExpectError("a = b\n", 4, "the name 'b' cannot stand here; expected a number or '('");
  ExpectError("a = ?", 4, "'?' cannot stand here; expected a number or '('");
  ExpectError("a = 1 2\n", 6, "the number '2' cannot stand here; expected a newline");
  ExpectError("if if:\n", 3, "the keyword 'if' cannot be used as a name; expected a name");
}

TEST_F(CheckTest, NamesMalformedLexemesAtWhatSpoilsThem) {
  ExpectError("a = 12ab\n", 6, "'a' cannot follow the number '12'");
}

TEST_F(CheckTest, NamesBracketsWithTheirPlace) {
  ExpectError("a = (1", 6, "the file ends before '(' of line 1, column 5 is closed; expected ')'");
  ExpectError("a = 1)\n", 5, "')' closes nothing: no bracket is open");
  ExpectError(
      "a = (1\nb = 2\n", 7,
      "the name 'b' cannot stand here; expected ')'; '(' of line 1, column 5 is still open");
}

TEST_F(CheckTest, NamesTheColumnsThatALineMayHave) {
  ExpectError("if a:\n    b = 1\n  c = 1\n", 18,
              "line 3 is indented to column 2; open blocks are at columns 0 and 4");
  ExpectError("if a:\nb = 1\n", 6,
              "expected an indented block behind line 1; line 2 is indented to column 0");
  ExpectError("a = 1\n  b = 1\n", 8,
              "line 2 is indented to column 2; the open block is at column 0");
  ExpectError("if a:", 5, "the file ends too early; expected a newline");
}

TEST_F(CheckTest, ReadsBytesThatAreNotUtf8WithoutHarm) {
  ExpectError("a = \xff\xfe", 4, "the byte 0xff cannot stand here");
}

// S -> x A | x B y; A -> - A | n; B -> n, with the right context y: only the alternative that ends
// in y is left.
TEST(DemandGraph, HoldsWhatTheRightContextAsksFor) {
  auto language = Compile(
      "start: X a | X b Y\na: MINUS a | N\nb: N\nX: \"x\"\nY: \"y\"\nN: \"n\"\nMINUS: \"-\"\nWS: / "
      "/\n%ignore WS\n");
  LayoutRules layout(language->grammar);
  RightLexemes lexemes(language->lexer, *language->lexeme_rules, "y");
  RightAutomaton automaton(language->grammar, language->lexer, layout, lexemes, {.emit = false});
  Yields yields(language->grammar, language->lexer, layout, false, false);
  GrammarIndex index(language->grammar, language->table);
  ConstructParsers constructs(index);
  RightSpine spine(index, automaton, constructs, kAnyLevel, kPackAbove);
  DemandGraph graph = *DemandGraph::Build(index, automaton, yields, spine, false, {});
  // Every root is the start rule; below it only the alternative that ends in y.
  std::set<std::string> wanted;
  for (DemandNodeId root : graph.roots()) {
    EXPECT_EQ(graph.node(root).rule, index.augmented());
    for (DemandNodeId child : graph.children(root)) {
      const Rule& rule = language->grammar.rules[graph.node(child).rule.value];
      EXPECT_EQ(language->grammar.SymbolName(rule.body.back()), "Y");
      wanted.insert(language->grammar.SymbolName(rule.head));
    }
  }
  EXPECT_EQ(wanted, std::set<std::string>{"start"});
}

TEST(RightLexemes, CountBracketsFromTheEnd) {
  auto language = Compile(kAssignments);
  RightLexemes lexemes(language->lexer, *language->lexeme_rules, "1) = 2\n");
  EXPECT_EQ(lexemes.DepthAt(0), 1u);
  EXPECT_EQ(lexemes.DepthAt(2), 0u);
  RightLexemes open(language->lexer, *language->lexeme_rules, "a = (1\n");
  EXPECT_EQ(open.DepthAt(0), std::nullopt) << "an opener is left over";
  EXPECT_EQ(open.DepthAt(5), 0u);
  RightLexemes bad(language->lexer, *language->lexeme_rules, "a = ?");
  EXPECT_EQ(bad.DepthAt(0), std::nullopt);
  EXPECT_EQ(bad.DepthAt(5), 0u);
}

TEST(RightAutomaton, HasAFinalNodeIffTheRightContextCanBeRead) {
  auto language = Compile(kAssignments);
  LayoutRules layout(language->grammar);
  for (const auto& [right, readable] : {std::pair<std::string, bool>{" = 1\n", true},
                                        {"", true},
                                        {"  b = 1\n c = 2\n", true},
                                        {"= ?", false},
                                        {"(", false}}) {
    RightLexemes lexemes(language->lexer, *language->lexeme_rules, right);
    RightAutomaton automaton(language->grammar, language->lexer, layout, lexemes, {.emit = true});
    bool final = false;
    for (uint32_t i = 0; i < automaton.size(); ++i) final |= automaton.is_final(RightNodeId{i});
    EXPECT_EQ(final, readable) << right;
  }
}

TEST(RightAutomaton, AnswersNothingBeyondItsLimitOfNodes) {
  auto language = Compile(kAssignments);
  LayoutRules layout(language->grammar);
  RightLexemes lexemes(language->lexer, *language->lexeme_rules, "a = 1\nb = 2\n");
  RightAutomaton automaton(language->grammar, language->lexer, layout, lexemes,
                           {.emit = false, .max_nodes = 3});
  for (uint32_t i = 0; i < automaton.size(); ++i) std::ignore = automaton.edges(RightNodeId{i});
  EXPECT_TRUE(automaton.truncated());
}

TEST(Language, RefusesEncodingsThatATableIsTooLargeFor) {
  auto compiled = Language::Compile(
      "start: \"a\"\n%encoding /#/ /(a{40}){40}/\n%charset \"UTF-8\" \"utf_8\"\n", "encoding.lark");
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, GrammarErrorCode::kTooLarge);
  EXPECT_NE(compiled.error().message.find("%encoding"), std::string::npos)
      << compiled.error().ToString();
}

TEST(Language, RefusesALayoutThatMakesWhatNoRuleUses) {
  auto compiled = Language::Compile(
      "start: A NL#given | A\nA: /a/\nNL: /\\n/\n%layout newline=NL brackets=\"\"\n", "lines.lark");
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, GrammarErrorCode::kMechanism);
  EXPECT_NE(compiled.error().message.find("NL"), std::string::npos) << compiled.error().ToString();
}

}  // namespace
}  // namespace tenon::constraint
