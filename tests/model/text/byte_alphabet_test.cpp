#include "model/text/byte_alphabet.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tenon::model {
namespace {

TEST(ByteAlphabet, EveryByteHasItsOwnTextAndComesBack) {
  std::set<std::string> texts;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = ByteAsText(static_cast<uint8_t>(byte));
    EXPECT_TRUE(texts.insert(text).second);
    EXPECT_EQ(TextAsBytes(text), std::string(1, static_cast<char>(byte)));
  }
  EXPECT_EQ(ByteAsText(' '), "Ġ");
  EXPECT_EQ(ByteAsText('\n'), "Ċ");
  EXPECT_EQ(TextAsBytes("a b"), std::nullopt);
  EXPECT_EQ(TextAsBytes("漢"), std::nullopt);
  EXPECT_EQ(TextAsBytes("\xc4"), std::nullopt);
}

}  // namespace
}  // namespace tenon::model
