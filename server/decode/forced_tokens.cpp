#include "server/decode/forced_tokens.h"

#include <algorithm>

namespace tenon::server {

namespace {

constexpr size_t kMaxForcedBytes = 256;

}  // namespace

std::string ForcedText(const Gap& gap, bool line_ends) {
  std::string forced = gap.Forced(kMaxForcedBytes);
  if (!line_ends) forced.resize(std::min(forced.size(), forced.find_first_of("\r\n")));
  return forced;
}

std::optional<ForcedTokens> FindForced(const Gap& gap, std::string_view written,
                                       const model::Tokenizer& tokenizer, bool line_ends) {
  const std::string forced = ForcedText(gap, line_ends);
  if (forced.empty()) return std::nullopt;
  Gap after = gap;
  if (!after.Accept(forced)) return std::nullopt;
  const std::string text = std::string(written) + forced;
  const size_t settled = tokenizer.SettledBytes(text, after.LiveBytes());
  ForcedTokens found;
  size_t bytes = 0;
  for (const TokenId token : tokenizer.Encode(text, false)) {
    const std::string_view of_token = tokenizer.Bytes(token);
    // Where the vocabulary lacks a byte of the text, the tokens do not spell it.
    if (std::string_view(text).substr(bytes, of_token.size()) != of_token) return std::nullopt;
    if (bytes + of_token.size() > settled) break;
    bytes += of_token.size();
    found.tokens.push_back(token);
  }
  if (bytes <= written.size()) return std::nullopt;
  found.bytes = text.substr(written.size(), bytes - written.size());
  return found;
}

}  // namespace tenon::server
