#include "protocol/position_encoding.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/protocol/naive_text.h"

namespace tenon::protocol {
namespace {

constexpr PositionEncoding kAll[] = {PositionEncoding::kUtf8, PositionEncoding::kUtf16,
                                     PositionEncoding::kUtf32};

TEST(PositionEncoding, NamesAreThoseOfTheProtocol) {
  for (const auto encoding : kAll)
    EXPECT_EQ(PositionEncodingFromName(ToString(encoding)), encoding);
  EXPECT_EQ(ToString(PositionEncoding::kUtf16), "utf-16");
  EXPECT_FALSE(PositionEncodingFromName("UTF-16").has_value());
}

TEST(PositionEncoding, CountsBytesUnitsAndCodePoints) {
  const std::string line = "aé€😀b";  // 1, 2, 3, 4, 1 bytes
  struct Row {
    size_t bytes, utf8, utf16, utf32;
  };
  for (const Row row : {Row{0, 0, 0, 0}, Row{1, 1, 1, 1}, Row{3, 3, 2, 2}, Row{6, 6, 3, 3},
                        Row{10, 10, 5, 4}, Row{11, 11, 6, 5}}) {
    EXPECT_EQ(UnitsFromBytes(line, row.bytes, PositionEncoding::kUtf8), row.utf8);
    EXPECT_EQ(UnitsFromBytes(line, row.bytes, PositionEncoding::kUtf16), row.utf16);
    EXPECT_EQ(UnitsFromBytes(line, row.bytes, PositionEncoding::kUtf32), row.utf32);
    EXPECT_EQ(BytesFromUnits(line, row.utf8, PositionEncoding::kUtf8), row.bytes);
    EXPECT_EQ(BytesFromUnits(line, row.utf16, PositionEncoding::kUtf16), row.bytes);
    EXPECT_EQ(BytesFromUnits(line, row.utf32, PositionEncoding::kUtf32), row.bytes);
  }
}

TEST(PositionEncoding, StretchesOfAsciiCountAsTheirCharactersDo) {
  std::string line;
  for (size_t ascii = 0; ascii < 20; ++ascii)
    line += std::string(ascii, 'a') + (ascii % 2 == 0 ? "é" : "😀");
  for (const auto encoding : kAll) {
    size_t bytes = 0, units = 0;
    for (const std::string& character : Characters(line)) {
      EXPECT_EQ(BytesFromUnits(line, units, encoding), bytes);
      EXPECT_EQ(UnitsFromBytes(line, bytes, encoding), units);
      bytes += character.size();
      units += NaiveUnits(character, encoding);
    }
    EXPECT_EQ(BytesFromUnits(line, units, encoding), line.size());
  }
}

TEST(PositionEncoding, RoundsDownInsideACharacterAndStopsAtTheEnd) {
  const std::string line = "😀é";
  EXPECT_EQ(BytesFromUnits(line, 1, PositionEncoding::kUtf16), 0U);
  EXPECT_EQ(BytesFromUnits(line, 3, PositionEncoding::kUtf8), 0U);
  EXPECT_EQ(BytesFromUnits(line, 5, PositionEncoding::kUtf8), 4U);
  EXPECT_EQ(UnitsFromBytes(line, 3, PositionEncoding::kUtf16), 0U);
  for (const auto encoding : kAll) {
    EXPECT_EQ(BytesFromUnits(line, 1000, encoding), line.size());
    EXPECT_EQ(BytesFromUnits("", 1, encoding), 0U);
    EXPECT_EQ(UnitsFromBytes(line, 1000, encoding), UnitsFromBytes(line, line.size(), encoding));
  }
}

TEST(PositionEncoding, BytesThatAreNoUtf8CountOneEach) {
  for (const std::string bad : {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80",
                                "\xf4\x90\x80\x80", "\xe2\x82", "\xf0\x9f\x98"}) {
    for (const auto encoding : kAll) {
      EXPECT_EQ(UnitsFromBytes(bad + "a", bad.size() + 1, encoding), bad.size() + 1);
      EXPECT_EQ(BytesFromUnits(bad + "a", bad.size(), encoding), bad.size());
    }
  }
}

}  // namespace
}  // namespace tenon::protocol
