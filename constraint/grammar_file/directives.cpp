#include "constraint/grammar_file/directives.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "constraint/grammar_file/directive_part.h"
#include "constraint/grammar_file/encoding_directives.h"
#include "constraint/grammar_file/lexeme_directives.h"
#include "constraint/grammar_file/line_directives.h"
#include "constraint/grammar_file/mode_directives.h"
#include "constraint/grammar_file/region_directives.h"

namespace tenon::constraint {
namespace {

// The directives about single terminals, and who reads the others.
class DirectiveReader : private DirectivePart {
 public:
  DirectiveReader(TerminalTable& terminals, ErrorSink& errors, Directives& result)
      : DirectivePart(terminals, errors, result),
        encoding_(terminals, errors),
        lexemes_(terminals, errors, result),
        lines_(terminals, errors, result),
        modes_(terminals, errors, result),
        regions_(terminals, errors, result) {}

  void Run(const std::vector<DirectiveLine>& lines) {
    modes_.NameModes(lines);
    for (const DirectiveLine& line : lines) {
      if (!errors_.failed()) Read(line);
    }
    if (!errors_.failed()) lines_.Check();
    if (!errors_.failed()) modes_.Check(lexemes_.made_of());
    if (!errors_.failed()) lexemes_.CheckSplits();
    if (!errors_.failed()) result_.encoding = encoding_.Finish();
  }

 private:
  void Read(const DirectiveLine& line) {
    using Reader = DirectiveReader;
    using Line = DirectiveLine;
    static const std::map<std::string_view, void (*)(Reader&, const Line&)> kHandlers = {
        {"ignore", [](Reader& r, const Line& line) { r.Ignore(line); }},
        {"poison", [](Reader& r, const Line& line) { r.Poison(line); }},
        {"soft", [](Reader& r, const Line& line) { r.Soft(line); }},
        {"delimited", [](Reader& r, const Line& line) { r.Delimited(line); }},
        {"emit", [](Reader& r, const Line& line) { r.Emit(line); }},
        {"spell", [](Reader& r, const Line& line) { r.Spell(line); }},
        {"describe", [](Reader& r, const Line& line) { r.Describe(line); }},
        {"layout", [](Reader& r, const Line& line) { r.lines_.Layout(line); }},
        {"terminator", [](Reader& r, const Line& line) { r.lines_.Terminator(line); }},
        {"fallback", [](Reader& r, const Line& line) { r.Fallback(line); }},
        {"levels", [](Reader& r, const Line& line) { r.Levels(line); }},
        {"line_ends", [](Reader& r, const Line& line) { r.lines_.LineEnds(line); }},
        {"mode", [](Reader& r, const Line& line) { r.modes_.Mode(line); }},
        {"push", [](Reader& r, const Line& line) { r.modes_.Push(line); }},
        {"switch", [](Reader& r, const Line& line) { r.modes_.Switch(line); }},
        {"pop", [](Reader& r, const Line& line) { r.modes_.Pop(line); }},
        {"forbid", [](Reader& r, const Line& line) { r.modes_.Forbid(line); }},
        {"not_last", [](Reader& r, const Line& line) { r.lines_.NotLast(line); }},
        {"not_before", [](Reader& r, const Line& line) { r.lexemes_.NotBefore(line); }},
        {"unfinished", [](Reader& r, const Line& line) { r.lexemes_.Unfinished(line); }},
        {"split", [](Reader& r, const Line& line) { r.lexemes_.Split(line); }},
        {"insert", [](Reader& r, const Line& line) { r.lines_.Insert(line); }},
        {"most", [](Reader& r, const Line& line) { r.Most(line); }},
        {"encoding", [](Reader& r, const Line& line) { r.encoding_.ReadEncoding(line); }},
        {"charset", [](Reader& r, const Line& line) { r.encoding_.ReadCharset(line); }},
        {"character_names", [](Reader& r, const Line& line) { r.lexemes_.CharacterNames(line); }},
        {"apart", [](Reader& r, const Line& line) { r.lexemes_.Apart(line); }},
        {"names", [](Reader& r, const Line& line) { r.lexemes_.Names(line); }},
        {"region", [](Reader& r, const Line& line) { r.regions_.Region(line); }},
    };
    if (line.name == "declare" || line.name == "start") return;
    const auto handler = kHandlers.find(line.name);
    if (handler == kHandlers.end()) {
      errors_.Fail(
          GrammarErrorCode::kSyntax, line.place,
          fmt::format("unknown directive '%{}': there are apart, character_names, charset, "
                      "context, declare, delimited, describe, emit, encoding, fallback, forbid, "
                      "ignore, insert, layout, levels, line_ends, mode, most, names, not_before, "
                      "not_last, parameter, poison, pop, push, region, soft, spell, split, start, "
                      "switch, terminator and unfinished",
                      line.name));
      return;
    }
    handler->second(*this, line);
  }

