#include "server/cli/replay_command.h"

#include <algorithm>
#include <array>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/framing.h"
#include "protocol/json_text.h"
#include "server/cli/server_options.h"
#include "server/files/file_descriptor.h"
#include "server/lsp/stdio_loop.h"
#include "server/request/percentile.h"
#include "server/session/session_replay.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// The client's end of a socket to a server: messages each way.
class ServerEnd {
 public:
  explicit ServerEnd(FileDescriptor socket) : socket_(std::move(socket)) {}

  void Close() { socket_.Reset(); }

  void Send(const std::string& body) const {
    const std::string frame = protocol::EncodeFrame(body);
    for (std::string_view bytes = frame; !bytes.empty();) {
      const ssize_t written = write(socket_.number(), bytes.data(), bytes.size());
      if (written <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }

  std::optional<json> Receive(std::chrono::milliseconds patience) {
    while (true) {
      if (const auto frame = frames_.Next()) {
        const auto* body = std::get_if<std::string>(&*frame);
        return body != nullptr ? protocol::ParseJson(*body).value_or(json()) : json();
      }
      pollfd ready{socket_.number(), POLLIN, 0};
      if (poll(&ready, 1, static_cast<int>(patience.count())) <= 0) return std::nullopt;
      std::array<char, size_t{64} << 10> buffer{};
      const ssize_t got = read(socket_.number(), buffer.data(), buffer.size());
      if (got <= 0) return std::nullopt;
      frames_.Append(std::string_view(buffer.data(), static_cast<size_t>(got)));
    }
  }

 private:
  FileDescriptor socket_;
  protocol::FrameReader frames_;
};

const char* NameOf(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::kSame:
      return "same";
    case ReplayVerdict::kTime:
      return "time";
    case ReplayVerdict::kDifferent:
      return "different";
    case ReplayVerdict::kMissing:
      return "missing";
  }
  return "different";
}

struct MethodRow {
  std::map<ReplayVerdict, int> verdicts;
  std::vector<double> recorded_ms, now_ms;
};

void PrintRow(const Invocation& invocation, const std::string& method, const MethodRow& row) {
  const size_t count = row.recorded_ms.size();
  json verdicts = json::object();
  for (const auto& [verdict, answers] : row.verdicts) verdicts[NameOf(verdict)] = answers;
  const auto sorted = [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values;
  };
  const std::vector<double> then = sorted(row.recorded_ms), now = sorted(row.now_ms);
  const double then50 = PercentileOf(then, 0.5), then95 = PercentileOf(then, 0.95);
  const double now50 = PercentileOf(now, 0.5), now95 = PercentileOf(now, 0.95);
  if (invocation.json()) {
    return invocation.PrintJson({{"method", method},
                                 {"answers", count},
                                 {"verdicts", verdicts},
                                 {"recorded_ms", {{"p50", then50}, {"p95", then95}}},
                                 {"now_ms", {{"p50", now50}, {"p95", now95}}}});
  }
  std::string counts;
  for (const auto& [verdict, answers] : row.verdicts)
    counts += fmt::format(", {} {}", answers, NameOf(verdict));
  invocation.Print(fmt::format(
      "{:32} {} answers{}\n{:32} p50 {:.1f} ms then, {:.1f} now; p95 {:.1f} then, {:.1f} now\n",
      method, count, counts, "", then50, now50, then95, now95));
}

int Report(const Invocation& invocation, const std::vector<ReplayedAnswer>& answers) {
  std::map<std::string, MethodRow> rows;
  bool good = true;
  for (const ReplayedAnswer& answer : answers) {
    MethodRow& row = rows[answer.method];
    ++row.verdicts[answer.verdict];
    row.recorded_ms.push_back(answer.recorded_ms);
    row.now_ms.push_back(answer.now_ms);
    if (answer.verdict == ReplayVerdict::kSame) continue;
    good = good && answer.verdict == ReplayVerdict::kTime;
    if (invocation.json()) {
      invocation.PrintJson({{"id", answer.id},
                            {"method", answer.method},
                            {"verdict", NameOf(answer.verdict)},
                            {"recorded", answer.recorded},
                            {"now", answer.now}});
    } else {
      invocation.Print(fmt::format("{} {} {}\n  then {}\n  now  {}\n", NameOf(answer.verdict),
                                   answer.method, answer.id.dump(), answer.recorded.dump(),
                                   answer.now.dump()));
    }
  }
  for (const auto& [method, row] : rows) PrintRow(invocation, method, row);
  return good ? kExitDone : kExitFailed;
}

}  // namespace

int RunReplay(const Invocation& invocation, const ReplayOptions& options) {
  const auto record = ReadSessionRecord(options.file);
  if (!record) return invocation.Fail(record.error());
  if (record->empty())
    return invocation.Fail(fmt::format("{}: holds no message of a client", options.file));
  const auto log = invocation.MakeLog("warn");
  if (!log) return invocation.Fail(log.error());
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return invocation.Fail("no socket can be made for the server");
  ServerEnd client{FileDescriptor(ends[0])};
  std::thread server([&invocation, &log, end = FileDescriptor(ends[1])] {
    StdioOptions server_options = ServerOptions(invocation, *log);
    server_options.input = server_options.output = end.number();
    (void)RunStdio(std::move(server_options), [](int) {});
  });
  const std::vector<ReplayedAnswer> answers =
      Replay(*record,
             {[&client](const std::string& body) { client.Send(body); },
              [&client](std::chrono::milliseconds patience) { return client.Receive(patience); }},
             std::chrono::seconds(options.patience_s));
  client.Close();
  server.join();
  if (answers.empty())
    return invocation.Fail(fmt::format("{}: holds no answer to compare", options.file));
  return Report(invocation, answers);
}

}  // namespace tenon::server
