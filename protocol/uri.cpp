#include "protocol/uri.h"

#include <algorithm>
#include <charconv>

namespace tenon::protocol {

std::string BaseName(std::string_view uri) {
  uri = uri.substr(0, std::min(uri.find('#'), uri.find('?')));
  const size_t slash = uri.find_last_of("/:");
  if (slash != std::string_view::npos) uri.remove_prefix(slash + 1);
  std::string name;
  for (size_t i = 0; i < uri.size(); ++i) {
    unsigned value = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, value, 16).ptr ==
            uri.data() + i + 3) {
      name += static_cast<char>(value);
      i += 2;
    } else {
      name += uri[i];
    }
  }
  return name;
}

}  // namespace tenon::protocol
