// Texts for the terminals of a layout: line ends, and blanks up to the column that a block needs.
//
// Example: a plan for Python needs NEWLINE INDENT before `x`, after
//
//   if a:|            blocks at the columns 0
//
// The line end alone leaves the next line at column 0. So the texts are the line end with 4 blanks,
// with 2, 8, 1, and with the columns of R's lines: which of them R can go on from is not known
// here, and a closing search tries one after the other (closing_search.h).
//
// A column counts twice, with tab stops of 8 and with tab stops of 1, as Python compares blocks.
//
// Source: docs/design/closing.md; Python, Lexical analysis, "Indentation". Cost: a few short texts
// a call. Thread rule: one thread at a time, with the gap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "constraint/gap/gap.h"

namespace tenon::constraint {

class LayoutTexts {
 public:
  // REQUIRES: `gap` outlives this.
  explicit LayoutTexts(SharedGap& gap);

  // NEWLINE, INDENT or DEDENT?
  bool IsLayoutTerminal(SymbolId terminal) const;
  // Texts for these terminals of the layout, before a word; the better first.
  std::vector<std::string> Before(const LayoutState& layout,
                                  std::span<const SymbolId> terminals) const;
  // Texts that end a line and bring the next one to a column at which R's first word may stand in
  // one of the open blocks, or in a new one. REQUIRES: the layout is active, and no bracket open.
  std::vector<std::string> BeforeRight(const LayoutState& layout) const;

 private:
  // A column with tab stops of 8, and with tab stops of 1.
  struct Columns {
    uint16_t column = 0, alt_column = 0;
    bool operator==(const Columns&) const = default;
    void Pass(char blank);
  };

  // Texts that bring the beginning of a line to a column. A line that is further than this is left
  // blank, and a new one begun.
  std::vector<std::string> LineBeginnings(const LayoutState& layout, Columns wanted) const;
  // Columns that a new block above `top` may have: one step deeper, as wide as the steps around it,
  // then others, then the columns of R's lines, which may stand in the block, or close it.
  std::vector<Columns> OfNewBlock(const IndentArena::Block& top) const;
  // Of R's lines after the first one, in order of appearance.
  static std::vector<Columns> OfLines(std::string_view right);
  // Blanks of this width: tabs first, then spaces. Nothing where no such text exists.
  static std::optional<std::string> Blanks(int width, int alt_width);

  SharedGap& gap_;
  const LayoutRules& rules_;
  IndentArena& indents_;
  std::vector<Columns> of_right_;
};

}  // namespace tenon::constraint
