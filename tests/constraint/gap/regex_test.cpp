// A language of one regular expression, by the same interfaces as a grammar, against a naive
// matcher.
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/expression_masks.h"
#include "constraint/mask/mask_store.h"
#include "constraint/mask/masker.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/gap_questions.h"
#include "tests/oracle/naive_regex.h"

namespace tenon::constraint {
namespace {

std::vector<std::string> Texts(size_t longest) {
  std::vector<std::string> all{""};
  for (size_t begin = 0, length = 0; length < longest; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const char c : std::string("abc")) all.push_back(all[begin] + c);
    }
  }
  return all;
}

std::string RandomPattern(std::mt19937& random, int depth) {
  const unsigned r = random() % 100;
  if (depth == 0 || r < 30) {
    const std::vector<std::string> atoms{"a", "b", "c", "[ab]", "[^a]", "ab", "abca"};
    return atoms[random() % atoms.size()];
  }
  const std::string first = RandomPattern(random, depth - 1);
  if (r < 60) return first + RandomPattern(random, depth - 1);
  if (r < 78) return "(" + first + "|" + RandomPattern(random, depth - 1) + ")";
  const std::vector<std::string> operators{"*", "+", "?", "{2}", "{1,2}", "{2,}"};
  return "(" + first + ")" + operators[random() % operators.size()];
}

bool Matches(const oracle::NaiveRegex& naive, const std::string& text) {
  return naive.Matches(std::u32string(text.begin(), text.end()));
}

struct Tally {
  size_t patterns = 0, pairs = 0, viable = 0, members = 0, unclosed = 0;
};

// Every left and right context: membership is the matcher's answer; a pair that some text of
// bounded length shows to be viable is found viable, and a pair that is said to be viable has a
// closing text, which matches.
void Compare(const std::string& pattern, const oracle::NaiveRegex& naive,
             const std::vector<std::string>& rights, Tally& tally) {
  auto language = Language::FromRegex(pattern);
  ASSERT_TRUE(language) << language.error().ToString();
  ++tally.patterns;
  std::set<std::pair<std::string, std::string>> shown;
  for (const std::string& text : Texts(6)) {
    if (!Matches(naive, text)) continue;
    for (const std::string& right : rights) {
      if (text.size() < right.size() || text.substr(text.size() - right.size()) != right) continue;
      for (size_t i = 0; i + right.size() <= text.size() && i <= 4; ++i)
        shown.emplace(text.substr(0, i), right);
    }
  }
  for (const std::string& right : rights) {
    const GapState root = OpenExact(*language, "", right);
    for (const std::string& left : Texts(4)) {
      ++tally.pairs;
      GapState at = root;
      const bool viable = left.empty() ? root.viable() : at.Accept(left);
      tally.viable += viable;
      if (shown.count({left, right}) > 0) {
        ASSERT_TRUE(viable) << "missed " << Shown(left) << " | " << Shown(right);
      }
      if (!viable) {
        ASSERT_FALSE(Matches(naive, left + right));
        continue;
      }
      const bool member = at.Member();
      tally.members += member;
      ASSERT_EQ(member, Matches(naive, left + right)) << Shown(left) << " | " << Shown(right);
      const auto closing = FindClosing(at);
      if (!closing && !right.empty()) {  // longer than what is tried in front of a right context
        ++tally.unclosed;
        continue;
      }
      ASSERT_TRUE(closing) << Shown(left) << " | " << Shown(right);
      ASSERT_TRUE(Matches(naive, left + closing->text + right))
          << Shown(left) << " + " << Shown(closing->text) << " + " << Shown(right);
      // The same question from the left alone, read as given text.
      ASSERT_TRUE(OpenExact(*language, left, right).viable());
    }
  }
}

TEST(RegexLanguage, AgreesWithANaiveMatcherOnRandomPatterns) {
  Tally tally;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 random(seed);
    const std::string pattern = RandomPattern(random, 4);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + pattern);
    const auto naive = oracle::NaiveRegex::Parse(std::u32string(pattern.begin(), pattern.end()));
    ASSERT_TRUE(naive);
    Compare(pattern, *naive, {"", "a", "ba", "cc"}, tally);
    if (HasFatalFailure()) return;
  }
  std::cout << tally.patterns << " patterns, " << tally.pairs << " pairs, " << tally.viable
            << " viable, " << tally.members << " members, " << tally.unclosed << " not closed\n";
  EXPECT_LT(50 * tally.unclosed, tally.viable);
  EXPECT_GT(tally.members, 1000u);
  EXPECT_GT(tally.viable, 3 * tally.members / 2);
}

