#include "constraint/grammar_file/lexeme_directives.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "constraint/automata/automata.h"

namespace tenon::constraint {

namespace {
constexpr int kMaxCounted = 1000000;  // bytes that a '%most' may name
constexpr size_t kMaxParts = 8;       // of a lexeme that is split, and ways to split it
}  // namespace

// TERMINAL /pattern/: a poison terminal made of both.
template <typename Make>
void LexemeDirectives::MakePoison(const DirectiveLine& line, std::string_view form, Make make) {
  if (!Enough(line, 2, form)) return;
  const auto index = Find(line, line.arguments[0]);
  if (!index) return;
  const ScannedLexeme& second = line.arguments[1];
  if (second.kind != ScannedKind::kRegex || At(*index).kind == TerminalKind::kDeclared) {
    return Mechanism(second.place,
                     fmt::format("expected a regular expression behind '%{} {}', found {}",
                                 line.name, At(*index).name, second.Describe()));
  }
  const auto made = (terminals_.*make)(*index, second.text, second.flags, second.place);
  if (!made) return;
  At(*made).kind = TerminalKind::kPoison;
  made_of_.emplace_back(*index, *made);
}

void LexemeDirectives::NotBefore(const DirectiveLine& line) {
  MakePoison(line, "TERMINAL /what may not follow directly/", &TerminalTable::RunOn);
}

void LexemeDirectives::Unfinished(const DirectiveLine& line) {
  MakePoison(line, "TERMINAL /what it opens with/", &TerminalTable::Unfinished);
}

bool LexemeDirectives::CountsBytes(const DirectiveLine& line) {
  return line.arguments.size() > 2 && line.arguments[0].kind == ScannedKind::kNumber &&
         line.arguments[1].kind == ScannedKind::kString &&
         line.arguments[2].kind == ScannedKind::kRegex;
}

// NUMBER "what" /one of these bytes/ in TERMINAL ...
void LexemeDirectives::MostBytes(const DirectiveLine& line) {
  const std::vector<ScannedLexeme>& arguments = line.arguments;
  LexemeRuleLine made;
  made.place = line.place;
  if (arguments[0].number < 1 || arguments[0].number > kMaxCounted)
    return Mechanism(arguments[0].place,
                     fmt::format("the number is one from 1 to {}", kMaxCounted));
  made.rule.most = static_cast<uint32_t>(arguments[0].number);
  made.rule.what = arguments[1].text;
  const auto regex = ParseRegex(arguments[2].text, arguments[2].flags);
  const auto dfa = regex ? Dfa::Build(std::vector<Regex>{*regex})
                         : tl::unexpected(std::string(regex.error().message));
  if (!dfa) return Mechanism(arguments[2].place, fmt::format("what is counted: {}", dfa.error()));
  bool single = true;
  for (int b = 0; b < 256; ++b) {
    const DfaStateId to = dfa->Next(kStartState, static_cast<uint8_t>(b));
    made.rule.counted[static_cast<size_t>(b)] = to != kDeadState;
    for (int next = 0; to != kDeadState && next < 256; ++next)
      single = single && dfa->Next(to, static_cast<uint8_t>(next)) == kDeadState;
  }
  if (!single || made.rule.counted.none())
    return Mechanism(arguments[2].place, "what is counted are characters of ASCII, as in /[0-9]/");
  if (arguments.size() < 5 || !arguments[3].IsWord("in"))
    return Mechanism(line.end,
                     "expected 'in' and terminals, as in '%most 20 \"digits\" /[0-9]/ in NUMBER'");
  KeepTo(line, std::span(arguments).subspan(4), std::move(made));
}

// TERMINAL ... between "opener" "closer"
void LexemeDirectives::CharacterNames(const DirectiveLine& line) {
  const std::vector<ScannedLexeme>& arguments = line.arguments;
  const size_t count = arguments.size();
  if (count < 4 || !arguments[count - 3].IsWord("between") ||
      arguments[count - 2].kind != ScannedKind::kString ||
      arguments[count - 1].kind != ScannedKind::kString)
    return Mechanism(
        line.end,
        "expected terminals, and what stands around a name, as in '%character_names STRING between "
        "\"\\\\N{\" \"}\"'");
  LexemeRuleLine made;
  made.place = line.place;
  made.rule.names = true;
  made.rule.opener = arguments[count - 2].text;
  made.rule.closer = arguments[count - 1].text;
  if (made.rule.opener.empty() || made.rule.opener.size() > kMaxOpener ||
      made.rule.closer.size() != 1)
    return Mechanism(
        arguments[count - 2].place,
        fmt::format("a name stands between one to {} bytes and a single one", kMaxOpener));
  KeepTo(line, std::span(arguments).first(count - 3), std::move(made));
}

void LexemeDirectives::KeepTo(const DirectiveLine& line, std::span<const ScannedLexeme> terminals,
                              LexemeRuleLine made) {
  if (result_.lexeme_rules.size() == kMaxLexemeRules)
    return Mechanism(line.place, fmt::format("there are more than {} lines that lexemes keep to",
                                             kMaxLexemeRules));
  for (const ScannedLexeme& argument : terminals) {
    const auto index = Find(line, argument);
    if (!index) return;
    const bool fresh = kept_to_.insert(*index).second;
    if (!fresh)
      return Mechanism(argument.place, fmt::format("'{}' keeps to this line or another one already",
                                                   At(*index).name));
    made.terminals.push_back(*index);
  }
  result_.lexeme_rules.push_back(std::move(made));
}

void LexemeDirectives::Split(const DirectiveLine& line) {
  SplitLine split;
  split.place = line.place;
  for (size_t i = 0; i < line.arguments.size() && !errors_.failed(); ++i) {
    const auto index = Find(line, line.arguments[i]);
    if (!index) return;
    if (i == 0)
      split.terminal = *index;
    else
      split.parts.push_back(*index);
  }
  if (split.parts.size() < 2)
    return Mechanism(
        line.end, "expected a terminal and what it is made of, as in '%split \">>\" \">\" \">\"'");
  if (split.parts.size() > kMaxParts)
    return Mechanism(line.place, fmt::format("a lexeme is split into {} parts at most", kMaxParts));
  terminals_.entries[split.terminal.value].split = true;
  result_.splits.push_back(std::move(split));
}

// TERMINAL ... against TERMINAL ...
void LexemeDirectives::Apart(const DirectiveLine& line) {
  ApartLine made;
  made.place = line.place;
  bool against = false;
  for (const ScannedLexeme& argument : line.arguments) {
    if (!against && argument.IsWord("against")) {
      against = true;
      continue;
    }
    const auto index = Find(line, argument);
    if (!index) return;
    if (At(*index).kind != TerminalKind::kParsed || At(*index).soft ||
        !terminals_.entries[index->value].in_rules)
      return Mechanism(argument.place,
                       fmt::format("'{}' must stand in a rule and not be soft", At(*index).name));
    const auto names = [&](const ApartLine& other) {
      return std::find(other.terminals.begin(), other.terminals.end(), *index) !=
             other.terminals.end();
    };
    if (!against && std::any_of(result_.apart.begin(), result_.apart.end(), names))
      return Mechanism(argument.place, fmt::format("'{}' is already read apart", At(*index).name));
    (against ? made.rivals : made.terminals).push_back(*index);
  }
  if (made.terminals.empty() || made.rivals.empty())
    return Mechanism(line.end,
                     "expected terminals and their rivals, as in '%apart REGEX against \"/\"'");
  result_.apart.push_back(std::move(made));
}

void LexemeDirectives::CheckSplits() {
  std::map<TerminalIndex, size_t> ways;
  for (const SplitLine& split : result_.splits) {
    const Terminal& whole = At(split.terminal);
    if (++ways[split.terminal] > kMaxParts)
      return Mechanism(split.place,
                       fmt::format("'{}' is split in more than {} ways", whole.name, kMaxParts));
    std::string text;
    bool literal = whole.literal && whole.pattern_flags.empty();
    std::vector<TerminalIndex> all = split.parts;
    all.push_back(split.terminal);
    for (const TerminalIndex index : all) {
      const Terminal& terminal = At(index);
      const bool newline = result_.layout && result_.layout->newline == index;
      if (terminal.kind != TerminalKind::kParsed || newline)
        return Mechanism(split.place, fmt::format("'{}' is ignored, a line end, malformed or "
                                                  "declared, and neither split nor a part",
                                                  terminal.name));
      if (index != split.terminal && !terminals_.entries[index.value].in_rules)
        return Mechanism(split.place, fmt::format("'{}' must be a terminal of rules to be a part",
                                                  terminal.name));
      if (terminal.action.kind != ModeAction::Kind::kNone || IsBracket(index))
        return Mechanism(
            split.place,
            fmt::format("'{}' is a bracket or changes the mode: it stands alone", terminal.name));
      literal = literal && terminal.literal && terminal.pattern_flags.empty();
    }
    for (const TerminalIndex index : split.parts) text += At(index).pattern;
    if (literal && text != whole.pattern)
      return Mechanism(split.place,
                       fmt::format("'{}' is not what its parts make together", whole.name));
  }
}

// Of the layout, or by its text.
bool LexemeDirectives::IsBracket(TerminalIndex index) {
  const Terminal& terminal = At(index);
  std::string text = terminal.literal ? terminal.pattern : "";
  std::erase(text, '\\');
  if (text.size() == 1 && std::string_view("()[]{}").find(text[0]) != std::string_view::npos)
    return true;
  if (!result_.layout) return false;
  const auto& brackets = result_.layout->brackets;
  return std::any_of(brackets.begin(), brackets.end(),
                     [&](const auto& pair) { return pair.first == index || pair.second == index; });
}

// SET ... [within OPENER CLOSER ...]
void LexemeDirectives::Names(const DirectiveLine& line) {
  constexpr std::string_view kForm = "%names type variable within \"{\" \"}\"";
  const std::vector<ScannedLexeme>& arguments = line.arguments;
  NamesLine made;
  made.place = line.place;
  size_t at = 0;
  for (; at < arguments.size() && !arguments[at].IsWord("within"); ++at) {
    const ScannedLexeme& argument = arguments[at];
    if (argument.kind != ScannedKind::kRuleName)
      return Mechanism(
          argument.place,
          fmt::format("expected the lower case name of a set of names, as in '{}', found {}", kForm,
                      argument.Describe()));
    if (argument.text.starts_with(kNotIn) || argument.text.starts_with(kDeclaring) ||
        argument.text.starts_with(kEnclosing))
      return Mechanism(
          argument.place,
          fmt::format(
              "'{}' is what is said of names: a set begins with none of '{}', '{}' and '{}'",
              argument.text, kNotIn, kDeclaring, kEnclosing));
    if (!name_sets_.insert(argument.text).second)
      return Mechanism(argument.place,
                       fmt::format("there is already a set of names '{}'", argument.text));
    made.sets.push_back(argument.text);
  }
  if (made.sets.empty())
    return Mechanism(line.end,
                     fmt::format("expected sets of names behind '%names', as in '{}'", kForm));
  if (name_sets_.size() > kMaxNameSets)
    return Mechanism(line.place, fmt::format("there are more than {} sets of names", kMaxNameSets));
  if (at < arguments.size()) {
    const size_t ends = arguments.size() - ++at;
    if (ends == 0 || ends % 2 != 0)
      return Mechanism(
          line.end,
          fmt::format("expected what opens a scope and what closes it, as in '{}'", kForm));
  }
  std::set<TerminalIndex> openers, closers;
  for (; at < arguments.size(); at += 2) {
    const auto open = Find(line, arguments[at]), close = Find(line, arguments[at + 1]);
    if (!open || !close) return;
    for (const auto& [index, argument] :
         {std::pair(*open, arguments[at]), std::pair(*close, arguments[at + 1])}) {
      if (!terminals_.entries[index.value].in_rules)
        return Mechanism(
            argument.place,
            fmt::format("'{}' stands in no rule: it opens and closes nothing", At(index).name));
      const bool opens = index == *open;
      if ((opens && !openers.insert(index).second) || (!opens && openers.contains(index)) ||
          (opens && closers.contains(index)))
        return Mechanism(argument.place,
                         fmt::format("'{}' opens or closes a scope already", At(index).name));
    }
    closers.insert(*close);
    made.scopes.emplace_back(*open, *close);
  }
  result_.names.push_back(std::move(made));
}

}  // namespace tenon::constraint
