#include "server/context/shown_snippets.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/context/ignored_files.h"
#include "server/context/secrets.h"

namespace tenon::server {
namespace {

bool MayBeShown(const OtherText& other) {
  return !HoldsSecretsByName(other.name) && (other.path.empty() || !IsIgnored(other.path));
}

}  // namespace

std::vector<Snippet> ShownSnippets::For(const CompletionRequest& request, std::string_view left,
                                        std::string_view right, const std::stop_token& stop) {
  if (!request.other_files || request.other_texts.empty()) return {};
  if (const auto* known = choices_.Find(request.document, right)) return *known;
  std::vector<OtherText> others;
  std::copy_if(request.other_texts.begin(), request.other_texts.end(), std::back_inserter(others),
               MayBeShown);
  std::vector<Snippet> snippets = finder_.Find(left, right, others, kMaxBytes, stop);
  if (stop.stop_requested()) return {};
  return choices_.Keep(request.document, right, std::move(snippets));
}

}  // namespace tenon::server
