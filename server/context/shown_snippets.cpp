#include "server/context/shown_snippets.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "server/context/ignored_files.h"
#include "server/context/secrets.h"

namespace tenon::server {
namespace {

bool MayBeShown(const OtherText& other) {
  return !HoldsSecretsByName(other.name) && (other.path.empty() || !IsIgnored(other.path));
}

std::vector<OtherText> SourcesOf(const CompletionRequest& request,
                                 const ShownSnippets::Hidden& hidden) {
  std::vector<OtherText> sources;
  for (const std::string_view part :
       {NearestLines(hidden.above), hidden.below.substr(0, SnippetFinder::kMaxTextBytes)})
    if (!part.empty()) sources.push_back({SharedText(std::string(part)), request.name});
  if (request.other_files)
    std::copy_if(request.other_texts.begin(), request.other_texts.end(),
                 std::back_inserter(sources), MayBeShown);
  return sources;
}

}  // namespace

std::vector<Snippet> ShownSnippets::For(const CompletionRequest& request, std::string_view left,
                                        std::string_view right, const Hidden& hidden,
                                        const std::stop_token& stop) {
  const bool has_others = request.other_files && !request.other_texts.empty();
  auto& choices = has_others ? with_others_ : without_;
  const ByPlace<std::vector<Snippet>>::Cursor at{request.document, right, request.offset_bytes};
  if (const auto* known = choices.Find(at)) return *known;
  const std::vector<OtherText> sources = SourcesOf(request, hidden);
  std::vector<Snippet> snippets = finder_.Find(left, right, sources, kMaxBytes, stop);
  if (stop.stop_requested()) return {};
  const size_t reach = choices.ReachOf(at, snippets.empty());
  return choices.Keep(at, reach, std::move(snippets));
}

}  // namespace tenon::server
