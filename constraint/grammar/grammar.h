// A grammar after reading: terminals with regular expressions, and rules over symbols in epsilon-free form.
//
// The given text of a grammar file (the Lark dialect of docs/grammars.md) is turned into this once. Two languages are
// described by one object: what is *accepted* (text that a person wrote) and what is *emitted* (text that tenon writes),
// the second a subset of the first. An occurrence of a terminal in a rule may carry a predicate (`","#given`); every
// distinct (terminal, predicate) pair is a *column*, a terminal symbol of the LR table of its own. A given lexeme of
// terminal T stands for all columns of T; an emitted one for the plain column and those whose predicate bit is on.
//
// Epsilon-free form: no rule has an empty right side, so no parser state needs nullable bookkeeping; `start_nullable`
// says whether the empty text belongs to the language. L(grammar) is unchanged by the transformation.
//
// Source: Hopcroft, Motwani, Ullman, Introduction to Automata Theory, section 7.1 (removing epsilon and useless symbols).
// Cost: rules grow by 2^k for k optional parts in one alternative. Python's grammar: see docs/measured.md.
// Thread rule: immutable after construction.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace tenon::constraint {

struct TerminalId {
  uint16_t value = 0;
  auto operator<=>(const TerminalId&) const = default;
};
struct PredicateId {
  uint16_t value = 0;
  auto operator<=>(const PredicateId&) const = default;
};
// Columns are 0 .. columns.size()-1, nonterminals follow.
struct SymbolId {
  uint16_t value = 0;
  auto operator<=>(const SymbolId&) const = default;
};
struct ModeId {
  uint8_t value = 0;
  auto operator<=>(const ModeId&) const = default;
};
struct RuleId {
  uint32_t value = 0;
  auto operator<=>(const RuleId&) const = default;
};

// Sets of predicates, by PredicateId. Bit 0, `given`, is never on.
using PredicateBits = uint32_t;
inline constexpr size_t kMaxPredicates = 32;

// What a part of a rule changes about the predicates that hold within it: `block#+in_function#-in_loop`.
struct ContextChange {
  PredicateBits on = 0, off = 0;
  bool empty() const { return on == 0 && off == 0; }
  PredicateBits Applied(PredicateBits context) const { return (context & ~off) | on; }
  bool operator==(const ContextChange&) const = default;
};

// The predicate that never holds for emitted text.
inline constexpr PredicateId kGivenPredicate{0};

enum class TerminalKind : uint8_t {
  kToken,    // stands in rules
  kIgnored,  // %ignore: shapes no parse
  kPoison,   // %poison: absorbs an ill-formed lexeme by longest match; a text that holds one is invalid
  kLineEnd,  // of %terminator, %line_ends: a line end, or a comment that holds one; blank, or the terminator, or remembered
  kDeclared,  // %declare: has no lexeme, a mechanism makes it (INDENT, DEDENT)
};

// What a lexeme does to the stack of modes when it has ended (`%push`, `%switch`, `%pop`).
struct ModeAction {
  enum class Kind : uint8_t { kNone, kPush, kSwitch, kPop } kind = Kind::kNone;
  ModeId mode;  // kPush, kSwitch: what is on top behind it
  auto operator<=>(const ModeAction&) const = default;
};

struct Terminal {
  std::string name;           // as `expected` prints it: NAME, LPAR, IF
  std::string pattern;        // regular expression over code points (empty for kDeclared); literals are escaped
  std::string pattern_flags;  // Lark's flags behind the pattern: any of "imsx"
  bool literal = false;       // given as a string, not as a /regex/
  int priority = 0;           // TERM.N
  TerminalKind kind = TerminalKind::kToken;
  bool soft = false;       // %soft: its lexeme also counts as the next matching terminal (soft keywords)
  bool delimited = false;  // %delimited: comment, string: one opened by emitted text closes in emitted text
  bool emitted = true;     // false: `%emit T never`
  ModeAction action;
  // `%forbid`: bits of modes; while one is on the stack none is begun by what is emitted. kLineBeginning: on a line without content.
  uint64_t not_within = 0;
  bool not_last = false;     // `%not_last`: no text ends with its lexeme
  std::string emit_pattern;  // empty: as `pattern`
  std::string emit_flags;
  std::string spelling;     // `%spell T "text"`: preferred lexeme in closing texts; empty: a shortest one
  std::string description;  // `%describe T "a name"`: for messages; empty: the literal in quotes, else the name
};

// `%line_ends`: where a column may stand, by whether a line end lies between its lexeme and the token before.
enum class LineCondition : uint8_t { kNone, kNoNewline, kNewlineBefore };

// `%names`: what the text of a column's lexeme is among the names that the text before has declared, or becomes.
enum class NameUse : uint8_t { kNone, kIsIn, kIsNotIn, kDeclares };

struct Column {
  TerminalId terminal;
  std::optional<PredicateId> predicate;
  // `%fallback`: the column that this one is read as where the parser knows nothing else to do with the terminal. In no rule.
  std::optional<SymbolId> reads_as = std::nullopt;
  LineCondition line = LineCondition::kNone;
  PredicateBits levels = 0;           // of `%levels`: a given text that holds it has these
  NameUse name_use = NameUse::kNone;  // kIsIn: it has a predicate as well, which no rule turns on
  uint8_t name_set = 0;               // its set, counted through all lines of `%names`
};

struct Rule {
  SymbolId head;               // a nonterminal
  std::vector<SymbolId> body;  // never empty
};

