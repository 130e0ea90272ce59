// The parses of R that began before R: items whose beginning is unknown, and their continuations.
//
// R was cut out of a text, so R's first terminal may be anywhere in a rule. Example: in
// `foo(a, |b)` R is `b)`. The gap may lie after a comma of an argument list, or directly after the
// bracket of a call. Each is an *item*: a rule with a dot at the gap. The spine follows every such
// item to the end of R, in three kinds of steps:
//
//   - the item *scans* a terminal of R;
//   - the item *advances* over a whole construct, such as the argument `b`;
//   - the item *ends*: then each item that has just passed the rule's head continues. Where that
//     item began is not known either, so all such items of the grammar are taken.
//
// A worked example: call: NAME "(" args ")"   args: args "," arg | arg   arg: NAME   start: call
//
//   nodes of R's automaton     0 --NAME--> 1 --")"--> 2
//
//   (0, args -> args "," . arg)      begun: the gap lies after a comma
//      |  advance over the construct `arg`, which ends at 1
//   (1, args -> args "," arg .)      an args has ended; its beginning is before R
//      |  parent
//   (1, call -> NAME "(" args . ")") <--advance over args--  (0, call -> NAME "(" . args ")")
//      |  advance over ")"                                   begun: the gap lies after the bracket
//   (2, call -> NAME "(" args ")" .)
//      |  parent
//   (2, start -> call .)  --parent-->  (2, S' -> start .)    R ends here: a root
//
// Definition. A vertex is (automaton node p, item A -> s . t): s began before R, t begins at p.
// Links:
//
//   t = c t'   an edge of p scans LR terminal c  -> (target, A -> s c . t')
//   t = B t'   a whole construct B ends at q     -> (q, A -> s B . t')
//   t empty    A ended at p, beginning unknown   -> (p, B -> s' A . t') for every B: parents of A's
//                                                  node in the demand graph
//
// Nothing here depends on where the gap is, except which vertices begin. All of it is kept while
// R's text is, and a gap that begins elsewhere runs into vertices already known.
//
// Lists. A list (statements -> statements statement) continues alike wherever it began. Example: in
// a block of a hundred statements after the gap each statement ends the list `statements` once.
// An item that waits for a list gets its ends from the list's own vertices (a `via` link). A chain
// of list vertices, such as these statements, is replaced by its *exits*: the parents that are not
// of the chain.
//
// Dead vertices. An item may continue for a step and still not reach R's end. Example: in
// `[|1, 2, 3]` the list may have ended after each element, and the comma be a last one, until no
// `]` follows. Such vertices are no parents; else a chain would have an exit for each element.
//
// Whole constructs are read by language/construct_parser.h, and by construct_ends.h where that
// needs too many stacks.
//
// The sources, by subject: right_spine.cpp makes vertices and links, right_spine_constructs.cpp
// reads whole constructs, right_spine_parents.cpp finds parents, right_spine_chains.cpp chains.
//
// Source: docs/design/right_context.md; Bates and Lavie, Recognizing substrings of LR(k) languages
// in linear time, TOPLAS 1994. Where we differ: whole constructs are read by LR stacks, and below
// them are items instead of sets of LR states.
// Cost: docs/measured.md; two vertices and some 100 bytes a statement next to the gap's path, a
// look-up a terminal in statements beside it. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <queue>
#include <span>
#include <stop_token>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "constraint/base/base.h"
#include "constraint/language/language.h"
#include "constraint/right/construct_ends.h"
#include "constraint/right/right_automaton.h"
#include "constraint/right/right_edges.h"

namespace tenon::constraint {

// All levels of any grammar.
inline constexpr PredicateBits kAnyLevel = ~PredicateBits{0};

struct SpineVertexId {
  uint32_t value = 0;
  auto operator<=>(const SpineVertexId&) const = default;
};

class RightSpine {
 public:
  // `levels`: the predicates of `%levels` that hold; R is read without the others.
  // `pack_above`: where constructs need more stacks than eight times this at a node, and do
  // not lose them soon, end sets are used instead.
  RightSpine(const GrammarIndex& index, RightAutomaton& automaton,
             const ConstructParsers& constructs, PredicateBits levels, size_t pack_above);
  RightSpine(const RightSpine&) = delete;
  RightSpine& operator=(const RightSpine&) = delete;

