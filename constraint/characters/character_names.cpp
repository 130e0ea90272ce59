#include "constraint/characters/character_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <unicode/uchar.h>

#include "constraint/base/base.h"
#include "constraint/characters/character_aliases.h"

namespace tenon::constraint {

namespace {

constexpr std::string_view kIdeographs = "CJK UNIFIED IDEOGRAPH-";
constexpr std::string_view kSyllables = "HANGUL SYLLABLE ";
// Ideographs of CJK by number, which has four digits or five.
struct Range {
  uint32_t first, last;
};
constexpr Range kIdeographRanges[] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0x20000, 0x2a6df},
                                      {0x2a700, 0x2b739}, {0x2b740, 0x2b81d}, {0x2b820, 0x2cea1},
                                      {0x2ceb0, 0x2ebe0}, {0x2ebf0, 0x2ee5d}, {0x30000, 0x3134a},
                                      {0x31350, 0x323af}};
constexpr uint32_t kFewestDigits = 4, kMaxDigits = 5;

// Prefixes of names: which name is the first that begins so, how much of it was read, and was a
// small letter among that. Those of ideographs: the number so far instead of the name, and the
// digits instead of the length.
constexpr uint32_t kIndexBits = 20, kLengthBits = 8;
constexpr uint32_t kSmall = 1u << (kIndexBits + kLengthBits), kNumber = kSmall << 1;

uint32_t IndexOf(uint32_t prefix) { return prefix & ((1u << kIndexBits) - 1); }
uint32_t LengthOf(uint32_t prefix) { return prefix >> kIndexBits & ((1u << kLengthBits) - 1); }
uint32_t PrefixOf(size_t index, size_t length, uint32_t flags) {
  return static_cast<uint32_t>(index) | static_cast<uint32_t>(length) << kIndexBits | flags;
}

// The least ideograph whose number, written with `digits` digits, begins with these.
std::optional<uint32_t> IdeographFrom(uint32_t number, uint32_t written, uint32_t digits) {
  const uint32_t shift = 4 * (digits - written);
  const uint32_t least = number << shift, most = least | ((1u << shift) - 1);
  for (const Range& range : kIdeographRanges) {
    if (range.first <= most && least <= range.last) return std::max(range.first, least);
  }
  return std::nullopt;
}

UBool AddName(void* names, UChar32, UCharNameChoice, const char* name, int32_t length) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name, static_cast<size_t>(length));
  return true;
}

}  // namespace

const CharacterNames& CharacterNames::Get() {
  static const CharacterNames names;
  return names;
}

CharacterNames::CharacterNames() {
  // Between these lie ideographs, which are named by number: CJK's, Tangut's, CJK's.
  constexpr std::array<Range, 5> kNamed{
      {{0, 0x33ff}, {0x4dc0, 0x4dff}, {0xa000, 0x16fff}, {0x18800, 0x1ffff}, {0x2f800, 0x10ffff}}};
  for (const Range& range : kNamed) {
    UErrorCode error = U_ZERO_ERROR;
    u_enumCharNames(static_cast<UChar32>(range.first), static_cast<UChar32>(range.last + 1),
                    AddName, &names_, U_UNICODE_CHAR_NAME, &error);
  }
  std::erase_if(names_, [](const std::string& name) {
    return name.starts_with("TANGUT IDEOGRAPH-") || name.starts_with(kIdeographs);
  });
  names_.insert(names_.end(), std::begin(kCharacterAliases), std::end(kCharacterAliases));
  for (int i = 1; i <= 256; ++i) names_.push_back(fmt::format("VS{}", i));
  names_.emplace_back(kIdeographs);
  SortUnique(names_);
  names_.shrink_to_fit();
  ideographs_ = static_cast<size_t>(std::lower_bound(names_.begin(), names_.end(), kIdeographs) -
                                    names_.begin());
}

