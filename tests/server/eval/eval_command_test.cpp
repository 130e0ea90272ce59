// The command as a user sees it, with a completer that always offers "answer".
#include "server/eval/eval_command.h"

#include <sys/stat.h>

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/files/read_file.h"
#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class EvalCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string text = "[\n";
    for (int i = 0; i < 60; ++i) text += "  \"an answer & <b>\",\n";
    sources_.Write("a.json", text + "  null\n]\n");
    sources_.Write("b.json", text + "  true\n]\n");
  }
  std::string Out(const std::string& name) const { return (results_.path() / name).string(); }
  ProgramRun Eval(const std::string& what, std::vector<std::string> more) const {
    more.insert(more.begin(), {"eval", what, sources_.path().string()});
    return Tenon(more);
  }
  json Result(const std::string& name = "result.json") const {
    return json::parse(*ReadFile(Out(name)));
  }

  TemporaryFolder sources_, results_;
};

TEST_F(EvalCommand, WritesTheWholeResultAsJson) {
  const ProgramRun run = Eval("gaps", {"--gaps", "6", "--json", Out("result.json")});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Has(run.out, "nats a byte")) << run.out;
  EXPECT_EQ(run.err, "");
  const json result = Result();
  EXPECT_EQ(result["eval"], "gaps");
  EXPECT_EQ(result["settings"]["gaps"], 6);
  EXPECT_EQ(result["settings"]["constraints"], json::parse(R"(["off", "left", "both"])"));
  EXPECT_EQ(result["settings"]["languages"], json::parse(R"(["json"])"));
  EXPECT_TRUE(result["machine"].contains("cpu"));
  ASSERT_EQ(result["records"].size(), 6U);
  for (const json& record : result["records"]) {
    for (const char* member : {"language", "path", "kind", "at", "piece", "bytes", "nats"})
      EXPECT_TRUE(record.contains(member)) << member;
    EXPECT_EQ(record["answers"].size(), 3U);
  }
  EXPECT_EQ(result["groups"].size(), 4U * 3) << "all kinds together and each, three constraints";
  for (const json& group : result["groups"]) {
    for (const char* member : {"language", "kind", "constraint", "count", "exact", "similarity",
                               "answered", "valid", "nats_a_byte", "tokens", "ms"})
      EXPECT_TRUE(group.contains(member)) << member;
    EXPECT_EQ(group["answered"], 1.0);
  }
  EXPECT_EQ(result["latencies_ms"]["left"].size(), 6U);
}

TEST_F(EvalCommand, PrintsTheGroupsAsJsonLines) {
  std::vector<std::string> arguments{"--json", "eval", "gaps",         sources_.path().string(),
                                     "--gaps", "3",    "--constraint", "both,off",
                                     "--seed", "7"};
  const ProgramRun run = Tenon(arguments);
  ASSERT_EQ(run.status, 0) << run.out;
  EXPECT_EQ(run.Lines().size(), 4U * 2);
  EXPECT_EQ(run.Lines()[0]["constraint"], "off");
  EXPECT_EQ(run.Lines()[0]["count"], 3);
}

TEST_F(EvalCommand, TheSameSeedGivesTheSameGaps) {
  const auto places = [this](const std::string& seed) {
    EXPECT_EQ(Eval("gaps", {"--gaps", "9", "--seed", seed, "--json", Out("result.json")}).status,
              0);
    std::vector<std::string> found;
    const json result = Result();
    EXPECT_EQ(result["records"].size(), 9U);
    for (const json& record : result["records"])
      found.push_back(record["path"].get<std::string>() + record["at"].dump());
    return found;
  };
  EXPECT_EQ(places("1"), places("1"));
  EXPECT_NE(places("1"), places("2"));
}

TEST_F(EvalCommand, ThePageRefersToNothingOutside) {
  for (const std::string what : {"gaps", "typing"}) {
    const ProgramRun run =
        Eval(what, {"--gaps", "6", "--regions", "2", "--lines", "1", "--html", Out("page.html")});
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string page = *ReadFile(Out("page.html"));
    for (const char* link : {"http", "//", "src=", "href=", "url(", "@import", "<script", "<link"})
      EXPECT_FALSE(Has(page, link)) << link;
    EXPECT_TRUE(Has(page, "<svg ")) << page;
    EXPECT_TRUE(Has(page, what == "gaps" ? "edit similarity" : "keystrokes saved"));
    EXPECT_FALSE(Has(page, "<b>")) << "text of a file is escaped";
    EXPECT_TRUE(page.ends_with("</html>\n"));
  }
}

