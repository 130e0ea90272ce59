// The library trusts a vocabulary in some points. They are checked before it sees one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "model/text/sentencepiece_model.h"

namespace tenon::model {
namespace {

using Piece = SentencepieceModel::Piece;

// The library cuts unused tokens apart by recursion, a level a character.
constexpr size_t kMaxNameBytes = 4096;
// Sizes of arrays on the library's stack: one entry for each user-defined token, and for each key
// of the charsmap, that begins at one place of a text.
constexpr size_t kMaxNestedUserDefined = 64;
constexpr size_t kMaxNestedRules = 32;
// A charsmap of Unicode's NFKC has 240 KB. Checking one takes 256 steps for each four bytes.
constexpr size_t kMaxCharsmapBytes = size_t{4} << 20;

std::optional<std::string> CheckPiece(const Piece& piece, size_t id) {
  if (piece.name.empty()) return fmt::format("token {} has no name", id);
  if (piece.name.size() > kMaxNameBytes)
    return fmt::format("the name of token {} is longer than {} bytes", id, kMaxNameBytes);
  if (piece.name.find('\0') != std::string::npos)
    return fmt::format("the name of token {} has a zero byte", id);
  if (!std::isfinite(piece.score))
    return fmt::format("the score of token {} ('{}') is no finite number", id, piece.name);
  if (piece.kind == TokenKind::kByte && !NamedByte(piece.name))
    return fmt::format("token {} is of kind byte but is named '{}', not <0x00> to <0xFF>", id,
                       piece.name);
  return std::nullopt;
}

// Each name once among the tokens that texts are cut into, and once among all others.
std::optional<std::string> CheckNames(const std::vector<Piece>& pieces) {
  std::unordered_set<std::string_view> cut, other;
  for (const Piece& piece : pieces) {
    const bool of_text = piece.kind == TokenKind::kNormal ||
                         piece.kind == TokenKind::kUserDefined || piece.kind == TokenKind::kUnused;
    if (!(of_text ? cut : other).insert(piece.name).second)
      return fmt::format("two tokens are named '{}'", piece.name);
  }
  if (cut.empty()) return "all tokens are control, unknown or byte tokens";
  return std::nullopt;
}

std::optional<std::string> CheckKinds(const SentencepieceModel& model) {
  size_t unknown = 0;
  std::array<bool, 256> has_byte{};
  for (const Piece& piece : model.pieces) {
    unknown += piece.kind == TokenKind::kUnknown;
    if (piece.kind == TokenKind::kByte) has_byte[*NamedByte(piece.name)] = true;
  }
  if (unknown != 1) return fmt::format("{} tokens are of kind unknown; it must be one", unknown);
  const auto bytes = std::count(has_byte.begin(), has_byte.end(), true);
  if (!model.byte_fallback && bytes != 0)
    return fmt::format("{} byte tokens, but byte_fallback is off", bytes);
  if (model.byte_fallback && bytes != 256)
    return fmt::format("tokens for {} of the 256 bytes; byte_fallback needs all", bytes);
  return std::nullopt;
}

std::optional<std::string> CheckUserDefined(const std::vector<Piece>& pieces) {
  std::vector<std::string_view> names;
  for (const Piece& piece : pieces) {
    if (piece.kind == TokenKind::kUserDefined) names.push_back(piece.name);
  }
  std::sort(names.begin(), names.end());
  std::vector<std::string_view> nested;  // each begins the next one
  for (const std::string_view name : names) {
    while (!nested.empty() && !name.starts_with(nested.back())) nested.pop_back();
    nested.push_back(name);
    if (nested.size() > kMaxNestedUserDefined)
      return fmt::format("more than {} user-defined tokens begin with one another ('{}')",
                         kMaxNestedUserDefined, name.substr(0, 20));
  }
  return std::nullopt;
}

// A double-array trie (Aoe 1989, in the layout of Darts-clone). A unit holds the byte that leads
// to it, whether a key ends there, and where its children stand. The child for the byte 0 of a node
// with a key is no node: it holds the key's value, the offset of its text after the trie. Kept from
// the library: tries that lead out of the array, texts outside of the charsmap, a cycle, and more
// keys along one path than the library has room for.
class Charsmap {
 public:
  static std::optional<std::string> Check(std::string_view bytes) {
    constexpr size_t kBlockBytes = 1024;
    Charsmap map;
    if (bytes.size() > kMaxCharsmapBytes) {
      return fmt::format("precompiled_charsmap: it has {} bytes, and at most {} are read",
                         bytes.size(), kMaxCharsmapBytes);
    }
    const size_t trie_bytes = bytes.size() < 4 ? 0 : Unit(bytes, 0);
    if (trie_bytes == 0 || trie_bytes % kBlockBytes != 0 || trie_bytes >= bytes.size() - 4)
      return "precompiled_charsmap: its trie has a wrong size";
    if (bytes.back() != '\0') return "precompiled_charsmap: its texts are not ended";
    map.text_bytes_ = bytes.size() - 4 - trie_bytes;
    map.units_.resize(trie_bytes / 4);
    for (size_t i = 0; i < map.units_.size(); ++i) map.units_[i] = Unit(bytes, i + 1);
    return map.Walk();
  }

