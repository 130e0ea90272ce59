// A cache's folder stays within its bounds, and nothing else in it is touched.
#include "constraint/cache/cache_bounds.h"

#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "constraint/cache/language_cache.h"
#include "tests/server/temporary_folder.h"

namespace tenon::constraint {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class CacheBoundsTest : public testing::Test {
 protected:
  // A language's file of so many bytes, last used so long ago.
  fs::path Add(uint64_t grammar, size_t bytes, std::chrono::minutes ago,
               bool of_this_build = true) {
    const CacheKey key{CacheKind::kLanguage, {grammar, 0}, 0};
    const fs::path path = folder_.path() / key.FileName();
    EXPECT_TRUE(WriteCacheFile(path, key, std::string(bytes - kCacheHeaderBytes, 'p')).has_value());
    if (!of_this_build) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(16);
      const char first = static_cast<char>(file.get());
      file.seekp(16);
      file.put(static_cast<char>(first ^ 1));
    }
    fs::last_write_time(path, now_ - ago);
    return path;
  }
  fs::path AddOther(const std::string& name, std::chrono::minutes ago) {
    const fs::path path = folder_.Write(name, std::string(100, 'x'));
    fs::last_write_time(path, now_ - ago);
    return path;
  }
  CacheRemoved Keep(size_t most_bytes, const fs::path& kept = {}) {
    return KeepWithinBounds(folder_.path(), most_bytes, kept, now_);
  }
  std::set<fs::path> Left() const {
    return {fs::directory_iterator(folder_.path()), fs::directory_iterator()};
  }

  server::TemporaryFolder folder_;
  fs::file_time_type now_ = fs::file_time_type::clock::now();
};

using Paths = std::set<fs::path>;

TEST_F(CacheBoundsTest, TheLeastRecentlyUsedGoesFirst) {
  const auto a = Add(1, 1000, 30h), b = Add(2, 1000, 90h), c = Add(3, 1000, 10min),
             d = Add(4, 1000, 60h);
  EXPECT_EQ(Keep(4000).files, 0u);
  EXPECT_EQ(Left(), (Paths{a, b, c, d}));
  const CacheRemoved one = Keep(3500);
  EXPECT_EQ(one.files, 1u);
  EXPECT_EQ(one.bytes, 1000u);
  EXPECT_EQ(Left(), (Paths{a, c, d}));
  EXPECT_EQ(Keep(1999).files, 2u);
  EXPECT_EQ(Left(), Paths{c});
}

TEST_F(CacheBoundsTest, WhatWasJustWrittenStaysThoughTheClockOrItsSizeSaysOtherwise) {
  const auto large = Add(1, 5000, 90h), other = Add(2, 1000, 1min);
  EXPECT_EQ(Keep(2000, large).files, 1u);
  EXPECT_EQ(Left(), Paths{large});
}

TEST_F(CacheBoundsTest, WhatAnotherBuildWroteGoesAfterADay) {
  const auto mine = Add(1, 1000, 90h), fresh = Add(2, 1000, 23h, false);
  Add(3, 1000, 25h, false);
  EXPECT_EQ(Keep(1'000'000).files, 1u);
  EXPECT_EQ(Left(), (Paths{mine, fresh}));
}

TEST_F(CacheBoundsTest, WhatIsCutShortOrWasLeftHalfWrittenGoesAfterADay) {
  const auto cut = Add(1, 1000, 0h);
  fs::resize_file(cut, 900);
  fs::last_write_time(cut, now_ - 25h);
  AddOther("0123.language.new-a1b2c3", 25h);
  AddOther("0123.masks", 25h);  // no header at all
  const auto writing = AddOther("0123-45.masks.new-d4e5f6", 1min);
  EXPECT_EQ(Keep(1'000'000).files, 3u);
  EXPECT_EQ(Left(), Paths{writing});
}

