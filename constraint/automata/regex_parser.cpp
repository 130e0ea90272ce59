// The structure of a pattern: alternation, sequences, groups and repetition, by recursive descent.
// Flags are resolved on the way, so the tree holds plain sets of code points. Groups that are
// referred to, lazy repetition and atomic groups are resolved at the end (regex_syntax.h).

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/regex.h"
#include "constraint/automata/regex_build.h"
#include "constraint/automata/regex_characters.h"
#include "constraint/automata/regex_node.h"
#include "constraint/automata/regex_syntax.h"

namespace tenon::constraint {
namespace {

constexpr uint32_t kMaxRepeat = 1000;
constexpr uint32_t kMaxReference = 99;
constexpr int kMaxGroupDepth =
    200;  // of groups: bounds this recursion and every walk over the tree

using Kind = RegexSyntax::Kind;

RegexSyntax MakeSet(CodepointSet set) {
  RegexSyntax syntax;
  syntax.plain = RegexOfSet(std::move(set));
  return syntax;
}

RegexSyntax MakeNode(Kind kind, std::vector<RegexSyntax> children) {
  if (children.size() == 1) return std::move(children[0]);
  RegexSyntax syntax;
  syntax.kind = kind;
  syntax.children = std::move(children);
  return syntax;
}

RegexSyntax MakeAround(Kind kind, RegexSyntax child, size_t offset_bytes) {
  RegexSyntax syntax;
  syntax.kind = kind;
  syntax.children.push_back(std::move(child));
  syntax.offset_bytes = offset_bytes;
  return syntax;
}

class Parser : private CharacterReader {
 public:
  Parser(std::string_view text, RegexFlags flags) : CharacterReader(text, flags) {}

  tl::expected<Regex, RegexError> Parse() {
    auto syntax = Read();
    if (!syntax) return tl::unexpected(syntax.error());
    std::set<uint32_t> referenced;
    for (const Reference& reference : references_) referenced.insert(reference.group);
    return Resolve(*std::move(syntax), referenced);
  }

  tl::expected<RegexSyntax, RegexError> Read() {
    if (text_.substr(0, 2) == "(?" && !ReadLeadingFlags()) return tl::unexpected(error_);
    RegexSyntax syntax = Alternation(0);
    if (!failed_ && !AtEnd())
      Fail(at_, "unmatched ')': escape it as '\\)' or open a group before it");
    if (failed_) return tl::unexpected(error_);
    return syntax;
  }

  struct Reference {
    size_t begin_bytes = 0, end_bytes = 0;  // in the pattern
    uint32_t group = 0;
  };
  // REQUIRES: the text has been read and nothing is wrong with it.
  const std::vector<Reference>& references() const { return references_; }
  uint32_t groups() const { return groups_; }

 private:
  // (?flags) at the very start. Leaves (?: and (?flags: to the groups.
  bool ReadLeadingFlags() {
    size_t end = 2;
    while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z') ++end;
    if (end == 2 || end >= text_.size() || text_[end] != ')') return true;
    for (size_t i = 2; i < end; ++i) {
      if (!flags_.Set(text_[i])) {
        Fail(i, fmt::format("unknown flag '{}': the flags are i, m, s and x", text_[i]));
        return false;
      }
    }
    at_ = end + 1;
    return true;
  }

