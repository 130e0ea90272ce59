#include "constraint/automata/utf8_ranges.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex.h"
#include "tests/constraint/automata/dfa_match.h"

namespace tenon::constraint {
namespace {

TEST(Utf8Ranges, CoverExactlyTheEncodingsOfEveryCodepoint) {
  // Sets with ends at and beside every border of the encoding.
  const std::vector<CodepointRange> ranges = {
      {0, 0x10ffff},        {0x7f, 0x80},   {0x7ff, 0x800},  {0xd7ff, 0xe000},   {0xffff, 0x10000},
      {0x10fffe, 0x10ffff}, {0x3f, 0x2345}, {0xfff, 0x1000}, {0x3ffff, 0x40001}, {0x801, 0xabcdf}};
  for (const CodepointRange& range : ranges) {
    const CodepointSet set({range});
    const std::vector<Utf8Sequence> sequences = Utf8Sequences(set);
    uint64_t covered = 0, expected = 0;
    for (const CodepointRange& r : set.ranges()) expected += r.last - r.first + 1;
    for (const Utf8Sequence& sequence : sequences) {
      uint64_t product = 1;
      std::string low, high;
      for (uint8_t i = 0; i < sequence.length; ++i) {
        product *= static_cast<uint64_t>(sequence.bytes[i].last - sequence.bytes[i].first + 1);
        low.push_back(static_cast<char>(sequence.bytes[i].first));
        high.push_back(static_cast<char>(sequence.bytes[i].last));
      }
      covered += product;
      // The corners are valid and inside, so with the count equal nothing else can be covered.
      for (const std::string& corner : {low, high}) {
        const DecodedCodepoint decoded = DecodeUtf8(corner, 0);
        ASSERT_EQ(decoded.length_bytes, corner.size());
        EXPECT_TRUE(set.Contains(decoded.codepoint));
      }
    }
    EXPECT_EQ(covered, expected) << std::hex << range.first << "-" << range.last;
  }
}

TEST(Utf8Ranges, DecodeIsTheInverseOfEncodeAndRefusesTheRest) {
  for (uint32_t c = 0; c <= 0x10ffff; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    std::string text;
    AppendUtf8(c, text);
    const DecodedCodepoint decoded = DecodeUtf8(text, 0);
    ASSERT_EQ(decoded.codepoint, c);
    ASSERT_EQ(decoded.length_bytes, text.size());
  }
  const std::vector<Regex> patterns = {*ParseRegex("(?s).*")};
  const auto every = Dfa::Build(patterns);
  ASSERT_TRUE(every);
  for (const std::string_view bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe2\x82", "\xc3\x28"}) {
    EXPECT_EQ(DecodeUtf8(bad, 0).length_bytes, 0) << bad;
    EXPECT_FALSE(Matches(*every, bad)) << bad;
  }
}

// The example of the header.
TEST(Utf8Ranges, TheBasicPlaneTakesSixSequences) {
  const std::vector<Utf8Sequence> sequences = Utf8Sequences(CodepointSet({{0, 0xffff}}));
  ASSERT_EQ(sequences.size(), 6u);
  EXPECT_EQ(sequences[2].length, 3);
  EXPECT_EQ(sequences[2].bytes[1], (ByteRange{0xa0, 0xbf}));
  EXPECT_EQ(sequences[4].bytes[1], (ByteRange{0x80, 0x9f}));
}

}  // namespace
}  // namespace tenon::constraint
