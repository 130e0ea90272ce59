#include "server/models/nearest_name.h"

#include <algorithm>
#include <limits>

#include "server/models/edit_distance.h"

namespace tenon::server {

std::string NearestName(std::string_view text, const std::vector<std::string>& names) {
  std::string nearest;
  size_t least = std::numeric_limits<size_t>::max();
  for (const std::string& name : names) {
    const bool holds = !text.empty() && (name.find(text) != std::string::npos ||
                                         text.find(name) != std::string_view::npos);
    const size_t distance = EditDistance<char>(text, name) + (holds ? 0 : 1000);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string NearestHint(std::string_view text, const std::vector<std::string>& names) {
  const std::string nearest = NearestName(text, names);
  if (text.empty() || nearest.empty()) return "";
  const bool near = EditDistance<char>(text, nearest) <= std::max<size_t>(2, nearest.size() / 2);
  if (!near && nearest.find(text) == std::string::npos) return "";
  return "; the nearest is '" + nearest + "'";
}

}  // namespace tenon::server
