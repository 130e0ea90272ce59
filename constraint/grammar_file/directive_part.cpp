#include "constraint/grammar_file/directive_part.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::constraint {

void DirectivePart::Mechanism(FilePlace place, std::string message) {
  errors_.Fail(GrammarErrorCode::kMechanism, place, std::move(message));
}

std::optional<TerminalIndex> DirectivePart::Find(const DirectiveLine& line,
                                                 const ScannedLexeme& argument) {
  std::optional<TerminalIndex> index;
  if (argument.kind == ScannedKind::kTerminalName) {
    index = terminals_.FindNamed(argument.text);
  } else if (argument.kind == ScannedKind::kString) {
    index = terminals_.FindLiteral(argument.text, argument.flags);
  } else {
    Mechanism(argument.place,
              fmt::format("expected a terminal's name or literal behind '%{}', found {}", line.name,
                          argument.Describe()));
    return std::nullopt;
  }
  if (!index) {
    const std::string what = argument.kind == ScannedKind::kString
                                 ? fmt::format("no rule has the literal \"{}\"", argument.text)
                                 : fmt::format("the terminal '{}' is not defined", argument.text);
    errors_.Fail(GrammarErrorCode::kUndefined, argument.place, what);
    return std::nullopt;
  }
  result_.mentions.push_back({*index, line.name, argument.place});
  return index;
}

bool DirectivePart::Enough(const DirectiveLine& line, size_t count, std::string_view form) {
  if (line.arguments.size() == count) return true;
  const FilePlace place = line.arguments.size() > count ? line.arguments[count].place : line.end;
  Mechanism(place, fmt::format("expected '%{} {}'", line.name, form));
  return false;
}

void DirectivePart::Become(TerminalIndex index, TerminalKind kind, FilePlace place) {
  Terminal& terminal = At(index);
  if (terminal.kind != TerminalKind::kParsed && terminal.kind != kind) {
    Mechanism(
        place,
        fmt::format(
            "'{}' is already ignored, poison, declared or a line end: it is one of them at most",
            terminal.name));
  } else if (terminals_.entries[index.value].in_rules) {
    Mechanism(
        place,
        fmt::format(
            "'{}' stands in a rule: what a rule uses is neither ignored, poison nor a line end",
            terminal.name));
  }
  terminal.kind = kind;
}

}  // namespace tenon::constraint
