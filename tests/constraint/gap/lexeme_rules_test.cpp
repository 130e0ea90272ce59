// What lexemes keep to besides their patterns: numbers of digits (`%most`) against every short
// text, names of characters (`%character_names`) against every cut of texts that hold some.
#include <algorithm>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/characters/character_names.h"
#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask_store.h"
#include "constraint/reading/branch.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/mask_questions.h"
#include "tests/constraint/short_texts.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const Language> Compile(const std::string& text) {
  auto compiled = Language::Compile(text, "rules.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

std::string CompileError(const std::string& text) {
  auto compiled = Language::Compile(text, "rules.lark");
  return compiled ? "" : compiled.error().ToString();
}

// Integers have at most so many digits, reals any number.
std::string Numbers(int most) {
  return R"lark(
start: item+
item: INTEGER | REAL | "x"
INTEGER: /1(_?1)*/
REAL: /1(_?1)*\.1*/
%ignore / +/
%most )lark" +
         std::to_string(most) + R"lark( "digits" /[0-9]/ in INTEGER
)lark";
}

bool NumbersFit(const std::string& text, int most) {
  bool any = false;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    any = true;
    if (text[i] == 'x') {
      ++i;
      continue;
    }
    if (text[i] != '1') return false;
    int digits = 0;
    while (i < text.size() &&
           (text[i] == '1' || (text[i] == '_' && i + 1 < text.size() && text[i + 1] == '1'))) {
      digits += text[i] == '1';
      ++i;
    }
    if (i < text.size() && text[i] == '.') {
      for (++i; i < text.size() && text[i] == '1';) ++i;
    } else if (digits > most) {
      return false;
    }
  }
  return any;
}

TEST(LexemeRules, CountsAreExactInWholeTextsAndAtGaps) {
  constexpr int kDigits = 2;
  const auto language = Compile(Numbers(kDigits));
  ASSERT_NE(language, nullptr);
  const std::string alphabet = "1_.x ";
  std::unordered_set<std::string> gaps;
  constexpr size_t kContext = 3;
  for (const std::string& text : ShortTexts(alphabet, 7)) {
    const bool fits = NumbersFit(text, kDigits);
    ASSERT_EQ(Check(*language, text, Strength::kAccept).valid, fits) << Shown(text);
    for (size_t i = 0; fits && i <= std::min(kContext, text.size()); ++i) {
      for (size_t j = 0; j <= std::min(kContext, text.size() - i); ++j)
        gaps.insert(text.substr(0, i) + '\0' + text.substr(text.size() - j));
    }
  }
  size_t viable = 0, members = 0, closed = 0;
  size_t claimed = 0;  // where W begins what R goes on with, its own digits are not counted
  for (const std::string& right : ShortTexts(alphabet, kContext)) {
    GapQuestions questions(language, right);
    for (const std::string& left : ShortTexts(alphabet, kContext)) {
      const bool is_gap = gaps.contains(left + '\0' + right);
      const bool is_viable = questions.Viable(left), is_member = questions.Member(left);
      ASSERT_EQ(is_member, NumbersFit(left + right, kDigits))
          << Shown(left) << " | " << Shown(right);
      ASSERT_TRUE(is_viable || !is_gap) << "missed: " << Shown(left) << " | " << Shown(right);
      viable += is_viable;
      members += is_member;
      if (!is_viable || is_gap) continue;
      // Only a longer text may close it.
      const auto closing = FindClosing(OpenExact(language, left, right));
      ASSERT_TRUE(!closing || NumbersFit(left + closing->text + right, kDigits))
          << Shown(left) << " | " << Shown(right);
      ++(closing ? closed : claimed);
    }
  }
  std::cout << viable << " viable, " << members << " members, " << closed
            << " closed by longer texts alone, " << claimed << " not closed\n";
  EXPECT_GT(members, 1000u);
  EXPECT_LT(claimed, viable / 50);
}

TEST(LexemeRules, MasksAreWhatTryingEveryTokenSays) {
  std::mt19937 random(20261122);
  const auto language = Compile(Numbers(12));  // more than a token has
  ASSERT_NE(language, nullptr);
  const auto vocabulary =
      std::make_shared<const TokenVocabulary>(SmallVocabulary("1_.x ", 3, 300, random));
  const auto store = MaskStore::Build(language, vocabulary);
  MaskTally tally;
  for (size_t digits = 0; digits < 16; ++digits) {
    for (const char* behind : {"", "_", ".", " ", "1x"}) {
      for (const char* right : {"", "1", "11 x", ".1", "1_1111"})
        FollowMasks(store, language, std::string(digits, '1') + behind, right, 4, random, tally);
    }
  }
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GT(tally.allowed, 1000u);
  const auto tight = Compile(Numbers(2));  // fewer than a token has
  const auto tight_store = MaskStore::Build(tight, vocabulary);
  for (const char* left : {"", "1", "11", "x1_1", "111"})
    FollowMasks(tight_store, tight, left, "x", 4, random, tally);
  EXPECT_EQ(tally.wrong, 0u);
  std::cout << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
}

