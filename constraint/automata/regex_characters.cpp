#include "constraint/automata/regex_characters.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/utf8_ranges.h"
#include "constraint/base/base.h"

namespace tenon::constraint {
namespace {

bool IsAsciiLetterOrDigit(uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

bool RegexFlags::Set(char flag) {
  switch (flag) {
    case 'i':
      ignore_case = true;
      return true;
    case 's':
      dot_all = true;
      return true;
    case 'x':
      verbose = true;
      return true;
    case 'm':
      return true;  // changes ^ and $ only, which are refused
    default:
      return false;
  }
}

tl::expected<RegexFlags, RegexError> ParseRegexFlags(std::string_view flags) {
  RegexFlags parsed;
  for (const char flag : flags) {
    if (parsed.Set(flag)) continue;
    return tl::unexpected(
        RegexError{0, fmt::format("unknown flag '{}': the flags are i, m, s and x", flag), false});
  }
  return parsed;
}

void CharacterReader::Fail(size_t offset, std::string message) {
  if (!failed_) error_ = {offset, std::move(message), false};
  failed_ = true;
  at_ = text_.size();
}

void CharacterReader::Refuse(size_t offset, std::string message) {
  if (failed_) return;
  Fail(offset, std::move(message));
  error_.unsupported = true;
}

uint32_t CharacterReader::TakeCodepoint() {
  const DecodedCodepoint decoded = DecodeUtf8(text_, at_);
  if (decoded.length_bytes == 0) {
    Fail(at_, "the pattern is not valid UTF-8 here");
    return 0;
  }
  at_ += decoded.length_bytes;
  return decoded.codepoint;
}

CodepointSet CharacterReader::Class() {
  const size_t open = at_;
  ++at_;
  const bool negated = Peek() == '^';
  if (negated) ++at_;
  CodepointSet set;
  for (bool first = true; first || Peek() != ']'; first = false) {
    if (AtEnd()) {
      Fail(open, "this '[' is never closed: add ']' or escape it as '\\['");
      return {};
    }
    set = set.Union(ClassItem());
    if (failed_) return {};
  }
  ++at_;
  set = Folded(std::move(set));
  return negated ? set.Complement() : set;
}

CodepointSet CharacterReader::ClassItem() {
  const size_t start = at_;
  const Atom low = ClassAtom();
  if (Peek() != '-' || at_ + 1 >= text_.size() || Peek(1) == ']') {
    return low.codepoint ? CodepointSet::Single(*low.codepoint) : low.set;
  }
  ++at_;
  const Atom high = ClassAtom();
  if (failed_) return {};
  if (!low.codepoint || !high.codepoint) {
    Fail(start,
         "a range needs a single character at both ends: put '-' last in the class to mean itself");
    return {};
  }
  if (*low.codepoint > *high.codepoint) {
    Fail(start, "the range is reversed: its first character comes after its last");
    return {};
  }
  return CodepointSet({{*low.codepoint, *high.codepoint}});
}

CharacterReader::Atom CharacterReader::ClassAtom() {
  if (Peek() == '\\') return Escape(true);
  return {TakeCodepoint(), {}};
}

CharacterReader::Atom CharacterReader::Escape(bool in_class) {
  const size_t start = at_;
  ++at_;
  if (AtEnd()) {
    Fail(start, "a backslash at the end: write '\\\\' for the character");
    return {};
  }
  const uint32_t c = TakeCodepoint();
  switch (c) {
    case 'n':
      return {'\n', {}};
    case 't':
      return {'\t', {}};
    case 'r':
      return {'\r', {}};
    case 'f':
      return {'\f', {}};
    case 'v':
      return {'\v', {}};
    case 'a':
      return {'\a', {}};
    case 'x':
      return {Hex(start, 2), {}};
    case 'u':
      return {Hex(start, 4), {}};
    case 'U':
      return {Hex(start, 8), {}};
    case 'd':
      return {{}, DigitSet()};
    case 'D':
      return {{}, DigitSet().Complement()};
    case 'w':
      return {{}, WordSet()};
    case 'W':
      return {{}, WordSet().Complement()};
    case 's':
      return {{}, SpaceSet()};
    case 'S':
      return {{}, SpaceSet().Complement()};
    case 'p':
      return {{}, Property(start)};
    case 'P':
      return {{}, Property(start).Complement()};
    default:
      break;
  }
  if (c == 'b' && in_class) return {'\b', {}};
  if (c >= '0' && c <= '9') return {Octal(start), {}};
  if (c == 'b' || c == 'B' || c == 'A' || c == 'Z' || c == 'z') {
    Refuse(start, fmt::format("anchors are not supported: remove '\\{}'", static_cast<char>(c)));
  } else if (IsAsciiLetterOrDigit(c)) {
    Fail(start, fmt::format("unknown escape '\\{}'", static_cast<char>(c)));
  }
  return {c, {}};
}

uint32_t CharacterReader::Hex(size_t start, int digits) {
  uint32_t value = 0;
  for (int i = 0; i < digits; ++i) {
    const int digit = AtEnd() ? -1 : HexValue(Peek());
    if (digit < 0) {
      Fail(start, fmt::format("this escape needs {} hexadecimal digits", digits));
      return 0;
    }
    value = value * 16 + static_cast<uint32_t>(digit);
    ++at_;
  }
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
    Fail(start,
         "this escape is no Unicode character: it lies among the surrogates or above 10FFFF");
  }
  return value;
}

uint32_t CharacterReader::Octal(size_t start) {
  at_ = start + 1;
  const bool leading_zero = Peek() == '0';
  uint32_t value = 0;
  int digits = 0;
  for (; digits < 3 && Peek() >= '0' && Peek() <= '7'; ++digits, ++at_) {
    value = value * 8 + static_cast<uint32_t>(Peek() - '0');
  }
  if (!leading_zero && digits < 3) {
    Fail(start, "unknown escape: an octal one has three digits, as in \\101");
  } else if (value > 0377) {
    Fail(start, "an octal escape ends at \\377");
  }
  return value;
}

CodepointSet CharacterReader::Property(size_t start) {
  const size_t close = text_.find('}', at_);
  if (Peek() != '{' || close == std::string_view::npos) {
    Fail(start, "expected a property in braces, as in \\p{XID_Start} or \\p{Lu}");
    return {};
  }
  const std::string_view name = text_.substr(at_ + 1, close - at_ - 1);
  at_ = close + 1;
  std::optional<CodepointSet> set = UnicodeProperty(name);
  if (!set) {
    Fail(start, fmt::format("unknown property '{}': use XID_Start, XID_Continue or a general "
                            "category such as L, Lu, Nd",
                            name));
    return {};
  }
  return *std::move(set);
}

}  // namespace tenon::constraint
