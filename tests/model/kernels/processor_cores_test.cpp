#include "model/kernels/processor_cores.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <numeric>

namespace tenon::model {
namespace {

// A copy of the files of /sys and /proc that tell about processors.
class FakeSys {
 public:
  FakeSys() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tenon-sys-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~FakeSys() { std::filesystem::remove_all(path_); }

  FakeSys& Write(const std::string& name, const std::string& text) {
    return WriteAt(path_ / "sys" / name, text);
  }
  // The process is in this group.
  FakeSys& Group(const std::string& path) {
    return WriteAt(path_ / "proc/self/cgroup", "0::" + path);
  }
  FakeSys& Siblings(int processor, const std::string& list) {
    return Write(
        "devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list",
        list);
  }
  // Of processors 0 to n - 1.
  int Cores(int n) const {
    std::vector<int> allowed(n);
    std::iota(allowed.begin(), allowed.end(), 0);
    return CountPerformanceCores(allowed, path_);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  FakeSys& WriteAt(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
    return *this;
  }

  std::filesystem::path path_;
};

TEST(ProcessorCores, TwoThreadsOfACoreAreOne) {
  FakeSys sys;
  for (int i = 0; i < 8; ++i)
    sys.Siblings(i, std::to_string(i % 4) + "," + std::to_string(i % 4 + 4));
  EXPECT_EQ(sys.Cores(8), 4);
}

TEST(ProcessorCores, EfficiencyCoresDoNotCount) {
  FakeSys sys;
  for (int i = 0; i < 12; ++i)
    sys.Siblings(i, std::to_string(i / 2 * 2) + "-" + std::to_string(i / 2 * 2 + 1));
  for (int i = 12; i < 20; ++i) sys.Siblings(i, std::to_string(i));
  sys.Write("devices/cpu_core/cpus", "0-11").Write("devices/cpu_atom/cpus", "12-19");
  EXPECT_EQ(sys.Cores(20), 6);
  // A process that may run on efficiency cores alone takes these.
  EXPECT_EQ(CountPerformanceCores({12, 13, 14}, sys.path()), 3);
}

TEST(ProcessorCores, AContainersShareBoundsThem) {
  FakeSys sys;
  EXPECT_EQ(sys.Cores(8), 8) << "without files every processor is a core";
  EXPECT_EQ(sys.Write("fs/cgroup/cpu.max", "250000 100000").Cores(8), 3);
  EXPECT_EQ(sys.Write("fs/cgroup/cpu.max", "50000 100000").Cores(8), 1);
  EXPECT_EQ(sys.Write("fs/cgroup/cpu.max", "max 100000").Cores(8), 8);
  EXPECT_EQ(sys.Write("fs/cgroup/cpu.max", "nonsense").Cores(8), 8);
}

TEST(ProcessorCores, TheSharesOfAllGroupsAroundBoundThem) {
  FakeSys sys;
  sys.Group("/user.slice/app.service").Write("fs/cgroup/user.slice/cpu.max", "300000 100000");
  EXPECT_EQ(sys.Cores(8), 3);
  EXPECT_EQ(sys.Write("fs/cgroup/user.slice/app.service/cpu.max", "200000 100000").Cores(8), 2);
  EXPECT_EQ(sys.Group("/").Cores(8), 8);
}

TEST(ProcessorCores, NonsenseInFilesIsNotBelieved) {
  FakeSys sys;
  sys.Write("devices/cpu_core/cpus", "x,-,3-,99999999999999999999").Siblings(0, "");
  EXPECT_EQ(sys.Cores(2), 2);
  EXPECT_EQ(CountPerformanceCores({}, sys.path()), 1);
}

TEST(ProcessorCores, OneOfManyIsLeftToOthers) {
  EXPECT_EQ(ThreadsForCores(1), 1);
  EXPECT_EQ(ThreadsForCores(2), 2);
  EXPECT_EQ(ThreadsForCores(3), 2);
  EXPECT_EQ(ThreadsForCores(8), 7);
  EXPECT_EQ(ThreadsForCores(17), 16);
  EXPECT_EQ(ThreadsForCores(128), 16);
}

TEST(ProcessorCores, OfThisMachineAreAtLeastOne) { EXPECT_GE(CountPerformanceCores(), 1); }

}  // namespace
}  // namespace tenon::model
