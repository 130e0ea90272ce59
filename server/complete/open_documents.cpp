#include "server/complete/open_documents.h"

#include <algorithm>

namespace tenon::server {

OpenDocuments::Open& OpenDocuments::Of(const Language& language, const std::string& name,
                                       Clock::time_point now) {
  documents_.remove_if([&](const Kept& kept) { return now - kept.used > kIdle; });
  const auto at = std::find_if(documents_.begin(), documents_.end(), [&](const Kept& kept) {
    return kept.name == name && kept.open.whole.language() == language;
  });
  if (at == documents_.end()) {
    documents_.push_front({name, now, {Document(language), std::nullopt}});
    if (documents_.size() > kMaxDocuments) documents_.pop_back();
  } else {
    documents_.splice(documents_.begin(), documents_, at);
    at->used = now;
  }
  return documents_.front().open;
}

}  // namespace tenon::server
