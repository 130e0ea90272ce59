// Plays the messages of a recorded client (session_record.h) to another server, and compares its
// answers with the recorded ones: `tenon replay FILE`.
//
// The client's messages are sent in their order. Before each of them the player waits for the
// messages that the recorded server had sent by then: the answers to the same requests, and as many
// others of each kind. So a request that was superseded or cancelled is superseded or cancelled
// again. The times of the record are not kept. The first completion waits until the server's model
// is no longer loading, by `tenon/status`: the recorded client may have asked when the model was
// long there. Example:
//
//   recorded                        played
//   client  request 1               sent at once
//   server  answer to 1             waited for
//   client  didChange               sent after the answer
//
// Answers are compared byte for byte, with two exceptions. Where one of two completions is empty
// or says `ended: time`, the time decided (kTime). Answers to tenon/status hold latencies and
// count as kTime, too. The client's process id and the server's version are left out.
//
// Cost: the record in memory; as long as the server takes. Thread rule: one thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace tenon::server {

struct RecordedMessage {
  double ms = 0;
  bool from_client = false;
  nlohmann::json message;  // null where it was no JSON
  std::string raw;         // then
};

// The messages of the first client. The error names the file and the line; a record of more than
// `max_bytes` is one.
[[nodiscard]] tl::expected<std::vector<RecordedMessage>, std::string> ReadSessionRecord(
    const std::filesystem::path& path, size_t max_bytes = size_t{1} << 30);

enum class ReplayVerdict : uint8_t { kSame, kTime, kDifferent, kMissing };

// An answer then and now.
struct ReplayedAnswer {
  nlohmann::json id;
  std::string method;
  nlohmann::json recorded;  // its result or error
  nlohmann::json now;
  double recorded_ms = 0;
  double now_ms = 0;
  ReplayVerdict verdict = ReplayVerdict::kSame;
};

// A stream of messages to a server.
struct ReplayStream {
  std::function<void(const std::string& body)> send;
  // The next message, or nothing when none comes in this time or the stream has ended.
  std::function<std::optional<nlohmann::json>(std::chrono::milliseconds patience)> receive;
};

// One for each answer of the record, in its order.
[[nodiscard]] std::vector<ReplayedAnswer> Replay(const std::vector<RecordedMessage>& record,
                                                 const ReplayStream& stream,
                                                 std::chrono::milliseconds patience);

}  // namespace tenon::server
