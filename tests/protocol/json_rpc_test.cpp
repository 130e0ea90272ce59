#include "protocol/json_rpc.h"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

using nlohmann::json;

TEST(JsonRpc, RequestsNotificationsAndResponsesAreToldApart) {
  const auto request = ParseMessage(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})");
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(std::get<Request>(*request).id, RequestId(int64_t{7}));
  EXPECT_EQ(std::get<Request>(*request).params["a"], 1);

  const auto with_text_id =
      ParseMessage(R"({"jsonrpc":"2.0","id":"x","method":"m","params":null})");
  ASSERT_TRUE(with_text_id.has_value());
  EXPECT_EQ(std::get<Request>(*with_text_id).id, RequestId(std::string("x")));
  EXPECT_TRUE(std::get<Request>(*with_text_id).params.is_null());

  const auto notification = ParseMessage(R"({"jsonrpc":"2.0","method":"n"})");
  ASSERT_TRUE(notification.has_value());
  EXPECT_EQ(std::get<Notification>(*notification).method, "n");

  const auto response = ParseMessage(R"({"jsonrpc":"2.0","id":1,"result":null})");
  ASSERT_TRUE(response.has_value());
  EXPECT_FALSE(std::get<Response>(*response).error.has_value());

  const auto failure =
      ParseMessage(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}})");
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(std::get<Response>(*failure).error, "no");
}

struct BadCase {
  const char* body;
  ErrorCode code;
  json id;
};

TEST(JsonRpc, WhatIsNoMessageGetsTheStandardCodeAndTheIdWhereThereIsOne) {
  const BadCase cases[] = {
      {"{", ErrorCode::kParseError, nullptr},
      {"", ErrorCode::kParseError, nullptr},
      {"{\"jsonrpc\":\"2.0\",\"method\":\"\x01\"}", ErrorCode::kParseError, nullptr},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1e999]})", ErrorCode::kParseError,
       nullptr},
      {"[]", ErrorCode::kInvalidRequest, nullptr},
      {R"([{"jsonrpc":"2.0","id":1,"method":"m"}])", ErrorCode::kInvalidRequest, nullptr},
      {"3", ErrorCode::kInvalidRequest, nullptr},
      {R"({"id":1,"method":"m"})", ErrorCode::kInvalidRequest, 1},
      {R"({"jsonrpc":"1.0","id":1,"method":"m"})", ErrorCode::kInvalidRequest, 1},
      {R"({"jsonrpc":"2.0","id":1,"method":3})", ErrorCode::kInvalidRequest, 1},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", ErrorCode::kInvalidRequest, nullptr},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", ErrorCode::kInvalidRequest, nullptr},
      {R"({"jsonrpc":"2.0","id":{},"method":"m"})", ErrorCode::kInvalidRequest, nullptr},
      {R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"m"})", ErrorCode::kInvalidRequest,
       nullptr},
      {R"({"jsonrpc":"2.0","id":"a","method":"m","params":"text"})", ErrorCode::kInvalidRequest,
       "a"},
      {R"({"jsonrpc":"2.0","id":1})", ErrorCode::kInvalidRequest, 1},
      {R"({"jsonrpc":"2.0","id":null,"result":1})", ErrorCode::kInvalidRequest, nullptr},
  };
  for (const BadCase& bad : cases) {
    const auto message = ParseMessage(bad.body);
    ASSERT_FALSE(message.has_value()) << bad.body;
    EXPECT_EQ(message.error().code, bad.code) << bad.body;
    EXPECT_EQ(message.error().id ? ToJson(*message.error().id) : json(), bad.id) << bad.body;
    EXPECT_FALSE(message.error().message.empty()) << bad.body;
    EXPECT_EQ(message.error().in_response,
              std::string_view(bad.body).find("result") != std::string_view::npos)
        << bad.body;
  }
}

TEST(JsonRpc, HalfASurrogatePairIsReadAsReplacementCharacter) {
  const auto message = ParseMessage(
      R"({"jsonrpc":"2.0","method":"m","params":["\ud83d","\ude00","\ud83d\ude00","\\ud83d","\ud83d\ud83d\ude00"]})");
  ASSERT_TRUE(message.has_value());
  const json& params = std::get<Notification>(*message).params;
  EXPECT_EQ(params, json::array({"\uFFFD", "\uFFFD", "😀", "\\ud83d", "\uFFFD😀"}));
}

TEST(JsonRpc, EachByteThatIsNoUtf8IsReadAsReplacementCharacter) {
  const auto message = ParseMessage(
      "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[\"caf\xe9\", \"é\xe2\x82\"]}");
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(std::get<Notification>(*message).params, json::array({"caf\uFFFD", "é\uFFFD\uFFFD"}));
}

TEST(JsonRpc, DeepNestingIsRefusedUnderTheIdOfItsRequest) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  for (const std::string& body :
       {R"({"jsonrpc":"2.0","method":"m","id":7,"params":)" + deep + "}",
        R"({"jsonrpc":"2.0","method":"m","params":)" + deep + R"(,"id":7})"}) {
    const auto message = ParseMessage(body);
    ASSERT_FALSE(message);
    EXPECT_EQ(message.error().code, ErrorCode::kInvalidRequest);
    EXPECT_EQ(message.error().message, "more than 128 brackets are nested");
    EXPECT_EQ(message.error().id, RequestId(int64_t{7}));
  }
  for (const std::string& body : {deep, std::string(200000, '['), deep + "}"}) {
    const auto message = ParseMessage(body);
    ASSERT_FALSE(message);
    EXPECT_EQ(message.error().id, std::nullopt);
  }
}

TEST(JsonRpc, RepliesCarryTheIdAndDumpWhateverBytesTheyHold) {
  EXPECT_EQ(MakeResult(RequestId(int64_t{1}), nullptr),
            json::parse(R"({"jsonrpc":"2.0","id":1,"result":null})"));
  EXPECT_EQ(MakeError(std::nullopt, ErrorCode::kParseError, "x"),
            json::parse(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})"));
  EXPECT_EQ(Dump(MakeNotification("n", {{"t", "a\xff"}})),
            R"({"jsonrpc":"2.0","method":"n","params":{"t":"a�"}})");
  EXPECT_EQ(MakeRequest(RequestId(std::string("r")), "m", json::object())["id"], "r");
}

}  // namespace
}  // namespace tenon::protocol
