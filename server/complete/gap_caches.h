// The gap caches of the documents that are being completed: a few, the idle ones dropped.
//
// Cost: at most kMostDocuments caches, each bounded by GapCache::kMaxNodeBytes of nodes and some 20 bytes a byte of text.
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
  static constexpr size_t kMostDocuments = 4;
  static constexpr std::chrono::minutes kIdle{10};

  // The cache of a document, made when it has none of this language. The reference is valid until the next call.
  constraint::GapCache& Of(const std::shared_ptr<const constraint::Language>& language, const std::string& document,
                           Clock::time_point now);
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
