// The right context as an automaton over terminals whose beginning is unknown.
//
// What the middle W was when it ended decides how the right context R is read: W may end between lexemes, inside a lexeme that R
// goes on with, in the middle of a line or at its beginning, in blocks of unknown columns. Every such *start* is a node; all
// readings run into each other after a lexeme or two, because lexing from an offset is deterministic. One more node stands for
// the inside of W: its edges are the last terminal of W, any that can stand before the start they lead to.
//
// Nodes are keyed by (kind, offset, base [lo, hi], blocks opened in R, closed one for this line):
//   kCode      at a lexeme; kLine: before the content line whose first lexeme stands at the offset; kEnd: end of the text, blocks still open
//   kInSplit   in a lexeme that is read as several terminals (%split), behind some of them; its offset is the lexeme's end
//   kInserted  before a token of R, or its end, behind a terminal that was inserted there (%insert)
//   base       the columns that the innermost block open at the gap may have; [c, c] once a line of R has stood in it
// At a content line of column d with no block of R open it may open one (base gets below d), stand in the base (base = [d, d]), or
// close a block whose column lies in [max(lo, d+1), hi] and repeat. With blocks of R open the columns decide alone.
// Where a line end may stand for the terminator (%terminator), kCode also says whether it does: one bit, set by the terminal before. A
// start does not know it: two hypotheses, which meet again at R's first terminal.
// A line end is a terminal iff no bracket is open there; depth is counted from the right: unmatched closers of R behind it.
// Where there are modes (lex/modes.h) a reading knows which one is on top, and below it what R itself has pushed. R is read from its
// beginning in every mode from which it can be read to its end; where R pops what it has not pushed the reading goes on in every mode
// that may lie there. Where only one can, which is nearly everywhere, a reading forgets what it knows of the modes below: so readings
// from inside and outside of a bracket of R are one. Which modes are open takes the place of the depth: a line end is a terminal in
// the default mode alone.
//
// Source: docs/architecture.md, "The right context". Where we differ from Melcer et al. (2024): one automaton for all starts, no search per start.
// What stays approximate: the second column (tab stops of 1) is compared among lines of R only, not with the base.
// Nodes are made when they are first asked for: readings that no parse follows cost nothing.
// Cost: one visit a lexeme of R for each base that differs; 80 bytes a node, 12 an edge, 4 a byte of R. Thread rule: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/language/insertions.h"
#include "constraint/lex/layout.h"
#include "constraint/lex/lexer.h"
#include "constraint/right/right_lexemes.h"

namespace tenon::constraint {

struct RightNodeId {
  uint32_t value = 0;
  auto operator<=>(const RightNodeId&) const = default;
};

// How W meets R; bits, so that sets of them are masks.
enum GapEntry : uint8_t {
  kEntryInside = 1,  // W holds at least one terminal
  kEntryMid = 2,     // W holds none, the line before R has content (or lines mean nothing); a line end is no terminator
  kEntryLine =
      4,  // W holds none, R begins at the beginning of a line; a line end is the terminator (%terminator), or lies before R (%line_ends)
  kEntryLexeme = 8,  // W holds none but a lexeme's beginning, which R goes on with
};
inline constexpr uint16_t kMaxColumn = 0xffff;  // no upper bound

struct RightEdge {
  uint32_t label;   // index of a set of column symbols
  uint16_t lo = 0;  // kIndent: column; kDedent: interval of the block it closes
  uint16_t hi = kMaxColumn;
  enum class Kind : uint8_t { kPlain, kIndent, kDedent } kind = Kind::kPlain;
  RightNodeId target;
};

class RightAutomaton {
 public:
  struct Options {
    bool emit = true;                        // W is emitted text: what it may hold, and which lexemes may reach into R
    size_t max_nodes = 300000;               // about 2 MB of Python; some 100 bytes a node
    const Insertions* insertions = nullptr;  // REQUIRES: given where the grammar has `%insert`
    bool in_lexemes = true;  // W may end inside a lexeme that R goes on with; off: between two of them alone
  };
  RightAutomaton(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout, RightLexemes& lexemes,
                 Options options);

  struct Entry {
    RightNodeId node;
    GapEntry kind;
  };
  std::span<const Entry> entries() const { return entries_; }
  // Made when first asked for; the span stays valid.
  std::span<const RightEdge> edges(RightNodeId id) {
    if (!nodes_[id.value].expanded) ExpandNode(id);
    return {nodes_[id.value].edges, nodes_[id.value].edge_count};
  }
  bool is_final(RightNodeId id) {
    if (!nodes_[id.value].expanded) ExpandNode(id);
    return nodes_[id.value].final;
  }
  // The lexemes have been reread: other entries; nodes from `kept` on stay, what stood before is forgotten.
  void Reread(size_t kept);
  // The beginnings of lexemes that R goes on with: a shortest text for each lexeme and its end in R.
  std::span<const std::string> lexeme_beginnings() const { return lexeme_beginnings_; }
  // Column symbols of a label, ascending.
  std::span<const SymbolId> label(uint32_t index) const { return labels_[index]; }
  size_t size() const { return nodes_.size(); }
  size_t memory_bytes() const;
  // Edges seldom lead to a smaller number: to follow nodes in this order is to meet each about once.
  uint64_t Order(RightNodeId id) const { return uint64_t{keys_[id.value].offset} << 3 | Rank(keys_[id.value].kind); }
  // The entries with which W holds no terminal at all. Where lines mean nothing, kEntryMid leaves W free instead.
  uint8_t wordless() const { return layout_.active() || KeepsLine() ? kEntryMid | kEntryLine : 0; }
  // Is there a bit about line ends between two lexemes?
  bool KeepsLine() const { return layout_.line_ends().has_terminator() || layout_.line_ends().remembers(); }
  // The limit on nodes was reached: whatever is asked of this automaton must be answered "no".
  bool truncated() const { return truncated_; }

