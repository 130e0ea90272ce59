#include "server/cli/doctor_command.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(DoctorCommand, NamesWhatIsWrongAndWhatToDo) {
  const ProgramRun run = Tenon({"doctor"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.out, "tools/setup")) << run.out;
  EXPECT_TRUE(Has(run.out, "compiled in")) << run.out;
  EXPECT_TRUE(Has(run.out, "guarantee file: go, json, jsonc, python, sql")) << run.out;
  EXPECT_TRUE(Has(run.out, "guarantee syntax: c, cpp, ")) << run.out;
  TemporaryFolder folder;
  const json facts =
      Tenon({"doctor", "--json", "--grammars", folder.path().string()}).Lines().at(0);
  EXPECT_EQ(facts["version"], "1.2.3");
  EXPECT_EQ(facts["model"]["found"], false);
  EXPECT_EQ(facts["models"].at(0)["installed"], false);
  EXPECT_TRUE(Has(run.out, "tools/model/pull " + facts["models"].at(0)["name"].get<std::string>()))
      << run.out;
  EXPECT_EQ(facts["problems"].size(), 2U) << facts;
}

}  // namespace
}  // namespace tenon::server
