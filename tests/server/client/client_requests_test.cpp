#include "server/client/client_requests.h"

#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(ClientRequests, EachAnswerGoesToItsRequestOnce) {
  std::vector<json> sent;
  ClientRequests requests([&sent](const json& message) { sent.push_back(message); });
  std::vector<std::string> heard;
  requests.Send("a", json::object(), [&heard](const protocol::Response& response) {
    heard.push_back("a " + response.result.dump());
  });
  requests.Send("b", json::object(), [&heard](const protocol::Response& response) {
    heard.push_back("b " + response.error.value_or("well"));
  });
  ASSERT_EQ(sent.size(), 2U);
  const auto id = [&sent](size_t i) { return sent[i]["id"].get<std::string>(); };
  EXPECT_NE(id(0), id(1));
  EXPECT_TRUE(requests.OnResponse({id(1), "no such method", nullptr}));
  EXPECT_TRUE(requests.OnResponse({id(0), std::nullopt, 7}));
  EXPECT_FALSE(requests.OnResponse({id(0), std::nullopt, 8}));
  EXPECT_FALSE(requests.OnResponse({int64_t{1}, std::nullopt, 9}));
  EXPECT_EQ(heard, (std::vector<std::string>{"b no such method", "a 7"}));
}

TEST(ClientRequests, TheOldestIsGivenUpWhereAClientNeverAnswers) {
  std::vector<json> sent;
  ClientRequests requests([&sent](const json& message) { sent.push_back(message); });
  for (size_t i = 0; i <= ClientRequests::kMaxOpen; ++i)
    requests.Send("a", nullptr, [](const protocol::Response&) {});
  const auto answer = [&](size_t i) {
    return requests.OnResponse({sent[i]["id"].get<std::string>(), std::nullopt, nullptr});
  };
  EXPECT_FALSE(answer(0));
  EXPECT_TRUE(answer(1));
}

TEST(ClientRequests, AnAnswerMayBringTheNextRequest) {
  std::vector<json> sent;
  ClientRequests requests([&sent](const json& message) { sent.push_back(message); });
  requests.Send("a", nullptr, [&requests](const protocol::Response&) {
    requests.Send("b", nullptr, [](const protocol::Response&) {});
  });
  EXPECT_TRUE(requests.OnResponse({sent[0]["id"].get<std::string>(), std::nullopt, nullptr}));
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[1]["method"], "b");
}

}  // namespace
}  // namespace tenon::server
