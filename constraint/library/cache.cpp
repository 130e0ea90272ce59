#include "tenon/cache.h"

#include <utility>

#include "constraint/cache/cache.h"

namespace tenon {

Cache::Cache() : Cache(std::filesystem::path()) {}

Cache::Cache(std::filesystem::path folder, CacheOptions options)
    : cache_(std::make_shared<const constraint::LanguageCache>(
          std::move(folder), std::move(options.note), options.most_bytes)) {}

const std::filesystem::path& Cache::folder() const { return cache_->folder(); }

size_t Cache::most_bytes() const { return cache_->most_bytes(); }

Cache::Contents Cache::contents() const {
  if (folder().empty()) return {};
  const constraint::CacheContents found = cache_->Contents();
  return {found.files, found.bytes};
}

}  // namespace tenon
