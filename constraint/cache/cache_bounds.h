// The bounds of a cache's folder: how much it holds, and for how long what this build cannot read.
//
//   goes first      what another build wrote, or what is no whole file, unused for kForeignKept;
//                   what a process that ended left half written
//   then            the least recently used, until all of it together has at most so many bytes
//   never goes      what was just written; what is no cache file by its name, folders, links
//
// A file's time of writing says when it was last used: reading one moves it up, once in kUseNoted
// at most. Another build's files stay for a while, because two builds may take turns.
//
// Other processes may read, write and remove in the same folder at the same time: a file that is
// open stays readable, one that is gone is compiled anew, and a file that is replaced between the
// look at it and its end is lost with no other harm.
// Cost: a look at each file's first bytes; done when a file is written. Thread rule: any threads,
// any processes.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>

namespace tenon::constraint {

inline constexpr size_t kMostCacheBytes = size_t{512} << 20;
inline constexpr std::chrono::hours kForeignKept{24};
inline constexpr std::chrono::hours kUseNoted{1};

// What was removed.
struct CacheRemoved {
  size_t files = 0, bytes = 0;
};

// `kept`: the file that was just written. Files that cannot be removed stay.
CacheRemoved KeepWithinBounds(const std::filesystem::path& folder, size_t most_bytes,
                              const std::filesystem::path& kept,
                              std::filesystem::file_time_type now);

// The file was used.
void NoteUse(const std::filesystem::path& file, std::filesystem::file_time_type now);

}  // namespace tenon::constraint
