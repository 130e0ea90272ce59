// Back-references, lazy repetition and atomic groups.

#include <array>
#include <iostream>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex.h"
#include "constraint/automata/regex_first_match.h"
#include "constraint/automata/regex_quotient.h"
#include "tests/constraint/automata/dfa_match.h"
#include "tests/constraint/short_texts.h"
#include "tests/oracle/backtracking_regex.h"
#include "tests/oracle/seed.h"

namespace tenon::constraint {
namespace {

using oracle::BacktrackingRegex;

Dfa Compile(const Regex& regex) {
  auto dfa = Dfa::Build(std::span(&regex, 1));
  EXPECT_TRUE(dfa.has_value()) << (dfa ? "" : dfa.error());
  return *dfa;
}

struct MatchCase {
  std::string_view pattern, flags;
  std::vector<std::string_view> matches, others;
};

void PrintTo(const MatchCase& c, std::ostream* out) { *out << '/' << c.pattern << '/' << c.flags; }

class ReferenceMatch : public testing::TestWithParam<MatchCase> {};

TEST_P(ReferenceMatch, AgreesWithPython) {
  const MatchCase& c = GetParam();
  const auto regex = ParseRegex(c.pattern, c.flags);
  ASSERT_TRUE(regex) << regex.error().message;
  const Dfa dfa = Compile(*regex);
  for (const std::string_view text : c.matches) EXPECT_TRUE(Matches(dfa, text)) << text;
  for (const std::string_view text : c.others) EXPECT_FALSE(Matches(dfa, text)) << text;
}

// The verdicts are those of Python 3.11: re.match finds the whole of a text that matches, and
// another end or none for the others.
INSTANTIATE_TEST_SUITE_P(
    Table, ReferenceMatch,
    testing::Values(
        // Delimiters of real languages.
        MatchCase{"r(#{0,16})\"(?s:.)*?\"\\1",
                  "",
                  {"r\"\"", "r#\"\"#", "r##\"a\"#b\"##", "r\"#\"", "r#\"\"\"\n\"#",
                   "r################\"\"################"},
                  {"r\"", "r#\"\"", "r#\"\"##", "r\"a\"b\"", "r##\"a\"##\"##",
                   "r#################\"\"#################"}},
        MatchCase{"\\[(={0,8})\\[(?s:.)*?\\]\\1\\]",
                  "",
                  {"[[]]", "[=[]]=]", "[[a]b]]", "[==[]=]]]==]", "[[]=]]", "[=[\n]]]=]"},
                  {"[[]", "[=[]]", "[[]]]", "[[]]]]", "[=[]=]]=]", "[[[]=]"}},
        MatchCase{"\\$(body|func|)\\$(?s:.)*?\\$\\1\\$",
                  "",
                  {"$$$$", "$$ $body$ $$", "$body$$$ $func$ $body$", "$func$$func$"},
                  {"$body$$$", "$tag$$tag$", "$$a$$b$$", "$body$ $body$ $body$"}},
        MatchCase{"\\/\\*(?s:.)*?\\*\\/",
                  "",
                  {"/**/", "/***/", "/*/*/", "/* * / \n */"},
                  {"/*/", "/**/*/", "/*a*/b*/"}},
        MatchCase{"<!--.*?-->",
                  "s",
                  {"<!---->", "<!-- -- -> -->", "<!----->"},
                  {"<!-->", "<!-- --> -->", "<!-- --"}},
        MatchCase{"(\"\"\"|''').*?\\1",
                  "s",
                  {"\"\"\"'''\"\"\"", "''''''", "'''a''b'''"},
                  {"\"\"\"'''", "'''''''", "'''''"}},
        // Back-references.
        MatchCase{"(a|bc)\\1", "", {"aa", "bcbc"}, {"abc", "bca", "a", "bc", ""}},
        MatchCase{"(a|)b\\1", "", {"b", "aba"}, {"ba", "ab"}},
        MatchCase{"(a|b)(c|d)\\2\\1", "", {"acca", "bddb", "adda"}, {"acac", "accb"}},
        MatchCase{"((a|b)\\2)x\\1", "", {"aaxaa", "bbxbb"}, {"aaxbb", "abxab"}},
        MatchCase{"(?:(a|b)x\\1)*", "", {"", "axa", "axabxb"}, {"axb", "axaxa"}},
        MatchCase{"(a|b)(?:x\\1)*", "", {"a", "axaxa", "bxb"}, {"axb", "axaxb"}},
        MatchCase{"(a|b)\\1{2}", "", {"aaa", "bbb"}, {"aab", "aa"}},
        MatchCase{"(a|b)\\1?c", "", {"ac", "bbc"}, {"abc"}},
        MatchCase{"(a)(b)(c)(d)(e)(f)(g)(h)(i)(j|k)\\10",
                  "",
                  {"abcdefghijj", "abcdefghikk"},
                  {"abcdefghija0"}},
        MatchCase{"(a|b)\\061\\1", "", {"a1a"}, {"b1a"}},
        MatchCase{"(A|b)\\1", "i", {"aA", "Bb"}, {"aB"}},
        MatchCase{"(a|A)(?i:\\1)", "", {"aA", "Aa", "aa"}, {"ab"}},
        MatchCase{"(\xc3\xa9|\xe2\x82\xac)\\1", "", {"\xc3\xa9\xc3\xa9"}, {"\xc3\xa9\xe2\x82\xac"}},
        // Lazy repetition.
        MatchCase{"a*?b", "", {"b", "aab"}, {"a", "abb"}}, MatchCase{"a+?", "", {"a"}, {"", "aa"}},
        MatchCase{"a{2,4}?b", "", {"aab", "aaaab"}, {"ab", "aaaaab"}},
        MatchCase{"a??b", "", {"b", "ab"}, {"aab"}},
        MatchCase{"a.*?b.*?c", "", {"abc", "axbbc", "abbc"}, {"abcc", "acb", "abcbc"}},
        MatchCase{".*?(a|b)\\1", "", {"aa", "abb", "ababb"}, {"aabb", "ab"}},
        MatchCase{"x(?:a.*?b|c)d", "", {"xabd", "xabbd", "xcd"}, {"xabdbd", "xad"}},
        MatchCase{
            "\"(?:[^\\\\]|\\\\.)*?\"", "s", {"\"\"", "\"\\\"\"", "\"\\\\\""}, {"\"\\\"", "\"\"\""}},
        MatchCase{".*?\xe2\x82\xac",
                  "",
                  {"\xe2\x82\xac", "\xe2\x82\xad\xe2\x82\xac"},
                  {"\xe2\x82\xac\xe2\x82\xac"}},
        MatchCase{"a .*? b # ends\n", "x", {"ab", "acb"}, {"abb"}},
        // Atomic groups: what follows them is no part of the search.
        MatchCase{"(?>\".*?\")[a-z]*", "", {"\"\"", "\"a\"b"}, {"\"a\"b\"c"}},
        MatchCase{"(?:(?>a.*?b)c)*", "", {"", "abc", "axbcabc"}, {"abbc", "abcbc"}},
        MatchCase{"(?>(#{0,2})a.*?b\\1)#", "", {"ab#", "#ab##"}, {"ab", "#ab#", "abb#"}}));

struct RefusalCase {
  std::string_view pattern;
  size_t offset;
  bool unsupported;
  std::string_view says;
};

void PrintTo(const RefusalCase& c, std::ostream* out) { *out << '/' << c.pattern << '/'; }

class ReferenceRefusal : public testing::TestWithParam<RefusalCase> {};

TEST_P(ReferenceRefusal, NamesThePlaceAndTheRemedy) {
  const RefusalCase& c = GetParam();
  const auto regex = ParseRegex(c.pattern);
  ASSERT_FALSE(regex.has_value());
  EXPECT_EQ(regex.error().offset_bytes, c.offset) << regex.error().message;
  EXPECT_EQ(regex.error().unsupported, c.unsupported) << regex.error().message;
  EXPECT_NE(regex.error().message.find(c.says), std::string::npos) << regex.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Table, ReferenceRefusal,
    testing::Values(
        RefusalCase{"\\1", 0, false, "no group 1"}, RefusalCase{"a\\1(b)", 1, false, "no group 1"},
        RefusalCase{"(a)\\8", 3, false, "no group 8"},
        RefusalCase{"(a\\1)", 2, false, "inside of the group"},
        RefusalCase{"x(#*)\\1", 1, true, "(#{0,16})"},
        RefusalCase{"(a{0,256})\\1", 0, true, "more than 256 texts"},
        RefusalCase{"(.)\\1", 0, true, "more than 256 texts"},
        RefusalCase{"(a{1000}{1})\\1", 8, false, "quantifiers"},
        RefusalCase{"((?:a{1000}){1000})\\1", 0, true, "more than 256 texts"},
        RefusalCase{"(a)*\\1", 4, true, "put \\1 inside"},
        RefusalCase{"(?>(a))\\1", 7, true, "atomic group"},
        RefusalCase{"((a)b)\\1\\2", 8, true, "another group"},
        RefusalCase{"(?:(a)|b)\\1", 9, true, "past the group"},
        RefusalCase{"(?:(a)|\\1)*", 7, true, "past the group"},
        RefusalCase{"(?:a*?b)*", 4, true, "(?>.*?END)"},
        RefusalCase{"(?:a*?)?b", 4, true, "(?>.*?END)"},
        RefusalCase{"(a*?)\\1", 2, true, "(?>.*?END)"},
        RefusalCase{"a*?b+", 1, true, "(?>.*?END)MORE"},
        RefusalCase{"x.*?(?:abc|b)", 2, true, "one text"},
        RefusalCase{"(?:a|ab)*?c", 8, true, "begins another"},
        RefusalCase{"a?(?>b*)", 2, true, "begins another"},
        RefusalCase{"(a{0,99})(b{0,99})(c{0,99})\\1\\2\\3", 0, true, "too many texts together"},
        RefusalCase{"a*??", 3, false, "two quantifiers"},
        RefusalCase{"a*?+", 3, false, "two quantifiers"}, RefusalCase{"(?P=a)", 0, true, "named"}));

struct Tally {
  size_t accepted = 0, refused = 0, matches = 0;
};

void ExpectAgreement(const std::string& pattern, const std::vector<std::string>& texts,
                     Tally& tally) {
  const auto oracle = BacktrackingRegex::Parse(pattern);
  const auto regex = ParseRegex(pattern);
  if (!regex) {
    ASSERT_EQ(oracle.has_value(), regex.error().unsupported)
        << pattern << ": " << regex.error().message;
    ++tally.refused;
    return;
  }
  ASSERT_TRUE(oracle.has_value()) << pattern;
  ++tally.accepted;
  const Dfa dfa = Compile(*regex);
  for (const std::string& text : texts) {
    const bool matches = oracle->Matches(text);
    tally.matches += matches;
    ASSERT_EQ(Matches(dfa, text), matches) << "/" << pattern << "/ on \"" << text << '"';
  }
  // Printed, it is a plain pattern of the same texts.
  const auto again = ParseRegex(RegexText(*regex, RegexStyle::kLark));
  ASSERT_TRUE(again) << pattern << ": " << again.error().message;
  ASSERT_TRUE(IsPart(*regex, *again) && IsPart(*again, *regex)) << pattern;
}

TEST(RegexReferenceOracle, AgreesOnAllSmallPatternsWithLazyRepetition) {
  const std::vector<std::string> texts = ShortTexts("ab", 6);
  Tally tally;
  for (const std::string& pattern : ShortTexts("ab|*+?()", 5)) {
    const auto has = [&](const char* what) { return pattern.find(what) != std::string::npos; };
    if (!has("*?") && !has("+?") && !has("??")) continue;
    if (has("*+") || has("++") || has("?+") || has("(?")) continue;  // not known to the oracle
    ExpectAgreement(pattern, texts, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.accepted, 200u);
  EXPECT_GT(tally.matches, 500u);
}

// Parts that are mostly of use: a few texts in a group, references to it, ends of one text.
class RandomPattern {
 public:
  explicit RandomPattern(uint32_t seed) : random_(seed) {}

  std::string Make() {
    groups_ = 0;
    return Parts(3);
  }

 private:
  size_t Below(size_t n) { return random_() % n; }

  std::string Letters() {
    std::string text;
    for (size_t n = 1 + Below(2); n > 0; --n) text += "abc"[Below(3)];
    return text;
  }

  std::string Parts(int depth) {
    std::string all;
    for (size_t n = 1 + Below(4); n > 0; --n) all += Part(depth);
    return all;
  }

  std::string Part(int depth) {
    constexpr std::array<std::string_view, 8> kLazy = {"*?", "+?", "??",     "{1,2}?",
                                                       "*?", "*?", "{0,2}?", "{2,3}?"};
    constexpr std::array<std::string_view, 5> kGreedy = {"*", "+", "?", "{0,2}", "{1,2}"};
    constexpr std::array<std::string_view, 6> kOne = {".", "[ab]",     "[^b]",
                                                      "a", "(?:ab|c)", "(?:a|bb)"};
    switch (Below(depth > 0 ? 10 : 5)) {
      case 0:
      case 1:
        return Letters();
      case 2:
        return std::string(kOne[Below(kOne.size())]) + std::string(kLazy[Below(kLazy.size())]);
      case 3:
        return groups_ > 0 ? "\\" + std::to_string(1 + Below(groups_)) : Letters();
      case 4:
        return "a" + std::string(kGreedy[Below(kGreedy.size())]);
      case 5:
      case 6: {
        ++groups_;
        return "(" + Letters() + "|" + Part(0) + ")";
      }
      case 7:
        return "(?:" + Parts(depth - 1) + "|" + Parts(depth - 1) + ")";
      case 8:
        return "(?>" + Parts(depth - 1) + ")";
      default:
        return "(?:" + Parts(depth - 1) + ")" + std::string(kGreedy[Below(kGreedy.size())]);
    }
  }

  std::mt19937 random_;
  size_t groups_ = 0;
};

TEST(RegexReferenceOracle, AgreesOnRandomPatterns) {
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomPattern random(seed);
  const std::vector<std::string> texts = ShortTexts("abc", 6);
  Tally tally;
  for (int i = 0; i < 3000; ++i) {
    ExpectAgreement(random.Make(), texts, tally);
    if (HasFatalFailure()) return;
  }
  std::cout << tally.accepted << " patterns, " << tally.refused << " refused, " << tally.matches
            << " matches\n";
  EXPECT_GT(tally.accepted, 500u);
  EXPECT_GT(tally.matches, 5000u);
}

// Long patterns: a run of plain parts is one part, and only so many others may follow one another.
TEST(RegexReference, LongSequencesAreResolvedOrRefused) {
  const std::string letters(9000, 'x');
  const auto plain = ParseRegex("(a|b)" + letters + "\\1");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_TRUE(Matches(Compile(*plain), "b" + letters + "b"));
  EXPECT_FALSE(Matches(Compile(*plain), "b" + letters + "a"));
  std::string references = "(a)";
  for (int i = 0; i < 15000; ++i) references += "\\1";
  const auto many = ParseRegex(references);
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().message.find("more than 2000 parts"), std::string::npos)
      << many.error().message;
}

// What is left of a raw string at either end, against its texts.
TEST(RegexReference, QuotientsAreExact) {
  const auto regex = ParseRegex("r(#{0,2})\"[^x]*?\"\\1");
  ASSERT_TRUE(regex);
  const Dfa whole = Compile(*regex);
  const std::vector<std::string> texts = ShortTexts("r#\"", 4);
  size_t matches = 0;
  for (const std::string_view end :
       {"r", "r#", "r#\"", "r##\"\"#", "\"", "#", "\"#", "\"##", "\"\"##"}) {
    const auto after = LeftQuotient(*regex, end), before = RightQuotient(*regex, end);
    for (const std::string& text : texts) {
      const bool left = Matches(whole, std::string(end) + text),
                 right = Matches(whole, text + std::string(end));
      EXPECT_EQ(after && Matches(Compile(*after), text), left) << end << " | " << text;
      EXPECT_EQ(before && Matches(Compile(*before), text), right) << text << " | " << end;
      matches += left + right;
    }
  }
  EXPECT_GT(matches, 20u);
}

// Against the definition: some text goes on behind the opener to a lexeme, and is none itself.
TEST(RegexReference, UnfinishedIsWhatBeginsLikeATextAndIsNone) {
  for (const std::string_view pattern :
       {"r(#{0,1})\"[^x]*?\"\\1", "r\"#*|r\"\"\"#", "(?:r|\")*#", "r[^x]*?\"\"#"}) {
    const auto whole = ParseRegex(pattern);
    ASSERT_TRUE(whole) << whole.error().message;
    const Dfa all = Compile(*whole), opened = Compile(*ParseRegex("r#?\""));
    const auto unfinished = Unfinished(*whole, *ParseRegex("r#?\""));
    ASSERT_TRUE(unfinished);
    const Dfa made = Compile(*unfinished);
    const std::vector<std::string> texts = ShortTexts("r#\"", 5), ends = ShortTexts("r#\"", 4);
    size_t matches = 0;
    for (const std::string& text : texts) {
      bool begins = false, goes_on = false;
      for (size_t i = 0; i <= text.size(); ++i)
        begins = begins || Matches(opened, text.substr(0, i));
      for (const std::string& end : ends) goes_on = goes_on || Matches(all, text + end);
      EXPECT_EQ(Matches(made, text), begins && goes_on && !Matches(all, text))
          << pattern << " on " << text;
      matches += begins && goes_on && !Matches(all, text);
    }
    EXPECT_GT(matches, 1u) << pattern;
  }
}

TEST(RegexReference, PatternsBehindOthersNameTheirOwnGroups) {
  const auto moved = RenumberedAfter("(a|b)(c)\\1\\2*[\\101]", "", 3);
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->pattern, "(a|b)(c)(?:\\4)(?:\\5)*[\\101]");
  EXPECT_EQ(moved->groups, 2u);
  EXPECT_EQ(RenumberedAfter("(?:a)\\(b", "", 7)->pattern, "(?:a)\\(b");
  EXPECT_EQ(RenumberedAfter("(a)# \\1 (\n\\1", "x", 1)->pattern, "(a)# \\1 (\n(?:\\2)");
  const auto far = RenumberedAfter("x(a)\\1", "", 99);
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().offset_bytes, 4u);
}

}  // namespace
}  // namespace tenon::constraint
