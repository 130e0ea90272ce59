// Masks of languages whose texts declare names, against trying every token.
#include "constraint/mask/named_tokens.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/gap/gap.h"
#include "constraint/mask/masker.h"
#include "tests/constraint/mask_questions.h"
#include "tests/constraint/names_language.h"

namespace tenon::constraint {
namespace {

TEST(NamedTokens, MasksAreWhatTryingEveryTokenSays) {
  std::mt19937 random(20261124);
  const auto language = Compile(kThings);
  ASSERT_NE(language, nullptr);
  const auto vocabulary =
      std::make_shared<const TokenVocabulary>(SmallVocabulary("dhunab{}0", 2, 300, random));
  const auto store = MaskStore::Build(language, vocabulary);
  MaskTally tally;
  for (const char* left :
       {"", "dab", "dabu", "dabua", "dabuab", "dab{habna", "dab{hab}u", "da{dba}ub", "dabdba{n"}) {
    for (const char* right : {"", "uab", "b", "bna", "}", "uab}u0"})
      FollowMasks(store, language, left, right, 6, random, tally);
  }
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GT(tally.allowed, 1000u);
  std::cout << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
  // A name is begun where one that is declared begins so, and nowhere else.
  const auto open = [&](const char* text) { return OpenGap(language, text, "", GapPolicy{}); };
  EXPECT_TRUE(open("dabu").Check("a"));
  EXPECT_TRUE(open("dabu").Check("ab"));
  EXPECT_FALSE(open("dabu").Check("b"));
  EXPECT_FALSE(open("dabu").Check("aba"));
  EXPECT_FALSE(open("{dab}u").Check("a"));
  EXPECT_FALSE(open("dab{hab u").Check("a"));
}

TEST(NamedTokens, MasksKnowTheConstructAroundThem) {
  std::mt19937 random(20261125);
  const auto language = Compile(kClasses);
  ASSERT_NE(language, nullptr);
  const auto vocabulary =
      std::make_shared<const TokenVocabulary>(SmallVocabulary("class intab{}();=", 2, 300, random));
  const auto store = MaskStore::Build(language, vocabulary);
  MaskTally tally;
  for (const char* left :
       {"", "class ab {", "class ab { a", "class ab { class b { ", "class ab { class b {} "}) {
    for (const char* right : {"", "}", "ab(); }", "b(); } }"})
      FollowMasks(store, language, left, right, 6, random, tally);
  }
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GT(tally.allowed, 500u);
  const auto open = [&](const char* text) { return OpenGap(language, text, "", GapPolicy{}); };
  EXPECT_TRUE(open("class ab { ").Check("ab()"));
  EXPECT_FALSE(open("class ab { ").Check("b()"));
  EXPECT_FALSE(open("class ab { class b { ").Check("ab()"));
  EXPECT_TRUE(open("class ab { class b {} ").Check("ab()"));
}

// Of a few kinds of items, some of which declare names of one or two lines, ask for them, or hold
// others.
std::string RandomNames(std::mt19937& random) {
  std::vector<std::string> items{
      "\"n\" (NAME#not_thing | \"0\")",
      "\"w\" NAME#new_word",
      "\"v\" NAME#new_thing item",
      "\"x\" NAME",
      "\"{\" item* \"}\"",
      "\"(\" (NAME#not_word | NAME#thing item*) \")\"",
      "\"x\" \"u\" NAME#not_word",
  };
  std::shuffle(items.begin(), items.end(), random);
  items.resize(2 + random() % (items.size() - 2));
  std::string text =
      "start: item+\nitem: \"d\" NAME#new_thing \"w\" NAME#new_word | \"h\" NAME#new_other"
      " | \"u\" NAME#thing | \"v\" NAME#word item";
  for (const std::string& item : items) text += " | " + item;
  text += "\nNAME: /[ab]+/\n%names thing other";
  if (random() % 2 == 0 && text.find("\"{\"") != std::string::npos) text += " within \"{\" \"}\"";
  text += "\n%names word";
  if (random() % 2 == 0 && text.find("\"(\"") != std::string::npos) text += " within \"(\" \")\"";
  return text + "\n";
}

TEST(NamedTokens, MasksOfRandomGrammarsAreWhatTryingEveryTokenSays) {
  std::mt19937 random(20261126);
  MaskTally tally;
  for (int i = 0; i < 20 && !testing::Test::HasFailure(); ++i) {
    const std::string text = RandomNames(random);
    SCOPED_TRACE(text);
    const auto language = Compile(text);
    ASSERT_NE(language, nullptr);
    const std::string alphabet = "dhunwvx{}()ab0";
    const auto store = MaskStore::Build(language, std::make_shared<const TokenVocabulary>(
                                                      SmallVocabulary(alphabet, 2, 100, random)));
    for (const char* left : {"", "dawb", "dawbxa"}) {
      for (const char* right : {"", "daw", "b", "dawaxb"})
        FollowMasks(store, language, left, right, 4, random, tally);
    }
  }
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GT(tally.allowed, 1000u);
  std::cout << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
}

// The two bounds of a mask differ by what reads a name: the rest is walked once for both.
TEST(NamedTokens, MasksAreWalkedOnceForWhatReadsNoName) {
  const std::string names = R"lark(
start: item+
item: "d" NAME#new_thing | "u" NAME#thing | "x" NAME | "y" NAME | "z" (NAME | "0") | "(" item* ")"
NAME: /[ab]+/
%names thing
)lark";
  std::string none = names.substr(0, names.find("%names"));
  for (const std::string use : {"#new_thing", "#thing"}) none.erase(none.find(use), use.size());
  const auto walked = [](const std::string& grammar, const char* left, const char* right) {
    std::mt19937 random(20261126);
    const auto language = Compile(grammar);
    const GapState state = OpenGap(language, left, right, GapPolicy{});
    Masker masker(MaskStore::Build(language, std::make_shared<const TokenVocabulary>(
                                                 SmallVocabulary("duxyz()ab0", 3, 300, random))),
                  state);
    masker.Of(state);
    return masker.statistics().units;
  };
  for (const char* left : {"", "da", "da(xb", "dazb"}) {
    for (const char* right : {"", ")ya", "xa"}) {
      if (std::string_view(left).find('(') == std::string_view::npos && *right == ')') continue;
      const size_t with = walked(names, left, right), without = walked(none, left, right);
      EXPECT_GT(without, 10u);
      EXPECT_LT(2 * with, 3 * without) << left << " | " << right;
    }
  }
}

// Elements whose closing tags have their names, among statements whose end may be left out. No end
// is left out before the name of a closing tag; one may be before the name of a use.
const char* const kElements = R"lark(
start: item*
item: NAME end | "<" NAME#new_tag ">" item* "</" NAME#enclosing_tag ")"
end: ";" | SEMICOLON
NAME: /[ab]+/
NEWLINE: /\n/
%line_ends NEWLINE
%declare SEMICOLON
%insert SEMICOLON before "</"
%names tag within ">" ")"
)lark";
const char* const kUses = R"lark(
start: item*
item: NAME "=" end | "d" NAME#new_thing end | "u" [NAME#thing] end
end: ";" | SEMICOLON
NAME: /[ab]+/
NEWLINE: /\n/
%line_ends NEWLINE
%declare SEMICOLON
%insert SEMICOLON before "="
%names thing
)lark";

