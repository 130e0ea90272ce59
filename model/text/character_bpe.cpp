#include "model/text/character_bpe.h"

#include <algorithm>
#include <utility>

#include "model/text/sentencepiece_model.h"
#include "model/text/utf8.h"

namespace tenon::model {
tl::expected<CharacterBpe, std::string> CharacterBpe::Make(std::span<const Entry> entries,
                                                           std::span<const std::string_view> merges,
                                                           SpaceBefore space_before) {
  TokensByName ids;
  std::vector<std::string_view> names;
  for (uint32_t id = 0; id < entries.size(); ++id) {
    // Byte tokens never merge in a vocabulary that tells them from text; one that merges them names
    // them in its list.
    if (entries[id].kind == TokenKind::kNormal || entries[id].kind == TokenKind::kByte)
      ids.emplace(entries[id].name, TokenId{id});
    if (entries[id].kind == TokenKind::kNormal || entries[id].kind == TokenKind::kUserDefined)
      names.push_back(entries[id].name);
  }
  auto read = PairMerges::Read(merges, ids);
  if (!read) return tl::unexpected(std::move(read.error()));
  CharacterBpe bpe(*std::move(read), CharacterNeighbours(names));
  bpe.space_before_ = space_before;
  for (uint32_t id = 0; id < entries.size(); ++id) {
    const auto& [name, kind] = entries[id];
    if (kind == TokenKind::kUnknown) bpe.unknown_ = TokenId{id};
    if (kind == TokenKind::kByte) bpe.bytes_[*NamedByte(name)] = TokenId{id};
    const auto character = FirstCharacter(name);
    if (kind == TokenKind::kNormal && character && character->bytes == name.size())
      bpe.characters_.emplace(character->code_point, TokenId{id});
  }
  return bpe;
}

void CharacterBpe::SpellOut(std::string_view bytes, std::vector<TokenId>& units) const {
  const bool all = std::all_of(bytes.begin(), bytes.end(), [this](char byte) {
    return bytes_[static_cast<uint8_t>(byte)].has_value();
  });
  if (!all) {
    if (unknown_) units.push_back(*unknown_);
    return;
  }
  for (const char byte : bytes) units.push_back(*bytes_[static_cast<uint8_t>(byte)]);
}

void CharacterBpe::Encode(std::string_view text, TextPlace place, std::vector<TokenId>& out) const {
  if (text.empty()) return;
  const bool inside = place == TextPlace::kInside;
  std::vector<TokenId> units;  // not merged yet
  // The last unit's character.
  char32_t last = kNoCharacter;
  const auto add = [&](char32_t code_point, std::string_view bytes) {
    const bool apart = code_point == kSpaceMarkCodePoint && last != kNoCharacter &&
                       last != code_point && !neighbours_.Has(last, code_point);
    if (apart) {
      merges_.Apply(units, out);
      units.clear();
    }
    const auto found = characters_.find(code_point);
    last = found != characters_.end() ? code_point : kNoCharacter;
    if (last != kNoCharacter) {
      units.push_back(found->second);
    } else {
      SpellOut(bytes, units);
    }
  };
  const bool there = text.starts_with(' ') || text.starts_with(kSpaceMark);
  const bool before =
      space_before_ == SpaceBefore::kAlways || (space_before_ != SpaceBefore::kNever && !there);
  if (!inside && before) add(kSpaceMarkCodePoint, kSpaceMark);
  for (size_t at = 0; at < text.size();) {
    const auto character = FirstCharacter(text.substr(at));
    const std::string_view bytes = text.substr(at, character ? character->bytes : 1);
    at += bytes.size();
    if (!character || (inside && character->code_point == kSpaceMarkCodePoint)) {
      SpellOut(bytes, units);
      last = kNoCharacter;
    } else if (character->code_point == ' ') {
      add(kSpaceMarkCodePoint, kSpaceMark);
    } else {
      add(character->code_point, bytes);
    }
  }
  merges_.Apply(units, out);
}

}  // namespace tenon::model
