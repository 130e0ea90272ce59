#include "server/region/outline_lines.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

OutlineLine Line(std::string_view text) { return LineAt(text, 0); }

TEST(OutlineLines, KnowTheirNeighbours) {
  const std::string text = "a\r\n\n  b\n<<<<<<< HEAD\n\tc ";
  const OutlineLine b = LineAt(text, text.find('b'));
  EXPECT_EQ(b.whole(), "  b");
  EXPECT_EQ(b.blanks(), "  ");
  EXPECT_EQ(b.code(), "b");
  EXPECT_EQ(b.columns, 2u);
  EXPECT_TRUE(b.Above()->blank());
  EXPECT_EQ(b.FilledAbove()->whole(), "a") << "without its line end";
  EXPECT_TRUE(b.Below()->is_marker);
  EXPECT_TRUE(b.Below()->blank());
  EXPECT_EQ(b.FilledBelow()->code(), "c ");
  EXPECT_EQ(b.FilledBelow()->columns, 8u);
  EXPECT_FALSE(b.FilledAbove()->FilledAbove());
  EXPECT_FALSE(b.FilledBelow()->Below());
}

TEST(OutlineLines, TellWhatStandsAtTheirEnds) {
  EXPECT_TRUE(Line("  } else {  ").Closes());
  EXPECT_TRUE(Line("  } else {  ").EndsWithBracket());
  EXPECT_TRUE(Line("> = D").Closes());
  EXPECT_TRUE(Line("type A<").EndsWithBracket());
  EXPECT_FALSE(Line("a <<").EndsWithBracket());
  EXPECT_FALSE(Line("").Closes());
  EXPECT_EQ(Line(" \n").last(), 0);
  EXPECT_TRUE(Line("if a: ").EndsStatement());
  EXPECT_FALSE(Line("a,").EndsStatement());
  for (const char* comment : {"// a", "/* a", " * a", "# a", "-- a", "a */"})
    EXPECT_TRUE(Line(comment).IsComment()) << comment;
  EXPECT_FALSE(Line("a # b").IsComment());
  EXPECT_TRUE(Line(" *").IsComment());
  EXPECT_FALSE(Line("*p = g(a").IsComment()) << "a pointer";
}

TEST(OutlineLines, GiveABlankLineTheIndentationOfItsStatement) {
  const auto columns = [](std::string text) {
    const size_t cursor = text.find('|');
    text.erase(cursor, 1);
    return LineAt(text, cursor).StatementColumns();
  };
  EXPECT_EQ(columns("  a|\n"), 2u);
  EXPECT_EQ(columns("f:\n  a\n|\n  b\n"), 2u);
  EXPECT_EQ(columns("if a:\n|\n"), 1u) << "deeper than the line that opens a block";
  EXPECT_EQ(columns("a;\n|\n  b;\n"), 0u) << "the gap opens the construct of the deeper line";
  EXPECT_EQ(columns("a\n|\n  )\n"), 0u);
}

TEST(OutlineLines, KnowTheMarkersOfConflicts) {
  for (const char* marker : {"<<<<<<< HEAD", "=======", ">>>>>>> b", "||||||| c", "=======\r"})
    EXPECT_TRUE(IsConflictMarker(marker)) << marker;
  for (const char* other : {"", "<<<<<<", "========", "-------", "<<<<===", "=======a"})
    EXPECT_FALSE(IsConflictMarker(other)) << other;
}

}  // namespace
}  // namespace tenon::server
