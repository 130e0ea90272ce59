#include "server/models/panel_files.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/panel_image.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PanelFiles : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folders_.models);
    model_ = folder_.Write("models/m.gguf", "a model");
    files_ = PanelFilesOf(model_, folders_);
  }
  // A panel file that was made of the model at this path.
  static void Write(const fs::path& file, const fs::path& model) {
    const auto written = model::WritePanelFile(file.string(), model::SamplePanelKey(),
                                               model.string(), model::SampleStretches());
    ASSERT_TRUE(written) << written.error().message;
  }

  TemporaryFolder folder_;
  PanelFolders folders_{.models = fs::canonical(folder_.path()) / "models",
                        .cache = fs::canonical(folder_.path()) / "cache" / "panels",
                        .known_hashes = folder_.path() / "hashes.json"};
  fs::path model_;
  std::vector<fs::path> files_;
};

TEST_F(PanelFiles, LieBesideTheModelElseInTheCache) {
  ASSERT_EQ(files_.size(), 2U);
  EXPECT_EQ(files_[0], folders_.models / "m.gguf.panels");
  EXPECT_EQ(files_[1].parent_path(), folders_.cache);
  EXPECT_THAT(files_[1].filename().string(), testing::MatchesRegex("m-[0-9a-f]{16}\\.panels"));
  fs::create_symlink(model_, folder_.path() / "link.gguf");
  EXPECT_EQ(PanelFilesOf(folder_.path() / "link.gguf", folders_), files_)
      << "a link leads to the same model";
  EXPECT_NE(PanelFilesOf(folder_.Write("other/m.gguf", "b"), folders_)[1], files_[1]);
  PanelFolders without = folders_;
  without.cache.clear();
  EXPECT_EQ(PanelFilesOf(model_, without).size(), 1U);
}

TEST_F(PanelFiles, AreKnownToBeWholeByTheirSizeAndTime) {
  Write(files_[0], model_);
  std::vector<std::string> notes;
  const model::PanelShelf shelf =
      PanelShelfOf(model_, folders_, [&](const std::string& note) { notes.push_back(note); });
  const std::string file = files_[0].string();
  EXPECT_EQ(shelf.files, (std::vector<std::string>{file, files_[1].string()}));
  EXPECT_FALSE(shelf.is_known_whole(file, "12ab"));
  shelf.found_whole(file, "12ab");
  EXPECT_TRUE(shelf.is_known_whole(file, "12ab"));
  EXPECT_FALSE(shelf.is_known_whole(file, "12ac"));
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::nanoseconds(1));
  EXPECT_FALSE(shelf.is_known_whole(file, "12ab"));
  EXPECT_THAT(notes, IsEmpty());
  PanelFolders unwritable = folders_;
  unwritable.known_hashes = model_ / "hashes.json";
  PanelShelfOf(model_, unwritable, shelf.note).found_whole(file, "12ab");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("XDG_STATE_HOME"));
}

TEST_F(PanelFiles, AreRemovedWithTheirModel) {
  for (const fs::path& file : files_) {
    Write(file, model_);
    folder_.Write(
        fs::relative(model::UnfinishedPanelFile(file.string()), fs::canonical(folder_.path()))
            .string(),
        "half");
  }
  EXPECT_EQ(PanelBytesOf(model_, folders_), 2 * fs::file_size(files_[0]));
  RemovePanelFiles(model_, folders_);
  EXPECT_EQ(PanelBytesOf(model_, folders_), 0U);
  EXPECT_TRUE(fs::is_empty(folders_.cache));
  EXPECT_TRUE(fs::exists(model_));
}

TEST_F(PanelFiles, GoWhereTheirModelIsGone) {
  const fs::path gone = folder_.path() / "gone.gguf";
  const fs::path beside = folders_.models / "gone.gguf.panels",
                 cached = folders_.cache / "gone-0123456789abcdef.panels";
  for (const fs::path& file : files_) Write(file, model_);
  Write(beside, gone);
  Write(cached, gone);
  // A Hugging Face folder.
  folder_.Write("models/Mine-1.5/config.json", "{}");
  const fs::path of_folder = folders_.models / "Mine-1.5.panels";
  Write(of_folder, folders_.models / "Mine-1.5");
  EXPECT_EQ(PanelFilesOf(folders_.models / "Mine-1.5" / "", folders_)[0], of_folder);
  const std::string mine = folder_.Write("models/notes.panels", "mine, and no panel file");
  const std::string young = folder_.Write("cache/panels/young.panels.new", "half"),
                    old = folder_.Write("cache/panels/old.panels.new", "half");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
  RemoveOrphanedPanelFiles(folders_);
  EXPECT_FALSE(fs::exists(beside));
  EXPECT_FALSE(fs::exists(cached));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young)) << "perhaps it is being written";
  EXPECT_TRUE(fs::exists(mine));
  EXPECT_TRUE(fs::exists(of_folder));
  for (const fs::path& file : files_) EXPECT_TRUE(fs::exists(file)) << file;
}

}  // namespace
}  // namespace tenon::server
