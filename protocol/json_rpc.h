// JSON-RPC 2.0 messages: a body of JSON becomes a request, a notification or a response, or the
// error to answer it with.
//
// Source: https://www.jsonrpc.org/specification and LSP 3.18 "Base Protocol" (error codes). Where
// we differ: batches are no part of LSP and are refused with InvalidRequest; half a surrogate pair,
// which JavaScript clients can send and JSON forbids, is read as U+FFFD so that positions stay
// right, and so is each byte that is no UTF-8, which clients send of files in other encodings;
// params that are null count as none; a message that nests deeper than json_text.h allows is
// refused with InvalidRequest.
// Cost: one pass over the body. Thread rule: pure functions. JSON's exceptions end here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace tenon::protocol {

// The codes that this server answers with.
enum class ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kServerNotInitialized = -32002,
  kRequestCancelled = -32800,
};
// Every code above that a client can provoke: all but kInternalError, which only a bug brings.
[[nodiscard]] std::span<const ErrorCode> ProvokableErrorCodes();

using RequestId = std::variant<int64_t, std::string>;
[[nodiscard]] nlohmann::json ToJson(const RequestId& id);

struct Request {
  RequestId id;
  std::string method;
  nlohmann::json params;  // object, array or null
};
struct Notification {
  std::string method;
  nlohmann::json params;
};
struct Response {
  RequestId id;
  std::optional<std::string> error;  // its message; empty optional: it went well
  nlohmann::json result;             // null where it went wrong
};
using Message = std::variant<Request, Notification, Response>;

// Why a body is no message. `id` is there where it could be read.
struct MessageError {
  ErrorCode code = ErrorCode::kInvalidRequest;
  std::string message;
  std::optional<RequestId> id;
  // The message is a response, and nobody answers a response.
  bool in_response = false;

  // A notification that is lost may have been an edit.
  [[nodiscard]] bool may_be_notification() const { return !in_response && !id; }
};

[[nodiscard]] tl::expected<Message, MessageError> ParseMessage(std::string_view body);

[[nodiscard]] nlohmann::json MakeResult(const RequestId& id, nlohmann::json result);
// Without an id: "id": null, as the standard asks where it could not be read.
[[nodiscard]] nlohmann::json MakeError(const std::optional<RequestId>& id, ErrorCode code,
                                       std::string_view message);
[[nodiscard]] nlohmann::json MakeNotification(std::string_view method, nlohmann::json params);
[[nodiscard]] nlohmann::json MakeRequest(const RequestId& id, std::string_view method,
                                         nlohmann::json params);

// Compact text. Bytes that are no UTF-8 become U+FFFD: a reply never fails for its content.
[[nodiscard]] std::string Dump(const nlohmann::json& message);

}  // namespace tenon::protocol
