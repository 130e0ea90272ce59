#include "server/models/known_hashes.h"

#include <chrono>

#include <gtest/gtest.h>

#include "server/files/read_file.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

TEST(KnownHashes, AreThoseOfAFileWithItsSizeAndTime) {
  const TemporaryFolder folder;
  const KnownHashes hashes(folder.path() / "state" / "hashes.json");
  const fs::path model = folder.Write("a.gguf", "weights");
  EXPECT_FALSE(hashes.Find(model));
  ASSERT_TRUE(hashes.Add(model, *StateOf(model), "12ab"));
  EXPECT_EQ(hashes.Find(model), "12ab");
  EXPECT_FALSE(hashes.Find(folder.path() / "b.gguf"));

  const auto time = fs::last_write_time(model);
  fs::last_write_time(model, time + std::chrono::nanoseconds(1));
  EXPECT_FALSE(hashes.Find(model));
  fs::last_write_time(model, time);
  EXPECT_EQ(hashes.Find(model), "12ab");
  folder.Write("a.gguf", "weights!");
  fs::last_write_time(model, time);
  EXPECT_FALSE(hashes.Find(model));
}

TEST(KnownHashes, OfTwoFunctionsLieInOneFile) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "hashes.json";
  const KnownHashes sha256(file), other(file, "xxh3_128");
  const fs::path model = folder.Write("a.gguf", "weights"), panels = folder.Write("a.panels", "p");
  ASSERT_TRUE(sha256.Add(model, *StateOf(model), "12ab"));
  ASSERT_TRUE(other.Add(panels, *StateOf(panels), "34cd"));
  EXPECT_EQ(sha256.Find(model), "12ab");
  EXPECT_EQ(other.Find(panels), "34cd");
  EXPECT_FALSE(other.Find(model));
  EXPECT_FALSE(sha256.Find(panels));
}

TEST(KnownHashes, ABrokenFileHoldsNothingAndIsReplaced) {
  const TemporaryFolder folder;
  const KnownHashes hashes(folder.path() / "hashes.json");
  const fs::path model = folder.Write("a.gguf", "weights");
  const char* const broken[] = {"",
                                "{",
                                "[]",
                                "null",
                                R"({"PATH": 1})",
                                R"({"PATH": {"bytes": 7, "changed_ns": "now", "sha256": 1}})"};
  for (std::string text : broken) {
    if (const size_t at = text.find("PATH"); at != std::string::npos)
      text.replace(at, 4, model.string());
    folder.Write("hashes.json", text);
    EXPECT_FALSE(hashes.Find(model)) << text;
    ASSERT_TRUE(hashes.Add(model, *StateOf(model), "12ab")) << text;
    EXPECT_EQ(hashes.Find(model), "12ab") << text;
  }
}

TEST(KnownHashes, FilesThatAreGoneAreForgotten) {
  const TemporaryFolder folder;
  const KnownHashes hashes(folder.path() / "hashes.json");
  const fs::path gone = folder.Write("gone.gguf", "a"), model = folder.Write("a.gguf", "a");
  ASSERT_TRUE(hashes.Add(gone, *StateOf(gone), "1"));
  fs::remove(gone);
  ASSERT_TRUE(hashes.Add(model, *StateOf(model), "2"));
  EXPECT_EQ(ReadFile(folder.path() / "hashes.json").value_or("").find("gone"), std::string::npos);
  EXPECT_EQ(hashes.Find(model), "2");
}

TEST(KnownHashes, WhatCannotBeKeptIsAnErrorThatSaysWhatToDo) {
  const TemporaryFolder folder;
  const fs::path model = folder.Write("a.gguf", "a");
  const auto added =
      KnownHashes(folder.Write("file", "") + "/hashes.json").Add(model, *StateOf(model), "1");
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().find("XDG_STATE_HOME"), std::string::npos) << added.error();
  EXPECT_TRUE(KnownHashes("").Add(model, *StateOf(model), "1"));  // nothing is kept
}

}  // namespace
}  // namespace tenon::server
