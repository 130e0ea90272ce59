#include "protocol/uri.h"

#include <algorithm>
#include <charconv>

namespace tenon::protocol {

namespace {

std::string Decoded(std::string_view uri) {
  std::string text;
  for (size_t i = 0; i < uri.size(); ++i) {
    unsigned value = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, value, 16).ptr ==
            uri.data() + i + 3) {
      text += static_cast<char>(value);
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

std::string_view WithoutQuery(std::string_view uri) {
  return uri.substr(0, std::min(uri.find('#'), uri.find('?')));
}

}  // namespace

std::string BaseName(std::string_view uri) {
  uri = WithoutQuery(uri);
  const size_t slash = uri.find_last_of("/:");
  if (slash != std::string_view::npos) uri.remove_prefix(slash + 1);
  return Decoded(uri);
}

std::optional<std::string> FilePath(std::string_view uri) {
  constexpr std::string_view kScheme = "file://", kLocal = "localhost";
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri = WithoutQuery(uri.substr(kScheme.size()));
  if (uri.starts_with(kLocal)) uri.remove_prefix(kLocal.size());
  if (!uri.starts_with('/')) return std::nullopt;
  return Decoded(uri);
}

}  // namespace tenon::protocol
