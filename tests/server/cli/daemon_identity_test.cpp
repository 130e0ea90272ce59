#include "server/cli/daemon_identity.h"

#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class DaemonIdentityTest : public testing::Test {
 protected:
  DaemonIdentityTest() {
    folder_.Write("models/one.gguf", std::string(100, 'x'));
    folder_.Write("models/two.gguf", std::string(200, 'x'));
  }

  DaemonProgram Of(const std::vector<std::string>& arguments, const json& settings,
                   const CommonOptions& options = {}, uint64_t available_bytes = 1 << 30) const {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    ProcessContext process{.in = in,
                           .out = out,
                           .err = err,
                           .executable = "/nowhere/bin/tenon",
                           .models_folder = folder_.path() / "models",
                           .config_folder = folder_.path() / "config",
                           .cache_folder = {},
                           .runtime_folder = "/run/me/tenon",
                           .state_folder = "/home/me/state",
                           .version = "1.2.3",
                           .make_completer = {},
                           .end_process = {}};
    process.available_memory_bytes = [available_bytes] { return available_bytes; };
    return DaemonFor(Invocation(process, options), arguments,
                     {{"initializationOptions", settings}});
  }

  TemporaryFolder folder_;
};

TEST_F(DaemonIdentityTest, SettingsThatBelongToAClientAloneMakeNoOtherDaemon) {
  const auto socket = Of({"tenon"}, nullptr).socket;
  EXPECT_EQ(socket.parent_path(), "/run/me/tenon");
  EXPECT_EQ(Of({"tenon", "--stdio"}, {{"maxTokens", 3}, {"scope", "line"}}).socket, socket);
}

TEST_F(DaemonIdentityTest, AnotherModelOrGrammarOrArgumentMakesAnother) {
  const auto socket = Of({"tenon"}, nullptr).socket;
  EXPECT_NE(Of({"tenon"}, {{"model", "one"}}).socket, Of({"tenon"}, {{"model", "two"}}).socket);
  EXPECT_NE(Of({"tenon"}, {{"grammars", {"/g"}}}).socket, socket);
  EXPECT_NE(Of({"tenon", "--threads", "3"}, nullptr).socket, socket);
  EXPECT_NE(Of({"tenon", "--engine", "torch"}, nullptr).socket, socket);
  EXPECT_NE(Of({"tenon", "--device", "cpu"}, nullptr).socket, socket);
  folder_.Write("models/two.gguf", std::string(201, 'x'));
  EXPECT_NE(Of({"tenon"}, nullptr).socket, socket) << "the same name, another file";
}

TEST_F(DaemonIdentityTest, WhatADaemonTakesOfMemoryMakesNoOther) {
  EXPECT_EQ(Of({"tenon"}, nullptr, {}, 1).socket, Of({"tenon"}, nullptr).socket);
}

TEST_F(DaemonIdentityTest, WorksInTheRootUnlessAPathIsRelative) {
  EXPECT_EQ(Of({"tenon"}, {{"model", "/abs/model.gguf"}}).folder, "/");
  EXPECT_EQ(Of({"tenon"}, {{"model", "rel/model.gguf"}}).folder, std::filesystem::current_path());
}

TEST_F(DaemonIdentityTest, TheDaemonGetsOurArgumentsItsSocketAndALog) {
  const auto daemon = Of({"tenon", "--threads", "3"}, nullptr);
  EXPECT_EQ(daemon.arguments,
            (std::vector<std::string>{"tenon", "--threads", "3", "--daemon", daemon.socket.string(),
                                      "--log-file", "/home/me/state/daemon.log"}));
  CommonOptions options;
  options.log_file = "/tmp/log";
  const auto logged = Of({"tenon"}, nullptr, options);
  EXPECT_EQ(logged.arguments.back(), logged.socket.string());
}

}  // namespace
}  // namespace tenon::server
