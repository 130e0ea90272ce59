// Plays every golden dialogue, and checks that together they show every method and every error
// code.
#include "tests/server/dialogue.h"

#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "protocol/json_rpc.h"
#include "server/lsp/lsp_server.h"
#include "tests/server/in_process_server.h"
#include "tests/server/test_arguments.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class InProcessDialogue : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(InProcessDialogue, GoesAsWritten) {
  InProcessServer server;
  const Play play = [&server](const DialogueBlock& block) {
    switch (block.kind) {
      case DialogueBlock::Kind::kClient:
        server.Feed(protocol::EncodeFrame(block.body));
        break;
      case DialogueBlock::Kind::kClientRaw:
        server.Feed(Unescape(block.body));
        break;
      case DialogueBlock::Kind::kModelReady:
        server.FinishLoading();
        break;
      case DialogueBlock::Kind::kModelFails:
        server.FailModel();
        break;
      case DialogueBlock::Kind::kInputEnds:
        server.EndInput();
        break;
      case DialogueBlock::Kind::kServer:
      case DialogueBlock::Kind::kExit:
        break;
    }
    return server.Take();
  };
  PlayDialogue(
      ReadDialogue(GetParam()), play, [&server] { return server.exit_code(); },
      UpdateGoldenFiles());
}

std::string TestName(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Dialogues, InProcessDialogue, testing::ValuesIn(AllDialogues()), TestName);

TEST(Dialogues, EveryMethodAndErrorCodeIsShown) {
  std::set<std::string> methods;
  std::set<int> codes;
  for (const auto& path : AllDialogues()) {
    for (const DialogueBlock& block : ReadDialogue(path).blocks) {
      const json message = json::parse(block.body, nullptr, false);
      if (!message.is_object()) continue;
      const bool from_client = block.kind == DialogueBlock::Kind::kClient;
      if (from_client && message.contains("method") && message["method"].is_string()) {
        methods.insert(message["method"].get<std::string>());
      }
      if (!from_client && message.contains("error"))
        codes.insert(message["error"]["code"].get<int>());
    }
  }
  for (const std::string& method : LspServer::HandledMethods())
    EXPECT_TRUE(methods.count(method)) << method;
  for (const auto code : protocol::ProvokableErrorCodes())
    EXPECT_TRUE(codes.count(static_cast<int>(code))) << static_cast<int>(code);
}

}  // namespace
}  // namespace tenon::server
