// A recorded session (session_record.h), played again with another server, and what it answers now.
//
// The messages of the client are sent in their order. Before each one the player waits for what the
// server had said by then, so that a request that was superseded or cancelled is so again, and one
// that was answered before the next edit is answered before it again. Times are not waited for.
//
// Answers are compared byte for byte. Where completions differ and one of both offers nothing, or
// says `ended: time`, time decided: it counts as that and as no difference. So do answers to
// tenon/status, which hold latencies. The process that the client named is left out, and so is the
// server's version.
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
