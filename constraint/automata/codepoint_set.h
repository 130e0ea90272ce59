// A set of Unicode code points: sorted ranges, and the named sets of regular expressions.
//
// A class in a pattern stands for many code points, seldom for a list of single ones. So a set is
// kept as ranges.
// Example: `[a-fA-F_]` is {A-F, _-_, a-f}, three ranges in ascending order. Its complement is the
// five ranges around them, the last cut by the surrogates.
//
// Surrogates (U+D800 to U+DFFF) are no text and belong to no set: All() is U+0000..U+D7FF and
// U+E000..U+10FFFF, and complements are taken within it.
//
// Source: the Unicode Character Database as ICU ships it (Debian's libicu72: Unicode 15.0). \w, \d
// and \s are those of Python's `re` for str patterns: str.isalnum() or "_", str.isdecimal(),
// str.isspace().
// Cost: linear in the number of ranges; XID_Continue has about 770. Thread rule: values; pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tenon::constraint {

struct CodepointRange {
  uint32_t first = 0;
  uint32_t last = 0;  // inclusive
  bool operator==(const CodepointRange&) const = default;
};

class CodepointSet {
 public:
  CodepointSet() = default;
  // Any ranges in any order; surrogates are left out.
  explicit CodepointSet(std::vector<CodepointRange> ranges);

  static CodepointSet Single(uint32_t codepoint) { return CodepointSet({{codepoint, codepoint}}); }
  static CodepointSet All();

  // Ascending, disjoint, not adjacent, without surrogates.
  const std::vector<CodepointRange>& ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  bool Contains(uint32_t codepoint) const;

  CodepointSet Union(const CodepointSet& other) const;
  CodepointSet Complement() const;
  // The set with every code point that has the same simple case folding as a member: {k} becomes
  // {K, k, U+212A}.
  CodepointSet CaseClosure() const;

  bool operator==(const CodepointSet&) const = default;

 private:
  std::vector<CodepointRange> ranges_;
};

// The set of \p{name}: XID_Start, XID_Continue, or a general category by its short or long name (L,
// Lu, Letter, ...). Empty: no such name.
std::optional<CodepointSet> UnicodeProperty(std::string_view name);

CodepointSet WordSet();   // \w
CodepointSet DigitSet();  // \d
CodepointSet SpaceSet();  // \s

}  // namespace tenon::constraint
