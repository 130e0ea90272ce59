// The right context R as a finite automaton over terminals whose beginning is unknown.
//
// How R is read depends on where the middle W ends. In `foo(a, |b)` W may end between two lexemes:
// then R begins with the name `b`. W may also end inside a name: then `b` is the end of that name.
// Each such start is a node. Lexing from an offset is deterministic, so the readings run into one
// another after a lexeme or two, and all of R is one small graph.
//
// A worked example. The language has names, calls and indented blocks; R = `b)\n  x`; offsets count
// bytes of R. `base` is the interval of columns that the block around the gap may have.
//
//   I  inside W            --any terminal--> A, B   --NEWLINE, INDENT, DEDENT--> B
//   A  offset 0             --NAME--> C             W ends before `b`
//   B  offset 1             --NAME--> C             W ends in a name, and `b` finishes it
//   C  offset 1             --")"--> D
//   D  offset 2             --NEWLINE--> E          no bracket is open: the line end counts
//   E  offset 5, base [0,inf): `x` at column 2 has three readings
//                           --INDENT 2--> F         it opens a block
//                           --NAME--> G             it is in the block around the gap
//                           --DEDENT [3,inf)--> H   it ends that block
//   F  offset 5, base [0,1], block 2 open           --NAME--> --NEWLINE--> --DEDENT--> M
//   G  offset 6, base [2,2]                         --NEWLINE--> --DEDENT [2,2]--> M
//   H  offset 5, base [2,inf), a block was closed   --NAME--> G   --DEDENT [3,inf)--> H
//   M  end, base [0,1], final                       --DEDENT [1,1]--> N
//   N  end, base [0,0], final
//
// Definition. A node is (kind, offset, base [lo, hi], blocks opened in R, closed):
//
//   kInside     W holds terminals; its edges are the last terminal of W before each start
//   kInLexeme   in a lexeme that W began and R finishes; the offset is the lexeme's end
//   kCode       at a lexeme
//   kLine       before the content line whose first lexeme begins at the offset
//   kEnd        at the end of the text, blocks still open
//
// At a content line of column d:
//   blocks of R open    their columns decide: INDENT(d), nothing, or DEDENT of the innermost
//   none open           fork: INDENT(d), base [lo, min(hi, d-1)], where lo < d and no block was
//                         closed for this line
//                       nothing, base [d, d], where lo <= d <= hi
//                       DEDENT of a block whose column is in [max(lo, d+1), hi], and repeat
// The end of the text is a line of column 0 that opens nothing; a node is final where base holds 0.
//
// Line ends and brackets. A line end is a terminal only where no bracket is open. Depth is counted
// from the right: the closing brackets after an offset that R does not open itself. At offset 1 of
// `b)\n` the depth is 1, whatever W opens.
//
// Complications, each only in grammars that use the directive:
//   %terminator   In Go's `return x|\n}` the line end is a `;` if the terminal before it allows
//                 one. After a terminal of R one bit of kCode tells. Before R's first terminal W
//                 decides, so a start has two entries, which meet at that terminal.
//   %line_ends    In JavaScript's `a|\n++b` the `++` may not follow a line end as a postfix. So
//                 kCode and kInLexeme remember that a line end lies before them.
//   %split        `>>` is also read as two `>`. A kInSplit node lies between the parts; its offset
//                 is the end of the lexeme.
//   %insert       In `a\nb` a `;` may be inserted. kInserted is the node after the inserted
//                 terminal, before a lexeme of R or before R's end.
//   modes         In `f"{a|b}c"` R is read by the terminals of a field first. Nodes know the upper
//                 part of the stack of modes (right_modes.h). Modes replace depth: a line end is a
//                 terminal in the default mode only.
//
// Files: right_automaton.cpp keeps nodes and edges, right_automaton_starts.cpp makes the starts,
// right_automaton_edges.cpp the edges of lexemes, right_automaton_lines.cpp the edges of lines.
// Source: docs/design/right_context.md. Where we differ from Melcer et al. (2024): one automaton
// for all starts, no search for each start.
// Approximate: the second column (tab stops of 1) is compared among lines of R, not with the base.
// Cost: nodes are made on request, so a reading that no parse follows costs nothing. One visit of a
// lexeme of R for each base; 80 bytes a node, 16 an edge, 4 a byte of R.
// Thread rule: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/language/language.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"
#include "constraint/right/right_labels.h"
#include "constraint/right/right_lexemes.h"
#include "constraint/right/right_modes.h"

