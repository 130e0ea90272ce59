#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex.h"
#include "constraint/automata/utf8_ranges.h"
#include "tests/oracle/naive_regex.h"
#include "tests/oracle/seed.h"

namespace tenon::constraint {
namespace {

using oracle::NaiveRegex;

std::string ToUtf8(const std::u32string& text) {
  std::string out;
  for (const char32_t c : text) AppendUtf8(c, out);
  return out;
}

std::vector<Regex> ParseAll(const std::vector<std::string>& patterns) {
  std::vector<Regex> result;
  for (const std::string& pattern : patterns) {
    const auto regex = ParseRegex(pattern);
    EXPECT_TRUE(regex.has_value()) << pattern << ": " << (regex ? "" : regex.error().message);
    result.push_back(*regex);
  }
  return result;
}

// The patterns that match `text` whole.
std::vector<uint16_t> MatchesOf(const Dfa& dfa, std::string_view text) {
  DfaStateId q = kStartState;
  for (const char c : text) {
    q = dfa.Next(q, static_cast<uint8_t>(c));
    if (q == kDeadState) return {};
  }
  return {dfa.Accepts(q).begin(), dfa.Accepts(q).end()};
}

std::vector<std::u32string> AllStrings(const std::u32string& alphabet, size_t longest) {
  std::vector<std::u32string> all = {U""};
  for (size_t i = 0, begin = 0; i < longest; ++i) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const char32_t c : alphabet) all.push_back(all[begin] + c);
    }
  }
  return all;
}

// Empty text: no two states are equivalent and no state is dead. Refines from scratch, by whole
// rows (Moore).
std::string WhyNotMinimal(const Dfa& dfa) {
  const auto id = [](size_t q) { return DfaStateId{static_cast<uint16_t>(q)}; };
  std::vector<size_t> block(dfa.size());
  size_t count = 0;
  for (bool first = true;; first = false) {
    std::map<std::pair<size_t, std::vector<size_t>>, size_t> numbers;
    std::map<std::vector<uint16_t>, size_t> by_accepts;
    std::vector<size_t> refined(dfa.size());
    for (size_t q = 0; q < dfa.size(); ++q) {
      const std::vector<uint16_t> accepts(dfa.Accepts(id(q)).begin(), dfa.Accepts(id(q)).end());
      if (first) {
        refined[q] = by_accepts.try_emplace(accepts, by_accepts.size()).first->second;
        continue;
      }
      std::vector<size_t> row;
      for (int byte = 0; byte < 256; ++byte) {
        const DfaStateId target = dfa.Next(id(q), static_cast<uint8_t>(byte));
        row.push_back(target == kDeadState ? dfa.size() : block[target.value]);
      }
      refined[q] = numbers.try_emplace({block[q], row}, numbers.size()).first->second;
    }
    const size_t refined_count = std::set<size_t>(refined.begin(), refined.end()).size();
    block = refined;
    if (!first && refined_count == count) break;
    count = refined_count;
  }
  if (count != dfa.size())
    return std::to_string(dfa.size()) + " states, " + std::to_string(count) + " needed";
  for (size_t q = 1; q < dfa.size(); ++q) {
    std::set<size_t> reached = {q};
    std::vector<size_t> stack = {q};
    bool live = false;
    while (!stack.empty() && !live) {
      const size_t at = stack.back();
      stack.pop_back();
      live = !dfa.Accepts(id(at)).empty();
      for (int byte = 0; byte < 256; ++byte) {
        const DfaStateId target = dfa.Next(id(at), static_cast<uint8_t>(byte));
        if (target != kDeadState && reached.insert(target.value).second)
          stack.push_back(target.value);
      }
    }
    if (!live) return "state " + std::to_string(q) + " is dead";
  }
  return "";
}

// False: the automaton gets too large.
bool ExpectAgreement(const std::u32string& pattern, const std::vector<std::u32string>& texts) {
  const std::optional<NaiveRegex> naive = NaiveRegex::Parse(pattern);
  const auto regex = ParseRegex(ToUtf8(pattern));
  EXPECT_EQ(naive.has_value(), regex.has_value()) << ToUtf8(pattern);
  if (!naive || !regex) return true;
  const std::vector<Regex> patterns = {*regex};
  const auto dfa = Dfa::Build(patterns);
  if (!dfa) return false;
  for (const std::u32string& text : texts) {
    EXPECT_EQ(!MatchesOf(*dfa, ToUtf8(text)).empty(), naive->Matches(text))
        << "/" << ToUtf8(pattern) << "/ on \"" << ToUtf8(text) << '"';
  }
  return true;
}

TEST(DfaOracle, AgreesOnAllSmallPatternsAndShortTexts) {
  const std::vector<std::u32string> texts = AllStrings(U"ab", 5);
  for (const std::u32string& pattern : AllStrings(U"ab|*+?()", 5)) {
    // Lazy repetition: regex_syntax_test.cpp.
    const auto has = [&](const char32_t* what) {
      return pattern.find(what) != std::u32string::npos;
    };
    if (has(U"*?") || has(U"+?") || has(U"??")) continue;
    EXPECT_TRUE(ExpectAgreement(pattern, texts)) << ToUtf8(pattern);
    if (HasFailure()) return;
  }
}