 private:
  static uint32_t Unit(std::string_view bytes, size_t at) {
    uint32_t unit = 0;
    for (size_t i = 0; i < 4; ++i)
      unit |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[4 * at + i])) << 8 * i;
    return unit;
  }
  bool EndsKey(size_t node) const { return (units_[node] >> 8 & 1) != 0; }
  // A child stands at this index, but for its last eight bits, which its byte flips.
  size_t Children(size_t node) const {
    const uint32_t unit = units_[node];
    return node ^ static_cast<size_t>(unit >> 10 << ((unit & 1u << 9) >> 6));
  }
  bool IsChild(size_t at, size_t byte) const { return (units_[at] & 0x800000ffu) == byte; }
  // REQUIRES: EndsKey(node), and its children lie in the array.
  size_t TextOf(size_t node) const { return units_[Children(node)] & 0x7fffffffu; }

  // Depth first; keys_[node] is the most keys that end on a path from the node down.
  std::optional<std::string> Walk() {
    enum : uint8_t { kNew, kOpen, kDone };
    std::vector<uint8_t> state(units_.size(), kNew);
    std::vector<size_t> keys(units_.size(), 0);
    struct Step {
      size_t node;
      size_t byte = 0;
    };
    std::vector<Step> path = {{0}};
    state[0] = kOpen;
    while (!path.empty()) {
      Step& step = path.back();
      const size_t children = Children(step.node);
      if (children >= units_.size()) return "precompiled_charsmap: its trie leads out of itself";
      if (step.byte == 256) {
        if (EndsKey(step.node) && TextOf(step.node) >= text_bytes_)
          return "precompiled_charsmap: its trie leads out of its texts";
        keys[step.node] += EndsKey(step.node);
        if (keys[step.node] > kMaxNestedRules)
          return fmt::format("precompiled_charsmap: more than {} rules begin with one another",
                             kMaxNestedRules);
        state[step.node] = kDone;
        path.pop_back();
        if (!path.empty()) {
          const size_t parent = path.back().node;
          keys[parent] = std::max(keys[parent], keys[step.node]);
        }
        continue;
      }
      const size_t child = children ^ step.byte;
      if (!IsChild(child, step.byte++)) continue;
      if (state[child] == kOpen) return "precompiled_charsmap: its trie has a cycle";
      if (state[child] == kDone) {
        keys[step.node] = std::max(keys[step.node], keys[child]);
      } else {
        state[child] = kOpen;
        path.push_back({child});
      }
    }
    return std::nullopt;
  }

  std::vector<uint32_t> units_;
  size_t text_bytes_ = 0;  // after the trie; the last one is zero
};

}  // namespace

std::optional<std::string> CheckSentencepieceModel(const SentencepieceModel& model) {
  using Algorithm = SentencepieceModel::Algorithm;
  if (model.pieces.empty()) return "no tokens";
  if (model.algorithm != Algorithm::kBpe && model.algorithm != Algorithm::kUnigram)
    return "a model of words or characters; tenon reads BPE and unigram";
  if (!model.escape_whitespaces) return "escape_whitespaces is off; tenon reads spaces as U+2581";
  for (size_t id = 0; id < model.pieces.size(); ++id) {
    if (auto wrong = CheckPiece(model.pieces[id], id)) return wrong;
  }
  if (auto wrong = CheckNames(model.pieces)) return wrong;
  if (auto wrong = CheckKinds(model)) return wrong;
  if (auto wrong = CheckUserDefined(model.pieces)) return wrong;
  return model.charsmap.empty() ? std::nullopt : Charsmap::Check(model.charsmap);
}

}  // namespace tenon::model
