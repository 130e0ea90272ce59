#include "server/complete/gap_caches.h"

#include <algorithm>

namespace tenon::server {

constraint::GapCache& GapCaches::Of(const std::shared_ptr<const constraint::Language>& language,
                                    const std::string& document, Clock::time_point now) {
  caches_.remove_if([&](const Kept& kept) { return now - kept.used > kIdle; });
  auto at = std::find_if(caches_.begin(), caches_.end(), [&](const Kept& kept) {
    return kept.document == document && kept.cache.language() == language;
  });
  if (at == caches_.end()) {
    caches_.push_front({document, now, constraint::GapCache(language)});
    if (caches_.size() > kMaxDocuments) caches_.pop_back();
  } else {
    caches_.splice(caches_.begin(), caches_, at);
    at->used = now;
  }
  return caches_.front().cache;
}

}  // namespace tenon::server
