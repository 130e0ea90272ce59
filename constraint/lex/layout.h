// Layout: how line ends, indentation and bracket depth turn lexemes into terminals (`%layout` and `%terminator` in a grammar).
//
// Inside brackets, and in any mode but the default one, a line end means nothing. Outside, it ends a line that had content (the newline terminal is shifted), and
// the column of the next line's first lexeme is compared with the columns of the open blocks: greater opens one (indent),
// smaller closes those above it (dedent) and must meet one exactly. Blank lines and lines of comments alone count for nothing.
// Columns are counted twice, with tab stops of 8 and of 1; the two must order alike, else the text is inconsistent.
//
// With `%terminator` a line end, or the end of the text, stands for a terminal where the terminal before it is one of a set, and is
// blank elsewhere: one bit, set by what was shifted last. With `%line_ends` a line end is blank and remembered up to the next token.
//
// Source: Python Language Reference, sections 2.1.5 to 2.1.9, https://docs.python.org/3/reference/lexical_analysis.html; the pair of
// columns is CPython's (Parser/tokenizer). A line joining in the indentation fixes the column unless it is 0, as there. The terminator:
// The Go Programming Language Specification, "Semicolons", https://go.dev/ref/spec#Semicolons.
// Cost: O(1) a byte; a dedent to a column k levels below costs k. Thread rule: LayoutState is a value; an arena belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/declared_names.h"
#include "constraint/lex/lexer.h"
#include "constraint/lex/modes.h"
#include "constraint/lex/scope.h"

namespace tenon::constraint {

struct IndentId {
  uint32_t value = 0;
  auto operator<=>(const IndentId&) const = default;
};

// Persistent stacks of open blocks, hash-consed: equal stacks have equal ids. Id 0: only the file itself, column 0.
class IndentArena {
 public:
  struct Block {
    IndentId below;
    uint16_t column = 0;      // tab stops of 8
    uint16_t alt_column = 0;  // tab stops of 1
    uint16_t open = 0;        // blocks, this one among them
  };
  IndentArena() : blocks_{Block{}} {}
  const Block& top(IndentId id) const { return blocks_[id.value]; }
  IndentId Push(IndentId below, uint16_t column, uint16_t alt_column);

 private:
  std::vector<Block> blocks_;
  std::unordered_map<uint64_t, uint32_t> ids_;
};

struct LayoutState {
  uint32_t depth = 0;   // open brackets
  IndentId indents;     // columns of the open blocks
  ModeStackId modes;    // what the next lexeme is read by
  uint16_t column = 0;  // of the line's first lexeme, tab stops of 8; meaningful while line_begin
  uint16_t alt_column = 0;
  bool line_begin = true;    // no content yet on this line, at depth 0
  bool counting = true;      // blanks still move the column
  bool line_seen = false;    // %line_ends: a line end lies behind the last token
  bool begun_given = false;  // the lexeme in progress began in L: what is forbidden to be begun there may go on
  bool ends_phrase = false;  // %terminator: a line end now stands for it
  bool levels_hold = false;  // what is given is read within `levels`; else it adds the levels that it uses
  PredicateBits levels = 0;  // %levels: on for the whole text
  NamesId names;             // %names: what is declared
  ScopeState scope;          // of what is written
  auto operator<=>(const LayoutState&) const = default;
};

// A terminal that the end of a lexeme gives rise to.
struct LayoutEvent {
  enum class Kind : uint8_t { kLexeme, kNewline, kIndent, kDedent, kTerminator } kind;
  uint16_t column = 0;  // kIndent: the block's column
};

class LayoutRules {
 public:
  // REQUIRES: no unused terminal.
  explicit LayoutRules(const Grammar& grammar);

  // A terminal of the layout that no rule uses without a predicate: the layout could not make it. Nothing: all is well.
  static std::optional<TerminalId> UnusedTerminal(const Grammar& grammar);

  bool active() const { return active_; }
  bool has_columns() const { return has_columns_; }
  // `%most`: is the block the last one that may be open?
  bool IsLast(const IndentArena::Block& block) const { return block.open >= most_blocks_; }
  // The column symbols of the layout's own terminals. REQUIRES: active(), has_columns() for the last two.
  SymbolId newline_column() const { return newline_; }
  SymbolId indent_column() const { return indent_; }
  SymbolId dedent_column() const { return dedent_; }

  bool remembers_line_ends() const { return remembers_line_ends_; }
  // May a lexeme be shifted as `column`, given whether a line end lies before it?
  bool Stands(SymbolId column, bool line_seen) const {
    if (line_conditions_.empty() || line_conditions_[column.value] == LineCondition::kNone) return true;
    return (line_conditions_[column.value] == LineCondition::kNewlineBefore) == line_seen;
  }
  // Those that may not stand behind a line end.
  std::span<const SymbolId> same_line_columns() const { return same_line_columns_; }
  // Does Stands depend on the line for it?
  bool AsksForLine(SymbolId column) const {
    return !line_conditions_.empty() && line_conditions_[column.value] != LineCondition::kNone;
  }
  // The column of what `%insert` inserts.
  std::optional<SymbolId> inserted() const { return inserted_; }
  bool has_terminator() const { return !terminator_given_.empty(); }
  // What a line end is shifted as where it stands for the terminator.
  const std::vector<SymbolId>& terminator_columns(bool emitted) const {
    return emitted ? terminator_emit_ : terminator_given_;
  }
  // After this column, does a line end stand for the terminator?
  bool EndsPhrase(SymbolId column) const { return !ends_phrase_.empty() && ends_phrase_[column.value]; }

  // A byte of the lexeme in progress has been read: moves the column at the beginning of a line.
  void ReadByte(uint8_t byte, LayoutState& state) const;
  // `lexeme` has ended: appends the terminals that it stands for. False: inconsistent columns, a block or a closing bracket too many.
  bool End(const Lexeme& lexeme, IndentArena& arena, LayoutState& state, std::vector<LayoutEvent>& events) const;
  // The text has ended: a newline that is missing, and the blocks still open. False: an open bracket is left.
  bool EndOfText(IndentArena& arena, LayoutState& state, std::vector<LayoutEvent>& events) const;

 private:
  bool BeginLine(IndentArena& arena, LayoutState& state, std::vector<LayoutEvent>& events) const;

  bool active_ = false;
  bool has_columns_ = false;
  uint16_t most_blocks_ = 0xffff;
  SymbolId newline_, indent_, dedent_;
  std::vector<SymbolId> terminator_given_, terminator_emit_;
  std::vector<bool> ends_phrase_;  // [column]
  bool remembers_line_ends_ = false;
  std::vector<LineCondition> line_conditions_;  // [column]
  std::vector<SymbolId> same_line_columns_;
  std::optional<SymbolId> inserted_;
};

// The column behind `column` after a blank; a form feed begins anew.
uint16_t NextColumn(uint16_t column, uint8_t byte, uint16_t tab);

}  // namespace tenon::constraint
