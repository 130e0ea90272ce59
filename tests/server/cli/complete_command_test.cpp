#include "server/cli/complete_command.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(CompleteCommand, ShowsTheCompletionInItsPlace) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "é = 1\ny = \nz = 3\n");
  const ProgramRun run = Tenon({"complete", file, "--at", "2:5"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out.rfind("é = 1\ny = ├answer┤\nz = 3\n", 0), 0U) << run.out;
  EXPECT_TRUE(Has(run.out, "guarantee file, ended by stop, 3 tokens")) << run.out;
}

TEST(CompleteCommand, JsonHasTheMembersOfTheManual) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "é = 1\ny = TAIL)\n");
  const ProgramRun run = Tenon({"complete", file, "--at", "2:9", "--json"});
  ASSERT_EQ(run.Lines().size(), 1U);
  const json line = run.Lines()[0];
  EXPECT_EQ(
      line["items"],
      json::parse(
          R"([{"text": "answer", "range": [15, 16], "guarantee": "file", "tokens": 3, "ended": "stop"}])"));
  EXPECT_TRUE(line["timings_ms"]["load"].is_number());
  EXPECT_EQ(line["statistics"],
            json::parse(R"({"drawn": 3, "refused": 2, "masks": 1, "forced": 1, "passes": 0})"));
  const std::string nothing = folder.Write("b.py", "NOTHING = \n");
  const ProgramRun empty = Tenon({"complete", nothing, "--at", "1:11", "--json"});
  EXPECT_EQ(empty.status, 0);
  EXPECT_EQ(empty.Lines().at(0)["items"], json::array());
  EXPECT_TRUE(Has(empty.Lines().at(0)["reason"], "told to offer nothing"));
}

TEST(CompleteCommand, CompletesInALanguageWithASyntaxAlone) {
  TemporaryFolder folder;
  const ProgramRun run =
      Tenon({"complete", folder.Write("a.rs", "fn main() { let x = }\n"), "--at", "1:21"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Has(run.out, "let x = ├answer┤}")) << run.out;
  const ProgramRun unknown =
      Tenon({"complete", folder.Write("a.what", "x"), "--at", "1:1", "--language", "what"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_TRUE(Has(unknown.err, "what")) << unknown.err;
}

TEST(CompleteCommand, TheTimeIsUnlimitedUnlessTold) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "BUDGET = \n");
  EXPECT_TRUE(Has(Tenon({"complete", file, "--at", "1:10"}).out, "├unlimited┤"));
  EXPECT_TRUE(Has(Tenon({"complete", file, "--at", "1:10", "--budget-ms", "250"}).out, "├250┤"));
  EXPECT_TRUE(
      Has(Tenon({"complete", "--prompt", "BUDGET", "--language", "json", "--budget-ms", "7"}).out,
          "├7┤"));
  EXPECT_EQ(Tenon({"complete", file, "--at", "1:10", "--budget-ms", "0"}).status, 2);
}

TEST(CompleteCommand, ASettingHoldsWhereNoFlagIsGiven) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "TERMS = \n");
  const auto terms = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"complete", file, "--at", "1:9"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Tenon(arguments).out;
  };
  const std::vector<std::string> settings = {"--set", "maxTokens=2",
                                             "--set", "scope=line",
                                             "--set", "constraint=left",
                                             "--set", "temperature=0.5",
                                             "--set", "seed=18446744073709551615",
                                             "--set", R"(levels={"python": "since_3_12"})",
                                             "--set", "otherFiles=false"};
  EXPECT_TRUE(Has(terms({}), "├96 block both 0 0 . true┤")) << terms({});
  EXPECT_TRUE(Has(terms(settings), "├2 line left 0.5 18446744073709551615 since_3_12. false┤"))
      << terms(settings);
  std::vector<std::string> both = settings;
  both.insert(both.end(), {"--max-tokens", "3", "--scope", "free", "--constraint", "both",
                           "--temperature", "1", "--seed", "4", "--level", "since_3_11"});
  EXPECT_TRUE(Has(terms(both), "├3 free both 1 4 since_3_11. false┤")) << terms(both);
}

TEST(CompleteCommand, ATerminalShowsTheWorkAndThenWipesIt) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "y = \n");
  const ProgramRun run = Tenon({"complete", file, "--at", "1:5"}, "", CompleterState::kReady, false,
                               {}, {}, std::nullopt, true);
  EXPECT_TRUE(Has(run.err, "64 of the prompt's 100 tokens are read")) << run.err;
  EXPECT_TRUE(Has(run.err, "\r\x1b[Kans\r\x1b[K")) << run.err;
  EXPECT_EQ(Tenon({"complete", file, "--at", "1:5"}).err, "") << "no terminal";
}

TEST(CompleteCommand, StreamsTheWorkInJsonLines) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "y = \n");
  const auto lines = Tenon({"complete", file, "--at", "1:5", "--json", "--stream"}).Lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], json::parse(R"({"read_tokens": 64, "prompt_tokens": 100, "middle": ""})"));
  EXPECT_EQ(lines[1]["middle"], "ans");
  EXPECT_EQ(lines[2]["items"][0]["text"], "answer");
}

TEST(CompleteCommand, APromptHasALanguageOrAnExpression) {
  const std::vector<std::string> prompt = {"complete", "--prompt", "x"};
  EXPECT_TRUE(Has(Tenon(prompt).err, "--prompt needs --language L"));
  std::vector<std::string> both = prompt;
  both.insert(both.end(), {"--language", "json", "--regex", "a"});
  EXPECT_TRUE(Has(Tenon(both).err, "give one or the other"));
}

TEST(CompleteCommand, WhatIsMissingIsSaid) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "x = \n");
  const ProgramRun no_model = Tenon({"complete", file, "--at", "1:5"}, "", CompleterState::kFailed);
  EXPECT_EQ(no_model.status, 1);
  EXPECT_TRUE(Has(no_model.err, "run tools/setup")) << no_model.err;
  EXPECT_TRUE(Has(Tenon({"complete", file, "--at", "1:5", "--json"}, "", CompleterState::kFailed)
                      .Lines()
                      .at(0)["error"],
                  "tools/setup"));
  EXPECT_EQ(Tenon({"complete", file + ".missing", "--at", "1:1"}).status, 1);
  const std::string unknown = folder.Write("a.what", "x = \n");
  EXPECT_TRUE(Has(Tenon({"complete", unknown, "--at", "1:5"}).err, "--language"));
  EXPECT_EQ(Tenon({"complete", unknown, "--at", "1:5", "--constraint", "off"}).status, 0);
}

}  // namespace
}  // namespace tenon::server
