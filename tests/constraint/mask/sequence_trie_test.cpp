// What mask stores are built from: kinds of bytes, sets of tokens, and the trie of sequences
// against reading each token by itself.
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/language/language.h"
#include "constraint/mask/sequence_trie.h"
#include "constraint/mask/token_set.h"

namespace tenon::constraint {
namespace {

constexpr const char* kTexts = R"lark(
start: (NAME | STRING | SEMICOLON | RANGE | NUMBER)*
NAME: /\p{XID_Start}\p{XID_Continue}*/
STRING: /"[^"\n]*"/
SEMICOLON: /;/
RANGE: /\.\./
NUMBER: /[12]|[12]\.[12]/
COMMENT: /#[^\n]*/
BLANK: /[ \n]+/
%ignore COMMENT
%ignore BLANK
)lark";

struct Built {
  std::shared_ptr<const Language> language;
  TokenVocabulary vocabulary;
  LexemeSteps steps;
  ByteKinds kinds;

  explicit Built(const std::vector<std::string>& tokens)
      : language(*Language::Compile(kTexts, "texts.lark")),
        vocabulary(tokens),
        steps(language->lexer, *language->futures[false]),
        kinds(vocabulary, steps) {}
  DfaStateId StateBehind(std::string_view text) const {
    DfaStateId q = kStartState;
    for (char c : text) q = language->lexer.Next(q, static_cast<uint8_t>(c));
    return q;
  }
  // Do all tokens that go on behind the node of `path` stay in q by their kinds?
  bool Keeps(DfaStateId q, std::string_view path) const {
    for (uint32_t i = 0; i < vocabulary.node_count(); ++i) {
      const std::string_view first =
          vocabulary.Bytes(vocabulary.sorted()[vocabulary.nodes()[i].tokens]);
      if (first.substr(0, vocabulary.nodes()[i].depth) != path) continue;
      return (kinds.InSubtree(i) & ~kinds.Keeping(q)) == 0;
    }
    ADD_FAILURE() << path;
    return false;
  }
};

TEST(ByteKinds, KeepAStringForWholeLettersAlone) {
  const Built built({"ab", "aé", "aéx", "a語.", "b語", "b\xe8\xaa", "cé\"", "d\x80", "dé",
                     "e\xed\xa0\x80", "f\xc3x"});
  const DfaStateId string = built.StateBehind("\"x"), name = built.StateBehind("x");
  ASSERT_NE(string, kDeadState);
  EXPECT_TRUE(built.Keeps(string, "a"));
  EXPECT_FALSE(built.Keeps(string, "a\xc3")) << "the letter is not whole yet";
  EXPECT_TRUE(built.Keeps(string, "aé"));
  EXPECT_FALSE(built.Keeps(string, "b")) << "a token ends within a letter";
  EXPECT_FALSE(built.Keeps(string, "c")) << "a quote";
  EXPECT_FALSE(built.Keeps(string, "d")) << "no letter begins like this";
  EXPECT_FALSE(built.Keeps(string, "e")) << "half of a pair of surrogates";
  EXPECT_FALSE(built.Keeps(string, "f")) << "a letter is broken off";
  EXPECT_FALSE(built.Keeps(name, "a")) << "not every letter goes on with a name";
}

