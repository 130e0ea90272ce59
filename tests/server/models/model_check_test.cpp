#include "server/models/model_check.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

// The SHA-256 of "abc".
constexpr const char* kHash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

class CheckOfAModel : public testing::Test {
 protected:
  ModelCheck Check(const std::string& text, const std::string& sha256) const {
    const ModelChoice choice{.name = "a",
                             .path = folder_.Write("a.gguf", text),
                             .adapter = std::nullopt,
                             .why = "",
                             .passed_over = std::nullopt,
                             .sha256 = sha256};
    return {choice, folder_.path() / "hashes.json"};
  }

  TemporaryFolder folder_;
};

TEST_F(CheckOfAModel, AGoodFileIsReadOnce) {
  const ModelCheck check = Check("abc", kHash);
  EXPECT_EQ(check.Known(), ModelVerdict::kUnchecked);
  EXPECT_EQ(check.Check().value_or(""), kHash);
  EXPECT_EQ(check.Known(), ModelVerdict::kGood);
}

TEST_F(CheckOfAModel, ADamagedFileIsNamedWithTheRemedyAndRemembered) {
  const ModelCheck check = Check("abd", kHash);
  const auto checked = check.Check();
  ASSERT_FALSE(checked);
  EXPECT_TRUE(checked.error().damaged);
  for (const char* part :
       {"a.gguf: the file is damaged", kHash, "tenon model remove a", "tenon model pull a"})
    EXPECT_NE(checked.error().message.find(part), std::string::npos) << checked.error().message;
  EXPECT_EQ(check.Known(), ModelVerdict::kDamaged);
  EXPECT_EQ(Check("abc", kHash).Known(), ModelVerdict::kUnchecked);  // another file in its place
}

TEST_F(CheckOfAModel, AFileOfTheUsersOwnHasNoHash) {
  const ModelCheck check = Check("abd", "");
  EXPECT_EQ(check.Known(), ModelVerdict::kNoHash);
  EXPECT_TRUE(check.Check());
}

TEST_F(CheckOfAModel, AStopIsNoDamage) {
  std::stop_source stop;
  stop.request_stop();
  const ModelCheck check = Check("abd", kHash);
  const auto checked = check.Check(stop.get_token());
  ASSERT_FALSE(checked);
  EXPECT_FALSE(checked.error().damaged);
  EXPECT_EQ(check.Known(), ModelVerdict::kUnchecked);
}

TEST(ModelVerdict, HasAName) {
  EXPECT_STREQ(ToString(ModelVerdict::kNoHash), "no hash is known");
  EXPECT_STREQ(ToString(ModelVerdict::kUnchecked), "unchecked");
  EXPECT_STREQ(ToString(ModelVerdict::kGood), "checked");
  EXPECT_STREQ(ToString(ModelVerdict::kDamaged), "damaged");
}

}  // namespace
}  // namespace tenon::server
