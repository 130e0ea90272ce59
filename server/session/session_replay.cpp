#include "server/session/session_replay.h"

#include <fstream>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "protocol/json_rpc.h"
#include "protocol/json_text.h"
#include "protocol/lsp_types.h"
#include "server/files/read_line.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// A message of 64 MiB whose bytes are escaped, and what the record writes around it.
constexpr size_t kMaxRecordedLineBytes = size_t{512} << 20;

json AnswerIn(const json& message) {
  json answer = json::object();
  for (const char* member : {"result", "error"}) {
    if (const json* value = protocol::Find(message, member)) answer[member] = *value;
  }
  if (answer.contains("result") && answer["result"].is_object())
    answer["result"].erase("serverInfo");
  return answer;
}

bool IsCompletion(const std::string& method) {
  return method == "textDocument/completion" || method == "textDocument/inlineCompletion";
}

bool OffersNothing(const json& answer) {
  const json* result = protocol::Find(answer, "result");
  if (result == nullptr) return false;
  const json* items = protocol::Find(*result, "items");
  return result->is_null() || (items != nullptr && items->empty());
}

bool EndedByTime(const json& answer) {
  return answer.dump().find("\"ended\":\"time\"") != std::string::npos;
}

ReplayVerdict Compare(const ReplayedAnswer& answer) {
  if (answer.recorded.dump() == answer.now.dump()) return ReplayVerdict::kSame;
  if (answer.method == "tenon/status") return ReplayVerdict::kTime;  // it holds latencies
  const bool time = OffersNothing(answer.recorded) || OffersNothing(answer.now) ||
                    EndedByTime(answer.recorded) || EndedByTime(answer.now);
  return IsCompletion(answer.method) && time ? ReplayVerdict::kTime : ReplayVerdict::kDifferent;
}

class Player {
 public:
  Player(const ReplayStream& stream, std::chrono::milliseconds patience)
      : stream_(stream), patience_(patience) {}

  void Send(const RecordedMessage& recorded) {
    if (recorded.message.is_null()) return stream_.send(recorded.raw);
    json message = recorded.message;
    if (!knows_model_ && IsCompletion(protocol::ReadString(message, "method").value_or("")))
      AwaitModel();
    if (message.contains("id") && message.contains("method")) {
      Asked& asked = asked_[message["id"].dump()];
      // Whoever was recorded may have sent a method that is no text.
      asked = {protocol::ReadString(message, "method").value_or(""), recorded.ms, Clock::now()};
      if (asked.method == "initialize" && message.contains("params") &&
          message["params"].is_object())
        message["params"]["processId"] = nullptr;
    }
    stream_.send(protocol::Dump(message));
  }

  // Waits for what the server said then.
  void Await(const RecordedMessage& recorded) {
    const json& message = recorded.message;
    if (const std::string unasked = Unasked(message); !unasked.empty())
      return AwaitUnasked(unasked);
    if (!message.contains("id")) return;
    const std::string id = message["id"].dump();
    while (answers_.count(id) == 0) {
      if (!Receive()) break;
    }
    const Asked& asked = asked_[id];
    ReplayedAnswer answer{.id = message["id"],
                          .method = asked.method,
                          .recorded = AnswerIn(message),
                          .now = nullptr,
                          .recorded_ms = recorded.ms - asked.recorded_ms};
    if (const auto found = answers_.find(id); found != answers_.end()) {
      answer.now = AnswerIn(found->second.message);
      answer.now_ms =
          std::chrono::duration<double, std::milli>(found->second.came - asked.sent).count();
      answer.verdict = Compare(answer);
      answers_.erase(found);
    } else {
      answer.verdict = ReplayVerdict::kMissing;
    }
    replayed_.push_back(std::move(answer));
  }

  std::vector<ReplayedAnswer> Take() { return std::move(replayed_); }

 private:
  struct Asked {
    std::string method;
    double recorded_ms = 0;
    Clock::time_point sent;
  };
  struct Came {
    json message;
    Clock::time_point came;
  };

  // The kind of a message that answers no request: its method, or "null" where it tells of one that
  // could not be read. Empty: it is an answer.
  static std::string Unasked(const json& message) {
    if (message.contains("method")) return message["method"].dump();
    return message.contains("id") && message["id"].is_null() ? "null" : "";
  }

