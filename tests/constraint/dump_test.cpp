// Each stage shown as text, on grammars small enough to be read: golden files in tests/data/dumps.
//
// `dump_test --update` writes them anew; look at the difference before it is committed.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "constraint/closing/explanation.h"
#include "constraint/closing/plan_dump.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/gap/gap_dump.h"
#include "constraint/gap/right_side.h"
#include "constraint/gap/shared_gap.h"
#include "constraint/language/language.h"
#include "constraint/lex/lexer_dump.h"
#include "constraint/mask/store_dump.h"
#include "constraint/right/right_dump.h"
#include "tests/source_path.h"

namespace tenon::constraint {
namespace {

bool update_golden_files = false;

std::string PathOf(const std::string& name) { return SourcePath("tests/data/dumps/") + name; }

std::string ReadText(const std::string& name) {
  std::ifstream in(PathOf(name), std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void Compare(const std::string& name, const std::string& dump) {
  if (update_golden_files) {
    std::ofstream(PathOf(name), std::ios::binary) << dump;
    return;
  }
  EXPECT_EQ(ReadText(name), dump) << PathOf(name)
                                  << "\nrun dump_test --update and look at the difference";
}

std::shared_ptr<const Language> LanguageOf(const std::string& name) {
  auto compiled = Language::Compile(ReadText(name), name);
  EXPECT_TRUE(compiled) << compiled.error().ToString();
  return *compiled;
}

// Between two arguments of a call, where one is missing: `f(a, |, b)`.
GapState TinyGap(GapPolicy policy = {}) {
  return OpenGap(LanguageOf("tiny.lark"), "f(a, ", ", b)", std::move(policy));
}

TEST(LexerDump, ShowsLexemesStatesAndEdges) {
  const auto language = LanguageOf("tiny.lark");
  Compare("tiny_lexer.txt", Dump(language->lexer, language->grammar));
}

TEST(TableDump, ShowsTheItemsOfEachState) {
  const auto language = LanguageOf("tiny.lark");
  Compare("tiny_table.txt", language->table.Dump(language->grammar));
}

TEST(RightDump, ShowsEveryStartAndTheWaysOn) {
  RightContext right(LanguageOf("tiny.lark"), "bc, \"d\")", true, 0);
  Compare("tiny_right.txt", Dump(right));
}

TEST(RightDump, NamesNodesAlikeWhateverWasAskedBefore) {
  RightContext asked(LanguageOf("tiny.lark"), "b)", true, 0),
      fresh(LanguageOf("tiny.lark"), "b)", true, 100);
  ASSERT_NE(asked.Prepare(false, 0, kPackAbove, std::stop_token()), nullptr);
  EXPECT_EQ(Dump(asked), Dump(fresh));
}

TEST(DemandDump, ShowsWhatMayLieAboveTheGap) {
  const GapState gap = TinyGap();
  Compare("tiny_demand.txt", Dump(gap.shared()->graph(), gap.shared()->language().grammar));
}

TEST(ClassesDump, ShowsWhatEachNodeOfTheStackMeans) {
  Compare("tiny_classes.txt", Dump(TinyGap()));
}

TEST(PlanDump, ShowsPlansFromTheCheapest) {
  const GapState gap = TinyGap();
  Closer closer(gap);
  Compare("tiny_plan.txt", Dump(closer, gap));
}

TEST(StoreDump, ShowsPiecesSequencesAndSets) {
  const std::vector<std::string> tokens{"a", "b",  "ab", "(",     ")",   "()",  "(a", ",",
                                        " ", " a", "\"", "\"a\"", "a\"", "\")", "\n", ""};
  const auto vocabulary = std::make_shared<const TokenVocabulary>(tokens);
  Compare("tiny_store.txt", Dump(*MaskStore::Build(LanguageOf("tiny.lark"), vocabulary)));
}

struct ExplainCase {
  const char *grammar, *left, *right;
};

TEST(Explanation, ShowsHowBothSidesAreReadAndWhatTheGapOwes) {
  constexpr ExplainCase kCases[] = {
      {"tiny.lark", "f(a, ", "b)"},           // between two lexemes
      {"tiny.lark", "foo(\"x\", ba", "r)"},   // in a name
      {"tiny.lark", "f(g(\n  \"ab", "c\")"},  // in a string, with a bracket that R does not close
      {"tiny.lark", "f(a", ""},               // nothing on the right
      {"tiny.lark", "f(a))", ""},             // L is no beginning
      {"tiny.lark", "f(", ",,)"},             // R is no end
      {"tiny.lark", "", ""},                  // nothing at all
      {"blocks.lark", "if a:\n    b = [c,\n  ", "d]\n"},
      {"blocks.lark", "if a:\n  if b:\n    c = d\n", "  e = f\n"},
      {"blocks.lark", "a = b\n", "    c = d\n"},  // no block has this column
  };
  std::string out;
  for (const ExplainCase& c : kCases) {
    out += fmt::format("== {}: {} | {}\n", c.grammar, ShownBytes(c.left), ShownBytes(c.right));
    out += ToText(ExplainGap(LanguageOf(c.grammar), c.left, c.right)) + "\n";
  }
  Compare("explain.txt", out);
}

TEST(Explanation, CountsLinesAsMessagesDo) {
  const auto language = Language::Compile(
      "start: NAME \"(\" [start] \")\"\nNAME: /[a-zé]+/\nBLANK: /[ \\r\\n]+/\n%ignore BLANK\n",
      "calls.lark");
  ASSERT_TRUE(language) << language.error().ToString();
  const GapExplanation explained = ExplainGap(*language, "f(\rg(\r\n\n éh(", ")))");
  std::vector<std::pair<size_t, size_t>> places;
  for (const OpenBracket& bracket : explained.brackets)
    places.emplace_back(bracket.place.line, bracket.place.column);
  EXPECT_EQ(places, (std::vector<std::pair<size_t, size_t>>{{1, 2}, {2, 2}, {4, 4}}));
}

TEST(ShownBytes, EscapesWhatWouldNotBeSeen) {
  EXPECT_EQ(ShownBytes("a\n\t`\\\x01\xc3"), "`a\\n\\t\\`\\\\\\x01\\xc3`");
  EXPECT_EQ(ShownBeginning("0123456789abcdef"), "`0123456789abcdef`");
  EXPECT_EQ(ShownBeginning("0123456789abcdefg"), "`0123456789abcdef`…");
}

}  // namespace
}  // namespace tenon::constraint

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--update") tenon::constraint::update_golden_files = true;
  }
  return RUN_ALL_TESTS();
}
