#include "constraint/cache/cache_bounds.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "constraint/cache/cache_file.h"

namespace tenon::constraint {

namespace {

namespace fs = std::filesystem;

struct Kept {
  fs::path path;
  size_t bytes = 0;
  fs::file_time_type used;
  bool unfinished = false;  // perhaps it is being written
  bool foreign = false;     // this build cannot read it
};

// The cache files of the folder, also the ones that are being written.
std::vector<Kept> FilesOf(const fs::path& folder) {
  std::vector<Kept> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const CacheName name = CacheNameOf(entry->path());
    std::error_code gone;
    if (name == CacheName::kOther || entry->symlink_status(gone).type() != fs::file_type::regular)
      continue;
    Kept file{entry->path(), entry->file_size(gone), entry->last_write_time(gone)};
    if (gone) continue;
    file.unfinished = name == CacheName::kUnfinished;
    file.foreign = file.unfinished || !IsOfThisBuild(file.path);
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

CacheRemoved KeepWithinBounds(const fs::path& folder, size_t most_bytes, const fs::path& kept,
                              fs::file_time_type now) {
  std::vector<Kept> files = FilesOf(folder);
  size_t bytes = 0;
  for (const Kept& file : files) bytes += file.bytes;
  const auto old = [&](const Kept& file) { return file.foreign && now - file.used > kForeignKept; };
  std::sort(files.begin(), files.end(), [&](const Kept& a, const Kept& b) {
    return old(a) != old(b) ? old(a) : a.used < b.used;
  });
  CacheRemoved removed;
  for (const Kept& file : files) {
    if (file.path == kept || (!old(file) && (file.unfinished || bytes <= most_bytes))) continue;
    std::error_code error;
    bytes -= file.bytes;  // also where another process was quicker
    if (!fs::remove(file.path, error)) continue;
    ++removed.files;
    removed.bytes += file.bytes;
  }
  return removed;
}

void NoteUse(const fs::path& file, fs::file_time_type now) {
  std::error_code error;
  const fs::file_time_type noted = fs::last_write_time(file, error);
  if (!error && now - noted > kUseNoted) fs::last_write_time(file, now, error);
}

}  // namespace tenon::constraint
