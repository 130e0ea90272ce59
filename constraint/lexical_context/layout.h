// Layout: line ends become terminals, and the columns of lines open and close blocks (`%layout` in
// a grammar).
//
// Example, in Python. With the cursor in
//
//   if a:
//       b|
//
// a line end gives NEWLINE. If the line after it begins at column 4, the block stays open. If it
// begins at column 0, DEDENT closes the block. At column 8 it would open another block with INDENT.
// No other column is allowed below 4. A whole text, with the layout's terminals in capitals:
//
//   if a:          if a : NEWLINE
//       b          INDENT b NEWLINE         column 4 > column 0
//
//       c(         c (                      a blank line gives no terminal
//     d)           d ) NEWLINE              the line end inside brackets gives no terminal
//   e              DEDENT e NEWLINE         column 0 < column 4
//
// Definition, for the first lexeme of a line outside brackets:
//
//   column(line) > column(top block):  INDENT; a block of this column is pushed
//   column(line) < column(top block):  DEDENT for each block of a greater column, until a block has
//                                      exactly this column; an error where none has
//   otherwise:                         no terminal
//
// Exceptions, one at a time:
// - A line that holds only a comment is like a blank line: `  # c` opens no block.
// - Columns are counted twice, with tab stops of 8 and of 1. Both counts must compare alike. A line
//   that begins with a tab and a line that begins with 8 blanks are inconsistent: both are at
//   column 8 of the first count, but at columns 1 and 8 of the second.
// - A joined line (`\` + line end) in the indentation fixes the column: in four blanks, `\`, a line
//   end and two blanks, the column is 4. At column 0 it does not: counting begins anew.
// - A form feed sets the column to 0.
// - With modes (lex/modes.h) a lexeme that pushes a mode counts as an opening bracket, and one that
//   pops a mode as a closing one. So a line end in an f-string's field gives no terminal.
// - At the end of the text a missing NEWLINE and the DEDENTs of the open blocks are supplied.
// - `%most` bounds the number of open blocks.
// - Without `indent` and `dedent` in the grammar, lines count and columns do not.
//
// Line ends that are no terminals of their own are another mechanism
// (lexical_context/line_ends.h). LayoutRules holds its rules too, because both mechanisms act where
// a lexeme ends.
//
// Source: Python Language Reference, sections 2.1.5 to 2.1.9,
// https://docs.python.org/3/reference/lexical_analysis.html. The two counts of columns and the rule
// for a joined line in the indentation are CPython's (Parser/tokenizer).
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

// Persistent stacks of open blocks, hash-consed: equal stacks have equal ids. Id 0 is the stack of
// the file's own block alone, at column 0.
class IndentArena {
 public:
  struct Block {
    IndentId below;
    uint16_t column = 0;      // tab stops of 8
    uint16_t alt_column = 0;  // tab stops of 1
    uint16_t open = 0;        // number of open blocks, this one included, the file's own excluded
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

  // A terminal of the layout, or of `%insert`, that no rule uses without a predicate: it could
  // never be shifted. Nothing: every one of them is used.
  static std::optional<TerminalId> UnusedTerminal(const Grammar& grammar);

  bool active() const { return active_; }
  bool has_columns() const { return has_columns_; }
  // `%most`: may no block be opened inside this one?
  bool IsLast(const IndentArena::Block& block) const { return block.open >= most_blocks_; }
  // The LR terminals of the layout's own terminals. REQUIRES: active(); has_columns() for indent
  // and dedent.
  SymbolId newline_terminal() const { return newline_; }
  SymbolId indent_terminal() const { return indent_; }
  SymbolId dedent_terminal() const { return dedent_; }

  // Line ends that are no terminals of their own.
  const LineEndRules& line_ends() const { return line_ends_; }

  // Reads a byte of the lexeme in progress: a blank at the beginning of a line moves the column.
  void ReadByte(uint8_t byte, LayoutState& state) const;
  // Ends `lexeme`: appends the terminals that are shifted for it. False: the columns are
  // inconsistent, or there is one block or closing bracket too many. Reads and writes `layout` and
  // `line_ends` of the context.
  bool End(const Lexeme& lexeme, IndentArena& arena, LexicalContext& at,
           std::vector<LayoutEvent>& events) const;
  // Ends the text: appends a missing newline, and a dedent for each open block. False: a bracket is
  // still open.
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
