#include "server/context/further_up.h"

#include <utility>
#include <vector>

#include "server/context/snippets.h"

namespace tenon::server {

std::string FurtherUp::For(const CompletionRequest& request, std::string_view hidden,
                           std::string_view left, std::string_view right,
                           const std::stop_token& stop) {
  const ByPlace<std::string>::Cursor at{request.document, right, request.offset_bytes};
  if (const std::string* known = stretches_.Find(at)) return *known;
  const std::vector<OtherText> above = {
      {SharedText(std::string(NearestLines(hidden))), request.name}};
  const std::vector<Snippet> found = SnippetFinder().Find(left, right, above, kMaxBytes, stop);
  if (stop.stop_requested()) return {};
  std::string best = found.empty() ? std::string() : std::string(found.back().text());
  return stretches_.Keep(at, stretches_.ReachOf(at, found.empty()), std::move(best));
}

}  // namespace tenon::server
