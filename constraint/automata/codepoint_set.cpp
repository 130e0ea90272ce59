#include "constraint/automata/codepoint_set.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <unicode/uchar.h>
#include <unicode/uset.h>

namespace tenon::constraint {
namespace {

constexpr uint32_t kLastCodepoint = 0x10ffff;
constexpr uint32_t kFirstSurrogate = 0xd800;
constexpr uint32_t kLastSurrogate = 0xdfff;

using UniqueSet = std::unique_ptr<USet, decltype(&uset_close)>;

std::vector<CodepointRange> RangesOf(const USet* set) {
  std::vector<CodepointRange> ranges;
  const int32_t count = uset_getItemCount(set);
  for (int32_t i = 0; i < count; ++i) {
    UChar32 first = 0, last = 0;
    UErrorCode status = U_ZERO_ERROR;
    // 0 means a range of code points; a length of 2 or more would be a string, which these
    // properties do not have.
    if (uset_getItem(set, i, &first, &last, nullptr, 0, &status) == 0) {
      ranges.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
    }
  }
  return ranges;
}

std::optional<CodepointSet> WithIntProperty(UProperty property, int32_t value) {
  UErrorCode status = U_ZERO_ERROR;
  UniqueSet set(uset_openEmpty(), &uset_close);
  uset_applyIntPropertyValue(set.get(), property, value, &status);
  if (U_FAILURE(status)) return std::nullopt;
  return CodepointSet(RangesOf(set.get()));
}

CodepointSet WithBinaryProperty(UProperty property) {
  return WithIntProperty(property, 1).value_or(CodepointSet());
}

// Folded code point -> the other code points that fold to it; without trivial entries.
using FoldTable = std::map<uint32_t, std::vector<uint32_t>>;

const FoldTable& Folds() {
  static const FoldTable table = [] {
    FoldTable folds;
    const CodepointSet changing = WithBinaryProperty(UCHAR_CHANGES_WHEN_CASEFOLDED);
    for (const CodepointRange& range : changing.ranges()) {
      for (uint32_t c = range.first; c <= range.last; ++c) {
        const auto folded =
            static_cast<uint32_t>(u_foldCase(static_cast<UChar32>(c), U_FOLD_CASE_DEFAULT));
        if (folded != c) folds[folded].push_back(c);
      }
    }
    return folds;
  }();
  return table;
}

}  // namespace

CodepointSet::CodepointSet(std::vector<CodepointRange> ranges) {
  std::vector<CodepointRange> parts;
  for (const CodepointRange& r : ranges) {
    const uint32_t last = std::min(r.last, kLastCodepoint);
    if (r.first > last) continue;
    if (r.first < kFirstSurrogate) parts.push_back({r.first, std::min(last, kFirstSurrogate - 1)});
    if (last > kLastSurrogate) parts.push_back({std::max(r.first, kLastSurrogate + 1), last});
  }
  std::sort(parts.begin(), parts.end(), [](auto a, auto b) { return a.first < b.first; });
  for (const CodepointRange& r : parts) {
    if (!ranges_.empty() && r.first <= ranges_.back().last + 1) {
      ranges_.back().last = std::max(ranges_.back().last, r.last);
    } else {
      ranges_.push_back(r);
    }
  }
}

CodepointSet CodepointSet::All() { return CodepointSet({{0, kLastCodepoint}}); }

bool CodepointSet::Contains(uint32_t codepoint) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), codepoint,
                       [](uint32_t c, const CodepointRange& r) { return c < r.first; });
  return after != ranges_.begin() && codepoint <= std::prev(after)->last;
}

CodepointSet CodepointSet::Union(const CodepointSet& other) const {
  std::vector<CodepointRange> ranges = ranges_;
  ranges.insert(ranges.end(), other.ranges_.begin(), other.ranges_.end());
  return CodepointSet(std::move(ranges));
}

CodepointSet CodepointSet::Complement() const {
  std::vector<CodepointRange> gaps;
  uint32_t next = 0;
  for (const CodepointRange& r : ranges_) {
    if (r.first > next) gaps.push_back({next, r.first - 1});
    next = r.last + 1;
  }
  if (next <= kLastCodepoint) gaps.push_back({next, kLastCodepoint});
  return CodepointSet(std::move(gaps));
}

CodepointSet CodepointSet::CaseClosure() const {
  std::vector<CodepointRange> ranges = ranges_;
  for (const auto& [folded, variants] : Folds()) {
    bool touched = Contains(folded);
    for (const uint32_t c : variants) touched = touched || Contains(c);
    if (!touched) continue;
    ranges.push_back({folded, folded});
    for (const uint32_t c : variants) ranges.push_back({c, c});
  }
  return CodepointSet(std::move(ranges));
}

std::optional<CodepointSet> UnicodeProperty(std::string_view name) {
  if (name == "XID_Start") return WithBinaryProperty(UCHAR_XID_START);
  if (name == "XID_Continue") return WithBinaryProperty(UCHAR_XID_CONTINUE);
  const int32_t mask =
      u_getPropertyValueEnum(UCHAR_GENERAL_CATEGORY_MASK, std::string(name).c_str());
  if (mask == UCHAR_INVALID_CODE) return std::nullopt;
  return WithIntProperty(UCHAR_GENERAL_CATEGORY_MASK, mask);
}

CodepointSet WordSet() {
  const CodepointSet letters = UnicodeProperty("L").value_or(CodepointSet());
  const CodepointSet not_numeric =
      WithIntProperty(UCHAR_NUMERIC_TYPE, U_NT_NONE).value_or(CodepointSet());
  return letters.Union(not_numeric.Complement()).Union(CodepointSet::Single('_'));
}

CodepointSet DigitSet() { return UnicodeProperty("Nd").value_or(CodepointSet()); }

CodepointSet SpaceSet() {
  // str.isspace() also holds for the four ASCII information separators, which White_Space leaves
  // out.
  return WithBinaryProperty(UCHAR_WHITE_SPACE).Union(CodepointSet({{0x1c, 0x1f}}));
}

}  // namespace tenon::constraint
