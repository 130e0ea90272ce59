// The program as a user sees it: help, wrong usage, and the options of all commands.
#include "server/cli/command_line.h"

#include <sys/stat.h>

#include <filesystem>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(CommandLine, HelpAndVersionGoToOutAndEndWell) {
  EXPECT_EQ(Tenon({"--version"}).out, "tenon 1.2.3\n");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"complete", "--help"},
                                                    {"gap", "--help"},
                                                    {"check", "--help"},
                                                    {"grammar", "--help"},
                                                    {"model", "info", "--help"}}) {
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(Has(run.out, "Usage: ")) << run.out;
    EXPECT_EQ(run.err, "");
  }
}

TEST(CommandLine, WhatIsNoFileIsRefusedAndNotWaitedFor) {
  TemporaryFolder folder;
  const std::string pipe = folder.path().string() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string good = folder.Write("good.json", "[1]");
  for (const std::string& path : {folder.path().string(), pipe, std::string("/dev/zero")}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"check", "--language", "json", path},
          {"grammar", path},
          {"gap", "--language", "json", path, "--at", "1"},
          {"complete", "--language", "json", path, "--at", "1:1"},
          {"bench", "gap", "--language", "json", "--file", path},
          {"store", "show", "--language", "json", "--tokenizer", path},
          {"eval", "gaps", folder.path().string(), "--resume", path},
          {"model", "add", path},
          {"--grammars", path, "check", good}}) {
      const ProgramRun run = Tenon(arguments);
      EXPECT_EQ(run.status, 1) << arguments[0] << " " << path;
      EXPECT_TRUE(Has(run.err, path)) << run.err;
    }
  }
  const std::string lines = json{{"path", pipe}, {"language", "json"}, {"at", {0, 0}}}.dump() +
                            "\n" + json{{"path", good}, {"at", {0, 0}}}.dump() + "\n";
  const auto answers = Tenon({"gap", "--batch"}, lines).Lines();
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_TRUE(Has(answers[0]["error"], "is a pipe")) << answers[0];
  EXPECT_EQ(answers[1]["viable"], true);
}

TEST(CommandLine, NumbersAreFiniteAndNoneIsWrappedAround) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1]\n");
  for (const std::string number : {"nan", "inf", "-1", "1e999", "99999999999999999999999", ""}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"complete", file, "--at", "1:1", "--temperature", number},
          {"complete", file, "--at", "1:1", "--seed", number},
          {"complete", file, "--at", "1:1", "--max-tokens", number},
          {"gap", file, "--at", "1", "--sample", "1", "--seed", number},
          {"grammar", file, "--max-conflicts", number},
          {"bench", "ambiguity", "--levels", number},
          {"bench", "ambiguity", "--terms", number},
          {"eval", "gaps", folder.path().string(), "--seed", number},
          {"eval", "typing", folder.path().string(), "--sureness", number},
          {"--idle-minutes", number, "check", file},
          {"--threads", number, "check", file},
          {"--cache-mb", number, "check", file}}) {
      EXPECT_EQ(Tenon(arguments).status, 2) << arguments[0] << " " << number;
    }
  }
}

TEST(CommandLine, WrongUsageIsStatusTwoAndSaidOnErr) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1]\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"bogus"},
        {"--bogus"},
        {"--engine", "gpu", "check", file},
        {"--device", "tpu", "check", file},
        {"--set", "maxTokens", "check", file},
        {"--pipe", ""},
        {"--pipe="},
        {"check"},
        {"grammar"},
        {"complete", file},
        {"complete", "--prompt", "x"},
        {"complete", "--prompt", "x", "--language", "json", "--regex", "a"},
        {"complete", file, "--at", "1:1", "--prompt", "x"},
        {"complete", file, "--at", "1:1", "--regex", "x"},
        {"complete", file, "--at", "1"},
        {"complete", file, "--at", "0:1"},
        {"complete", file, "--at", "3:1"},
        {"complete", file, "--at", "1:5"},
        {"complete", file, "--at", "1:1", "--constraint", "right"},
        {"complete", file, "--at", "1:1", "--max-tokens", "0"},
        {"gap", file},
        {"gap", file, "--at", "x"},
        {"gap", file, "--at", "1-"},
        {"gap", file, "--at", "-1"},
        {"model"}}) {
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 2) << json(arguments);
    EXPECT_EQ(run.out, "") << json(arguments);
    EXPECT_NE(run.err, "") << json(arguments);
  }
}

