// Edges, ends and shared states of automata with strict texts, against naive matching of random
// patterns.
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/automata/regex.h"
#include "constraint/automata/strict_dfa.h"
#include "tests/constraint/short_texts.h"
#include "tests/oracle/naive_regex.h"
#include "tests/oracle/seed.h"

namespace tenon::constraint {
namespace {

using oracle::NaiveRegex;

// A pattern, and what of it is strict: its own text, "" for nothing.
struct Pattern {
  std::string all;
  std::string strict;
};

StrictDfa BuildStrict(const std::vector<Pattern>& patterns,
                      const std::vector<std::vector<uint16_t>>& groups) {
  std::vector<Regex> regexes;
  std::vector<StrictForm> forms;
  for (const Pattern& pattern : patterns) {
    regexes.push_back(*ParseRegex(pattern.all));
    StrictForm& form = forms.emplace_back();
    if (pattern.strict.empty())
      form.kind = StrictForm::Kind::kNone;
    else if (pattern.strict != pattern.all)
      form = {StrictForm::Kind::kForm, *ParseRegex(pattern.strict)};
  }
  // The first of the matching patterns wins; what another matches strictly is no strict text of it.
  const auto ends = [](std::span<const uint16_t> matching, std::span<const uint16_t> strict) {
    std::vector<uint16_t> ends;
    if (!matching.empty() && !strict.empty() && strict[0] == matching[0])
      ends.push_back(matching[0]);
    return ends;
  };
  auto dfa = StrictDfa::Build(regexes, forms, groups, ends);
  EXPECT_TRUE(dfa) << (dfa ? "" : dfa.error());
  return *dfa;
}

// Where the text leads, and whether by strict edges all the way.
std::pair<DfaStateId, bool> Walk(const StrictDfa& strict, std::string_view text,
                                 DfaStateId q = kStartState) {
  bool by_edges = true;
  for (const char c : text) {
    if (q == kDeadState) return {q, false};
    by_edges = by_edges && strict.edges[q.value][static_cast<uint8_t>(c)];
    q = strict.dfa.Next(q, static_cast<uint8_t>(c));
  }
  return {q, by_edges};
}

class Judge {
 public:
  explicit Judge(const std::vector<Pattern>& patterns) {
    const auto parse = [](const std::string& text) {
      return text.empty() ? std::nullopt
                          : NaiveRegex::Parse(std::u32string(text.begin(), text.end()));
    };
    for (const Pattern& pattern : patterns)
      patterns_.emplace_back(*parse(pattern.all), parse(pattern.strict));
  }
  // The first pattern that matches; -1: none.
  int Winner(const std::string& text) const {
    const std::u32string points(text.begin(), text.end());
    for (size_t p = 0; p < patterns_.size(); ++p) {
      if (patterns_[p].first.Matches(points)) return static_cast<int>(p);
    }
    return -1;
  }
  bool IsStrict(const std::string& text) const {
    const int winner = Winner(text);
    if (winner < 0 || text.empty()) return false;
    const auto& strict = patterns_[static_cast<size_t>(winner)].second;
    return strict && strict->Matches(std::u32string(text.begin(), text.end()));
  }

 private:
  std::vector<std::pair<NaiveRegex, std::optional<NaiveRegex>>> patterns_;
};

// Patterns of few letters without repetition, so that what they match is short, but for one star at
// the end of some.
class RandomPatterns {
 public:
  explicit RandomPatterns(uint32_t seed) : random_(seed) {}
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  std::string Some() {
    std::string text = Word();
    for (size_t i = Below(3); i > 0; --i) text += "|" + Word();
    return text;
  }
  std::vector<Pattern> Make() {
    std::vector<Pattern> made;
    for (size_t i = 1 + Below(3); i > 0; --i) {
      Pattern& pattern = made.emplace_back();
      if (Below(4) > 0) pattern.strict = Some();
      pattern.all = pattern.strict.empty() || Below(4) > 0 ? Some() : "";
      if (pattern.all.empty())
        pattern.all = pattern.strict;
      else if (!pattern.strict.empty())
        pattern.all += "|" + pattern.strict;
    }
    return made;
  }

