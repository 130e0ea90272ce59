// Ignored text that is not written at a line's beginning (`%forbid line_beginning`) and that ends
// no text (`%not_last`), against a parser written by hand: all short gaps, then masks.

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/mask_questions.h"

namespace tenon::constraint {
namespace {

constexpr char kLines[] = R"lark(
start: line*
line: item+ NEWLINE
item: NAME | "(" item* ")"
NAME: /a/
NEWLINE: /\n/
JOINED: /\\\n/
BACKSLASH: "\\"
%poison BACKSLASH
%ignore / +/
%ignore JOINED
%layout newline=NEWLINE brackets="()"
%forbid line_beginning JOINED
%not_last JOINED
%delimited JOINED
)lark";

constexpr char kAlphabet[] = "a() \n\\";

std::shared_ptr<const Language> Lines() {
  auto compiled = Language::Compile(kLines, "lines.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

// May [begin, end) of the text be written there by tenon?
bool MayWrite(const std::string& text, size_t begin, size_t end) {
  int depth = 0;
  bool content = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool depth_before = depth > 0;
    switch (text[i]) {
      case 'a':
        content = true;
        break;
      case '(':
        content = true;
        ++depth;
        break;
      case ')':
        if (--depth < 0) return false;
        break;
      case '\n':
        content = content && depth_before;
        break;
      case '\\': {
        if (i + 2 >= text.size() || text[i + 1] != '\n') return false;
        const bool begun = begin <= i && i < end;
        if (begun && (!content || i + 1 >= end)) return false;  // R's line end is R's own
        ++i;
        break;
      }
    }
  }
  return depth == 0;
}

std::vector<std::string> Texts(size_t longest) {
  std::vector<std::string> all{""};
  for (size_t length = 0, begin = 0; length < longest; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const char* c = kAlphabet; *c != 0; ++c) all.push_back(all[begin] + *c);
    }
  }
  return all;
}

TEST(GapJoinedLines, AllShortGapsAreAsAParserByHandSays) {
  const auto language = Lines();
  ASSERT_TRUE(language);
  const std::vector<std::string> sides = Texts(3), middles = Texts(4);
  size_t viable = 0, members = 0, refused = 0;
  std::mt19937 random(20261122);
  for (const std::string& left : sides) {
    for (const std::string& right : sides) {
      if (random() % 30 != 0) continue;
      const GapState state = OpenGap(language, left, right, GapPolicy{});
      viable += state.viable();
      const auto closing = FindClosing(state);
      ASSERT_EQ(closing.has_value(), state.viable()) << Shown(left) << Shown(right);
      if (closing) {
        const std::string text = left + closing->text + right;
        EXPECT_TRUE(MayWrite(text, left.size(), left.size() + closing->text.size()))
            << Shown(left) << Shown(closing->text) << Shown(right);
      }
      for (const std::string& middle : middles) {
        const bool may = MayWrite(left + middle + right, left.size(), left.size() + middle.size());
        if (may) {
          ASSERT_TRUE(state.Check(middle)) << Shown(left) << Shown(middle) << Shown(right);
        }
        if (!state.viable() || random() % 8 != 0) continue;
        GapState at = state;
        const bool member = at.Accept(middle) && at.Member();
        (member ? members : refused) += 1;
        ASSERT_EQ(member, may) << Shown(left) << Shown(middle) << Shown(right);
      }
    }
  }
  EXPECT_GT(viable, 400u);
  EXPECT_GT(members, 1000u);
  EXPECT_GT(refused, 10000u);
}

TEST(GapJoinedLines, WhatTheLeftBeganMayBeFinishedAnywhere) {
  const auto language = Lines();
  ASSERT_TRUE(language);
  EXPECT_TRUE(OpenGap(language, "\\", "a\n", GapPolicy{}).Check("\n"));
  EXPECT_TRUE(OpenGap(language, "a\\", "\na\n", GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "", "a\n", GapPolicy{}).Check("\\"));
  EXPECT_FALSE(OpenGap(language, "a\n ", "a\n", GapPolicy{}).Check("\\\n"));
  EXPECT_TRUE(OpenGap(language, "", "a\n", GapPolicy{.emit = false}).Check("\\\n"));
  EXPECT_FALSE(Check(*language, "\\\na\n", Strength::kEmit).valid);
  EXPECT_TRUE(Check(*language, "\\\na\n", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "a\\\n", Strength::kAccept).valid);
  EXPECT_TRUE(Check(*language, "a\\\n ", Strength::kEmit).valid);
}

TEST(GapJoinedLines, MasksEqualTryingEveryToken) {
  const auto language = Lines();
  ASSERT_TRUE(language);
  std::mt19937 random(20261122);
  const auto vocabulary =
      std::make_shared<const TokenVocabulary>(SmallVocabulary(kAlphabet, 3, 300, random));
  MaskTally tally;
  const std::vector<std::string> sides = Texts(3);
  for (const MaskStoreOptions options : {MaskStoreOptions{true, true}, {false, false}}) {
    const auto store = MaskStore::Build(language, vocabulary, options);
    for (int i = 0; i < 200 && !testing::Test::HasFailure(); ++i)
      FollowMasks(store, language, sides[random() % sides.size()], sides[random() % sides.size()],
                  4, random, tally);
  }
  EXPECT_GT(tally.masks, 300u);
  EXPECT_GT(tally.allowed, 10000u);
}

}  // namespace
}  // namespace tenon::constraint