  // Begins an item of the start rule at an entry. Its vertex; nothing where R cannot go on from it.
  std::optional<SpineVertexId> BeginStart(RightNodeId at, DottedId dotted);
  // Begins every inner item of the grammar at an entry: one whose dot is neither first nor last.
  // Complete makes the vertices of all items from which R goes on.
  void BeginInner(RightNodeId at);
  // Follows every vertex begun to the end of R, and marks those from which it is reached. False:
  // stopped; calling it again goes on.
  bool Complete(const std::stop_token& stop);

  // The vertices of inner items begun at an entry, in the order of the items.
  // REQUIRES: BeginInner, then Complete.
  std::span<const SpineVertexId> inner(RightNodeId at) const { return inner_.at(at.value); }

  struct Vertex {
    RightNodeId at;
    DottedId dotted;
    uint32_t links_begin = 0, links_end = 0;
  };
  const Vertex& vertex(SpineVertexId id) const { return vertices_[id.value]; }
  // Is R's end reached from it? Else it has no parents and is no root. REQUIRES: Complete.
  bool IsLive(SpineVertexId id) const { return live_[id.value]; }
  // A parent of an ended item: the vertex whose item has just passed it. [lo, hi]: the columns of
  // the block whose end was scanned in between.
  struct Parent {
    SpineVertexId vertex;
    uint16_t lo = 0, hi = kMaxColumn;
    auto operator<=>(const Parent&) const = default;
  };
  struct Parents {
    std::vector<Parent> parents;  // ascending
    std::vector<Parent> roots;    // R ends here: only lo and hi count
  };
  // REQUIRES: Complete.
  Parents ParentsOf(SpineVertexId id);
  // For a vertex of a list's own rule (A -> A . t): the number of its chain's exits. Nothing: no
  // chain replaces it.
  std::optional<uint32_t> ChainOf(SpineVertexId id);
  std::span<const Parent> exits(uint32_t chain) const { return chains_[chain]; }
  // The levels, as their own bits, with which more of R could have been followed.
  PredicateBits barred() const { return edges_.barred(); }
  // Was R given up because its constructs end at too many nodes (ConstructEnds::kMaxBytes)? Then
  // Complete leads nowhere.
  bool too_ambiguous() const { return construct_ends_.too_ambiguous(); }
  size_t memory_bytes() const;

 private:
  enum class LinkKind : uint8_t { kAdvance, kParent, kVia, kEnds };
  struct Link {
    SpineVertexId to;  // kEnds: an EndSetId instead, of the nodes at which the item goes on
    uint16_t lo = 0, hi = kMaxColumn;
    LinkKind kind = LinkKind::kAdvance;
  };
  struct Ends {
    uint32_t begin = 0, end = 0;  // in ends_pool_
    EndSetId many;                // or an end set
    // The list of which only the first element was read: the nonterminal itself, or the list in it
    // (GrammarIndex::ListIn).
    std::optional<SymbolId> list;
  };
  struct Place {
    uint64_t order;
    RightNodeId at;
    bool operator>(const Place& other) const {
      return order != other.order ? order > other.order : at.value > other.at.value;
    }
  };
  // Of chain_of_: no chain is known yet; no chain replaces the vertex.
  static constexpr uint32_t kNone = 0xffffffffu, kItself = 0xfffffffeu;
  // Stacks that a node may have for each of `pack_above`. Every kind of list that R may be the
  // rest of has a stack of its own at each element: with R = `1, 2, 3]` in Python values, targets,
  // patterns, arguments and others, 25 in all.
  static constexpr size_t kStacksAtNode = 8;
  // Stacks are compared with nodes once there are as many as this many nodes may have: at first
  // kFewNodes, halved down to one each time that the stacks were too many.
  static constexpr size_t kFewNodes = 256;