size_t CharacterNames::EndOf(size_t first, size_t length) const {
  const std::string_view prefix = std::string_view(names_[first]).substr(0, length);
  return static_cast<size_t>(
      std::partition_point(names_.begin() + static_cast<std::ptrdiff_t>(first), names_.end(),
                           [&](const std::string& name) { return name.starts_with(prefix); }) -
      names_.begin());
}

std::optional<CharacterNames::Prefix> CharacterNames::Next(Prefix prefix, uint8_t byte) const {
  if (prefix & kNumber) {
    const bool digit = byte >= '0' && byte <= '9', letter = byte >= 'A' && byte <= 'F';
    const uint32_t digits = LengthOf(prefix) + 1;
    if ((!digit && !letter) || digits > kMaxDigits) return std::nullopt;
    const uint32_t number =
        IndexOf(prefix) << 4 | static_cast<uint32_t>(digit ? byte - '0' : byte - 'A' + 10);
    for (uint32_t all = std::max(digits, kFewestDigits); all <= kMaxDigits; ++all) {
      if (IdeographFrom(number, digits, all)) return PrefixOf(number, digits, kNumber);
    }
    return std::nullopt;
  }
  const bool small = byte >= 'a' && byte <= 'z';
  const uint32_t flags = (prefix & kSmall) | (small ? kSmall : 0);
  std::string read(names_[IndexOf(prefix)].substr(0, LengthOf(prefix)));
  read += static_cast<char>(small ? byte - 'a' + 'A' : byte);
  const auto first = std::lower_bound(names_.begin() + IndexOf(prefix), names_.end(), read);
  if (first == names_.end() || !first->starts_with(read)) return std::nullopt;
  const size_t index = static_cast<size_t>(first - names_.begin());
  if (flags) {  // names by rule are spelled in capitals
    const std::string& last = names_[EndOf(index, read.size()) - 1];
    for (const std::string_view stem : {kIdeographs, kSyllables}) {
      if (first->starts_with(stem) && last.starts_with(stem)) return std::nullopt;
    }
  }
  if (index == ideographs_ && read.size() == kIdeographs.size()) return PrefixOf(0, 0, kNumber);
  return PrefixOf(index, read.size(), flags);
}

bool CharacterNames::IsName(Prefix prefix) const {
  if (prefix & kNumber) {
    const uint32_t digits = LengthOf(prefix);
    return digits >= kFewestDigits && IdeographFrom(IndexOf(prefix), digits, digits).has_value();
  }
  const std::string& name = names_[IndexOf(prefix)];
  return LengthOf(prefix) == name.size() && !((prefix & kSmall) && name.starts_with(kSyllables));
}

std::string CharacterNames::Rest(Prefix prefix) const {
  const uint32_t written = LengthOf(prefix);
  if (prefix & kNumber) {
    for (uint32_t all = std::max(written, kFewestDigits); all <= kMaxDigits; ++all) {
      if (const auto number = IdeographFrom(IndexOf(prefix), written, all))
        return fmt::format("{:0{}X}", *number, all).substr(written);
    }
    return "";
  }
  const size_t first = IndexOf(prefix), end = EndOf(first, written);
  const std::string* shortest = nullptr;
  for (size_t i = first; i < end; ++i) {
    const bool by_rule =
        i == ideographs_ || ((prefix & kSmall) && names_[i].starts_with(kSyllables));
    if (!by_rule && (shortest == nullptr || names_[i].size() < shortest->size()))
      shortest = &names_[i];
  }
  return shortest != nullptr ? shortest->substr(written)
                             : std::string(kIdeographs.substr(written)) + "4E00";
}

bool CharacterNames::IsName(std::string_view name) const {
  Prefix prefix = 0;
  for (const char c : name) {
    const auto next = Next(prefix, static_cast<uint8_t>(c));
    if (!next) return false;
    prefix = *next;
  }
  return IsName(prefix);
}

}  // namespace tenon::constraint
