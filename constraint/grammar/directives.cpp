#include "constraint/grammar/directives.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex.h"
#include "constraint/automata/utf8_ranges.h"
#include "constraint/grammar/encoding_directives.h"

namespace tenon::constraint {
namespace {

constexpr int kMostOpen = 250;         // that a '%most' of modes or blocks may name
constexpr int kMostCounted = 1000000;  // of bytes
constexpr size_t kMaxParts = 8;        // of a lexeme that is split, and ways to split it
// What `%forbid` calls the place where a line has no content yet.
constexpr std::string_view kLineBeginningName = "line_beginning";

class DirectiveReader {
 public:
  DirectiveReader(TerminalTable& terminals, ErrorSink& errors)
      : terminals_(terminals), errors_(errors), encoding_(terminals, errors) {}

  Directives Run(const std::vector<DirectiveLine>& lines) {
    NameModes(lines);
    for (const DirectiveLine& line : lines) {
      if (!errors_.failed()) Read(line);
    }
    if ((result_.terminator != std::nullopt) + (result_.layout != std::nullopt) + result_.remembers_line_ends > 1) {
      Mechanism(line_place_,
                "'%terminator', '%line_ends' and '%layout' each give line ends a meaning: keep one of them");
    }
    if (!errors_.failed()) CheckIgnored();
    if (!errors_.failed()) CheckModes();
    if (!errors_.failed()) CheckSplits();
    if (!errors_.failed()) CheckLimits();
    if (!errors_.failed()) result_.encoding = encoding_.Finish();
    if (!errors_.failed() && result_.insertion && !result_.remembers_line_ends)
      Mechanism(result_.insertion->place, "'%insert' needs a '%line_ends' that names the terminals of line ends");
    return std::move(result_);
  }

 private:
  void Mechanism(Place place, std::string message) {
    errors_.Fail(GrammarErrorCode::kMechanism, place, std::move(message));
  }

  Terminal& At(TerminalIndex index) { return terminals_.entries[index.value].terminal; }

  void Read(const DirectiveLine& line) {
    using Handler = void (DirectiveReader::*)(const DirectiveLine&);
    static const std::map<std::string_view, Handler> kHandlers = {
        {"ignore", &DirectiveReader::Ignore},
        {"poison", &DirectiveReader::Poison},
        {"soft", &DirectiveReader::Soft},
        {"delimited", &DirectiveReader::Delimited},
        {"emit", &DirectiveReader::Emit},
        {"spell", &DirectiveReader::Spell},
        {"describe", &DirectiveReader::Describe},
        {"layout", &DirectiveReader::Layout},
        {"terminator", &DirectiveReader::Terminator},
        {"fallback", &DirectiveReader::Fallback},
        {"levels", &DirectiveReader::Levels},
        {"line_ends", &DirectiveReader::LineEnds},
        {"mode", &DirectiveReader::Mode},
        {"push", &DirectiveReader::Push},
        {"switch", &DirectiveReader::Switch},
        {"pop", &DirectiveReader::Pop},
        {"forbid", &DirectiveReader::Forbid},
        {"not_last", &DirectiveReader::NotLast},
        {"not_before", &DirectiveReader::NotBefore},
        {"unfinished", &DirectiveReader::Unfinished},
        {"split", &DirectiveReader::Split},
        {"insert", &DirectiveReader::Insert},
        {"most", &DirectiveReader::Most},
        {"encoding", &DirectiveReader::Encoding},
        {"charset", &DirectiveReader::Charset},
        {"character_names", &DirectiveReader::CharacterNames},
        {"names", &DirectiveReader::Names},
    };
    if (line.name == "declare" || line.name == "start") return;
    const auto handler = kHandlers.find(line.name);
    if (handler == kHandlers.end()) {
      errors_.Fail(
          GrammarErrorCode::kSyntax, line.place,
          fmt::format(
              "unknown directive '%{}': there are character_names, charset, declare, delimited, describe, emit, "
              "encoding, fallback, forbid, ignore, insert, layout, levels, line_ends, mode, most, names, not_before, "
              "not_last, poison, pop, push, soft, spell, split, start, switch, terminator and unfinished",
              line.name));
      return;
    }
    (this->*handler->second)(line);
  }

  void Levels(const DirectiveLine& line) {
    if (!result_.levels.empty())
      Mechanism(line.place, "a second '%levels': one line names them all, in ascending order");
    if (line.arguments.empty()) Mechanism(line.end, "expected the names of predicates behind '%levels'");
    for (const Token& token : line.arguments) {
      if (token.kind != TokenKind::kRuleName)
        return Mechanism(token.place, fmt::format("expected a predicate's lower case name behind '%levels', found {}",
                                                  token.Describe()));
      const auto twice = [&](const LevelMention& level) { return level.predicate == token.text; };
      if (std::any_of(result_.levels.begin(), result_.levels.end(), twice))
        return Mechanism(token.place, fmt::format("the level '{}' is named twice", token.text));
      result_.levels.push_back({token.text, token.place});
    }
  }

