// Mechanisms: the parts of a language that neither rules nor regular expressions say. Each has a
// directive in the grammar file, a struct here, and a section in docs/grammar_directives.md.
//
//   directive                  struct                 example
//   %layout                    Layout                 Python's indentation
//   %terminator                Terminator             Go's semicolons at line ends
//   %insert                    Insertion              JavaScript's semicolons at errors
//   %split                     Split                  `>>` also closes two lists of types
//   %mode %push %switch %pop   Mode                   the text of an f-string and its fields
//   %most N … MODE             NestingLimit           200 open brackets at most
//   %encoding %charset         EncodingDeclaration    `# -*- coding: latin-1 -*-`
//   %most N … in TERM          LexemeRule             4,300 digits of an integer at most
//   %character_names           LexemeRule             the name in `\N{bullet}`
//   %names                     NameLine               `T * x;` by what T was declared as
//
// A grammar has the mechanisms that its file names and no others: JSON has none.
// Thread rule: plain values.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "constraint/grammar/symbols.h"

namespace tenon::constraint {

// `%layout`: line ends count, and with `indent` and `dedent` the columns of first lexemes open and
// close blocks.
// Source: The Python Language Reference, section 2.1.
struct Layout {
  // Matches one physical line end. The parser sees it at bracket depth 0.
  TerminalId newline;
  // Absent: lines count, columns do not.
  std::optional<TerminalId> indent, dedent;
  // Open, close: line ends between them are ignored.
  std::vector<std::pair<TerminalId, TerminalId>> brackets;
};

// `%terminator`: a line end stands for a terminal where the terminal before it can end a phrase.
// Source: The Go Programming Language Specification, "Semicolons".
struct Terminator {
  TerminalId terminal;                // the meaning of a line end, or of the end of the text
  std::vector<TerminalId> line_ends;  // kLineEnd
  std::vector<TerminalId> after;      // after these; after others a line end is blank
};

// `%insert`: a terminal without a lexeme that stands before a lexeme that does not fit: after a
// line end, before some terminals, and at the end of the text.
// Source: ECMAScript Language Specification, "Automatic Semicolon Insertion".
struct Insertion {
  TerminalId terminal;
  std::vector<TerminalId> before;
};

// A line of `%apart`: a lexeme of one of `terminals` may begin where one of a rival does. The
// parser chooses, and a rival that fits comes first. JavaScript's `/` divides or begins a regular
// expression.
struct Apart {
  std::vector<TerminalId> terminals;  // ascending
  std::vector<TerminalId> rivals;     // ascending
};

// `%split`: a lexeme of `terminal` may also be read as these, one after the other.
struct Split {
  TerminalId terminal;
  std::vector<TerminalId> parts;  // two or more
};

// `%mode`: the set of terminals that lexemes are read by while the mode is on top of the stack of
// modes.
struct Mode {
  std::string name;
  std::vector<TerminalId> terminals;  // ascending
};

// `%most`: so many modes of a set, or blocks of the layout, may be open at once, counted from the
// beginning of the text.
struct NestingLimit {
  uint64_t modes = 0;  // bits of ModeId
  bool blocks = false;
  uint16_t most = 0;
  std::string what;  // for messages: "brackets"
};
inline constexpr size_t kMaxNestingLimits = 4;

// `%charset`: an encoding that a file may declare.
struct Charset {
  std::string converter;  // the name that iconv has for it
  // Plain names (charset_name.h). "latin_1_*" stands for all that begin with "latin_1_".
  std::vector<std::string> names;
  bool with_mark = false;  // may be declared after a byte order mark
};

// `%encoding`: how a file says in which encoding its bytes are.
// Source: The Python Language Reference, "Encoding declarations".
struct EncodingDeclaration {
  // Regular expressions of the text between the file's beginning and the name, and of the name.
  std::string before, before_flags;
  std::string name, name_flags;
  std::vector<Charset> charsets;
};

// A condition on lexemes besides their pattern. Two kinds:
// - `%most` with a pattern: a lexeme has at most so many bytes of a set. Example: 4,300 digits.
// - `%character_names`: the text between an opener and a closer is the name of a character.
//   Example: `\N{bullet}`. The opener's first byte takes the byte after it along: in `\\N{` the
//   first backslash escapes the second, and no name begins.
struct LexemeRule {
  std::vector<TerminalId> terminals;  // whose lexemes keep to it; ascending
  bool names = false;                 // else bytes are counted
  uint32_t most = 0;
  std::bitset<256> counted;
  std::string what;  // for messages: "digits"
  std::string opener, closer;
};
inline constexpr size_t kMaxLexemeRules = 8;
inline constexpr size_t kMaxOpener = 8;  // bytes

// `%region`: a node of a tree-sitter tree whose parts can be completed where the text around them
// is broken, and the texts that stand in for the broken text. The engine reads none of it.
struct Region {
  std::string node;                  // the kind of the node
  std::vector<std::string> parents;  // kinds of the node or construct around it; none: any
  std::string token;                 // a token that the node around it has; empty: any
  std::string before, after;         // the texts that stand in for what encloses the parts
  std::string filler;                // stands in for a part that is left out; empty: nothing does
};

// `%names`: sets of names that a text declares. A name is in the set that declared it last.
struct NameLine {
  std::vector<std::string> sets;
  // The opener and the closer of a scope: names declared after the first are forgotten at the
  // second.
  std::vector<std::pair<TerminalId, TerminalId>> scopes;
};
inline constexpr size_t kMaxNameSets = 16;  // of all lines
// `#type` asks for a name of the set, `#not_type` for one that is not in it, `#new_type` declares
// one, `#enclosing_type` asks for the one declared last before the innermost scope.
inline constexpr std::string_view kNotIn = "not_", kDeclaring = "new_", kEnclosing = "enclosing_";

}  // namespace tenon::constraint
