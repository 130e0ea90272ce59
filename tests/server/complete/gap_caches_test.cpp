#include "server/complete/gap_caches.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using constraint::Language;

class GapCachesTest : public testing::Test {
 protected:
  std::shared_ptr<const Language> language_ = *Language::Compile("start: \"a\"\n", "a.lark");
  GapCaches caches_;
  GapCaches::Clock::time_point now_{};
};

TEST_F(GapCachesTest, KeepOneADocumentAndLanguage) {
  constraint::GapCache* first = &caches_.Of(language_, "one", now_);
  EXPECT_NE(first, &caches_.Of(language_, "two", now_));
  EXPECT_EQ(first, &caches_.Of(language_, "one", now_));
  auto other = *Language::Compile("start: \"b\"\n", "b.lark");
  EXPECT_EQ(caches_.Of(other, "one", now_).language(), other);
  EXPECT_EQ(first, &caches_.Of(language_, "one", now_));
}

TEST_F(GapCachesTest, DropTheOnesUsedLongestAgo) {
  constraint::GapCache* first = &caches_.Of(language_, "first", now_);
  for (size_t i = 0; i < GapCaches::kMaxDocuments - 1; ++i)
    caches_.Of(language_, std::to_string(i), now_);
  EXPECT_EQ(&caches_.Of(language_, "first", now_), first);
  for (size_t i = 0; i < 9; ++i) caches_.Of(language_, "more" + std::to_string(i), now_);
  EXPECT_EQ(caches_.size(), GapCaches::kMaxDocuments);
}

TEST_F(GapCachesTest, DropWhatIsIdle) {
  caches_.Of(language_, "old", now_);
  caches_.Of(language_, "new", now_ + GapCaches::kIdle + std::chrono::seconds(1));
  EXPECT_EQ(caches_.size(), 1u);
}

}  // namespace
}  // namespace tenon::server