TEST_F(CacheBoundsTest, NothingElseIsTouched) {
  server::TemporaryFolder elsewhere;
  const fs::path target = elsewhere.Write("target", "what a link points to");
  const auto notes = AddOther("notes.txt", 900h),
             below = AddOther("below.masks/file.masks", 900h).parent_path();
  const auto odd = AddOther("a.new-b", 900h), link = folder_.path() / "link.masks";
  fs::create_symlink(target, link);
  Add(1, 1000, 1min);
  EXPECT_EQ(Keep(1).files, 1u);
  EXPECT_EQ(Left(), (Paths{notes, below, odd, link}));
  EXPECT_TRUE(fs::exists(target));
  EXPECT_TRUE(fs::exists(below / "file.masks"));
  EXPECT_EQ(KeepWithinBounds("/nowhere/at/all", 1, {}, now_).files, 0u);
}

TEST_F(CacheBoundsTest, ReadingMovesAFileUp) {
  const auto read = Add(1, 1000, 90h), other = Add(2, 1000, 60h);
  NoteUse(read, now_);
  EXPECT_EQ(Keep(1500).files, 1u);
  EXPECT_EQ(Left(), Paths{read});
  NoteUse(read, now_ + 59min);  // too soon to be noted again
  EXPECT_EQ(fs::last_write_time(read), now_);
  NoteUse(folder_.path() / "gone.masks", now_);
}

TEST_F(CacheBoundsTest, ALanguageCacheKeepsItsFolderWithinThem) {
  std::vector<std::string> notes;
  const fs::path below = folder_.path() / "languages";
  const auto grammar = [](int i) { return "start: \"" + std::to_string(i) + "\"\n"; };
  const LanguageCache all(below);
  const size_t one = all.Compile(grammar(0), "g.lark")->file_bytes;
  ASSERT_GT(one, 0u);
  const LanguageCache few(
      below, [&](std::string_view note) { notes.emplace_back(note); }, 3 * one + one / 2);
  for (int i = 1; i <= 3; ++i) {
    fs::last_write_time(few.Compile(grammar(i), "g.lark")->file, now_ - 10h * (10 - i));
    if (i == 1) fs::last_write_time(few.Compile(grammar(0), "g.lark")->file, now_ - 200h);
  }
  EXPECT_EQ(few.Contents().files, 3u);
  EXPECT_FALSE(notes.empty());
  EXPECT_TRUE(few.Compile(grammar(1), "g.lark")->from_disk);   // the oldest, used again
  EXPECT_FALSE(few.Compile(grammar(4), "g.lark")->from_disk);  // drives out the second
  EXPECT_LE(few.Contents().bytes, few.most_bytes());
  EXPECT_TRUE(few.Compile(grammar(1), "g.lark")->from_disk);
  EXPECT_TRUE(few.Compile(grammar(3), "g.lark")->from_disk);
  EXPECT_FALSE(few.Compile(grammar(2), "g.lark")->from_disk);
}

// Whoever reads sees a whole file or none, while others write and remove.
TEST_F(CacheBoundsTest, ManyMayKeepOneFolderAtOnce) {
  const auto use = [&](unsigned first) {
    for (unsigned i = 0; i < 200; ++i) {
      const CacheKey key{CacheKind::kLanguage, {(first + i) % 5, 0}, 0};
      const fs::path path = folder_.path() / key.FileName();
      const auto read = ReadCacheFile(path, key);
      if (read) {
        ASSERT_EQ(read->bytes(), std::string(2000, static_cast<char>('a' + (first + i) % 5)));
        NoteUse(path, now_);
        continue;
      }
      ASSERT_EQ(read.error(), "");
      ASSERT_TRUE(
          WriteCacheFile(path, key, std::string(2000, static_cast<char>('a' + (first + i) % 5)))
              .has_value());
      Keep(5000, path);
    }
  };
  { std::jthread one(use, 0u), two(use, 1u), three(use, 3u); }
  Keep(5000);
  EXPECT_LE(Left().size(), 2u);
}

}  // namespace
}  // namespace tenon::constraint