  static uint64_t Key(RightNodeId at, DottedId dotted) {
    return static_cast<uint64_t>(at.value) << 24 | dotted.value;
  }
  SpineVertexId Intern(RightNodeId at, DottedId dotted);
  void AddLink(std::vector<Link>& links, RightNodeId at, DottedId dotted, LinkKind kind,
               uint16_t lo, uint16_t hi);
  bool IsRoot(const Vertex& vertex) const {
    const GrammarIndex::Dotted& dotted = index_.dotted(vertex.dotted);
    return dotted.next == GrammarIndex::kComplete && dotted.rule == index_.augmented();
  }
  bool ExpandPlace(RightNodeId at, const std::stop_token& stop);
  bool LinkWaiting(RightNodeId at, std::span<const SymbolId> more, const std::stop_token& stop);
  void Expect(RightNodeId at, SymbolId nonterminal, std::vector<SymbolId>& expected) const;
  bool ExpandEntry(RightNodeId at, const std::stop_token& stop);
  bool AnyEnd(RightNodeId at, SymbolId nonterminal) const;
  void LinkEnded(SpineVertexId id);
  void LinkScanned(const Vertex& vertex, std::vector<Link>& links);
  void LinkConstructs(const Vertex& vertex, SymbolId nonterminal, std::vector<Link>& links);
  void Store(SpineVertexId id, const std::vector<Link>& links);
  void MarkLive();
  bool ReadConstructs(RightNodeId at, std::vector<SymbolId> expected, const std::stop_token& stop);
  enum class ByStacks : uint8_t { kRead, kTooMany, kStopped };
  class StackRun;
  ByStacks ReadByStacks(RightNodeId begin, std::span<const SymbolId> expected,
                        const std::stop_token& stop);
  static uint64_t EndsKey(RightNodeId at, SymbolId nonterminal) {
    return static_cast<uint64_t>(at.value) << 16 | nonterminal.value;
  }
  // Calls `visit` with each node of `ends`: where the text of a nonterminal ends, or the first
  // element of a list.
  template <typename Visit>
  void ForEachEnd(const Ends& ends, const Visit& visit) const;
  bool SameList(SpineVertexId a, SpineVertexId b) const;
  void FollowVia(SpineVertexId list, DottedId wanted, std::vector<SpineVertexId>& found);
  uint32_t InternChain(std::vector<Parent> exits);
  struct ChainStep;
  std::vector<ChainStep> ClimbChain(SpineVertexId& at);
  uint32_t ComputeChain(SpineVertexId id);

  const GrammarIndex& index_;
  RightAutomaton& automaton_;
  const ConstructParsers& constructs_;
  RightEdges edges_;
  ConstructEnds construct_ends_;
  std::vector<Vertex> vertices_;
  std::vector<Link> links_;
  std::vector<bool> live_;  // [vertex] R's end can be reached from it
  boost::unordered_flat_map<uint64_t, uint32_t, KeyHash> ids_;  // (node, item) -> vertex
  boost::unordered_flat_map<uint64_t, Ends, KeyHash> ends_;     // (node, nonterminal)
  std::vector<RightNodeId> ends_pool_;
  // (node, nonterminal) -> the first vertex whose item ends there with that head.
  boost::unordered_flat_map<uint64_t, SpineVertexId, KeyHash> ended_;
  size_t stacks_at_node_;                                 // see kStacksAtNode
  size_t compare_above_;                                  // see kFewNodes
  boost::unordered_flat_map<uint32_t, EndSet> followed_;  // [item] nodes at which it has a vertex
  // Nodes with vertices that wait for their links, the least order first.
  std::priority_queue<Place, std::vector<Place>, std::greater<>> places_;
  boost::unordered_flat_map<uint32_t, std::vector<SpineVertexId>> waiting_;  // [node]
  boost::unordered_flat_map<uint32_t, std::vector<SpineVertexId>> inner_;    // [entry]
  boost::unordered_flat_set<uint32_t> entries_;  // nodes at which inner items are still to begin
  std::vector<uint32_t> chain_of_;               // [vertex]
  std::vector<std::vector<Parent>> chains_;
  IdsByHash<uint32_t> chain_ids_;  // in chains_
};

}  // namespace tenon::constraint
