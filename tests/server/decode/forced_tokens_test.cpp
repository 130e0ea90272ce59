#include "server/decode/forced_tokens.h"

#include <gtest/gtest.h>

#include "tests/server/decode/tiny_engine.h"

namespace tenon::server {
namespace {

// A number, then `: the`, then a line end; or a word.
constexpr char kGrammar[] = "start: /[0-9]+/ \": the\" \"\\n\" | /x+y/\n";

class ForcedTokensTest : public testing::Test {
 protected:
  std::optional<ForcedTokens> After(std::string_view written, bool line_ends) const {
    Gap gap = engine_.Open("", "");
    EXPECT_TRUE(written.empty() || gap.Accept(written)) << written;
    return FindForced(gap, written, engine_.tokenizer(), line_ends);
  }

  TinyEngine engine_{kGrammar};
};

TEST_F(ForcedTokensTest, AreNoneWhereTheTextMayGoOnInTwoWays) {
  EXPECT_FALSE(After("", true));
  EXPECT_FALSE(After("12", true));
  EXPECT_FALSE(After("xx", true));
}

TEST_F(ForcedTokensTest, AreThoseOfTheTokenizerForTheWholeText) {
  const auto forced = After("12:", true);
  ASSERT_TRUE(forced);
  EXPECT_EQ(forced->bytes, " the\n");
  EXPECT_EQ(forced->tokens, engine_.tokenizer().Encode("12: the\n", false));
  // The drawn tokens "t" and "h" become one with the forced "e".
  const auto merged = After("12: th", true);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->bytes, "e\n");
  EXPECT_EQ(merged->tokens, forced->tokens);
}

TEST_F(ForcedTokensTest, EndBeforeALineEndWhereNoneMayBeWritten) {
  const auto forced = After("12:", false);
  EXPECT_TRUE(!forced || forced->bytes.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace tenon::server