const char* const kNames = R"lark(
start: STRING+
STRING: /"([^"\\]|\\[^N]|\\N\{[^}"]+\})*"/
BAD: /"([^"\\]|\\[^N]|\\N\{[^}"]+\})*(\\(N(\{[^}"]*)?)?)?/
%ignore / +/
%poison BAD
%delimited STRING
%character_names STRING between "\\N{" "}"
)lark";

// Texts, and whether all the names in them are names.
const std::pair<std::string, bool> kNamedTexts[] = {
    {R"("a\N{DIGIT ONE}b" "\N{LF}")", true},
    {R"("\\N{x}\N{nbsp}")", true},
    {R"("\N{CJK UNIFIED IDEOGRAPH-4E00}")", true},
    {R"("\N{Hangul Choseong Kiyeok}\N{HANGUL SYLLABLE GAG}")", true},
    {R"("\N{DIGIT ON}")", false},
    {R"("\N{LF}\N{LFX}")", false},
    {R"("\N{ LF}")", false},
    {R"("\N{CJK UNIFIED IDEOGRAPH-}")", false},
    {R"("\N{CJK UNIFIED IDEOGRAPH-4e00}")", false},
    {R"("\N{hangul syllable gag}")", false},
};

TEST(LexemeRules, NamesAreExactAtEveryCut) {
  const auto language = Compile(kNames);
  ASSERT_NE(language, nullptr);
  size_t gaps = 0;
  for (const auto& [text, valid] : kNamedTexts) {
    EXPECT_EQ(Check(*language, text, Strength::kAccept).valid, valid) << text;
    for (size_t i = 0; i <= text.size(); ++i) {
      for (size_t j = i; j <= text.size(); j += 3) {
        const std::string left = text.substr(0, i), middle = text.substr(i, j - i),
                          right = text.substr(j);
        GapState state = OpenExact(language, left, right);
        if (valid) {
          ASSERT_TRUE(state.viable()) << left << " | " << right;
        }
        const bool accepted = state.Accept(middle);
        ASSERT_TRUE(accepted || !valid) << left << " | " << middle << " | " << right;
        EXPECT_EQ(accepted && state.Member(), valid) << left << " | " << middle << " | " << right;
        ++gaps;
      }
    }
  }
  EXPECT_GT(gaps, 1000u);
}

