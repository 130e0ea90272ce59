#include "server/languages/language_registry.h"

#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/cache/language_cache.h"
#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

constexpr const char* kTinyGrammar = "start: \"a\" \"b\"\n";

TEST(LanguageRegistry, LanguagesAreFoundByIdAndByTheirLongestSuffix) {
  TemporaryFolder folder;
  folder.Write(
      "languages.json",
      R"({"one": {"grammar": "one.lark", "suffixes": [".x"], "imports": ["use "]}, "two": {"grammar": "two.lark", "suffixes": [".y.x", "Makefile"]}, "three": {"grammar": "t.lark"}})");
  const auto registry = LanguageRegistry::Load(folder.path());
  ASSERT_TRUE(registry.has_value()) << registry.error();
  EXPECT_EQ((*registry)->IdForPath("/dir/a.x"), "one");
  EXPECT_EQ((*registry)->IdForPath("/dir/a.y.x"), "two");
  EXPECT_EQ((*registry)->IdForPath("Makefile"), "two");
  EXPECT_EQ((*registry)->IdForPath("/dir.x/a.y"), std::nullopt);
  EXPECT_EQ((*registry)->Imports("one"), std::vector<std::string>{"use "});
  EXPECT_TRUE((*registry)->Imports("two").empty());
  EXPECT_TRUE((*registry)->Imports("four").empty());
  EXPECT_TRUE((*registry)->Knows("three"));
  EXPECT_FALSE((*registry)->Knows("four"));
  EXPECT_EQ((*registry)->Ids(), (std::vector<std::string>{"one", "three", "two"}));
}

TEST(LanguageRegistry, TheSyntaxJudgesOtherwiseWhereALanguageSaysSo) {
  TemporaryFolder folder;
  folder.Write(
      "languages.json",
      R"({"one": {"grammar": "g.lark", "syntax": "c", "otherwise": "syntax"}, "two": {"grammar": "g.lark", "syntax": "c"}})");
  const auto registry = LanguageRegistry::Load(folder.path());
  ASSERT_TRUE(registry.has_value()) << registry.error();
  EXPECT_TRUE((*registry)->HasSyntaxOtherwise("one"));
  EXPECT_FALSE((*registry)->HasSyntaxOtherwise("two"));
  EXPECT_FALSE((*registry)->HasSyntaxOtherwise("three"));
}

TEST(LanguageRegistry, ALanguageMayNameAQueryOfItsSyntax) {
  TemporaryFolder folder;
  folder.Write("languages.json",
               R"({"one": {"syntax": "c", "names": "c.scm"}, "two": {"syntax": "c"}})");
  const auto registry = LanguageRegistry::Load(folder.path());
  ASSERT_TRUE(registry.has_value()) << registry.error();
  EXPECT_EQ((*registry)->NamesPath("one"), folder.path() / "c.scm");
  EXPECT_EQ((*registry)->NamesPath("two"), "");
  folder.Write("languages.json", R"({"one": {"grammar": "g.lark", "names": "c.scm"}})");
  const auto without = LanguageRegistry::Load(folder.path());
  ASSERT_FALSE(without.has_value());
  EXPECT_NE(without.error().find("language 'one': \"names\" must be a file"), std::string::npos)
      << without.error();
}

TEST(LanguageRegistry, MoreLanguagesComeFromFoldersAndFilesAndGoFirst) {
  TemporaryFolder folder, more;
  folder.Write(
      "languages.json",
      R"({"one": {"grammar": "one.lark", "suffixes": [".x"]}, "two": {"grammar": "two.lark"}})");
  folder.Write("one.lark", kTinyGrammar);
  more.Write("languages.json", R"({"three": {"grammar": "one.lark", "suffixes": [".x"]}})");
  more.Write("one.lark", kTinyGrammar);
  const std::string file = more.Write("two.lark", kTinyGrammar);
  const auto base = LanguageRegistry::Load(folder.path());
  ASSERT_TRUE(base.has_value());
  const auto registry = (*base)->With({more.path().string(), file});
  ASSERT_TRUE(registry.has_value()) << registry.error();
  EXPECT_EQ((*registry)->Ids(), (std::vector<std::string>{"one", "three", "two"}));
  EXPECT_EQ((*registry)->IdForPath("a.x"), "three");
  EXPECT_EQ((*registry)->IdForPath("a.two"), "two");
  EXPECT_EQ((*registry)->GrammarPath("two"), file);
  EXPECT_EQ((*registry)->Find("one", "a.two"), "one");
  EXPECT_EQ((*registry)->Find("plaintext", "a.two"), "two");
  EXPECT_EQ((*registry)->Find("plaintext", "a.b"), std::nullopt);
  EXPECT_EQ(*(*registry)->Get("one"), *(*base)->Get("one"));  // compiled once
  EXPECT_EQ((*base)->Ids(), (std::vector<std::string>{"one", "two"}));
  const auto missing = (*base)->With({"/nowhere/grammars"});
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().find("/nowhere/grammars/languages.json"), std::string::npos)
      << missing.error();
}

