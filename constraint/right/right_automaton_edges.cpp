// The edges of the right automaton over lexemes: of a lexeme, of its parts, of a terminator and of
// an inserted terminal.
//
// Example: R = `b)`. The node at offset 0 gets one edge, over `b` to the node at offset 1, with the
// label NAME.
#include "constraint/right/right_automaton.h"

namespace tenon::constraint {

void RightAutomaton::Expand(const Key& key, Expansion& out) {
  switch (key.kind) {
    case Kind::kInside:  // made with its edges
      return;
    case Kind::kCode:
    case Kind::kInserted:
      return ExpandCode(key, out);
    case Kind::kLine:
    case Kind::kEnd:
      return ExpandLine(key, out);
    case Kind::kInLexeme:
      return ExpandInLexeme(key, out);
    case Kind::kInSplit:
      return ExpandSplit(key, out);
  }
}

// A lexeme that W has begun. The node's offset and modes are those after it.
void RightAutomaton::ExpandInLexeme(const Key& key, Expansion& out) {
  const LexemeId id{static_cast<uint16_t>(key.lexeme)};
  const Lexeme& lexeme = lexer_.lexeme(id);
  Key after = key;
  after.kind = Kind::kCode;
  after.lexeme = AfterLexeme(id, options_.emit);
  if (lexeme.kind == TerminalKind::kLineEnd) return AddTerminatorEdge(options_.emit, after, out);
  const std::vector<SymbolId>& lr_terminals =
      options_.emit ? lexeme.emit_terminals : lexeme.given_terminals;
  AddLexemeEdges(labels_.Divided(labels_.Allowed(lr_terminals, key.line_seen)), after, out);
  AddSplitEdges(id, key.line_seen, options_.emit, after, out);
}

void RightAutomaton::ExpandCode(const Key& key, Expansion& out) {
  if (key.offset == lexemes_.text().size()) return ExpandTextEnd(key, out);
  const DfaStateId start = lexer_.StartOf(modes_.top(key.modes));
  ExpandMatch(key, lexemes_.At(key.offset, start), out);
  ExpandMatch(key, lexemes_.Apart(key.offset, start), out);
}

void RightAutomaton::ExpandTextEnd(const Key& key, Expansion& out) {
  if (key.modes != ModeStackId{}) return;
  if (key.ends_phrase) return AddTerminatorEdge(false, key, out);
  if (!layout_.active()) {
    out.final = true;
    return AddInsertedEdge(key, kNoLexeme, out);
  }
  Key end = key;
  end.kind = Kind::kEnd;
  out.edges.push_back({labels_.newline(), 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(end)});
}

void RightAutomaton::ExpandMatch(const Key& key, const Lexer::Match& match, Expansion& out) {
  if (match.lexeme == kNoLexeme) return;
  const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
  if (lexeme.is_newline) {  // at depth 0: the others were skipped
    Key line = LineAt(match.end, key.lo, key.hi, key.opened, nullptr);
    out.edges.push_back({labels_.newline(), 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(line)});
    return;
  }
  Key next = key;
  next.kind = Kind::kCode;
  next.offset = static_cast<uint32_t>(match.end);
  next.lexeme = AfterLexeme(match.lexeme, false);
  // A blank line end was skipped when the node was made.
  if (lexeme.kind == TerminalKind::kLineEnd) return AddTerminatorEdge(false, next, out);
  for (ModeStackId modes : modes_.After(lexeme, key.modes, match.end)) {
    next.modes = modes;
    AddLexemeEdges(labels_.OfLexeme(match.lexeme, key.line_seen), next, out);
    AddSplitEdges(match.lexeme, key.line_seen, false, next, out);
  }
  AddInsertedEdge(key, match.lexeme, out);
}

void RightAutomaton::AddLexemeEdges(RightLabels::ByLineEnd labels, Key after, Expansion& out) {
  after.line_seen = false;
  for (bool ends_phrase : {false, true}) {
    uint32_t label = ends_phrase ? labels.ends_phrase : labels.plain;
    if (labels_.IsEmpty(label)) continue;
    after.ends_phrase = ends_phrase;
    out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(after)});
  }
}

void RightAutomaton::AddSplitEdges(LexemeId id, bool line_seen, bool emitted, Key after,
                                   Expansion& out) {
  const Lexeme& lexeme = lexer_.lexeme(id);
  after.kind = Kind::kInSplit;
  after.line_seen = after.ends_phrase = false;
  for (size_t split = 0; split < lexeme.splits.size(); ++split) {
    const LexemeTerminals& first = lexeme.splits[split][0];
    const uint32_t label =
        labels_.Of(labels_.Allowed(emitted ? first.emit : first.given, line_seen));
    if (labels_.IsEmpty(label)) continue;
    after.lexeme = SplitAt(id.value, split, 1, emitted);
    out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(after)});
  }
}

void RightAutomaton::ExpandSplit(const Key& key, Expansion& out) {
  const LexemeId lexeme{static_cast<uint16_t>(key.lexeme & 0xffff)};
  const size_t split = key.lexeme >> 16 & 0x7f, read = key.lexeme >> 23 & 0x7f;
  const bool emitted = key.lexeme >> 31;
  const std::vector<LexemeTerminals>& parts = lexer_.lexeme(lexeme).splits[split];
  const RightLabels::ByLineEnd labels =
      labels_.Divided(labels_.Allowed(emitted ? parts[read].emit : parts[read].given, false));
  Key after = key;
  if (read + 1 == parts.size()) {
    after.kind = Kind::kCode;
    after.lexeme = AfterLexeme(lexeme, emitted);
    return AddLexemeEdges(labels, after, out);
  }
  after.lexeme = SplitAt(lexeme.value, split, read + 1, emitted);
  for (uint32_t label : {labels.plain, labels.ends_phrase}) {
    if (!labels_.IsEmpty(label))
      out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(after)});
  }
}

void RightAutomaton::AddTerminatorEdge(bool emitted, Key after, Expansion& out) {
  after.ends_phrase = false;
  uint32_t label = labels_.Of(layout_.line_ends().terminators(emitted));
  out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(after)});
}

bool RightAutomaton::MayInsert(const Key& key, LexemeId next) const {
  if (key.lexeme == 0) return false;
  const LexemeId before{static_cast<uint16_t>((key.lexeme & ~kEmittedBefore) - 1)};
  return options_.insertions->MayStand(before, next, key.line_seen);
}

void RightAutomaton::AddInsertedEdge(const Key& key, LexemeId next, Expansion& out) {
  if (!MayInsert(key, next)) return;
  Key after = key;
  after.kind = Kind::kInserted;
  after.lexeme = 0;
  const bool emitted = (key.lexeme & kEmittedBefore) != 0;
  const std::span<const SymbolId> inserted =
      layout_.line_ends().inserted(emitted ? InsertionPlace::kWritten : InsertionPlace::kGiven);
  out.edges.push_back({labels_.Of({inserted.begin(), inserted.end()}), 0, kMaxColumn,
                       RightEdge::Kind::kPlain, Intern(after)});
}

}  // namespace tenon::constraint
