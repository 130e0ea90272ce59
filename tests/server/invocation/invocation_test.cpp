#include "server/invocation/invocation.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class InvocationTest : public testing::Test {
 protected:
  Invocation With(bool as_json) const {
    CommonOptions options;
    options.json = as_json;
    return {process_, options};
  }

  std::istringstream in_;
  std::ostringstream out_, err_;
  ProcessContext process_{.in = in_, .out = out_, .err = err_, .version = "1.2.3"};
};

TEST_F(InvocationTest, TellsAFailureOnErrOrAsJson) {
  EXPECT_EQ(With(false).Fail("no such file"), kExitFailed);
  EXPECT_EQ(err_.str(), "tenon: no such file\n");
  EXPECT_EQ(With(true).Fail("no such option", kExitWrongUsage), kExitWrongUsage);
  EXPECT_EQ(out_.str(), "{\"error\":\"no such option\"}\n");
}

TEST_F(InvocationTest, AnswersEachLineThatIsNotBlank) {
  in_.str("{\"n\": 1}\n \r\n[1]\n{\"n\": 0}\n{\n");
  const int status =
      With(true).AnswerLines([](const json& request) -> tl::expected<json, std::string> {
        if (request["n"] == 0) return tl::unexpected(std::string("nought"));
        return json{{"twice", 2 * request["n"].get<int>()}};
      });
  EXPECT_EQ(status, kExitDone);
  const std::string no_object = "{\"error\":\"a request is a JSON object on one line\"}\n";
  EXPECT_EQ(out_.str(),
            "{\"twice\":2}\n" + no_object + "{\"error\":\"nought\"}\n" +
                "{\"error\":\"a request is a JSON object on one line: wrong at byte 2 of "
                "1\"}\n");
}

TEST_F(InvocationTest, ABrokenLineLosesNoLaterOne) {
  in_.str(std::string(130'000, '[') + "\n" + std::string((size_t{64} << 20) + 1, 'x') +
          " \n{\"n\": 1}");
  (void)With(true).AnswerLines(
      [](const json& request) -> tl::expected<json, std::string> { return request; });
  EXPECT_EQ(out_.str(),
            "{\"error\":\"a request is a JSON object on one line: more than 128 brackets are "
            "nested\"}\n{\"error\":\"a line has more than 67108864 bytes\"}\n{\"n\":1}\n");
}

TEST_F(InvocationTest, RequestsFromAFolderAreAFailure) {
  std::ifstream folder("/");
  ProcessContext process{.in = folder, .out = out_, .err = err_, .version = "1.2.3"};
  const auto nothing = [](const json& request) -> tl::expected<json, std::string> {
    return request;
  };
  EXPECT_EQ(Invocation(process, CommonOptions{}).AnswerLines(nothing), kExitFailed);
  EXPECT_EQ(err_.str(), "tenon: standard input cannot be read; is it a folder?\n");
}

TEST_F(InvocationTest, FindsTheLanguageOfAFileByItsSuffix) {
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  EXPECT_EQ(Invocation::LanguageOf(*languages, std::nullopt, "a.py"), "python");
  EXPECT_EQ(Invocation::LanguageOf(*languages, "json", "a.py"), "json");
  const auto unknown = Invocation::LanguageOf(*languages, std::nullopt, "a.what");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("--language"), std::string::npos) << unknown.error();
}

TEST_F(InvocationTest, OptionsThatWereNotGivenAreThoseOfTheUsersFile) {
  TemporaryFolder folder;
  process_.config_folder = folder.path();
  folder.Write("config.toml",
               "threads = 3\nengine = \"torch\"\nmodel = \"a\"\nlog = \"error\"\nmaxTokens = 8\n");
  CommonOptions options;
  options.model = "b";
  options.set = {"maxTokens=9", "scope=line", "wrong"};
  const Invocation invocation(process_, options);
  EXPECT_EQ(invocation.options().model, "b");
  EXPECT_EQ(invocation.options().threads, std::optional(3));
  EXPECT_EQ(invocation.options().engine, "torch");
  EXPECT_EQ(invocation.options().device, "auto");
  EXPECT_EQ(invocation.options().log_level, "error");
  const MergedSettings merged = invocation.settings().Merge();
  EXPECT_EQ(merged.settings.max_tokens, 9);
  EXPECT_EQ(merged.settings.scope, Scope::kLine);
  EXPECT_EQ(merged.origins.at("threads"), (folder.path() / "config.toml").string());
  EXPECT_EQ(merged.origins.at("maxTokens"), "flags");
  EXPECT_EQ(merged.problems, std::vector<std::string>{"--set 'wrong' must be NAME=VALUE"});
}

TEST_F(InvocationTest, NoThreadsToldByAFlagIsToldAllTheSame) {
  TemporaryFolder folder;
  process_.config_folder = folder.path();
  folder.Write("config.toml", "threads = 5\n");
  CommonOptions options;
  options.threads = 0;
  EXPECT_EQ(Invocation(process_, options).options().threads, std::optional(0));
}

// The folder that the program is started in is often a workspace.
TEST_F(InvocationTest, NoFileOfSettingsIsReadFromTheFolderOfTheProcess) {
  process_.config_folder = "";
  std::ofstream("config.toml") << "seed = 7\n";
  EXPECT_EQ(Invocation(process_, {}).settings().Merge().settings.seed, 0U);
  CommonOptions options;
  options.config = "config.toml";
  EXPECT_EQ(Invocation(process_, options).settings().Merge().settings.seed, 7U);
  std::filesystem::remove("config.toml");
  EXPECT_EQ(Invocation(process_, options).settings().Merge().problems.size(), 1U);
}

TEST_F(InvocationTest, AFullLogFileGivesWayToANewOne) {
  TemporaryFolder folder;
  CommonOptions options;
  options.log_file = (folder.path() / "tenon.log").string();
  const auto log = Invocation(process_, options).MakeLog("info");
  ASSERT_TRUE(log);
  const std::string line(size_t{1} << 20, 'x');
  for (int i = 0; i < 30; ++i) (*log)->info("{}", line);
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++files;
    EXPECT_LT(entry.file_size(), size_t{6} << 20);
  }
  EXPECT_EQ(files, 4U);
}

}  // namespace
}  // namespace tenon::server
