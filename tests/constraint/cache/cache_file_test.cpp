#include "constraint/cache/cache_file.h"

#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::constraint {
namespace {

using server::TemporaryFolder;

const CacheKey kKey{CacheKind::kMaskStore, {0x1111, 0x2222}, 0x3333};

std::string Contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Why the file is not read; "" where it is.
std::string WhyNot(const std::filesystem::path& path, const CacheKey& key = kKey) {
  const auto payload = ReadCacheFile(path, key);
  return payload ? "" : payload.error().empty() ? "no such file" : payload.error();
}

TEST(CacheFile, IsReadAsItWasWritten) {
  TemporaryFolder folder;
  const auto path = folder.path() / "below" / kKey.FileName();
  EXPECT_EQ(WhyNot(path), "no such file");
  for (const std::string& payload : {std::string(), std::string("x"), std::string(100'000, '\0')}) {
    const auto written = WriteCacheFile(path, kKey, payload);
    ASSERT_TRUE(written.has_value()) << written.error();
    EXPECT_EQ(*written, std::filesystem::file_size(path));
    const auto read = ReadCacheFile(path, kKey);
    ASSERT_TRUE(read.has_value()) << read.error();
    EXPECT_EQ(read->bytes(), payload);
    EXPECT_EQ(read->file_bytes(), *written);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1)
      << "nothing is left behind";
}

TEST(CacheFile, KeysThatDifferHaveNamesThatDiffer) {
  EXPECT_EQ(kKey.FileName(), "00000000000022220000000000001111-0000000000003333.masks");
  const CacheKey language{CacheKind::kLanguage, kKey.grammar, 0};
  EXPECT_EQ(language.FileName(), "00000000000022220000000000001111.language");
}

TEST(CacheFile, IsRefusedForWhateverElseIsAskedFor) {
  TemporaryFolder folder;
  const auto path = folder.path() / "file";
  ASSERT_TRUE(WriteCacheFile(path, kKey, "payload").has_value());
  EXPECT_EQ(WhyNot(path, {CacheKind::kLanguage, kKey.grammar, kKey.vocabulary}),
            "belongs to another grammar");
  EXPECT_EQ(WhyNot(path, {kKey.kind, {0x1111, 0x2223}, kKey.vocabulary}),
            "belongs to another grammar");
  EXPECT_EQ(WhyNot(path, {kKey.kind, {0x1110, 0x2222}, kKey.vocabulary}),
            "belongs to another grammar");
  EXPECT_EQ(WhyNot(path, {kKey.kind, kKey.grammar, 0x3334}), "belongs to another vocabulary");
  EXPECT_EQ(WhyNot(folder.path()), "is no file");
  EXPECT_EQ(WhyNot(path / "below"), "no such file");
}

TEST(CacheFile, IsRefusedWithAnyByteChangedCutOffOrAdded) {
  TemporaryFolder folder;
  const auto path = folder.path() / "file";
  std::string payload(500, 'p');
  ASSERT_TRUE(WriteCacheFile(path, kKey, payload).has_value());
  const std::string whole = Contents(path);
  ASSERT_EQ(whole.size(), kCacheHeaderBytes + payload.size());
  for (size_t size = 0; size < whole.size(); ++size) {
    folder.Write("file", std::string_view(whole).substr(0, size));
    EXPECT_NE(WhyNot(path), "") << size;
  }
  folder.Write("file", whole + '\0');
  EXPECT_EQ(WhyNot(path), "is cut short, or has grown");
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
    folder.Write("file", changed);
    const char* why = at < 8    ? "is no cache of tenon"
                      : at < 12 ? "has another format"
                      : at < 16 ? "belongs to another grammar"
                      : at < 32 ? "was written by another build"
                      : at < 48 ? "belongs to another grammar"
                      : at < 56 ? "belongs to another vocabulary"
                      : at < 64 ? "is cut short, or has grown"
                                : "is damaged";
    EXPECT_EQ(WhyNot(path), why) << at;
  }
  folder.Write("file", whole);
  EXPECT_EQ(WhyNot(path), "");
}

TEST(CacheFile, AFolderThatCannotBeWrittenIsNamed) {
  TemporaryFolder folder;
  const std::string file = folder.Write("file", "no folder");
  const auto written = WriteCacheFile(std::filesystem::path(file) / "below", kKey, "payload");
  ASSERT_FALSE(written.has_value());
  EXPECT_NE(written.error().find(file), std::string::npos) << written.error();
}

// A reader sees the whole of one writer's file or none, never a mixture.
TEST(CacheFile, MayBeWrittenAndReadByManyAtOnce) {
  TemporaryFolder folder;
  const auto path = folder.path() / "file";
  const auto write = [&](char letter) {
    for (int i = 0; i < 100; ++i)
      ASSERT_TRUE(
          WriteCacheFile(path, kKey, std::string(static_cast<size_t>(20'000 + i * 97), letter))
              .has_value());
  };
  write('a');
  size_t reads = 0;
  {
    std::jthread one(write, 'a'), another(write, 'b');
    for (; reads < 300; ++reads) {
      const auto read = ReadCacheFile(path, kKey);
      ASSERT_TRUE(read.has_value()) << read.error();
      ASSERT_EQ(read->bytes().find_first_not_of(read->bytes()[0]), std::string_view::npos);
    }
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace tenon::constraint
