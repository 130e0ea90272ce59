// Where a middle ends that repeats itself, and with which brackets.
#include "server/decode/repeated_text.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/decode/written.h"

namespace tenon::server {
namespace {

// The middle of these lines, whose ends are kept, after `left`.
WrittenMiddle Lines(std::string_view left, const std::vector<std::string_view>& lines) {
  WrittenMiddle middle = After(left, "", "");
  for (const std::string_view line : lines) {
    EXPECT_TRUE(middle.Accept(line)) << line;
    middle.KeepBlockLine(middle.gap());
    EXPECT_TRUE(middle.Accept("\n"));
  }
  return middle;
}

std::string BeforeRepetition(const WrittenMiddle& middle, Ended ended) {
  const auto end = EndBeforeRepetition(middle, middle.gap());
  if (!end) return "(none)";
  EXPECT_EQ(end->ended, ended);
  return end->at.middle();
}

TEST(RepeatedText, BeginsWithLinesThatComeASecondTime) {
  EXPECT_EQ(BeforeRepetition(Lines("", {"a;", "b;", "a;", "b;"}), Ended::kStop), "a;\nb;");
  EXPECT_EQ(BeforeRepetition(Lines("", {"a;", "b;", "c;", "b;"}), Ended::kStop), "(none)");
}

TEST(RepeatedText, IsLeftOutWithTheSignThatJoinsIt) {
  EXPECT_EQ(BeforeRepetition(Lines("x +\n", {"a +", "b +", "a +", "b +"}), Ended::kWitness),
            "a +\nb;");
}

TEST(RepeatedText, IsLeftOutBeforeTheBracketsThatStandOpen) {
  EXPECT_EQ(BeforeRepetition(Lines("", {"{", "a;", "b;", "a;", "b;"}), Ended::kWitness),
            "{\na;\nb;}");
}

TEST(RepeatedText, IsLeftOutWithAllCommentsWhereBracketsFollow) {
  EXPECT_EQ(BeforeRepetition(
                Lines("", {"{", "a;", "# b is one", "# c is two", "# b is one", "# c is two"}),
                Ended::kWitness),
            "{\na;}");
}

TEST(RepeatedText, IsKnownWhereLinesWereKept) {
  const WrittenMiddle middle = After("", "a;\nb;\na;\nb;", "");
  EXPECT_FALSE(EndBeforeRepetition(middle, middle.gap()));
}

TEST(RepeatedText, IsAStretchOfALineThatComesAgainAndAgain) {
  const std::string begun = "f(a, zero, zero, zero, zero, zero";
  const WrittenMiddle middle = After("", begun, "");
  const auto end = EndBeforeStutter(middle, *middle.Next(", zero"));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->at.middle(), "f(a, zero);");
  EXPECT_EQ(end->ended, Ended::kWitness);
  EXPECT_FALSE(EndBeforeStutter(middle, *middle.Next(", one")));
}

}  // namespace
}  // namespace tenon::server
