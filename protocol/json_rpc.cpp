#include "protocol/json_rpc.h"

#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "protocol/json_text.h"
#include "protocol/position_encoding.h"

namespace tenon::protocol {
namespace {

using nlohmann::json;

std::optional<RequestId> IdFrom(const json& value) {
  if (value.is_string()) return RequestId(value.get<std::string>());
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    return std::nullopt;
  if (value.is_number_integer()) return RequestId(value.get<int64_t>());
  return std::nullopt;
}

// The value of four hexadecimal digits at `at`, or -1.
int HexUnit(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return -1;
  int value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!std::isxdigit(c)) return -1;
    value = value * 16 + (std::isdigit(c) ? c - '0' : std::tolower(c) - 'a' + 10);
  }
  return value;
}

// Rewrites each escape of half a surrogate pair as \ufffd, which is one UTF-16 unit as well.
std::string WithoutLoneSurrogates(std::string_view body) {
  std::string out(body);
  for (size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i] != '\\') continue;
    if (out[i + 1] != 'u') {
      ++i;
      continue;
    }
    const int unit = HexUnit(out, i + 2);
    const bool high = unit >= 0xD800 && unit <= 0xDBFF;
    const bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    const int next = high && out.compare(i + 6, 2, "\\u") == 0 ? HexUnit(out, i + 8) : -1;
    if (high && next >= 0xDC00 && next <= 0xDFFF) {
      i += 11;
    } else if (high || low) {
      out.replace(i + 2, 4, "fffd");
      i += 5;
    }
  }
  return out;
}

// With U+FFFD for each byte that is no part of well-formed UTF-8.
std::string WithoutStrayBytes(std::string_view body) {
  std::string out;
  while (!body.empty()) {
    const size_t length = CharacterBytes(body);
    const bool is_stray = length == 1 && static_cast<unsigned char>(body[0]) >= 0x80;
    out += is_stray ? std::string_view("\uFFFD") : body.substr(0, length);
    body.remove_prefix(length);
  }
  return out;
}

// The id of a message whose params are nested too deeply to be read.
std::optional<RequestId> IdOfDeep(std::string_view body) {
  const json outer = json::parse(
      body, [](int depth, json::parse_event_t, const json&) { return depth <= 1; }, false);
  return outer.is_object() && outer.contains("id") ? IdFrom(outer["id"]) : std::nullopt;
}

tl::expected<json, MessageError> ParseBody(std::string_view body) {
  if (NestsDeeperThan(body, kMaxJsonDepth)) {
    return tl::unexpected(MessageError{
        ErrorCode::kInvalidRequest, fmt::format("more than {} brackets are nested", kMaxJsonDepth),
        IdOfDeep(body)});
  }
  auto parsed = ParseJson(body);
  if (parsed) return *std::move(parsed);
  if (auto mended = ParseJson(WithoutLoneSurrogates(WithoutStrayBytes(body))))
    return *std::move(mended);
  return tl::unexpected(MessageError{ErrorCode::kParseError,
                                     "the body is not JSON: " + parsed.error(), std::nullopt});
}

}  // namespace

std::span<const ErrorCode> ProvokableErrorCodes() {
  static constexpr std::array kCodes = {
      ErrorCode::kParseError,    ErrorCode::kInvalidRequest,       ErrorCode::kMethodNotFound,
      ErrorCode::kInvalidParams, ErrorCode::kServerNotInitialized, ErrorCode::kRequestCancelled};
  return kCodes;
}

json ToJson(const RequestId& id) {
  return std::visit([](const auto& value) { return json(value); }, id);
}

tl::expected<Message, MessageError> ParseMessage(std::string_view body) {
  tl::expected<json, MessageError> parsed = ParseBody(body);
  if (!parsed) return tl::unexpected(std::move(parsed.error()));
  json& value = *parsed;
  std::optional<RequestId> id;
  const auto refuse = [&id](std::string message) {
    return tl::unexpected(MessageError{ErrorCode::kInvalidRequest, std::move(message), id});
  };
  if (value.is_array())
    return refuse(
        "batches are not part of the Language Server Protocol; send the messages one by one");
  if (!value.is_object()) return refuse("a message must be a JSON object");

  const bool has_id = value.contains("id");
  if (has_id) id = IdFrom(value["id"]);
  if (!value.contains("jsonrpc") || value["jsonrpc"] != "2.0")
    return refuse("\"jsonrpc\" must be \"2.0\"");
  if (!value.contains("method")) {
    if (!value.contains("result") && !value.contains("error"))
      return refuse("neither method nor result nor error");
    if (!id) {
      return tl::unexpected(MessageError{
          ErrorCode::kInvalidRequest,
          "a response needs the id of its request: an integer or a string", std::nullopt, true});
    }
    Response response{*id, std::nullopt, nullptr};
    if (const auto error = value.find("error"); error != value.end()) {
      const bool has_text =
          error->is_object() && error->contains("message") && (*error)["message"].is_string();
      response.error =
          has_text ? (*error)["message"].get<std::string>() : "error without a message";
    } else {
      response.result = std::move(value["result"]);
    }
    return Message(std::move(response));
  }
  if (!value["method"].is_string()) return refuse("\"method\" must be a string");
  if (has_id && !id) return refuse("\"id\" must be an integer or a string");
  json params = value.contains("params") ? std::move(value["params"]) : json();
  if (!params.is_null() && !params.is_structured()) {
    return refuse("\"params\" must be an object or an array");
  }
  auto method = value["method"].get<std::string>();
  if (id) return Message(Request{*std::move(id), std::move(method), std::move(params)});
  return Message(Notification{std::move(method), std::move(params)});
}

json MakeResult(const RequestId& id, json result) {
  return {{"jsonrpc", "2.0"}, {"id", ToJson(id)}, {"result", std::move(result)}};
}

json MakeError(const std::optional<RequestId>& id, ErrorCode code, std::string_view message) {
  return {{"jsonrpc", "2.0"},
          {"id", id ? ToJson(*id) : json()},
          {"error", {{"code", static_cast<int>(code)}, {"message", message}}}};
}

json MakeNotification(std::string_view method, json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

json MakeRequest(const RequestId& id, std::string_view method, json params) {
  return {
      {"jsonrpc", "2.0"}, {"id", ToJson(id)}, {"method", method}, {"params", std::move(params)}};
}

std::string Dump(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace tenon::protocol
