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
      (json{{"uri", "a"}, {"languageId", "python"}, {"version", 7}, {"text", "\U0001F600yzx"}}));
}

TEST_F(ProxyMemoryTest, ATextThatIsOutOfStepStaysSo) {
  Begin();
  Open("a", "x");
  const json broken = {{"textDocument", {{"uri", "a"}, {"version", 2}}},
                       {"contentChanges", {{{"range", 1}, {"text", "y"}}}}};
  Notify("textDocument/didChange", broken);
  ASSERT_EQ(Replay().size(), 4U);
  EXPECT_EQ(Replay()[3]["params"], broken);
  Notify("textDocument/didChange",
         {{"textDocument", {{"uri", "a"}, {"version", 3}}}, {"contentChanges", {{{"text", "z"}}}}});
  ASSERT_EQ(Replay().size(), 3U);
  EXPECT_EQ(Replay()[2]["params"]["textDocument"]["text"], "z");
}

TEST_F(ProxyMemoryTest, TellsTheLatestSettingsAndAllOfANotebook) {
  Begin();
  Notify("workspace/didChangeConfiguration", {{"settings", 1}});
  Notify("workspace/didChangeConfiguration", {{"settings", 2}});
  Notify("notebookDocument/didOpen", {{"notebookDocument", {{"uri", "n"}}}});
  Notify("notebookDocument/didChange", {{"notebookDocument", {{"uri", "n"}}}});
  Notify("notebookDocument/didOpen", {{"notebookDocument", {{"uri", "m"}}}});
  Notify("notebookDocument/didClose", {{"notebookDocument", {{"uri", "m"}}}});
  const auto replay = Replay();
  ASSERT_EQ(replay.size(), 5U);
  EXPECT_EQ(replay[2]["params"]["settings"], 2);
  EXPECT_EQ(replay[3]["method"], "notebookDocument/didOpen");
  EXPECT_EQ(replay[4]["method"], "notebookDocument/didChange");
}

TEST_F(ProxyMemoryTest, ForgetsANotebookThatWouldTakeTooMuch) {
  Begin();
  Notify("notebookDocument/didOpen", {{"notebookDocument", {{"uri", "m"}}}});
  const protocol::Message change =
      protocol::Notification{"notebookDocument/didChange", {{"notebookDocument", {{"uri", "n"}}}}};
  const std::string body = "\"" + std::string(1 << 20, 'x') + "\"";
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(memory_.FromEditor(change, body));
  const auto replay = Replay();
  ASSERT_GE(replay.size(), 3U);
  EXPECT_LT(replay.size(), 10U);
  EXPECT_EQ(replay[2]["params"]["notebookDocument"]["uri"], "m");
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
