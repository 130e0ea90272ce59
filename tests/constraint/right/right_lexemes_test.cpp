// Where modes end in the right context, against all readings one by one.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/language/language.h"
#include "constraint/right/right_lexemes.h"

namespace tenon::constraint {
namespace {

// `/` divides after a value, and begins a pattern where none is; braces nest.
constexpr const char* kPatternsAndBraces = R"lark(
start: (value ";")*
value: operand | value "/" operand
operand: "a" | "w" [pattern] | "{" value "}"
pattern: BEGIN TEXT? END
BEGIN: /\//
TEXT: /[aw;{}]+/
END: /\//
%ignore / +/
%apart BEGIN against "/"
%mode pattern TEXT END
%mode braces default
%push BEGIN pattern
%pop END
%push "{" braces
%pop "}"
%delimited BEGIN
)lark";

std::shared_ptr<const Language> Compiled() {
  auto language = Language::Compile(kPatternsAndBraces, "patterns.lark");
  EXPECT_TRUE(language) << language.error().ToString();
  return language ? *language : nullptr;
}

// Every offset after a lexeme that pops `mode`, in any reading from `at`; of the default mode the
// end of the text.
std::set<uint32_t> EndsOneByOne(const Lexer& lexer, RightLexemes& lexemes, size_t at, ModeId mode) {
  std::set<uint32_t> ends;
  if (at == lexemes.text().size()) {
    if (mode == ModeId{}) ends.insert(static_cast<uint32_t>(at));
    return ends;
  }
  const auto add = [&](size_t from, ModeId in) {
    ends.merge(EndsOneByOne(lexer, lexemes, from, in));
  };
  const DfaStateId start = lexer.StartOf(mode);
  for (const Lexer::Match& match : {lexemes.At(at, start), lexemes.Apart(at, start)}) {
    if (match.lexeme == kNoLexeme) continue;
    const ModeAction action = lexer.lexeme(match.lexeme).action;
    if (action.kind == ModeAction::Kind::kNone) add(match.end, mode);
    if (action.kind == ModeAction::Kind::kSwitch) add(match.end, action.mode);
    if (action.kind == ModeAction::Kind::kPop && mode != ModeId{})
      ends.insert(static_cast<uint32_t>(match.end));
    if (action.kind == ModeAction::Kind::kPush) {
      for (const uint32_t end : EndsOneByOne(lexer, lexemes, match.end, action.mode))
        add(end, mode);
    }
  }
  return ends;
}

TEST(RightLexemes, KnowsTheEndsOfEveryReading) {
  const auto language = Compiled();
  ASSERT_TRUE(language);
  const Lexer& lexer = language->lexer;
  size_t several = 0;
  std::vector<std::string> texts{""};
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string text = texts[i];
    RightLexemes lexemes(lexer, *language->lexeme_rules, text);
    for (size_t at = 0; at <= text.size(); ++at) {
      for (uint8_t m = 0; m < lexer.mode_count(); ++m) {
        const auto expected = EndsOneByOne(lexer, lexemes, at, ModeId{m});
        const RightLexemes::EndList& ends = lexemes.EndsOf(at, ModeId{m});
        ASSERT_TRUE(ends);
        ASSERT_EQ(std::set<uint32_t>(ends->begin(), ends->end()), expected)
            << text << " from " << at << " in mode " << int{m};
        several += expected.size() > 1;
      }
    }
    if (text.size() == 6) continue;
    for (const char letter : std::string("w/;{}")) texts.push_back(text + letter);
  }
  EXPECT_GT(several, 300u);
}

// A long text has one list for each bracket, and not one for each lexeme.
TEST(RightLexemes, SharesTheEndsOfAModeAmongItsOffsets) {
  const auto language = Compiled();
  ASSERT_TRUE(language);
  RightLexemes lexemes(language->lexer, *language->lexeme_rules, "a;{a};a;");
  const auto* ends = &lexemes.EndsOf(0, ModeId{});
  ASSERT_TRUE(*ends);
  EXPECT_EQ(**ends, std::vector<uint32_t>{8});
  for (const size_t at : {1, 2, 5, 6, 7, 8}) EXPECT_EQ(&lexemes.EndsOf(at, ModeId{}), ends) << at;
}

// Somebody types at the beginning of a right context all day.
TEST(RightLexemes, KeepsNoListsOfTextsThatAreGone) {
  const auto language = Compiled();
  ASSERT_TRUE(language);
  const std::string rest = "a;{a};a;";
  RightLexemes lexemes(language->lexer, *language->lexeme_rules, rest, 16);
  size_t most = 0;
  for (int key = 0; key < 1000; ++key) {
    const std::string text = (key % 2 == 0 ? "{w/}/};" : "{a};") + rest;
    ASSERT_TRUE(lexemes.Reread(text));
    const size_t at = lexemes.text().size() - text.size();
    for (size_t i = at; i <= lexemes.text().size(); ++i) (void)lexemes.EndsOf(i, ModeId{});
    if (key == 100) most = lexemes.memory_bytes();
    if (key <= 100) continue;
    ASSERT_LE(lexemes.memory_bytes(), most + 1000) << key;
  }
}

}  // namespace
}  // namespace tenon::constraint
