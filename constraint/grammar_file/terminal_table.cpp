#include "constraint/grammar_file/terminal_table.h"

#include <utility>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/grammar_file/terminal_name.h"

namespace tenon::constraint {
namespace {

// Terminals that inline each other several times grow exponentially.
constexpr size_t kMaxPatternBytes = 1 << 20;

// A group with flags of its own, so that patterns compose. Flags at the start of the pattern move
// to the group.
std::string Grouped(std::string_view pattern, std::string flags) {
  if (pattern.substr(0, 2) == "(?") {
    const size_t end = pattern.find_first_not_of("imsx", 2);
    if (end != 2 && end != std::string_view::npos && pattern[end] == ')') {
      flags += pattern.substr(2, end - 2);
      pattern.remove_prefix(end + 1);
    }
  }
  // In verbose mode the pattern may end in a comment, which only a line end closes.
  const bool verbose = flags.find('x') != std::string::npos;
  return fmt::format("(?{}:{}{})", flags, pattern, verbose ? "\n" : "");
}

// A literal's pattern; empty flags. In any case means that of ASCII letters, as keywords have it:
// re's flag would let "K" be the Kelvin sign as well, and words of other scripts begin keywords.
std::string LiteralPattern(const std::string& text, const std::string& flags) {
  if (flags.empty()) return EscapeRegex(text);
  std::string pattern;
  for (const char c : text) {
    const bool lower = c >= 'a' && c <= 'z';
    if (lower || (c >= 'A' && c <= 'Z')) {
      const char other = static_cast<char>(c ^ 0x20);
      pattern += {'[', lower ? other : c, lower ? c : other, ']'};
    } else {
      pattern += EscapeRegex(std::string(1, c));
    }
  }
  return pattern;
}

}  // namespace

TerminalTable::TerminalTable(const std::vector<Definition>& definitions, ErrorSink& errors)
    : definitions_(definitions), errors_(errors), visits_(definitions.size(), Visit::kNew) {
  for (const Definition& definition : definitions) {
    const TerminalIndex index = Add(definition.name, definition.place);
    entries[index.value].terminal.priority = definition.priority;
  }
  for (uint32_t i = 0; i < definitions.size() && !errors_.failed(); ++i) Compile({i});
  for (uint32_t i = 0; i < definitions.size() && !errors_.failed(); ++i) {
    const Expr& body = definitions[i].body;
    if (body.kind == ExprKind::kLiteral)
      literals_.emplace(Written{body.text, body.flags}, TerminalIndex{i});
    if (body.kind == ExprKind::kRegex)
      regexes_.emplace(Written{body.text, body.flags}, TerminalIndex{i});
  }
}

std::optional<TerminalIndex> TerminalTable::FindNamed(const std::string& name) const {
  const auto found = named_.find(name);
  if (found == named_.end()) return std::nullopt;
  return found->second;
}

std::optional<TerminalIndex> TerminalTable::FindLiteral(const std::string& text,
                                                        const std::string& flags) const {
  const auto found = literals_.find({text, flags});
  if (found == literals_.end()) return std::nullopt;
  return found->second;
}

TerminalIndex TerminalTable::Add(std::string name, FilePlace place) {
  const TerminalIndex index{static_cast<uint32_t>(entries.size())};
  named_.emplace(name, index);
  TerminalEntry& entry = entries.emplace_back();
  entry.terminal.name = std::move(name);
  entry.place = place;
  return index;
}

void TerminalTable::Reserve(std::string& name) {
  const std::string base = name;
  for (int i = 1; named_.count(name) > 0; ++i) name = fmt::format("{}_{}", base, i);
}

void TerminalTable::Declare(const std::string& name, FilePlace place) {
  if (const auto known = FindNamed(name)) {
    errors_.Fail(
        GrammarErrorCode::kRedefined, place,
        fmt::format("'{}' is already defined in line {}: a declared terminal has no definition",
                    name, entries[known->value].place.line));
    return;
  }
  entries[Add(name, place).value].terminal.kind = TerminalKind::kDeclared;
}

TerminalIndex TerminalTable::Literal(const std::string& text, const std::string& flags,
                                     FilePlace place) {
  if (const auto known = FindLiteral(text, flags)) return *known;
  std::string name = TerminalName(text);
  Reserve(name);
  const TerminalIndex index = Add(name, place);
  Terminal& terminal = entries[index.value].terminal;
  terminal.pattern = LiteralPattern(text, flags);
  terminal.literal = true;
  literals_.emplace(Written{text, flags}, index);
  return index;
}

TerminalIndex TerminalTable::Regex(const std::string& pattern, const std::string& flags,
                                   FilePlace place) {
  const auto known = regexes_.find({pattern, flags});
  if (known != regexes_.end()) return known->second;
  CheckRegex(pattern, flags, place);
  std::string name = "ANONYMOUS";
  Reserve(name);
  const TerminalIndex index = Add(name, place);
  entries[index.value].terminal.pattern = pattern;
  entries[index.value].terminal.pattern_flags = flags;
  regexes_.emplace(Written{pattern, flags}, index);
  return index;
}

std::optional<TerminalIndex> TerminalTable::RunOn(TerminalIndex of, const std::string& pattern,
                                                  const std::string& flags, FilePlace place) {
  if (!CheckRegex(pattern, flags, place)) return std::nullopt;
  const Terminal first = entries[of.value].terminal;
  std::string name = first.name + "_RUN_ON";
  Reserve(name);
  const TerminalIndex index = Add(name, place);
  // Printed, a pattern says what it matches alone: a lazy repetition in it does not reach over what
  // runs on, nor are groups counted.
  const auto alone = ParseRegex(first.pattern, first.pattern_flags);
  entries[index.value].terminal.pattern =
      Grouped(alone ? RegexText(*alone, RegexStyle::kLark) : first.pattern, "") +
      Grouped(pattern, flags);
  return index;
}

std::optional<TerminalIndex> TerminalTable::Unfinished(TerminalIndex of, const std::string& opener,
                                                       const std::string& flags, FilePlace place) {
  if (!CheckRegex(opener, flags, place)) return std::nullopt;
  const Terminal& first = entries[of.value].terminal;
  const auto whole = ParseRegex(first.pattern, first.pattern_flags);
  if (!whole) return std::nullopt;  // reported where it is defined
  const auto rest = constraint::Unfinished(*whole, *ParseRegex(opener, flags));
  if (!rest) {
    errors_.Fail(
        GrammarErrorCode::kTooLarge, place,
        fmt::format("what '{}' leaves unfinished is too large: write a '%poison' terminal for it",
                    first.name));
    return std::nullopt;
  }
  if (MatchesNothing(*rest)) {
    errors_.Fail(
        GrammarErrorCode::kMechanism, place,
        fmt::format("no lexeme of '{}' goes on behind such a beginning: name what it opens with",
                    first.name));
    return std::nullopt;
  }
  std::string name = first.name + "_UNFINISHED";
  Reserve(name);
  const TerminalIndex index = Add(name, place);
  entries[index.value].terminal.pattern = RegexText(*rest, RegexStyle::kLark);
  return index;
}

bool TerminalTable::CheckRegex(const std::string& pattern, const std::string& flags,
                               FilePlace place) {
  const auto parsed = ParseRegex(pattern, flags);
  if (parsed) return true;
  const RegexError& error = parsed.error();
  // The pattern stands on one line, after its slash.
  uint32_t characters = 1;
  for (size_t i = 0; i < error.offset_bytes && i < pattern.size(); ++i) {
    if ((static_cast<uint8_t>(pattern[i]) & 0xc0) != 0x80) ++characters;
  }
  errors_.Fail(error.unsupported ? GrammarErrorCode::kUnsupported : GrammarErrorCode::kSyntax,
               {place.line, place.column + characters, place.file},
               "in the regular expression: " + error.message);
  return false;
}

void TerminalTable::Compile(TerminalIndex index) {
  if (visits_[index.value] == Visit::kDone) return;
  visits_[index.value] = Visit::kOpen;
  const Expr& body = definitions_[index.value].body;
  Terminal& terminal = entries[index.value].terminal;
  if (body.kind == ExprKind::kLiteral && body.predicate.empty()) {
    terminal.pattern = LiteralPattern(body.text, body.flags);
    terminal.literal = true;
  } else if (body.kind == ExprKind::kRegex) {
    CheckRegex(body.text, body.flags, body.place);
    terminal.pattern = body.text;
    terminal.pattern_flags = body.flags;
  } else {
    const uint32_t outer = std::exchange(groups_, 0);
    terminal.pattern = Compose(body);
    groups_ = outer;
    if (terminal.pattern.size() > kMaxPatternBytes) {
      errors_.Fail(
          GrammarErrorCode::kTooLarge, entries[index.value].place,
          fmt::format("the pattern of '{}' is above {} bytes once the terminals in it are inlined",
                      terminal.name, kMaxPatternBytes));
    }
    // Its parts are well-formed, but together they may be nested too deeply, or give a lazy
    // repetition no single end.
    if (const auto whole = ParseRegex(terminal.pattern); !errors_.failed() && !whole) {
      errors_.Fail(
          whole.error().unsupported ? GrammarErrorCode::kUnsupported : GrammarErrorCode::kTooLarge,
          entries[index.value].place,
          fmt::format("in '{}', with its parts inlined: {}", terminal.name, whole.error().message));
    }
  }
  visits_[index.value] = Visit::kDone;
}

std::string TerminalTable::Compose(const Expr& expr) {
  if (errors_.failed()) return "";
  if (!expr.predicate.empty()) {
    errors_.Fail(GrammarErrorCode::kSyntax, expr.place,
                 "predicates stand in rules, not in the definition of a terminal");
    return "";
  }
  std::string result;
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return LiteralPattern(expr.text, expr.flags);
    case ExprKind::kRegex:
      return CheckRegex(expr.text, expr.flags, expr.place)
                 ? Inlined(expr.text, expr.flags, expr.place)
                 : "";
    case ExprKind::kRange:
      return ComposeRange(expr);
    case ExprKind::kTerminal:
      return ComposeTerminal(expr);
    case ExprKind::kRule:
      errors_.Fail(
          GrammarErrorCode::kSyntax, expr.place,
          fmt::format("a terminal cannot contain the rule '{}': name a terminal (upper case)",
                      expr.text));
      return "";
    case ExprKind::kSequence:
      for (const Expr& child : expr.children) result += Compose(child);
      break;
    case ExprKind::kAlternatives:
      for (const Expr& child : expr.children)
        result += (result.empty() ? "(?:" : "|") + Compose(child);
      result += ")";
      break;
    case ExprKind::kRepeat:
      result = "(?:" + Compose(expr.children[0]) + ")";
      result += expr.max != Expr::kUnbounded ? fmt::format("{{{},{}}}", expr.min, expr.max)
                : expr.min == 0              ? "*"
                                             : "+";
      break;
  }
  if (result.size() > kMaxPatternBytes) {
    errors_.Fail(GrammarErrorCode::kTooLarge, expr.place,
                 fmt::format("this part is above {} bytes once the terminals in it are inlined",
                             kMaxPatternBytes));
  }
  return result;
}