  void Levels(const DirectiveLine& line) {
    if (!result_.levels.empty())
      Mechanism(line.place, "a second '%levels': one line names them all, in ascending order");
    if (line.arguments.empty())
      Mechanism(line.end, "expected the names of predicates behind '%levels'");
    for (const ScannedLexeme& argument : line.arguments) {
      if (argument.kind != ScannedKind::kRuleName)
        return Mechanism(
            argument.place,
            fmt::format("expected a predicate's lower case name behind '%levels', found {}",
                        argument.Describe()));
      const auto twice = [&](const LevelMention& level) {
        return level.predicate == argument.text;
      };
      if (std::any_of(result_.levels.begin(), result_.levels.end(), twice))
        return Mechanism(argument.place,
                         fmt::format("the level '{}' is named twice", argument.text));
      result_.levels.push_back({argument.text, argument.place});
    }
  }

  void Ignore(const DirectiveLine& line) {
    if (line.arguments.size() != 1) {
      Enough(line, 1, "TERMINAL' or '%ignore /regular expression/");
      return;
    }
    const ScannedLexeme& argument = line.arguments[0];
    std::optional<TerminalIndex> index;
    if (argument.kind == ScannedKind::kRegex)
      index = terminals_.Regex(argument.text, argument.flags, argument.place);
    else if (argument.kind == ScannedKind::kString)
      index = terminals_.Literal(argument.text, argument.flags, argument.place);
    else
      index = Find(line, argument);
    if (index) Become(*index, TerminalKind::kIgnored, argument.place);
  }

