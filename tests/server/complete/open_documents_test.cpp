#include "server/complete/open_documents.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

class OpenDocumentsTest : public testing::Test {
 protected:
  Language language_ = *Language::Compile("start: \"a\"\n", "a.lark");
  OpenDocuments documents_;
  OpenDocuments::Clock::time_point now_{};
};

TEST_F(OpenDocumentsTest, KeepOneANameAndLanguage) {
  OpenDocuments::Open* first = &documents_.Of(language_, "one", now_);
  EXPECT_NE(first, &documents_.Of(language_, "two", now_));
  EXPECT_EQ(first, &documents_.Of(language_, "one", now_));
  const Language other = *Language::Compile("start: \"b\"\n", "b.lark");
  EXPECT_EQ(documents_.Of(other, "one", now_).whole.language(), other);
  EXPECT_EQ(first, &documents_.Of(language_, "one", now_));
}

TEST_F(OpenDocumentsTest, DropTheOnesUsedLongestAgo) {
  OpenDocuments::Open* first = &documents_.Of(language_, "first", now_);
  for (size_t i = 0; i < OpenDocuments::kMaxDocuments - 1; ++i)
    documents_.Of(language_, std::to_string(i), now_);
  EXPECT_EQ(&documents_.Of(language_, "first", now_), first);
  for (size_t i = 0; i < 9; ++i) documents_.Of(language_, "more" + std::to_string(i), now_);
  EXPECT_EQ(documents_.size(), OpenDocuments::kMaxDocuments);
}

TEST_F(OpenDocumentsTest, DropTheIdleOnes) {
  documents_.Of(language_, "old", now_);
  documents_.Of(language_, "new", now_ + OpenDocuments::kIdle + std::chrono::seconds(1));
  EXPECT_EQ(documents_.size(), 1u);
}

}  // namespace
}  // namespace tenon::server