class RandomPattern {
 public:
  explicit RandomPattern(uint32_t seed) : random_(seed) {}

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  // Letters at every border of the encoding, so that classes are split in all ways.
  char32_t Letter() {
    constexpr std::u32string_view kLetters =
        U"ab\n\u007f\u0080\u07ff\u0800\u0fff\ud7ff\ue000\uffff\U00010000\U0003ffff\U0010ffff";
    return kLetters[Below(kLetters.size())];
  }

  std::u32string Make(int depth) {
    switch (depth == 0 ? Below(3) : Below(8)) {
      case 0:
        return {Letter()};
      case 1:
        return U".";
      case 2:
        return Class();
      case 3:
        return U"(" + Make(depth - 1) + U"|" + Make(depth - 1) + U")";
      case 4:
        return U"(" + Make(depth - 1) + U")" + U"*+?"[Below(3)];
      case 5: {
        const size_t low = Below(3), high = low + Below(3);
        return U"(" + Make(depth - 1) + U"){" + static_cast<char32_t>('0' + low) + U"," +
               static_cast<char32_t>('0' + high) + U"}";
      }
      default:
        return Make(depth - 1) + Make(depth - 1);
    }
  }

  std::u32string Text() {
    std::u32string text;
    for (size_t n = Below(7); n > 0; --n) text.push_back(Letter());
    return text;
  }

 private:
  std::u32string Class() {
    std::u32string result = Below(2) == 0 ? U"[" : U"[^";
    for (size_t n = 1 + Below(3); n > 0; --n) {
      char32_t low = Letter(), high = Letter();
      if (low > high) std::swap(low, high);
      result += {low, U'-', high};
    }
    return result + U"]";
  }

  std::mt19937 random_;
};

TEST(DfaOracle, AgreesOnRandomPatternsAtTheBordersOfUtf8) {
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomPattern random(seed);
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    const std::u32string pattern = random.Make(4);
    std::vector<std::u32string> texts;
    for (int j = 0; j < 100; ++j) texts.push_back(random.Text());
    refused += !ExpectAgreement(pattern, texts);
    if (HasFailure()) return;
  }
  EXPECT_LT(refused, 10);
}

TEST(DfaOracle, SeveralPatternsAtOnceAgreeWithEachAloneAndAreMinimal) {
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomPattern random(seed);
  for (int i = 0; i < 60; ++i) {
    std::vector<std::u32string> sources;
    std::vector<std::string> patterns;
    for (size_t n = 1 + random.Below(4); n > 0; --n) {
      sources.push_back(random.Make(3));
      patterns.push_back(ToUtf8(sources.back()));
    }
    const std::vector<Regex> regexes = ParseAll(patterns);
    const auto dfa = Dfa::Build(regexes);
    ASSERT_TRUE(dfa.has_value());
    EXPECT_EQ(WhyNotMinimal(*dfa), "") << patterns[0];
    for (int j = 0; j < 60; ++j) {
      const std::u32string text = random.Text();
      std::vector<uint16_t> expected;
      for (size_t p = 0; p < sources.size(); ++p) {
        if (NaiveRegex::Parse(sources[p])->Matches(text))
          expected.push_back(static_cast<uint16_t>(p));
      }
      ASSERT_EQ(MatchesOf(*dfa, ToUtf8(text)), expected) << ToUtf8(text);
    }
  }
}

TEST(Dfa, IsMinimalForAllSmallPatterns) {
  for (const std::u32string& pattern : AllStrings(U"ab|*()", 5)) {
    const auto regex = ParseRegex(ToUtf8(pattern));
    if (!regex) continue;
    const std::vector<Regex> patterns = {*regex};
    ASSERT_EQ(WhyNotMinimal(*Dfa::Build(patterns)), "") << ToUtf8(pattern);
  }
}

TEST(Dfa, BytesThatAreNotUtf8NeverMatch) {
  const std::vector<Regex> patterns = ParseAll({"(?s).", "\\p{XID_Continue}", "[^a]"});
  const auto dfa = Dfa::Build(patterns);
  ASSERT_TRUE(dfa.has_value());
  // All byte strings of length 1 and 2, and the surrogates' three bytes.
  for (int a = 0; a < 256; ++a) {
    for (int b = -1; b < 256; ++b) {
      std::string text(1, static_cast<char>(a));
      if (b >= 0) text.push_back(static_cast<char>(b));
      const bool one_codepoint = DecodeUtf8(text, 0).length_bytes == text.size();
      EXPECT_EQ(!MatchesOf(*dfa, text).empty(), one_codepoint) << a << " " << b;
    }
  }
  EXPECT_TRUE(MatchesOf(*dfa, "\xed\xa0\x80").empty());
  EXPECT_TRUE(MatchesOf(*dfa, "\xed\xbf\xbf").empty());
  EXPECT_FALSE(MatchesOf(*dfa, "\xed\x9f\xbf").empty());
}

