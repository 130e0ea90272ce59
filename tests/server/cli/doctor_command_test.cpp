#include "server/cli/doctor_command.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(DoctorCommand, NamesWhatIsWrongAndWhatToDo) {
  const ProgramRun run = Tenon({"doctor"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.out, "tenon model pull")) << run.out;
  EXPECT_TRUE(Has(run.out, "compiled in")) << run.out;
  EXPECT_TRUE(
      Has(run.out,
          "guarantee file: go, java, javascript, javascriptreact, json, jsonc, python, sql, "
          "typescript, typescriptreact"))
      << run.out;
  EXPECT_TRUE(Has(run.out, "region, where the file is broken: ")) << run.out;
  EXPECT_TRUE(Has(run.out, "guarantee syntax: c, cpp, ")) << run.out;
  TemporaryFolder folder;
  const json facts =
      Tenon({"doctor", "--json", "--grammars", folder.path().string()}).Lines().at(0);
  EXPECT_EQ(facts["version"], "1.2.3");
  EXPECT_EQ(facts["model"]["found"], false);
  EXPECT_EQ(facts["models"].at(0)["installed"], false);
  EXPECT_TRUE(Has(run.out, "tenon model pull " + facts["models"].at(0)["name"].get<std::string>()))
      << run.out;
  EXPECT_EQ(facts["problems"].size(), 2U) << facts;
}

TEST(DoctorCommand, NamesAQueryOfNamesThatIsWrong) {
  TemporaryFolder folder;
  folder.Write("languages.json", R"({"x": {"syntax": "python", "names": "broken.scm"}})");
  const std::string broken = folder.Write("broken.scm", "(nothing) @once\n");
  const ProgramRun run = Tenon({"doctor", "--grammars", folder.path().string()});
  EXPECT_TRUE(Has(run.out, broken + ": line 1, at 'nothing) @once'")) << run.out;
}

TEST(DoctorCommand, ShowsARemoteEngineAndNoKey) {
  const ProgramRun run =
      Tenon({"doctor", "--set", "remote.kind=llama.cpp", "--set", "remote.url=http://127.0.0.1:1",
             "--set", "remote.format=starcoder", "--set", "remote.key=s3cret"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.out, "remote    llama.cpp at http://127.0.0.1:1, with a key")) << run.out;
  EXPECT_TRUE(Has(run.out, "is the server running there?")) << run.out;
  EXPECT_TRUE(Has(run.out, "remote.key = \"(not shown)\"")) << run.out;
  EXPECT_FALSE(Has(run.out, "s3cret")) << run.out;
  EXPECT_FALSE(Has(run.out, "tenon model pull")) << run.out;
  const ProgramRun half = Tenon({"doctor", "--set", "remote.kind=llama.cpp"});
  EXPECT_TRUE(Has(half.out, "remote.url does not say where it is")) << half.out;
}

TEST(DoctorCommand, ListsTheSettingsAndWhereEachIsFrom) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "config");
  folder.Write("config/config.toml", "maxTokens = 8\nscop = \"line\"\n");
  const std::vector<std::string> arguments = {"doctor", "--set", "seed=4", "--grammars",
                                              (folder.path() / "none").string()};
  const auto run = [&](std::vector<std::string> all) {
    return Tenon(std::move(all), "", CompleterState::kReady, false, {}, folder.path());
  };
  const ProgramRun screen = run(arguments);
  const std::string file = (folder.path() / "config" / "config.toml").string();
  EXPECT_TRUE(Has(screen.out, "maxTokens = 8, from " + file)) << screen.out;
  EXPECT_TRUE(Has(screen.out, "seed = 4, from flags")) << screen.out;
  EXPECT_TRUE(Has(screen.out, "'scop' is not a setting; the nearest is 'scope'")) << screen.out;
  std::vector<std::string> as_json = arguments;
  as_json.emplace_back("--json");
  const json settings = run(as_json).Lines().at(0)["settings"];
  EXPECT_EQ(settings["file"], file);
  EXPECT_EQ(settings["found"], true);
  const std::vector<json> values = settings["values"];
  EXPECT_EQ(RowNamed(values, "scope")->at("from"), "default");
}

TEST(DoctorCommand, NamesWhatTheLanguagesSayOfTheSettings) {
  TemporaryFolder folder;
  folder.Write("languages.json", R"({"new": {"grammar": "new.lark"}})");
  folder.Write("new.lark", "start: \"a\" | \"b\"#since_2\n%levels since_2\n");
  const ProgramRun run =
      Tenon({"doctor", "--grammars", folder.path().string(), "--set",
             R"(levels={"new": "since_9", "mew": "x"})", "--set", R"(grammars=["/none"])"});
  EXPECT_TRUE(Has(run.out, "gives 'new' the level 'since_9', which is none of since_2")) << run.out;
  EXPECT_TRUE(Has(run.out, "'mew', which is not known; the nearest is 'new' (flags)")) << run.out;
  EXPECT_TRUE(Has(run.out, "'grammars' names /none, which is neither a grammar file")) << run.out;
}

}  // namespace
}  // namespace tenon::server