namespace tenon::constraint {

struct RightNodeId {
  uint32_t value = 0;
  auto operator<=>(const RightNodeId&) const = default;
};

// How W meets R; bits, so that sets of entries are masks.
enum GapEntry : uint8_t {
  // W holds at least one terminal.
  kEntryInside = 1,
  // W holds none, and the line before R has content, or lines mean nothing. With %terminator: a
  // line end of R is no terminator.
  kEntryWithinLine = 2,
  // W holds none, and R begins at the beginning of a line. With %terminator: a line end of R is the
  // terminator. With %line_ends: a line end lies before R.
  kEntryLine = 4,
  // W holds only the beginning of a lexeme that R finishes.
  kEntryLexeme = 8,
};
inline constexpr uint16_t kMaxColumn = 0xffff;  // no upper bound

struct RightEdge {
  uint32_t label;   // index of a set of LR terminals
  uint16_t lo = 0;  // kIndent: the column; kDedent: interval of the block it closes
  uint16_t hi = kMaxColumn;
  enum class Kind : uint8_t { kPlain, kIndent, kDedent } kind = Kind::kPlain;
  RightNodeId target;
};

class RightAutomaton {
 public:
  struct Options {
    // W is emitted text: this limits its terminals and the lexemes that may reach into R.
    bool emit = true;
    size_t max_nodes = 300000;               // about 2 MB of Python; some 100 bytes a node
    const Insertions* insertions = nullptr;  // REQUIRES: given where the grammar has `%insert`
    // W may end inside a lexeme that R finishes; off: only between two lexemes.
    bool in_lexemes = true;
  };
  // Has the starts of the closed seam.
  RightAutomaton(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout,
                 RightLexemes& lexemes, Options options);

  struct Entry {
    RightNodeId node;
    GapEntry kind;
  };
  // REQUIRES: HasStarts(seam).
  std::span<const Entry> entries(Seam seam = Seam::kClosed) const { return At(seam).entries; }
  // A seam has starts of its own, made on request. Without `emit` all seams are one.
  bool HasStarts(Seam seam) const { return At(seam).made; }
  void MakeStarts(Seam seam);
  // Made on the first call; the span stays valid.
  std::span<const RightEdge> edges(RightNodeId id) {
    if (!nodes_[id.value].expanded) ExpandNode(id);
    return {nodes_[id.value].edges, nodes_[id.value].edge_count};
  }
  bool is_final(RightNodeId id) {
    if (!nodes_[id.value].expanded) ExpandNode(id);
    return nodes_[id.value].final;
  }
  // The lexemes have been reread: makes new entries, of the closed seam. Nodes at offsets from
  // `kept` on stay valid, nodes before it are forgotten.
  void Reread(size_t kept);
  // Beginnings of lexemes that R finishes: a shortest text for each lexeme and its end in R.
  // REQUIRES: HasStarts(seam).
  std::span<const std::string> lexeme_beginnings(Seam seam = Seam::kClosed) const {
    return At(seam).lexeme_beginnings;
  }
  // The same of comments, which the parser does not see.
  std::span<const std::string> comment_beginnings(Seam seam) const {
    return At(seam).comment_beginnings;
  }
  // Is R, up to `bytes` after its beginning, the rest of the lexeme and nothing else (Seam::kRest)?
  // REQUIRES: HasStarts(Seam::kRest).
  bool IsRest(LexemeId lexeme, size_t bytes) const;
  // The LR terminals of a label, ascending.
  std::span<const SymbolId> label(uint32_t index) const { return labels_[index]; }
  size_t size() const { return nodes_.size(); }
  size_t memory_bytes() const;
  // A number that edges seldom decrease: a traversal in this order meets each node about once.
  uint64_t Order(RightNodeId id) const {
    return uint64_t{keys_[id.value].offset} << 3 | Rank(keys_[id.value].kind);
  }
  // The entries that mean that W holds no terminal. Where lines mean nothing, kEntryWithinLine says
  // nothing about W, and the set is empty.
  uint8_t wordless() const {
    return layout_.active() || KeepsLine() ? kEntryWithinLine | kEntryLine : 0;
  }
  // Does a node between two lexemes hold a bit about line ends?
  bool KeepsLine() const {
    return layout_.line_ends().has_terminator() || layout_.line_ends().remembers();
  }
  // The limit on nodes was reached: the owner must treat R as joined by nothing.
  bool truncated() const { return truncated_; }

