#include "server/models/model_registry.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

TEST(ModelRegistry, ReadsTheShippedFile) {
  const auto registry = ModelRegistry::Load(SourcePath("models/registry.json"));
  ASSERT_TRUE(registry) << registry.error();
  ASSERT_NE(registry->Find("smollm2-135m-fim"), nullptr);
  EXPECT_EQ(registry->Find("smollm2-135m-fim")->file_bytes, 144810816U);
  EXPECT_EQ(registry->Find("smollm2"), nullptr);
  EXPECT_FALSE(registry->defaults().empty());
  for (const RegisteredModel& model : registry->models()) {
    EXPECT_GE(model.memory_bytes, model.file_bytes + model.file_bytes / 100 * 15) << model.name;
    EXPECT_TRUE(!model.adapter || std::filesystem::exists(*model.adapter)) << model.name;
  }
}

TEST(ModelRegistry, AnAdapterLiesBesideTheRegistry) {
  TemporaryFolder folder;
  const auto registry = ModelRegistry::Load(folder.Write(
      "registry.json",
      R"({"models": [{"name": "a", "bytes": 1, "memory_bytes": 2, "adapter": "a-lora"}]})"));
  ASSERT_TRUE(registry) << registry.error();
  EXPECT_EQ(registry->Find("a")->adapter, folder.path() / "a-lora");
  EXPECT_TRUE(registry->defaults().empty());
}

TEST(ModelRegistry, NamesTheFaultOfAFile) {
  struct Case {
    const char* text;
    const char* fault;
  };
  const Case cases[] = {
      {"[]", "array \"models\""},
      {R"({"models": 1})", "array \"models\""},
      {R"({"models": ["a"]})", "model 1 is no object"},
      {R"({"models": [{"bytes": 1, "memory_bytes": 2}]})", "model 1 has no \"name\""},
      {R"({"models": [{"name": "a", "bytes": -1, "memory_bytes": 2}]})", "'a') needs \"bytes\""},
      {R"({"models": [{"name": "a", "bytes": 1}]})", "\"memory_bytes\""},
      {R"({"models": [{"name": "a", "bytes": 1, "memory_bytes": 2},
                      {"name": "a", "bytes": 1, "memory_bytes": 2}]})",
       "model 2 has the name 'a'"},
      {R"({"models": [], "default": "a"})", "no array of names"},
      {R"({"models": [], "default": ["a"]})", "\"a\", which is the name of no model"},
  };
  TemporaryFolder folder;
  for (const Case& c : cases) {
    const auto registry = ModelRegistry::Load(folder.Write("registry.json", c.text));
    ASSERT_FALSE(registry) << c.text;
    EXPECT_NE(registry.error().find(c.fault), std::string::npos) << registry.error();
    EXPECT_NE(registry.error().find("registry.json: "), std::string::npos) << registry.error();
  }
  EXPECT_FALSE(ModelRegistry::Load(folder.path() / "absent.json"));
}

TEST(ModelRegistry, LiesBesideTheProgramOrInTheSources) {
  TemporaryFolder folder;
  const auto program = folder.path() / "bin" / "tenon";
  EXPECT_EQ(FindModelRegistry(program), SourcePath("models/registry.json"));
  folder.Write("share/tenon/models/registry.json", "{}");
  EXPECT_EQ(FindModelRegistry(program), folder.path() / "share/tenon/models/registry.json");
}

}  // namespace
}  // namespace tenon::server
