// Where a middle ends: the examples of the header, and the order of the rules.
#include "server/decode/end_rules.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/server/decode/written.h"

namespace tenon::server {
namespace {

std::string BeforeMisfit(const WrittenMiddle& middle, std::string_view piece,
                         bool converging = false) {
  return TextOf(EndRules(middle).BeforeMisfit(middle, *middle.Next(piece), converging));
}

EndRules::InPieceFound InPiece(const WrittenMiddle& middle, std::string_view piece,
                               bool converging = false) {
  EXPECT_TRUE(middle.After(*middle.Next(piece))) << piece;
  return EndRules(middle).InPiece(middle, *middle.Next(piece), converging);
}

std::string EndIn(const WrittenMiddle& middle, std::string_view piece, bool converging = false) {
  const auto found = InPiece(middle, piece, converging);
  return found.end ? found.end->at.middle() : "(none)";
}

std::string AtWritersEnd(const WrittenMiddle& middle) {
  return TextOf(EndRules(middle).AtWritersEnd(middle));
}

// In `{⏎  |⏎}`, in a block that indentation ends.
WrittenMiddle InBlock(std::string_view text) {
  CursorText cursor = Between("{\n  ", "\n}");
  cursor.empty_block = EmptyBlock{0};
  WrittenMiddle middle = Begun("{\n  ", "\n}", cursor);
  EXPECT_TRUE(middle.Accept(text));
  return middle;
}

TEST(EndRules, APieceThatDoesNotFitWritesRight) {
  const WrittenMiddle middle = After("f(", "name", ");");
  EXPECT_EQ(BeforeMisfit(middle, "s)"), "names");
  EXPECT_EQ(BeforeMisfit(middle, ")"), "name");
  EXPECT_EQ(BeforeMisfit(middle, "]"), "(none)");
}

TEST(EndRules, APieceBeginsALineAfterTheBlock) {
  const WrittenMiddle middle = InBlock("a;");
  EXPECT_EQ(BeforeMisfit(middle, "\n)"), "a;");
  EXPECT_EQ(BeforeMisfit(middle, "\n)", true), "(none)") << "it converges";
  EXPECT_EQ(EndIn(middle, "\nb"), "a;");
  EXPECT_EQ(EndIn(middle, "\n  b"), "(none)");
  EXPECT_EQ(EndIn(middle, "\nb", true), "(none)") << "it fills a block";
}

TEST(EndRules, ACommaIsTooManyBeforeRightsBracket) {
  const WrittenMiddle middle = After("[a,\n", "b,", "\n];");
  EXPECT_EQ(BeforeMisfit(middle, "\n]"), "b");
  EXPECT_EQ(AtWritersEnd(middle), "b");
}

TEST(EndRules, APieceThatFitsWritesArgumentsOfRight) {
  EXPECT_EQ(EndIn(After("s_tr", "im", "(a);"), "left(b"), "imleft");
}

TEST(EndRules, AWordEndsBeforeItsRestInRight) {
  const WrittenMiddle middle = After("log_", "time", "me + b;");
  EXPECT_EQ(EndIn(middle, " "), "ti");
  EXPECT_EQ(EndIn(middle, "\n"), "ti");
  EXPECT_EQ(AtWritersEnd(middle), "ti");
  EXPECT_EQ(AtWritersEnd(After("log_", "times", "me + b;")), "times");
}

TEST(EndRules, ALineEndsTheMiddleWhereItMayEnd) {
  EXPECT_EQ(EndIn(After("", "a", ""), ";\nb"), "a;");
  EXPECT_EQ(EndIn(After("", "a", ""), "\n+ b"), "(none)") << "the statement is not whole";
  EXPECT_EQ(EndIn(InBlock("a;"), "\n  b"), "(none)") << "it fills a block";
}

TEST(EndRules, ALineThatOpensABlockDoesNotEndTheMiddle) {
  const auto found = InPiece(After("", "case a", "\nb;"), ":\n  c;");
  EXPECT_FALSE(found.end);
  EXPECT_TRUE(found.opens_block);
  EXPECT_EQ(TextOf(found.line_end), "case a:");
}

TEST(EndRules, ABlankLineTellsNothing) {
  const auto found = InPiece(After("a +", "", ";"), "\n");
  EXPECT_FALSE(found.end);
  EXPECT_FALSE(found.line_end);
}

TEST(EndRules, TheMiddleEndsBeforeBracketsThatItClosesInRightsPlace) {
  const WrittenMiddle middle = After("f(g(", "a)) + (b + (", "));");
  EXPECT_EQ(EndIn(middle, "\n"), "a");
  EXPECT_EQ(AtWritersEnd(After("f(g(", "a)) + b", "));")), "a");
}

TEST(EndRules, TheMiddleEndsBeforeSignsWhereWordsFollow) {
  EXPECT_EQ(EndIn(After("a + ", "c;", " where b;"), "\nd"), "c");
  EXPECT_EQ(EndIn(After("a + ", "c;", ";"), "\nd"), "(none)") << "no words follow";
}

TEST(EndRules, TheWriterEndsTheMiddleWhereItMayEnd) {
  EXPECT_EQ(AtWritersEnd(After("f(", "a", ");")), "a");
  EXPECT_EQ(AtWritersEnd(After("f(", "a +", ");")), "(none)");
}

TEST(EndRules, TheWriterEndsTheMiddleAfterRightsNextLine) {
  EXPECT_EQ(AtWritersEnd(After("a; ", "b; order + by;", "\norder + by;")), "b;");
  EXPECT_EQ(AtWritersEnd(After("a; ", "b; order + at;", "\norder + by;")), "b; order + at;");
}

TEST(EndRules, TheWriterEndsTheMiddleBeforeWhatIsClosedAhead) {
  CursorText cursor = Between("\"", ";");
  cursor.closed_ahead = "\"";
  WrittenMiddle middle = Begun("\"", ";", cursor);
  ASSERT_TRUE(middle.Accept("A cache."));
  EXPECT_EQ(AtWritersEnd(middle), "A cache.\"");
}

TEST(EndRules, TheWriterEndsNoMiddleBeforeTheHealedText) {
  CursorText cursor = Between("f(a", ");");
  cursor.healed = "a";
  EXPECT_EQ(AtWritersEnd(Begun("f(a", ");", cursor)), "(none)");
}

TEST(EndRules, AJoiningPieceEndsTheMiddle) {
  const auto joining = [](const WrittenMiddle& middle, std::string_view piece) {
    return TextOf(EndRules(middle).JoiningIn(middle, *middle.Next(piece)));
  };
  EXPECT_EQ(joining(After("", "a", ""), ";\n"), "a;") << "before its line end";
  EXPECT_EQ(joining(After("f(", "a", ");"), "b"), "ab") << "with all of it";
  EXPECT_EQ(joining(After("log_", "time", "me + b;"), " + c"), "ti") << "before R";
}

// Line ends are text, and so is what R begins with.
TEST(EndRules, ATextEndsWithItsWriterAlone) {
  WrittenMiddle middle = Begun("", "", {}, Goal::kText);
  ASSERT_TRUE(middle.Accept("a;"));
  EXPECT_EQ(EndIn(middle, "\nb"), "(none)");
  EXPECT_EQ(AtWritersEnd(middle), "a;");
}

}  // namespace
}  // namespace tenon::server
