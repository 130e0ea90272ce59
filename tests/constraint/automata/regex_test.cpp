#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex.h"
#include "tests/constraint/automata/dfa_match.h"

namespace tenon::constraint {
namespace {

Dfa Compile(std::string_view pattern, std::string_view flags = "") {
  const auto regex = ParseRegex(pattern, flags);
  EXPECT_TRUE(regex.has_value()) << pattern << ": " << (regex ? "" : regex.error().message);
  const std::vector<Regex> patterns = {*regex};
  auto dfa = Dfa::Build(patterns);
  EXPECT_TRUE(dfa.has_value()) << (dfa ? "" : dfa.error());
  return *dfa;
}

struct MatchCase {
  std::string_view pattern, flags, text;
  bool matches;
};

void PrintTo(const MatchCase& c, std::ostream* out) {
  *out << '/' << c.pattern << '/' << c.flags << " on " << c.text;
}

class RegexMatch : public testing::TestWithParam<MatchCase> {};

TEST_P(RegexMatch, AgreesWithPython) {
  const MatchCase& c = GetParam();
  EXPECT_EQ(Matches(Compile(c.pattern, c.flags), c.text), c.matches)
      << "/" << c.pattern << "/" << c.flags << " on " << c.text;
}

// Every verdict is that of Python 3.11's re.fullmatch, where it knows the construct.
INSTANTIATE_TEST_SUITE_P(
    Table, RegexMatch,
    testing::Values(
        MatchCase{"", "", "", true}, MatchCase{"", "", "a", false}, MatchCase{"a|", "", "", true},
        MatchCase{"(?:a|b)c", "", "bc", true}, MatchCase{"a{2}", "", "aa", true},
        MatchCase{"a{2}", "", "aaa", false}, MatchCase{"a{2,}", "", "aaaa", true},
        MatchCase{"a{,2}", "", "", true}, MatchCase{"a{,2}", "", "aaa", false},
        MatchCase{"a{,}", "", "aaaa", true}, MatchCase{"a{1,2}", "", "aa", true},
        MatchCase{"a{0}", "", "", true}, MatchCase{"a{0}", "", "a", false},
        MatchCase{"a{", "", "a{", true}, MatchCase{"a{}", "", "a{}", true},
        MatchCase{"a{x}", "", "a{x}", true}, MatchCase{"{1", "", "{1", true},
        MatchCase{".", "", "\n", false}, MatchCase{".", "s", "\n", true},
        MatchCase{"(?s).", "", "\n", true}, MatchCase{"(?s:.).", "", "\n\n", false},
        MatchCase{".", "", "\xc3\xa9", true}, MatchCase{"\\.", "", "x", false},
        MatchCase{"[.]", "", "x", false}, MatchCase{"[]a]", "", "]", true},
        MatchCase{"[^]a]", "", "]", false}, MatchCase{"[a-]", "", "-", true},
        MatchCase{"[-a]", "", "-", true}, MatchCase{"[\\]\\-]", "", "-", true},
        MatchCase{"[a\\d]", "", "7", true}, MatchCase{"[^\\d]", "", "7", false},
        MatchCase{"[[]", "", "[", true}, MatchCase{"[\\b]", "", "\b", true},
        MatchCase{"\\x41\\u0042\\U00000043\\104\\0", "", std::string_view("ABCD\0", 5), true},
        MatchCase{"\\a\\f\\n\\r\\t\\v", "", "\a\f\n\r\t\v", true},
        MatchCase{"\\/\\\"\\ ", "", "/\" ", true}, MatchCase{"\\d", "", "\xd9\xa3", true},
        MatchCase{"\\D", "", "\xd9\xa3", false}, MatchCase{"\\d", "", "\xc2\xb2", false},
        MatchCase{"\\w", "", "\xc2\xb2", true}, MatchCase{"\\w", "", "_", true},
        MatchCase{"\\w", "", "\xcc\x81", false}, MatchCase{"\\W", "", "-", true},
        MatchCase{"\\s", "", "\x1c", true}, MatchCase{"\\s", "", "\xc2\x85", true},
        MatchCase{"\\S", "", " ", false}, MatchCase{"\\s", "", "\xe2\x80\x8b", false},
        MatchCase{"abc", "i", "aBC", true}, MatchCase{"[a-c]", "i", "B", true},
        MatchCase{"[^a]", "i", "A", false}, MatchCase{"k", "i", "\xe2\x84\xaa", true},
        MatchCase{"\xc3\xa9", "i", "\xc3\x89", true}, MatchCase{"(?i)a", "", "A", true},
        MatchCase{"(?i:a)b", "", "AB", false}, MatchCase{"(?i:a)b", "", "Ab", true},
        MatchCase{"a b # note\n c", "x", "abc", true}, MatchCase{"a\\ b[ ]", "x", "a b ", true},
        MatchCase{"a +", "x", "aa", true}, MatchCase{"a b", "", "ab", false},
        MatchCase{"\\p{Lu}", "", "\xc3\x89", true}, MatchCase{"\\P{Lu}", "", "A", false},
        MatchCase{"[\\p{Nd}_]", "", "_", true},
        MatchCase{"\\p{XID_Start}\\p{XID_Continue}*", "", "caf\xc3\xa9_9", true},
        MatchCase{"\\p{XID_Start}", "", "9", false}, MatchCase{"(a*)*", "", "aaa", true},
        MatchCase{"((a|b)*|c)+", "", "abcab", true}, MatchCase{"a", "m", "a", true}));

struct RefusalCase {
  std::string_view pattern, flags;
  size_t offset;
  std::string_view says;
};

void PrintTo(const RefusalCase& c, std::ostream* out) {
  *out << '/' << c.pattern << '/' << c.flags;
}

class RegexRefusal : public testing::TestWithParam<RefusalCase> {};

TEST_P(RegexRefusal, NamesThePlace) {
  const RefusalCase& c = GetParam();
  const auto regex = ParseRegex(c.pattern, c.flags);
  ASSERT_FALSE(regex.has_value()) << c.pattern;
  EXPECT_EQ(regex.error().offset_bytes, c.offset) << c.pattern << ": " << regex.error().message;
  EXPECT_NE(regex.error().message.find(c.says), std::string::npos)
      << c.pattern << ": " << regex.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Table, RegexRefusal,
    testing::Values(
        RefusalCase{"ab(?=c)", "", 2, "look-ahead"}, RefusalCase{"(?!c)", "", 0, "look-ahead"},
        RefusalCase{"a(?<=a)", "", 1, "look-behind"}, RefusalCase{"a(?<!a)", "", 1, "look-behind"},
        RefusalCase{"(?P<n>a)", "", 0, "named"}, RefusalCase{"(?<n>a)", "", 0, "named"},

        RefusalCase{"(?#c)", "", 0, "comments"}, RefusalCase{"^a", "", 0, "anchors"},
        RefusalCase{"a$", "", 1, "anchors"}, RefusalCase{"a\\b", "", 1, "anchors"},
        RefusalCase{"\\Za", "", 0, "anchors"}, RefusalCase{"a*+", "", 1, "possessive"},
        RefusalCase{"a**", "", 2, "quantifier"}, RefusalCase{"a*{2}", "", 2, "quantifiers"},
        RefusalCase{"*a", "", 0, "nothing to repeat"},
        RefusalCase{"(|+)", "", 2, "nothing to repeat"}, RefusalCase{"a{3,2}", "", 1, "lower end"},
        RefusalCase{"a{1001}", "", 1, "1000"},
        RefusalCase{"a{99999999999999999999}", "", 1, "1000"},
        RefusalCase{"(a", "", 0, "never closed"}, RefusalCase{"x(?:a", "", 1, "never closed"},
        RefusalCase{"a)", "", 1, "unmatched"}, RefusalCase{"x[a", "", 1, "never closed"},
        RefusalCase{"[]", "", 0, "never closed"}, RefusalCase{"[b-a]", "", 1, "reversed"},
        RefusalCase{"[\\d-z]", "", 1, "range"}, RefusalCase{"a\\", "", 1, "backslash"},
        RefusalCase{"\\q", "", 0, "unknown escape"}, RefusalCase{"[\\1]", "", 1, "octal"},
        RefusalCase{"\\777", "", 0, "octal"}, RefusalCase{"\\x4", "", 0, "hexadecimal"},
        RefusalCase{"\\ud800", "", 0, "surrogates"}, RefusalCase{"\\U00110000", "", 0, "10FFFF"},
        RefusalCase{"\\p{Nope}", "", 0, "unknown property"}, RefusalCase{"\\pL", "", 0, "braces"},
        RefusalCase{"a", "iz", 0, "unknown flag 'z'"},
        RefusalCase{"(?iz)a", "", 3, "unknown flag 'z'"},
        RefusalCase{"a(?i)b", "", 1, "very start"},
        RefusalCase{"(?-i:a)", "", 0, "switching flags off"}, RefusalCase{"a\xff", "", 1, "UTF-8"},
        RefusalCase{"[\xc3]", "", 1, "UTF-8"}));

TEST(Regex, RefusesDeepNestingInsteadOfOverflowing) {
  const std::string deep(100000, '(');
  EXPECT_FALSE(ParseRegex(deep).has_value());
}

TEST(Regex, EscapedTextMatchesItselfOnly) {
  std::string all;
  for (char c = 1; c < 127; ++c) all.push_back(c);
  all += "\x7f\xc3\xa9\xf0\x9f\x98\x80";
  EXPECT_TRUE(Matches(Compile(EscapeRegex(all)), all));
  EXPECT_TRUE(Matches(Compile(EscapeRegex(all), "x"), all));
  for (const char c : std::string_view(".*+?()[]{}|^$\\#- \n")) {
    const std::string one(1, c);
    EXPECT_TRUE(Matches(Compile(EscapeRegex(one)), one)) << one;
    EXPECT_FALSE(Matches(Compile(EscapeRegex(one)), "a")) << one;
    EXPECT_FALSE(Matches(Compile(EscapeRegex(one)), "")) << one;
  }
}

TEST(Regex, KnowsWhatMatchesTheEmptyTextAndNothing) {
  for (const std::string_view pattern : {"", "a*", "(a|b*)", "a?b?", "a{0,3}", "(a?){4}", "a|"}) {
    EXPECT_TRUE(MatchesEmpty(*ParseRegex(pattern))) << pattern;
  }
  for (const std::string_view pattern : {"a", "a+", "a?b", "[^\\s\\S]", "(a?){4}b"})
    EXPECT_FALSE(MatchesEmpty(*ParseRegex(pattern))) << pattern;
  for (const std::string_view pattern : {"[^\\s\\S]", "a[^\\s\\S]", "([^\\s\\S])+"})
    EXPECT_TRUE(MatchesNothing(*ParseRegex(pattern))) << pattern;
  for (const std::string_view pattern : {"[^\\s\\S]*", "a|[^\\s\\S]", ""})
    EXPECT_FALSE(MatchesNothing(*ParseRegex(pattern))) << pattern;
}

}  // namespace
}  // namespace tenon::constraint