TEST(NamedTokens, MasksKnowWhereTerminalsAreInserted) {
  struct Case {
    const char* grammar;
    const char* alphabet;
    std::vector<std::string> lefts, rights;
  };
  const Case cases[] = {
      {kElements,
       "ab<>/;\n",
       {"", "<a>", "<ab>b\n", "<a>b\n</", "<ab><b></b></", "<a></a>\na"},
       {"", "\n</a>", "b>", ">a;"}},
      {kUses,
       "abdu=;\n",
       {"", "da\n", "da\nu", "dab\nu\n", "da;u\na", "dab;dba;u"},
       {"", "\nb=", "=;", "\nua"}},
  };
  std::mt19937 random(20261127);
  for (const Case& languages : cases) {
    const auto language = Compile(languages.grammar);
    ASSERT_NE(language, nullptr);
    const auto vocabulary = std::make_shared<const TokenVocabulary>(
        SmallVocabulary(languages.alphabet, 2, 300, random));
    const auto store = MaskStore::Build(language, vocabulary);
    MaskTally tally;
    for (const std::string& left : languages.lefts) {
      for (const std::string& right : languages.rights)
        FollowMasks(store, language, left, right, 6, random, tally);
    }
    EXPECT_EQ(tally.wrong, 0u);
    EXPECT_GT(tally.allowed, 400u) << languages.grammar;
  }
}

}  // namespace
}  // namespace tenon::constraint
