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

bool IsNear(std::string_view text, std::string_view name) {
  constexpr size_t kTellingBytes = 3;  // a shorter text is a part of too many names
  if (text.size() >= kTellingBytes && name.find(text) != std::string_view::npos) return true;
  return 2 * EditDistance<char>(text, name) <= name.size();
}

std::string NearestHint(std::string_view text, const std::vector<std::string>& names) {
  const std::string nearest = NearestName(text, names);
  if (text.empty() || nearest.empty()) return "";
  if (!IsNear(text, nearest)) return "";
  return "; the nearest is '" + nearest + "'";
}

}  // namespace tenon::server
