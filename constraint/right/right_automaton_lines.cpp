// The edges of the right automaton at the beginning of a line: which blocks does the line open or
// close?
//
// Example: R = `b)\n  x`. The line of `x` has column 2. The block around the gap may have any
// column, so `x` has three readings: it opens a block, it is in the block around the gap, or it
// ends that block (nodes F, G and H of right_automaton.h).
#include <algorithm>

#include "constraint/right/right_automaton.h"

namespace tenon::constraint {

RightAutomaton::Key RightAutomaton::LineAt(size_t offset, uint16_t lo, uint16_t hi, IndentId opened,
                                           bool* newline_before) {
  LexicalContext line;
  IndentArena unused;
  std::vector<LayoutEvent> events;
  std::string_view text = lexemes_.text();
  Key key;
  key.lo = lo;
  key.hi = hi;
  key.opened = opened;
  while (offset < text.size()) {
    const Lexer::Match match = lexemes_.At(offset);
    if (match.lexeme == kNoLexeme) break;
    const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
    if (lexeme.kind != TerminalKind::kIgnored && !lexeme.is_newline) break;
    for (size_t i = offset; i < match.end; ++i)
      layout_.ReadByte(static_cast<uint8_t>(text[i]), line.layout);
    layout_.End(lexeme, unused, line, events);
    if (lexeme.is_newline && newline_before) *newline_before = true;
    offset = match.end;
  }
  key.offset = static_cast<uint32_t>(offset);
  key.kind = offset == text.size() ? Kind::kEnd : Kind::kLine;
  if (key.kind == Kind::kLine) {
    key.column = line.layout.column;
    key.alt_column = line.layout.alt_column;
  }
  return key;
}

void RightAutomaton::ExpandLine(const Key& key, Expansion& out) {
  Key code = key;
  code.kind = Kind::kCode;
  code.closed = false;
  code.column = code.alt_column = 0;
  if (layout_.has_columns()) {
    if (key.opened != IndentId{}) return ExpandInOpened(key, code, out);
    return ExpandInBase(key, code, out);
  }
  if (key.kind == Kind::kLine) return ExpandCode(code, out);
  out.final = true;
}

// A block of R is open: its column decides. `code`: the node at the line's first lexeme.
void RightAutomaton::ExpandInOpened(const Key& key, Key code, Expansion& out) {
  const bool content = key.kind == Kind::kLine;
  const IndentArena::Block top = indents_.top(key.opened);
  if (key.column > top.column) {
    if (key.closed || !content || key.alt_column <= top.alt_column || layout_.IsLast(top)) return;
    code.opened = indents_.Push(key.opened, key.column, key.alt_column);
    out.edges.push_back(
        {labels_.indent(), key.column, key.column, RightEdge::Kind::kIndent, Intern(code)});
  } else if (key.column == top.column) {
    if (key.alt_column == top.alt_column) ExpandCode(code, out);
  } else {
    Key closed = key;
    closed.opened = top.below;
    closed.closed = true;
    out.edges.push_back({labels_.dedent(), 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(closed)});
  }
}

// No block of R is open. The column of the block around the gap lies in [lo, hi], so the line may
// open a block, be in the block around the gap, and end that block. The end of the text is a line
// of column 0 that opens nothing.
void RightAutomaton::ExpandInBase(const Key& key, Key code, Expansion& out) {
  const bool content = key.kind == Kind::kLine;
  const uint16_t column = key.column;
  if (content && !key.closed && key.lo < column) {
    Key opened = code;
    opened.hi = std::min<uint16_t>(key.hi, column - 1);
    opened.opened = indents_.Push(IndentId{}, column, key.alt_column);
    out.edges.push_back(
        {labels_.indent(), column, column, RightEdge::Kind::kIndent, Intern(opened)});
  }
  if (key.lo <= column && column <= key.hi) {
    if (content) {
      code.lo = code.hi = column;
      ExpandCode(code, out);
    } else {
      out.final = true;
    }
  }
  const uint16_t lowest = std::max<uint16_t>(key.lo, column + 1);
  if (lowest > key.hi) return;
  Key closed = key;
  closed.lo = column;
  closed.hi = key.hi == kMaxColumn ? kMaxColumn : static_cast<uint16_t>(key.hi - 1);
  closed.closed = true;
  if (closed.hi < closed.lo) return;
  out.edges.push_back({labels_.dedent(), lowest, key.hi, RightEdge::Kind::kDedent, Intern(closed)});
}

}  // namespace tenon::constraint