TEST(CommandLine, OnATerminalItSaysWhatItIs) {
  const ProgramRun run = Tenon({}, "", CompleterState::kReady, true);
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(Has(run.out, "language server")) << run.out;
  EXPECT_TRUE(Has(run.out, "tenon doctor")) << run.out;
}

// A stream that takes nothing.
class FullDisk : public std::streambuf {
 protected:
  int_type overflow(int_type /*c*/) override { return traits_type::eof(); }
};

TEST(CommandLine, AResultThatIsLostIsAFailure) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1\n");
  const std::vector<std::pair<std::vector<const char*>, int>> cases = {
      {{"tenon", "--version"}, 1},
      {{"tenon", "--help"}, 1},
      {{"tenon", "--json", "check", file.c_str()}, 1},
      {{"tenon", "--bogus"}, 2}};
  for (const auto& [arguments, status] : cases) {
    FullDisk full;
    std::istringstream in;
    std::ostream out(&full);
    std::ostringstream err;
    ProcessContext process{
        .in = in, .out = out, .err = err, .executable = "/nowhere/bin/tenon", .version = "1.2.3"};
    EXPECT_EQ(RunCommandLine(static_cast<int>(arguments.size()), arguments.data(), process),
              status);
    EXPECT_EQ(Has(err.str(), "standard output cannot be written"), status == 1) << err.str();
  }
}

// The example of docs/grammars.md, "A language of your own".
TEST(CommandLine, ReadsALanguageOfTheUsersOwn) {
  TemporaryFolder folder;
  folder.Write("languages.json",
               R"({"recipe": {"grammar": "recipe.lark", "suffixes": [".recipe"]}})");
  folder.Write("recipe.lark", R"lark(start: title step+
title: "recipe" NAME NEWLINE
step: "-" NUMBER UNIT? NAME NEWLINE
    | "repeat" NUMBER "{" NEWLINE step+ "}" NEWLINE
UNIT: "g" | "ml"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
NEWLINE: /\r?\n/
%ignore /[ \t]+/
%layout newline=NEWLINE
%describe NAME "a name"
%describe NUMBER "a number"
)lark");
  const std::string text = "recipe bread\n- 500 g flour\nrepeat 2 {\n- 5 ml oil\n}\n";
  const std::string file = folder.Write("bread.recipe", text);
  const std::string grammars = folder.path().string();
  const ProgramRun whole = Tenon({"--grammars", grammars, "check", file});
  EXPECT_EQ(whole.status, 0) << whole.out << whole.err;
  // The setting adds to the languages that ship.
  const std::string json_file = folder.Write("a.json", "[1]\n");
  for (const std::string& path : {grammars, grammars + "/recipe.lark"}) {
    const std::string setting = "grammars=" + json({path}).dump();
    EXPECT_EQ(Tenon({"--set", setting, "check", file, json_file}).status, 0) << setting;
  }
  const ProgramRun completed =
      Tenon({"--set", "grammars=" + json({grammars}).dump(), "complete", file, "--at", "2:1"});
  EXPECT_EQ(completed.status, 0) << completed.err;
  const std::string at =
      std::to_string(text.find("{\n") + 2) + "-" + std::to_string(text.size() - 2);
  const auto gap = [&](const std::string& insert) {
    return Tenon({"--grammars", grammars, "gap", file, "--json", "--at", at, "--close",
                  "--insert=" + insert})
        .Lines()
        .at(0);
  };
  EXPECT_EQ(gap("")["viable"], true);
  EXPECT_EQ(gap("")["member"], false);  // a repetition has a step
  EXPECT_EQ(gap("- 1 egg\n")["member"], true);
  EXPECT_EQ(gap("- egg\n")["viable"], false);
  EXPECT_EQ(gap(gap("")["closing"])["member"], true);
  const ProgramRun bad =
      Tenon({"--grammars", grammars, "check", folder.Write("bad.recipe", "recipe bread\n- g\n")});
  EXPECT_TRUE(Has(bad.out, ":2:3: ") && Has(bad.out, "a number")) << bad.out;
}

