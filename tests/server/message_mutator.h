// Messages of a language client, at random, many of them broken: for tests of what a server does
// with whatever comes.
//
// Example: `{"method": "textDocument/didOpen", ...}` with `-1` in place of its text; the same with
// half of its bytes; the same after a Content-Length of another message.
//
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tenon::server {

class MessageMutator {
 public:
  explicit MessageMutator(uint64_t seed) : random_(seed) {}

  // The bytes of a message, its header before it. About half of all messages are as a client sends
  // them, a third are JSON with other values, the rest other bytes. "shutdown" and "exit" are rare.
  std::string Next();
  // An answer to a request of the server, at times a broken one.
  std::string AnswerTo(const nlohmann::json& request);

 private:
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  template <typename List>
  const auto& OneOf(const List& list) {
    return list[Below(std::size(list))];
  }
  nlohmann::json Message();
  nlohmann::json Position();
  nlohmann::json Range();
  nlohmann::json Id();
  nlohmann::json Value(int depth);
  void MutateValues(nlohmann::json& message);
  std::string Framed(std::string body);

  std::mt19937_64 random_;
  int64_t next_id_ = 1;
};

}  // namespace tenon::server
