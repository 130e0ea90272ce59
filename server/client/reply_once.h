// The duty to answer one request: exactly once, whatever happens on the way.
//
// A ReplyOnce is copied along with the work. The first answer is sent. A second one is dropped
// with an error in the log. When the last copy goes away unanswered, the client gets InternalError
// instead of waiting for ever.
//
// Source: clangd's ReplyOnce (clang-tools-extra/clangd/ClangdLSPServer.cpp). This one is copyable,
// so that it fits a std::function.
// Cost: one small allocation a request. Thread rule: the I/O thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <spdlog/logger.h>
#include <nlohmann/json.hpp>

#include "protocol/json_rpc.h"

namespace tenon::server {

using SendMessage = std::function<void(const nlohmann::json& message)>;

class ReplyOnce {
 public:
  ReplyOnce(protocol::RequestId id, std::string method, SendMessage send,
            std::shared_ptr<spdlog::logger> log);

  void Result(nlohmann::json result) const;
  void Error(protocol::ErrorCode code, std::string_view message) const;
  [[nodiscard]] const protocol::RequestId& id() const;
  [[nodiscard]] bool answered() const;

 private:
  struct Duty;
  std::shared_ptr<Duty> duty_;
};

}  // namespace tenon::server