// `%layout`: newline-sensitive lexing by indentation (Python Language Reference, section 2.1).
struct Layout {
  TerminalId newline;                        // matches one physical line end; a token when at bracket depth 0
  std::optional<TerminalId> indent, dedent;  // absent: lines count, columns do not
  std::vector<std::pair<TerminalId, TerminalId>> brackets;  // open, close: line ends between them are ignored
};

// `%terminator`: a line end stands for a terminal where the terminal before it can end a phrase (The Go Programming
// Language Specification, "Semicolons").
struct Terminator {
  TerminalId terminal;                // what a line end, or the end of the text, stands for
  std::vector<TerminalId> line_ends;  // kLineEnd
  std::vector<TerminalId> after;      // behind these; behind others a line end is blank
};

// `%insert`: a terminal without a lexeme that stands where the next token does not fit, behind a line end, before some terminals, and at
// the end of the text (ECMAScript Language Specification, "Automatic Semicolon Insertion").
struct Insertion {
  TerminalId terminal;
  std::vector<TerminalId> before;
};

// `%split`: a lexeme of `terminal` may also be read as these, one behind the other.
struct Split {
  TerminalId terminal;
  std::vector<TerminalId> parts;  // two or more
};

// `%mode`: a set of terminals that lexemes are read by while it is on top of the stack of modes.
struct Mode {
  std::string name;
  std::vector<TerminalId> terminals;  // ascending
};
// Sets of modes are bits of a word; one is left for the beginning of a line, which `%forbid` takes like a mode.
inline constexpr size_t kMaxModes = 63;
inline constexpr uint64_t kLineBeginning = uint64_t{1} << kMaxModes;

// `%most`: so many of these may be open at once, counted from the beginning of the text. `blocks`: those of the layout; else the modes of a set.
struct NestingLimit {
  uint64_t modes = 0;  // bits of ModeId
  bool blocks = false;
  uint16_t most = 0;
  std::string what;  // for messages: "brackets"
};
inline constexpr size_t kMaxNestingLimits = 4;

// `%charset`: an encoding that a file may declare.
struct Charset {
  std::string converter;           // what iconv calls it
  std::vector<std::string> names;  // plain (charset_name.h); "latin_1_*": all that begin with "latin_1_"
  bool with_mark = false;          // may be declared behind a byte order mark
};

// `%encoding`: how a file says in which encoding its bytes are (The Python Language Reference, "Encoding declarations").
struct EncodingDeclaration {
  std::string before, before_flags;  // regular expression of what stands between the file's beginning and the name
  std::string name, name_flags;      // and of the name
  std::vector<Charset> charsets;
};

// What a lexeme must keep to besides its pattern. `%most` with a pattern: at most so many bytes of it are of a set. `%character_names`: what
// stands between an opener, whose first byte takes the one behind it along, and a closer is the name of a character.
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

// `%names`: sets of names that a text declares. A name is in the one that declared it last.
struct NameLine {
  std::vector<std::string> sets;
  // What is declared behind the first is forgotten at the second.
  std::vector<std::pair<TerminalId, TerminalId>> scopes;
};
inline constexpr size_t kMaxNameSets = 16;  // of all lines
// `#type` asks for a name of the set, `#not_type` for one that is not in it, `#new_type` declares one.
inline constexpr std::string_view kNotIn = "not_", kDeclaring = "new_";

struct Grammar {
  std::string path;                 // for messages
  std::vector<Terminal> terminals;  // in order of decreasing precedence: priority, then literal, then definition order
  std::vector<std::string> predicates;  // [0] = "given"
  std::vector<Column> columns;
  std::vector<std::string> nonterminals;  // name of symbol columns.size() + i
  std::vector<ContextChange> changes;     // [nonterminal]
  std::vector<Rule> rules;                // reduced: every symbol productive and reachable
  SymbolId start;
  bool start_nullable = false;
  std::vector<Mode> modes;          // [0] that of a text's beginning and end; empty: there is one mode
  std::vector<PredicateId> levels;  // `%levels`: each includes those before it
  std::optional<Layout> layout;
  std::optional<Terminator> terminator;
  bool remembers_line_ends = false;  // `%line_ends`
  std::vector<Split> splits;
  std::optional<Insertion> insertion;
  std::vector<NestingLimit> limits;      // kMaxNestingLimits at most, of blocks one
  std::vector<LexemeRule> lexeme_rules;  // kMaxLexemeRules at most
  std::optional<EncodingDeclaration> encoding;
  std::vector<NameLine> names;
  bool one_lexeme = false;  // a text is one lexeme: what is unfinished is poison, however long it goes on

  ContextChange ChangeOf(SymbolId s) const { return IsColumn(s) ? ContextChange{} : changes[s.value - columns.size()]; }
  bool IsColumn(SymbolId s) const { return s.value < columns.size(); }
  size_t symbol_count() const { return columns.size() + nonterminals.size(); }
  // The predicates of `%levels` up to the one of this name; none for "". Error: there is no such level, and which there are.
  tl::expected<PredicateBits, std::string> LevelsUpTo(std::string_view name) const;
  // Of all lines of `%names`, by Column::name_set.
  const std::string& NameSet(uint8_t set) const;
  // Name with predicate for a column ("COMMA#given"), name of a nonterminal otherwise.
  std::string SymbolName(SymbolId s) const;
  // Every rule, one a line: for tests and for a reader of a bug report.
  std::string Dump() const;
};

}  // namespace tenon::constraint
