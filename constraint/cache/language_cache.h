// Compiled languages and mask stores, kept in a folder between runs of the program.
//
// Example: the first `tenon gap a.py` compiles Python's grammar and writes it. The next one reads
// it. After an edit of the grammar file its key differs, and it is compiled anew.
//
// A file is used only if this very build wrote it for this grammar's text and this vocabulary, it
// is whole (cache_file.h), and its contents are sound (soundness.h). Otherwise everything is
// compiled as if there were no file, and the file is written anew: a cache never makes anything
// fail. A folder that cannot be written is reported once. The folder is kept within bounds
// (cache_bounds.h) whenever a file is written.
//
// Source: docs/design/cache.md. Cost: docs/measured.md, `compile_disk`.
// Thread rule: any threads at once; two that ask for the same may both compile it.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "constraint/cache/cache_bounds.h"
#include "constraint/cache/cache_file.h"
#include "constraint/grammar/grammar.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask.h"

namespace tenon::constraint {

template <typename T>
struct Cached {
  std::shared_ptr<const T> value;
  bool from_disk = false;      // else compiled
  std::filesystem::path file;  // empty where there is none
  size_t file_bytes = 0;       // 0: there is none, and it could not be written
};

// The files of a cache's folder.
struct CacheContents {
  size_t files = 0, bytes = 0;
};

class LanguageCache {
 public:
  // `note`: gets a sentence for each language that is compiled anew although a file was there, and
  // for each file that cannot be written; in the thread that asked. An empty `folder`: nothing is
  // kept.
  // `most_bytes`: of all files together, but for one that is larger by itself.
  explicit LanguageCache(std::filesystem::path folder,
                         std::function<void(std::string_view)> note = {},
                         size_t most_bytes = kMaxCacheBytes);

  // As Language::Compile.
  [[nodiscard]] tl::expected<Cached<Language>, GrammarError> Compile(std::string_view text,
                                                                     std::string path) const;

  // As MaskStore::Build. A language that was not compiled from a grammar's text is not kept.
  [[nodiscard]] Cached<MaskStore> Store(
      const std::shared_ptr<const Language>& language,
      const std::shared_ptr<const TokenVocabulary>& vocabulary) const;

  [[nodiscard]] CacheContents Contents() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] size_t most_bytes() const { return most_bytes_; }

 private:
  std::optional<CachePayload> Read(const CacheKey& key) const;
  // REQUIRES: a folder.
  size_t Write(const CacheKey& key, std::string_view payload) const;
  void Note(std::string_view text) const;

  std::filesystem::path folder_;
  std::function<void(std::string_view)> note_;
  size_t most_bytes_;
  mutable std::atomic<bool> unwritable_ = false;  // and that was said
};

}  // namespace tenon::constraint
