// Caches as a user of the library meets them: what is kept, what is said.
#include "tenon/cache.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"
#include "tests/server/temporary_folder.h"

namespace tenon {
namespace {

TEST(PublicCache, KeepsACompiledLanguage) {
  const server::TemporaryFolder folder;
  const Cache cache(folder.path() / "kept");
  EXPECT_EQ(cache.contents().files, 0u);
  const auto first = Language::Compile(kLists, "test.lark", cache),
             second = Language::Compile(kLists, "test.lark", cache);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->from_cache());
  EXPECT_TRUE(second->from_cache());
  EXPECT_TRUE(second->Check("[1]").valid);
  EXPECT_EQ(cache.contents().files, 1u);
  EXPECT_GT(cache.contents().bytes, 0u);
}

TEST(PublicCache, KeepsNothingWithoutAFolder) {
  const Cache none;
  EXPECT_TRUE(none.folder().empty());
  const auto first = Language::Compile(kLists, "test.lark", none),
             second = Language::Compile(kLists, "test.lark", none);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(second->from_cache());
  EXPECT_EQ(none.contents().files, 0u);
}

TEST(PublicCache, SaysWhyNothingCanBeWritten) {
  const server::TemporaryFolder folder;
  std::string said;
  CacheOptions options;
  options.note = [&](std::string_view sentence) { said += sentence; };
  const Cache cache(folder.Write("a file", ""), options);
  EXPECT_TRUE(Language::Compile(kLists, "test.lark", cache));
  EXPECT_NE(said, "");
}

}  // namespace
}  // namespace tenon