 private:
  std::string Word() {
    std::string word;
    for (size_t i = 1 + Below(3); i > 0; --i) {
      const char* const letters[] = {"a", "b", "(a|b)"};
      word += letters[Below(3)];
    }
    return Below(3) == 0 ? word + "*" : word;
  }
  std::mt19937 random_;
};

TEST(StrictDfa, EdgesAreExactOnRandomPatterns) {
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE(seed);
  RandomPatterns random(seed);
  // What begins a strict text of these is at most four letters away from the end of one.
  const std::vector<std::string> texts = ShortTexts("ab", 8);
  size_t walked = 0;
  for (int i = 0; i < 400; ++i) {
    const std::vector<Pattern> patterns = random.Make();
    std::vector<uint16_t> all;
    std::string shown;
    for (uint16_t p = 0; p < patterns.size(); ++p) {
      all.push_back(p);
      shown += " /" + patterns[p].all + "/ strict /" + patterns[p].strict + "/";
    }
    const StrictDfa strict = BuildStrict(patterns, {all});
    const Judge judge(patterns);
    std::vector<std::string> strict_texts;
    for (const std::string& text : texts) {
      const auto [q, by_edges] = Walk(strict, text);
      const int winner = q == kDeadState || text.empty() || strict.dfa.Accepts(q).empty()
                             ? -1
                             : strict.dfa.Accepts(q)[0];
      ASSERT_EQ(winner, text.empty() ? -1 : judge.Winner(text)) << text << shown;
      const bool is_strict = judge.IsStrict(text);
      if (is_strict) {
        ASSERT_TRUE(by_edges) << text << shown;
        strict_texts.push_back(text);
      }
      if (by_edges && q != kStartState) {
        ASSERT_EQ(!strict.ends[q.value].empty(), is_strict) << text << shown;
      }
      if (text.empty() || text.size() > 4 || !by_edges) continue;
      ++walked;
      bool becomes = false;
      for (const std::string& more : texts) {
        becomes = becomes || (more.size() <= 4 && judge.IsStrict(text + more));
      }
      ASSERT_TRUE(becomes) << text << shown;
    }
    EXPECT_EQ(strict.edges.size(), strict.dfa.size());
  }
  EXPECT_GT(walked, 2000u);
}

TEST(StrictDfa, StatesThatDifferInStrictnessAloneStayApart) {
  // Both strings go on alike, but only behind x may a digit be written.
  const StrictDfa strict =
      BuildStrict({{"[xy]\"[a-z0-9]*\"", "x\"[a-z0-9]*\"|y\"[a-z]*\""}}, {{0}});
  EXPECT_TRUE(Walk(strict, "x\"a1\"").second);
  EXPECT_FALSE(Walk(strict, "y\"a1\"").second);
  EXPECT_TRUE(Walk(strict, "y\"ab\"").second);
  EXPECT_NE(Walk(strict, "y\"a1\"").first, kDeadState);
}

TEST(StrictDfa, WhatIsNotStrictGoesOnAsWhatIsAlike) {
  const StrictDfa one = BuildStrict({{"\"[a-z0-9]*\"", "\"[a-z]*\""}}, {{0}});
  const DfaStateId inside = Walk(one, "\"1").first;
  EXPECT_EQ(inside, Walk(one, "\"a").first) << "there is one state to be shared";
  EXPECT_TRUE(Walk(one, "a\"", inside).second);
  EXPECT_FALSE(Walk(one, "2\"", inside).second);
  const StrictDfa two = BuildStrict({{"[xy]\"[a-z0-9!]*\"", "x\"[a-z0-9]*\"|y\"[a-z]*\""}}, {{0}});
  const DfaStateId lax = Walk(two, "y\"!").first;
  EXPECT_TRUE(Walk(two, "1a\"", lax).second) << "what some text like it may be followed by";
  EXPECT_FALSE(Walk(two, "!", lax).second);
  EXPECT_EQ(two.ends[Walk(two, "y\"!\"").first.value], std::vector<uint16_t>{0});
}

TEST(StrictDfa, ATextThatAnotherPatternWinsIsNotStrict) {
  const StrictDfa strict = BuildStrict({{"if|in", "if"}, {"[a-z]+", "[a-z]+"}}, {{0, 1}});
  EXPECT_TRUE(Walk(strict, "in").second) << "inn";
  EXPECT_TRUE(strict.ends[Walk(strict, "in").first.value].empty());
  EXPECT_EQ(strict.ends[Walk(strict, "inn").first.value], std::vector<uint16_t>{1});
}

TEST(StrictDfa, GroupsShareAStartThatMovesAlikeAndIsAsStrict) {
  const std::vector<Pattern> patterns = {{"a", "a"}, {"a", ""}, {"b", "b"}};
  const StrictDfa strict = BuildStrict(patterns, {{0, 2}, {1, 2}, {0, 2}});
  EXPECT_EQ(strict.dfa.StartOf(0), strict.dfa.StartOf(2));
  EXPECT_NE(strict.dfa.StartOf(0), strict.dfa.StartOf(1));
  EXPECT_TRUE(Walk(strict, "a", strict.dfa.StartOf(0)).second);
  EXPECT_FALSE(Walk(strict, "a", strict.dfa.StartOf(1)).second);
}

TEST(StrictDfa, NoEdgeLeadsToAStart) {
  const StrictDfa strict = BuildStrict({{"(ab)*a", "(ab)*a"}}, {{0}});
  for (size_t q = 0; q < strict.dfa.size(); ++q) {
    for (int b = 0; b < 256; ++b)
      EXPECT_NE(strict.dfa.Next(DfaStateId{static_cast<uint16_t>(q)}, static_cast<uint8_t>(b)),
                kStartState);
  }
}

TEST(StrictDfa, WithoutStrictTextsIsTheMinimalAutomaton) {
  const std::vector<Regex> patterns = {*ParseRegex("[ab]*abb"), *ParseRegex("c+")};
  const auto minimal = Dfa::Build(patterns);
  const StrictDfa strict = BuildStrict({{"[ab]*abb", ""}, {"c+", ""}}, {{0, 1}});
  EXPECT_EQ(strict.dfa.size(), minimal->size()) << "the start is a state of its own already";
  for (const auto& edges : strict.edges) EXPECT_TRUE(edges.none());
}

TEST(StrictDfa, RefusesPatternsThatExplode) {
  const std::vector<Regex> patterns = {*ParseRegex("(a|b)*a(a|b){12}")};
  const std::vector<StrictForm> forms(1);
  const std::vector<std::vector<uint16_t>> groups = {{0}};
  const auto ends = [](std::span<const uint16_t>, std::span<const uint16_t> strict) {
    return std::vector<uint16_t>(strict.begin(), strict.end());
  };
  const auto dfa = StrictDfa::Build(patterns, forms, groups, ends, 100);
  ASSERT_FALSE(dfa);
  EXPECT_NE(dfa.error().find("100"), std::string::npos);
}

}  // namespace
}  // namespace tenon::constraint
