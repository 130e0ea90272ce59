#include "model/printable.h"

#include <gtest/gtest.h>

#include "model/model_error.h"

namespace tenon::model {
namespace {

TEST(Printable, HasNoControlCharacters) {
  EXPECT_EQ(Printable("a\x1b[2J\n\x7f"), "a?[2J??");
  EXPECT_EQ(Printable("\xc2\x9b!\xc2"), "?!\xc2") << "U+009B is a control character";
  EXPECT_EQ(Printable("\xc3\x9b \xe2\x96\x81 \xff"), "\xc3\x9b \xe2\x96\x81 \xff");
  EXPECT_EQ(Printable(std::string_view("\0", 1)), "?");
  EXPECT_EQ(Printable(""), "");
}

TEST(Printable, KeepsTheBeginningAndTheEndOfALongText) {
  const std::string fits(2000, 'x');
  EXPECT_EQ(Printable(fits), fits);
  const std::string shown = Printable("m.gguf: " + std::string(1'000'000, 'x') + "\n; fetch it");
  EXPECT_EQ(shown.size(), 2005U);
  EXPECT_TRUE(shown.starts_with("m.gguf: xx"));
  EXPECT_TRUE(shown.ends_with("xx?; fetch it"));
}

TEST(Printable, IsEachSentenceOfAModelError) {
  EXPECT_EQ((ModelError{ModelErrorCode::kFormat, "tensor a\x1b]0;b\a"}).message, "tensor a?]0;b?");
}

}  // namespace
}  // namespace tenon::model
