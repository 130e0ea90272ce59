// Languages as a user of the library meets them: what compiles, what does not, and checks of texts.
#include "tenon/language.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"
#include "tests/source_path.h"

namespace tenon {
namespace {

TEST(PublicLanguage, ChecksTexts) {
  const Language lists = Compiled(kLists);
  EXPECT_TRUE(lists.Check("[1, [2]]").valid);
  const TextCheck wrong = lists.Check("[1,,2]");
  EXPECT_FALSE(wrong.valid);
  EXPECT_EQ(wrong.offset_bytes, 3u);
  EXPECT_NE(wrong.message, "");
  EXPECT_EQ(lists.Check("[1").offset_bytes, 2u);
}

TEST(PublicLanguage, AGrammarsFaultHasAPlaceAndARemedy) {
  const auto wrong = Language::Compile("start: A\nA: /a/\nB: /(/\n", "mine.lark");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().path, "mine.lark");
  EXPECT_EQ(wrong.error().line, 3u);
  EXPECT_EQ(wrong.error().ToString().rfind("mine.lark:3:", 0), 0u) << wrong.error().ToString();
}

TEST(PublicLanguage, AFileThatCannotBeReadIsNamed) {
  const auto absent = Language::FromFile("/nowhere/at/all.lark");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().ToString(), "/nowhere/at/all.lark: cannot be read; name a grammar file");
  for (const std::string path : {"/tmp", "/dev/zero"}) {
    const auto unread = Language::FromFile(path);
    ASSERT_FALSE(unread);
    EXPECT_EQ(unread.error().ToString(),
              path + ": is not a file of at most 67108864 bytes; name a grammar file");
  }
}

TEST(PublicLanguage, IsMadeOfARegularExpression) {
  const auto date = Language::FromRegex("[0-9]{4}-[0-9]{2}");
  ASSERT_TRUE(date);
  EXPECT_TRUE(date->is_expression());
  EXPECT_FALSE(Compiled(kLists).is_expression());
  EXPECT_TRUE(date->Check("2024-05").valid);
  EXPECT_FALSE(date->Check("2024-05-06").valid);
  const auto wrong = Language::FromRegex("[0-9");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message, "");
}

TEST(PublicLanguage, EmittedTextIsASubset) {
  const Language json = Json();
  EXPECT_TRUE(json.Check(R"(["\ud83d"])").valid);
  EXPECT_FALSE(json.Check(R"(["\ud83d"])", Strength::kEmit).valid);
}

TEST(PublicLanguage, DecodesAFileThatDeclaresItsEncoding) {
  const auto python = Language::FromFile(SourcePath("grammars/python.lark"));
  ASSERT_TRUE(python) << python.error().ToString();
  const FileCheck checked = python->CheckFile("# coding: latin-1\nx = '\xe9'\n");
  EXPECT_TRUE(checked.check.valid) << checked.check.message;
  EXPECT_EQ(checked.text, "# coding: latin-1\nx = '\xc3\xa9'\n");
}

TEST(PublicLanguage, FindsLevelsByName) {
  const Language language = Compiled(kLevels);
  EXPECT_EQ(language.levels(), (std::vector<std::string>{"since_2", "since_3"}));
  const auto second = language.FindLevel("since_2"), third = language.FindLevel("since_3");
  ASSERT_TRUE(second && third);
  EXPECT_LT(*second, *third);
  EXPECT_EQ(language.FindLevel(""), Level{});
  EXPECT_TRUE(language.Check("m!;").valid);
  EXPECT_FALSE(language.Check("m!;", Strength::kEmit).valid);
  EXPECT_TRUE(language.Check("m!;", Strength::kEmit, *second).valid);
  EXPECT_FALSE(language.Check("n?;", Strength::kEmit, *second).valid);
  EXPECT_TRUE(language.Check("m!;n?;", Strength::kEmit, *third).valid);
}

TEST(PublicLanguage, NamesTheLevelsThereAre) {
  const auto unknown = Compiled(kLevels).FindLevel("since_9");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().ToString(),
            "test.lark: there is no level 'since_9'; name one of since_2, since_3");
  const auto none = Compiled(kLists).FindLevel("since_9");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "there is no level 'since_9'; the grammar has no levels: leave the name empty");
}

TEST(PublicLanguage, CountsItsParts) {
  const LanguageCounts counts = Compiled(kLists).counts();
  EXPECT_GE(counts.terminals, 5u);
  EXPECT_GE(counts.lr_terminals, 4u);
  EXPECT_GT(counts.rules, 0u);
  EXPECT_GT(counts.parser_states, 1u);
  EXPECT_GT(counts.lexer_states, 1u);
  EXPECT_EQ(counts.conflicts, 0u);
}

TEST(PublicLanguage, TellsItsConflictsByExamples) {
  const Language language = Compiled("start: sum\nsum: sum \"+\" sum | \"1\"\n");
  ASSERT_EQ(language.counts().conflicts, 1u);
  const std::vector<Conflict> conflicts = language.Conflicts(5);
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].next, "PLUS");
  ASSERT_EQ(conflicts[0].readings.size(), 2u);
  EXPECT_NE(conflicts[0].readings[0].item, conflicts[0].readings[1].item);
  EXPECT_TRUE(language.Conflicts(0).empty());
  EXPECT_TRUE(Compiled(kLists).Conflicts(5).empty());
}

TEST(PublicLanguage, NotesWhatAGrammarSeldomMeans) {
  const auto notes = Language::NotesOn("start: a\na: a | \"x\"\n", "mine.lark");
  ASSERT_TRUE(notes);
  ASSERT_FALSE(notes->empty());
  EXPECT_EQ(notes->front().line, 2u);
  EXPECT_FALSE(Language::NotesOn("start: missing\n", "mine.lark"));
}

TEST(PublicLanguage, OutlivesTheCopyThatItWasMadeFrom) {
  std::optional<Language> first = Compiled(kLists);
  const Language second = *first;
  EXPECT_EQ(second, *first);
  EXPECT_FALSE(second == Compiled(kLists));
  first.reset();
  EXPECT_TRUE(second.Check("[]").valid);
}

}  // namespace
}  // namespace tenon