  // SET ... [within OPENER CLOSER ...]
  void Names(const DirectiveLine& line) {
    constexpr std::string_view kForm = "%names type variable within \"{\" \"}\"";
    const std::vector<Token>& arguments = line.arguments;
    NamesLine made;
    made.place = line.place;
    size_t at = 0;
    for (; at < arguments.size() && !IsWord(arguments[at], "within"); ++at) {
      const Token& token = arguments[at];
      if (token.kind != TokenKind::kRuleName)
        return Mechanism(token.place,
                         fmt::format("expected the lower case name of a set of names, as in '{}', found {}", kForm,
                                     token.Describe()));
      if (token.text.starts_with(kNotIn) || token.text.starts_with(kDeclaring))
        return Mechanism(token.place,
                         fmt::format("'{}' is what is said of names: a set begins with neither '{}' nor '{}'",
                                     token.text, kNotIn, kDeclaring));
      if (!name_sets_.insert(token.text).second)
        return Mechanism(token.place, fmt::format("there is already a set of names '{}'", token.text));
      made.sets.push_back(token.text);
    }
    if (made.sets.empty())
      return Mechanism(line.end, fmt::format("expected sets of names behind '%names', as in '{}'", kForm));
    if (name_sets_.size() > kMaxNameSets)
      return Mechanism(line.place, fmt::format("there are more than {} sets of names", kMaxNameSets));
    const size_t first = ++at;
    if (at <= arguments.size() && (arguments.size() - at) % 2 != 0)
      return Mechanism(line.end, fmt::format("expected what opens a scope and what closes it, as in '{}'", kForm));
    std::set<TerminalIndex> seen;
    for (; at + 1 < arguments.size(); at += 2) {
      const auto open = Find(line, arguments[at]), close = Find(line, arguments[at + 1]);
      if (!open || !close) return;
      for (const auto& [index, token] : {std::pair(*open, arguments[at]), std::pair(*close, arguments[at + 1])}) {
        if (!terminals_.entries[index.value].in_rules)
          return Mechanism(token.place,
                           fmt::format("'{}' stands in no rule: it opens and closes nothing", At(index).name));
        if (!seen.insert(index).second)
          return Mechanism(token.place, fmt::format("'{}' opens or closes a scope already", At(index).name));
      }
      made.scopes.emplace_back(*open, *close);
    }
    if (first == arguments.size())
      return Mechanism(line.end, fmt::format("expected what opens a scope and what closes it, as in '{}'", kForm));
    result_.names.push_back(std::move(made));
  }

