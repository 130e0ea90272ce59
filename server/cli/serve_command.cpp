#include "server/cli/serve_command.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "server/cli/daemon_identity.h"
#include "server/cli/server_options.h"
#include "server/daemon/daemon.h"
#include "server/daemon/daemon_reach.h"
#include "server/daemon/local_socket.h"
#include "server/daemon/proxy.h"
#include "server/daemon/socket_server.h"
#include "server/lsp/stdio_loop.h"
#include "server/scheduling/free_memory.h"

namespace tenon::server {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

using Log = std::shared_ptr<spdlog::logger>;

std::function<void(int)> EndOf(const Invocation& invocation, const Log& log) {
  return [&invocation, log](int exit_code) {
    log->flush();
    invocation.process().end_process(exit_code);
  };
}

int ServeDescriptors(const Invocation& invocation, StdioOptions options, int input, int output) {
  options.input = input;
  options.output = output;
  const Log log = options.service.log;
  return RunStdio(std::move(options), EndOf(invocation, log));
}

// Every client that connects, until a signal ends the process; `on_stop` is called before that.
int ServeSocket(const Invocation& invocation, const StdioOptions& options, FileDescriptor listening,
                SocketServer::Admit admit, const std::function<void()>& on_stop) {
  asio::io_context io{1};
  const Log log = options.service.log;
  SharedCompleter completer(options.make_completer, PostTo(io), LaterOn(io));
  Service service = options.service;
  service.completer = &completer;
  service.closes_strangers = true;
  SocketServer server(io, std::move(listening), service, std::move(admit),
                      [&log](size_t clients) { log->info("clients: {}", clients); });
  asio::signal_set signals(io, SIGTERM, SIGINT);
  signals.async_wait([&server](const boost::system::error_code& error, int) {
    if (!error) server.Stop();
  });
  io.run();
  on_stop();
  EndOf(invocation, log)(kExitDone);
  return kExitDone;
}

int ServePort(const Invocation& invocation, const StdioOptions& options, uint16_t port) {
  if (port != 0) {
    if (const auto editor = ConnectToPort(port))
      return ServeDescriptors(invocation, options, editor->number(), editor->number());
  }
  auto listening = ListenOnPort(port);
  if (!listening) return invocation.Fail(listening.error());
  options.service.log->info("tenon {} serves at port {} of 127.0.0.1", invocation.process().version,
                            PortOf(*listening));
  return ServeSocket(invocation, options, *std::move(listening), {}, [] {});
}

int ServePipe(const Invocation& invocation, const StdioOptions& options, const std::string& path) {
  if (const auto editor = ConnectToPath(path))
    return ServeDescriptors(invocation, options, editor->number(), editor->number());
  auto listening = ListenAtPath(path);
  if (!listening) return invocation.Fail(listening.error());
  options.service.log->info("tenon {} serves at {}", invocation.process().version, path);
  return ServeSocket(
      invocation, options, *std::move(listening),
      [](int socket) { return PeerIs(socket, geteuid()); }, [&path] { unlink(path.c_str()); });
}

// The proxy waits for a word on this process's standard output, and for nothing more.
void SayReady() {
  constexpr std::string_view kReady = "ready\n";
  (void)!write(STDOUT_FILENO, kReady.data(), kReady.size());
  const FileDescriptor nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
  dup2(nothing.number(), STDOUT_FILENO);
}

int ServeAsDaemon(const Invocation& invocation, const Log& log, const ServeOptions& serve) {
  StdioOptions options = ServerOptions(invocation, log);
  DaemonOptions daemon;
  daemon.socket = *serve.daemon;
  daemon.idle = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double, std::ratio<60>>(serve.idle_minutes));
  daemon.service = std::move(options.service);
  daemon.make_completer = std::move(options.make_completer);
  return RunDaemon(std::move(daemon), SayReady, EndOf(invocation, log));
}

int ServeByDaemon(const Invocation& invocation, const Log& log, const ServeOptions& options) {
  const ProcessContext& process = invocation.process();
  asio::io_context io{1};
  std::optional<SharedCompleter> completer;
  Service service;
  ProxyOptions proxy;
  proxy.input = STDIN_FILENO;
  proxy.output = STDOUT_FILENO;
  proxy.log = log;
  proxy.where_to_look = (process.state_folder / "daemon.log").string() + " says why";
  proxy.reach = [&](const nlohmann::json& initialize_params) {
    std::error_code ignored;
    fs::create_directories(process.state_folder, ignored);  // for the daemon's log
    return ReachDaemon(DaemonFor(invocation, options.arguments, initialize_params), log);
  };
  proxy.serve_here = [&](asio::io_context& here) {
    const StdioOptions options_here = ServerOptions(invocation, log);
    completer.emplace(options_here.make_completer, PostTo(here), LaterOn(here));
    service = options_here.service;
    service.completer = &*completer;
    auto [mine, its] = SocketPair();
    const int output = dup(its.number());
    std::make_shared<Connection>(here, its.Release(), output, service, [](int) {})->Start();
    return std::move(mine);
  };
  const int status = RunProxy(io, std::move(proxy));
  EndOf(invocation, log)(status);
  return status;
}

}  // namespace

int RunServe(const Invocation& invocation, const ServeOptions& serve) {
  KeepLargeBlocksApart();
  const auto log = invocation.MakeLog("info");
  if (!log) return invocation.Fail(log.error());
  const ProcessContext& process = invocation.process();
  if (serve.daemon) return ServeAsDaemon(invocation, *log, serve);
  // A record or a trace is of this process.
  const bool here = serve.no_daemon || serve.port || serve.pipe || serve.record || serve.trace;
  if (!here && !process.runtime_folder.empty()) {
    const auto folder = MakePrivateFolder(process.runtime_folder);
    if (folder) return ServeByDaemon(invocation, *log, serve);
    (*log)->warn("no daemon, this process serves: {}", folder.error());
  }
  StdioOptions options = ServerOptions(invocation, *log);
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto on_fault = [log = *log](const std::string& fault) { log->error("{}", fault); };
  if (serve.record) {
    auto record = SessionRecord::Begin(*serve.record, options.service.version, now, on_fault);
    if (!record) return invocation.Fail(record.error());
    options.service.record = *std::move(record);
  }
  if (serve.trace) {
    auto stages = StageTrace::Begin(*serve.trace, now(), on_fault);
    if (!stages) return invocation.Fail(stages.error());
    options.service.stages = *std::move(stages);
  }
  if (serve.port) return ServePort(invocation, options, *serve.port);
  if (serve.pipe) return ServePipe(invocation, options, *serve.pipe);
  (*log)->info("tenon {} serves on standard input and output", process.version);
  return ServeDescriptors(invocation, std::move(options), STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace tenon::server
