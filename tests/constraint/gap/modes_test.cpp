// Modes at a gap: what grammars are refused, which strings a completion closes itself, what it does
// not begin, and gaps that are edited.
#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/language/language.h"
#include "constraint/lex/modes.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {
namespace {

// Strings with fields, as in byte_language.cpp: here an expression is a list, so that what W closes
// can be told from what R closes.
constexpr char kStrings[] = R"lark(
start: item+
item: NAME | string
string: BEGIN part* END
part: TEXT | OPEN item+ CLOSE
NAME: "a"
BEGIN: /"/
END: /"/
TEXT: /([a ]|\{\{|\}\})+/
OPEN: /\{/
CLOSE: /\}/
%ignore / +/
%mode text TEXT OPEN END
%mode field default with CLOSE
%push BEGIN text
%push OPEN field
%pop END CLOSE
%delimited BEGIN
)lark";

std::shared_ptr<const Language> Compile(const std::string& text) {
  auto compiled = Language::Compile(text, "modes.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

// A reader of kStrings by hand: the places of the quotes that open what is open at `at`. Nothing:
// the text is not valid.
std::optional<std::vector<size_t>> OpenAt(const std::string& text, size_t at) {
  struct Level {
    char kind;  // '"' text, '{' field
    size_t begin;
    size_t items = 0;
  };
  std::vector<Level> levels{{'{', 0}};
  std::vector<size_t> open;
  bool seen = false;
  auto note = [&](size_t place) {
    if (seen || place < at) return;
    seen = true;
    for (const Level& level : levels) {
      if (level.kind == '"') open.push_back(level.begin);
    }
  };
  for (size_t i = 0; i < text.size(); ++i) {
    note(i);
    Level& level = levels.back();
    char c = text[i];
    if (level.kind == '{') {
      if (c == 'a') ++level.items;
      if (c == '"') levels.push_back({'"', i});
      if (c == '{') return std::nullopt;
      if (c == '}') {
        if (levels.size() == 1 || level.items == 0) return std::nullopt;
        levels.pop_back();
      }
    } else if (c == '"') {
      levels.pop_back();
      ++levels.back().items;
    } else if (c == '{' || c == '}') {
      if (i + 1 < text.size() && text[i + 1] == c) {
        ++i;
        note(i);
      } else if (c == '{') {
        levels.push_back({'{', i});
      } else {
        return std::nullopt;
      }
    }
  }
  note(text.size());
  if (levels.size() > 1 || levels[0].items == 0) return std::nullopt;
  return open;
}

std::vector<std::string> AllTexts(const std::string& alphabet, size_t longest) {
  std::vector<std::string> all{""};
  for (size_t length = 0, begin = 0; length < longest; ++length) {
    size_t end = all.size();
    for (; begin < end; ++begin) {
      for (char c : alphabet) all.push_back(all[begin] + c);
    }
  }
  return all;
}

// May W be written between them?
bool MayWrite(const std::string& left, const std::string& middle, const std::string& right) {
  auto open = OpenAt(left + middle + right, left.size() + middle.size());
  return open &&
         std::all_of(open->begin(), open->end(), [&](size_t place) { return place < left.size(); });
}

TEST(GapModes, AStringOpenedInTheMiddleIsClosedThere) {
  auto language = Compile(kStrings);
  ASSERT_TRUE(language);
  std::vector<std::string> texts = AllTexts("a\"{}", 3), middles = AllTexts("a\"{}", 6);
  size_t viable = 0, members = 0;
  for (const std::string& left : texts) {
    for (const std::string& right : texts) {
      GapState state = OpenGap(language, left, right, GapPolicy{});
      bool shown = std::any_of(middles.begin(), middles.end(), [&](const std::string& middle) {
        return MayWrite(left, middle, right);
      });
      viable += shown;
      ASSERT_EQ(state.viable(), shown) << left << " | " << right;
      if (!shown) continue;
      auto closing = FindClosing(state);
      ASSERT_TRUE(closing) << left << " | " << right;
      EXPECT_TRUE(MayWrite(left, closing->text, right))
          << left << " | " << closing->text << " | " << right;
      for (size_t m = 0; m < 85; ++m) {
        GapState at = state;
        bool accepted = at.Accept(middles[m]) && at.Member();
        members += accepted;
        ASSERT_EQ(accepted, MayWrite(left, middles[m], right))
            << left << " | " << middles[m] << " | " << right;
      }
    }
  }
  EXPECT_GT(viable, 400u);
  EXPECT_GT(members, 400u);
}

TEST(GapModes, WhatIsForbiddenInAModeIsOnlyFinishedThere) {
  auto language = Compile(std::string(kStrings) + "%forbid text BEGIN\n");
  ASSERT_TRUE(language);
  EXPECT_TRUE(OpenGap(language, "", "", GapPolicy{}).Check("\"{a}\""));
  EXPECT_FALSE(OpenGap(language, "", "", GapPolicy{}).Check("\"{\""));
  EXPECT_TRUE(OpenGap(language, "", "", GapPolicy{.emit = false}).Check("\"{\""));
  EXPECT_TRUE(OpenGap(language, "\"{\"", "", GapPolicy{}).Check("a\"}\""));
  EXPECT_TRUE(OpenGap(language, "\"{\"{", "}\"}\"", GapPolicy{}).Check("a"))
      << "given text may hold it";
  EXPECT_FALSE(OpenGap(language, "\"{a", "}\"", GapPolicy{}).Check("\""));
  EXPECT_TRUE(Check(*language, "\"{\"a\"}\"", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "\"{\"a\"}\"", Strength::kEmit).valid);
}

TEST(GapModes, GapsThatAreEditedAreAsThoseOpenedAnew) {
  auto language = Compile(kStrings);
  ASSERT_TRUE(language);
  std::mt19937 random(20261121);
  GapCache cache(language);
  const std::string whole = "a \"a{a}\" a \"{{ {\"a\"} }}\" \"{a \"{a}\"}a\"";
  std::string text = whole;
  size_t viable = 0;
  for (int round = 0; round < 3000; ++round) {
    size_t gap = random() % (text.size() + 1);
    std::string left = text.substr(0, gap), right = text.substr(gap);
    auto kept = cache.Open(left, right, GapPolicy{}, std::stop_token());
    GapState anew = OpenGap(language, left, right, GapPolicy{});
    ASSERT_TRUE(kept);
    viable += anew.viable();
    ASSERT_EQ(kept->viable(), anew.viable()) << left << " | " << right;
    ASSERT_EQ(kept->Member(), anew.Member()) << left << " | " << right;
    for (const char* token : {"a", "\"", "{", "}", "\"a", "}\"", "{a}", "a\"}"})
      ASSERT_EQ(kept->Check(token), anew.Check(token)) << left << " | " << token << " | " << right;
    size_t at = random() % (text.size() + 1);
    if (round % 3 == 2)
      text = whole;
    else if (random() % 2 == 0)
      text.erase(std::min(at, text.size() - 1), 1);
    else
      text.insert(at, 1, "a\"{} "[random() % 5]);
  }
  EXPECT_GT(viable, 1000u);
}

TEST(GapModes, RulesThatDoNotFitTheModesAreRefused) {
  auto message = [](const std::string& text) {
    auto compiled = Language::Compile(text, "modes.lark");
    return compiled ? std::string() : compiled.error().message;
  };
  const std::string head = "A: \"a\"\nB: \"b\"\nC: \"c\"\n%mode inside B C\n%push A inside\n";
  EXPECT_EQ(message("start: A B C\n" + head + "%pop C\n"), "");
  EXPECT_EQ(message("start: A B\n" + head.substr(0, 14) + "%mode inside B\n%push A inside\n"),
            "the rule 'start' pushes the mode 'inside' and does not pop it");
  EXPECT_EQ(message("start: A C B\n" + head + "%pop C\n"),
            "the rule 'start' has B in the mode 'default', which does not have it");
  EXPECT_EQ(message("start: A part C\npart: B C\n" + head + "%pop C\n"),
            "the rule 'part' leaves a mode with C that it has not pushed");
  EXPECT_NE(
      message("start: A B C\n" + head + "%pop C\n%push B nowhere\n").find("the name of a mode"),
      std::string::npos);
  EXPECT_NE(message("start: A B C\n" + head + "%pop C\n%switch A inside\n").find("already pushes"),
            std::string::npos);
  EXPECT_NE(
      message("start: A B C\n" + head + "%pop C\n%mode inside A\n").find("already a mode 'inside'"),
      std::string::npos);
}

TEST(ModeArena, KeepsEqualStacksOnce) {
  ModeArena arena;
  ModeStackId one = arena.Push(ModeStackId{}, ModeId{1}), two = arena.Push(one, ModeId{2});
  EXPECT_EQ(arena.Push(ModeStackId{}, ModeId{1}), one);
  EXPECT_EQ(arena.top(two), ModeId{2});
  EXPECT_EQ(arena.all(two), 7u);
  ModeStackId id = two;
  EXPECT_TRUE(arena.Apply({ModeAction::Kind::kSwitch, ModeId{3}}, id));
  EXPECT_EQ(arena.below(id), one);
  EXPECT_TRUE(arena.Apply({ModeAction::Kind::kPop, ModeId{}}, id));
  EXPECT_TRUE(arena.Apply({ModeAction::Kind::kPop, ModeId{}}, id));
  EXPECT_EQ(id, ModeStackId{});
  EXPECT_FALSE(arena.Apply({ModeAction::Kind::kPop, ModeId{}}, id));
  ModeStackId sealed = arena.Push(one, ModeId{2}, true);
  EXPECT_NE(sealed, two);
  EXPECT_TRUE(arena.sealed(arena.Push(sealed, ModeId{1})));
  EXPECT_FALSE(arena.sealed(arena.below(sealed)));
}

// `w` is a name, or an operator before a pattern: each reading has lexemes and modes of its own.
constexpr char kApart[] = R"lark(
start: (value ";")*
value: part | value "/" part
part: "a" | "w"#given | "w" pattern
pattern: BEGIN [TEXT] END
BEGIN: /\//
TEXT: /[aw;]+/
END: /\//
%ignore / +/
%apart BEGIN against "/"
%mode pattern TEXT END
%push BEGIN pattern
%pop END
%delimited BEGIN
)lark";

TEST(Modes, ReadingsWithOtherLexemesAgreeWithARegularExpression) {
  const auto language = Compile(kApart);
  ASSERT_TRUE(language);
  const std::regex valid("((a|w(/[aw;]*/)?)(/(a|w(/[aw;]*/)?))*;)*");
  const std::string letters = "aw/;";
  constexpr size_t kLongest = 8, kLongestWithGap = 5;
  size_t members = 0, with_pattern = 0;
  std::vector<std::string> texts{""};
  for (size_t at = 0; at < texts.size(); ++at) {
    const std::string text = texts[at];
    const bool member = std::regex_match(text, valid);
    ASSERT_EQ(Check(*language, text, Strength::kAccept).valid, member) << text;
    members += member;
    with_pattern += member && text.find("w/;") != std::string::npos;
    for (size_t gap = 0; gap <= text.size() && text.size() <= kLongestWithGap; ++gap) {
      ASSERT_EQ(OpenGap(language, text.substr(0, gap), text.substr(gap), GapPolicy{}).Member(),
                member)
          << text.substr(0, gap) << "|" << text.substr(gap);
    }
    if (text.size() == kLongest) continue;
    for (const char letter : letters) texts.push_back(text + letter);
  }
  EXPECT_EQ(texts.size(), 87381u);
  EXPECT_EQ(members, 446u);
  EXPECT_GT(with_pattern, 50u);
}

// Readings that come together again are one: their number does not grow with the text.
TEST(Modes, ReadingsWithOtherLexemesDoNotMultiply) {
  const auto language = Compile(kApart);
  ASSERT_TRUE(language);
  std::string text;
  for (int i = 0; i < 500; ++i) text += "w / a / a; w/a/ / a;\n";
  std::erase(text, '\n');
  EXPECT_TRUE(Check(*language, text, Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, text + "a a", Strength::kAccept).valid);
  EXPECT_TRUE(OpenGap(language, "a; ", text, GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "a; ", text + "a a", GapPolicy{}).Member());
}

// Each line of `%apart` has rivals of its own: behind a type `<` may follow, and `>` ends the tag
// where it ends no list of types.
TEST(Modes, EachLineApartHasRivalsOfItsOwn) {
  const auto language = Compile(R"lark(
start: (tag ";")*
tag: OPEN type CLOSE
type: "a" ["<" type ">"]
OPEN: /</
CLOSE: />/
%apart OPEN against "<"
%apart CLOSE against ">"
)lark");
  ASSERT_TRUE(language);
  const std::regex valid("(<a(<a(<a>)?>)?>;)*");
  size_t members = 0;
  std::vector<std::string> texts{""};
  for (size_t at = 0; at < texts.size(); ++at) {
    const std::string text = texts[at];
    const bool member = std::regex_match(text, valid);
    ASSERT_EQ(Check(*language, text, Strength::kAccept).valid, member) << text;
    members += member;
    for (size_t gap = 0; gap <= text.size() && member; ++gap) {
      EXPECT_TRUE(OpenGap(language, text.substr(0, gap), text.substr(gap), GapPolicy{}).Member())
          << text.substr(0, gap) << "|" << text.substr(gap);
    }
    if (text.size() == 8) continue;
    for (const char letter : std::string("a<>;")) texts.push_back(text + letter);
  }
  EXPECT_EQ(members, 4u);
}

TEST(Modes, ALineAddsTerminalsToAMode) {
  const std::string grammar = R"lark(
start: BEGIN (TEXT | HOLE)* END
BEGIN: /"/
TEXT: /[a-z]+/
HOLE: /%/
END: /"/
%mode text TEXT END
%mode default BEGIN
%push BEGIN text
%pop END
)lark";
  const auto language = Compile(grammar + "%mode text with HOLE\n");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Check(*language, "\"a%b\"", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "%", Strength::kAccept).valid);
}

}  // namespace
}  // namespace tenon::constraint
