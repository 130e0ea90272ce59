// The documents that are being completed: a few, and the idle ones are dropped.
//
// A tenon::Document keeps the knowledge about a text from one keystroke to the next
// (tenon/document.h). Example: a user switches between two files and types in both. Each has a
// document here, and both stay. When a fifth file is completed, the document of the file that was
// completed longest ago goes.
//
// Cost: at most kMaxDocuments files. Each has one tenon::Document, and four once it was found
// broken (server/region/region_gaps.h), of at most some 32 MB of nodes and some 20 bytes a byte of
// text.
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <list>
#include <optional>
#include <string>

#include "server/region/region_gaps.h"
#include "tenon/document.h"

namespace tenon::server {

class OpenDocuments {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMaxDocuments = 4;
  static constexpr std::chrono::minutes kIdle{10};

  struct Open {
    Document whole;                     // gaps in the whole text
    std::optional<RegionGaps> regions;  // gaps in parts of it, once it was found broken
  };
  // The document of this name in a language; made where there is none. The reference is valid until
  // the next call.
  Open& Of(const Language& language, const std::string& name, Clock::time_point now);
  size_t size() const { return documents_.size(); }

 private:
  struct Kept {
    std::string name;
    Clock::time_point used;
    Open open;
  };
  std::list<Kept> documents_;  // the latest used first
};

}  // namespace tenon::server
