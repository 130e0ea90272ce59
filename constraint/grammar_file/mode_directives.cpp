#include "constraint/grammar_file/mode_directives.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace tenon::constraint {

namespace {
constexpr int kMaxOpen = 250;  // that a '%most' may name
// The name that `%forbid` has for the place where a line has no content yet.
constexpr std::string_view kLineBeginningName = "line_beginning";

// `%mode NAME with TERMINAL ...`
bool AddsTerminals(const DirectiveLine& line) {
  return line.arguments.size() > 2 && line.IsWordAt(1, "with");
}
}  // namespace

void ModeDirectives::NameModes(const std::vector<DirectiveLine>& lines) {
  for (const DirectiveLine& line : lines) {
    if (line.name != "mode") continue;
    if (line.arguments.empty() || line.arguments[0].kind != ScannedKind::kRuleName)
      return Mechanism(line.end, "expected a mode's name in lower case behind '%mode'");
    const ScannedLexeme& name = line.arguments[0];
    if (name.text == "default") continue;
    if (name.text == kLineBeginningName)
      return Mechanism(
          name.place,
          fmt::format("'{}' is what '%forbid' calls the beginning of a line", name.text));
    if (FindMode(name.text) && AddsTerminals(line)) continue;
    if (FindMode(name.text))
      return Mechanism(name.place, fmt::format("there is already a mode '{}'", name.text));
    ModeLine mode;
    mode.name = name.text;
    mode.place = line.place;
    result_.modes.push_back(std::move(mode));
    if (result_.modes.size() == kMaxModes)
      return Mechanism(name.place, fmt::format("there are more than {} modes", kMaxModes - 1));
  }
}

std::optional<ModeId> ModeDirectives::FindMode(const std::string& name) const {
  for (size_t m = 0; m < result_.modes.size(); ++m) {
    if (result_.modes[m].name == name) return ModeId{static_cast<uint8_t>(m + 1)};
  }
  return std::nullopt;
}

void ModeDirectives::Mode(const DirectiveLine& line) {
  ModeLine default_mode;
  default_mode.name = "default";
  const auto named = FindMode(line.arguments[0].text);
  ModeLine& mode = named ? result_.modes[named->value - 1u] : default_mode;
  size_t at = 1;
  const auto is = [&](std::string_view word) { return line.IsWordAt(at, word); };
  const auto read_to = [&](std::string_view end, std::vector<TerminalIndex>& list) {
    const size_t begin = at;
    for (; at < line.arguments.size() && (end.empty() || !is(end)); ++at) {
      const auto index = Find(line, line.arguments[at]);
      if (!index) return;
      list.push_back(*index);
    }
    if (at == begin)
      Mechanism(line.end, fmt::format("expected terminals of the mode '{}'", mode.name));
  };
  if (!named) {
    read_to("", result_.default_mode);
    return;
  }
  if (AddsTerminals(line)) ++at;
  if (is("default")) {
    mode.like_default = true;
    ++at;
    if (is("without")) {
      ++at;
      read_to("with", mode.without);
    }
    if (errors_.failed() || at == line.arguments.size()) return;
    if (!is("with"))
      return Mechanism(line.arguments[at].place,
                       "expected '%mode NAME default without TERMINAL ... with TERMINAL ...'");
    ++at;
  }
  read_to("", mode.terminals);
}

void ModeDirectives::Act(TerminalIndex index, ModeAction action, FilePlace place) {
  Terminal& terminal = At(index);
  if (terminal.action.kind != ModeAction::Kind::kNone)
    return Mechanism(place,
                     fmt::format("'{}' already pushes, switches or pops a mode", terminal.name));
  if (terminal.soft || terminal.kind != TerminalKind::kParsed ||
      !terminals_.entries[index.value].in_rules)
    return Mechanism(
        place,
        fmt::format("'{}' must stand in a rule and not be soft to change the mode", terminal.name));
  terminal.action = action;
}

// TERMINAL ... MODE
void ModeDirectives::Enter(const DirectiveLine& line, ModeAction::Kind kind) {
  std::optional<ModeId> mode;
  if (line.arguments.size() >= 2 && line.arguments.back().kind == ScannedKind::kRuleName)
    mode = FindMode(line.arguments.back().text);
  if (!mode)
    return Mechanism(
        line.end,
        fmt::format(
            "expected terminals and the name of a mode, as in '%{} OPEN inside'; the default mode "
            "lies below all others and is not entered: name one '%mode again default'",
            line.name));
  for (size_t i = 0; i + 1 < line.arguments.size() && !errors_.failed(); ++i) {
    if (const auto index = Find(line, line.arguments[i]))
      Act(*index, {kind, *mode}, line.arguments[i].place);
  }
}

void ModeDirectives::Push(const DirectiveLine& line) { Enter(line, ModeAction::Kind::kPush); }

void ModeDirectives::Switch(const DirectiveLine& line) { Enter(line, ModeAction::Kind::kSwitch); }

void ModeDirectives::Pop(const DirectiveLine& line) {
  ForEach(line, [&](TerminalIndex index, FilePlace place) {
    Act(index, {ModeAction::Kind::kPop, ModeId{}}, place);
  });
}

