// One file of a cache: a payload that is read only if the file is whole and has the wanted key.
//
// Example: a file that was cut short by a full disk has fewer bytes than its header says. It is not
// read, and the language is compiled anew.
//
//   offset  bytes
//   0       8      "tenon\0\r\n", which no tool that means text leaves alone
//   8       4      version of this layout
//   12      4      the kind of payload: CacheKind
//   16      16     BuildId of the code that wrote it: another build never reads it
//   32      16     GrammarKey
//   48      8      TokenVocabulary::key, 0 in a language
//   56      8      bytes of the payload
//   64      16     XXH3-128 of the payload
//   80             payload (archive.h)
//
// Numbers as the machine has them. A file is written under another name in the same folder and then
// renamed, so a reader sees all of it or none; of several processes that write at once the last one
// stays.
//
// Source: docs/design/cache.md. Cost: reading is one copy and one hash, 5 GB/s and 10 GB/s.
// Thread rule: any threads, any processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "constraint/language/language.h"

namespace tenon::constraint {

enum class CacheKind : uint32_t { kLanguage = 1, kMaskStore = 2 };

struct CacheKey {
  CacheKind kind = CacheKind::kLanguage;
  GrammarKey grammar;
  uint64_t vocabulary = 0;
  // The key in hexadecimal digits, with a suffix for the kind. Different builds write over each
  // other's files.
  [[nodiscard]] std::string FileName() const;
};

// The kind of file that a name announces: a cache file, one that is being written, or neither.
enum class CacheName : uint8_t { kWhole, kUnfinished, kOther };
[[nodiscard]] CacheName CacheNameOf(const std::filesystem::path& path);

inline constexpr size_t kCacheHeaderBytes = 80;
// Longer files are refused.
inline constexpr size_t kMaxCacheFileBytes = size_t{1} << 30;

class CachePayload {
 public:
  CachePayload(std::unique_ptr<char[]> file, size_t file_bytes)
      : file_(std::move(file)), file_bytes_(file_bytes) {}
  [[nodiscard]] std::string_view bytes() const {
    return std::string_view(file_.get(), file_bytes_).substr(kCacheHeaderBytes);
  }
  [[nodiscard]] size_t file_bytes() const { return file_bytes_; }

 private:
  std::unique_ptr<char[]> file_;
  size_t file_bytes_;
};

// Error: why not, after the file's name: "is cut short". Empty: there is no such file.
[[nodiscard]] tl::expected<CachePayload, std::string> ReadCacheFile(
    const std::filesystem::path& path, const CacheKey& key);
// Does the file begin as this very build would have begun it, and have the length that it says? A
// look at its header alone.
[[nodiscard]] bool IsOfThisBuild(const std::filesystem::path& path);
// Makes the folder where it is not there. Returns the file's size. Error: why not, with the path.
[[nodiscard]] tl::expected<size_t, std::string> WriteCacheFile(const std::filesystem::path& path,
                                                               const CacheKey& key,
                                                               std::string_view payload);

// A hash of the sources of constraint/, which give payloads their meaning, and of the compiler.
struct BuildId {
  uint64_t low = 0, high = 0;
};
extern const BuildId kBuildId;

}  // namespace tenon::constraint
