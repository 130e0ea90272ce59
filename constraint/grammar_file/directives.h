// Directives: the lines of a grammar file that begin with '%'.
//
// Rules and terminals say which texts there are; directives say everything else: ignored terminals,
// indentation, modes, forms that tenon writes. Example: `%layout newline=NL brackets="()"` makes
// line ends count, except between parentheses. Their meaning, one by one, stands in
// docs/grammar_directives.md.
//
// Reading goes in two steps. `%context`, `%parameter`, `%declare` and `%start` come first, because
// rules need the names. All others come after the rules, because directives name literals
// (`%soft "match"`) that only the rules bring in.
//
// A directive about a single terminal (`%poison`, `%emit`) marks the terminal in the table. A
// directive about several leaves a struct of this header, still in the reader's numbers; the
// assembler turns it into a struct of grammar/mechanisms.h.
//
// Source: the directives are tenon's own, except `%ignore`, `%declare` and `%import`, which are
// Lark's.
// Cost: linear in the arguments. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/syntax.h"
#include "constraint/grammar_file/terminal_table.h"

namespace tenon::constraint {

struct LayoutLine {
  FilePlace place;
  TerminalIndex newline;
  std::optional<TerminalIndex> indent, dedent;
  std::vector<std::pair<TerminalIndex, TerminalIndex>> brackets;
};

struct TerminatorLine {
  TerminalIndex terminal;
  std::vector<TerminalIndex> line_ends, after;
};

// `%mode NAME [default [without …] [with]] …`: with `like_default` the terminals of the default
// mode except `without`; in any case `terminals`.
struct ModeLine {
  std::string name;
  FilePlace place;
  bool like_default = false;
  std::vector<TerminalIndex> without, terminals;
};

struct FallbackMention {
  TerminalIndex keyword, stands_for;
};

struct InsertionLine {
  TerminalIndex terminal;
  std::vector<TerminalIndex> before;
  FilePlace place;
};

struct ApartLine {
  std::vector<TerminalIndex> terminals, rivals;
  FilePlace place;
};

struct SplitLine {
  TerminalIndex terminal;
  std::vector<TerminalIndex> parts;
  FilePlace place;
};

struct LimitLine {
  std::vector<ModeId> modes;  // none: the layout's blocks
  uint16_t most = 0;
  std::string what;
  FilePlace place;
};

struct LexemeRuleLine {
  LexemeRule rule;  // without its terminals
  std::vector<TerminalIndex> terminals;
  FilePlace place;
};

struct LevelMention {
  std::string predicate;
  FilePlace place;
};

struct NamesLine {
  std::vector<std::string> sets;
  std::vector<std::pair<TerminalIndex, TerminalIndex>> scopes;
  FilePlace place;
};

struct StartLine {
  std::string rule = "start";
  FilePlace place;  // line 0: the file has no %start
};

// A terminal that a directive names, kept for a check at the end: the terminal must not be a mere
// part of other terminals, since such a part has no lexemes.
struct TerminalMention {
  TerminalIndex terminal;
  std::string directive;
  FilePlace place;
};

struct Directives {
  std::optional<LayoutLine> layout;
  std::optional<TerminatorLine> terminator;
  std::vector<FallbackMention> fallbacks;
  std::vector<ModeLine> modes;              // without the default one
  std::vector<TerminalIndex> default_mode;  // of the default mode although another mode lists them
  bool remembers_line_ends = false;
  std::vector<SplitLine> splits;
  std::optional<InsertionLine> insertion;
  std::vector<ApartLine> apart;
  std::vector<LimitLine> limits;
  std::optional<EncodingDeclaration> encoding;
  std::vector<LexemeRuleLine> lexeme_rules;
  std::vector<LevelMention> levels;  // ascending
  std::vector<NamesLine> names;
  std::vector<Region> regions;
  std::vector<TerminalMention> mentions;
};

// Reads `%start`. That of an importing file counts, else that of the imported one.
StartLine ReadStart(const std::vector<DirectiveLine>& lines, ErrorSink& errors);
// Reads `%declare`; adds the declared terminals to `terminals`.
void ReadDeclared(const std::vector<DirectiveLine>& lines, TerminalTable& terminals,
                  ErrorSink& errors);
// Reads all other directives; marks the terminals in `terminals`.
Directives ReadDirectives(const std::vector<DirectiveLine>& lines, TerminalTable& terminals,
                          ErrorSink& errors);

// A predicate as a condition on names: with `%names type`, `type` is {kIsIn, 0} and `not_type` is
// {kIsNotIn, 0}.
struct NameCondition {
  NameUse use = NameUse::kNone;
  uint8_t set = 0;  // counted through all lines of `%names`
};
NameCondition NameConditionOf(const std::vector<NamesLine>& lines, std::string_view predicate);

}  // namespace tenon::constraint
