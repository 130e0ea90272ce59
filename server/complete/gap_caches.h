// The gap caches of the documents that are being completed: a few, and the idle ones are dropped.
//
// A gap cache keeps the knowledge about a document's text from one keystroke to the next
// (constraint/gap/gap_cache.h). Example: a user switches between two files and types in both. Each
// has a cache here, and both stay. When a fifth file is completed, the cache of the file that was
// completed longest ago goes.
//
// Cost: at most kMaxDocuments caches, each of at most GapCache::kMaxNodeBytes of nodes and some 20
// bytes a byte of text.
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <string>

#include "constraint/gap/gap.h"

namespace tenon::server {

class GapCaches {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMaxDocuments = 4;
  static constexpr std::chrono::minutes kIdle{10};

  // The cache of a document in a language; made where there is none. The reference is valid until
  // the next call.
  constraint::GapCache& Of(const std::shared_ptr<const constraint::Language>& language,
                           const std::string& document, Clock::time_point now);
  size_t size() const { return caches_.size(); }

 private:
  struct Kept {
    std::string document;
    Clock::time_point used;
    constraint::GapCache cache;
  };
  std::list<Kept> caches_;  // the latest used first
};

}  // namespace tenon::server
