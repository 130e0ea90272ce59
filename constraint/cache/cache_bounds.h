// The bounds of a cache's folder: how many bytes it holds, and how long files of other builds stay.
//
// Example: with a bound of 512 MiB and 600 MiB of files, the least recently used go until 512 MiB
// are left. A file that another build wrote goes before them, if it was unused for a day.
//
//   goes first   a file of another build, or no whole file, unused for kForeignKept; a file that a
//                process left half written when it ended
//   then         the least recently used, until all together have at most so many bytes
//   never goes   the file that was just written; a file whose name is no cache file's, folders,
//                links
//
// A file's time of writing says when it was last used: reading a file moves it up, at most once in
// kUseNoted. Another build's files stay for a while, because two builds may take turns.
//
// Other processes may read, write and remove in the same folder at the same time. A file that is
// open stays readable, and one that is gone is compiled anew. A file that is replaced between the
// look at it and its removal is lost with no other harm.
//
// Source: docs/design/cache.md. Cost: a look at each file's first bytes, whenever a file is
// written. Thread rule: any threads, any processes.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>

namespace tenon::constraint {

inline constexpr size_t kMaxCacheBytes = size_t{512} << 20;
inline constexpr std::chrono::hours kForeignKept{24};
inline constexpr std::chrono::hours kUseNoted{1};

// The files that were removed.
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