// MODE TERMINAL ...
void ModeDirectives::Forbid(const DirectiveLine& line) {
  std::optional<uint64_t> where;
  if (line.arguments.size() >= 2 && line.arguments[0].kind == ScannedKind::kRuleName) {
    if (line.arguments[0].text == kLineBeginningName)
      where = kLineBeginning;
    else if (const auto mode = FindMode(line.arguments[0].text))
      where = uint64_t{1} << mode->value;
  }
  if (!where)
    return Mechanism(
        line.end,
        fmt::format("expected a mode's name, or '{}', and terminals, as in '%forbid inside STRING'",
                    kLineBeginningName));
  for (size_t i = 1; i < line.arguments.size() && !errors_.failed(); ++i) {
    const auto index = Find(line, line.arguments[i]);
    if (!index) return;
    At(*index).not_within |= *where;
    if (*where == kLineBeginning)
      not_at_line_beginning_.emplace_back(*index, line.arguments[i].place);
  }
}

// NUMBER "what" MODE ..., or the layout's indent terminal.
void ModeDirectives::Most(const DirectiveLine& line) {
  const std::vector<ScannedLexeme>& arguments = line.arguments;
  if (arguments.size() < 3 || arguments[0].kind != ScannedKind::kNumber ||
      arguments[1].kind != ScannedKind::kString)
    return Mechanism(line.end,
                     "expected a number, what is counted, and modes or the indent terminal, as in "
                     "'%most 200 \"brackets\" inside'");
  if (arguments[0].number < 1 || arguments[0].number > kMaxOpen)
    return Mechanism(arguments[0].place, fmt::format("the number is one from 1 to {}", kMaxOpen));
  if (result_.limits.size() == kMaxNestingLimits)
    return Mechanism(line.place,
                     fmt::format("there are more than {} lines '%most'", kMaxNestingLimits));
  LimitLine made;
  made.most = static_cast<uint16_t>(arguments[0].number);
  made.what = arguments[1].text;
  made.place = line.place;
  if (arguments.size() == 3 && arguments[2].kind == ScannedKind::kTerminalName) {
    const auto index = Find(line, arguments[2]);
    if (!index) return;
    if (std::exchange(blocks_counted_, index))
      return Mechanism(line.place, "blocks are already counted by another '%most'");
    result_.limits.push_back(std::move(made));
    return;
  }
  for (size_t i = 2; i < arguments.size(); ++i) {
    const auto mode =
        arguments[i].kind == ScannedKind::kRuleName ? FindMode(arguments[i].text) : std::nullopt;
    if (!mode)
      return Mechanism(arguments[i].place,
                       fmt::format("expected the name of a mode behind '%most', found {}",
                                   arguments[i].Describe()));
    made.modes.push_back(*mode);
  }
  result_.limits.push_back(std::move(made));
}

void ModeDirectives::Check(std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of) {
  for (const auto& [index, place] : not_at_line_beginning_) {
    if (!result_.layout || At(index).kind != TerminalKind::kIgnored)
      return Mechanism(
          place, fmt::format("'%forbid {}' takes ignored terminals of a grammar with '%layout'",
                             kLineBeginningName));
  }
  CheckModes(made_of);
  if (!errors_.failed()) CheckLimits();
}

void ModeDirectives::CheckModes(std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of) {
  // A poison terminal made of another one (`%not_before`, `%unfinished`) is read in the same modes.
  for (const auto& [of, made] : made_of) {
    for (ModeLine& mode : result_.modes) {
      for (std::vector<TerminalIndex>* list : {&mode.without, &mode.terminals}) {
        if (std::find(list->begin(), list->end(), of) != list->end()) list->push_back(made);
      }
    }
  }
  std::set<TerminalIndex> listed;
  for (const ModeLine& mode : result_.modes)
    listed.insert(mode.terminals.begin(), mode.terminals.end());
  for (const TerminalIndex index : result_.default_mode) listed.erase(index);
  for (const ModeLine& mode : result_.modes) {
    for (const TerminalIndex index : mode.without) {
      if (listed.count(index))
        return Mechanism(
            mode.place, fmt::format("'{}' is listed in a mode, so the default one does not have it",
                                    At(index).name));
    }
  }
  for (uint32_t i = 0; i < terminals_.entries.size(); ++i) {
    const Terminal& terminal = terminals_.entries[i].terminal;
    if (terminal.action.kind == ModeAction::Kind::kSwitch && !listed.count(TerminalIndex{i}))
      return Mechanism(
          terminals_.entries[i].place,
          fmt::format("'{}' belongs to the default mode, which is never switched: push instead",
                      terminal.name));
    if (terminal.action.kind == ModeAction::Kind::kNone) continue;
    if (result_.layout && !result_.layout->brackets.empty())
      return Mechanism(
          result_.layout->place,
          "modes that are pushed and popped are the brackets of '%layout': leave out 'brackets='");
  }
}

void ModeDirectives::CheckLimits() {
  for (const LimitLine& limit : result_.limits) {
    if (limit.modes.empty() && (!result_.layout || result_.layout->indent != blocks_counted_))
      return Mechanism(
          limit.place,
          "what '%most' counts are modes, or blocks by the terminal of '%layout indent='");
  }
}

}  // namespace tenon::constraint
