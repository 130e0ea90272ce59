#include "constraint/cache/language_cache.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "constraint/cache/language_archive.h"
#include "constraint/cache/store_archive.h"

namespace tenon::constraint {

LanguageCache::LanguageCache(std::filesystem::path folder,
                             std::function<void(std::string_view)> note, size_t most_bytes)
    : folder_(std::move(folder)), note_(std::move(note)), most_bytes_(most_bytes) {}

tl::expected<Cached<Language>, GrammarError> LanguageCache::Compile(std::string_view text,
                                                                    std::string path) const {
  Cached<Language> cached;
  CacheKey key{CacheKind::kLanguage, GrammarKey::Of(text, path), 0};
  if (!folder_.empty()) cached.file = folder_ / key.FileName();
  if (const auto payload = Read(key)) {
    cached.value = LanguageFrom(payload->bytes(), path, key.grammar);
    cached.from_disk = cached.value != nullptr;
    cached.file_bytes = payload->file_bytes();
    if (cached.from_disk) return cached;
    Note(fmt::format("{} holds no language; {} is compiled anew", cached.file.string(), path));
  }
  auto language = Language::Compile(text, std::move(path));
  if (!language) return tl::unexpected(std::move(language.error()));
  cached.value = *std::move(language);
  key.grammar = cached.value->key;  // an imported file may have changed meanwhile
  if (!folder_.empty()) cached.file_bytes = Write(key, BytesOf(*cached.value));
  return cached;
}

Cached<MaskStore> LanguageCache::Store(
    const std::shared_ptr<const Language>& language,
    const std::shared_ptr<const TokenVocabulary>& vocabulary) const {
  Cached<MaskStore> cached;
  if (folder_.empty() || language->key == GrammarKey()) {
    cached.value = MaskStore::Build(language, vocabulary);
    return cached;
  }
  const CacheKey key{CacheKind::kMaskStore, language->key, vocabulary->key()};
  cached.file = folder_ / key.FileName();
  if (const auto payload = Read(key)) {
    cached.value = StoreFrom(payload->bytes(), language, vocabulary);
    cached.from_disk = cached.value != nullptr;
    cached.file_bytes = payload->file_bytes();
    if (cached.from_disk) return cached;
    Note(fmt::format("{} holds no mask store; it is built anew", cached.file.string()));
  }
  cached.value = MaskStore::Build(language, vocabulary);
  cached.file_bytes = Write(key, BytesOf(*cached.value));
  return cached;
}

std::optional<CachePayload> LanguageCache::Read(const CacheKey& key) const {
  if (folder_.empty()) return std::nullopt;
  const std::filesystem::path file = folder_ / key.FileName();
  auto payload = ReadCacheFile(file, key);
  if (payload) {
    NoteUse(file, std::filesystem::file_time_type::clock::now());
    return *std::move(payload);
  }
  if (!payload.error().empty())
    Note(fmt::format("{} {}; what it was for is made anew", file.string(), payload.error()));
  return std::nullopt;
}

// The file's size; 0: it cannot be written.
size_t LanguageCache::Write(const CacheKey& key, std::string_view payload) const {
  const std::filesystem::path file = folder_ / key.FileName();
  const auto written = WriteCacheFile(file, key, payload);
  if (written) {
    const CacheRemoved removed =
        KeepWithinBounds(folder_, most_bytes_, file, std::filesystem::file_time_type::clock::now());
    if (removed.files > 0)
      Note(fmt::format("{}: {} old files removed, {} bytes", folder_.string(), removed.files,
                       removed.bytes));
    return *written;
  }
  if (!unwritable_.exchange(true))
    Note(fmt::format("{}; compiled languages are not kept", written.error()));
  return 0;
}

CacheContents LanguageCache::Contents() const {
  CacheContents contents;
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder_, error), end; !error && file != end;
       file.increment(error)) {
    const uintmax_t bytes = file->file_size(error);
    if (error) continue;
    ++contents.files;
    contents.bytes += bytes;
  }
  return contents;
}

void LanguageCache::Note(std::string_view text) const {
  if (note_) note_(text);
}

}  // namespace tenon::constraint
