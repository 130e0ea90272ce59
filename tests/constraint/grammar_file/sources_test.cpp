// Grammars made of several files: what an import brings, what it may not, and who is told what.
#include "constraint/grammar_file/sources.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "constraint/grammar_file/reader.h"
#include "tests/constraint/grammar_questions.h"
#include "tests/server/temporary_folder.h"

namespace tenon::constraint {
namespace {

using server::TemporaryFolder;

std::string PathIn(const TemporaryFolder& folder, const std::string& name) {
  return (folder.path() / name).string();
}

// What is wrong with a grammar of this text in the folder.
std::string ErrorOf(const TemporaryFolder& folder, std::string_view text) {
  const auto grammar = ReadGrammar(text, PathIn(folder, "g.lark"));
  return grammar ? "" : grammar.error().ToString();
}

constexpr std::string_view kLists = R"(%start file
file: item*
item: NAME | list
list: "[" item* "]"
NAME: /[a-z]+/
%ignore / +/
%describe NAME "a name"
)";

TEST(GrammarImport, BringsTheDefinitionsAndDirectivesOfAFile) {
  const TemporaryFolder folder;
  folder.Write("lists.lark", kLists);
  const auto grammar = ReadGrammar(
      "%import \"lists.lark\"\n%extend item: NUMBER\n%override list: \"(\" item* \")\"\n"
      "NUMBER: /[0-9]+/\n%extend NAME: /[A-Z]+/\n%describe NAME \"a word\"\n",
      PathIn(folder, "g.lark"));
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  EXPECT_EQ(Names(*grammar), "LPAR RPAR NAME NUMBER ANONYMOUS");
  EXPECT_EQ(Find(*grammar, "NAME")->description, "a word");
  EXPECT_TRUE(Matches(*Find(*grammar, "NAME"), "A"));
  EXPECT_TRUE(Matches(*Find(*grammar, "NAME"), "a"));
}

TEST(GrammarImport, LeavesOutWhatNothingUsesAnyMore) {
  const TemporaryFolder folder;
  folder.Write("lists.lark", kLists);
  const auto grammar =
      ReadGrammar("%import \"lists.lark\"\n%override item: NAME\n", PathIn(folder, "g.lark"));
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  EXPECT_EQ(Find(*grammar, "LSQB"), nullptr);
  EXPECT_EQ(ErrorOf(folder, "%import \"lists.lark\"\nx: NAME\n").substr(PathIn(folder, "").size()),
            "g.lark:2:1: the rule 'x' cannot be reached from 'file': use it or remove it");
}

TEST(GrammarImport, TheImportingFileNamesTheStart) {
  const TemporaryFolder folder;
  folder.Write("lists.lark", kLists);
  const auto grammar =
      ReadGrammar("%start list\n%import \"lists.lark\"\n", PathIn(folder, "g.lark"));
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  EXPECT_FALSE(grammar->start_nullable);
}

// Of two imported files that build on a third one, each may say anew what the third one said, in
// whichever order they are read. `tsx.lark` is such a grammar.
TEST(GrammarImport, AFileMaySayAnewWhatTheFileBelowItSaid) {
  const TemporaryFolder folder;
  folder.Write("lists.lark", kLists);
  folder.Write("numbers.lark", "%import \"lists.lark\"\n%extend item: NUMBER\nNUMBER: /[0-9]+/\n");
  folder.Write("words.lark", "%import \"lists.lark\"\n%describe NAME \"a word\"\n");
  for (const std::string_view text : {"%import \"numbers.lark\"\n%import \"words.lark\"\n",
                                      "%import \"words.lark\"\n%import \"numbers.lark\"\n"}) {
    const auto grammar = ReadGrammar(text, PathIn(folder, "g.lark"));
    ASSERT_TRUE(grammar) << grammar.error().ToString();
    EXPECT_EQ(Find(*grammar, "NAME")->description, "a word") << text;
  }
  EXPECT_NE(ErrorOf(folder, "%describe NAME \"a\"\n%import \"words.lark\"\n%describe NAME \"b\"\n")
                .find("g.lark:3:1: '%describe' is already said of 'NAME': remove one of the two"),
            std::string::npos);
}

TEST(GrammarImport, CountsPathsFromTheImportingFileAndReadsEachFileOnce) {
  const TemporaryFolder folder;
  folder.Write("parts/lists.lark", kLists);
  folder.Write("parts/more.lark", "%import \"lists.lark\"\n%extend item: \"!\"\n");
  EXPECT_EQ(ErrorOf(folder, "%import \"parts/more.lark\"\n%import \"parts/lists.lark\"\n"), "");
}

TEST(GrammarImport, NamesTheFileOfAMistake) {
  const TemporaryFolder folder;
  const std::string bad = folder.Write("bad.lark", "start: NAME\n");
  EXPECT_EQ(ErrorOf(folder, "%import \"bad.lark\"\n").substr(0, bad.size() + 40),
            bad + ":1:8: the terminal 'NAME' is not defined");
  const std::string lists = folder.Write("lists.lark", kLists);
  EXPECT_EQ(ErrorOf(folder, "%import \"lists.lark\"\nlist: \"a\"\n"),
            PathIn(folder, "g.lark") + ":2:1: 'list' is already defined in " + lists +
                ":4: add to it by '%extend', replace it by '%override', or rename this one");
}

TEST(GrammarImport, RefusesCirclesAndWhatIsNoFile) {
  const TemporaryFolder folder;
  const std::string a = folder.Write("a.lark", "\n%import \"b.lark\"\nstart: \"a\"\n");
  folder.Write("b.lark", "%import \"a.lark\"\n");
  EXPECT_EQ(
      ErrorOf(folder, "%import \"a.lark\"\n"),
      PathIn(folder, "b.lark") +
          ":1:9: 'a.lark' is being read already, so the imports go in a circle: take this one out");
  const std::string place = PathIn(folder, "g.lark") + ":1:9: ";
  EXPECT_EQ(ErrorOf(folder, "%import \"c.lark\"\n"),
            place + "there is no file '" + PathIn(folder, "c.lark") +
                "': the path counts from the folder of the importing file");
  ASSERT_EQ(mkfifo(PathIn(folder, "pipe").c_str(), 0600), 0);
  EXPECT_EQ(ErrorOf(folder, "%import \"pipe\"\n"),
            place + "'" + PathIn(folder, "pipe") +
                "' is not a file of at most 67108864 bytes; name a grammar file");
}

TEST(GrammarImport, ATextOfAllFilesTellsGrammarsApart) {
  const TemporaryFolder folder;
  const auto all = [&](std::string_view text) {
    ErrorSink errors(PathIn(folder, "g.lark"));
    return TextOfAll(ReadSources(text, PathIn(folder, "g.lark"), errors));
  };
  folder.Write("lists.lark", kLists);
  EXPECT_EQ(all("start: \"a\"\n"), "start: \"a\"\n");
  const std::string before = all("%import \"lists.lark\"\n");
  EXPECT_EQ(all("%import \"lists.lark\"\n"), before);
  folder.Write("lists.lark", std::string(kLists) + "// changed\n");
  EXPECT_NE(all("%import \"lists.lark\"\n"), before);
}

}  // namespace
}  // namespace tenon::constraint
