#include "server/remote/shown_tokens.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::server {

namespace {

using nlohmann::json;

constexpr size_t kMaxOthers = 64;  // nobody has asked for as many alternatives
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD: bytes that are not told

// Is the byte one of a character of UTF-8 beside its first?
bool ContinuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

std::optional<double> NatsFrom(const json& logprob) {
  if (!logprob.is_number()) return std::nullopt;
  const double nats = -logprob.get<double>();
  return std::isfinite(nats) ? std::optional(std::max(nats, 0.0)) : std::nullopt;
}

std::optional<std::string> BytesFrom(const json& bytes) {
  if (!bytes.is_array() || bytes.size() > kMaxPieceBytes) return std::nullopt;
  std::string text;
  for (const json& byte : bytes) {
    if (!byte.is_number_integer() || byte < 0 || byte > 255) return std::nullopt;
    text += static_cast<char>(byte.get<uint8_t>());
  }
  return text;
}

bool IsEnd(std::string_view text, const TextQuestion& question) {
  return text.empty() ||
         std::find(question.ends.begin(), question.ends.end(), text) != question.ends.end();
}

// Nothing where the token's bytes are not told.
std::optional<ShownText> ShownFrom(std::optional<std::string> bytes, const json& token,
                                   const json& logprob, const TextQuestion& question) {
  if (!bytes) {
    if (!token.is_string()) return std::nullopt;
    bytes = token.get<std::string>();
    if (bytes->size() > kMaxPieceBytes || bytes->find(kReplacement) != std::string::npos)
      return std::nullopt;
  }
  ShownText shown{std::move(*bytes), NatsFrom(logprob)};
  if (IsEnd(shown.bytes, question)) {
    shown.ends = true;
    shown.bytes.clear();
  }
  return shown;
}

const json& Member(const json& object, const char* name) {
  static const json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

std::optional<ShownText> ShownFrom(const json& object, const TextQuestion& question) {
  return ShownFrom(BytesFrom(Member(object, "bytes")), Member(object, "token"),
                   Member(object, "logprob"), question);
}

void AddOther(TextPiece& piece, std::optional<ShownText> other) {
  if (!other || piece.others.size() == kMaxOthers) return;
  if (other->bytes == piece.text.bytes && other->ends == piece.text.ends) return;
  piece.others.push_back(*std::move(other));
}

// A server may show them in any order; those of unknown probability come last.
void SortOthers(TextPiece& piece) {
  std::stable_sort(piece.others.begin(), piece.others.end(),
                   [](const ShownText& a, const ShownText& b) {
                     return a.nats.value_or(INFINITY) < b.nats.value_or(INFINITY);
                   });
}

}  // namespace

std::string TextIn(const json& object, const char* name) {
  const json& member = Member(object, name);
  return member.is_string() ? member.get<std::string>() : std::string();
}

std::vector<TextPiece> PiecesIn(const json& tokens, const TextQuestion& question) {
  std::vector<TextPiece> pieces;
  if (!tokens.is_array()) return pieces;
  for (const json& token : tokens) {
    auto shown = ShownFrom(token, question);
    if (!shown) continue;
    TextPiece piece{*std::move(shown)};
    const json& others = Member(token, "top_logprobs");
    if (others.is_array()) {
      for (const json& other : others) AddOther(piece, ShownFrom(other, question));
    }
    SortOthers(piece);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<TextPiece> PiecesInLists(const json& lists, const TextQuestion& question) {
  std::vector<TextPiece> pieces;
  const json& tokens = Member(lists, "tokens");
  const json& logprobs = Member(lists, "token_logprobs");
  const json& others = Member(lists, "top_logprobs");
  if (!tokens.is_array()) return pieces;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const json none;
    const bool told = logprobs.is_array() && i < logprobs.size();
    auto shown = ShownFrom(std::nullopt, tokens[i], told ? logprobs[i] : none, question);
    if (!shown) continue;
    TextPiece piece{*std::move(shown)};
    if (others.is_array() && i < others.size() && others[i].is_object()) {
      for (const auto& [token, logprob] : others[i].items())
        AddOther(piece, ShownFrom(std::nullopt, json(token), logprob, question));
    }
    SortOthers(piece);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<TextPiece> PiecesOf(std::string_view text, std::vector<TextPiece> shown) {
  std::string spelled;
  for (const TextPiece& piece : shown) spelled += piece.text.bytes;
  if (spelled == text) return shown;
  std::vector<TextPiece> pieces;
  while (!text.empty()) {
    size_t size = std::min(text.size(), kMaxPieceBytes);
    while (size < text.size() && size > 1 && ContinuesCharacter(text[size])) --size;
    pieces.push_back({ShownText{std::string(text.substr(0, size))}});
    text.remove_prefix(size);
  }
  return pieces;
}

void AddEnd(std::vector<TextPiece>& pieces) {
  if (!pieces.empty() && pieces.back().text.ends) return;
  pieces.push_back({ShownText{.bytes = {}, .ends = true}});
}

}  // namespace tenon::server