TEST(LanguageRegistry, WhatIsWrongWithLanguagesJsonIsSaidWithItsPath) {
  TemporaryFolder folder;
  const auto missing = LanguageRegistry::Load(folder.path());
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().find("languages.json: No such file"), std::string::npos)
      << missing.error();
  EXPECT_NE(missing.error().find("--grammars"), std::string::npos) << missing.error();
  for (const char* text : {"", "[]", "{\"a\": 1}", "{\"a\": {}}", "{\"a\": {\"grammar\": 1}}",
                           "{\"a\": {\"grammar\": \"g\", \"suffixes\": \".x\"}}",
                           "{\"a\": {\"grammar\": \"g\", \"suffixes\": [\"\"]}}",
                           "{\"a\": {\"grammar\": \"g\", \"imports\": \"use\"}}",
                           "{\"a\": {\"grammar\": \"g\", \"otherwise\": \"syntax\"}}"}) {
    folder.Write("languages.json", text);
    const auto registry = LanguageRegistry::Load(folder.path());
    ASSERT_FALSE(registry.has_value()) << text;
    EXPECT_NE(registry.error().find(folder.path().string()), std::string::npos) << registry.error();
  }
}

TEST(LanguageRegistry, AGrammarsFaultIsKeptAndToldWithItsPlace) {
  TemporaryFolder folder;
  folder.Write(
      "languages.json",
      R"({"bad": {"grammar": "bad.lark"}, "absent": {"grammar": "absent.lark"}, "dir": {"grammar": "dir.lark"}})");
  folder.Write("dir.lark/a", "");
  folder.Write("bad.lark", "start: \"a\"\n  | (\n");
  const auto registry = LanguageRegistry::Load(folder.path());
  ASSERT_TRUE(registry.has_value());
  const auto bad = (*registry)->Get("bad");
  ASSERT_FALSE(bad.has_value());
  EXPECT_NE(bad.error().find("bad.lark:"), std::string::npos) << bad.error();
  EXPECT_EQ((*registry)->Get("bad").error(), bad.error());
  EXPECT_NE((*registry)->Get("absent").error().find("absent.lark: No such file"),
            std::string::npos);
  EXPECT_NE((*registry)->Get("dir").error().find("dir.lark: is a folder"), std::string::npos);
  EXPECT_NE((*registry)->Get("klingon").error().find("no grammar for language 'klingon'"),
            std::string::npos);
}

TEST(LanguageRegistry, ManyThreadsGetTheSameLanguageCompiledOnce) {
  TemporaryFolder folder;
  folder.Write("languages.json", R"({"tiny": {"grammar": "tiny.lark"}})");
  folder.Write("tiny.lark", kTinyGrammar);
  const auto registry = LanguageRegistry::Load(folder.path());
  ASSERT_TRUE(registry.has_value());
  std::vector<std::optional<Language>> got(8);
  {
    std::vector<std::jthread> threads;
    for (auto& slot : got)
      threads.emplace_back([&slot, &registry] { slot = *(*registry)->Get("tiny"); });
  }
  ASSERT_TRUE(got.front());
  for (const auto& language : got) EXPECT_EQ(language, got.front());
}

TEST(LanguageRegistry, WhatOneRunHasCompiledTheNextOneReadsFromTheCache) {
  TemporaryFolder folder;
  folder.Write("languages.json", R"({"tiny": {"grammar": "tiny.lark"}})");
  folder.Write("tiny.lark", kTinyGrammar);
  const Cache cache(folder.path() / "cache");
  for (const bool from_cache : {false, true}) {
    const auto registry = LanguageRegistry::Load(folder.path(), cache);
    ASSERT_TRUE(registry.has_value());
    const auto language = (*registry)->Get("tiny");
    ASSERT_TRUE(language.has_value());
    EXPECT_EQ(language->from_cache(), from_cache);
  }
  EXPECT_TRUE(
      (*LanguageRegistry().With({folder.path().string() + "/tiny.lark"}))->Get("tiny").has_value());
  const auto without = LanguageRegistry::Load(folder.path());
  ASSERT_TRUE((*without)->Get("tiny").has_value());
  EXPECT_FALSE((*without)->Get("tiny")->from_cache());
}

TEST(LanguageRegistry, GrammarsBesideTheProgramComeBeforeThoseOfTheSourceTree) {
  TemporaryFolder folder;
  const auto program = folder.path() / "bin" / "tenon";
  EXPECT_EQ(FindGrammarFolder(std::nullopt, program), SourcePath("grammars"));
  folder.Write("share/tenon/grammars/languages.json", "{}");
  EXPECT_EQ(FindGrammarFolder(std::nullopt, program), folder.path() / "share/tenon/grammars");
  EXPECT_EQ(FindGrammarFolder("/mine", program), "/mine");
}

}  // namespace
}  // namespace tenon::server
