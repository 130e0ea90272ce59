#include "constraint/reading/malformed_lexeme.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "constraint/reading/expected.h"

namespace tenon::constraint {

namespace {

constexpr size_t kMaxQuoteBytes = 24;
constexpr size_t kMaxEscapeBytes = 12;  // from a backslash to the character that spoils it

bool Continues(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }

size_t CharacterEnd(std::string_view text, size_t begin) {
  size_t end = std::min(begin + 1, text.size());
  while (end < text.size() && end < begin + 4 && static_cast<uint8_t>(text[begin]) >= 0xc0 &&
         Continues(text[end]))
    ++end;
  return end;
}

// A character that can be seen is quoted, any other named by its number.
std::string Character(std::string_view text, size_t begin) {
  const uint8_t first = static_cast<uint8_t>(text[begin]);
  const size_t end = CharacterEnd(text, begin);
  if (first == '\'') return "\"'\"";
  if (first > 0x20 && first < 0x7f) return fmt::format("'{}'", text[begin]);
  if (first == ' ') return "a blank";
  if (first == '\t') return "a tab";
  if (first == '\n' || first == '\r') return "the end of the line";
  if (first < 0x80) return fmt::format("the character U+{:04X}", first);
  if (end - begin < 2) return fmt::format("the byte 0x{:02x}", first);
  uint32_t code = first & (0x7f >> (end - begin));
  for (size_t i = begin + 1; i < end; ++i)
    code = code << 6 | (static_cast<uint8_t>(text[i]) & 0x3f);
  return fmt::format("'{}' (U+{:04X})", text.substr(begin, end - begin), code);
}

// The nearest terminal that a lexeme in state q can become, poison apart.
std::optional<TerminalId> CanBecome(const Lexer& lexer, DfaStateId q) {
  std::vector<bool> seen(lexer.state_count());
  std::vector<DfaStateId> front{q};
  seen[q.value] = true;
  for (size_t i = 0; i < front.size(); ++i) {
    const LexemeId here = lexer.LexemeAt(front[i]);
    if (here != kNoLexeme && lexer.lexeme(here).kind != TerminalKind::kPoison)
      return lexer.lexeme(here).terminals[0];
    for (DfaStateId to : lexer.Successors(front[i], false)) {
      if (seen[to.value]) continue;
      seen[to.value] = true;
      front.push_back(to);
    }
  }
  return std::nullopt;
}

CheckResult Refuse(size_t at, std::string message) { return {false, at, std::move(message)}; }

// The states of the lexer from `start` on, after each byte of `text`, up to the dead one.
std::vector<DfaStateId> LiveStates(const Lexer& lexer, DfaStateId start, std::string_view text) {
  std::vector<DfaStateId> states{start};
  for (const char byte : text) {
    const DfaStateId q = lexer.Next(states.back(), static_cast<uint8_t>(byte));
    if (q == kDeadState) break;
    states.push_back(q);
  }
  return states;
}

// The number of bytes after which some terminal can still be reached, found by halving: once none
// can, none can later. REQUIRES: states.size() > length.
size_t GoodLength(const Lexer& lexer, const std::vector<DfaStateId>& states, size_t length) {
  size_t good = 0, bad = length + 1;
  while (bad - good > 1) {
    const size_t middle = good + (bad - good) / 2;
    (CanBecome(lexer, states[middle]) ? good : bad) = middle;
  }
  return good;
}

// The character that spoils a lexeme at `begin` whose first `good` bytes are right: a character is
// right or wrong as a whole.
size_t SpoilerAfter(std::string_view text, size_t begin, size_t good) {
  size_t spoiler = begin + good - 1;
  while (spoiler > begin && Continues(text[spoiler])) --spoiler;
  return CharacterEnd(text, spoiler) <= begin + good ? begin + good : spoiler;
}

// text[begin, end) is the beginning of `terminal` and goes on with nothing that fits.
CheckResult Unfinished(const Language& language, TerminalId terminal, std::string_view text,
                       size_t begin, size_t end) {
  const std::string words = DescribeTerminal(language, terminal);
  if (!language.grammar.terminals[terminal.value].delimited)
    return Refuse(begin,
                  fmt::format("{} {} is not finished", Definite(words), Quote(text, begin, end)));
  if (end < text.size() && text[end] != '\n' && text[end] != '\r')
    return Refuse(end, fmt::format("{} cannot stand in {}", Character(text, end), words));
  return Refuse(begin, fmt::format("{} that begins here has no end{}", Definite(words),
                                   end < text.size() ? " on its line" : ""));
}

// The character at `spoiler` is wrong in a `terminal` that begins at `begin`.
CheckResult Spoilt(const Language& language, TerminalId terminal, std::string_view text,
                   size_t begin, size_t spoiler) {
  const std::string words = DescribeTerminal(language, terminal);
  const std::string character = Character(text, spoiler);
  if (!language.grammar.terminals[terminal.value].delimited)
    return Refuse(spoiler, fmt::format("{} cannot follow {} {}", character, Definite(words),
                                       Quote(text, begin, spoiler)));
  const size_t backslash = text.substr(begin, spoiler - begin).rfind('\\');
  if (backslash == std::string_view::npos || spoiler - begin - backslash > kMaxEscapeBytes)
    return Refuse(spoiler, fmt::format("{} cannot stand in {}", character, words));
  const size_t at = begin + backslash;
  const size_t end =
      static_cast<uint8_t>(text[spoiler]) < 0x20 ? spoiler : CharacterEnd(text, spoiler);
  return Refuse(at, fmt::format("'{}' is no escape of {}", text.substr(at, end - at), words));
}

}  // namespace

std::string Quote(std::string_view text, size_t begin, size_t end) {
  size_t length = std::min(end - begin, kMaxQuoteBytes);
  while (begin + length < end && Continues(text[begin + length])) ++length;
  std::string_view quoted = text.substr(begin, length);
  quoted = quoted.substr(0, quoted.find_first_of("\r\n"));
  const char* mark =
      quoted.find('\'') != std::string_view::npos && quoted.find('"') == std::string_view::npos
          ? "\""
          : "'";
  return fmt::format("{0}{1}{2}{0}", mark, quoted, end - begin > quoted.size() ? "…" : "");
}

CheckResult ExplainLexeme(const Language& language, DfaStateId start, std::string_view text,
                          size_t begin, size_t end) {
  const Lexer& lexer = language.lexer;
  const std::vector<DfaStateId> states = LiveStates(lexer, start, text.substr(begin));
  const size_t live = states.size() - 1;  // bytes
  const auto cannot_stand = [&] {
    return Refuse(begin, fmt::format("{} cannot stand here", Character(text, begin)));
  };
  if (live == 0) return cannot_stand();
  const LexemeId here = lexer.LexemeAt(states[std::min(end - begin, live)]);
  const bool poison = here != kNoLexeme && lexer.lexeme(here).kind == TerminalKind::kPoison;
  if (poison) {
    const Terminal& terminal = language.grammar.terminals[lexer.lexeme(here).terminals[0].value];
    if (!terminal.description.empty())
      return Refuse(begin, fmt::format("{} is {}", Quote(text, begin, end), terminal.description));
  }
  end = poison ? std::min(end, begin + live) : begin + live;
  const size_t good = GoodLength(lexer, states, end - begin);
  if (good == 0) return Refuse(begin, fmt::format("{} is malformed", Quote(text, begin, end)));
  const size_t spoiler = SpoilerAfter(text, begin, good);
  if (spoiler == begin) return cannot_stand();
  const TerminalId terminal = *CanBecome(lexer, states[spoiler - begin]);
  if (language.grammar.terminals[terminal.value].literal)
    return Refuse(begin, fmt::format("{} is not finished; expected {}", Quote(text, begin, end),
                                     DescribeTerminal(language, terminal)));
  return spoiler == end ? Unfinished(language, terminal, text, begin, end)
                        : Spoilt(language, terminal, text, begin, spoiler);
}

}  // namespace tenon::constraint