 private:
  enum class Kind : uint8_t { kInside, kInLexeme, kInSplit, kCode, kInserted, kLine, kEnd };
  struct Key {
    Kind kind = Kind::kCode;
    bool closed = false;                  // kLine: a block was closed for this line
    bool ends_phrase = false;             // kCode: a line end stands for the terminator
    bool line_seen = false;               // kCode, kInLexeme: a line end lies before it, and it matters (%line_ends)
    uint16_t lo = 0, hi = kMaxColumn;     // base
    uint16_t column = 0, alt_column = 0;  // kLine: of its first lexeme
    uint32_t offset = 0;
    uint32_t lexeme = 0;  // kInLexeme; kInSplit: with what SplitAt says; kCode: see Behind
    IndentId opened;      // blocks opened in R
    ModeStackId modes;    // what is known of them
    auto operator<=>(const Key&) const = default;
  };
  static uint64_t Rank(Kind kind) {
    return kind == Kind::kInside     ? 0
           : kind == Kind::kInLexeme ? 1
           : kind == Kind::kCode     ? 3
           : kind == Kind::kInserted ? 4
                                     : 2;
  }
  // kCode: the number of the lexeme before, where something may be inserted behind it; 0: nothing, or W writes it itself.
  static uint32_t Behind(LexemeId before) { return before.value + 1u; }
  // kInSplit: a lexeme, in which way it is split, and its parts read so far.
  static uint32_t SplitAt(uint32_t lexeme, size_t way, size_t parts, bool emitted) {
    return lexeme | static_cast<uint32_t>(way) << 16 | static_cast<uint32_t>(parts) << 23 | uint32_t{emitted} << 31;
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

  RightNodeId Intern(Key key);
  uint32_t LabelOf(std::vector<SymbolId> columns);
  // Labels of what `columns` are, apart by whether a line end behind them is the terminator.
  struct LexemeLabels {
    uint32_t plain = 0, ends_phrase = 0;
  };
  LexemeLabels LabelsOf(const std::vector<SymbolId>& columns);
  // Those that may stand where a line end lies before them, or none does.
  std::vector<SymbolId> Standing(std::vector<SymbolId> columns, bool line_seen) const;
  void AddLexemeEdges(LexemeLabels labels, Key behind, Expansion& out);
  // May the terminal of %insert stand before the lexeme at the node? kNoLexeme: before the end of the text.
  bool MayInsert(const Key& key, LexemeId next) const;
  void AddInsertedEdge(const Key& key, LexemeId next, Expansion& out);
  // The first parts of a lexeme that may be split; `behind`: where it ends.
  void AddSplitEdges(LexemeId id, bool line_seen, bool emitted, Key behind, Expansion& out);
  void ExpandSplit(const Key& key, Expansion& out);
  void AddTerminatorEdge(bool emitted, Key behind, Expansion& out);
  void AddEntries();
  void AddStarts(const Lexer& lexer);
  // W at the beginning of a line. `joined`: ignorable text stands between W's blanks and the offset, the line may begin anywhere.
  void AddLineStart(size_t offset, bool joined);
  void AddBetween(size_t offset, ModeStackId modes);
  bool AddLanding(LexemeId id, size_t end, std::string_view text, ModeStackId modes);
  // Can R be read to its end from `offset`?
  bool Alive(size_t offset, ModeId mode);
  bool AliveBehind(size_t offset, ModeStackId modes);
  // The stacks behind a lexeme that ends at `end`, as little of them as has to be known. Valid until the next call.
  std::span<const ModeStackId> StacksBehind(const Lexeme& lexeme, ModeStackId before, size_t end);
  bool IsIgnoredText(size_t offset);
  bool AsksForLine(const Lexeme& lexeme) const;
  void AddInLexemeStarts(const Lexer& lexer);
  void AddInside();
  void ExpandNode(RightNodeId id);
  void StoreEdges(Node& node, const std::vector<RightEdge>& edges);
  void Expand(const Key& key, Expansion& out);
  void ExpandCode(const Key& key, Expansion& out);
  void ExpandLine(const Key& key, Expansion& out);
  // The node before the first content line behind `offset`, a line's beginning.
  Key LineAt(size_t offset, uint16_t lo, uint16_t hi, IndentId opened, bool* newline_before);

  const Grammar& grammar_;
  const Lexer& lexer_;
  const LayoutRules& layout_;
  RightLexemes& lexemes_;
  Options options_;
  IndentArena indents_;
  ModeArena modes_;
  std::vector<ModeStackId> stacks_behind_;
  std::vector<Key> keys_;                                  // [RightNodeId]
  std::vector<Node> nodes_;                                // [RightNodeId]
  std::vector<uint32_t> heads_;                            // [offset] first node there
  std::vector<std::unique_ptr<RightEdge[]>> edge_blocks_;  // kEdgeBlock each, or more for a node that has more
  RightEdge* next_edge_ = nullptr;
  size_t edges_left_ = 0;  // in the last block
  size_t edge_count_ = 0;
  std::vector<std::vector<SymbolId>> labels_;
  std::array<std::vector<LexemeLabels>, 2> lexeme_labels_;  // [line_seen][LexemeId] of a given lexeme
  std::vector<Entry> entries_;
  std::vector<std::string> lexeme_beginnings_;
  uint32_t newline_label_ = 0, indent_label_ = 0, dedent_label_ = 0;
  bool truncated_ = false;
};

}  // namespace tenon::constraint
