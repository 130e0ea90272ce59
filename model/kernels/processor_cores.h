// How many cores of this machine a model may keep busy.
//
// A computation that is split evenly ends with its slowest thread. Two threads of one core share
// its arithmetic, and an efficiency core has a fraction of another's, so threads beyond the number
// of performance cores make it slower. Example: a laptop with 6 performance cores of two threads
// each and 8 efficiency cores has 20 processors and 6 performance cores.
//
// Linux tells in sysfs: cpu_core/cpus lists the processors of performance cores where there are two
// kinds, topology/thread_siblings_list the processors of the same core. A container's share of the
// processors (cgroup v2, cpu.max) and the processors that this process may run on bound the number.
// Source: the kernel's Documentation/ABI/stable/sysfs-devices-system-cpu and
// Documentation/admin-guide/cgroup-v2.rst.
// Cost: some files read. Thread rule: pure but for the files.
#pragma once

#include <filesystem>
#include <vector>

namespace tenon::model {

// `allowed`: the numbers of the processors that this process may run on. root: of the file system,
// or of a copy of its folders sys and proc. At least 1.
int CountPerformanceCores(const std::vector<int>& allowed, const std::filesystem::path& root = "/");
// The performance cores of this machine that this process may run on.
int CountPerformanceCores();

// The threads that a model takes by itself: all performance cores but one, which the editor and its
// other servers need; of one or two cores all.
int ThreadsForCores(int performance_cores);

}  // namespace tenon::model
