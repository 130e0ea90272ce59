#include "constraint/lexical_context/layout.h"

#include "constraint/lexical_context/lexical_context.h"

namespace tenon::constraint {

IndentId IndentArena::Push(IndentId below, uint16_t column, uint16_t alt_column) {
  uint64_t key =
      static_cast<uint64_t>(below.value) << 32 | static_cast<uint64_t>(column) << 16 | alt_column;
  auto [at, fresh] = ids_.try_emplace(key, static_cast<uint32_t>(blocks_.size()));
  if (fresh)
    blocks_.push_back(
        Block{below, column, alt_column, static_cast<uint16_t>(blocks_[below.value].open + 1)});
  return IndentId{at->second};
}

std::optional<TerminalId> LayoutRules::UnusedTerminal(const Grammar& grammar) {
  std::vector<TerminalId> made;
  if (grammar.insertion) made.push_back(grammar.insertion->terminal);
  if (grammar.layout) made.push_back(grammar.layout->newline);
  if (grammar.layout && grammar.layout->indent) made.push_back(*grammar.layout->indent);
  if (grammar.layout && grammar.layout->dedent) made.push_back(*grammar.layout->dedent);
  for (TerminalId terminal : made) {
    if (!TerminalWithoutPredicate(grammar, terminal)) return terminal;
  }
  return std::nullopt;
}

LayoutRules::LayoutRules(const Grammar& grammar) : line_ends_(grammar) {
  if (!grammar.layout) return;
  active_ = true;
  for (const NestingLimit& limit : grammar.limits) {
    if (limit.blocks) most_blocks_ = limit.most;
  }
  newline_ = TerminalWithoutPredicate(grammar, grammar.layout->newline).value();
  if (grammar.layout->indent && grammar.layout->dedent) {
    has_columns_ = true;
    indent_ = TerminalWithoutPredicate(grammar, *grammar.layout->indent).value();
    dedent_ = TerminalWithoutPredicate(grammar, *grammar.layout->dedent).value();
  }
}

uint16_t NextColumn(uint16_t column, uint8_t byte, uint16_t tab) {
  if (byte == '\f') return 0;
  uint32_t next = byte == '\t' ? (column / tab + 1u) * tab : column + 1u;
  return next > 0xfff0 ? uint16_t{0xfff0} : static_cast<uint16_t>(next);
}

void LayoutRules::ReadByte(uint8_t byte, LayoutState& state) const {
  if (!active_ || !state.line_begin || !state.counting || state.depth != 0) return;
  if (byte != ' ' && byte != '\t' && byte != '\f') {
    state.counting = false;
    return;
  }
  state.column = NextColumn(state.column, byte, 8);
  state.alt_column = NextColumn(state.alt_column, byte, 1);
}

bool LayoutRules::BeginLine(IndentArena& arena, LayoutState& state,
                            std::vector<LayoutEvent>& events) const {
  state.line_begin = false;
  if (!has_columns_) return true;
  using Kind = LayoutEvent::Kind;
  IndentArena::Block top = arena.top(state.indents);
  if (state.column > top.column) {
    if (state.alt_column <= top.alt_column || IsLast(top)) return false;
    state.indents = arena.Push(state.indents, state.column, state.alt_column);
    events.push_back({Kind::kIndent, state.column});
    return true;
  }
  while (state.column < top.column) {
    events.push_back({Kind::kDedent, top.column});
    state.indents = top.below;
    top = arena.top(state.indents);
  }
  return state.column == top.column && state.alt_column == top.alt_column;
}

bool LayoutRules::End(const Lexeme& lexeme, IndentArena& arena, LexicalContext& at,
                      std::vector<LayoutEvent>& events) const {
  using Kind = LayoutEvent::Kind;
  LayoutState& state = at.layout;
  if (lexeme.kind == TerminalKind::kIgnored) {
    // A line joining at column 0 leaves the column open; after other columns it fixes it. Comments
    // end with their line.
    if (state.line_begin && state.column == 0) state.counting = true;
    line_ends_.ReadBlank(at.line_ends);
    return true;
  }
  if (lexeme.kind == TerminalKind::kLineEnd) {
    if (line_ends_.ReadLineEnd(at.line_ends)) events.push_back({Kind::kTerminator});
    return true;
  }
  if (!active_) {
    events.push_back({Kind::kLexeme});
    return true;
  }
  if (lexeme.is_newline) {
    if (state.depth > 0) return true;
    if (!state.line_begin) events.push_back({Kind::kNewline});
    state.line_begin = state.counting = true;
    state.column = state.alt_column = 0;
    return true;
  }
  if (state.line_begin && state.depth == 0 && !BeginLine(arena, state, events)) return false;
  if (lexeme.bracket < 0 && state.depth == 0) return false;
  state.depth += lexeme.bracket;
  events.push_back({Kind::kLexeme});
  return true;
}

bool LayoutRules::EndOfText(IndentArena& arena, LexicalContext& at,
                            std::vector<LayoutEvent>& events) const {
  using Kind = LayoutEvent::Kind;
  LayoutState& state = at.layout;
  if (line_ends_.ReadEndOfText(at.line_ends)) events.push_back({Kind::kTerminator});
  if (!active_) return true;
  if (state.depth > 0) return false;
  if (!state.line_begin) events.push_back({Kind::kNewline});
  state.line_begin = true;
  while (has_columns_ && state.indents != IndentId{}) {
    const IndentArena::Block& top = arena.top(state.indents);
    events.push_back({Kind::kDedent, top.column});
    state.indents = top.below;
  }
  return true;
}

}  // namespace tenon::constraint
