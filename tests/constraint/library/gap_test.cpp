// Gaps as a user of the library meets them: questions, forks, scopes, levels.
#include "tenon/gap.h"

#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"
#include "tests/source_path.h"

namespace tenon {
namespace {

using testing::UnorderedElementsAre;

TEST(PublicGap, AnswersAsItsHeaderSays) {
  const Language json = Json();
  Gap gap = Gap::Open(json, R"({"a": [1, )", "]}");
  ASSERT_TRUE(gap.viable());
  EXPECT_FALSE(gap.too_ambiguous());
  EXPECT_FALSE(gap.right_too_long());
  EXPECT_TRUE(gap.Check("2"));
  EXPECT_FALSE(gap.Check("]"));
  EXPECT_FALSE(gap.Member());
  ASSERT_TRUE(gap.Accept("["));
  EXPECT_EQ(gap.middle(), "[");
  EXPECT_FALSE(gap.Member());
  const auto closing = gap.Close();
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->text, "]");
  EXPECT_EQ(closing->tokens, 1u);
  ASSERT_TRUE(gap.ClosingBytes());  // an estimate: a separator a terminal may be counted, too
  EXPECT_GE(*gap.ClosingBytes(), 1u);
  EXPECT_LE(*gap.ClosingBytes(), 3u);
  ASSERT_TRUE(gap.Accept(closing->text));
  EXPECT_TRUE(gap.Member());
  EXPECT_EQ(gap.ClosingBytes(), 0u);
  EXPECT_TRUE(json.Check(R"({"a": [1, )" + gap.middle() + "]}").valid);
}

TEST(PublicGap, LeavesWordsOfTheRightWhereTheyMayBeWritten) {
  const Gap opened = Gap::Open(Compiled(kLoops), "loop { a; ", " break; }");
  Gap gap = opened;
  ASSERT_TRUE(gap.Accept("} function {"));  // more text may mend it
  EXPECT_FALSE(gap.Member());
  ASSERT_TRUE(gap.Close());
  EXPECT_EQ(gap.Close()->text, "}loop{");
  ASSERT_TRUE(gap.Accept(" } loop {"));
  EXPECT_TRUE(gap.Member());
  gap = opened;
  ASSERT_TRUE(gap.Accept("loop {"));
  ASSERT_TRUE(gap.Close());
  EXPECT_EQ(gap.Close()->text, "}");
}

TEST(PublicGap, RefusedBytesChangeNothing) {
  Gap gap = Gap::Open(Compiled(kLists), "[1", "]");
  ASSERT_TRUE(gap.Accept(","));
  EXPECT_FALSE(gap.Accept(","));
  EXPECT_EQ(gap.middle(), ",");
  EXPECT_TRUE(gap.Accept("2"));
}

TEST(PublicGap, IsNotViableWhereNothingFits) {
  const Gap gap = Gap::Open(Compiled(kLists), "[1,,", "]");
  EXPECT_FALSE(gap.viable());
  EXPECT_FALSE(gap.Member());
  EXPECT_FALSE(gap.Check("1"));
  EXPECT_FALSE(gap.Close());
}

TEST(PublicGap, BeginsAStringThatTheRightEndsOverAnotherSeamAlone) {
  const Language json = Json();
  const std::string left = R"({"name": )", right = "tenon\"}";
  EXPECT_FALSE(Gap::Open(json, left, right).viable());
  for (const Seam seam : {Seam::kLine, Seam::kRest, Seam::kOpen}) {
    GapOptions options;
    options.seam = seam;
    Gap gap = Gap::Open(json, left, right, options);
    ASSERT_TRUE(gap.viable()) << ToString(seam);
    ASSERT_TRUE(gap.Close());
    EXPECT_EQ(gap.Close()->text, "\"");
    EXPECT_TRUE(gap.Check("1, \"a\": \"")) << "other members may come first";
    ASSERT_TRUE(gap.Accept("\"my-"));
    EXPECT_TRUE(gap.Member());
    EXPECT_TRUE(json.Check(left + gap.middle() + right).valid);
    EXPECT_FALSE(gap.Accept("\n")) << "no string holds a line end";
  }
  EXPECT_STREQ(ToString(Seam::kClosed), "closed");
  EXPECT_STREQ(ToString(Seam::kLine), "line");
  EXPECT_STREQ(ToString(Seam::kRest), "rest");
  EXPECT_STREQ(ToString(Seam::kOpen), "open");
}

TEST(PublicGap, ACopyIsAFork) {
  Gap gap = Gap::Open(Compiled(kLists), "[", "]");
  Gap fork = gap;
  ASSERT_TRUE(fork.Accept("1"));
  EXPECT_EQ(gap.middle(), "");
  EXPECT_TRUE(gap.Accept("["));
  EXPECT_EQ(fork.middle(), "1");
  EXPECT_TRUE(fork.Member());
  EXPECT_FALSE(gap.Member());
  fork = gap;
  EXPECT_EQ(fork.middle(), "[");
  const Gap moved = std::move(fork);
  EXPECT_EQ(moved.middle(), "[");
}

TEST(PublicGap, OutlivesTheLanguageItWasOpenedFor) {
  std::optional<Language> lists = Compiled(kLists);
  Gap gap = Gap::Open(*lists, "[", "]");
  lists.reset();
  EXPECT_TRUE(gap.Accept("1,2"));
  EXPECT_TRUE(gap.Member());
}

TEST(PublicGap, NamesWhatMayComeNext) {
  // After a blank no lexeme is open; directly after the bracket that bracket still is.
  EXPECT_THAT(Gap::Open(Compiled(kLists), "[ ", "]").Expected(),
              UnorderedElementsAre("DIGIT", "LSQB"));
  EXPECT_THAT(Gap::Open(Compiled(kLists), "[", "]").Expected(), UnorderedElementsAre("LSQB"));
}

TEST(PublicGap, TellsLiveBytes) {
  const Gap gap = Gap::Open(Compiled("start: \"a\" | \"b\" \"c\"\n"), "", "");
  EXPECT_THAT(gap.LiveBytes(), UnorderedElementsAre('a', 'b'));
  EXPECT_EQ(gap.LiveBytes(1).size(), 1u);
}

TEST(PublicGap, TellsForcedText) {
  const Language json = Json();
  EXPECT_EQ(Gap::Open(json, R"({"a": tr)", "e}").Forced(100), "u");
  EXPECT_EQ(Gap::Open(json, "[", "]").Forced(100), "");
  const auto date = Language::FromRegex("[0-9]-may-[0-9]");
  ASSERT_TRUE(date);
  EXPECT_EQ(Gap::Open(*date, "7", "").Forced(100), "-may-");
  EXPECT_EQ(Gap::Open(*date, "7", "").Forced(2), "-m");
}

TEST(PublicGap, WritesTheEmittedLanguageUnlessTold) {
  const Language json = Json();
  GapOptions accepted;
  accepted.emit = false;
  EXPECT_FALSE(Gap::Open(json, "[\"", "\"]").Check("\\ud83d"));
  EXPECT_TRUE(Gap::Open(json, "[\"", "\"]", accepted).Check("\\ud83d"));
}

TEST(PublicGap, KeepsToAScope) {
  const Language blocks = Compiled(kBlocks);
  const auto gap = [&](Scope scope) {
    GapOptions options;
    options.scope = scope;
    return Gap::Open(blocks, "{ f(a", "); }", options);
  };
  EXPECT_TRUE(gap(Scope::kFree).Check("); } { g("));
  EXPECT_FALSE(gap(Scope::kBlock).Check("); }\n{ g("));
  EXPECT_TRUE(gap(Scope::kBlock).Check("); } { g("));
  EXPECT_FALSE(gap(Scope::kStatement).Check("); } { g("));
  EXPECT_TRUE(gap(Scope::kBlock).Check("); g("));
  EXPECT_FALSE(gap(Scope::kArgument).Check("); g("));
  EXPECT_TRUE(gap(Scope::kArgument).Check(", b"));
  EXPECT_TRUE(gap(Scope::kBlock).Check("\n"));
  EXPECT_FALSE(gap(Scope::kLine).Check("\n"));
  const Gap wide = gap(Scope::kFree);
  const Gap narrow = wide.WithScope(Scope::kArgument);
  EXPECT_FALSE(narrow.Check("); g("));
  EXPECT_TRUE(wide.Check("); g("));
}

TEST(PublicGap, ScopesHaveNames) {
  for (const Scope scope :
       {Scope::kFree, Scope::kBlock, Scope::kStatement, Scope::kLine, Scope::kArgument})
    EXPECT_EQ(ScopeNamed(ToString(scope)), scope);
  EXPECT_STREQ(ToString(Scope::kBlock), "block");
  EXPECT_FALSE(ScopeNamed("file"));
}

TEST(PublicGap, WritesNewSyntaxAtItsLevel) {
  const Language language = Compiled(kLevels);
  GapOptions options;
  EXPECT_FALSE(Gap::Open(language, "a;", "", options).Check("m!"));
  options.level = language.FindLevel("since_2").value();
  EXPECT_TRUE(Gap::Open(language, "a;", "", options).Check("m!"));
  EXPECT_FALSE(Gap::Open(language, "a;", "", options).Check("n?"));
}

TEST(PublicGap, CountsTokensAsTold) {
  GapOptions options;
  options.count = [](std::string_view text) { return static_cast<uint32_t>(10 * text.size()); };
  const Gap gap = Gap::Open(Compiled(kLists), "[[", "]", options);
  EXPECT_EQ(gap.CountTokens("123"), 30u);
  const auto closing = gap.Close();
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->tokens, 10 * closing->text.size());
}

TEST(PublicGap, SearchesNoLongerClosingTextsThanTold) {
  GapOptions options;
  options.max_closing_bytes = 5;  // a bracket counts with a separator, as planned
  EXPECT_TRUE(Gap::Open(Compiled(kLists), "[[", "", options).Close());
  EXPECT_FALSE(Gap::Open(Compiled(kLists), "[[[", "", options).Close());
}

TEST(PublicGap, KnowsTheLineEndOfItsText) {
  const Language blocks = Compiled(kBlocks);
  EXPECT_EQ(Gap::Open(blocks, "f();\n", "").line_end(), "\n");
  const auto sql = Language::FromFile(SourcePath("grammars/sql.lark"));
  ASSERT_TRUE(sql) << sql.error().ToString();
  EXPECT_EQ(Gap::Open(*sql, "SELECT 1;\r\n", "SELECT 2;\r\n").line_end(), "\r\n");
}

}  // namespace
}  // namespace tenon
