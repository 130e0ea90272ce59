#include "server/daemon/proxy_memory.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

class ProxyMemoryTest : public testing::Test {
 protected:
  bool FromEditor(const json& message) {
    const std::string body = message.dump();
    return memory_.FromEditor(*protocol::ParseMessage(body), body);
  }
  bool Notify(const std::string& method, const json& params) {
    return FromEditor({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  bool Ask(int id, const std::string& method, const json& params = json::object()) {
    return FromEditor({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  }
  ProxyMemory::Verdict FromDaemon(const json& message) {
    return memory_.FromDaemon(*protocol::ParseMessage(message.dump()));
  }
  bool Answer(int id) {
    return FromDaemon({{"jsonrpc", "2.0"}, {"id", id}, {"result", nullptr}}).forward;
  }
  void Begin() {
    Ask(0, "initialize");
    Answer(0);
    Notify("initialized", json::object());
  }
  void Open(const std::string& uri, const std::string& text) {
    Notify("textDocument/didOpen",
           {{"textDocument",
             {{"uri", uri}, {"languageId", "python"}, {"version", 1}, {"text", text}}}});
  }
  std::vector<json> Replay() {
    std::vector<json> messages;
    for (const std::string& body : memory_.Replay()) messages.push_back(json::parse(body));
    return messages;
  }

  ProxyMemory memory_;
};

json Insertion(int character, const std::string& text) {
  const json at = {{"line", 0}, {"character", character}};
  return {{"range", {{"start", at}, {"end", at}}}, {"text", text}};
}

TEST_F(ProxyMemoryTest, TellsTheNextDaemonTheTextsAsTheyAreNow) {
  Begin();
  Open("a", "\U0001F600x");
  Open("b", "gone");
  Notify("textDocument/didChange", {{"textDocument", {{"uri", "a"}, {"version", 7}}},
                                    {"contentChanges", {Insertion(2, "y"), Insertion(3, "z")}}});
  Notify("textDocument/didClose", {{"textDocument", {{"uri", "b"}}}});
  const auto replay = Replay();
  ASSERT_EQ(replay.size(), 3U);
  EXPECT_EQ(replay[0]["method"], "initialize");
  EXPECT_EQ(replay[1]["method"], "initialized");
  EXPECT_EQ(
      replay[2]["params"]["textDocument"],
      (json{{"uri", "a"}, {"languageId", "python"}, {"version", 0}, {"text", "\U0001F600yzx"}}));
}

TEST_F(ProxyMemoryTest, ATextThatIsOutOfStepStaysSo) {
  Begin();
  Open("a", "x");
  Notify("textDocument/didChange", {{"textDocument", {{"uri", "a"}, {"version", 2}}},
                                    {"contentChanges", {{{"range", 1}, {"text", "y"}}}}});
  const json without_edits = {{"textDocument", {{"uri", "a"}}}};
  ASSERT_EQ(Replay().size(), 4U);
  EXPECT_EQ(Replay()[3]["params"], without_edits);
  Notify("textDocument/didChange",
         {{"textDocument", {{"uri", "a"}, {"version", 3}}}, {"contentChanges", {{{"text", "z"}}}}});
  ASSERT_EQ(Replay().size(), 3U);
  EXPECT_EQ(Replay()[2]["params"]["textDocument"]["text"], "z");
  memory_.OnLostMessage();
  ASSERT_EQ(Replay().size(), 4U);
  EXPECT_EQ(Replay()[3]["params"], without_edits);
}

TEST_F(ProxyMemoryTest, TellsTheLatestSettingsAndAllChangesOfFolders) {
  Begin();
  Notify("workspace/didChangeConfiguration", {{"settings", 1}});
  Notify("workspace/didChangeConfiguration", {{"settings", 2}});
  Notify("workspace/didChangeWorkspaceFolders", {{"event", 1}});
  Notify("workspace/didChangeWorkspaceFolders", {{"event", 2}});
  const auto replay = Replay();
  ASSERT_EQ(replay.size(), 5U);
  EXPECT_EQ(replay[2]["params"]["settings"], 2);
  EXPECT_EQ(replay[3]["params"]["event"], 1);
  EXPECT_EQ(replay[4]["params"]["event"], 2);
}

TEST_F(ProxyMemoryTest, TellsANotebookAsItsCellsAreNow) {
  Begin();
  const auto cell = [](const char* uri, const char* text) {
    return json{{"uri", uri}, {"languageId", "python"}, {"version", 0}, {"text", text}};
  };
  const json opened = {
      {"notebookDocument",
       {{"uri", "n"},
        {"cells", {{{"kind", 2}, {"document", "a"}}, {{"kind", 1}, {"document", "b"}}}}}},
      {"cellTextDocuments", {cell("a", "x"), cell("b", "gone")}}};
  Notify("notebookDocument/didOpen", opened);
  const auto change = [this](const json& cells) {
    Notify("notebookDocument/didChange",
           {{"notebookDocument", {{"uri", "n"}}}, {"change", {{"cells", cells}}}});
  };
  change({{"structure",
           {{"array",
             {{"start", 1},
              {"deleteCount", 1},
              {"cells", json::array({{{"kind", 1}, {"document", "c"}}})}}},
            {"didOpen", json::array({cell("c", "# Title")})},
            {"didClose", json::array({{{"uri", "b"}}})}}}});
  for (int i = 0; i < 100; ++i) {
    change({{"textContent",
             {{{"document", {{"uri", "a"}, {"version", i}}}, {"changes", {Insertion(1, "y")}}}}}});
  }
  auto replay = Replay();
  ASSERT_EQ(replay.size(), 3U);
  EXPECT_EQ(replay[2]["method"], "notebookDocument/didOpen");
  const json& told = replay[2]["params"];
  EXPECT_EQ(told["notebookDocument"]["uri"], "n");
  EXPECT_EQ(told["notebookDocument"]["cells"],
            (json{{{"kind", 2}, {"document", "a"}}, {{"kind", 1}, {"document", "c"}}}));
  EXPECT_EQ(told["cellTextDocuments"],
            (json{cell("a", ("x" + std::string(100, 'y')).c_str()), cell("c", "# Title")}));
  memory_.OnLostMessage();
  replay = Replay();
  ASSERT_EQ(replay.size(), 5U) << "its cells are out of step";
  EXPECT_EQ(replay[3]["params"], (json{{"textDocument", {{"uri", "a"}}}}));
  Notify("notebookDocument/didClose", {{"notebookDocument", {{"uri", "n"}}},
                                       {"cellTextDocuments", {{{"uri", "a"}}, {{"uri", "c"}}}}});
  EXPECT_EQ(Replay().size(), 2U);
}

TEST_F(ProxyMemoryTest, AnswersWhatADeadDaemonLeftOpen) {
  Begin();
  Ask(1, "textDocument/completion");
  Ask(2, "textDocument/inlineCompletion");
  Ask(3, "textDocument/inlineCompletion");
  Ask(4, "completionItem/resolve", {{"label", "x"}});
  Ask(5, "textDocument/completion");
  Notify("$/cancelRequest", {{"id", 3}});
  EXPECT_TRUE(Answer(5));
  const auto messages = memory_.Forget();
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_EQ(messages[0]["result"], (json{{"isIncomplete", true}, {"items", json::array()}}));
  EXPECT_EQ(messages[1]["result"], nullptr);
  EXPECT_EQ(messages[2]["error"]["code"], -32800);
  EXPECT_EQ(messages[3]["result"], (json{{"label", "x"}}));
  EXPECT_TRUE(memory_.Forget().empty());
  EXPECT_FALSE(Answer(1)) << "a second answer stays away from the editor";
}

TEST_F(ProxyMemoryTest, TheEditorHearsOneAnswerToInitialize) {
  Ask(0, "initialize");
  (void)memory_.Replay();
  EXPECT_TRUE(memory_.Forget().empty()) << "it stays open";
  EXPECT_FALSE(memory_.initialize_answered());
  (void)memory_.Replay();
  EXPECT_TRUE(Answer(0));
  EXPECT_TRUE(memory_.initialize_answered());
  (void)memory_.Replay();
  EXPECT_FALSE(Answer(0));
}

TEST_F(ProxyMemoryTest, ARequestThatHasTheIdOfInitializeAgainIsAnsweredOnce) {
  Begin();
  Ask(0, "textDocument/completion");
  EXPECT_TRUE(Answer(0));
  EXPECT_TRUE(memory_.Forget().empty()) << "nothing is open";
  (void)memory_.Replay();
  Ask(0, "textDocument/completion");
  EXPECT_FALSE(Answer(0)) << "the second answer to initialize";
  EXPECT_TRUE(Answer(0));
}

TEST_F(ProxyMemoryTest, AnEditorThatHasRegisteredACapabilityIsNotAskedAgain) {
  Begin();
  const json registration = {{"jsonrpc", "2.0"},
                             {"id", "r"},
                             {"method", "client/registerCapability"},
                             {"params", {{"registrations", {{{"id", "one"}, {"method", "m"}}}}}}};
  EXPECT_TRUE(FromDaemon(registration).forward);
  (void)memory_.Forget();
  const auto again = FromDaemon(registration);
  EXPECT_FALSE(again.forward);
  ASSERT_TRUE(again.answer.has_value());
  EXPECT_EQ((*again.answer)["id"], "r");
  FromDaemon({{"jsonrpc", "2.0"},
              {"id", "u"},
              {"method", "client/unregisterCapability"},
              {"params", {{"unregisterations", {{{"id", "one"}, {"method", "m"}}}}}}});
  EXPECT_TRUE(FromDaemon(registration).forward);
}

TEST_F(ProxyMemoryTest, AnAnswerToADeadDaemonDoesNotReachTheNext) {
  Begin();
  const json question = {{"jsonrpc", "2.0"}, {"id", "c"}, {"method", "workspace/configuration"}};
  const json answer = {{"jsonrpc", "2.0"}, {"id", "c"}, {"result", nullptr}};
  EXPECT_TRUE(FromDaemon(question).forward);
  (void)memory_.Forget();
  EXPECT_TRUE(FromDaemon(question).forward);
  EXPECT_FALSE(FromEditor(answer));
  EXPECT_TRUE(FromEditor(answer));
}

TEST_F(ProxyMemoryTest, EndsTheProgressThatADeadDaemonShowed) {
  Begin();
  const auto progress = [](const char* kind) {
    return json{{"jsonrpc", "2.0"},
                {"method", "$/progress"},
                {"params", {{"token", "t"}, {"value", {{"kind", kind}}}}}};
  };
  EXPECT_TRUE(FromDaemon(progress("begin")).forward);
  const auto messages = memory_.Forget();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0], progress("end"));
  FromDaemon(progress("begin"));
  FromDaemon(progress("end"));
  EXPECT_TRUE(memory_.Forget().empty());
}

}  // namespace
}  // namespace tenon::server
