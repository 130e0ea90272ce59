#include "protocol/json_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace tenon::protocol {
namespace {

using nlohmann::json;

// The offset after the string whose opening quote is at `quote`.
size_t AfterString(std::string_view text, size_t quote) {
  size_t at = quote + 1;
  while (true) {
    at = text.find('"', at);
    if (at == std::string_view::npos) return text.size();
    size_t backslashes = 0;
    while (text[at - 1 - backslashes] == '\\') ++backslashes;
    ++at;
    if (backslashes % 2 == 0) return at;
  }
}

}  // namespace

bool NestsDeeperThan(std::string_view text, int depth) {
  int open = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = AfterString(text, at);
      continue;
    }
    if ((c == '[' || c == '{') && ++open > depth) return true;
    if (c == ']' || c == '}') --open;
    ++at;
  }
  return false;
}

tl::expected<json, std::string> ParseJson(std::string_view text) {
  if (NestsDeeperThan(text, kMaxJsonDepth))
    return tl::unexpected(fmt::format("more than {} brackets are nested", kMaxJsonDepth));
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    return tl::unexpected(fmt::format("wrong at byte {} of {}", error.byte, text.size()));
  } catch (const json::exception&) {
    return tl::unexpected(std::string("a number is too large"));
  }
}

}  // namespace tenon::protocol
