#include "server/models/model_choice.h"

#include <gtest/gtest.h>

#include "server/files/read_file.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRegistry = R"({"default": ["large", "small"], "models": [
    {"name": "large", "bytes": 9000000, "memory_bytes": 3000000000},
    {"name": "medium", "bytes": 5000000, "memory_bytes": 2000000000},
    {"name": "small", "bytes": 1000000, "memory_bytes": 1000000000}]})";

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class ModelChoiceTest : public testing::Test {
 protected:
  ModelChoiceTest() { folder_.Write("registry.json", kRegistry); }
  void Install(const std::string& name) { folder_.Write("models/" + name + ".gguf", "weights"); }
  ModelsAtHand With(std::optional<uint64_t> available_bytes) const {
    return ReadModelsAtHand(folder_.path() / "registry.json", folder_.path() / "models",
                            folder_.path() / "config", available_bytes);
  }
  void Use(const std::optional<std::string>& name) const {
    ASSERT_TRUE(WriteUsedModel(folder_.path() / "config", name));
  }

  TemporaryFolder folder_;
};

constexpr uint64_t kGigabyte = 1'000'000'000;

TEST_F(ModelChoiceTest, IsTheFirstDefaultThatIsInstalled) {
  const auto none = With(std::nullopt).Choose();
  ASSERT_FALSE(none);
  EXPECT_TRUE(Has(none.error(), "tenon model pull")) << none.error();
  Install("medium");
  EXPECT_EQ(With(std::nullopt).Choose()->name, "medium");  // no default, but there
  Install("small");
  EXPECT_EQ(With(std::nullopt).Choose()->name, "small");
  Install("large");
  const ModelChoice choice = *With(4 * kGigabyte).Choose();
  EXPECT_EQ(choice.name, "large");
  EXPECT_EQ(choice.path, folder_.path() / "models" / "large.gguf");
  EXPECT_EQ(choice.memory_bytes, 3 * kGigabyte);
  EXPECT_FALSE(choice.passed_over);
}

TEST_F(ModelChoiceTest, IsTheOneThatWasChosen) {
  Install("large");
  Install("small");
  Use("small");
  EXPECT_EQ(With(4 * kGigabyte).Choose()->name, "small");
  EXPECT_TRUE(Has(With(4 * kGigabyte).Choose()->why, "tenon model use"));
  Use("medium");
  const ModelChoice choice = *With(4 * kGigabyte).Choose();
  EXPECT_EQ(choice.name, "large");
  EXPECT_TRUE(Has(choice.why, "'medium'")) << choice.why;
  Use(std::nullopt);
  EXPECT_EQ(With(4 * kGigabyte).used, std::nullopt);
}

TEST_F(ModelChoiceTest, IsTheNextSmallerOneWhereMemoryIsShort) {
  for (const char* name : {"large", "medium", "small"}) Install(name);
  EXPECT_EQ(With(3 * kGigabyte).Choose()->name, "large");
  const ModelChoice medium = *With(3 * kGigabyte - 1).Choose();
  EXPECT_EQ(medium.name, "medium");
  EXPECT_EQ(medium.passed_over, "large needs 3,000 MB of memory, and 3,000 MB are available");
  EXPECT_EQ(With(kGigabyte).Choose()->name, "small");
  Use("medium");
  EXPECT_EQ(With(kGigabyte * 2 - 1).Choose()->name, "small");
  Use("small");
  const auto none = With(kGigabyte - 1).Choose();  // never a larger one in its place
  ASSERT_FALSE(none);
  EXPECT_TRUE(Has(none.error(), "small needs 1,000 MB")) << none.error();
}

TEST_F(ModelChoiceTest, ANameMeansTheInstalledFileWhateverItNeeds) {
  Install("large");
  Install("mine");
  const ModelChoice choice = *With(1).Named("large");
  EXPECT_EQ(choice.path, folder_.path() / "models" / "large.gguf");
  EXPECT_FALSE(choice.fits);
  EXPECT_EQ(With(4 * kGigabyte).Named("mine")->path, folder_.path() / "models" / "mine.gguf");
}

