#include "server/syntax/added_errors.h"

#include <string>

namespace tenon::server {

std::optional<bool> AddsErrors(const TSLanguage* language, std::string_view text,
                               size_t offset_bytes, std::string_view middle,
                               const std::stop_token& stop) {
  const auto before = SyntaxTree::Parse(language, text, nullptr, stop);
  if (!before) return std::nullopt;
  std::string written;
  written.reserve(text.size() + middle.size());
  written.append(text.substr(0, offset_bytes)).append(middle).append(text.substr(offset_bytes));
  const auto after = SyntaxTree::Parse(language, written, nullptr, stop);
  if (!after) return std::nullopt;
  return after->error_count() > before->error_count();
}

}  // namespace tenon::server
