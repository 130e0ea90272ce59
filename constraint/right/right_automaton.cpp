// Nodes and edges of the right automaton: each node is kept once, and its edges are made when a
// parse first reads them.
#include "constraint/right/right_automaton.h"

#include <algorithm>

namespace tenon::constraint {

RightAutomaton::RightAutomaton(const Grammar& grammar, const Lexer& lexer,
                               const LayoutRules& layout, RightLexemes& lexemes, Options options)
    : grammar_(grammar),
      lexer_(lexer),
      layout_(layout),
      lexemes_(lexemes),
      options_(options),
      modes_(lexer, lexemes),
      labels_(lexer, layout),
      heads_(lexemes.text().size() + 1, kNoNode) {
  MakeStarts(Seam::kClosed);
}

void RightAutomaton::Reread(size_t kept) {
  std::fill(heads_.begin(), heads_.begin() + static_cast<std::ptrdiff_t>(kept), kNoNode);
  starts_ = {};
  MakeStarts(Seam::kClosed);
}

RightNodeId RightAutomaton::Intern(Key key) {
  if (key.kind == Kind::kCode) SkipUnseen(key);
  uint32_t& head = heads_[key.offset];
  for (uint32_t n = head; n != kNoNode; n = nodes_[n].next) {
    if (keys_[n] == key) return RightNodeId{n};
  }
  Node node;
  node.next = head;
  head = static_cast<uint32_t>(nodes_.size());
  keys_.push_back(key);
  nodes_.push_back(node);
  return RightNodeId{head};
}

// Moves the key over blanks, comments and line ends that are no terminal, to the next lexeme that
// the parser sees. So more readings meet in one node.
void RightAutomaton::SkipUnseen(Key& key) {
  while (key.offset < lexemes_.text().size()) {
    const Lexer::Match match = lexemes_.At(key.offset, lexer_.StartOf(modes_.top(key.modes)));
    if (match.lexeme == kNoLexeme) break;
    const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
    const bool joined =
        lexeme.is_newline && (lexer_.has_modes() ? key.modes != ModeStackId{}
                                                 : lexemes_.DepthAt(match.end).value_or(0) > 0);
    const bool blank_line_end = lexeme.kind == TerminalKind::kLineEnd && !key.ends_phrase;
    key.line_seen |= blank_line_end && layout_.line_ends().remembers();
    if (lexeme.kind == TerminalKind::kParsed) ForgetUnread(key, match.lexeme);
    if (lexeme.kind != TerminalKind::kIgnored && !joined && !blank_line_end) break;
    key.offset = static_cast<uint32_t>(match.end);
  }
  if (key.offset == lexemes_.text().size()) {
    key.line_seen = false;
    if (!MayInsert(key, kNoLexeme)) key.lexeme = 0;
  }
}

// Before a lexeme that the parser sees: forgets the facts about the text before it that no edge
// over the lexeme depends on.
void RightAutomaton::ForgetUnread(Key& key, LexemeId next) {
  key.ends_phrase = false;
  const LexemeId apart = lexemes_.Apart(key.offset, lexer_.StartOf(modes_.top(key.modes))).lexeme;
  const bool inserts = MayInsert(key, next) || (apart != kNoLexeme && MayInsert(key, apart));
  if (!inserts) key.lexeme = 0;
  key.line_seen &= labels_.DependsOnLineEnd(lexer_.lexeme(next)) || key.lexeme != 0 ||
                   (apart != kNoLexeme && labels_.DependsOnLineEnd(lexer_.lexeme(apart)));
}

void RightAutomaton::ExpandNode(RightNodeId id) {
  Expansion out;
  truncated_ |= nodes_.size() > options_.max_nodes;
  Key key = keys_[id.value];
  if (!truncated_) Expand(key, out);
  Node& node = nodes_[id.value];
  StoreEdges(node, out.edges);
  node.final = out.final;
  node.expanded = true;
}

void RightAutomaton::StoreEdges(Node& node, const std::vector<RightEdge>& edges) {
  constexpr size_t kEdgeBlock = 1024;
  if (edges.size() > edges_left_) {
    edges_left_ = std::max(kEdgeBlock, edges.size());
    edge_blocks_.push_back(std::make_unique<RightEdge[]>(edges_left_));
    edge_count_ += edges_left_;
    next_edge_ = edge_blocks_.back().get();
  }
  std::copy(edges.begin(), edges.end(), next_edge_);
  node.edges = next_edge_;
  node.edge_count = static_cast<uint32_t>(edges.size());
  next_edge_ += edges.size();
  edges_left_ -= edges.size();
}

size_t RightAutomaton::memory_bytes() const {
  return nodes_.size() * (sizeof(Key) + sizeof(Node)) + heads_.size() * 4 +
         edge_count_ * sizeof(RightEdge);
}

}  // namespace tenon::constraint