TEST_F(ModelChoiceTest, APathMeansItsFile) {
  EXPECT_EQ(With(1).Named("/nowhere/a.gguf")->path, "/nowhere/a.gguf");
  EXPECT_EQ(With(1).Named("large.gguf")->path, "large.gguf");
  EXPECT_EQ(With(1).Named("./large")->path, "./large");
  const std::string file = folder_.Write("a.gguf", "weights");
  const ModelChoice choice = *With(1).Named(file);
  EXPECT_EQ(choice.name, "");
  EXPECT_EQ(choice.memory_bytes, EstimateMemoryBytes(7));
  EXPECT_FALSE(choice.fits);
}

TEST_F(ModelChoiceTest, ANameThatMeansNothingIsToldWhatDoes) {
  Install("small");
  const auto known = With(1).Named("medium");
  ASSERT_FALSE(known);
  EXPECT_TRUE(Has(known.error(), "tenon model pull medium")) << known.error();
  EXPECT_TRUE(Has(known.error(), "Installed: small")) << known.error();
  const auto misspelt = With(1).Named("smal");
  ASSERT_FALSE(misspelt);
  EXPECT_TRUE(Has(misspelt.error(), "the nearest name is 'small'. Installed: small"))
      << misspelt.error();
  const auto near_absent = With(1).Named("mediun");
  ASSERT_FALSE(near_absent);
  EXPECT_TRUE(Has(near_absent.error(),
                  "'medium', which is not installed: 'tenon model pull medium' fetches it"))
      << near_absent.error();
}

TEST_F(ModelChoiceTest, DamagedFilesAreNamedAndDoWithout) {
  Install("large");
  folder_.Write("config/model.json", "{\"model\": 3}");
  const ModelsAtHand at_hand = With(4 * kGigabyte);
  ASSERT_EQ(at_hand.problems.size(), 1U);
  EXPECT_TRUE(Has(at_hand.problems[0], "config/model.json")) << at_hand.problems[0];
  EXPECT_EQ(at_hand.Choose()->name, "large");
  folder_.Write("registry.json", "{");
  EXPECT_EQ(With(4 * kGigabyte).problems.size(), 2U);
  EXPECT_EQ(With(4 * kGigabyte).Choose()->name, "large");
}

TEST_F(ModelChoiceTest, TheChoiceIsKeptInAFile) {
  const fs::path config = folder_.path() / "config";
  EXPECT_EQ(*ReadUsedModel(config), std::nullopt);
  EXPECT_TRUE(WriteUsedModel(config, std::nullopt));
  EXPECT_TRUE(WriteUsedModel(config, "small"));
  EXPECT_EQ(*ReadUsedModel(config), "small");
  EXPECT_EQ(*ReadFile((config / "model.json").string()), "{\"model\":\"small\"}\n");
  const auto in_a_file = WriteUsedModel(folder_.path() / "registry.json", "small");
  ASSERT_FALSE(in_a_file);
  EXPECT_TRUE(Has(in_a_file.error(), "XDG_CONFIG_HOME")) << in_a_file.error();
  EXPECT_TRUE(Has(in_a_file.error(), "Not a directory")) << in_a_file.error();
  // Where nothing can be made.
  const auto in_proc = WriteUsedModel("/proc", "small");
  ASSERT_FALSE(in_proc);
  EXPECT_FALSE(Has(in_proc.error(), "(Input/output error)")) << in_proc.error();
}

TEST(ModelChoice, MegabytesAreGrouped) {
  EXPECT_EQ(Megabytes(499'999), "0 MB");
  EXPECT_EQ(Megabytes(145'000'000), "145 MB");
  EXPECT_EQ(Megabytes(1'284'000'000), "1,284 MB");
}

}  // namespace
}  // namespace tenon::server
