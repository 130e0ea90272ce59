// The proxy between a client on pipes and daemons that are threads of the test.
#include "server/daemon/proxy.h"

#include <atomic>
#include <csignal>
#include <map>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/server/child_process.h"
#include "tests/server/daemon/test_service.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

class ProxyTest : public testing::Test {
 protected:
  ProxyTest() {
    std::signal(SIGPIPE, SIG_IGN);
    options_.log = TestService().log;
    options_.where_to_look = "the log says why";
    options_.pauses = {milliseconds(0), milliseconds(0), milliseconds(1)};
    options_.reach = [this](const json& params) -> boost::asio::awaitable<ProxyOptions::Reached> {
      ++reached_;
      initialize_params_ = params;
      if (!reachable_) co_return tl::unexpected(std::string("nobody is there"));
      co_return daemon_.Connect();
    };
    options_.serve_here = [this](boost::asio::io_context&) {
      ++served_here_;
      return daemon_.Connect();
    };
  }

  ~ProxyTest() override {
    client_->CloseInput();
    client_->CloseOutput();
    if (proxy_.joinable()) proxy_.join();
  }

  void SetUp() override {
    std::array<int, 2> to_proxy{};
    std::array<int, 2> from_proxy{};
    ASSERT_EQ(pipe2(to_proxy.data(), O_CLOEXEC), 0);
    ASSERT_EQ(pipe2(from_proxy.data(), O_CLOEXEC), 0);
    client_.emplace(to_proxy[1], from_proxy[0]);
    options_.input = to_proxy[0];
    options_.output = from_proxy[1];
  }

  void Run() {
    proxy_ = std::thread([this] {
      boost::asio::io_context io{1};
      exit_code_ = RunProxy(io, options_);
      close(options_.input);
      close(options_.output);
    });
  }

  void Send(const std::string& method, const json& params, std::optional<int> id = std::nullopt) {
    json message = {{"jsonrpc", "2.0"}, {"method", method}, {"params", params}};
    if (id) message["id"] = *id;
    client_->Send(message);
  }
  json Receive() { return client_->Receive().value_or(json()); }

  void Start() {
    Run();
    Send("initialize", json::object(), 0);
    EXPECT_EQ(Receive()["id"], 0);
    Send("initialized", json::object());
  }
  void Open(const std::string& text) {
    Send("textDocument/didOpen",
         {{"textDocument",
           {{"uri", "test:///a.py"}, {"languageId", "python"}, {"version", 1}, {"text", text}}}});
  }
  void Ask(int id) {
    Send("textDocument/inlineCompletion",
         {{"textDocument", {{"uri", "test:///a.py"}}},
          {"position", {{"line", 0}, {"character", 0}}}},
         id);
  }
  // Asks again and again until the answer has items: a daemon may just have died.
  json AskUntilAnswered(int first_id) {
    for (int id = first_id;; ++id) {
      Ask(id);
      const json answer = Receive();
      EXPECT_EQ(answer["id"], id) << answer;
      if (answer["id"] != id || answer["result"].is_object()) return answer["result"];
    }
  }
  int ExitCode() {
    proxy_.join();
    return exit_code_;
  }

  ThreadedService daemon_;
  std::atomic<bool> reachable_ = true;
  std::atomic<int> reached_ = 0;
  std::atomic<int> served_here_ = 0;
  json initialize_params_;
  ProxyOptions options_;
  std::optional<MessagePipe> client_;
  std::thread proxy_;
  int exit_code_ = -1;
};

TEST_F(ProxyTest, PassesMessagesOnAndEndsWithStatusZeroAfterShutdownAndExit) {
  Start();
  Open("x");
  Ask(1);
  EXPECT_EQ(Receive()["result"]["items"][0]["insertText"], "answer");
  Send("shutdown", nullptr, 2);
  EXPECT_EQ(Receive()["id"], 2);
  Send("exit", nullptr);
  EXPECT_FALSE(client_->Receive().has_value());
  EXPECT_EQ(ExitCode(), 0);
}

TEST_F(ProxyTest, ADeadDaemonIsReplacedByOneThatKnowsTheTexts) {
  Start();
  Open("x");
  Send("textDocument/didChange", {{"textDocument", {{"uri", "test:///a.py"}, {"version", 2}}},
                                  {"contentChanges", {{{"text", "LINES"}}}}});
  Ask(1);
  EXPECT_EQ(Receive()["result"]["items"][0]["insertText"], "answer(\n    1)");
  daemon_.Kill();
  EXPECT_EQ(AskUntilAnswered(2)["items"][0]["insertText"], "answer(\n    1)");
  EXPECT_EQ(reached_, 2);
}

TEST_F(ProxyTest, EditsGoOnWhileDaemonsDie) {
  options_.steady = milliseconds(0);
  Start();
  Open("x");
  const json at = {{"line", 0}, {"character", 0}};
  const json insertion = {{"range", {{"start", at}, {"end", at}}}, {"text", "E"}};
  int version = 1;
  for (const char* letter : {"S", "E", "N", "I", "L"}) {
    json change = insertion;
    change["text"] = letter;
    Send("textDocument/didChange",
         {{"textDocument", {{"uri", "test:///a.py"}, {"version", ++version}}},
          {"contentChanges", {change}}});
    daemon_.Kill();
  }
  EXPECT_EQ(AskUntilAnswered(1)["items"][0]["insertText"], "answer(\n    1)");
  EXPECT_EQ(*daemon_.completer().last_request().text, "LINESx");
}