  // The terminal that an argument names; an error where it names none.
  std::optional<TerminalIndex> Find(const DirectiveLine& line, const Token& token) {
    std::optional<TerminalIndex> index;
    if (token.kind == TokenKind::kTerminalName) {
      index = terminals_.FindNamed(token.text);
    } else if (token.kind == TokenKind::kString) {
      index = terminals_.FindLiteral(token.text, token.flags);
    } else {
      Mechanism(token.place, fmt::format("expected a terminal's name or literal behind '%{}', found {}", line.name,
                                         token.Describe()));
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

  bool Enough(const DirectiveLine& line, size_t count, std::string_view form) {
    if (line.arguments.size() == count) return true;
    const Place place = line.arguments.size() > count ? line.arguments[count].place : line.end;
    Mechanism(place, fmt::format("expected '%{} {}'", line.name, form));
    return false;
  }

  // Each terminal of a list, at least one.
  template <typename Apply>
  void ForEach(const DirectiveLine& line, Apply apply) {
    if (line.arguments.empty())
      Mechanism(line.end, fmt::format("expected at least one terminal behind '%{}'", line.name));
    for (const Token& token : line.arguments) {
      const auto index = Find(line, token);
      if (!index) return;
      apply(*index, token.place);
    }
  }

  void Become(TerminalIndex index, TerminalKind kind, Place place) {
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

  void Ignore(const DirectiveLine& line) {
    if (line.arguments.size() != 1) {
      Enough(line, 1, "TERMINAL' or '%ignore /regular expression/");
      return;
    }
    const Token& token = line.arguments[0];
    std::optional<TerminalIndex> index;
    if (token.kind == TokenKind::kRegex)
      index = terminals_.Regex(token.text, token.flags, token.place);
    else if (token.kind == TokenKind::kString)
      index = terminals_.Literal(token.text, token.flags, token.place);
    else
      index = Find(line, token);
    if (index) Become(*index, TerminalKind::kIgnored, token.place);
  }

  void Poison(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, Place place) { Become(index, TerminalKind::kPoison, place); });
  }
  void Soft(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, Place) { At(index).soft = true; });
  }
  void Delimited(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, Place) { At(index).delimited = true; });
  }

  // %NAME TERMINAL argument, at most once for a terminal.
  std::optional<TerminalIndex> FindOnce(const DirectiveLine& line, std::string_view form) {
    return Enough(line, 2, form) ? Once(line, line.arguments[0]) : std::nullopt;
  }

  // The terminal that `token` names, of which the directive has said nothing yet.
  std::optional<TerminalIndex> Once(const DirectiveLine& line, const Token& token) {
    const auto index = Find(line, token);
    if (!index) return std::nullopt;
    if (!said_.insert({line.name, index->value}).second) {
      Mechanism(line.place,
                fmt::format("'%{}' is already said of '{}': remove one of the two", line.name, At(*index).name));
    }
    return index;
  }

  void Emit(const DirectiveLine& line) {
    const auto index = FindOnce(line, "TERMINAL never' or '%emit TERMINAL /regular expression/");
    if (!index) return;
    const Token& how = line.arguments[1];
    if (how.kind == TokenKind::kRuleName && how.text == "never") {
      At(*index).emitted = false;
    } else if (how.kind == TokenKind::kRegex && At(*index).kind != TerminalKind::kDeclared) {
      if (!terminals_.CheckRegex(how.text, how.flags, how.place)) return;
      if (how.text.empty()) Mechanism(how.place, "the emit pattern matches the empty text");
      At(*index).emit_pattern = how.text;
      At(*index).emit_flags = how.flags;
    } else {
      Mechanism(how.place, fmt::format("expected 'never' or a regular expression behind '%emit {}', found {}",
                                       At(*index).name, how.Describe()));
    }
  }

  void Spell(const DirectiveLine& line) {
    const auto index = FindOnce(line, "TERMINAL \"text\"");
    if (!index) return;
    At(*index).spelling = Text(line);
  }
  void Describe(const DirectiveLine& line) {
    if (line.arguments.size() < 2) {
      Enough(line, 2, "TERMINAL … \"words\"");
      return;
    }
    const std::string words = Text(line);
    for (size_t i = 0; i + 1 < line.arguments.size() && !errors_.failed(); ++i) {
      if (const auto index = Once(line, line.arguments[i])) At(*index).description = words;
    }
  }

  // The last argument, a text in quotes.
  std::string Text(const DirectiveLine& line) {
    const Token& token = line.arguments.back();
    if (token.kind != TokenKind::kString || token.text.empty() || !token.flags.empty()) {
      Mechanism(token.place, fmt::format("expected a text in double quotes behind '%{} {}', found {}", line.name,
                                         line.arguments[0].text, token.Describe()));
    }
    return token.text;
  }

  void Fallback(const DirectiveLine& line) {
    if (line.arguments.size() < 2)
      return Mechanism(line.end, "expected a terminal and those that fall back to it, as in '%fallback NAME \"key\"'");
    const auto target = Find(line, line.arguments[0]);
    for (size_t i = 1; i < line.arguments.size() && target && !errors_.failed(); ++i) {
      const Place place = line.arguments[i].place;
      const auto keyword = Find(line, line.arguments[i]);
      if (!keyword) return;
      if (!terminals_.entries[target->value].in_rules || !terminals_.entries[keyword->value].in_rules)
        return Mechanism(place, "a terminal that falls back, and the one it falls back to, stand in rules");
      for (const FallbackMention& other : result_.fallbacks) {
        if (other.keyword == *keyword)
          Mechanism(place,
                    fmt::format("'{}' already falls back to '{}'", At(*keyword).name, At(other.stands_for).name));
      }
      result_.fallbacks.push_back({*keyword, *target});
      for (const FallbackMention& other : result_.fallbacks) {
        if (other.keyword == *target || other.stands_for == *keyword)
          Mechanism(place, "what is fallen back to does not itself fall back");
      }
    }
  }

  static bool IsWord(const Token& token, std::string_view text) {
    return token.kind == TokenKind::kRuleName && token.text == text;
  }

  // Modes may be named before their own lines.
  void NameModes(const std::vector<DirectiveLine>& lines) {
    for (const DirectiveLine& line : lines) {
      if (line.name != "mode") continue;
      if (line.arguments.empty() || line.arguments[0].kind != TokenKind::kRuleName)
        return Mechanism(line.end, "expected a mode's name in lower case behind '%mode'");
      const Token& name = line.arguments[0];
      if (name.text == "default") continue;
      if (name.text == kLineBeginningName)
        return Mechanism(name.place, fmt::format("'{}' is what '%forbid' calls the beginning of a line", name.text));
      if (FindMode(name.text)) return Mechanism(name.place, fmt::format("there is already a mode '{}'", name.text));
      ModeLine mode;
      mode.name = name.text;
      mode.place = line.place;
      result_.modes.push_back(std::move(mode));
      if (result_.modes.size() == kMaxModes)
        return Mechanism(name.place, fmt::format("there are more than {} modes", kMaxModes - 1));
    }
  }

  std::optional<ModeId> FindMode(const std::string& name) const {
    for (size_t m = 0; m < result_.modes.size(); ++m) {
      if (result_.modes[m].name == name) return ModeId{static_cast<uint8_t>(m + 1)};
    }
    return std::nullopt;
  }

  void Mode(const DirectiveLine& line) {
    ModeLine default_mode;
    default_mode.name = "default";
    const auto named = FindMode(line.arguments[0].text);
    ModeLine& mode = named ? result_.modes[named->value - 1u] : default_mode;
    size_t at = 1;
    const auto is = [&](std::string_view word) {
      return at < line.arguments.size() && IsWord(line.arguments[at], word);
    };
    const auto read_to = [&](std::string_view end, std::vector<TerminalIndex>& list) {
      const size_t begin = at;
      for (; at < line.arguments.size() && (end.empty() || !is(end)); ++at) {
        const auto index = Find(line, line.arguments[at]);
        if (!index) return;
        list.push_back(*index);
      }
      if (at == begin) Mechanism(line.end, fmt::format("expected terminals of the mode '{}'", mode.name));
    };
    if (!named) {
      read_to("", result_.default_mode);
      return;
    }
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

  void Act(TerminalIndex index, ModeAction action, Place place) {
    Terminal& terminal = At(index);
    if (terminal.action.kind != ModeAction::Kind::kNone)
      return Mechanism(place, fmt::format("'{}' already pushes, switches or pops a mode", terminal.name));
    if (terminal.soft || terminal.kind != TerminalKind::kToken || !terminals_.entries[index.value].in_rules)
      return Mechanism(place,
                       fmt::format("'{}' must stand in a rule and not be soft to change the mode", terminal.name));
    terminal.action = action;
  }

  // TERMINAL ... MODE
  void Enter(const DirectiveLine& line, ModeAction::Kind kind) {
    std::optional<ModeId> mode;
    if (line.arguments.size() >= 2 && line.arguments.back().kind == TokenKind::kRuleName)
      mode = FindMode(line.arguments.back().text);
    if (!mode)
      return Mechanism(
          line.end, fmt::format("expected terminals and the name of a mode, as in '%{} OPEN inside'; the default mode "
                                "lies below all others and is not entered: name one '%mode again default'",
                                line.name));
    for (size_t i = 0; i + 1 < line.arguments.size() && !errors_.failed(); ++i) {
      if (const auto index = Find(line, line.arguments[i])) Act(*index, {kind, *mode}, line.arguments[i].place);
    }
  }
  void Push(const DirectiveLine& line) { Enter(line, ModeAction::Kind::kPush); }
  void Switch(const DirectiveLine& line) { Enter(line, ModeAction::Kind::kSwitch); }
  void Pop(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, Place place) { Act(index, {ModeAction::Kind::kPop, ModeId{}}, place); });
  }

  // MODE TERMINAL ...
  void Forbid(const DirectiveLine& line) {
    std::optional<uint64_t> where;
    if (line.arguments.size() >= 2 && line.arguments[0].kind == TokenKind::kRuleName) {
      if (line.arguments[0].text == kLineBeginningName)
        where = kLineBeginning;
      else if (const auto mode = FindMode(line.arguments[0].text))
        where = uint64_t{1} << mode->value;
    }
    if (!where)
      return Mechanism(line.end,
                       fmt::format("expected a mode's name, or '{}', and terminals, as in '%forbid inside STRING'",
                                   kLineBeginningName));
    for (size_t i = 1; i < line.arguments.size() && !errors_.failed(); ++i) {
      const auto index = Find(line, line.arguments[i]);
      if (!index) return;
      At(*index).not_within |= *where;
      if (*where == kLineBeginning) not_at_line_beginning_.emplace_back(*index, line.arguments[i].place);
    }
  }

  void NotLast(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, Place place) {
      At(index).not_last = true;
      not_last_.emplace_back(index, place);
    });
  }

  // Said once all lines are read, since a terminal may be ignored by a later one.
  void CheckIgnored() {
    for (const auto& [index, place] : not_last_) {
      if (At(index).kind != TerminalKind::kIgnored)
        return Mechanism(place, "'%not_last' takes ignored terminals: the rules say what else ends a text");
    }
    for (const auto& [index, place] : not_at_line_beginning_) {
      if (!result_.layout || At(index).kind != TerminalKind::kIgnored)
        return Mechanism(
            place, fmt::format("'%forbid {}' takes ignored terminals of a grammar with '%layout'", kLineBeginningName));
    }
  }

  // Said once all lines are read: which terminals the default mode has depends on all.
  void CheckModes() {
    // What a lexeme may not run on into, or be left as, is read where the lexeme is.
    for (const auto& [of, made] : made_of_) {
      for (ModeLine& mode : result_.modes) {
        for (std::vector<TerminalIndex>* list : {&mode.without, &mode.terminals}) {
          if (std::find(list->begin(), list->end(), of) != list->end()) list->push_back(made);
        }
      }
    }
    std::set<TerminalIndex> listed;
    for (const ModeLine& mode : result_.modes) listed.insert(mode.terminals.begin(), mode.terminals.end());
    for (const TerminalIndex index : result_.default_mode) listed.erase(index);
    for (const ModeLine& mode : result_.modes) {
      for (const TerminalIndex index : mode.without) {
        if (listed.count(index))
          return Mechanism(
              mode.place, fmt::format("'{}' is listed in a mode, so the default one does not have it", At(index).name));
      }
    }
    for (uint32_t i = 0; i < terminals_.entries.size(); ++i) {
      const Terminal& terminal = terminals_.entries[i].terminal;
      if (terminal.action.kind == ModeAction::Kind::kSwitch && !listed.count(TerminalIndex{i}))
        return Mechanism(
            terminals_.entries[i].place,
            fmt::format("'{}' belongs to the default mode, which is never switched: push instead", terminal.name));
      if (terminal.action.kind == ModeAction::Kind::kNone) continue;
      if (result_.layout && !result_.layout->brackets.empty())
        return Mechanism(result_.layout->place,
                         "modes that are pushed and popped are the brackets of '%layout': leave out 'brackets='");
    }
  }

  void LineEnds(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, Place place) { Become(index, TerminalKind::kLineEnd, place); });
    result_.remembers_line_ends = true;
    line_place_ = line.place;
  }

  void NotBefore(const DirectiveLine& line) {
    MakePoison(line, "TERMINAL /what may not follow directly/", &TerminalTable::RunOn);
  }
  void Unfinished(const DirectiveLine& line) {
    MakePoison(line, "TERMINAL /what it opens with/", &TerminalTable::Unfinished);
  }

  // TERMINAL /pattern/: a poison terminal made of both.
  template <typename Make>
  void MakePoison(const DirectiveLine& line, std::string_view form, Make make) {
    if (!Enough(line, 2, form)) return;
    const auto index = Find(line, line.arguments[0]);
    if (!index) return;
    const Token& second = line.arguments[1];
    if (second.kind != TokenKind::kRegex || At(*index).kind == TerminalKind::kDeclared) {
      return Mechanism(second.place, fmt::format("expected a regular expression behind '%{} {}', found {}", line.name,
                                                 At(*index).name, second.Describe()));
    }
    const auto made = (terminals_.*make)(*index, second.text, second.flags, second.place);
    if (!made) return;
    At(*made).kind = TerminalKind::kPoison;
    made_of_.emplace_back(*index, *made);
  }

  // NUMBER "what" /one of these bytes/ in TERMINAL ...
  void MostBytes(const DirectiveLine& line) {
    const std::vector<Token>& arguments = line.arguments;
    LexemeRuleLine made;
    made.place = line.place;
    if (arguments[0].number < 1 || arguments[0].number > kMostCounted)
      return Mechanism(arguments[0].place, fmt::format("the number is one from 1 to {}", kMostCounted));
    made.rule.most = static_cast<uint32_t>(arguments[0].number);
    made.rule.what = arguments[1].text;
    const auto regex = ParseRegex(arguments[2].text, arguments[2].flags);
    const auto dfa =
        regex ? Dfa::Build(std::vector<Regex>{*regex}) : tl::unexpected(std::string(regex.error().message));
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
    if (arguments.size() < 5 || !IsWord(arguments[3], "in"))
      return Mechanism(line.end, "expected 'in' and terminals, as in '%most 20 \"digits\" /[0-9]/ in NUMBER'");
    KeepTo(line, std::span(arguments).subspan(4), std::move(made));
  }

  // TERMINAL ... between "opener" "closer"
  void CharacterNames(const DirectiveLine& line) {
    const std::vector<Token>& arguments = line.arguments;
    const size_t count = arguments.size();
    if (count < 4 || !IsWord(arguments[count - 3], "between") || arguments[count - 2].kind != TokenKind::kString ||
        arguments[count - 1].kind != TokenKind::kString)
      return Mechanism(line.end,
                       "expected terminals, and what stands around a name, as in '%character_names STRING between "
                       "\"\\\\N{\" \"}\"'");
    LexemeRuleLine made;
    made.place = line.place;
    made.rule.names = true;
    made.rule.opener = arguments[count - 2].text;
    made.rule.closer = arguments[count - 1].text;
    if (made.rule.opener.empty() || made.rule.opener.size() > kMaxOpener || made.rule.closer.size() != 1)
      return Mechanism(arguments[count - 2].place,
                       fmt::format("a name stands between one to {} bytes and a single one", kMaxOpener));
    KeepTo(line, std::span(arguments).first(count - 3), std::move(made));
  }

  void KeepTo(const DirectiveLine& line, std::span<const Token> terminals, LexemeRuleLine made) {
    if (result_.lexeme_rules.size() == kMaxLexemeRules)
      return Mechanism(line.place, fmt::format("there are more than {} lines that lexemes keep to", kMaxLexemeRules));
    for (const Token& token : terminals) {
      const auto index = Find(line, token);
      if (!index) return;
      const bool fresh = kept_to_.insert(*index).second;
      if (!fresh)
        return Mechanism(token.place, fmt::format("'{}' keeps to this line or another one already", At(*index).name));
      made.terminals.push_back(*index);
    }
    result_.lexeme_rules.push_back(std::move(made));
  }

  // NUMBER "what" MODE ..., or the layout's indent terminal.
  void Most(const DirectiveLine& line) {
    const std::vector<Token>& arguments = line.arguments;
    if (arguments.size() > 2 && arguments[0].kind == TokenKind::kNumber && arguments[1].kind == TokenKind::kString &&
        arguments[2].kind == TokenKind::kRegex)
      return MostBytes(line);
    if (arguments.size() < 3 || arguments[0].kind != TokenKind::kNumber || arguments[1].kind != TokenKind::kString)
      return Mechanism(line.end,
                       "expected a number, what is counted, and modes or the indent terminal, as in "
                       "'%most 200 \"brackets\" inside'");
    if (arguments[0].number < 1 || arguments[0].number > kMostOpen)
      return Mechanism(arguments[0].place, fmt::format("the number is one from 1 to {}", kMostOpen));
    if (result_.limits.size() == kMaxNestingLimits)
      return Mechanism(line.place, fmt::format("there are more than {} lines '%most'", kMaxNestingLimits));
    LimitLine made;
    made.most = static_cast<uint16_t>(arguments[0].number);
    made.what = arguments[1].text;
    made.place = line.place;
    if (arguments.size() == 3 && arguments[2].kind == TokenKind::kTerminalName) {
      const auto index = Find(line, arguments[2]);
      if (!index) return;
      if (std::exchange(blocks_counted_, index))
        return Mechanism(line.place, "blocks are already counted by another '%most'");
      result_.limits.push_back(std::move(made));
      return;
    }
    for (size_t i = 2; i < arguments.size(); ++i) {
      const auto mode = arguments[i].kind == TokenKind::kRuleName ? FindMode(arguments[i].text) : std::nullopt;
      if (!mode)
        return Mechanism(arguments[i].place,
                         fmt::format("expected the name of a mode behind '%most', found {}", arguments[i].Describe()));
      made.modes.push_back(*mode);
    }
    result_.limits.push_back(std::move(made));
  }

  // Said once all lines are read: the layout may stand behind.
  void CheckLimits() {
    for (const LimitLine& limit : result_.limits) {
      if (limit.modes.empty() && (!result_.layout || result_.layout->indent != blocks_counted_))
        return Mechanism(limit.place, "what '%most' counts are modes, or blocks by the terminal of '%layout indent='");
    }
  }

  void Encoding(const DirectiveLine& line) { encoding_.ReadEncoding(line); }
  void Charset(const DirectiveLine& line) { encoding_.ReadCharset(line); }

  // TERMINAL [before TERMINAL ...]
  void Insert(const DirectiveLine& line) {
    constexpr std::string_view kForm = "%insert SEMICOLON before \"}\"";
    if (result_.insertion) return Mechanism(line.place, "there is already a '%insert'");
    if (line.arguments.empty() || line.arguments.size() == 2 ||
        (line.arguments.size() > 2 && !IsWord(line.arguments[1], "before")))
      return Mechanism(line.end,
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
    if (At(made.terminal).kind != TerminalKind::kDeclared || !terminals_.entries[made.terminal.value].in_rules)
      return Mechanism(line.place, fmt::format("'{}' must be '%declare'd and stand in a rule: it has no lexeme",
                                               At(made.terminal).name));
    result_.insertion = std::move(made);
  }

  void Split(const DirectiveLine& line) {
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
      return Mechanism(line.end, "expected a terminal and what it is made of, as in '%split \">>\" \">\" \">\"'");
    if (split.parts.size() > kMaxParts)
      return Mechanism(line.place, fmt::format("a lexeme is split into {} parts at most", kMaxParts));
    result_.splits.push_back(std::move(split));
  }

  // Said once all lines are read, since others say what the terminals are.
  void CheckSplits() {
    std::map<TerminalIndex, size_t> ways;
    for (const SplitLine& split : result_.splits) {
      const Terminal& whole = At(split.terminal);
      if (++ways[split.terminal] > kMaxParts)
        return Mechanism(split.place, fmt::format("'{}' is split in more than {} ways", whole.name, kMaxParts));
      std::string text;
      bool literal = whole.literal && whole.pattern_flags.empty();
      std::vector<TerminalIndex> all = split.parts;
      all.push_back(split.terminal);
      for (const TerminalIndex index : all) {
        const Terminal& terminal = At(index);
        const bool newline = result_.layout && result_.layout->newline == index;
        if (terminal.kind != TerminalKind::kToken || !terminals_.entries[index.value].in_rules || newline)
          return Mechanism(split.place,
                           fmt::format("'{}' must be a terminal of rules to be split or a part", terminal.name));
        if (terminal.action.kind != ModeAction::Kind::kNone || IsBracket(index))
          return Mechanism(split.place,
                           fmt::format("'{}' is a bracket or changes the mode: it stands alone", terminal.name));
        literal = literal && terminal.literal && terminal.pattern_flags.empty();
      }
      for (const TerminalIndex index : split.parts) text += At(index).pattern;
      if (literal && text != whole.pattern)
        return Mechanism(split.place, fmt::format("'{}' is not what its parts make together", whole.name));
    }
  }

  // Of the layout, or by its text.
  bool IsBracket(TerminalIndex index) {
    const Terminal& terminal = At(index);
    std::string text = terminal.literal ? terminal.pattern : "";
    std::erase(text, '\\');
    if (text.size() == 1 && std::string_view("()[]{}").find(text[0]) != std::string_view::npos) return true;
    if (!result_.layout) return false;
    const auto& brackets = result_.layout->brackets;
    return std::any_of(brackets.begin(), brackets.end(),
                       [&](const auto& pair) { return pair.first == index || pair.second == index; });
  }

  void Terminator(const DirectiveLine& line) {
    constexpr std::string_view kForm = "%terminator \";\" at NEWLINE after NAME \")\"";
    if (result_.terminator) return Mechanism(line.place, "there is already a '%terminator'");
    const auto word = [&](size_t i, std::string_view text) {
      return i < line.arguments.size() && line.arguments[i].kind == TokenKind::kRuleName &&
             line.arguments[i].text == text;
    };
    if (line.arguments.size() < 5 || !word(1, "at"))
      return Mechanism(line.place, fmt::format("expected the terminator, 'at' and 'after' as in '{}'", kForm));
    TerminatorLine made;
    if (const auto index = Find(line, line.arguments[0])) made.terminal = *index;
    bool after = false;
    for (size_t i = 2; i < line.arguments.size() && !errors_.failed(); ++i) {
      if (!after && word(i, "after")) {
        after = true;
        continue;
      }
      const auto index = Find(line, line.arguments[i]);
      if (!index) return;
      if (after && *index == made.terminal)
        Mechanism(line.arguments[i].place, "behind the terminator a line end is blank: leave it out of 'after'");
      if (!after) Become(*index, TerminalKind::kLineEnd, line.arguments[i].place);
      (after ? made.after : made.line_ends).push_back(*index);
    }
    if (errors_.failed()) return;
    if (made.line_ends.empty() || made.after.empty())
      return Mechanism(line.end, fmt::format("expected terminals behind 'at' and behind 'after', as in '{}'", kForm));
    if (!terminals_.entries[made.terminal.value].in_rules)
      return Mechanism(line.place, fmt::format("the terminator '{}' stands in no rule", At(made.terminal).name));
    result_.terminator = std::move(made);
    line_place_ = line.place;
  }

  void Layout(const DirectiveLine& line) {
    constexpr std::string_view kForm = "%layout newline=NEWLINE indent=INDENT dedent=DEDENT brackets=\"()[]\"";
    if (result_.layout) return Mechanism(line.place, "there is already a '%layout'");
    LayoutLine layout;
    layout.place = line.place;
    std::set<std::string> seen;
    for (size_t i = 0; i < line.arguments.size(); i += 3) {
      const Token& key = line.arguments[i];
      if (key.kind != TokenKind::kRuleName || i + 2 >= line.arguments.size() || !line.arguments[i + 1].Is("=")) {
        return Mechanism(key.place, fmt::format("expected pairs as in '{}'", kForm));
      }
      const Token& value = line.arguments[i + 2];
      if (!seen.insert(key.text).second) return Mechanism(key.place, fmt::format("'{}=' stands twice", key.text));
      if (key.text == "newline") {
        if (const auto index = Find(line, value)) layout.newline = *index;
      } else if (key.text == "indent") {
        layout.indent = Find(line, value);
      } else if (key.text == "dedent") {
        layout.dedent = Find(line, value);
      } else if (key.text == "brackets") {
        Brackets(value, layout);
      } else {
        return Mechanism(key.place,
                         fmt::format("unknown key '{}=': there are newline, indent, dedent and brackets", key.text));
      }
      if (errors_.failed()) return;
    }
    if (seen.count("newline") == 0) return Mechanism(line.end, fmt::format("expected 'newline=', as in '{}'", kForm));
    CheckLayout(layout);
    result_.layout = std::move(layout);
  }

  void CheckLayout(const LayoutLine& layout) {
    const auto kind = [&](TerminalIndex index) { return At(index).kind; };
    if (kind(layout.newline) != TerminalKind::kToken || !terminals_.entries[layout.newline.value].in_rules) {
      Mechanism(layout.place, fmt::format("the newline terminal '{}' must have a definition and stand in a rule",
                                          At(layout.newline).name));
    }
    if (layout.indent.has_value() != layout.dedent.has_value())
      Mechanism(layout.place, "'indent=' and 'dedent=' go together: give both or none");
    for (const auto& index : {layout.indent, layout.dedent}) {
      if (index && kind(*index) != TerminalKind::kDeclared) {
        Mechanism(layout.place,
                  fmt::format("'{}' has a definition: '%declare' it instead, the layout makes it", At(*index).name));
      }
    }
    if (layout.indent && layout.indent == layout.dedent)
      Mechanism(layout.place, "'indent=' and 'dedent=' name the same terminal");
  }

  void Brackets(const Token& value, LayoutLine& layout) {
    if (value.kind != TokenKind::kString)
      return Mechanism(value.place, "expected the brackets in double quotes, as in brackets=\"()[]\"");
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
    if (found.size() % 2 != 0 || std::set<TerminalIndex>(found.begin(), found.end()).size() != found.size()) {
      return Mechanism(value.place, "expected pairs of different brackets, an opening and a closing one each");
    }
    for (size_t i = 0; i < found.size(); i += 2) layout.brackets.emplace_back(found[i], found[i + 1]);
  }

  TerminalTable& terminals_;
  ErrorSink& errors_;
  EncodingDirectives encoding_;
  Directives result_;
  std::vector<std::pair<TerminalIndex, TerminalIndex>> made_of_;  // %not_before, %unfinished: of which terminal, made
  std::vector<std::pair<TerminalIndex, Place>> not_last_, not_at_line_beginning_;  // %not_last, %forbid line_beginning
  std::optional<TerminalIndex> blocks_counted_;  // %most: the terminal that opens them
  std::set<std::string> name_sets_;
  std::set<TerminalIndex> kept_to_;                  // lines that lexemes keep to
  Place line_place_;                                 // of the last directive about line ends but %layout
  std::set<std::pair<std::string, uint32_t>> said_;  // directive and terminal, of those that are said once
};

}  // namespace

