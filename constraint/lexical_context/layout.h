// Layout: indentation and bracket depth turn line ends into terminals (`%layout` in a grammar).
//
// Outside of brackets a line end is a terminal when its line had content, and the column of the
// next line's first lexeme opens or closes blocks. Terminals for this text, with the layout's own
// in capitals:
//
//   if a:          if a : NEWLINE
//       b          INDENT b NEWLINE         column 4 > column 0
//
//       c(         c (                      the blank line is nothing
//     d)           d ) NEWLINE              inside brackets line ends and columns are nothing
//   e              DEDENT e NEWLINE         column 0 < column 4
//
//   column(line) > column(top block):  INDENT, a block of that column is pushed
//   column(line) < column(top block):  DEDENT for each block above the column; it must meet one
//   exactly
//   otherwise:                         nothing
//
// Exceptions, one at a time:
// - Lines with comments alone are like blank lines: `  # c` opens no block.
// - Columns are counted twice, with tab stops of 8 and of 1, and the two must order alike. A line
// with a
//   tab, then a line of 8 blanks is inconsistent: both are at column 8, one at column 1 of the
//   other count.
// - A joined line (`\` + line end) within the indentation fixes the column, unless the column is 0.
// - A form feed sets the column to 0.
// - With modes (lex/modes.h) the lexemes that push and pop are the brackets: line ends count in the
//   default mode alone.
// - At the end of the text a missing NEWLINE and the open blocks' DEDENTs are supplied.
// - `%most` bounds the number of open blocks.
// - Without `indent` and `dedent` in the grammar lines count and columns do not.
//
// Line ends that are no terminals of their own are another mechanism (line_ends.h). LayoutRules
// holds it, because both are decided where a lexeme ends.
//
// Source: Python Language Reference, sections 2.1.5 to 2.1.9,
// https://docs.python.org/3/reference/lexical_analysis.html; the pair of columns is CPython's
// (Parser/tokenizer), as is the rule for a joined line in the indentation.
// Cost: O(1) a byte; a dedent to a column k levels below costs k.
// Thread rule: LayoutState is a value; an arena belongs to one thread; LayoutRules is immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/line_ends.h"

namespace tenon::constraint {

struct LexicalContext;  // lexical_context/lexical_context.h

struct IndentId {
  uint32_t value = 0;
  auto operator<=>(const IndentId&) const = default;
};

// Persistent stacks of open blocks, hash-consed: equal stacks have equal ids. Id 0: only the file
// itself, column 0.
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

// The member of a LexicalContext.
struct LayoutState {
  uint32_t depth = 0;   // open brackets
  IndentId indents;     // columns of the open blocks
  uint16_t column = 0;  // of the line's first lexeme, tab stops of 8; meaningful while line_begin
  uint16_t alt_column = 0;
  bool line_begin = true;  // no content yet on this line, at depth 0
  bool counting = true;    // blanks still move the column
  // Does the next lexeme begin a line?
  bool AtLineBegin() const { return line_begin && depth == 0; }
  auto operator<=>(const LayoutState&) const = default;
};

// A terminal that the parser shifts when a lexeme ends.
struct LayoutEvent {
  enum class Kind : uint8_t { kLexeme, kNewline, kIndent, kDedent, kTerminator } kind;
  uint16_t column = 0;  // kIndent: the block's column
};

class LayoutRules {
 public:
  // REQUIRES: no unused terminal.
  explicit LayoutRules(const Grammar& grammar);

  // A terminal of the layout, or of `%insert`, that no rule uses without a predicate: the layout
  // could not make it. Nothing: all is well.
  static std::optional<TerminalId> UnusedTerminal(const Grammar& grammar);

  bool active() const { return active_; }
  bool has_columns() const { return has_columns_; }
  // `%most`: is the block the last one that may be open?
  bool IsLast(const IndentArena::Block& block) const { return block.open >= most_blocks_; }
  // The LR terminals of the layout's own terminals. REQUIRES: active(), has_columns() for the
  // last two.
  SymbolId newline_terminal() const { return newline_; }
  SymbolId indent_terminal() const { return indent_; }
  SymbolId dedent_terminal() const { return dedent_; }

  // Line ends that are no terminals of their own.
  const LineEndRules& line_ends() const { return line_ends_; }

  // A byte of the lexeme in progress has been read: moves the column at the beginning of a line.
  void ReadByte(uint8_t byte, LayoutState& state) const;
  // `lexeme` has ended: appends its terminals. False: inconsistent columns, a block or a closing
  // bracket too many. Reads and writes `layout` and `line_ends` of the context.
  bool End(const Lexeme& lexeme, IndentArena& arena, LexicalContext& at,
           std::vector<LayoutEvent>& events) const;
  // The text has ended: appends a missing newline, and a dedent for each open block. False: an open
  // bracket is left.
  bool EndOfText(IndentArena& arena, LexicalContext& at, std::vector<LayoutEvent>& events) const;

 private:
  bool BeginLine(IndentArena& arena, LayoutState& state, std::vector<LayoutEvent>& events) const;

  bool active_ = false;
  bool has_columns_ = false;
  uint16_t most_blocks_ = 0xffff;
  SymbolId newline_, indent_, dedent_;
  LineEndRules line_ends_;
};

// The column after `column` and one blank; 0 after a form feed.
uint16_t NextColumn(uint16_t column, uint8_t byte, uint16_t tab);

}  // namespace tenon::constraint