  void Poison(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, FilePlace place) {
      Become(index, TerminalKind::kPoison, place);
    });
  }
  void Soft(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, FilePlace) { At(index).soft = true; });
  }
  void Delimited(const DirectiveLine& line) {
    ForEach(line, [&](TerminalIndex index, FilePlace) { At(index).delimited = true; });
  }

  // Reads `%NAME TERMINAL argument`, at most once for a terminal.
  std::optional<TerminalIndex> FindOnce(const DirectiveLine& line, std::string_view form) {
    return Enough(line, 2, form) ? Once(line, line.arguments[0]) : std::nullopt;
  }

  // The terminal that `argument` names. Reports a second line of the same directive for it.
  std::optional<TerminalIndex> Once(const DirectiveLine& line, const ScannedLexeme& argument) {
    const auto index = Find(line, argument);
    if (!index) return std::nullopt;
    const auto [said, fresh] = said_.emplace(std::pair(line.name, index->value), line.place.file);
    if (!fresh && said->second == line.place.file) {
      Mechanism(line.place, fmt::format("'%{}' is already said of '{}': remove one of the two",
                                        line.name, At(*index).name));
    }
    said->second = line.place.file;  // after a file that it imports, whose line no longer counts
    return index;
  }

  void Emit(const DirectiveLine& line) {
    const auto index = FindOnce(line, "TERMINAL never' or '%emit TERMINAL /regular expression/");
    if (!index) return;
    const ScannedLexeme& how = line.arguments[1];
    At(*index).emitted = true;
    At(*index).emit_pattern.clear();
    At(*index).emit_flags.clear();
    if (how.kind == ScannedKind::kRuleName && how.text == "never") {
      At(*index).emitted = false;
    } else if (how.kind == ScannedKind::kRegex && At(*index).kind != TerminalKind::kDeclared) {
      if (!terminals_.CheckRegex(how.text, how.flags, how.place)) return;
      if (how.text.empty()) Mechanism(how.place, "the emit pattern matches the empty text");
      At(*index).emit_pattern = how.text;
      At(*index).emit_flags = how.flags;
    } else {
      Mechanism(how.place,
                fmt::format("expected 'never' or a regular expression behind '%emit {}', found {}",
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
    const ScannedLexeme& argument = line.arguments.back();
    if (argument.kind != ScannedKind::kString || argument.text.empty() || !argument.flags.empty()) {
      Mechanism(argument.place,
                fmt::format("expected a text in double quotes behind '%{} {}', found {}", line.name,
                            line.arguments[0].text, argument.Describe()));
    }
    return argument.text;
  }

  void Fallback(const DirectiveLine& line) {
    if (line.arguments.size() < 2)
      return Mechanism(
          line.end,
          "expected a terminal and those that fall back to it, as in '%fallback NAME \"key\"'");
    const auto target = Find(line, line.arguments[0]);
    for (size_t i = 1; i < line.arguments.size() && target && !errors_.failed(); ++i) {
      const FilePlace place = line.arguments[i].place;
      const auto keyword = Find(line, line.arguments[i]);
      if (!keyword) return;
      if (!terminals_.entries[target->value].in_rules ||
          !terminals_.entries[keyword->value].in_rules)
        return Mechanism(
            place, "a terminal that falls back, and the one it falls back to, stand in rules");
      for (const FallbackMention& other : result_.fallbacks) {
        if (other.keyword == *keyword)
          Mechanism(place, fmt::format("'{}' already falls back to '{}'", At(*keyword).name,
                                       At(other.stands_for).name));
      }
      result_.fallbacks.push_back({*keyword, *target});
      for (const FallbackMention& other : result_.fallbacks) {
        if (other.keyword == *target || other.stands_for == *keyword)
          Mechanism(place, "what is fallen back to does not itself fall back");
      }
    }
  }

  void Most(const DirectiveLine& line) {
    if (LexemeDirectives::CountsBytes(line))
      lexemes_.MostBytes(line);
    else
      modes_.Most(line);
  }

  EncodingDirectives encoding_;
  LexemeDirectives lexemes_;
  LineDirectives lines_;
  ModeDirectives modes_;
  RegionDirectives regions_;
  // (directive, terminal) of directives that may name a terminal once in a file, and the last file.
  std::map<std::pair<std::string, uint32_t>, uint32_t> said_;
};

}  // namespace

StartLine ReadStart(const std::vector<DirectiveLine>& lines, ErrorSink& errors) {
  StartLine start;
  for (const DirectiveLine& line : lines) {
    if (line.name != "start") continue;
    if (line.arguments.size() != 1 || line.arguments[0].kind != ScannedKind::kRuleName) {
      const FilePlace place = line.arguments.empty()
                                  ? line.end
                                  : line.arguments[line.arguments.size() > 1 ? 1 : 0].place;
      errors.Fail(GrammarErrorCode::kMechanism, place, "expected one rule name behind '%start'");
      continue;
    }
    const FilePlace before = start.place;
    if (before.line != 0 && before.file == line.place.file)
      errors.Fail(GrammarErrorCode::kMechanism, line.place,
                  fmt::format("there is already a '%start' in line {}", before.line));
    start = {line.arguments[0].text, line.arguments[0].place};
  }
  return start;
}

void ReadDeclared(const std::vector<DirectiveLine>& lines, TerminalTable& terminals,
                  ErrorSink& errors) {
  for (const DirectiveLine& line : lines) {
    if (line.name != "declare") continue;
    if (line.arguments.empty())
      errors.Fail(GrammarErrorCode::kMechanism, line.end,
                  "expected at least one terminal name behind '%declare'");
    for (const ScannedLexeme& argument : line.arguments) {
      if (argument.kind != ScannedKind::kTerminalName) {
        errors.Fail(GrammarErrorCode::kMechanism, argument.place,
                    fmt::format("expected a terminal name behind '%declare', found {}",
                                argument.Describe()));
      } else {
        terminals.Declare(argument.text, argument.place);
      }
    }
  }
}

Directives ReadDirectives(const std::vector<DirectiveLine>& lines, TerminalTable& terminals,
                          ErrorSink& errors) {
  Directives result;
  if (!errors.failed()) DirectiveReader(terminals, errors, result).Run(lines);
  return result;
}

NameCondition NameConditionOf(const std::vector<NamesLine>& lines, std::string_view predicate) {
  uint8_t number = 0;
  for (const NamesLine& line : lines) {
    for (const std::string& set : line.sets) {
      if (predicate == set) return {NameUse::kIsIn, number};
      if (predicate.ends_with(set)) {
        const std::string_view before = predicate.substr(0, predicate.size() - set.size());
        if (before == kNotIn) return {NameUse::kIsNotIn, number};
        if (before == kDeclaring) return {NameUse::kDeclares, number};
        if (before == kEnclosing) return {NameUse::kIsEnclosing, number};
      }
      ++number;
    }
  }
  return {};
}

}  // namespace tenon::constraint