TEST(RegexLanguage, TakesTheEmptyMatchAnchorsAndAlternatives) {
  struct Case {
    std::string pattern;
    std::vector<std::string> members, others;
  };
  const Case cases[] = {
      {"a*", {"", "a", "aaaa"}, {"b", "ab"}},
      {"^a|b$", {"a", "b"}, {"", "ab"}},
      {"a\\$", {"a$"}, {"a"}},
      {"a\\\\$", {"a\\"}, {"a$"}},
      {"a|abcdefghij",
       {"a", "abcdefghij"},
       {"ab", "abcdefghi"}},  // what a lexer would have to back up over
      {"(a(bcdefghi)?x?)+", {"a", "ax", "abcdefghi", "aabcdefghix"}, {"ab", "", "x"}},
      {"\xc3\xa9+|\xf0\x9f\x98\x80", {"\xc3\xa9", "\xf0\x9f\x98\x80"}, {"\xc3", "\xf0\x9f\x98"}},
      {"[0-9]{3}-[0-9]{4}", {"555-1234"}, {"555-123", "5555-1234"}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    const auto language = Language::FromRegex(c.pattern);
    ASSERT_TRUE(language) << language.error().ToString();
    for (const std::string& text : c.members) {
      EXPECT_TRUE(OpenExact(*language, text, "").Member()) << text;
      EXPECT_TRUE(Check(**language, text, Strength::kEmit).valid) << text;
    }
    for (const std::string& text : c.others)
      EXPECT_FALSE(OpenExact(*language, text, "").Member()) << text;
  }
}

// The automaton of (ab)*c is back in its start state behind "ab"; a lexeme is in progress all the
// same.
TEST(RegexLanguage, TellsAReadTextFromNoTextWhereTheAutomatonIsBackAtItsStart) {
  for (const char* grammar :
       {"start: X*\nX: /(ab)*c/\n", "start: X*\nX: /(ab)*c/\nW: / +/\n%ignore W\n"}) {
    const auto language = Language::Compile(grammar, "loop.lark");
    ASSERT_TRUE(language) << language.error().ToString();
    for (const char* text : {"ab", "cab", "abab"}) {
      EXPECT_FALSE(OpenExact(*language, text, "").Member()) << text;
      EXPECT_FALSE(Check(**language, text, Strength::kAccept).valid) << text;
      EXPECT_TRUE(OpenExact(*language, text, "").viable()) << text;
    }
    EXPECT_TRUE(OpenExact(*language, "ab", "c").Member());
    EXPECT_TRUE(OpenExact(*language, "abcc", "").Member());
  }
}

TEST(RegexLanguage, SaysWhereAPatternIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"^a(b", "^a(b:1:3: this '(' is never closed"},
      {"a(?=b)", "a(?=b):1:2: '(?=' is not supported (look-ahead)"},
      {"(a{0})?", "(a{0})?:1:1: the expression matches no text but perhaps the empty one"}};
  for (const auto& [pattern, says] : cases) {
    const auto language = Language::FromRegex(pattern);
    ASSERT_FALSE(language) << pattern;
    EXPECT_EQ(language.error().ToString().substr(0, says.size()), says);
  }
}

// Willard and Louf: the mask of an automaton's state is the set of tokens that keep it alive.
TEST(RegexLanguage, MasksAreTheTokensThatKeepTheAutomatonAlive) {
  std::vector<std::string> tokens{""};  // a control token
  for (const std::string& text : Texts(4)) {
    if (!text.empty()) tokens.push_back(text);
  }
  const auto vocabulary = std::make_shared<const TokenVocabulary>(tokens);
  size_t allowed = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const std::string pattern = RandomPattern(random, 4);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + pattern);
    const auto naive = oracle::NaiveRegex::Parse(std::u32string(pattern.begin(), pattern.end()));
    ASSERT_TRUE(naive);
    std::set<std::string> prefixes;
    for (const std::string& text : Texts(8)) {
      if (!Matches(*naive, text)) continue;
      for (size_t i = 0; i <= text.size(); ++i) prefixes.insert(text.substr(0, i));
    }
    const auto language = Language::FromRegex(pattern);
    ASSERT_TRUE(language);
    const auto store = MaskStore::Build(*language, vocabulary);
    GapState state = OpenGap(*language, "", "", {});
    Masker masker(store, state);
    for (int step = 0; step < 4; ++step) {
      const TokenMask mask = masker.Of(state);
      std::vector<std::string> next;
      for (uint32_t t = 0; t < tokens.size(); ++t) {
        const bool may = mask.Allows(TokenId{t});
        ASSERT_EQ(may, !tokens[t].empty() && state.Check(tokens[t]))
            << Shown(state.middle()) << " + " << tokens[t];
        const std::string text = state.middle() + tokens[t];
        if (!tokens[t].empty() && prefixes.count(text) > 0) {
          ASSERT_TRUE(may) << text;
        }
        if (may) next.push_back(tokens[t]);
      }
      allowed += next.size();
      if (next.empty()) break;
      ASSERT_TRUE(state.Accept(next[random() % next.size()]));
    }
  }
  EXPECT_GT(allowed, 500u);
}

