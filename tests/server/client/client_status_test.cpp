#include "server/client/client_status.h"

#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(ClientStatus, SaysWhyNothingIsCompletedAndWhatToDo) {
  Settings settings;
  const CompleterStatus ready{CompleterState::kReady, "small"};
  EXPECT_EQ(StatusOf(ready, settings, false), (ClientStatus{"ready", "small", ""}));
  EXPECT_EQ(StatusOf(ready, settings, true), (ClientStatus{"busy", "small", ""}));
  const ClientStatus loading = StatusOf({CompleterState::kLoading, "loading", 41}, settings, true);
  EXPECT_EQ(loading, (ClientStatus{"loading", "loading", "", 41}));
  EXPECT_EQ(loading.ToJson(),
            (nlohmann::json{{"state", "loading"}, {"reason", "loading"}, {"percent", 41}}));
  const ClientStatus failed = StatusOf({CompleterState::kFailed, "no model"}, settings, false);
  EXPECT_EQ(failed.state, "failed");
  EXPECT_EQ(failed.reason, "no model");
  EXPECT_NE(failed.action.find("tenon model pull"), std::string::npos);
  settings.list_enabled = false;
  EXPECT_EQ(StatusOf(ready, settings, false).state, "ready");
  settings.inline_enabled = false;
  EXPECT_EQ(StatusOf(ready, settings, false).state, "off");
  settings = {};
  settings.enabled = false;
  EXPECT_NE(StatusOf(ready, settings, false).action.find("'enabled'"), std::string::npos);
}

TEST(ClientStatus, AChangeIsToldOnceAndOnlyToThoseWhoWantIt) {
  std::vector<nlohmann::json> sent;
  StatusNotices notices([&sent](const nlohmann::json& message) { sent.push_back(message); });
  notices.Update({"loading", "", ""});
  EXPECT_TRUE(sent.empty());
  notices.Start();
  notices.Update({"loading", "", ""});
  notices.Update({"loading", "", ""});
  notices.Update({"failed", "no model", "fetch one"});
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0]["params"], (nlohmann::json{{"state", "loading"}, {"reason", ""}}));
  EXPECT_EQ(sent[1]["params"]["action"], "fetch one");
}

}  // namespace
}  // namespace tenon::server
