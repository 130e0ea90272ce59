// A record of the messages between each client and the server, in a file: `tenon --record FILE`.
//
// One JSON object a line. The first says who wrote it, each other one is a message:
//
//   {"record": 1, "version": "0.1.0"}
//   {"ms": 0.0, "client": 1, "from": "client", "message": {"jsonrpc": "2.0", "id": 0, …}}
//   {"ms": 1.3, "client": 1, "from": "server", "message": {"jsonrpc": "2.0", "id": 0, …}}
//
// `ms` counts from the first message. A message that is no JSON is a text in "raw" in place of
// "message". The file holds the texts of the documents that were open, so nobody but the user may
// read it (server/files/new_file.h). `tenon replay FILE` plays it again.
//
// Cost: a line of text and a write a message. Thread rule: the I/O thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/files/new_file.h"
#include "server/request/deadline.h"

namespace tenon::server {

class SessionRecord {
 public:
  enum class From : uint8_t { kClient, kServer };

  // Begins a new file in place of one of that name. The error names the file. `on_fault` hears of
  // the first write that fails.
  [[nodiscard]] static tl::expected<std::shared_ptr<SessionRecord>, std::string> Begin(
      const std::filesystem::path& path, std::string_view version, Deadline::Clock now,
      NewFile::OnFault on_fault);

  // The number of a client that has connected.
  [[nodiscard]] int64_t NewClient() { return ++clients_; }
  void Add(int64_t client, From from, std::string_view body);

 private:
  SessionRecord(NewFile out, Deadline::Clock now) : out_(std::move(out)), now_(std::move(now)) {}

  NewFile out_;
  Deadline::Clock now_;
  std::optional<std::chrono::steady_clock::time_point> begun_;
  int64_t clients_ = 0;
};

}  // namespace tenon::server
