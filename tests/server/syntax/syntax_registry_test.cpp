#include "server/syntax/syntax_registry.h"

#include <filesystem>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

SyntaxRegistry RegistryOf(const TemporaryFolder& folder, const std::string& languages,
                          std::vector<fs::path> modules) {
  folder.Write("languages.json", languages);
  auto registry = LanguageRegistry::Load(folder.path());
  EXPECT_TRUE(registry.has_value()) << registry.error();
  return SyntaxRegistry(*registry, std::move(modules));
}

TEST(SyntaxRegistry, EveryShippedSyntaxLoadsInATablesFormatThatThisBuildReads) {
  const auto languages = LanguageRegistry::Load(SourcePath("grammars"));
  ASSERT_TRUE(languages.has_value()) << languages.error();
  const SyntaxRegistry registry(*languages, {SyntaxesFolder()});
  for (const std::string& id : (*languages)->Ids()) {
    const auto language = registry.Get(id);
    ASSERT_TRUE(language.has_value()) << language.error();
    EXPECT_GT(ts_language_symbol_count(*language), 0U) << id;
    EXPECT_EQ(registry.Get(id), language);
  }
}

TEST(SyntaxRegistry, ALanguageMayHaveASyntaxAlone) {
  TemporaryFolder folder;
  const SyntaxRegistry registry =
      RegistryOf(folder, R"({"py": {"syntax": "python"}, "plain": {"grammar": "plain.lark"}})",
                 {SyntaxesFolder()});
  EXPECT_TRUE(registry.Get("py").has_value());
  EXPECT_EQ(registry.Get("plain").error(), "languages.json names no syntax of 'plain'");
  EXPECT_EQ(registry.Get("klingon").error(), "languages.json names no syntax of 'klingon'");
}

TEST(SyntaxRegistry, WhatIsWrongWithAModuleIsSaidWithItsPath) {
  TemporaryFolder folder;
  folder.Write("text.so", "not a module");
  fs::copy(fs::path(SyntaxesFolder()) / "json.so", folder.path() / "renamed.so");
  fs::copy(TENON_FUTURE_SYNTAX, folder.path() / "future.so");
  fs::create_directory(folder.path() / "folder.so");
  const SyntaxRegistry registry = RegistryOf(
      folder,
      R"({"text": {"syntax": "text"}, "renamed": {"syntax": "renamed"}, "future": {"syntax": "future"}, "folder": {"syntax": "folder"}})",
      {"/nowhere", folder.path()});
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  EXPECT_EQ(registry.Get("text").error().find(path("text.so") + ": cannot be loaded: "), 0U);
  EXPECT_EQ(
      registry.Get("renamed").error(),
      path("renamed.so") +
          ": has no function tree_sitter_renamed; the file's name must be that of its parser");
  EXPECT_EQ(registry.Get("future").error(),
            path("future.so") +
                ": made for version 99 of tree-sitter's tables, and this build reads 13 to 15; "
                "generate the parser with another tree-sitter");
  EXPECT_EQ(registry.Get("folder").error(),
            "the syntax 'folder' is not installed: there is no /nowhere/folder.so and no " +
                path("folder.so"));
}

TEST(SyntaxRegistry, WhatIsWrongWithAQueryOfNamesIsSaidWithItsPath) {
  TemporaryFolder folder;
  const std::string broken = folder.Write("broken.scm", "(module) @scope\n(nothing) @once\n");
  const SyntaxRegistry registry = RegistryOf(
      folder,
      R"({"a": {"syntax": "python", "names": "broken.scm"}, "b": {"syntax": "python", "names": "no.scm"}})",
      {SyntaxesFolder()});
  EXPECT_EQ(registry.NamesOf("a").error(),
            broken + ": line 2, at 'nothing) @once': the language has no node of this kind");
  EXPECT_EQ(registry.NamesOf("b").error().find((folder.path() / "no.scm").string()), 0U)
      << registry.NamesOf("b").error();
}

TEST(SyntaxRegistry, ASyntaxIsANameAndNoPath) {
  TemporaryFolder folder;
  for (const char* syntax : {"\"../x\"", "\"a/b\"", "\"\"", "\"x.so\"", "1"}) {
    folder.Write("languages.json", std::string("{\"x\": {\"syntax\": ") + syntax + "}}");
    EXPECT_FALSE(LanguageRegistry::Load(folder.path()).has_value()) << syntax;
  }
}

TEST(SyntaxRegistry, AModuleOfTheUserGoesFirst) {
  TemporaryFolder folder;
  folder.Write("mine/json.so", "not a module");
  const SyntaxRegistry registry = RegistryOf(folder, R"({"json": {"syntax": "json"}})",
                                             {folder.path() / "mine", SyntaxesFolder()});
  EXPECT_FALSE(registry.Get("json").has_value());
}

TEST(SyntaxRegistry, ManyThreadsGetTheSameLanguage) {
  TemporaryFolder folder;
  const SyntaxRegistry registry =
      RegistryOf(folder, R"({"go": {"syntax": "go"}})", {SyntaxesFolder()});
  std::vector<const TSLanguage*> got(8);
  {
    std::vector<std::jthread> threads;
    for (auto& slot : got) threads.emplace_back([&slot, &registry] { slot = *registry.Get("go"); });
  }
  ASSERT_NE(got.front(), nullptr);
  for (const TSLanguage* language : got) EXPECT_EQ(language, got.front());
}

TEST(SyntaxRegistry, ModulesBesideTheProgramComeBeforeThoseOfTheBuild) {
  TemporaryFolder folder;
  const fs::path program = folder.path() / "bin" / "tenon";
  EXPECT_EQ(SyntaxFolders("/mine", program), (std::vector<fs::path>{"/mine", SyntaxesFolder()}));
  folder.Write("share/tenon/syntax/x.so", "");
  EXPECT_EQ(SyntaxFolders({}, program),
            (std::vector<fs::path>{folder.path() / "share" / "tenon" / "syntax"}));
}

}  // namespace
}  // namespace tenon::server