TEST_F(ProxyTest, AMessageThatItCannotReadPutsTheTextsOfEachDaemonOutOfStep) {
  Start();
  Open("x");
  client_->WriteBytes(protocol::EncodeFrame("{\"jsonrpc\": \"2.0\", \"method\": \"\x01\"}"));
  EXPECT_EQ(Receive()["error"]["code"], -32700);
  EXPECT_EQ(Receive()["method"], "window/showMessage") << "the daemon has heard of it";
  Ask(1);
  EXPECT_TRUE(Receive()["result"].is_null());
  daemon_.Kill();
  EXPECT_EQ(Receive()["method"], "window/showMessage") << "so has the next one";
  Open("x");
  EXPECT_EQ(AskUntilAnswered(2)["items"][0]["insertText"], "answer");
}

TEST_F(ProxyTest, ARequestThatADeadDaemonLeavesIsAnsweredOnce) {
  Start();
  Open("SLOW");
  Ask(1);
  daemon_.completer().WaitUntilBlocked();
  daemon_.Kill();
  const json answer = Receive();
  EXPECT_EQ(answer["id"], 1);
  EXPECT_TRUE(answer["result"].is_null());
  Send("$/none", nullptr, 2);
  EXPECT_EQ(Receive()["id"], 2) << "nothing more comes of the first";
}

TEST_F(ProxyTest, GivesUpWhereDaemonsCannotBeReachedAnyMoreAndSaysSoOnce) {
  Start();
  reachable_ = false;
  daemon_.Kill();
  const json told = Receive();
  EXPECT_EQ(told["method"], "window/showMessage");
  EXPECT_NE(told["params"]["message"].get<std::string>().find("the log says why"),
            std::string::npos);
  Open("x");
  Ask(1);
  EXPECT_TRUE(Receive()["result"].is_null());
  Send("textDocument/completion", json::object(), 2);
  EXPECT_EQ(Receive()["result"]["items"], json::array());
  Send("shutdown", nullptr, 3);
  Send("exit", nullptr);
  EXPECT_EQ(Receive()["id"], 3);
  EXPECT_EQ(ExitCode(), 0);
}

TEST_F(ProxyTest, TriesAgainAfterARest) {
  options_.rest = milliseconds(0);
  Start();
  reachable_ = false;
  daemon_.Kill();
  EXPECT_EQ(Receive()["method"], "window/showMessage");
  reachable_ = true;
  Open("x");
  EXPECT_EQ(AskUntilAnswered(1)["items"][0]["insertText"], "answer");
}

TEST_F(ProxyTest, ServesInItsOwnProcessWhereNoDaemonWasEverReached) {
  reachable_ = false;
  Start();
  Open("x");
  Ask(1);
  EXPECT_EQ(Receive()["result"]["items"][0]["insertText"], "answer");
  EXPECT_EQ(served_here_, 1);
  EXPECT_EQ(reached_, 3);
}

TEST_F(ProxyTest, AClientNeedNotWaitForAnyAnswer) {
  Run();
  Send("initialize", {{"initializationOptions", {{"maxTokens", 3}}}}, 0);
  Send("initialized", json::object());
  Open("x");
  Ask(1);
  Send("shutdown", nullptr, 2);
  Send("exit", nullptr);
  std::map<int, int> answers;
  while (const auto message = client_->Receive()) ++answers[(*message)["id"].get<int>()];
  EXPECT_EQ(answers, (std::map<int, int>{{0, 1}, {1, 1}, {2, 1}}));
  EXPECT_EQ(ExitCode(), 0);
  EXPECT_EQ(initialize_params_["initializationOptions"]["maxTokens"], 3);
}

TEST_F(ProxyTest, AnswersFaultsThatNoDaemonHearsOf) {
  Run();
  Send("textDocument/completion", json::object(), 1);
  EXPECT_EQ(Receive()["error"]["code"], -32002);
  Send("initialize", json::array(), 2);
  EXPECT_EQ(Receive()["error"]["code"], -32602);
  client_->WriteBytes("Content-Length: 1\r\n\r\n{");
  EXPECT_EQ(Receive()["error"]["code"], -32700);
  client_->WriteBytes("Content-Length: x\r\n\r\n");
  EXPECT_EQ(Receive()["error"]["code"], -32700);
  EXPECT_EQ(reached_, 0);
  Send("exit", nullptr);
  EXPECT_EQ(ExitCode(), 1);
}

TEST_F(ProxyTest, EndsWithItsClient) {
  Start();
  Open("SLOW");
  Ask(1);
  client_->CloseInput();
  EXPECT_EQ(Receive()["id"], 1);
  EXPECT_EQ(ExitCode(), 1);
}

TEST_F(ProxyTest, EndsWithTheProcessOfItsClient) {
  ChildProcess editor({"/bin/sleep", "600"});
  Run();
  Send("initialize", {{"processId", editor.pid()}}, 0);
  EXPECT_EQ(Receive()["id"], 0);
  editor.Kill();
  EXPECT_FALSE(client_->Receive().has_value());
  EXPECT_EQ(ExitCode(), 1);
}

// The client reads nothing until all is sent: both queues come to their bound, and then all is
// there.
TEST_F(ProxyTest, NothingIsLostWhereTheClientReadsLate) {
  Start();
  const std::string long_name(100'000, 'm');
  constexpr int kMessages = 30;
  std::thread writer([&] {
    for (int id = 1; id <= kMessages; ++id) Send(long_name, nullptr, id);
  });
  for (int id = 1; id <= kMessages; ++id) EXPECT_EQ(Receive()["id"], id);
  writer.join();
}

}  // namespace
}  // namespace tenon::server
