#include "constraint/grammar/emit_check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/automata/automata.h"

namespace tenon::constraint {
namespace {

// Visible in a message whatever the bytes are.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    out += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return out + "\"";
}

// Shortest text that ends in a state where only pattern 1 matches; `found` false: there is none.
std::string ShortestOnlySecond(const Dfa& dfa, bool& found) {
  struct Step {
    DfaStateId from;
    uint8_t byte = 0;
  };
  std::vector<Step> reached_by(dfa.size(), Step{kDeadState, 0});
  std::vector<DfaStateId> queue = {kStartState};
  for (size_t i = 0; i < queue.size(); ++i) {
    DfaStateId q = queue[i];
    if (const auto accepts = dfa.Accepts(q); accepts.size() == 1 && accepts[0] == 1) {
      found = true;
      std::string text;
      for (; q != kStartState; q = reached_by[q.value].from)
        text.push_back(static_cast<char>(reached_by[q.value].byte));
      std::reverse(text.begin(), text.end());
      return text;
    }
    for (int byte = 0; byte < 256; ++byte) {
      const DfaStateId next = dfa.Next(q, static_cast<uint8_t>(byte));
      if (next == kDeadState || next == kStartState || reached_by[next.value].from != kDeadState)
        continue;
      reached_by[next.value] = {q, static_cast<uint8_t>(byte)};
      queue.push_back(next);
    }
  }
  found = false;
  return "";
}

}  // namespace

std::string CheckEmitPattern(const Terminal& terminal) {
  if (terminal.emit_pattern.empty()) return "";
  const auto accepted = ParseRegex(terminal.pattern, terminal.pattern_flags);
  const auto emitted = ParseRegex(terminal.emit_pattern, terminal.emit_flags);
  if (!accepted || !emitted)
    return fmt::format("the patterns of '{}' are not regular expressions", terminal.name);
  if (MatchesEmpty(*emitted))
    return fmt::format("the emit pattern of '{}' matches the empty text", terminal.name);
  if (MatchesNothing(*emitted))
    return fmt::format("the emit pattern of '{}' matches nothing: write '%emit {} never'",
                       terminal.name, terminal.name);
  const std::vector<Regex> patterns = {*accepted, *emitted};
  const auto dfa = Dfa::Build(patterns);
  if (!dfa) return fmt::format("'{}' with its emit pattern: {}", terminal.name, dfa.error());
  bool found = false;
  const std::string text = ShortestOnlySecond(*dfa, found);
  if (!found) return "";
  return fmt::format(
      "the emit pattern of '{}' matches {}, which the terminal itself does not: emit is a subset "
      "of accept",
      terminal.name, Quoted(text));
}

std::string CheckSpelling(const Terminal& terminal) {
  if (terminal.spelling.empty()) return "";
  const bool strict = !terminal.emit_pattern.empty();
  const auto regex = strict ? ParseRegex(terminal.emit_pattern, terminal.emit_flags)
                            : ParseRegex(terminal.pattern, terminal.pattern_flags);
  if (!regex) return fmt::format("the pattern of '{}' is no regular expression", terminal.name);
  const std::vector<Regex> patterns = {*regex};
  const auto dfa = Dfa::Build(patterns);
  if (!dfa) return fmt::format("'{}': {}", terminal.name, dfa.error());
  DfaStateId q = kStartState;
  for (const char c : terminal.spelling) {
    if (q != kDeadState) q = dfa->Next(q, static_cast<uint8_t>(c));
  }
  if (q != kDeadState && !dfa->Accepts(q).empty()) return "";
  return fmt::format("the spelling {} of '{}' is not matched by its {}pattern",
                     Quoted(terminal.spelling), terminal.name, strict ? "emit " : "");
}

}  // namespace tenon::constraint
