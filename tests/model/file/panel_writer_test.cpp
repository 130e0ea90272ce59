#include "model/file/panel_writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/model/panel_image.h"

namespace tenon::model {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

tl::expected<uint64_t, PanelWriteFault> Write(const std::string& path) {
  return WritePanelFile(path, SamplePanelKey(), kSampleModelPath, SampleStretches());
}

size_t FilesBeside(const std::string& path) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(fs::path(path).parent_path()))
    ++count;
  return count;
}

TEST(PanelWriter, WritesAFileThatIsReadAndNamesItsModel) {
  const std::string path = PanelPath();
  const auto written = Write(path);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(*written, fs::file_size(path));
  const auto file = PanelFile::Open(path, SamplePanelKey());
  ASSERT_TRUE(file) << file.error();
  EXPECT_TRUE(file->HashIsRight());
  EXPECT_EQ(file->size_bytes(), *written);
  EXPECT_EQ(ModelPathIn(path), kSampleModelPath);
  EXPECT_EQ(FilesBeside(path), 1U) << "the unfinished file is gone";
  EXPECT_FALSE(ModelPathIn(path + ".absent"));
}

TEST(PanelWriter, ReplacesAFileThatOthersStillRead) {
  const std::string path = PanelPath();
  ASSERT_TRUE(Write(path));
  const auto before = PanelFile::Open(path, SamplePanelKey());
  ASSERT_TRUE(before) << before.error();
  PanelKey other = SamplePanelKey();
  other.layout = 12;
  ASSERT_TRUE(WritePanelFile(path, other, kSampleModelPath, SampleStretches()));
  EXPECT_TRUE(PanelFile::Open(path, other));
  EXPECT_FALSE(PanelFile::Open(path, SamplePanelKey()));
  EXPECT_TRUE(before->HashIsRight()) << "its mapping keeps the old file";
}

TEST(PanelWriter, LargeStretchesCrossItsBlocks) {
  const std::string path = PanelPath();
  std::vector<std::byte> large((size_t{9} << 20) + 64);
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::byte>(i * 7 + (i >> 16));
  std::vector<PanelStretch> stretches = SampleStretches();
  stretches.push_back({"output.weight", 4, 1, 1, 0, 1, large});
  stretches.push_back(SampleStretch("z", 0, 9));
  ASSERT_TRUE(WritePanelFile(path, SamplePanelKey(), kSampleModelPath, stretches));
  const auto file = PanelFile::Open(path, SamplePanelKey());
  ASSERT_TRUE(file) << file.error();
  EXPECT_TRUE(file->HashIsRight());
  for (const PanelStretch& stretch : stretches) {
    const auto found = file->Find(stretch.tensor, stretch.first, stretch.count);
    ASSERT_TRUE(found);
    EXPECT_TRUE(std::equal(found->data.begin(), found->data.end(), stretch.data.begin(),
                           stretch.data.end()));
  }
}

TEST(PanelWriter, LeavesAFileToTheProcessThatWritesItAndTakesOverFromADeadOne) {
  const std::string path = PanelPath();
  const std::string unfinished = UnfinishedPanelFile(path);
  std::ofstream(unfinished) << "half a file";
  const int other = open(unfinished.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX | LOCK_NB), 0);
  const auto busy = Write(path);
  ASSERT_FALSE(busy);
  EXPECT_EQ(busy.error().code, PanelWriteFault::Code::kBusy);
  EXPECT_TRUE(fs::exists(unfinished)) << "it is the other one's";
  close(other);  // as at the end of a process
  ASSERT_TRUE(Write(path));
  EXPECT_TRUE(PanelFile::Open(path, SamplePanelKey()));
  EXPECT_EQ(FilesBeside(path), 1U);
}

TEST(PanelWriter, TwoProcessesThatWriteAndReadAtOnceSeeWholeFilesAlone) {
  const std::string path = PanelPath();
  constexpr int kProcesses = 2, kRounds = 40;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int wrong = 0;
      for (int round = 0; round < kRounds; ++round) {
        const auto written = Write(path);
        if (!written && written.error().code != PanelWriteFault::Code::kBusy) ++wrong;
        const auto file = PanelFile::Open(path, SamplePanelKey());
        if (file ? !file->HashIsRight() : !file.error().empty()) ++wrong;
      }
      _exit(wrong);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_TRUE(PanelFile::Open(path, SamplePanelKey()));
  EXPECT_EQ(FilesBeside(path), 1U);
}

TEST(PanelWriter, WithoutSpaceNothingIsWritten) {
  const std::string path = PanelPath();
  // More than any disk has free; nothing of it is ever read.
  constexpr size_t kBytes = size_t{1} << 45;
  void* const none =
      mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(none, MAP_FAILED);
  const PanelStretch huge{"t", 4, 1, 1, 0, 1, {static_cast<const std::byte*>(none), kBytes}};
  const auto written = WritePanelFile(path, SamplePanelKey(), kSampleModelPath, {&huge, 1});
  munmap(none, kBytes);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, PanelWriteFault::Code::kNoSpace);
  EXPECT_THAT(written.error().message, HasSubstr("MB are free"));
  EXPECT_EQ(FilesBeside(path), 0U);
}

TEST(PanelWriter, AWriteThatFailsLeavesNothingAndTheOldFile) {
  const std::string path = PanelPath();
  ASSERT_TRUE(Write(path));
  // In a process of its own, whose files may not grow beyond a MiB.
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    PanelKey other = SamplePanelKey();
    other.layout = 12;
    const auto written = WritePanelFile(path, other, kSampleModelPath, SampleStretches());
    _exit(written ? 1 : written.error().code == PanelWriteFault::Code::kNoWrite ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(FilesBeside(path), 1U);
  EXPECT_TRUE(PanelFile::Open(path, SamplePanelKey()));
}

TEST(PanelWriter, AFolderThatTakesNoFileIsNamed) {
  const std::string path = PanelPath();
  std::ofstream(path) << "a file, and no folder";
  for (const std::string& target : {path + "/m.panels", std::string("/proc/tenon/m.panels")}) {
    const auto written = Write(target);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, PanelWriteFault::Code::kNoWrite);
    EXPECT_THAT(written.error().message, HasSubstr(target));
  }
}

TEST(PanelWriter, ALinkIsNotFollowed) {
  const std::string path = PanelPath();
  const fs::path precious = fs::path(path).parent_path() / "precious";
  std::ofstream(precious) << "precious";
  fs::create_symlink(precious, UnfinishedPanelFile(path));
  EXPECT_FALSE(Write(path));
  EXPECT_EQ(fs::file_size(precious), 8U);
}

}  // namespace
}  // namespace tenon::model
