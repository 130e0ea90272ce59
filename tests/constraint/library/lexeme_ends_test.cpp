// Bytes that end a lexeme, as a user of the library meets them.
#include "tenon/lexeme_ends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"

namespace tenon {
namespace {

using testing::Contains;
using testing::Not;

TEST(PublicLexemeEnds, AreBytesThatBringALexemeToItsEnd) {
  const Language json = Json();
  const LexemeEnds ends(json);
  EXPECT_THAT(ends.Of(Gap::Open(json, "[\"ab", "]")), Contains('"'));
  EXPECT_THAT(ends.Of(Gap::Open(json, "[\"ab", "]")), Not(Contains('c')));
  EXPECT_THAT(ends.Of(Gap::Open(json, "[tr", "]")), Contains('u'));
}

}  // namespace
}  // namespace tenon
