#include "protocol/text_document.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

constexpr PositionEncoding kAll[] = {PositionEncoding::kUtf8, PositionEncoding::kUtf16,
                                     PositionEncoding::kUtf32};

// The naive model: the text as code points, walked from its beginning for every question.
struct Walk {
  size_t offset = 0;
  Position at;
};

size_t NaiveUnits(const std::string& character, PositionEncoding encoding) {
  if (encoding == PositionEncoding::kUtf8) return character.size();
  return encoding == PositionEncoding::kUtf16 && character.size() == 4 ? 2 : 1;
}

std::vector<std::string> Characters(const std::string& text) {
  std::vector<std::string> out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80 && !out.empty())
      out.back() += c;
    else
      out.emplace_back(1, c);
  }
  return out;
}

// Every place that has a position of its own: before each character that is no second half of \r\n,
// and the end.
std::vector<Walk> Places(const std::string& text, PositionEncoding encoding) {
  std::vector<Walk> out(1);
  const auto characters = Characters(text);
  for (size_t i = 0; i < characters.size(); ++i) {
    Walk next = out.back();
    next.offset += characters[i].size();
    if (characters[i] == "\r" && i + 1 < characters.size() && characters[i + 1] == "\n") {
      ++next.offset;
      ++i;
      next.at = {next.at.line + 1, 0};
    } else if (characters[i] == "\n" || characters[i] == "\r") {
      next.at = {next.at.line + 1, 0};
    } else {
      next.at.character += static_cast<uint32_t>(NaiveUnits(characters[i], encoding));
    }
    out.push_back(next);
  }
  return out;
}

// The last place of the position's line that is not behind it; behind the last line: the end.
size_t NaiveOffset(const std::string& text, Position position, PositionEncoding encoding) {
  const auto places = Places(text, encoding);
  size_t found = places.back().offset;
  for (const Walk& place : places) {
    if (place.at.line == position.line && place.at.character <= position.character)
      found = place.offset;
  }
  return found;
}

std::string RandomText(std::mt19937& random, size_t characters) {
  static const char* const kAlphabet[] = {"a",  "b", " ", "\n", "\r", "\r\n",
                                          "\t", "é", "€", "😀",  "𝒳"};
  std::string text;
  for (size_t i = 0; i < characters; ++i) text += kAlphabet[random() % std::size(kAlphabet)];
  return text;
}

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
      size_t begin = NaiveOffset(naive, a, encoding);
      size_t end = NaiveOffset(naive, b, encoding);
      if (end < begin) std::swap(begin, end);
      const std::string inserted = RandomText(random, random() % 6);
      naive.replace(begin, end - begin, inserted);
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
  TextDocument document("x😀y", PositionEncoding::kUtf16);
  EXPECT_EQ(document.OffsetAt({0, 2}), 1U);
  document.Replace({{0, 2}, {0, 3}}, "z");
  EXPECT_EQ(document.text(), "xzy");
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
