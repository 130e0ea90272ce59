#include "model/text/character_neighbours.h"

#include <algorithm>

#include "model/text/sentencepiece_model.h"
#include "model/text/utf8.h"

namespace tenon::model {
namespace {

// Stands for a byte that is no character, which no token holds beside another.

struct Place {
  char32_t character = kNoCharacter;  // a space is U+2581, as the vocabulary spells it
  size_t at = 0;                      // its first byte
};

// The characters of a text inside another. A U+2581 in the text is not the vocabulary's.
std::vector<Place> PlacesOf(std::string_view text) {
  std::vector<Place> places;
  places.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const auto character = FirstCharacter(text.substr(at));
    Place place{character ? character->code_point : kNoCharacter, at};
    if (place.character == kSpaceMarkCodePoint) place.character = kNoCharacter;
    if (place.character == ' ') place.character = kSpaceMarkCodePoint;
    places.push_back(place);
    at += character ? character->bytes : 1;
  }
  return places;
}

uint64_t Key(char32_t left, char32_t right) { return static_cast<uint64_t>(left) << 32 | right; }

}  // namespace

CharacterNeighbours::CharacterNeighbours(const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) Add(name);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  pairs_.shrink_to_fit();
}

void CharacterNeighbours::Add(std::string_view name) {
  char32_t left = kNoCharacter;
  for (size_t at = 0; at < name.size();) {
    const auto character = FirstCharacter(name.substr(at));
    const char32_t right = character ? character->code_point : kNoCharacter;
    if (left != kNoCharacter && right != kNoCharacter) pairs_.push_back(Key(left, right));
    left = right;
    at += character ? character->bytes : 1;
  }
}

bool CharacterNeighbours::Has(char32_t left, char32_t right) const {
  return std::binary_search(pairs_.begin(), pairs_.end(), Key(left, right));
}

bool CharacterNeighbours::HasAny(char32_t left, const std::array<bool, 256>& next) const {
  auto at = std::lower_bound(pairs_.begin(), pairs_.end(), Key(left, 0));
  for (; at != pairs_.end() && *at >> 32 == left; ++at) {
    const auto right = static_cast<char32_t>(*at & 0xffffffff);
    if (next[right == kSpaceMarkCodePoint ? ' ' : LeadByte(right)]) return true;
  }
  return false;
}

size_t CharacterNeighbours::SettledBytes(std::string_view text,
                                         std::span<const uint8_t> next) const {
  std::array<bool, 256> follows{};
  for (const uint8_t byte : next) follows[byte] = true;
  // What follows is a character whose last bytes are still missing.
  const size_t whole = text.size() - UnfinishedBytes(text);
  if (whole < text.size()) {
    follows = {};
    follows[static_cast<uint8_t>(text[whole])] = true;
  }
  const std::vector<Place> places = PlacesOf(text.substr(0, whole));
  if (places.empty() || !HasAny(places.back().character, follows)) return whole;
  for (size_t i = places.size() - 1; i > 0; --i) {
    if (!Has(places[i - 1].character, places[i].character)) return places[i].at;
  }
  return 0;
}

}  // namespace tenon::model