TEST_F(EvalCommand, TypesRegionsAgain) {
  const ProgramRun run = Eval("typing", {"--regions", "2", "--lines", "2", "--constraint", "both",
                                         "--json", Out("result.json")});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Has(run.out, "saved %")) << run.out;
  const json result = Result();
  ASSERT_EQ(result["groups"].size(), 1U);
  EXPECT_EQ(result["groups"][0]["saved"], 0.0) << "no line is `answer`";
  EXPECT_EQ(result["groups"][0]["requests"], result["groups"][0]["characters"]);
  EXPECT_EQ(result["records"].size(), 2U);
}

TEST_F(EvalCommand, GoesOnFromFinishedGaps) {
  const std::vector<std::string> same{"--gaps",         "6",      "--resume",
                                      Out("run.jsonl"), "--json", Out("result.json")};
  ASSERT_EQ(Eval("gaps", same).status, 0);
  // The run that was stopped: three gaps are there, one of them with a mark, and half of a fourth.
  std::vector<std::string> lines;
  std::istringstream in(*ReadFile(Out("run.jsonl")));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 7U);
  json marked = json::parse(lines[2]);
  marked["piece"] = "kept from the first run";
  results_.Write("run.jsonl", lines[0] + "\n" + lines[1] + "\n" + marked.dump() + "\n" + lines[3] +
                                  "\n" + lines[4].substr(0, 30));
  const json first = Result();
  ASSERT_EQ(Eval("gaps", same).status, 0);
  const json second = Result();
  ASSERT_EQ(second["records"].size(), 6U);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(second["records"][i]["at"], first["records"][i]["at"]) << i;
    EXPECT_EQ(second["records"][i]["piece"],
              i == 1 ? json("kept from the first run") : first["records"][i]["piece"]);
  }
  const std::string whole = *ReadFile(Out("run.jsonl"));
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 7);

  std::vector<std::string> other = same;
  other.insert(other.end(), {"--max-tokens", "8"});
  const ProgramRun refused = Eval("gaps", other);
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(Has(refused.err, "max_tokens is 96 there and 8 now")) << refused.err;
  EXPECT_EQ(*ReadFile(Out("run.jsonl")), whole);
}

TEST_F(EvalCommand, ALineThatIsNoResultIsNamed) {
  const std::vector<std::string> same{"--gaps", "2", "--resume", Out("run.jsonl")};
  ASSERT_EQ(Eval("gaps", same).status, 0);
  const std::string whole = *ReadFile(Out("run.jsonl"));
  const json result = json::parse(
      whole.substr(whole.find('\n') + 1, whole.rfind('\n', whole.size() - 2) - whole.find('\n')));
  for (const char* member : {"language", "path", "at", "kind", "piece", "nats", "answers"}) {
    json wrong = result;
    wrong[member] = json::array({json::object()});
    results_.Write("run.jsonl", whole + wrong.dump() + "\n");
    const ProgramRun run = Eval("gaps", same);
    if (member == std::string("at") || member == std::string("nats")) continue;  // any JSON
    EXPECT_EQ(run.status, 1) << member;
    EXPECT_TRUE(Has(run.err, "run.jsonl:4: not a result")) << run.err;
  }
}

TEST_F(EvalCommand, SaysWhatIsWrong) {
  EXPECT_EQ(Tenon({"eval"}).status, 2);
  EXPECT_EQ(Tenon({"eval", "gaps"}).status, 2);
  EXPECT_EQ(Eval("gap", {}).status, 2);
  EXPECT_EQ(Eval("gaps", {"--constraint", "right"}).status, 2);
  EXPECT_TRUE(Has(Tenon({"eval", "gaps", "/nowhere"}).err, "/nowhere: not a folder"));
  EXPECT_TRUE(Has(Eval("gaps", {"--languages", "klingon"}).err, "klingon"));
  EXPECT_TRUE(Has(Eval("gaps", {"--languages", "python"}).err, "no valid file"));
  EXPECT_TRUE(Has(Eval("gaps", {"--html", "/nowhere/p.html"}).err, "/nowhere/p.html: cannot be"));
  const std::string pipe = Out("pipe");  // nobody reads it
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const char* option : {"--html", "--json"})
    EXPECT_TRUE(Has(Eval("gaps", {option, pipe}).err, pipe + ": cannot be written")) << option;
  const ProgramRun no_model =
      Tenon({"eval", "gaps", sources_.path().string()}, "", CompleterState::kFailed);
  EXPECT_EQ(no_model.status, 1);
  EXPECT_TRUE(Has(no_model.err, "run tools/setup")) << no_model.err;
}

}  // namespace
}  // namespace tenon::server
