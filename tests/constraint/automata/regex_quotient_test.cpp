#include "constraint/automata/regex_quotient.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/automata/dfa.h"
#include "tests/constraint/automata/dfa_match.h"

namespace tenon::constraint {
namespace {

Regex Parsed(const std::string& pattern) {
  auto regex = ParseRegex(pattern);
  EXPECT_TRUE(regex) << pattern << ": " << (regex ? "" : regex.error().message);
  return regex ? *regex : *ParseRegex("x");
}

Dfa Compiled(const Regex& regex) {
  const std::vector<Regex> one = {regex};
  return *Dfa::Build(one);
}

std::string RandomPattern(std::mt19937& random, int depth) {
  const unsigned r = random() % 100;
  if (depth == 0 || r < 35) {
    const std::vector<std::string> atoms{"a", "b", "[ab]", "[^a]", "\xc3\xa9", "."};
    return atoms[random() % atoms.size()];
  }
  const std::string first = RandomPattern(random, depth - 1);
  if (r < 65) return first + RandomPattern(random, depth - 1);
  if (r < 80) return "(" + first + "|" + RandomPattern(random, depth - 1) + ")";
  const std::vector<std::string> operators{"*", "+", "?", "{2}", "{1,2}", "{2,}", "{0,1}"};
  return "(" + first + ")" + operators[random() % operators.size()];
}

std::vector<std::string> Texts(size_t longest) {
  std::vector<std::string> all{""};
  for (size_t begin = 0, length = 0; length < longest; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const char* c : {"a", "b", "\xc3\xa9"}) all.push_back(all[begin] + c);
    }
  }
  return all;
}

// Every quotient by every short text, printed and read again, against the definition.
TEST(RegexQuotient, AgreesWithItsDefinitionOnRandomPatterns) {
  constexpr unsigned kSeed = 5;
  std::mt19937 random(kSeed);
  size_t matched = 0;
  for (int round = 0; round < 150; ++round) {
    const std::string pattern = RandomPattern(random, 3);
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", pattern " + pattern);
    const Regex whole = Parsed(pattern);
    const Dfa dfa = Compiled(whole);
    for (const std::string& taken : Texts(2)) {
      for (const bool left : {true, false}) {
        const auto quotient = left ? LeftQuotient(whole, taken) : RightQuotient(whole, taken);
        const auto rest =
            quotient ? std::optional(Compiled(Parsed(RegexText(*quotient, RegexStyle::kLark))))
                     : std::nullopt;
        const auto strict = quotient ? WithoutEmpty(*quotient) : std::nullopt;
        const auto strict_rest = strict ? std::optional(Compiled(*strict)) : std::nullopt;
        for (const std::string& text : Texts(3)) {
          const bool expected = Matches(dfa, left ? taken + text : text + taken);
          matched += expected;
          ASSERT_EQ(rest && Matches(*rest, text), expected)
              << (left ? taken + " then " + text : text + " then " + taken);
          ASSERT_EQ(strict_rest && Matches(*strict_rest, text), expected && !text.empty()) << text;
        }
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(matched, 5000u);
}

TEST(RegexQuotient, KeepsTheNamesOfClasses) {
  const auto text = [](const std::string& pattern, const std::string& taken) {
    return RegexText(*LeftQuotient(Parsed(pattern), taken), RegexStyle::kLark);
  };
  EXPECT_EQ(text("[A-Za-z_]\\w*", "ab"), "\\w*");
  EXPECT_EQ(text("\"[^\"\\\\\\n]*\"", "\"x"), "[^\\n\"\\\\]*\"");
  EXPECT_EQ(text("while", "wh"), "ile");
  EXPECT_EQ(text("a/b|a.c", "a"), "(?:\\/b|.c)");
  EXPECT_EQ(RegexText(*RightQuotient(Parsed("[0-9]+(\\.[0-9]+)?"), ".5"), RegexStyle::kLark),
            "[0-9]+");
  EXPECT_EQ(RegexText(Parsed("(ab|[^c]\\U0001f600){2,3}x"), RegexStyle::kGbnf),
            "([a] [b] | [^c] [\\U0001f600]){2,3} [x]");
}

TEST(RegexQuotient, SaysWhereNothingIsLeft) {
  EXPECT_FALSE(LeftQuotient(Parsed("ab"), "b"));
  EXPECT_FALSE(LeftQuotient(Parsed("ab*"), "\xff"));
  EXPECT_FALSE(RightQuotient(Parsed("ab"), "a"));
  EXPECT_FALSE(WithoutEmpty(Parsed("(a{0})?")));
  EXPECT_TRUE(LeftQuotient(Parsed("ab"), "ab"));
}

TEST(RegexQuotient, TellsPartsFromOthers) {
  EXPECT_TRUE(IsPart(Parsed(" +"), Parsed("[ \\t]+")));
  EXPECT_FALSE(IsPart(Parsed("[ \\n]+"), Parsed("[ \\t]+")));
}

}  // namespace
}  // namespace tenon::constraint