 private:
  friend class RightAutomatonView;  // constraint/right/right_dump.cpp
  enum class Kind : uint8_t { kInside, kInLexeme, kInSplit, kCode, kInserted, kLine, kEnd };
  struct Key {
    Kind kind = Kind::kCode;
    bool closed = false;                  // kLine: a block was closed for this line
    bool ends_phrase = false;             // kCode: a line end is the terminator
    bool line_seen = false;               // %line_ends: a line end lies before it, and matters
    uint16_t lo = 0, hi = kMaxColumn;     // base
    uint16_t column = 0, alt_column = 0;  // kLine: of its first lexeme
    uint32_t offset = 0;
    uint32_t lexeme = 0;  // kInLexeme: LexemeId; kInSplit: packed by SplitAt; kCode: see
                          // AfterLexeme
    IndentId opened;      // blocks opened in R
    ModeStackId modes;    // the known part of the modes' stack
    auto operator<=>(const Key&) const = default;
  };
  static uint64_t Rank(Kind kind) {
    return kind == Kind::kInside     ? 0
           : kind == Kind::kInLexeme ? 1
           : kind == Kind::kCode     ? 3
           : kind == Kind::kInserted ? 4
                                     : 2;
  }
  // kCode, `lexeme`: the number of the lexeme before, where a terminal may be inserted after it,
  // and whether W began that lexeme. 0: none may be, or W writes the whole lexeme itself.
  static constexpr uint32_t kEmittedBefore = uint32_t{1} << 31;
  uint32_t AfterLexeme(LexemeId before, bool emitted) const {
    if (!layout_.line_ends().inserts()) return 0;
    return (before.value + 1u) | (emitted ? kEmittedBefore : 0);
  }
  // kInSplit, `lexeme`: a lexeme, the index of its split, and the number of parts read.
  static uint32_t SplitAt(uint32_t lexeme, size_t split, size_t parts, bool emitted) {
    return lexeme | static_cast<uint32_t>(split) << 16 | static_cast<uint32_t>(parts) << 23 |
           uint32_t{emitted} << 31;
  }
  struct Node {
    const RightEdge* edges = nullptr;
    uint32_t edge_count = 0;
    uint32_t next = kNoNode;  // another node of the same offset
    bool final = false, expanded = false;
  };
  static constexpr uint32_t kNoNode = 0xffffffffu;
  struct Expansion {
    std::vector<RightEdge> edges;
    bool final = false;
  };

  // The starts at one seam.
  struct Starts {
    bool made = false;
    std::vector<Entry> entries;
    std::vector<std::string> lexeme_beginnings, comment_beginnings;
    std::vector<std::pair<LexemeId, size_t>> rests;  // Seam::kRest: the lexeme and its end in R
  };
  Seam SeamOf(Seam seam) const { return options_.emit ? seam : Seam::kClosed; }
  const Starts& At(Seam seam) const { return starts_[static_cast<size_t>(SeamOf(seam))]; }