  // Returns when the server's model is no longer loading, or the server says nothing more.
  void AwaitModel() {
    constexpr std::chrono::milliseconds kPause{20};
    knows_model_ = true;
    for (int64_t asked = 0;; ++asked) {
      const json id = fmt::format("tenon/replay/{}", asked);
      stream_.send(protocol::Dump({{"jsonrpc", "2.0"},
                                   {"id", id},
                                   {"method", "tenon/status"},
                                   {"params", json::object()}}));
      while (answers_.count(id.dump()) == 0) {
        if (!Receive()) return;
      }
      const json answer = answers_.extract(id.dump()).mapped().message;
      if (protocol::ReadString(answer, "result/state").value_or("") != "loading") return;
      std::this_thread::sleep_for(kPause);
    }
  }

  void AwaitUnasked(const std::string& kind) {
    const int wanted = ++wanted_[kind];
    // Another server may say less: what is missing once is not waited for again.
    while (said_[kind] < wanted && missing_.count(kind) == 0) {
      if (!Receive()) missing_.insert(kind);
    }
  }

  bool Receive() {
    std::optional<json> message = stream_.receive(patience_);
    if (!message) return false;
    if (const std::string unasked = Unasked(*message); !unasked.empty()) {
      ++said_[unasked];
    } else if (message->contains("id")) {
      const std::string id = (*message)["id"].dump();
      answers_[id] = {*std::move(message), Clock::now()};
    }
    return true;
  }

  const ReplayStream& stream_;
  std::chrono::milliseconds patience_;
  std::map<std::string, Asked> asked_;   // by id
  std::map<std::string, Came> answers_;  // by id; not compared yet
  std::map<std::string, int> wanted_;    // messages of the server that are no answers, by kind
  std::map<std::string, int> said_;
  std::set<std::string> missing_;
  std::vector<ReplayedAnswer> replayed_;
  bool knows_model_ = false;  // it is loaded, or will not be
};

}  // namespace

tl::expected<std::vector<RecordedMessage>, std::string> ReadSessionRecord(
    const std::filesystem::path& path, size_t max_bytes) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return tl::unexpected(fmt::format("{}: is a folder; name a file", path.string()));
  if (!std::filesystem::is_regular_file(path, error))
    return tl::unexpected(fmt::format("{}: there is no such file", path.string()));
  std::ifstream in(path);
  if (!in) return tl::unexpected(fmt::format("{}: it cannot be read", path.string()));
  std::vector<RecordedMessage> record;
  size_t number = 0, bytes = 0;
  while (const auto line = ReadLine(in, kMaxRecordedLineBytes)) {
    bytes += line->text.size();
    if (line->too_long || bytes > max_bytes) {
      return tl::unexpected(
          fmt::format("{}:{}: a line has at most {} bytes, and a record {}; cut the record",
                      path.string(), number + 1, kMaxRecordedLineBytes, max_bytes));
    }
    const json entry = protocol::ParseJson(line->text).value_or(json());
    if (++number == 1 && protocol::Find(entry, "record") != nullptr) continue;
    const auto from = protocol::ReadString(entry, "from");
    const json* ms = protocol::Find(entry, "ms");
    const json* message = protocol::Find(entry, "message");
    const auto raw = protocol::ReadString(entry, "raw");
    if (!from || ms == nullptr || !ms->is_number() || (message == nullptr && !raw)) {
      return tl::unexpected(
          fmt::format("{}:{}: it is no message of a record; tenon --record FILE writes one",
                      path.string(), number));
    }
    if (const json* client = protocol::Find(entry, "client"); client != nullptr && *client != 1)
      continue;
    record.push_back({ms->get<double>(), *from == "client", message != nullptr ? *message : json(),
                      raw.value_or("")});
  }
  return record;
}

std::vector<ReplayedAnswer> Replay(const std::vector<RecordedMessage>& record,
                                   const ReplayStream& stream, std::chrono::milliseconds patience) {
  Player player(stream, patience);
  for (const RecordedMessage& recorded : record) {
    if (recorded.from_client)
      player.Send(recorded);
    else
      player.Await(recorded);
  }
  return player.Take();
}

}  // namespace tenon::server