StartLine ReadStartAndDeclared(const std::vector<DirectiveLine>& lines, TerminalTable& terminals, ErrorSink& errors) {
  StartLine start;
  for (const DirectiveLine& line : lines) {
    if (line.name == "declare") {
      if (line.arguments.empty())
        errors.Fail(GrammarErrorCode::kMechanism, line.end, "expected at least one terminal name behind '%declare'");
      for (const Token& token : line.arguments) {
        if (token.kind != TokenKind::kTerminalName) {
          errors.Fail(GrammarErrorCode::kMechanism, token.place,
                      fmt::format("expected a terminal name behind '%declare', found {}", token.Describe()));
        } else {
          terminals.Declare(token.text, token.place);
        }
      }
    } else if (line.name == "start") {
      if (line.arguments.size() != 1 || line.arguments[0].kind != TokenKind::kRuleName) {
        const Place place = line.arguments.empty() ? line.end : line.arguments[line.arguments.size() > 1 ? 1 : 0].place;
        errors.Fail(GrammarErrorCode::kMechanism, place, "expected one rule name behind '%start'");
        continue;
      }
      if (start.place.line != 0)
        errors.Fail(GrammarErrorCode::kMechanism, line.place,
                    fmt::format("there is already a '%start' in line {}", start.place.line));
      start = {line.arguments[0].text, line.arguments[0].place};
    }
  }
  return start;
}

Directives ReadDirectives(const std::vector<DirectiveLine>& lines, TerminalTable& terminals, ErrorSink& errors) {
  if (errors.failed()) return {};
  return DirectiveReader(terminals, errors).Run(lines);
}

}  // namespace tenon::constraint
