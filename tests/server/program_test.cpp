// The real program: golden dialogues over its standard streams, and what only a process has.
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/model/small_model.h"
#include "tests/server/child_process.h"
#include "tests/server/dialogue.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

std::vector<std::string> ServerArguments() {
  return {TENON_BINARY,          "--stdio", "--no-daemon", "--model",
          "/nowhere/model.gguf", "--log",   "off",         "--no-cache"};
}

// What the server says about its model depends on the machine and comes when it comes.
bool IsAboutTheModel(const json& message) {
  const auto method = message.find("method");
  return method != message.end() && (*method == "window/showMessage" || *method == "$/progress");
}

class ProgramDialogue : public testing::TestWithParam<std::filesystem::path> {};

// After each message a request that no server knows is sent: its answer tells that all answers
// before it came.
TEST_P(ProgramDialogue, GoesAsWritten) {
  ChildProcess program(ServerArguments());
  bool ended = false;
  int barriers = 0;
  const Play play = [&](const DialogueBlock& block) {
    std::vector<json> said;
    if (block.kind == DialogueBlock::Kind::kClient)
      program.pipe().WriteBytes(protocol::EncodeFrame(block.body));
    if (block.kind == DialogueBlock::Kind::kClientRaw)
      program.pipe().WriteBytes(Unescape(block.body));
    if (block.kind == DialogueBlock::Kind::kInputEnds) program.pipe().CloseInput();
    const std::string barrier = "barrier " + std::to_string(++barriers);
    if (block.kind != DialogueBlock::Kind::kInputEnds) {
      program.pipe().Send({{"jsonrpc", "2.0"}, {"id", barrier}, {"method", "$/barrier"}});
    }
    while (const auto message = program.pipe().Receive()) {
      if (message->contains("id") && (*message)["id"] == barrier) return said;
      if (!IsAboutTheModel(*message)) said.push_back(*message);
    }
    ended = true;
    return said;
  };
  const ExitStatus exit_status = [&]() -> std::optional<int> {
    if (!ended) return std::nullopt;
    return program.Wait();
  };
  PlayDialogue(ReadDialogue(GetParam()), play, exit_status, false);
}

std::vector<std::filesystem::path> DialoguesForTheProgram() {
  std::vector<std::filesystem::path> paths;
  for (const auto& path : AllDialogues()) {
    if (ReadDialogue(path).with_binary) paths.push_back(path);
  }
  return paths;
}

std::string TestName(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Dialogues, ProgramDialogue, testing::ValuesIn(DialoguesForTheProgram()),
                         TestName);

TEST(Program, EndsWithTheProcessThatNamedItself) {
  ChildProcess editor({"/bin/sleep", "600"});
  ChildProcess program(ServerArguments());
  program.pipe().Send({{"jsonrpc", "2.0"},
                       {"id", 0},
                       {"method", "initialize"},
                       {"params", {{"processId", editor.pid()}}}});
  EXPECT_EQ(program.pipe().Receive().value_or(json())["id"], 0);
  editor.Kill();
  EXPECT_EQ(program.Wait(), 1);
}

