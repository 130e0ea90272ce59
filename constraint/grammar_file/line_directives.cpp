#include "constraint/grammar_file/line_directives.h"

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "constraint/automata/automata.h"

namespace tenon::constraint {

void LineDirectives::Layout(const DirectiveLine& line) {
  constexpr std::string_view kForm =
      "%layout newline=NEWLINE indent=INDENT dedent=DEDENT brackets=\"()[]\"";
  if (result_.layout) return Mechanism(line.place, "there is already a '%layout'");
  LayoutLine layout;
  layout.place = line.place;
  std::set<std::string> seen;
  for (size_t i = 0; i < line.arguments.size(); i += 3) {
    const ScannedLexeme& key = line.arguments[i];
    if (key.kind != ScannedKind::kRuleName || i + 2 >= line.arguments.size() ||
        !line.arguments[i + 1].Is("=")) {
      return Mechanism(key.place, fmt::format("expected pairs as in '{}'", kForm));
    }
    const ScannedLexeme& value = line.arguments[i + 2];
    if (!seen.insert(key.text).second)
      return Mechanism(key.place, fmt::format("'{}=' stands twice", key.text));
    if (key.text == "newline") {
      if (const auto index = Find(line, value)) layout.newline = *index;
    } else if (key.text == "indent") {
      layout.indent = Find(line, value);
    } else if (key.text == "dedent") {
      layout.dedent = Find(line, value);
    } else if (key.text == "brackets") {
      Brackets(value, layout);
    } else {
      return Mechanism(
          key.place,
          fmt::format("unknown key '{}=': there are newline, indent, dedent and brackets",
                      key.text));
    }
    if (errors_.failed()) return;
  }
  if (seen.count("newline") == 0)
    return Mechanism(line.end, fmt::format("expected 'newline=', as in '{}'", kForm));
  CheckLayout(layout);
  result_.layout = std::move(layout);
}

void LineDirectives::CheckLayout(const LayoutLine& layout) {
  const auto kind = [&](TerminalIndex index) { return At(index).kind; };
  if (kind(layout.newline) != TerminalKind::kParsed ||
      !terminals_.entries[layout.newline.value].in_rules) {
    Mechanism(layout.place,
              fmt::format("the newline terminal '{}' must have a definition and stand in a rule",
                          At(layout.newline).name));
  }
  if (layout.indent.has_value() != layout.dedent.has_value())
    Mechanism(layout.place, "'indent=' and 'dedent=' go together: give both or none");
  for (const auto& index : {layout.indent, layout.dedent}) {
    if (index && kind(*index) != TerminalKind::kDeclared) {
      Mechanism(layout.place,
                fmt::format("'{}' has a definition: '%declare' it instead, the layout makes it",
                            At(*index).name));
    }
  }
  if (layout.indent && layout.indent == layout.dedent)
    Mechanism(layout.place, "'indent=' and 'dedent=' name the same terminal");
}

void LineDirectives::Brackets(const ScannedLexeme& value, LayoutLine& layout) {
  if (value.kind != ScannedKind::kString)
    return Mechanism(value.place,
                     "expected the brackets in double quotes, as in brackets=\"()[]\"");
  std::vector<TerminalIndex> found;
  for (size_t at = 0; at < value.text.size();) {
    const size_t length = DecodeUtf8(value.text, at).length_bytes;
    const std::string character = value.text.substr(at, length);
    at += length;
    const auto index = terminals_.FindLiteral(character, "");
    if (!index || !terminals_.entries[index->value].in_rules) {
      errors_.Fail(GrammarErrorCode::kUndefined, value.place,
                   fmt::format("no rule has the bracket \"{}\" as a literal", character));
      return;
    }
    found.push_back(*index);
  }
  if (found.size() % 2 != 0 ||
      std::set<TerminalIndex>(found.begin(), found.end()).size() != found.size()) {
    return Mechanism(value.place,
                     "expected pairs of different brackets, an opening and a closing one each");
  }
  for (size_t i = 0; i < found.size(); i += 2) layout.brackets.emplace_back(found[i], found[i + 1]);
}

void LineDirectives::Terminator(const DirectiveLine& line) {
  constexpr std::string_view kForm = "%terminator \";\" at NEWLINE after NAME \")\"";
  if (result_.terminator) return Mechanism(line.place, "there is already a '%terminator'");
  if (line.arguments.size() < 5 || !line.IsWordAt(1, "at"))
    return Mechanism(line.place,
                     fmt::format("expected the terminator, 'at' and 'after' as in '{}'", kForm));
  TerminatorLine made;
  if (const auto index = Find(line, line.arguments[0])) made.terminal = *index;
  bool after = false;
  for (size_t i = 2; i < line.arguments.size() && !errors_.failed(); ++i) {
    if (!after && line.IsWordAt(i, "after")) {
      after = true;
      continue;
    }
    const auto index = Find(line, line.arguments[i]);
    if (!index) return;
    if (after && *index == made.terminal)
      Mechanism(line.arguments[i].place,
                "behind the terminator a line end is blank: leave it out of 'after'");
    if (!after) Become(*index, TerminalKind::kLineEnd, line.arguments[i].place);
    (after ? made.after : made.line_ends).push_back(*index);
  }
  if (errors_.failed()) return;
  if (made.line_ends.empty() || made.after.empty())
    return Mechanism(
        line.end,
        fmt::format("expected terminals behind 'at' and behind 'after', as in '{}'", kForm));
  if (!terminals_.entries[made.terminal.value].in_rules)
    return Mechanism(line.place,
                     fmt::format("the terminator '{}' stands in no rule", At(made.terminal).name));
  result_.terminator = std::move(made);
  line_place_ = line.place;
}

void LineDirectives::LineEnds(const DirectiveLine& line) {
  ForEach(line, [&](TerminalIndex index, FilePlace place) {
    Become(index, TerminalKind::kLineEnd, place);
  });
  result_.remembers_line_ends = true;
  line_place_ = line.place;
}

// TERMINAL [before TERMINAL ...]
void LineDirectives::Insert(const DirectiveLine& line) {
  constexpr std::string_view kForm = "%insert SEMICOLON before \"}\"";
  if (result_.insertion) return Mechanism(line.place, "there is already a '%insert'");
  if (line.arguments.empty() || line.arguments.size() == 2 ||
      (line.arguments.size() > 2 && !line.IsWordAt(1, "before")))
    return Mechanism(
        line.end,
        fmt::format("expected a terminal, and perhaps 'before' and others, as in '{}'", kForm));
  InsertionLine made;
  made.place = line.place;
  for (size_t i = 0; i < line.arguments.size(); i += i == 0 ? 2 : 1) {
    const auto index = Find(line, line.arguments[i]);
    if (!index) return;
    if (i == 0)
      made.terminal = *index;
    else
      made.before.push_back(*index);
  }
  if (At(made.terminal).kind != TerminalKind::kDeclared ||
      !terminals_.entries[made.terminal.value].in_rules)
    return Mechanism(line.place,
                     fmt::format("'{}' must be '%declare'd and stand in a rule: it has no lexeme",
                                 At(made.terminal).name));
  result_.insertion = std::move(made);
}

void LineDirectives::NotLast(const DirectiveLine& line) {
  ForEach(line, [&](TerminalIndex index, FilePlace place) {
    At(index).not_last = true;
    not_last_.emplace_back(index, place);
  });
}

void LineDirectives::Check() {
  if ((result_.terminator != std::nullopt) + (result_.layout != std::nullopt) +
          result_.remembers_line_ends >
      1)
    return Mechanism(line_place_,
                     "'%terminator', '%line_ends' and '%layout' each give line ends a meaning: "
                     "keep one of them");
  for (const auto& [index, place] : not_last_) {
    if (At(index).kind != TerminalKind::kIgnored)
      return Mechanism(place,
                       "'%not_last' takes ignored terminals: the rules say what else ends a text");
  }
  if (result_.insertion && !result_.remembers_line_ends)
    Mechanism(result_.insertion->place,
              "'%insert' needs a '%line_ends' that names the terminals of line ends");
}

}  // namespace tenon::constraint
