#include "server/context/shown_snippets.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "server/context/ignored_files.h"
#include "server/context/secrets.h"

namespace tenon::server {
namespace {

// As much of the text right of the cursor as a prompt shows at most.
constexpr size_t kPlaceBytes = 1024;

bool MayBeShown(const OtherText& other) {
  return !HoldsSecretsByName(other.name) && (other.path.empty() || !IsIgnored(other.path));
}

}  // namespace

std::vector<Snippet> ShownSnippets::For(const CompletionRequest& request, std::string_view left,
                                        std::string_view right, const std::stop_token& stop) {
  if (!request.other_files || request.other_texts.empty()) return {};
  const size_t hash = std::hash<std::string_view>()(right.substr(0, kPlaceBytes));
  const auto known = std::find_if(places_.begin(), places_.end(), [&](const Place& place) {
    return place.document == request.document && place.right_hash == hash;
  });
  if (known != places_.end()) {
    places_.splice(places_.begin(), places_, known);
    return places_.front().snippets;
  }
  std::vector<OtherText> others;
  std::copy_if(request.other_texts.begin(), request.other_texts.end(), std::back_inserter(others),
               MayBeShown);
  std::vector<Snippet> snippets = finder_.Find(left, right, others, kMaxBytes, stop);
  if (stop.stop_requested()) return {};
  places_.push_front({request.document, hash, snippets});
  if (places_.size() > kMaxPlaces) places_.pop_back();
  return snippets;
}

}  // namespace tenon::server
