#include "server/models/available_memory.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

constexpr const char* kMemInfo = "MemTotal: 16000 kB\nMemFree: 1 kB\nMemAvailable: 8000 kB\n";

TEST(AvailableMemory, IsThatOfTheMachineWithoutControlGroups) {
  TemporaryFolder root;
  EXPECT_EQ(AvailableMemoryBytes(root.path()), std::nullopt);
  root.Write("proc/meminfo", kMemInfo);
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 8000U * 1024);
}

TEST(AvailableMemory, IsBoundedByAGroupAndByThoseAboveIt) {
  TemporaryFolder root;
  root.Write("proc/meminfo", kMemInfo);
  root.Write("proc/self/cgroup", "0::/user/session\n");
  root.Write("sys/fs/cgroup/user/session/memory.max", "max\n");
  root.Write("sys/fs/cgroup/user/session/memory.current", "1000\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 8000U * 1024);
  root.Write("sys/fs/cgroup/user/memory.max", "5000\n");
  root.Write("sys/fs/cgroup/user/memory.current", "3000\n");
  root.Write("sys/fs/cgroup/user/memory.stat", "anon 1\ninactive_file 400\nactive_file 100\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 2500U);
  root.Write("sys/fs/cgroup/user/memory.current", "6000\n");  // over its limit for a moment
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 0U);
}

TEST(AvailableMemory, IsBoundedByGroupsOfVersion1) {
  TemporaryFolder root;
  root.Write("proc/meminfo", kMemInfo);
  root.Write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/box\n");
  root.Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.Write("sys/fs/cgroup/memory/memory.usage_in_bytes", "7000\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 8000U * 1024);
  root.Write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "4000\n");
  root.Write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "3000\n");
  root.Write("sys/fs/cgroup/memory/box/memory.stat",
             "inactive_file 5\ntotal_inactive_file 200\ntotal_active_file 100\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 1300U);
}

// A container often sees its own group as the root, under the name that it has outside.
TEST(AvailableMemory, FindsTheLimitWhereTheGroupsPathIsNotVisible) {
  TemporaryFolder root;
  root.Write("proc/meminfo", kMemInfo);
  root.Write("proc/self/cgroup", "0::/docker/0123\n");
  root.Write("sys/fs/cgroup/memory.max", "2000\n");
  root.Write("sys/fs/cgroup/memory.current", "500\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 1500U);
}

}  // namespace
}  // namespace tenon::server
