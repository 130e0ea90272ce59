#include "constraint/lex/lexeme_reach.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {
namespace {

// Guards (a..b), a lexeme behind which not everything may follow (a line comment), and one that is
// only separable behind others.
const char* const kGrammar = R"lark(
start: (AB | A | DOT | B | NL)*
AB: /a\.\.b/
A: /a/
DOT: /\./
B: /b/
NL: /\n/
COMMENT: /#[\x00-\x09\x0b-\x7f]*/
WS: / +/
%ignore WS
%ignore COMMENT
)lark";

struct Found {
  std::set<LexemeReach::Sequence> ended;
  std::map<LexemeReach::Sequence, std::set<std::pair<DfaStateId, Guards>>> states;
  bool operator==(const Found&) const = default;
};

// Every text of at most `bytes` more bytes, byte by byte.
void Try(const Lexer& lexer, const LexemeReach::Sequence& before, DfaStateId q,
         const Guards& guards, int bytes, Found& found) {
  LexemeId here = q == kStartState ? kNoLexeme : lexer.LexemeAt(q);
  bool ends = here != kNoLexeme && lexer.lexeme(here).kind != TerminalKind::kPoison;
  bool separable = ends && lexer.IsSeparable(q, guards, false);
  found.states[before].emplace(q, guards);
  if (separable) {
    LexemeReach::Sequence whole = before;
    whole.push_back(here);
    found.ended.insert(whole);
  }
  if (bytes == 0) return;
  Lexer::Steps steps;
  for (char c : {'a', '.', 'b', '\n', '#', ' ', 'x'}) {
    int n = lexer.Advance(q, guards, static_cast<uint8_t>(c), false, steps);
    const Lexer::Steps taken = steps;
    for (int i = 0; i < n; ++i) {
      LexemeReach::Sequence after = before;
      if (taken[i].ended != kNoLexeme) {
        if (separable || before.size() == kMaxUnseparated) continue;
        after.push_back(taken[i].ended);
      }
      Try(lexer, after, taken[i].q, taken[i].guards, bytes - 1, found);
    }
  }
}

Found ByReach(const LexemeReach& reach, DfaStateId q, const Guards& guards) {
  Found found;
  found.states[{}].emplace(q, guards);
  found.ended.insert(reach.ended.begin(), reach.ended.end());
  for (const LexemeReach::Group& group : reach.groups) {
    for (DfaStateId state : reach.state_sets[group.states]) {
      EXPECT_TRUE(found.states[group.before].emplace(state, Guards{}).second) << "named twice";
    }
    for (const auto& at : group.guarded) {
      EXPECT_TRUE(found.states[group.before].insert(at).second) << "named twice";
    }
  }
  return found;
}

TEST(LexemeReach, IsWhatTextsLeadTo) {
  auto grammar = ReadGrammar(kGrammar, "reach.lark");
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  auto lexer = Lexer::Build(*grammar);
  ASSERT_TRUE(lexer) << lexer.error().ToString();
  std::vector<std::pair<DfaStateId, Guards>> asked;
  for (uint16_t s = 1; s < lexer->state_count(); ++s) asked.emplace_back(DfaStateId{s}, Guards{});
  Lexer::Steps steps;
  ASSERT_EQ(lexer->Advance(lexer->Next(kStartState, 'a'), {}, '.', false, steps), 2);
  ASSERT_FALSE(steps[1].guards.empty());
  asked.emplace_back(steps[1].q, steps[1].guards);
  size_t longest = 0;
  for (const auto& [q, guards] : asked) {
    Found expected;
    Try(*lexer, {}, q, guards, 7, expected);
    EXPECT_EQ(ByReach(FindLexemeReach(*lexer, q, guards, false), q, guards), expected)
        << "state " << q.value;
    for (const LexemeReach::Sequence& sequence : expected.ended)
      longest = std::max(longest, sequence.size());
  }
  EXPECT_EQ(longest, 2u);  // a comment and its line end
}

TEST(LexemeReaches, FindsEachOnceAndSharesItAmongThreads) {
  auto grammar = ReadGrammar(kGrammar, "reach.lark");
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  auto lexer = Lexer::Build(*grammar);
  ASSERT_TRUE(lexer) << lexer.error().ToString();
  const LexemeReaches reaches(*lexer);
  const DfaStateId comment = lexer->Next(kStartState, '#');
  std::array<std::shared_ptr<const LexemeReach>, 2> found;
  std::thread other([&] { found[1] = reaches.Of(comment, {}, true); });
  found[0] = reaches.Of(comment, {}, true);
  other.join();
  EXPECT_EQ(found[0]->ended, found[1]->ended);
  EXPECT_EQ(reaches.Of(comment, {}, true), reaches.Of(comment, {}, true));
  EXPECT_NE(reaches.Of(comment, {}, true), reaches.Of(comment, {}, false));
}

}  // namespace
}  // namespace tenon::constraint
