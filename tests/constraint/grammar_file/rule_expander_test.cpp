#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"
#include "tests/oracle/naive_ebnf.h"
#include "tests/oracle/seed.h"

namespace tenon::constraint {
namespace {

using oracle::Ebnf;
using oracle::Words;

constexpr size_t kLongest = 5;

std::string RuleName(size_t index) {
  return index == 0 ? "start" : std::string("r") + static_cast<char>('a' + index);
}

// The words of a grammar that was read, every terminal being one letter.
Words WordsOf(const Grammar& grammar) {
  std::vector<Ebnf> rules(grammar.nonterminals.size());
  for (Ebnf& rule : rules) rule.kind = Ebnf::kChoice;
  for (const Rule& rule : grammar.rules) {
    Ebnf sequence;
    for (const SymbolId s : rule.body) {
      Ebnf& child = sequence.children.emplace_back();
      child.kind = grammar.IsLrTerminal(s) ? Ebnf::kLetter : Ebnf::kRule;
      if (grammar.IsLrTerminal(s))
        child.letter = grammar.terminals[grammar.lr_terminals[s.value].terminal.value].pattern[0];
      else
        child.rule = s.value - grammar.lr_terminals.size();
    }
    rules[rule.head.value - grammar.lr_terminals.size()].children.push_back(sequence);
  }
  Words words =
      oracle::Languages(rules, kLongest)[grammar.start.value - grammar.lr_terminals.size()];
  EXPECT_EQ(words.count(""), 0u);
  if (grammar.start_nullable) words.insert("");
  return words;
}

void ExpectNormalForm(const Grammar& grammar) {
  std::set<std::pair<SymbolId, std::vector<SymbolId>>> seen;
  std::set<SymbolId> heads, used = {grammar.start};
  for (const Rule& rule : grammar.rules) {
    EXPECT_FALSE(rule.body.empty());
    EXPECT_NE(rule.body, std::vector<SymbolId>{rule.head});
    EXPECT_TRUE(seen.insert({rule.head, rule.body}).second) << "a rule stands twice";
    heads.insert(rule.head);
    used.insert(rule.body.begin(), rule.body.end());
  }
  for (size_t s = 0; s < grammar.symbol_count(); ++s) {
    const SymbolId id{static_cast<uint16_t>(s)};
    EXPECT_EQ(used.count(id), 1u) << grammar.SymbolName(id) << " is unreachable";
    EXPECT_EQ(heads.count(id), grammar.IsLrTerminal(id) ? 0u : 1u) << grammar.SymbolName(id);
  }
}

class RandomGrammar {
 public:
  explicit RandomGrammar(uint32_t seed) : random_(seed) {}

  std::vector<Ebnf> Make() {
    std::vector<Ebnf> rules(1 + Below(4));
    for (Ebnf& rule : rules) rule = Node(3, rules.size());
    return rules;
  }

 private:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  Ebnf Node(int depth, size_t rules) {
    Ebnf node;
    switch (depth == 0 ? Below(2) : Below(7)) {
      case 0:
        node.kind = Ebnf::kLetter;
        node.letter = static_cast<char>('a' + Below(3));
        break;
      case 1:
        node.kind = Ebnf::kRule;
        node.rule = Below(rules);
        break;
      case 2:
      case 3:
        for (size_t n = Below(4); n > 0; --n) node.children.push_back(Node(depth - 1, rules));
        break;
      case 4:
      case 5:
        node.kind = Ebnf::kChoice;
        for (size_t n = 1 + Below(4); n > 0; --n) node.children.push_back(Node(depth - 1, rules));
        break;
      default:
        node.kind = Ebnf::kRepeat;
        node.children.push_back(Node(depth - 1, rules));
        node.min = Below(2);
        node.max = Below(2) == 0 ? Ebnf::kMany : node.min + Below(3);
        if (node.max != Ebnf::kMany && node.max == 0) node.max = 1;
        break;
    }
    return node;
  }

  std::mt19937 random_;
};

bool MentionsRule(const Ebnf& node, size_t rule) {
  if (node.kind == Ebnf::kRule && node.rule == rule) return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const Ebnf& child) { return MentionsRule(child, rule); });
}

std::set<size_t> Reachable(const std::vector<Ebnf>& rules) {
  std::set<size_t> reached = {0};
  for (size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (size_t i = 0; i < rules.size(); ++i) {
      for (const size_t from : std::set<size_t>(reached)) {
        if (MentionsRule(rules[from], i)) reached.insert(i);
      }
    }
  }
  return reached;
}

