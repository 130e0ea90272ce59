// Daemons in threads of the test, at a socket in a folder of its own.
#include "server/daemon/daemon.h"

#include <atomic>
#include <filesystem>
#include <future>
#include <latch>
#include <thread>

#include <fcntl.h>

#include <gtest/gtest.h>

#include "server/daemon/daemon_query.h"
#include "server/daemon/socket_server.h"
#include "tests/server/child_process.h"
#include "tests/server/daemon/test_service.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// Serves until its last client goes: it may be idle for no time at all. Returns the exit status.
int RunOne(const std::filesystem::path& socket, const std::function<void()>& on_ready) {
  DaemonOptions options;
  options.socket = socket;
  options.idle = std::chrono::milliseconds(0);
  options.service = TestService();
  options.make_completer = [](const Settings&) { return std::make_unique<FakeCompleter>(); };
  int told = -1;
  const int status = RunDaemon(std::move(options), on_ready, [&told](int s) { told = s; });
  EXPECT_EQ(told, status);
  return status;
}

std::unique_ptr<MessagePipe> Client(const std::filesystem::path& socket) {
  auto connected = ConnectToPath(socket);
  if (!connected) return nullptr;
  fcntl(connected->number(), F_SETFL, 0);
  const int number = connected->Release();
  return std::make_unique<MessagePipe>(number, dup(number));
}

void Initialize(MessagePipe& client) {
  client.Send(
      {{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"}, {"params", json::object()}});
  EXPECT_EQ(client.Receive().value_or(json())["id"], 0);
}

TEST(Daemon, ServesSeveralClientsAndEndsWhenTheLastHasGone) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "d.sock";
  std::vector<std::unique_ptr<MessagePipe>> clients;
  std::promise<void> ready;
  std::thread daemon([&] {
    EXPECT_EQ(RunOne(socket,
                     [&] {
                       for (int i = 0; i < 3; ++i) clients.push_back(Client(socket));
                       ready.set_value();
                     }),
              0);
  });
  ready.get_future().wait();
  for (const auto& client : clients) {
    ASSERT_NE(client, nullptr);
    Initialize(*client);
  }
  const auto about = AskDaemon(socket);
  ASSERT_TRUE(about.has_value());
  EXPECT_EQ((*about)["pid"], getpid());
  EXPECT_EQ((*about)["model"], "fake model");
  EXPECT_EQ((*about)["clients"], 4) << "the question has a connection, too";
  clients[0].reset();
  EXPECT_TRUE(AskDaemon(socket).has_value()) << "the others are served";
  clients.clear();
  daemon.join();
  EXPECT_FALSE(std::filesystem::exists(socket));
}

// The editor's answer to one daemon's request is none to that of the next.
TEST(Daemon, TheIdsOfItsRequestsAreOfItsProcess) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "d.sock";
  std::unique_ptr<MessagePipe> client;
  std::promise<void> ready;
  std::thread daemon([&] {
    EXPECT_EQ(RunOne(socket,
                     [&] {
                       client = Client(socket);
                       ready.set_value();
                     }),
              0);
  });
  ready.get_future().wait();
  client->Send({{"jsonrpc", "2.0"},
                {"id", 0},
                {"method", "initialize"},
                {"params", {{"capabilities", {{"workspace", {{"configuration", true}}}}}}}});
  (void)client->Receive();
  client->Send({{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", json::object()}});
  const json asked = client->Receive().value_or(json());
  EXPECT_EQ(asked["method"], "workspace/configuration");
  EXPECT_EQ(asked["id"], "tenon/" + std::to_string(getpid()) + "/1");
  client.reset();
  daemon.join();
}

TEST(Daemon, OfTwoThatStartAtOnceOneServes) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "d.sock";
  std::vector<std::unique_ptr<MessagePipe>> clients(2);
  std::vector<std::thread> daemons;
  std::latch both(3);
  for (auto& client : clients) {
    daemons.emplace_back([&] {
      EXPECT_EQ(RunOne(socket,
                       [&] {
                         client = Client(socket);
                         both.count_down();
                       }),
                0);
    });
  }
  both.arrive_and_wait();
  for (auto& client : clients) {
    ASSERT_NE(client, nullptr);
    Initialize(*client);
  }
  EXPECT_EQ((*AskDaemon(socket))["clients"], 3);
  clients.clear();
  for (std::thread& daemon : daemons) daemon.join();
}

TEST(Daemon, TakesTheSocketOfOneThatWasKilled) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "d.sock";
  { ASSERT_TRUE(ListenAtPath(socket).has_value()); }  // nobody serves it, and it is there
  std::unique_ptr<MessagePipe> client;
  EXPECT_EQ(RunOne(socket,
                   [&] {
                     client = Client(socket);
                     ASSERT_NE(client, nullptr);
                     client->CloseInput();
                     client->CloseOutput();
                   }),
            0);
}

TEST(Daemon, SaysThatItsSocketCannotBeMade) {
  bool ready = false;
  EXPECT_EQ(RunOne("/nowhere/d.sock", [&] { ready = true; }), 1);
  const TemporaryFolder folder;
  EXPECT_EQ(RunOne(folder.Write("d.sock", "a file"), [&] { ready = true; }), 1);
  EXPECT_FALSE(ready);
}

TEST(SocketServer, ClosesAClientThatSpeaksAnotherProtocol) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "d.sock";
  boost::asio::io_context io{1};
  int completers = 0;
  SharedCompleter completer(
      [&](const Settings&) {
        ++completers;
        return std::make_unique<FakeCompleter>();
      },
      [](std::function<void()>) {});
  Service service = TestService();
  service.completer = &completer;
  service.closes_strangers = true;
  SocketServer server(io, *ListenAtPath(socket), service, {}, [&](size_t clients) {
    if (clients == 0) boost::asio::post(io, [&] { server.Stop(); });
  });
  const auto connected = ConnectToPath(socket);
  ASSERT_TRUE(connected.has_value());
  const std::string initialize =
      R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})";
  const std::string page =
      "POST / HTTP/1.1\r\nContent-Length: " + std::to_string(initialize.size()) + "\r\n\r\n" +
      initialize;
  ASSERT_EQ(write(connected->number(), page.data(), page.size()),
            static_cast<ssize_t>(page.size()));
  io.run();
  char answer = 0;
  EXPECT_EQ(read(connected->number(), &answer, 1), 0) << "nothing is answered";
  EXPECT_EQ(completers, 0);
}

TEST(SocketServer, ClosesTheConnectionOfAProcessThatIsNotAdmitted) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "d.sock";
  boost::asio::io_context io{1};
  SharedCompleter completer([](const Settings&) { return std::make_unique<FakeCompleter>(); },
                            [](std::function<void()>) {});
  Service service = TestService();
  service.completer = &completer;
  size_t most_clients = 0;
  SocketServer server(
      io, *ListenAtPath(socket), service,
      [&](int connected) {
        boost::asio::post(io, [&] { server.Stop(); });
        return PeerIs(connected, geteuid() + 1);
      },
      [&](size_t clients) { most_clients = std::max(most_clients, clients); });
  const auto client = Client(socket);
  ASSERT_NE(client, nullptr);
  io.run();
  EXPECT_FALSE(client->Receive().has_value());
  EXPECT_EQ(most_clients, 0U);
}

}  // namespace
}  // namespace tenon::server