TEST(Dfa, StartsInStateZeroAndKeepsPatternIndices) {
  const std::vector<Regex> patterns = ParseAll({"if", "[a-z]+", "i.*"});
  const auto dfa = Dfa::Build(patterns);
  EXPECT_EQ(MatchesOf(*dfa, "if"), (std::vector<uint16_t>{0, 1, 2}));
  EXPECT_EQ(MatchesOf(*dfa, "ix"), (std::vector<uint16_t>{1, 2}));
  EXPECT_EQ(MatchesOf(*dfa, "i-"), (std::vector<uint16_t>{2}));
  EXPECT_TRUE(MatchesOf(*dfa, "").empty());
}

TEST(Dfa, WithNothingToMatchIsOneStateWithoutTransitions) {
  for (const std::vector<std::string>& sources :
       {std::vector<std::string>{}, {"[^\\s\\S]"}, {"a*[^\\s\\S]"}}) {
    const std::vector<Regex> patterns = ParseAll(sources);
    const auto dfa = Dfa::Build(patterns);
    ASSERT_TRUE(dfa.has_value());
    EXPECT_EQ(dfa->size(), 1u);
    for (int byte = 0; byte < 256; ++byte)
      EXPECT_EQ(dfa->Next(kStartState, static_cast<uint8_t>(byte)), kDeadState);
  }
}

TEST(Dfa, RefusesPatternsThatExplode) {
  // 2^17 subsets; then too many NFA states; then few states but very costly ones.
  for (const std::string& source :
       {std::string("[ab]*a[ab]{16}"), std::string("((\\w{1000}){1000}){1000}"),
        std::string("(.{0,1000}){9}(.{0,1000}a){9}")}) {
    const std::vector<Regex> patterns = ParseAll({source});
    const auto dfa = Dfa::Build(patterns);
    ASSERT_FALSE(dfa.has_value()) << source;
    EXPECT_FALSE(dfa.error().empty());
  }
  const std::vector<Regex> patterns = ParseAll({"abcdefgh"});
  EXPECT_FALSE(Dfa::Build(patterns, 8).has_value());
  EXPECT_TRUE(Dfa::Build(patterns, 9).has_value());
}

std::vector<std::string> PythonLikePatterns() {
  std::vector<std::string> patterns;
  for (const char* word :
       {"False",   "None",     "True",     "and",    "as",   "assert", "async",  "await",
        "break",   "class",    "continue", "def",    "del",  "elif",   "else",   "except",
        "finally", "for",      "from",     "global", "if",   "import", "in",     "is",
        "lambda",  "nonlocal", "not",      "or",     "pass", "raise",  "return", "try",
        "while",   "with",     "yield",    "match",  "case", "type",   "_"}) {
    patterns.emplace_back(word);
  }
  for (const char* op : {"+",  "-",   "*",  "**", "/",  "//", "%",  "@",   "<<",  ">>",  "&",  "|",
                         "^",  "~",   ":=", "<",  ">",  "<=", ">=", "==",  "!=",  "(",   ")",  "[",
                         "]",  "{",   "}",  ",",  ":",  ".",  ";",  "=",   "->",  "+=",  "-=", "*=",
                         "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=", "..."}) {
    patterns.push_back(EscapeRegex(op));
  }
  patterns.insert(patterns.end(), {"(_|\\p{XID_Start})\\p{XID_Continue}*", "0[xX](_?[0-9a-fA-F])+",
                                   "0[bB](_?[01])+", "0[oO](_?[0-7])+", "[1-9](_?[0-9])*|0(_?0)*",
                                   "([0-9](_?[0-9])*)?\\.[0-9](_?[0-9])*([eE][-+]?[0-9](_?[0-9])*)?"
                                   "|[0-9](_?[0-9])*[eE][-+]?[0-9](_?[0-9])*",
                                   "([rR]|[uU]|[bB][rR]?)?\"([^\"\\\\\\n]|\\\\(?s:.))*\"",
                                   "([rR]|[uU]|[bB][rR]?)?'([^'\\\\\\n]|\\\\(?s:.))*'",
                                   "([rR]|[uU])?\"\"\"(\"?\"?([^\"\\\\]|\\\\(?s:.)))*\"\"\"",
                                   "([rR]|[uU])?'''('?'?([^'\\\\]|\\\\(?s:.)))*'''", "#[^\\n]*",
                                   "\\r?\\n", "[ \\t\\f]+", "\\\\\\r?\\n"});
  return patterns;
}

TEST(Dfa, CompilesAPythonLikeLexerToAFewHundredStates) {
  const std::vector<Regex> patterns = ParseAll(PythonLikePatterns());
  const auto dfa = Dfa::Build(patterns);
  ASSERT_TRUE(dfa.has_value()) << dfa.error();
  RecordProperty("states", static_cast<int>(dfa->size()));
  EXPECT_LT(dfa->size(), 1000u);
  EXPECT_EQ(WhyNotMinimal(*dfa), "");
}

}  // namespace
}  // namespace tenon::constraint