TEST(Program, LogsAnUnknownLanguageOnceToItsLogFile) {
  TemporaryFolder folder;
  const std::string log = (folder.path() / "tenon.log").string();
  ChildProcess program(
      {TENON_BINARY, "--no-daemon", "--log-file", log, "--model", "/nowhere/model.gguf"});
  MessagePipe& pipe = program.pipe();
  pipe.Send({{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"}, {"params", json::object()}});
  pipe.Send(
      {{"jsonrpc", "2.0"},
       {"method", "textDocument/didOpen"},
       {"params",
        {{"textDocument",
          {{"uri", "test:///a"}, {"languageId", "klingon"}, {"version", 1}, {"text", "x"}}}}}});
  for (int id = 1; id <= 3; ++id) {
    pipe.Send({{"jsonrpc", "2.0"},
               {"id", id},
               {"method", "textDocument/inlineCompletion"},
               {"params",
                {{"textDocument", {{"uri", "test:///a"}}},
                 {"position", {{"line", 0}, {"character", 1}}}}}});
  }
  pipe.Send({{"jsonrpc", "2.0"}, {"id", 4}, {"method", "shutdown"}});
  pipe.Send({{"jsonrpc", "2.0"}, {"method", "exit"}});
  EXPECT_EQ(program.Wait(), 0);
  std::ifstream in(log);
  int lines = 0;
  for (std::string line; std::getline(in, line);)
    lines += line.find("klingon") != std::string::npos ? 1 : 0;
  EXPECT_EQ(lines, 1);
}

// A name that means no model leaves the server running, and the client is told the right one.
TEST(Program, ServesWithoutAModelAndSaysWhy) {
  ChildProcess program(
      {TENON_BINARY, "--stdio", "--no-daemon", "--model", "smollm2", "--log", "off", "--no-cache"});
  MessagePipe& pipe = program.pipe();
  pipe.Send({{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"}, {"params", json::object()}});
  pipe.Send({{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", json::object()}});
  std::string told;
  while (const auto message = pipe.Receive()) {
    if (message->value("method", "") != "window/showMessage") continue;
    told = (*message)["params"]["message"];
    break;
  }
  EXPECT_NE(told.find("no model is called 'smollm2'; the nearest name is 'smollm2-135m-fim'"),
            std::string::npos)
      << told;
  pipe.Send({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "shutdown"}});
  pipe.Send({{"jsonrpc", "2.0"}, {"method", "exit"}});
  EXPECT_EQ(program.Wait(), 0);
}

// How many messages of this method the server said before it answered a request that no server
// knows. The answer tells that all messages before it came.
int CountBeforeBarrier(MessagePipe& pipe, const std::string& barrier, const std::string& method) {
  pipe.Send({{"jsonrpc", "2.0"}, {"id", barrier}, {"method", "$/barrier"}});
  int count = 0;
  while (const auto message = pipe.Receive()) {
    if (message->value("method", "") == method) ++count;
    if (message->value("id", json()) == barrier) break;
  }
  return count;
}

// Returns when the model has been loaded, by the progress that the server shows until then. Where
// it shows none, the model was loaded before the client could see it. REQUIRES: `initialize` was
// sent, with a client that takes progress.
void AwaitModel(MessagePipe& pipe) {
  pipe.Send({{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", json::object()}});
  if (CountBeforeBarrier(pipe, "created", "window/workDoneProgress/create") == 0) return;
  pipe.Send({{"jsonrpc", "2.0"}, {"id", "tenon/model/create"}, {"result", nullptr}});
  // None: loading was over before.
  if (CountBeforeBarrier(pipe, "begun", "$/progress") == 0) return;
  for (int asked = 0;; ++asked) {
    const std::string id = "state" + std::to_string(asked);
    pipe.Send(
        {{"jsonrpc", "2.0"}, {"id", id}, {"method", "tenon/status"}, {"params", json::object()}});
    auto message = pipe.Receive();
    while (message && message->value("id", json()) != id) message = pipe.Receive();
    if (!message || (*message)["result"]["state"] != "loading") return;
  }
}

// A language that is in no folder of grammars of ours, named by the client's settings, completes
// in the client.
TEST(Program, CompletesALanguageOfTheUsersOwn) {
  TemporaryFolder folder;
  const std::string grammar = folder.Write("query.lark", R"lark(start: (query ";")*
query: "find" names "in" NAME ["where" condition]
names: NAME | names "," NAME
condition: comparison | condition ("and" | "or") comparison
comparison: NAME ("=" | "<" | ">") (NUMBER | TEXT)
NAME: /[a-z_]+/
NUMBER: /[0-9]+/
TEXT: /"[^"\n]*"/
BAD_TEXT: /"[^"\n]*/
%ignore /[ \t\r\n]+/
%poison BAD_TEXT
%delimited TEXT
%describe NAME "a name"
%describe NUMBER "a number"
)lark");
  const std::string left = "find name, price in cars where price < 20000;\nfind name in ",
                    right = ";\nfind a in b;\n";
  ChildProcess program(
      {TENON_BINARY, "--stdio", "--no-daemon", "--model", model::SmallModelPath(), "--log", "off"});
  MessagePipe& pipe = program.pipe();
  pipe.Send({{"jsonrpc", "2.0"},
             {"id", 0},
             {"method", "initialize"},
             {"params",
              {{"capabilities", {{"window", {{"workDoneProgress", true}}}}},
               {"initializationOptions",
                {{"grammars", {grammar}}, {"completion.invokedBudgetMs", 600000}}}}}});
  pipe.Send({{"jsonrpc", "2.0"},
             {"method", "textDocument/didOpen"},
             {"params",
              {{"textDocument",
                {{"uri", "test:///cars.query"},
                 {"languageId", "plaintext"},
                 {"version", 1},
                 {"text", left + right}}}}}});
  AwaitModel(pipe);
  pipe.Send({{"jsonrpc", "2.0"},
             {"id", 1},
             {"method", "textDocument/inlineCompletion"},
             {"params",
              {{"textDocument", {{"uri", "test:///cars.query"}}},
               {"position", {{"line", 1}, {"character", 13}}}}}});
  std::string middle;
  for (auto message = pipe.Receive(); message; message = pipe.Receive()) {
    if (!message->contains("id") || (*message)["id"] != 1) continue;
    const json& result = (*message)["result"];
    if (result.is_object() && !result["items"].empty()) middle = result["items"][0]["insertText"];
    break;
  }
  ASSERT_NE(middle, "");
  const std::string file = folder.Write("cars.query", left + middle + right);
  folder.Write("languages.json", R"({"query": {"grammar": "query.lark", "suffixes": [".query"]}})");
  ChildProcess check({TENON_BINARY, "--grammars", folder.path().string(), "check", file});
  EXPECT_EQ(check.Wait(), 0) << middle;
}

// Asked in the line below `"""` whose indentation belongs to nothing and whose bracket has no end:
// every region is tried. The tests of regions link a part of the program; here are all its parts,
// among which one class may stand in for another of its name.
TEST(Program, TriesEveryRegionOfABrokenFile) {
  TemporaryFolder folder;
  const std::string file = folder.Write("broken.py", R"py(import sys


def largest(numbers):
    """The largest."""
        best = numbers[0]{
    for number in numbers:
        if number > best:
            best = number
    return best


def main():
    print(largest([int(text) for text in sys.argv[1:]]))


main()
)py");
  for (const std::string at : {"6:26", "8:18", "10:10"}) {
    ChildProcess complete({"/bin/sh", "-c",
                           TENON_BINARY " --json --model " + model::SmallModelPath() +
                               " complete " + file + " --at " + at + " >/dev/null"});
    EXPECT_EQ(complete.Wait(), 0) << at;
  }
}

// Without a home folder nothing is kept in the folder that the program was started in.
TEST(Program, SaysThatThereIsNoHomeFolder) {
  TemporaryFolder folder;
  const std::string here = folder.path().string();
  const std::string without =
      "env -u HOME -u XDG_CONFIG_HOME -u XDG_STATE_HOME XDG_DATA_HOME=data " TENON_BINARY;
  ChildProcess doctor({"/bin/sh", "-c", "cd " + here + " && " + without + " --json doctor >told"});
  EXPECT_EQ(doctor.Wait(), 1);
  std::ifstream told(folder.path() / "told");
  std::string line;
  std::getline(told, line);
  EXPECT_NE(json::parse(line)["error"].get<std::string>().find("HOME is not set"),
            std::string::npos);
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  ChildProcess version({"/bin/sh", "-c", without + " --version >/dev/null"});
  EXPECT_EQ(version.Wait(), 0);
}

TEST(Program, AClosedStandardOutputIsAFailure) {
  ChildProcess version({"/bin/sh", "-c", TENON_BINARY " --version >&-"});
  EXPECT_EQ(version.Wait(), 1);
}

}  // namespace
}  // namespace tenon::server
