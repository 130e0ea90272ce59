#include "protocol/text_document.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/protocol/naive_text.h"

namespace tenon::protocol {
namespace {

constexpr PositionEncoding kAll[] = {PositionEncoding::kUtf8, PositionEncoding::kUtf16,
                                     PositionEncoding::kUtf32};

void ExpectEqualToNaive(const TextDocument& document, const std::string& expected, unsigned seed) {
  ASSERT_EQ(document.text(), expected) << "seed " << seed;
  const auto places = Places(expected, document.encoding());
  ASSERT_EQ(document.line_count(), places.back().at.line + 1) << "seed " << seed;
  for (const Walk& place : places) {
    ASSERT_EQ(document.OffsetAt(place.at), place.offset) << "seed " << seed;
    ASSERT_EQ(document.PositionAt(place.offset), place.at) << "seed " << seed;
  }
}

TEST(TextDocument, RandomEditScriptsAgreeWithTheNaiveModelInEveryEncoding) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const PositionEncoding encoding = kAll[seed % 3];
    std::string naive = RandomText(random, random() % 30);
    TextDocument document(naive, encoding);
    for (int edit = 0; edit < 25; ++edit) {
      const Position a{static_cast<uint32_t>(random() % (document.line_count() + 2)),
                       static_cast<uint32_t>(random() % 12)};
      const Position b{static_cast<uint32_t>(random() % (document.line_count() + 2)),
                       static_cast<uint32_t>(random() % 12)};
      const std::string inserted = RandomText(random, random() % 6);
      naive = NaiveEdit(std::move(naive), {a, b}, inserted, encoding);
      document.Replace({a, b}, inserted);
      ExpectEqualToNaive(document, naive, seed);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(TextDocument, LinesEndAtLfCrLfAndLoneCr) {
  const TextDocument document("a\nb\r\nc\rd", PositionEncoding::kUtf16);
  ASSERT_EQ(document.line_count(), 4U);
  EXPECT_EQ(document.Line(0), "a");
  EXPECT_EQ(document.Line(1), "b");
  EXPECT_EQ(document.Line(2), "c");
  EXPECT_EQ(document.Line(3), "d");
  EXPECT_EQ(document.LineStart(2), 5U);
  EXPECT_EQ(document.LineOf(4), 1U);
  EXPECT_EQ(document.LineOf(1000), 3U);
}

TEST(TextDocument, CrAndLfComeTogetherAndApart) {
  TextDocument document("a\rb", PositionEncoding::kUtf16);
  document.Replace({{1, 0}, {1, 0}}, "\n");
  EXPECT_EQ(document.line_count(), 2U);
  EXPECT_EQ(document.Line(1), "b");
  document.Replace({{0, 1}, {0, 1}}, "\r");
  EXPECT_EQ(document.text(), "a\r\r\nb");
  EXPECT_EQ(document.line_count(), 3U);
}

TEST(TextDocument, WhatLiesBeyondIsClamped) {
  TextDocument document("ab\ncd", PositionEncoding::kUtf16);
  EXPECT_EQ(document.OffsetAt({0, 99}), 2U);
  EXPECT_EQ(document.OffsetAt({9, 9}), 5U);
  EXPECT_EQ(document.PositionAt(99), (Position{1, 2}));
  document.Replace({{7, 0}, {0, 1}}, "x");
  EXPECT_EQ(document.text(), "ax");
}

TEST(TextDocument, PositionInsideASurrogatePairIsItsBeginning) {
  const TextDocument document("x😀y", PositionEncoding::kUtf16);
  EXPECT_EQ(document.OffsetAt({0, 2}), 1U);
}

TEST(TextDocument, TheHalfOfASurrogatePairThatAnEditLeavesKeepsItsUnit) {
  const auto edited = [](Range range, const char* inserted) {
    TextDocument document("x😀y", PositionEncoding::kUtf16);
    document.Replace(range, inserted);
    return document.text();
  };
  EXPECT_EQ(edited({{0, 2}, {0, 3}}, "z"), "x\uFFFDzy") << "its second half is replaced";
  EXPECT_EQ(edited({{0, 1}, {0, 2}}, ""), "x\uFFFDy") << "its first half is deleted";
  EXPECT_EQ(edited({{0, 2}, {0, 1}}, ""), "x\uFFFDy") << "swapped";
  EXPECT_EQ(edited({{0, 2}, {0, 2}}, "z"), "x\uFFFDz\uFFFDy") << "between its halves";
  EXPECT_EQ(edited({{0, 2}, {0, 2}}, ""), "x😀y") << "nothing is changed";
  EXPECT_EQ(edited({{0, 2}, {0, 4}}, ""), "x\uFFFD");
}

TEST(TextDocument, ASnapshotIsMadeOnceAndKeepsTheTextThatItWasMadeOf) {
  TextDocument document("abc", PositionEncoding::kUtf8);
  const auto before = document.Snapshot();
  EXPECT_EQ(document.Snapshot(), before) << "the same text is not copied again";
  document.Replace({{0, 1}, {0, 2}}, "x");
  EXPECT_EQ(*before, "abc");
  EXPECT_EQ(*document.Snapshot(), "axc");
  document.ReplaceAll("y");
  EXPECT_EQ(*document.Snapshot(), "y");
}

TEST(TextDocument, EmptyTextHasOneLine) {
  TextDocument document("", PositionEncoding::kUtf8);
  EXPECT_EQ(document.line_count(), 1U);
  EXPECT_EQ(document.OffsetAt({0, 0}), 0U);
  document.Replace({{0, 0}, {0, 0}}, "a\n");
  EXPECT_EQ(document.line_count(), 2U);
  document.ReplaceAll("");
  EXPECT_EQ(document.line_count(), 1U);
}

}  // namespace
}  // namespace tenon::protocol
