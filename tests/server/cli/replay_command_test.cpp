#include "server/cli/replay_command.h"

#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// One line of a record.
std::string Line(double ms, const char* from, const json& message) {
  return json{{"ms", ms}, {"client", 1}, {"from", from}, {"message", message}}.dump() + "\n";
}

std::string Session(const std::string& label) {
  const json open = {
      {"textDocument",
       {{"uri", "test:///a.py"}, {"languageId", "python"}, {"version", 1}, {"text", "x = "}}}};
  const json ask = {{"textDocument", {{"uri", "test:///a.py"}}},
                    {"position", {{"line", 0}, {"character", 4}}},
                    {"context", {{"triggerKind", 2}}}};  // as one types
  const json at = {{"line", 0}, {"character", 4}};
  const json items = {{{"insertText", label}, {"range", {{"start", at}, {"end", at}}}}};
  return "{\"record\":1,\"version\":\"1\"}\n" +
         Line(0, "client",
              {{"jsonrpc", "2.0"},
               {"method", "initialize"},
               {"id", 0},
               {"params", {{"processId", 1}, {"capabilities", json::object()}}}}) +
         Line(1, "client",
              {{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", json::object()}}) +
         Line(2, "client",
              {{"jsonrpc", "2.0"}, {"method", "textDocument/didOpen"}, {"params", open}}) +
         Line(3, "client",
              {{"jsonrpc", "2.0"},
               {"method", "textDocument/inlineCompletion"},
               {"id", 1},
               {"params", ask}}) +
         Line(43, "server", {{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"items", items}}}});
}

TEST(ReplayCommand, PlaysAMessageWhoseMethodIsNoText) {
  std::signal(SIGPIPE, SIG_IGN);
  TemporaryFolder folder;
  const std::string record =
      folder.Write("wrong", Session("answer") +
                                Line(50, "client", {{"jsonrpc", "2.0"}, {"method", 5}, {"id", 2}}));
  const ProgramRun run = Tenon({"replay", record});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
}

TEST(ReplayCommand, SaysWhatDiffersAndHowLongItTakes) {
  std::signal(SIGPIPE, SIG_IGN);
  TemporaryFolder folder;
  const ProgramRun same = Tenon({"replay", folder.Write("same", Session("answer"))});
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  EXPECT_TRUE(Has(same.out, "1 answers, 1 same")) << same.out;
  EXPECT_TRUE(Has(same.out, "p50 40.0 ms then")) << same.out;
  const std::string other = folder.Write("other", Session("another"));
  const ProgramRun differs = Tenon({"replay", other});
  EXPECT_EQ(differs.status, 1);
  EXPECT_TRUE(Has(differs.out, "different textDocument/inlineCompletion 1")) << differs.out;
  const auto lines = Tenon({"replay", other, "--json"}).Lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["verdict"], "different");
  EXPECT_EQ(lines[0]["now"]["result"]["items"][0]["insertText"], "answer");
  EXPECT_EQ(lines[1]["verdicts"], (json{{"different", 1}}));
}

TEST(ReplayCommand, ARecordThatComparesNothingIsAFailure) {
  std::signal(SIGPIPE, SIG_IGN);
  TemporaryFolder folder;
  const std::string begun = "{\"record\":1,\"version\":\"1\"}\n";
  const ProgramRun empty = Tenon({"replay", folder.Write("empty", begun)});
  EXPECT_EQ(empty.status, 1);
  EXPECT_TRUE(Has(empty.err, "holds no message of a client")) << empty.err;
  const json exit = {{"jsonrpc", "2.0"}, {"method", "exit"}};
  const ProgramRun silent =
      Tenon({"replay", folder.Write("silent", begun + Line(0, "client", exit))});
  EXPECT_EQ(silent.status, 1);
  EXPECT_TRUE(Has(silent.err, "holds no answer to compare")) << silent.err;
}

TEST(ReplayCommand, AFileThatIsNoRecordIsNamed) {
  TemporaryFolder folder;
  const ProgramRun none = Tenon({"replay", folder.path().string()});
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(Has(none.err, "is a folder; name a file")) << none.err;
  const ProgramRun run = Tenon({"replay", folder.Write("r", "{}\n")});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.err, "r:1:")) << run.err;
}

}  // namespace
}  // namespace tenon::server
