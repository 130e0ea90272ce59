// A folder that keeps compiled languages and mask stores between runs of a program.
//
// Compiling a large grammar takes a good part of a second, and so does its mask store; reading
// either from a file takes some ten milliseconds. A file is read only if the same build of the
// library wrote it, for the same grammar text and vocabulary. Whatever is amiss with a file, the
// grammar is compiled as if there were none: a cache makes nothing fail.
//
//   const tenon::Cache cache("/home/me/.cache/my-program");
//   auto language = tenon::Language::FromFile("python.lark", cache);  // slow once, then quick
//
// The folder is kept within bounds whenever a file is written: the least recently used files go.
// Thread rule: any threads, any processes; copies share one folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "tenon/export.h"

namespace tenon {

namespace constraint {
class LanguageCache;
}

// A file of a cache's folder.
struct CacheFile {
  std::filesystem::path path;
  size_t bytes = 0;
};

struct CacheOptions {
  // Bytes of all files together, but for one that is larger by itself.
  size_t most_bytes = size_t{512} << 20;
  // Told, a sentence each, which file was useless and why no file can be written; called from the
  // thread that compiles.
  std::function<void(std::string_view)> note = {};
};

class TENON_API Cache {
 public:
  // Keeps nothing.
  Cache();
  // The folder is made when the first file is written. An empty path: nothing is kept.
  explicit Cache(std::filesystem::path folder, CacheOptions options = {});

  const std::filesystem::path& folder() const;  // empty: nothing is kept
  size_t most_bytes() const;

  struct Contents {
    size_t files = 0, bytes = 0;
  };
  // The number and size of the folder's files.
  Contents contents() const;

 private:
  friend struct Internals;
  std::shared_ptr<const constraint::LanguageCache> cache_;
};

}  // namespace tenon
