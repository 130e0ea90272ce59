#include "server/cli/model_command.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

TEST(ModelCommand, AFileThatCannotBeReadIsNamed) {
  const ProgramRun run = Tenon({"model", "info", "/nowhere/at-all.gguf"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.err, "/nowhere/at-all.gguf")) << run.err;
  TemporaryFolder folder;
  EXPECT_TRUE(
      Has(Tenon({"model", "info", folder.Write("m.gguf", "GGUF"), "--json"}).Lines().at(0)["error"],
          "m.gguf"));
}

}  // namespace
}  // namespace tenon::server