TEST(TokenSetPool, MakesSetsOfPartsAndOfSets) {
  TokenSetPool pool(10'000);
  std::vector<TokenId> low, high, all;
  for (uint32_t t = 0; t < 900; ++t) low.push_back({t});
  for (uint32_t t = 800; t < 1700; ++t) high.push_back({t});
  for (uint32_t t = 0; t < 1700; ++t) all.push_back({t});
  const std::vector<std::span<const TokenId>> one{std::span(high)},
      both{std::span(high), std::span(low)}, twice{std::span(low), std::span(low)};
  const TokenSetId a = pool.Intern(low), b = pool.Intern(one), c = pool.Intern(all);
  EXPECT_EQ(pool.Count(b), 900u);
  EXPECT_EQ(pool.Intern(both), c);
  EXPECT_EQ(pool.Intern(twice), a) << "many ids, few of them different";
  const std::vector<TokenSetId> sets{a, b}, same{a, a, a}, dense{c, a}, none;
  EXPECT_EQ(pool.Join(sets), c);
  EXPECT_EQ(pool.Join(same), a);
  EXPECT_EQ(pool.Join(dense), c);
  EXPECT_EQ(pool.Count(pool.Join(none)), 0u);
  EXPECT_EQ(pool.size(), 4u);
}

// (ended lexemes, state, guards) of each reading of a token.
using Outcomes = std::set<std::tuple<std::vector<uint16_t>, uint16_t, uint64_t>>;

Outcomes ReadAlone(const Lexer& lexer, std::string_view token) {
  struct Branch {
    std::vector<uint16_t> ended;
    DfaStateId q;
    Guards guards;
  };
  std::vector<Branch> branches{{{}, kStartState, {}}};
  Lexer::Steps steps;
  for (char c : token) {
    std::vector<Branch> next;
    for (const Branch& branch : branches) {
      const int n = lexer.Advance(branch.q, branch.guards, static_cast<uint8_t>(c), true, steps);
      for (int i = 0; i < n; ++i) {
        Branch& made = next.emplace_back(Branch{branch.ended, steps[i].q, steps[i].guards});
        if (steps[i].ended != kNoLexeme) made.ended.push_back(steps[i].ended.value);
      }
    }
    branches = std::move(next);
  }
  Outcomes outcomes;
  for (const Branch& branch : branches)
    outcomes.emplace(branch.ended, branch.q.value, branch.guards.Key());
  return outcomes;
}

TEST(SequenceTrie, ReadsEachTokenAsItIsReadAlone) {
  std::mt19937 random(20261122);
  const std::vector<std::string> pieces{"a", "é",  "語", "\xe8", "\xaa", "\x9e", "\xc3", "☃", "\"",
                                        "#", "\n", " ",  ".",    "1",    "1.",   ";",    "x"};
  std::vector<std::string> tokens(3000);
  for (std::string& token : tokens) {
    for (size_t n = 1 + random() % 6; n > 0; --n) token += pieces[random() % pieces.size()];
  }
  tokens.push_back(std::string(kMaxTokenBytes, 'a'));
  std::string& longest = tokens.emplace_back();
  while (longest.size() < kMaxTokenBytes) longest += ";a";
  const Built built(tokens);
  const Lexer& lexer = built.language->lexer;
  std::vector<LexemeId> each;
  for (uint16_t l = 0; l < lexer.lexeme_count(); ++l) each.push_back(LexemeId{l});
  BlanksTable blanks;
  SequenceTrie trie(built.vocabulary, lexer, built.steps, built.kinds, blanks, each,
                    SequenceTrie::Lines::kRaw);
  std::array<SequenceTrie::Readings, 256> first;
  for (int b = 0; b < 256; ++b) {
    const uint8_t byte = static_cast<uint8_t>(b);
    if (!lexer.IsEmitEdge(kStartState, byte)) continue;
    first[b].push_back(trie.Begin(0, lexer.Next(kStartState, byte), Guards{}, false, true, byte,
                                  trie.OneOf(kAnyMode)));
  }
  trie.Grow(first);
  std::map<uint32_t, Outcomes> grown;
  for (const SequenceTrie::Leaf& leaf : trie.leaves()) {
    std::vector<uint16_t> ended;
    for (uint32_t n = leaf.node; n != 0; n = trie.nodes()[n].parent)
      ended.insert(ended.begin(), trie.nodes()[n].lexeme.value);
    for (auto [begin, end] : leaf.tokens) {
      for (uint32_t i = begin; i < end; ++i)
        grown[built.vocabulary.sorted()[i].value].emplace(ended, leaf.q.value, leaf.guards.Key());
    }
  }
  size_t read = 0, guarded = 0;
  for (uint32_t t = 0; t < tokens.size(); ++t) {
    const Outcomes alone = ReadAlone(lexer, tokens[t]);
    EXPECT_EQ(grown[t], alone) << tokens[t];
    read += !alone.empty();
    for (const auto& [ended, q, guards] : alone) guarded += guards != Guards{}.Key();
  }
  EXPECT_GT(read, 1000u);
  EXPECT_GT(guarded, 10u);
}

}  // namespace
}  // namespace tenon::constraint
