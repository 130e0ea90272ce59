#include "server/syntax/added_errors.h"

#include <string>

namespace tenon::server {

std::optional<size_t> ErrorsOf(const TSLanguage* language, std::string_view text,
                               const std::stop_token& stop) {
  const auto tree = SyntaxTree::Parse(language, text, nullptr, stop);
  return tree ? std::optional(tree->error_count()) : std::nullopt;
}

std::optional<size_t> ErrorsWith(const TSLanguage* language, std::string_view text,
                                 size_t offset_bytes, std::string_view middle,
                                 const std::stop_token& stop) {
  std::string written;
  written.reserve(text.size() + middle.size());
  written.append(text.substr(0, offset_bytes)).append(middle).append(text.substr(offset_bytes));
  return ErrorsOf(language, written, stop);
}

}  // namespace tenon::server
