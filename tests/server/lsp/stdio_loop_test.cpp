// The loop over real pipes, with a FakeCompleter: reading, writing, ends of streams and of
// processes.
#include "server/lsp/stdio_loop.h"

#include <array>
#include <csignal>
#include <limits>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>
#include <unistd.h>

#include "tests/server/child_process.h"
#include "tests/server/fake_completer.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class StdioLoopTest : public testing::Test {
 protected:
  StdioLoopTest() {
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> to_server{};
    std::array<int, 2> from_server{};
    EXPECT_EQ(pipe2(to_server.data(), O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(from_server.data(), O_CLOEXEC), 0);
    client_.emplace(to_server[1], from_server[0]);
    server_ = std::thread([this, input = to_server[0], output = from_server[1]] {
      StdioOptions options;
      options.input = input;
      options.output = output;
      options.make_completer = [](const Settings&) { return std::make_unique<FakeCompleter>(); };
      options.service.find_language = [](std::string_view id,
                                         std::string_view) -> std::optional<std::string> {
        return id == "python" ? std::optional<std::string>(id) : std::nullopt;
      };
      options.service.log =
          std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::null_sink_mt>());
      options.service.version = "test";
      options.service.max_unread_bytes = size_t{2} << 20;
      exit_code_ = RunStdio(std::move(options), [this](int exit_code) { told_ = exit_code; });
      close(input);
      close(output);
    });
  }

  ~StdioLoopTest() override {
    client_->CloseInput();
    client_->CloseOutput();
    if (server_.joinable()) server_.join();
  }

  int ExitCode() {
    server_.join();
    EXPECT_EQ(told_, exit_code_);
    return exit_code_;
  }

  void Start(const json& process_id) {
    client_->Send({{"jsonrpc", "2.0"},
                   {"id", 0},
                   {"method", "initialize"},
                   {"params", {{"processId", process_id}}}});
    EXPECT_EQ(client_->Receive().value_or(json())["id"], 0);
    client_->Send({{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", json::object()}});
  }

  void Open(const std::string& text) {
    client_->Send({{"jsonrpc", "2.0"},
                   {"method", "textDocument/didOpen"},
                   {"params",
                    {{"textDocument",
                      {{"uri", "test:///a.py"},
                       {"languageId", "python"},
                       {"version", 1},
                       {"text", text}}}}}});
  }

  void AskInline(int id) {
    client_->Send({{"jsonrpc", "2.0"},
                   {"id", id},
                   {"method", "textDocument/inlineCompletion"},
                   {"params",
                    {{"textDocument", {{"uri", "test:///a.py"}}},
                     {"position", {{"line", 0}, {"character", 0}}}}}});
  }

  std::optional<MessagePipe> client_;
  std::thread server_;
  int exit_code_ = -1;
  int told_ = -2;
};

TEST_F(StdioLoopTest, AnswersAndEndsWithStatusZeroAfterShutdownAndExit) {
  Start(nullptr);
  Open("x");
  AskInline(1);
  EXPECT_EQ(client_->Receive().value_or(json())["result"]["items"][0]["insertText"], "answer");
  client_->Send({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "shutdown"}});
  EXPECT_EQ(client_->Receive().value_or(json())["id"], 2);
  client_->Send({{"jsonrpc", "2.0"}, {"method", "exit"}});
  EXPECT_FALSE(client_->Receive().has_value());
  EXPECT_EQ(ExitCode(), 0);
}

TEST_F(StdioLoopTest, WhatWasAnsweredBeforeAnEarlyExitIsStillWritten) {
  std::string stream;
  for (int id = 1; id <= 200; ++id) {
    stream += protocol::EncodeFrame(
        json{{"jsonrpc", "2.0"}, {"id", id}, {"method", std::string(1000, 'm')}}.dump());
  }
  stream += protocol::EncodeFrame(R"({"jsonrpc":"2.0","method":"exit"})");
  std::thread writer([this, &stream] { client_->WriteBytes(stream); });
  for (int id = 1; id <= 200; ++id) EXPECT_EQ(client_->Receive().value_or(json())["id"], id);
  writer.join();
  EXPECT_EQ(ExitCode(), 1);
}

TEST_F(StdioLoopTest, TheEndOfInputStopsARunningCompletion) {
  Start(nullptr);
  Open("SLOW");
  AskInline(1);
  client_->CloseInput();
  EXPECT_EQ(client_->Receive().value_or(json())["id"], 1);
  EXPECT_EQ(ExitCode(), 1);
}

TEST_F(StdioLoopTest, ACancelReachesARunningCompletion) {
  Start(nullptr);
  Open("SLOW");
  AskInline(1);
  client_->Send({{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}, {"params", {{"id", 1}}}});
  EXPECT_EQ(client_->Receive().value_or(json())["error"]["code"], -32800);
}

TEST_F(StdioLoopTest, AClientThatStopsReadingEndsTheServer) {
  Start(nullptr);
  client_->CloseOutput();
  client_->Send({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "nothing"}});
  EXPECT_EQ(ExitCode(), 1);
}

TEST_F(StdioLoopTest, AClientThatLeavesTooManyAnswersUnreadIsDropped) {
  Start(nullptr);
  const json request = {
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", std::string(size_t{256} << 10, 'm')}};
  const std::string bytes = protocol::EncodeFrame(request.dump());  // its answer has them, too
  std::thread writer([this, &bytes] {
    for (int i = 0; i < 16; ++i) client_->WriteBytes(bytes);
  });
  EXPECT_EQ(ExitCode(), 1);
  writer.join();
}

TEST_F(StdioLoopTest, TheEndOfTheClientsProcessEndsTheServer) {
  ChildProcess editor({"/bin/sleep", "600"});
  Start(editor.pid());
  editor.Kill();
  EXPECT_FALSE(client_->Receive().has_value());
  EXPECT_EQ(ExitCode(), 1);
}

TEST_F(StdioLoopTest, AProcessThatCannotBeSeenIsNotWatched) {
  Start(std::numeric_limits<int32_t>::max());
  Open("x");
  AskInline(1);
  EXPECT_TRUE(client_->Receive().has_value());
}

}  // namespace
}  // namespace tenon::server
