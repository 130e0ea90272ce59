// The requests that the server sends to the client, each with the function that hears its answer.
//
// Example: the server asks for `workspace/configuration`; seconds later the client answers, and the
// function that was given with the request is called with the answer.
//
// An answer that never comes costs an entry here, of kMaxOpen at most: then the oldest request is
// given up. An answer to nothing of ours is not taken.
//
// The ids begin with a text of the process: "tenon/4711/1". A proxy hands the answers to one
// daemon after the other; an answer to a daemon that is gone is none to a request of the next one.
//
// Source: LSP 3.18, "Base Protocol": ids of the server's requests are the server's own.
// Cost: a map of the open requests. Thread rule: the I/O thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "protocol/json_rpc.h"
#include "server/client/reply_once.h"

namespace tenon::server {

class ClientRequests {
 public:
  static constexpr size_t kMaxOpen = 1000;
  using OnAnswer = std::function<void(const protocol::Response& response)>;

  explicit ClientRequests(SendMessage send, std::string ids = "tenon/")
      : send_(std::move(send)), ids_(std::move(ids)) {}

  // The text that all ids of the process begin with.
  [[nodiscard]] const std::string& ids() const { return ids_; }

  void Send(std::string_view method, nlohmann::json params, OnAnswer on_answer);
  // True where the response answers a request that was sent here.
  bool OnResponse(const protocol::Response& response);

 private:
  [[nodiscard]] std::string IdOf(int64_t number) const { return ids_ + std::to_string(number); }

  SendMessage send_;
  std::string ids_;
  int64_t last_ = 0;
  std::map<int64_t, OnAnswer> open_;  // by number
};

}  // namespace tenon::server