TEST(GrammarExpansion, KeepsTheLanguageOfRandomGrammars) {
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomGrammar random(seed);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::vector<Ebnf> rules = random.Make();
    std::string text;
    for (size_t r = 0; r < rules.size(); ++r)
      text += RuleName(r) + ": " + oracle::Written(rules[r], RuleName) + "\n";
    SCOPED_TRACE(text);
    const auto grammar = ReadGrammar(text, "random.lark");
    const std::vector<Words> words = oracle::Languages(rules, kLongest);
    if (grammar) {
      ++compared;
      ExpectNormalForm(*grammar);
      ASSERT_EQ(WordsOf(*grammar), words[0]) << grammar->Dump();
      continue;
    }
    // Refused: then the oracle must see why.
    const GrammarError& error = grammar.error();
    if (error.code == GrammarErrorCode::kUnreachable) {
      ASSERT_LT(Reachable(rules).size(), rules.size()) << error.ToString();
    } else {
      ASSERT_EQ(error.code, GrammarErrorCode::kUnproductive) << error.ToString();
      const bool some_empty =
          std::any_of(words.begin(), words.end(), [](const Words& w) { return w.empty(); });
      ASSERT_TRUE(some_empty || words[0] == Words{""}) << error.ToString();
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 500);
}

std::string RulesOf(std::string_view text) {
  const auto grammar = ReadGrammar(text, "g.lark");
  return grammar ? grammar->Dump() : grammar.error().ToString();
}

TEST(GrammarExpansion, WritesOutOptionalParts) {
  EXPECT_EQ(RulesOf("start: \"a\"? [\"b\"] \"c\"\n"),
            "start: start\nstart -> A B C\nstart -> A C\nstart -> B C\nstart -> C\n");
}

TEST(GrammarExpansion, RepeatsWithLeftRecursionAndSharesEqualBodies) {
  EXPECT_EQ(RulesOf("start: \"a\"* x\nx: \"b\" \"a\"+\n"),
            "start: start\nstart -> __plus_1 x\nstart -> x\nx -> B __plus_1\n__plus_1 -> "
            "A\n__plus_1 -> __plus_1 A\n");
}

TEST(GrammarExpansion, GivesAnAlternativeInARepetitionItsOwnNonterminal) {
  EXPECT_EQ(RulesOf("start: (\"a\" | \"b\" | \"c\")+\n"),
            "start: start\nstart -> __plus_1\n__group_1 -> A\n__group_1 -> B\n__group_1 -> "
            "C\n__plus_1 -> __group_1\n__plus_1 -> __plus_1 __group_1\n");
}

TEST(GrammarExpansion, CountsCopies) {
  EXPECT_EQ(RulesOf("start: \"a\"~2 \"b\"~0..2\n"),
            "start: start\nstart -> A A B\nstart -> A A B B\nstart -> A A\n");
}

TEST(GrammarExpansion, ReplacesGroupsThatMultiplyTooFar) {
  const auto grammar = ReadGrammar(
      "start: (\"a\"|\"b\"|\"c\"|\"d\"|\"e\") (\"a\"|\"b\"|\"c\"|\"d\"|\"e\") "
      "(\"a\"|\"b\"|\"c\"|\"d\"|\"e\")\n",
      "g.lark");
  ASSERT_TRUE(grammar);
  EXPECT_LE(grammar->rules.size(), 20u);
}

TEST(GrammarExpansion, DropsWhatDerivesOnlyTheEmptyText) {
  EXPECT_EQ(RulesOf("start: nothing \"a\" nothing | start nothing\nnothing: | nothing nothing\n"),
            "start: start\nstart -> A\n");
  EXPECT_EQ(RulesOf("start: | \"a\" start\n"),
            "start: start or nothing\nstart -> A start\nstart -> A\n");
}

TEST(GrammarExpansion, RefusesWhatExplodes) {
  std::string many = "start: \"x\" ";
  for (char c = 'a'; c <= 'p'; ++c) many += std::string("\"") + c + "\"? ";
  EXPECT_NE(RulesOf(many + "\n").find("g.lark:1:8: this stands for more than 4096 alternatives"),
            std::string::npos)
      << RulesOf(many + "\n");
  std::string nullable = "start: \"x\" ", rules;
  for (char c = 'a'; c <= 'p'; ++c) {
    nullable += std::string("r") + c + " ";
    rules += std::string("r") + c + ": | \"" + c + "\"\n";
  }
  EXPECT_NE(RulesOf(nullable + "\n" + rules)
                .find("g.lark:1:1: an alternative of 'start' holds more than 12 rules"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon::constraint