  void SkipVerbose() {
    while (flags_.verbose && !AtEnd()) {
      const char c = Peek();
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++at_;
      } else if (c == '#') {
        while (!AtEnd() && Peek() != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  RegexSyntax Alternation(int depth) {
    std::vector<RegexSyntax> branches = {Sequence(depth)};
    while (Peek() == '|' && !AtEnd()) {
      ++at_;
      branches.push_back(Sequence(depth));
    }
    return MakeNode(Kind::kAlternate, std::move(branches));
  }

  RegexSyntax Sequence(int depth) {
    std::vector<RegexSyntax> parts;
    for (SkipVerbose(); !AtEnd() && Peek() != '|' && Peek() != ')'; SkipVerbose()) {
      RegexSyntax part = AtomOrGroup(depth);
      parts.push_back(Quantified(std::move(part)));
    }
    return MakeNode(Kind::kConcat, std::move(parts));
  }

  RegexSyntax AtomOrGroup(int depth) {
    const size_t start = at_;
    switch (Peek()) {
      case '(':
        return Group(depth);
      case '[':
        return MakeSet(Class());
      case '.':
        ++at_;
        return MakeSet(flags_.dot_all ? CodepointSet::All()
                                      : CodepointSet::Single('\n').Complement());
      case '^':
      case '$':
        Refuse(
            start,
            fmt::format(
                "anchors are not supported: remove '{0}', a terminal is always matched whole (the "
                "character is '\\{0}')",
                Peek()));
        return MakeSet({});
      case '*':
      case '+':
      case '?':
        Fail(start,
             fmt::format(
                 "'{0}' has nothing to repeat: escape it as '\\{0}' or put something before it",
                 Peek()));
        return MakeSet({});
      case '\\': {
        if (auto reference = BackReference()) return *std::move(reference);
        const Atom atom = Escape(false);
        return MakeSet(Folded(atom.codepoint ? CodepointSet::Single(*atom.codepoint) : atom.set));
      }
      default:
        return MakeSet(Folded(CodepointSet::Single(TakeCodepoint())));
    }
  }

  RegexSyntax Group(int depth) {
    const size_t open = at_;
    if (depth >= kMaxGroupDepth) {
      Fail(open, fmt::format("groups are nested deeper than {}", kMaxGroupDepth));
      return MakeSet({});
    }
    const RegexFlags outer = flags_;
    ++at_;
    const bool remembered = Peek() != '?';
    const bool atomic = Looking("?>");
    const uint32_t number = remembered ? ++groups_ : 0;
    if (remembered) open_.insert(number);
    if (atomic) at_ += 2;
    if (!remembered && !atomic && !GroupPrefix(open)) return MakeSet({});
    RegexSyntax body = Alternation(depth + 1);
    open_.erase(number);
    flags_ = outer;
    if (failed_) return body;
    if (Peek() != ')') {
      Fail(open, "this '(' is never closed: add ')' or escape it as '\\('");
      return body;
    }
    ++at_;
    if (atomic) return MakeAround(Kind::kAtomic, std::move(body), open);
    if (!remembered) return body;
    body = MakeAround(Kind::kGroup, std::move(body), open);
    body.group = number;
    return body;
  }

  // \1 to \99; three octal digits are a character, as in Python. Nothing: another escape, nothing
  // is read.
  std::optional<RegexSyntax> BackReference() {
    const auto digit = [&](size_t ahead) { return Peek(ahead) >= '0' && Peek(ahead) <= '9'; };
    const auto octal = [&](size_t ahead) { return Peek(ahead) >= '0' && Peek(ahead) <= '7'; };
    if (!digit(1) || Peek(1) == '0' || (octal(1) && octal(2) && octal(3))) return std::nullopt;
    RegexSyntax syntax;
    syntax.kind = Kind::kReference;
    syntax.offset_bytes = at_;
    syntax.ignore_case = flags_.ignore_case;
    const size_t end = at_ + (digit(2) ? 3 : 2);
    for (++at_; at_ < end; ++at_)
      syntax.group = syntax.group * 10 + static_cast<uint32_t>(Peek() - '0');
    if (syntax.group > groups_) {
      Fail(syntax.offset_bytes,
           fmt::format("no group {} has been opened before this back-reference", syntax.group));
    } else if (open_.count(syntax.group) > 0) {
      Fail(syntax.offset_bytes, "this back-reference stands inside of the group that it names");
    }
    references_.push_back({syntax.offset_bytes, at_, syntax.group});
    return syntax;
  }

  // After "(": reads "?:" or "?flags:", refuses everything else that begins with "?".
  bool GroupPrefix(size_t open) {
    struct Refused {
      std::string_view prefix, what;
    };
    constexpr Refused kRefused[] = {
        {"?=", "look-ahead"},          {"?!", "look-ahead"},          {"?<=", "look-behind"},
        {"?<!", "look-behind"},        {"?P<", "named groups"},       {"?P=", "named groups"},
        {"?<", "named groups"},        {"?(", "conditional groups"},  {"?#", "comments in groups"},
        {"?|", "branch reset groups"}, {"?-", "switching flags off"},
    };
    for (const Refused& refused : kRefused) {
      if (!Looking(refused.prefix)) continue;
      Refuse(open, fmt::format("'({}' is not supported ({}): use a plain group, or more terminals",
                               refused.prefix, refused.what));
      return false;
    }
    for (++at_; !AtEnd() && Peek() != ':'; ++at_) {
      if (Peek() == ')') {
        Fail(open,
             "flags for the whole pattern stand at its very start; for a part write (?flags:...)");
        return false;
      }
      if (!flags_.Set(Peek())) {
        Fail(at_, fmt::format("unknown flag '{}' in a group: the flags are i, m, s and x", Peek()));
        return false;
      }
    }
    if (AtEnd()) {
      Fail(open, "this '(' is never closed: add ')' or escape it as '\\('");
      return false;
    }
    ++at_;
    return true;
  }

  RegexSyntax Quantified(RegexSyntax part) {
    SkipVerbose();
    uint32_t min = 0, max = RegexNode::kUnbounded;
    const size_t start = at_;
    switch (AtEnd() ? '\0' : Peek()) {
      case '*':
        ++at_;
        break;
      case '+':
        ++at_;
        min = 1;
        break;
      case '?':
        ++at_;
        max = 1;
        break;
      case '{':
        if (!Braces(min, max)) return part;
        break;
      default:
        return part;
    }
    if (failed_) return part;
    if (min > max)
      Fail(start,
           fmt::format("the repetition {{{},{}}} has a lower end above its upper end", min, max));
    if (min > kMaxRepeat || (max > kMaxRepeat && max != RegexNode::kUnbounded)) {
      Fail(start, fmt::format("a repetition counts to {} at most", kMaxRepeat));
    }
    RegexSyntax repeat = MakeAround(Kind::kRepeat, std::move(part), start);
    repeat.min = min;
    repeat.max = max;
    SkipVerbose();
    if (AtEnd()) return repeat;
    if (Peek() == '?') {
      repeat.lazy = true;
      ++at_;
      SkipVerbose();
      if (AtEnd()) return repeat;
      if (Peek() == '?' || Peek() == '+')
        Fail(at_, "two quantifiers in a row: put the repeated part in a group");
    } else if (Peek() == '+') {
      Refuse(start, "possessive quantifiers are not supported: remove the '+'");
    }
    if (Peek() == '*') Fail(at_, "'*' behind a quantifier: put the repeated part in a group");
    if (Peek() == '{' && RepeatFollows())
      Fail(at_, "two quantifiers in a row: put the repeated part in a group");
    return repeat;
  }

  bool RepeatFollows() {
    const size_t start = at_;
    uint32_t min = 0, max = 0;
    const bool repeat = Braces(min, max);
    at_ = start;
    return repeat;
  }

  // {m} {m,} {,n} {m,n}. As in Python, braces of another form are literals: false, and nothing is
  // read.
  bool Braces(uint32_t& min, uint32_t& max) {
    size_t i = at_ + 1;
    const auto number = [&](uint32_t absent) {
      if (i >= text_.size() || text_[i] < '0' || text_[i] > '9') return absent;
      uint32_t value = 0;
      // Saturates above kMaxRepeat, which the caller refuses.
      for (; i < text_.size() && text_[i] >= '0' && text_[i] <= '9'; ++i) {
        value =
            std::min<uint32_t>(value * 10 + static_cast<uint32_t>(text_[i] - '0'), kMaxRepeat + 1);
      }
      return value;
    };
    if (text_.substr(i, 1) == "}") return false;
    min = number(0);
    max = min;
    if (text_.substr(i, 1) == ",") {
      ++i;
      max = number(RegexNode::kUnbounded);
    }
    if (text_.substr(i, 1) != "}") return false;
    at_ = i + 1;
    return true;
  }

  uint32_t groups_ = 0;  // opened so far
  std::set<uint32_t> open_;
  std::vector<Reference> references_;  // in the order of the text
};

}  // namespace

tl::expected<Regex, RegexError> ParseRegex(std::string_view pattern, std::string_view flags) {
  const auto parsed = ParseRegexFlags(flags);
  if (!parsed) return tl::unexpected(parsed.error());
  return Parser(pattern, *parsed).Parse();
}

tl::expected<NumberedRegex, RegexError> RenumberedAfter(std::string_view pattern,
                                                        std::string_view flags, uint32_t groups) {
  const auto parsed = ParseRegexFlags(flags);
  if (!parsed) return tl::unexpected(parsed.error());
  Parser parser(pattern, *parsed);
  if (const auto syntax = parser.Read(); !syntax) return tl::unexpected(syntax.error());
  NumberedRegex result;
  result.groups = parser.groups();
  size_t copied = 0;
  for (const auto& reference : parser.references()) {
    const uint32_t group = reference.group + groups;
    if (group > kMaxReference) {
      return tl::unexpected(
          RegexError{reference.begin_bytes,
                     fmt::format("more than {} groups stand before the end of the one that this "
                                 "back-reference names: write (?:...) where none is named",
                                 kMaxReference),
                     true});
    }
    result.pattern += pattern.substr(copied, reference.begin_bytes - copied);
    result.pattern += fmt::format("(?:\\{})", group);  // a digit may follow
    copied = reference.end_bytes;
  }
  result.pattern += pattern.substr(copied);
  return result;
}

}  // namespace tenon::constraint