TEST(LexemeRules, NoNameIsWrittenWhereEmissionLeavesThemOut) {
  const auto language =
      Compile(std::string(kNames) + R"(%emit STRING /"([^"\\]|\\[^N])*"/)" + "\n");
  ASSERT_NE(language, nullptr);
  const auto open = [&](const char* left, const char* right) {
    return OpenGap(language, left, right, GapPolicy{});
  };
  EXPECT_FALSE(open(R"("\N{DIGIT )", "").viable());
  EXPECT_TRUE(open(R"("\N{DIGIT )", R"(ONE}")").Member());
  EXPECT_FALSE(open(R"("\N{DIGIT )", R"(ON}")").viable());
  EXPECT_TRUE(open(R"("\N{DIGIT ONE})", R"(\N{LF}")").Member());
  EXPECT_FALSE(open(R"("\N{DIGIT ONE})", R"(\N{LFX}")").Member());
  // Masks need not try tokens one by one, but within a name.
  const LexemeRules& rules = *language->lexeme_rules;
  EXPECT_FALSE(rules.IsPressing(kStartState, {}, 100));
  const GapState within = open(R"("\N{DIGIT )", R"(ONE}")");
  EXPECT_TRUE(rules.IsPressing(within.branches()[0].q, within.branches()[0].progress, 100));
  EXPECT_TRUE(Compile(kNames)->lexeme_rules->IsPressing(kStartState, {}, 100))
      << "names may be written";
}

TEST(LexemeRules, NamesInProgressAreClosedAndWrittenAsNames) {
  const auto language = Compile(kNames);
  ASSERT_NE(language, nullptr);
  for (const std::string left :
       {R"("\N{)", R"("\N{DIGIT )", R"("\N{digit )", R"("\N{CJK UNIFIED IDEOGRAPH-2)",
        R"("\N{HANGUL SYLLABLE )", R"("x" "\N{LATIN SMALL LETTER A WITH)"}) {
    for (const std::string right : {"", " \"b\""}) {
      const GapState state = OpenGap(language, left, right, GapPolicy{});
      const auto closing = FindClosing(state);
      ASSERT_TRUE(closing) << left;
      EXPECT_TRUE(Check(*language, left + closing->text + right, Strength::kAccept).valid)
          << left << closing->text;
    }
  }
  std::mt19937 random(20261124);
  const auto vocabulary =
      std::make_shared<const TokenVocabulary>(SmallVocabulary("\"\\N{}LF ", 2, 200, random));
  const auto store = MaskStore::Build(language, vocabulary);
  MaskTally tally;
  for (const auto& [text, valid] : kNamedTexts) {
    for (size_t i = 0; i <= text.size(); i += 2) {
      for (const std::string& right : {std::string(), text.substr(i)})
        FollowMasks(store, language, text.substr(0, i), right, 3, random, tally);
    }
  }
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GT(tally.allowed, 1000u);
}

TEST(LexemeRules, CharactersAreCalledByNamesAndAliases) {
  const CharacterNames& names = CharacterNames::Get();
  for (const char* name :
       {"LATIN SMALL LETTER A", "latin small letter a", "LINE FEED", "lf", "VS256", "BELL", "ALERT",
        "WEIERSTRASS ELLIPTIC FUNCTION", "NUSHU CHARACTER-1B170",
        "CJK COMPATIBILITY IDEOGRAPH-F900", "CJK UNIFIED IDEOGRAPH-4E00",
        "CJK UNIFIED IDEOGRAPH-04E00", "CJK UNIFIED IDEOGRAPH-2EBF0", "HANGUL SYLLABLE GAG",
        "IDEOGRAPHIC DESCRIPTION CHARACTER SUBTRACTION"})
    EXPECT_TRUE(names.IsName(name)) << name;
  for (const char* name :
       {"", "LATIN SMALL LETTER", "LATIN SMALL  LETTER A", "LATIN_SMALL_LETTER_A",
        "KEYCAP DIGIT ONE", "VS257", "CJK UNIFIED IDEOGRAPH-", "CJK UNIFIED IDEOGRAPH-4e00",
        "CJK UNIFIED IDEOGRAPH-2FA1D", "CJK UNIFIED IDEOGRAPH-004E00", "cjk unified ideograph-4E00",
        "HANGUL SYLLABLE gag", "TANGUT IDEOGRAPH-17000", "<control>"})
    EXPECT_FALSE(names.IsName(name)) << name;
}

TEST(LexemeRules, MessagesSayWhatIsBroken) {
  const auto said = [](const std::string& grammar, const std::string& text) {
    const CheckResult result = Check(*Compile(grammar), text, Strength::kAccept);
    return std::to_string(result.offset_bytes) + ": " + result.message;
  };
  EXPECT_EQ(said(Numbers(2), "x 1_11"), "2: there are more than 2 digits in it");
  EXPECT_EQ(said(kNames, R"("a" "b\N{LF}\N{NO SUCH}")"), R"(12: no character is called 'NO SUCH')");
}

TEST(LexemeRules, BadLinesAreNamedWithTheirRemedy) {
  const std::string rules = "start: A | B\nA: /[0-9]+/\nB: /[0-9]+x/\n";
  EXPECT_EQ(CompileError(rules + "%most 3 \"digits\" /[0-9]+/ in A\n"),
            "rules.lark:4:18: what is counted are characters of ASCII, as in /[0-9]/");
  EXPECT_EQ(CompileError(rules + "%most 3 \"digits\" /[0-9]/ A\n"),
            "rules.lark:4:27: expected 'in' and terminals, as in '%most 20 \"digits\" /[0-9]/ in "
            "NUMBER'");
  EXPECT_EQ(CompileError(rules + "%most 0 \"digits\" /[0-9]/ in A\n"),
            "rules.lark:4:7: the number is one from 1 to 1000000");
  EXPECT_EQ(CompileError(rules + "%most 3 \"digits\" /[0-9]/ in A A\n"),
            "rules.lark:4:31: 'A' keeps to this line or another one already");
  EXPECT_EQ(
      CompileError(rules + "%most 3 \"digits\" /[0-9]/ in A\n%most 4 \"digits\" /[0-9]/ in B\n"),
      "rules.lark: lexemes of A and B begin alike and keep to different lines ('%most', "
      "'%character_names')");
  EXPECT_EQ(CompileError(rules + "%character_names A between \"\" \"}\"\n"),
            "rules.lark:4:28: a name stands between one to 8 bytes and a single one");
  EXPECT_EQ(CompileError(rules + "%character_names A \"{\" \"}\"\n"),
            "rules.lark:4:27: expected terminals, and what stands around a name, as in "
            "'%character_names STRING between \"\\\\N{\" \"}\"'");
}

}  // namespace
}  // namespace tenon::constraint
