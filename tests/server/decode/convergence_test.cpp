// When a middle converges, which pieces fit then, and which lack room: those alone for whose
// closing text tokens or bytes are too few.
#include "server/decode/convergence.h"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "server/decode/gap_text.h"
#include "tests/server/decode/written.h"

namespace tenon::server {
namespace {

// A middle of statements and blocks in the block `{|}`, of which a token has a byte.
GapText InBlock(uint32_t tokens, std::string_view middle) {
  const auto language = Language::Compile(
      "start: s+\ns: \"x\" | \"{\" s+ \"}\" | \"b\" s+ \"}\"\n%ignore /[\\n]+/\n", "blocks.lark");
  GapOptions options;
  options.scope = Scope::kBlock;
  options.count = [](std::string_view bytes) { return static_cast<uint32_t>(bytes.size()); };
  GapText text(Budget(Gap::Open(*language, "{", "}", std::move(options)), tokens), Goal::kJoin, {});
  for (const char byte : middle) {
    const Judgement judged = text.Judge(std::string_view(&byte, 1));
    EXPECT_EQ(judged.verdict, Judgement::Verdict::kAccepted) << middle;
    EXPECT_TRUE(text.ConvergeWhereDue(judged, false));
  }
  return text;
}

bool LacksRoom(GapText text, std::string_view piece) {
  EXPECT_FALSE(text.Try(piece)) << piece;
  text.FirstChoiceRefused(piece);
  return text.first_choice().lacks_room();
}

TEST(NoRoom, IsWhereTheTokensAreTooFewForAClosingText) {
  EXPECT_TRUE(LacksRoom(InBlock(5, "{\nx\n"), "x"));
}

// The brace that ends a `b` counts for the block around it, so the scope has no closing text.
TEST(NoRoom, IsNotWhereNothingClosesThePieceInTheScope) {
  EXPECT_FALSE(LacksRoom(InBlock(60, "{\nx\n"), "b"));
}

Language Sums() {
  return *Language::Compile(
      "start: value | start \"+\" value\nvalue: NAME | \"(\" start \")\"\n"
      "NAME: /[a-z]+/\n%ignore / +/\n",
      "sums.lark");
}

// Does the middle converge after a line of it has ended? Else the line is kept.
bool BeginsAfterLine(WrittenMiddle middle, bool fills_block = false) {
  Convergence convergence;
  const std::optional<Gap> line_end = middle.gap();
  EXPECT_TRUE(convergence.BeginWhereDue(middle, {line_end, fills_block}));
  EXPECT_EQ(middle.block_lines().empty(), convergence.has_begun());
  return convergence.has_begun();
}

TEST(Convergence, BeginsAfterALineWhereRightGoesOn) {
  EXPECT_TRUE(BeginsAfterLine(After("a + ", "b", " + c;")));
  EXPECT_FALSE(BeginsAfterLine(After("a + ", "b", " + c;"), true)) << "it fills a block";
  EXPECT_FALSE(BeginsAfterLine(After("", "{", " a; }"))) << "a block of its own";
  EXPECT_FALSE(BeginsAfterLine(After("", "a +", "\nb;"))) << "R goes on in no line";
}

TEST(Convergence, KeepsToAFewBytes) {
  WrittenMiddle middle = After("f(", "a", ");");
  Convergence convergence;
  const std::string more(kMaxSlackBytes, 'b');
  EXPECT_TRUE(convergence.Fits(middle, *middle.Next(more + "b")));
  ASSERT_TRUE(convergence.Begin(middle));
  EXPECT_TRUE(convergence.Fits(middle, *middle.Next(more)));
  EXPECT_FALSE(convergence.Fits(middle, *middle.Next(more + "b")));
  EXPECT_FALSE(convergence.Fits(middle, *middle.Next("]"))) << "the gap has no place for it";
}

TEST(Convergence, HasNoRoomForAPieceThatGoesOnInAWord) {
  WrittenMiddle middle = After("f(", "a", ");");
  Convergence convergence;
  EXPECT_FALSE(convergence.LacksRoom(middle, *middle.Next("b")));
  ASSERT_TRUE(convergence.Begin(middle));
  const std::string more(kMaxSlackBytes, 'b');
  EXPECT_TRUE(convergence.LacksRoom(middle, *middle.Next("b" + more)));
  EXPECT_FALSE(convergence.LacksRoom(middle, *middle.Next("+" + more))) << "no word is cut";
  EXPECT_FALSE(convergence.LacksRoom(middle, *middle.Next("]"))) << "it fits nowhere";
}

TEST(Convergence, AMiddleConvergesWhereItHasAReason) {
  const auto converges = [](Goal goal, const std::string& right, bool line_ends, bool end_refused) {
    GapText text(Budget(Gap::Open(Sums(), "a + ", right), kUnlimitedTokens), goal,
                 {.left_line = "a + ", .right_line = right});
    EXPECT_TRUE(text.Accept("b"));
    Judgement judged;
    if (line_ends) judged.line_end = text.written().gap();
    EXPECT_TRUE(text.ConvergeWhereDue(judged, end_refused));
    return text.converging();
  };
  EXPECT_FALSE(converges(Goal::kJoin, " + b", false, false));
  EXPECT_TRUE(converges(Goal::kJoin, " + b", true, false));
  EXPECT_FALSE(converges(Goal::kJoin, "", true, false)) << "R goes on in no line";
  EXPECT_TRUE(converges(Goal::kJoin, "", false, true));
  EXPECT_FALSE(converges(Goal::kLine, "", false, true));
}

TEST(Convergence, ABlockOfItsOwnKeepsAMiddleFromConverging) {
  GapText text(Budget(Gap::Open(Sums(), "a + ", " + b"), kUnlimitedTokens), Goal::kJoin,
               {.left_line = "a + ", .right_line = " + b"});
  ASSERT_TRUE(text.Accept("("));
  Judgement judged;
  judged.line_end = text.written().gap();
  EXPECT_TRUE(text.ConvergeWhereDue(judged, false));
  EXPECT_FALSE(text.converging());
  EXPECT_EQ(text.written().block_lines().size(), 1u);
  EXPECT_TRUE(text.ConvergeWhereDue(judged, true)) << "the writer would end it in the block";
  EXPECT_TRUE(text.converging());
}

TEST(Convergence, AConvergingMiddleTriesFewPieces) {
  GapText text(Budget(Gap::Open(Sums(), "a + ", " + b"), kUnlimitedTokens), Goal::kJoin,
               {.left_line = "a + ", .right_line = " + b"});
  ASSERT_TRUE(text.Converge());
  EXPECT_TRUE(text.Try("cd"));
  for (size_t i = 0; i < kMaxTooLong; ++i)
    EXPECT_FALSE(text.Try(std::string(2 * kMaxSlackBytes + i, 'c'))) << "too long";
  EXPECT_FALSE(text.Try("cd")) << "nothing is tried any more";
  ASSERT_TRUE(text.Accept("c"));
  EXPECT_TRUE(text.Try("d")) << "at another place";
}

}  // namespace
}  // namespace tenon::server