  // Nodes and edges (right_automaton.cpp).
  RightNodeId Intern(Key key);
  void SkipUnseen(Key& key);
  void ForgetUnread(Key& key, LexemeId next);
  void ExpandNode(RightNodeId id);
  void StoreEdges(Node& node, const std::vector<RightEdge>& edges);

  // The edges of a node that lie at a lexeme (right_automaton_edges.cpp).
  void Expand(const Key& key, Expansion& out);
  void ExpandInLexeme(const Key& key, Expansion& out);
  void ExpandCode(const Key& key, Expansion& out);
  void ExpandTextEnd(const Key& key, Expansion& out);
  void ExpandMatch(const Key& key, const Lexer::Match& match, Expansion& out);
  void ExpandSplit(const Key& key, Expansion& out);
  void AddLexemeEdges(RightLabels::ByLineEnd labels, Key after, Expansion& out);
  // Edges for the first part of each split of a lexeme; `after`: the node at its end.
  void AddSplitEdges(LexemeId id, bool line_seen, bool emitted, Key after, Expansion& out);
  void AddTerminatorEdge(bool emitted, Key after, Expansion& out);
  // May the terminal of %insert be inserted before the lexeme at the node? kNoLexeme: before the
  // end of the text.
  bool MayInsert(const Key& key, LexemeId next) const;
  void AddInsertedEdge(const Key& key, LexemeId next, Expansion& out);

  // The edges of a line's beginning (right_automaton_lines.cpp).
  // LineAt: the node before the first content line from `offset` on, which begins a line.
  // `newline_before`, if it is given: becomes true where a line end is passed.
  Key LineAt(size_t offset, uint16_t lo, uint16_t hi, IndentId opened, bool* newline_before);
  void ExpandLine(const Key& key, Expansion& out);
  void ExpandInOpened(const Key& key, Key code, Expansion& out);
  void ExpandInBase(const Key& key, Key code, Expansion& out);

  // The starts (right_automaton_starts.cpp).
  struct Landing;  // a lexeme of W that R finishes
  void AddStarts(Seam seam, Starts& out);
  void AddBetween(size_t offset, ModeStackId modes, Starts& out);
  // Adds the entry of a W that ends at the beginning of a line. `joined`: ignorable text lies
  // between W's blanks and the offset, so the line may begin at any column.
  void AddLineStart(size_t offset, bool joined, Starts& out);
  std::vector<Landing> Landings(Seam seam);
  bool EndsForGood(DfaStateId q, size_t end) const;
  bool EndsOwnLexeme(size_t end);
  void AddInLexemeStarts(Seam seam, Starts& out);
  bool AddLanding(const Landing& landing, ModeStackId after, Starts& out);
  void AddIgnoredLanding(const Landing& landing, ModeStackId after, Starts& out);
  void AddLineEndLanding(const Landing& landing, ModeStackId after, Starts& out);
  void AddWordLanding(const Landing& landing, ModeStackId after, Starts& out);
  bool IsIgnoredText(size_t offset);
  std::vector<SymbolId> LastTerminals(Seam seam) const;
  void AddInside(Seam seam, Starts& out);

  const Grammar& grammar_;
  const Lexer& lexer_;
  const LayoutRules& layout_;
  RightLexemes& lexemes_;
  Options options_;
  IndentArena indents_;
  RightModes modes_;
  RightLabels labels_;
  std::vector<Key> keys_;        // [RightNodeId]
  std::vector<Node> nodes_;      // [RightNodeId]
  std::vector<uint32_t> heads_;  // [offset] first node there
  // kEdgeBlock edges each, or more for a node that has more.
  std::vector<std::unique_ptr<RightEdge[]>> edge_blocks_;
  RightEdge* next_edge_ = nullptr;
  size_t edges_left_ = 0;  // in the last block
  size_t edge_count_ = 0;
  std::array<Starts, kSeams> starts_;  // [Seam]
  bool truncated_ = false;
};

}  // namespace tenon::constraint
