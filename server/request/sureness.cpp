#include "server/request/sureness.h"

#include <algorithm>
#include <cmath>

#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

std::vector<TokenNats> NatsWithin(std::span<const TokenNats> tokens, size_t bytes) {
  std::vector<TokenNats> within;
  size_t begin = 0;
  for (const TokenNats& token : tokens) {
    if (begin < bytes || token.end_bytes == bytes)
      within.push_back({std::min(token.end_bytes, bytes), token.nats});
    begin = token.end_bytes;
  }
  return within;
}

std::vector<TokenNats> VisibleNats(std::string_view text, std::span<const TokenNats> tokens) {
  std::vector<TokenNats> visible;
  size_t begin = 0;
  for (const TokenNats& token : tokens) {
    const size_t end = std::min(token.end_bytes, text.size());
    if (end > begin && !IsBlank(text.substr(begin, end - begin))) visible.push_back(token);
    begin = std::max(begin, end);
  }
  return visible;
}

bool NeedsSureness(std::string_view text, size_t offset_bytes) {
  if (offset_bytes > 0 && IsWordByte(text[offset_bytes - 1])) return true;
  constexpr std::string_view kClosing = ")]}\"'`;,: \t";
  const std::string_view right = text.substr(offset_bytes);
  const std::string_view rest = right.substr(0, right.find_first_of("\r\n"));
  return rest.find_first_not_of(kClosing) != std::string_view::npos;
}

double SurenessOf(std::span<const TokenNats> tokens) {
  if (tokens.empty()) return 1;
  double nats = 0;
  for (const TokenNats& token : tokens) nats += token.nats;
  return std::exp(-nats / static_cast<double>(tokens.size()));
}

std::vector<double> SurenessOfLines(std::string_view text, std::span<const TokenNats> tokens) {
  const std::vector<TokenNats> visible = VisibleNats(text, tokens);
  std::vector<double> lines;
  size_t end = 0;
  auto token = visible.begin();
  for (const std::string_view line : LinesIn(text)) {
    end += line.size();
    const auto next =
        std::find_if(token, visible.end(), [end](const TokenNats& t) { return t.end_bytes > end; });
    lines.push_back(SurenessOf({token, next}));
    token = next;
  }
  return lines;
}

}  // namespace tenon::server
