#include "constraint/automata/regex_quotient.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex_build.h"
#include "constraint/automata/regex_node.h"
#include "constraint/automata/utf8_ranges.h"

namespace tenon::constraint {

namespace {

uint32_t OneLess(uint32_t max) { return max == RegexNode::kUnbounded ? max : max - 1; }

Regex Derivative(const Regex& r, uint32_t c) {
  switch (r->kind) {
    case RegexKind::kSet:
      return r->set.Contains(c) ? RegexEmpty() : RegexNothing();
    case RegexKind::kAlternate: {
      std::vector<Regex> parts;
      for (const Regex& child : r->children) parts.push_back(Derivative(child, c));
      return RegexAlternate(parts);
    }
    case RegexKind::kRepeat:
      if (r->max == 0) return RegexNothing();
      return RegexConcat(
          {Derivative(r->children[0], c),
           RegexRepeat(r->children[0], r->min == 0 ? 0 : r->min - 1, OneLess(r->max))});
    case RegexKind::kConcat: {
      std::vector<Regex> sums;
      for (size_t i = 0; i < r->children.size(); ++i) {
        std::vector<Regex> sequence{Derivative(r->children[i], c)};
        sequence.insert(sequence.end(), r->children.begin() + static_cast<ptrdiff_t>(i) + 1,
                        r->children.end());
        sums.push_back(RegexConcat(sequence));
        if (!MatchesEmpty(r->children[i])) break;
      }
      return RegexAlternate(sums);
    }
  }
  return RegexNothing();
}

Regex Reverse(const Regex& r) {
  if (r->kind == RegexKind::kSet) return r;
  auto node = std::make_shared<RegexNode>(*r);
  for (Regex& child : node->children) child = Reverse(child);
  if (r->kind == RegexKind::kConcat) std::reverse(node->children.begin(), node->children.end());
  return node;
}

std::optional<std::vector<uint32_t>> Codepoints(std::string_view text) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < text.size();) {
    DecodedCodepoint at = DecodeUtf8(text, i);
    if (at.length_bytes == 0) return std::nullopt;
    out.push_back(at.codepoint);
    i += at.length_bytes;
  }
  return out;
}

std::optional<Regex> After(Regex regex, const std::vector<uint32_t>& codepoints) {
  for (uint32_t c : codepoints) {
    regex = Derivative(regex, c);
    if (MatchesNothing(regex)) return std::nullopt;
  }
  return regex;
}

Regex NonEmpty(const Regex& r) {
  if (!MatchesEmpty(r)) return r;
  switch (r->kind) {
    case RegexKind::kSet:
      return r;
    case RegexKind::kAlternate: {
      std::vector<Regex> parts;
      for (const Regex& child : r->children) parts.push_back(NonEmpty(child));
      return RegexAlternate(parts);
    }
    case RegexKind::kRepeat:
      if (r->max == 0) return RegexNothing();
      if (!MatchesEmpty(r->children[0])) return RegexRepeat(r->children[0], 1, r->max);
      return RegexConcat(
          {NonEmpty(r->children[0]), RegexRepeat(r->children[0], 0, OneLess(r->max))});
    case RegexKind::kConcat: {
      std::vector<Regex> sums;  // the first part that is not empty, and what follows it
      for (size_t i = 0; i < r->children.size(); ++i) {
        std::vector<Regex> sequence{NonEmpty(r->children[i])};
        sequence.insert(sequence.end(), r->children.begin() + static_cast<ptrdiff_t>(i) + 1,
                        r->children.end());
        sums.push_back(RegexConcat(sequence));
      }
      return RegexAlternate(sums);
    }
  }
  return r;
}

// Larger sets are named where they have a name; ranges by the hundred can be read by nobody.
constexpr size_t kManyRanges = 40;

class Writer {
 public:
  explicit Writer(RegexStyle style) : gbnf_(style == RegexStyle::kGbnf) {}

  // `tight`: an operator or a neighbour binds to the text.
  std::string Write(const Regex& r, bool tight) const {
    switch (r->kind) {
      case RegexKind::kSet:
        return Set(r->set);
      case RegexKind::kConcat:
        if (r->children.empty()) return gbnf_ ? "\"\"" : "(?:)";
        return Grouped(Join(r->children, gbnf_ ? " " : "", true), tight);
      case RegexKind::kAlternate:
        return Grouped(Join(r->children, gbnf_ ? " | " : "|", false), true);
      case RegexKind::kRepeat:
        return Grouped(Write(r->children[0], true), r->children[0]->kind == RegexKind::kRepeat) +
               Quantifier(*r);
    }
    return "";
  }

 private:
  std::string Grouped(const std::string& text, bool group) const {
    if (!group) return text;
    return (gbnf_ ? "(" : "(?:") + text + ")";
  }