std::string TerminalTable::ComposeTerminal(const Expr& expr) {
  const auto index = FindNamed(expr.text);
  if (!index) {
    errors_.Fail(GrammarErrorCode::kUndefined, expr.place,
                 fmt::format("the terminal '{}' is not defined", expr.text));
    return "";
  }
  if (visits_[index->value] == Visit::kOpen) {
    errors_.Fail(GrammarErrorCode::kUnsupported, expr.place,
                 fmt::format("the terminal '{}' contains itself: terminals are regular; use a rule",
                             expr.text));
    return "";
  }
  Compile(*index);
  entries[index->value].inlined = true;
  const Terminal& terminal = entries[index->value].terminal;
  return Inlined(terminal.pattern, terminal.pattern_flags, expr.place);
}

std::string TerminalTable::Inlined(const std::string& pattern, const std::string& flags,
                                   FilePlace place) {
  const auto numbered = RenumberedAfter(pattern, flags, groups_);
  if (!numbered) {
    errors_.Fail(GrammarErrorCode::kUnsupported, place,
                 "in the regular expression: " + numbered.error().message);
    return "";
  }
  groups_ += numbered->groups;
  return Grouped(numbered->pattern, flags);
}

std::string TerminalTable::ComposeRange(const Expr& expr) {
  const DecodedCodepoint first = DecodeUtf8(expr.text, 0);
  const DecodedCodepoint last = DecodeUtf8(expr.range_last, 0);
  if (first.length_bytes != expr.text.size() || last.length_bytes != expr.range_last.size() ||
      expr.text.empty() || expr.range_last.empty() || first.codepoint > last.codepoint) {
    errors_.Fail(GrammarErrorCode::kSyntax, expr.place,
                 "a range goes from one character to an equal or later one, as in \"a\"..\"z\"");
    return "";
  }
  return fmt::format("[\\U{:08x}-\\U{:08x}]", first.codepoint, last.codepoint);
}

}  // namespace tenon::constraint
