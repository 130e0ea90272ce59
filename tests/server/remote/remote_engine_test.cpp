// Which settings make an engine, and what it tells of its server.
#include "server/remote/remote_engine.h"

#include <gtest/gtest.h>

#include "tests/server/remote/test_server.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(RemoteEngine, SaysWhichSettingIsWrong) {
  const TemporaryFolder folder;
  const auto why = [](const RemoteSettings& settings) {
    const auto engine = EngineOf(settings, [](const std::string& name) {
      return name == "KEY" ? std::optional<std::string>("from-variable") : std::nullopt;
    });
    return engine ? "right, key '" + engine->key + "'" : engine.error();
  };
  RemoteSettings settings;
  settings.kind = "openai";
  EXPECT_TRUE(Has(why(settings), "remote.url"));
  settings.url = "gpu:8000";
  EXPECT_TRUE(Has(why(settings), "http://"));
  settings.url = "http://gpu:8000";
  EXPECT_TRUE(Has(why(settings), "remote.format"));
  settings.format = "qwen";
  EXPECT_TRUE(Has(why(settings), "qwen2.5-coder"));
  settings.format = "qwen2.5-coder";
  EXPECT_TRUE(Has(why(settings), "remote.model"));
  settings.model = "m";
  EXPECT_EQ(why(settings), "right, key ''");
  settings.key = "s3cret";
  EXPECT_TRUE(Has(why(settings), "without TLS"));
  EXPECT_FALSE(Has(why(settings), "s3cret"));
  settings.url = "https://gpu:8000";
  EXPECT_EQ(why(settings), "right, key 's3cret'");
  settings.key_variable = "KEY";
  EXPECT_EQ(why(settings), "right, key 'from-variable'");
  settings.key_variable = "NONE";
  EXPECT_TRUE(Has(why(settings), "the environment has no 'NONE'"));
  settings.key_file = folder.Write("key", "\n");
  EXPECT_TRUE(Has(why(settings), "holds no key"));
  settings.key_file = folder.Write("key", "a b");
  EXPECT_TRUE(Has(why(settings), "holds no key"));
  settings.kind.reset();
  EXPECT_TRUE(Has(why(settings), "remote.kind"));
}

TEST(RemoteEngine, TellsItsState) {
  const TestServer server([](TestConnection& client) {
    client.SendHead();
    client.Send(R"({"data": [{"id": "a"}, {"id": "b"}]})");
  });
  RemoteSettings settings;
  settings.kind = "openai";
  settings.url = server.url();
  settings.format = "starcoder";
  settings.model = "b";
  const auto no_environment = [](const std::string&) { return std::nullopt; };
  EXPECT_EQ(*StateOf(*EngineOf(settings, no_environment), Deadline()),
            "answers, and has the model 'b'");
  settings.model = "c";
  const auto state = StateOf(*EngineOf(settings, no_environment), Deadline());
  ASSERT_FALSE(state);
  EXPECT_TRUE(Has(state.error(), "it has no model 'c'; it has a, b")) << state.error();
}

}  // namespace
}  // namespace tenon::server
