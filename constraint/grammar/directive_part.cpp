#include "constraint/grammar/directive_part.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::constraint {

void DirectivePart::Mechanism(Place place, std::string message) {
  errors_.Fail(GrammarErrorCode::kMechanism, place, std::move(message));
}

std::optional<TerminalIndex> DirectivePart::Find(const DirectiveLine& line, const Token& token) {
  std::optional<TerminalIndex> index;
  if (token.kind == TokenKind::kTerminalName) {
    index = terminals_.FindNamed(token.text);
  } else if (token.kind == TokenKind::kString) {
    index = terminals_.FindLiteral(token.text, token.flags);
  } else {
    Mechanism(token.place,
              fmt::format("expected a terminal's name or literal behind '%{}', found {}", line.name, token.Describe()));
    return std::nullopt;
  }
  if (!index) {
    const std::string what = token.kind == TokenKind::kString
                                 ? fmt::format("no rule has the literal \"{}\"", token.text)
                                 : fmt::format("the terminal '{}' is not defined", token.text);
    errors_.Fail(GrammarErrorCode::kUndefined, token.place, what);
    return std::nullopt;
  }
  result_.mentions.push_back({*index, line.name, token.place});
  return index;
}

bool DirectivePart::Enough(const DirectiveLine& line, size_t count, std::string_view form) {
  if (line.arguments.size() == count) return true;
  const Place place = line.arguments.size() > count ? line.arguments[count].place : line.end;
  Mechanism(place, fmt::format("expected '%{} {}'", line.name, form));
  return false;
}

void DirectivePart::Become(TerminalIndex index, TerminalKind kind, Place place) {
  Terminal& terminal = At(index);
  if (terminal.kind != TerminalKind::kToken && terminal.kind != kind) {
    Mechanism(place, fmt::format("'{}' is already ignored, poison, declared or a line end: it is one of them at most",
                                 terminal.name));
  } else if (terminals_.entries[index.value].in_rules) {
    Mechanism(place, fmt::format("'{}' stands in a rule: what a rule uses is neither ignored, poison nor a line end",
                                 terminal.name));
  }
  terminal.kind = kind;
}

}  // namespace tenon::constraint
