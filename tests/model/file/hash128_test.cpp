#include "model/file/hash128.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tenon::model {
namespace {

Hash128 HashOf(const std::vector<std::string_view>& texts) {
  Hasher hasher;
  for (const std::string_view text : texts) hasher.Add(std::as_bytes(std::span(text)));
  return hasher.Result();
}

TEST(Hash128, IsXxh3) {
  // Of no bytes, by the library's own tests.
  EXPECT_EQ(HexOf(HashOf({})), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash128, IsTheSameOfBytesInAnyPieces) {
  EXPECT_EQ(HashOf({"panel", "s of a model"}), HashOf({"panels of a model"}));
  EXPECT_NE(HashOf({"panels of a model"}), HashOf({"panels of a modem"}));
}

TEST(Hash128, OfTextsTellsWhereEachOneEnds) {
  Hasher ab, a_b;
  ab.AddText("ab");
  a_b.AddText("a");
  a_b.AddText("b");
  EXPECT_NE(ab.Result(), a_b.Result());
  Hasher numbers, text;
  numbers.AddNumber(uint8_t{'a'});
  numbers.AddNumber(uint8_t{0});
  text.AddText("a");
  EXPECT_EQ(numbers.Result(), text.Result());
}

}  // namespace
}  // namespace tenon::model
