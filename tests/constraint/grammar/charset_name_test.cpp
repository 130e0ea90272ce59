#include "constraint/grammar/charset_name.h"

#include <string_view>

#include <gtest/gtest.h>

namespace tenon::constraint {
namespace {

TEST(PlainCharsetName, IsOneFormOfAllSpellings) {
  for (const std::string_view name : {"Latin-1", "latin_1", "LATIN--1", "latin.1"})
    EXPECT_EQ(PlainCharsetName(name), "latin_1") << name;
  EXPECT_EQ(PlainCharsetName("UTF-8"), "utf_8");
  EXPECT_EQ(PlainCharsetName(""), "");
}

}  // namespace
}  // namespace tenon::constraint
