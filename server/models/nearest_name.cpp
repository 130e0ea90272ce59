#include "server/models/nearest_name.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tenon::server {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

std::string NearestName(std::string_view text, const std::vector<std::string>& names) {
  std::string nearest;
  size_t least = std::numeric_limits<size_t>::max();
  for (const std::string& name : names) {
    const bool holds = !text.empty() && (name.find(text) != std::string::npos ||
                                         text.find(name) != std::string_view::npos);
    const size_t distance = EditDistance(text, name) + (holds ? 0 : 1000);
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
  const bool near = EditDistance(text, nearest) <= std::max<size_t>(2, nearest.size() / 2);
  if (!near && nearest.find(text) == std::string::npos) return "";
  return "; the nearest is '" + nearest + "'";
}

}  // namespace tenon::server