// The index of an expression: at random texts each token is tried, in front of several right
// contexts, with room for every set and for one.
TEST(ExpressionMasks, HoldTheTokensBehindWhichSomeTextMatches) {
  std::vector<std::string> tokens{""};  // a control token
  for (const std::string& text : Texts(4)) {
    if (!text.empty()) tokens.push_back(text);
  }
  const auto vocabulary = std::make_shared<const TokenVocabulary>(tokens);
  size_t allowed = 0, refused = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const std::string pattern = RandomPattern(random, 4);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + pattern);
    const auto naive = oracle::NaiveRegex::Parse(std::u32string(pattern.begin(), pattern.end()));
    ASSERT_TRUE(naive);
    const auto language = Language::FromRegex(pattern);
    ASSERT_TRUE(language);
    std::vector<std::string> matching;
    for (const std::string& text : Texts(7)) {
      if (Matches(*naive, text)) matching.push_back(text);
    }
    for (const std::string right : {"", "a", "ba", "cc"}) {
      std::set<std::string> shown;  // texts that some W and R complete
      for (const std::string& text : matching) {
        if (text.size() < right.size() || text.substr(text.size() - right.size()) != right)
          continue;
        for (size_t i = 0; i + right.size() <= text.size(); ++i) shown.insert(text.substr(0, i));
      }
      ExpressionMasks masks(*language, vocabulary, right);
      ExpressionMasks narrow(*language, vocabulary, right, 16);
      GapState state = OpenGap(*language, "", right, {});
      for (int step = 0; step < 5 && state.viable(); ++step) {
        const TokenMask& mask = masks.Of(state);
        ASSERT_EQ(narrow.Of(state), mask);
        std::vector<std::string> next;
        for (uint32_t t = 0; t < tokens.size(); ++t) {
          const bool may = mask.Allows(TokenId{t});
          ASSERT_EQ(may, !tokens[t].empty() && state.Check(tokens[t]))
              << Shown(state.middle()) << " + " << tokens[t];
          if (!tokens[t].empty() && shown.count(state.middle() + tokens[t]) > 0) {
            ASSERT_TRUE(may) << state.middle() << tokens[t];
          }
          if (may) next.push_back(tokens[t]);
          refused += !may;
        }
        allowed += next.size();
        ASSERT_EQ(&masks.Of(state), &masks.Of(state));
        if (next.empty()) break;
        ASSERT_TRUE(state.Accept(next[random() % next.size()]));
      }
      EXPECT_LE(narrow.sets(), 1u);
      EXPECT_LE(masks.sets(), (*language)->lexer.state_count());
    }
  }
  EXPECT_GT(allowed, 4000u);
  EXPECT_GT(refused, 5000u);
}

// States that take the same tokens share a set, also where the automaton has to tell them apart.
TEST(ExpressionMasks, KeepEqualSetsOnce) {
  const auto language = *Language::FromRegex("[0-9]{3}-[0-9]{4}");
  const auto vocabulary =
      std::make_shared<const TokenVocabulary>(std::vector<std::string>{"1", "2", "-", "x"});
  ExpressionMasks masks(language, vocabulary, "");
  for (uint16_t q = 0; q < language->lexer.state_count(); ++q) masks.Of(DfaStateId{q});
  EXPECT_EQ(masks.sets(), 3u);  // a digit, the sign, nothing
}

// Tokens may end within a letter.
TEST(ExpressionMasks, FollowPartsOfLetters) {
  const auto language = *Language::FromRegex("(\xc3\xa9|\xc3\xa8)+\xf0\x9f\x98\x80");
  const std::vector<std::string> tokens{"\xc3",     "\xa9", "\xa9\xc3",    "\xa9\xf0\x9f",
                                        "\x98\x80", "\xaa", "\xc3\xa8\xc3"};
  const auto vocabulary = std::make_shared<const TokenVocabulary>(tokens);
  GapState state = OpenGap(language, "", "", {});
  ExpressionMasks masks(state, vocabulary);
  const auto allowed = [&] {
    std::vector<uint32_t> ids;
    for (uint32_t t = 0; t < tokens.size(); ++t) {
      if (masks.Of(state).Allows(TokenId{t})) ids.push_back(t);
    }
    return ids;
  };
  using Ids = std::vector<uint32_t>;
  EXPECT_EQ(allowed(), (Ids{0, 6}));
  ASSERT_TRUE(state.Accept(tokens[6]));
  EXPECT_EQ(allowed(), (Ids{1, 2, 3}));
  ASSERT_TRUE(state.Accept(tokens[3]));
  EXPECT_EQ(allowed(), (Ids{4}));
  ASSERT_TRUE(state.Accept(tokens[4]));
  EXPECT_EQ(allowed(), Ids{});
}

}  // namespace
}  // namespace tenon::constraint