TEST(CommandLine, LanguagesAreKeptInTheCacheUnlessToldOtherwise) {
  TemporaryFolder folder;
  const auto cache = folder.path() / "cache";
  const std::string grammar = folder.Write("g.lark", "start: \"a\"\n");
  const auto run = [&](std::vector<std::string> arguments) {
    return Tenon(std::move(arguments), "", CompleterState::kReady, false, cache);
  };
  EXPECT_EQ(run({"grammar", grammar, "--json", "--no-cache"}).Lines().at(0)["from_cache"], false);
  EXPECT_FALSE(std::filesystem::exists(cache));
  EXPECT_EQ(run({"grammar", grammar, "--json"}).Lines().at(0)["from_cache"], false);
  EXPECT_EQ(run({"grammar", grammar, "--json"}).Lines().at(0)["from_cache"], true);
  EXPECT_TRUE(Has(run({"grammar", grammar}).out, "read from the cache in"));
  const std::string json_file = folder.Write("a.json", "[1]\n");
  EXPECT_EQ(run({"check", json_file}).status, 0);
  EXPECT_EQ(run({"check", json_file}).status, 0);
  const json doctor = run({"doctor", "--json"}).Lines().at(0);
  EXPECT_EQ(doctor["cache"]["path"], cache.string());
  EXPECT_GT(doctor["cache"]["files"], 1);
  EXPECT_GT(doctor["cache"]["bytes"], 1000);
  EXPECT_EQ(doctor["cache"]["most_bytes"], 512U << 20);
  EXPECT_EQ(doctor["cache"]["writable"], true);
  EXPECT_TRUE(Has(run({"doctor", "--cache-mb", "3"}).out, "of at most 3 MB"))
      << run({"doctor"}).out;
  for (const json& language : doctor["grammars"])
    EXPECT_EQ(language["from_cache"], language["language"] == "json") << language;
  EXPECT_EQ(run({"doctor", "--json", "--no-cache"}).Lines().at(0)["cache"]["path"], nullptr);
}

TEST(CommandLine, ACacheThatCannotBeWrittenIsSaidInTheLogAndByTheDoctor) {
  TemporaryFolder folder;
  const auto cache = std::filesystem::path(folder.Write("file", "")) / "cache";
  const std::string json_file = folder.Write("a.json", "[1]\n");
  const auto run = [&](std::vector<std::string> arguments) {
    return Tenon(std::move(arguments), "", CompleterState::kReady, false, cache);
  };
  const ProgramRun quiet = run({"check", json_file});
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.err, "");
  const ProgramRun told = run({"check", json_file, "--log", "info"});
  EXPECT_EQ(told.status, 0);
  EXPECT_TRUE(Has(told.err, "compiled languages are not kept")) << told.err;
  EXPECT_TRUE(Has(run({"doctor"}).out, cache.string() + ": cannot be written"))
      << run({"doctor"}).out;
}

TEST(LogOptions, ALogFileThatCannotBeWrittenIsNamed) {
  TemporaryFolder folder;
  const std::string below_a_file = folder.Write("file", "") + "/all.log";
  const ProgramRun run = Tenon({"--stdio", "--log-file", below_a_file});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.err, below_a_file)) << run.err;
}

TEST(CommandLine, WrongSettingsAreWarnedOfByEachCommand) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1]\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", file}, {"complete", file, "--at", "1:2"}}) {
    std::vector<std::string> arguments = {"--set", "scop=line", "--config", "/nowhere/c.toml"};
    arguments.insert(arguments.end(), command.begin(), command.end());
    const std::string err = Tenon(arguments).err;
    const size_t first = err.find("'scop' is not a setting; the nearest is 'scope'");
    ASSERT_NE(first, std::string::npos) << err;
    EXPECT_EQ(err.find("'scop'", first + 1), std::string::npos) << "told twice: " << err;
    EXPECT_TRUE(Has(err, "/nowhere/c.toml: No such file")) << err;
  }
}

TEST(LogOptions, NoCommandRunsWithoutItsLog) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1]\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", file}, {"complete", file, "--at", "1:2"}}) {
    std::vector<std::string> arguments = {"--log-file", folder.path().string()};
    arguments.insert(arguments.end(), command.begin(), command.end());
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 2) << json(arguments);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(Has(run.err, "cannot be written; give --log-file a path that can")) << run.err;
  }
  const std::string none = (folder.path() / "none").string();
  const ProgramRun doctor =
      Tenon({"--log-file", folder.path().string(), "--grammars", none, "doctor"});
  EXPECT_TRUE(Has(doctor.out, "cannot be written; give --log-file a path that can")) << doctor.out;
}

}  // namespace
}  // namespace tenon::server