  std::string Join(const std::vector<Regex>& parts, const char* between, bool sequence) const {
    std::string out;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) out += between;
      bool tight = sequence && parts[i]->kind == RegexKind::kAlternate;
      out += Write(parts[i], tight);
    }
    return out;
  }

  static std::string Quantifier(const RegexNode& r) {
    bool open = r.max == RegexNode::kUnbounded;
    if (r.min == 0 && open) return "*";
    if (r.min == 1 && open) return "+";
    if (r.min == 0 && r.max == 1) return "?";
    if (r.min == r.max) return "{" + std::to_string(r.min) + "}";
    return "{" + std::to_string(r.min) + "," + (open ? "" : std::to_string(r.max)) + "}";
  }

  std::string Set(const CodepointSet& set) const {
    const auto& ranges = set.ranges();
    if (ranges.size() == 1 && ranges[0].first == ranges[0].last)
      return gbnf_ ? "[" + Char(ranges[0].first) + "]" : Char(ranges[0].first);
    CodepointSet rest = set.Complement();
    if (!gbnf_ && rest.empty()) return "[\\s\\S]";
    if (!gbnf_ && rest == CodepointSet::Single('\n')) return ".";
    if (!rest.empty() && rest.ranges().size() < ranges.size()) return "[^" + Members(rest) + "]";
    std::string members = Members(set);
    return members.size() == 2 && members[0] == '\\' ? members : "[" + members + "]";
  }

  std::string Members(CodepointSet set) const {
    std::string out;
    if (!gbnf_ && set.ranges().size() > kManyRanges) {
      const std::pair<const char*, CodepointSet> names[] = {
          {"\\w", WordSet()},
          {"\\p{XID_Continue}", *UnicodeProperty("XID_Continue")},
          {"\\p{XID_Start}", *UnicodeProperty("XID_Start")},
          {"\\d", DigitSet()}};
      for (const auto& [name, named] : names) {
        CodepointSet rest = Without(set, named);
        if (set.Union(named) != set || rest.ranges().size() > kManyRanges) continue;
        out += name;
        set = std::move(rest);
        break;
      }
    }
    for (const CodepointRange& range : set.ranges()) {
      out += Char(range.first);
      if (range.last > range.first + 1) out += "-";
      if (range.last > range.first) out += Char(range.last);
    }
    return out;
  }

  static CodepointSet Without(const CodepointSet& a, const CodepointSet& b) {
    return a.Complement().Union(b).Complement();
  }

  // Printable ASCII as it is or after a backslash, everything else by number.
  std::string Char(uint32_t c) const {
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    if (c > 0xffff) return fmt::format("\\U{:08x}", c);
    if (c > 0xff) return fmt::format("\\u{:04x}", c);
    if (c < 0x20 || c >= 0x7f) return fmt::format("\\x{:02x}", c);
    std::string plain(1, static_cast<char>(c));
    std::string_view special = gbnf_ ? "\\]" : "\\/.[](){}|*+?^$-#&~";
    if (gbnf_ && (c == '^' || c == '-')) return fmt::format("\\x{:02x}", c);
    return special.find(static_cast<char>(c)) == std::string_view::npos ? plain : "\\" + plain;
  }

  bool gbnf_;
};

}  // namespace

std::optional<Regex> LeftQuotient(const Regex& regex, std::string_view text) {
  auto codepoints = Codepoints(text);
  if (!codepoints) return std::nullopt;
  return After(regex, *codepoints);
}

std::optional<Regex> RightQuotient(const Regex& regex, std::string_view text) {
  auto codepoints = Codepoints(text);
  if (!codepoints) return std::nullopt;
  std::reverse(codepoints->begin(), codepoints->end());
  auto left = After(Reverse(regex), *codepoints);
  if (!left) return std::nullopt;
  return Reverse(*left);
}

std::optional<Regex> WithoutEmpty(const Regex& regex) {
  Regex rest = NonEmpty(regex);
  if (MatchesNothing(rest)) return std::nullopt;
  return rest;
}

bool IsPart(const Regex& part, const Regex& whole) {
  const std::vector<Regex> both = {whole, part};
  const auto dfa = Dfa::Build(both);
  if (!dfa) return false;
  for (size_t q = 0; q < dfa->size(); ++q) {
    const auto accepts = dfa->Accepts(DfaStateId{static_cast<uint16_t>(q)});
    if (accepts.size() == 1 && accepts[0] == 1) return false;
  }
  return true;
}

std::optional<std::string> OnlyText(const Regex& regex) {
  std::string text;
  if (regex->kind == RegexKind::kSet) {
    const auto& ranges = regex->set.ranges();
    if (ranges.size() != 1 || ranges[0].first != ranges[0].last) return std::nullopt;
    AppendUtf8(ranges[0].first, text);
    return text;
  }
  if (regex->kind != RegexKind::kConcat) return std::nullopt;
  for (const Regex& child : regex->children) {
    auto part = OnlyText(child);
    if (!part) return std::nullopt;
    text += *part;
  }
  return text;
}

std::string RegexText(const Regex& regex, RegexStyle style) {
  return Writer(style).Write(regex, false);
}

}  // namespace tenon::constraint
