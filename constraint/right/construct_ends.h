// Whole constructs of the right context where R is very ambiguous: at which nodes can they end?
//
// Parser stacks (construct_parser.h) tell every reading of a text apart. With the rule e: e "+" e a
// sum of n terms has a number of readings that grows like 4^n, and the stacks multiply. Here an
// item at a node has a set of end nodes instead, and no memory of where it began.
//
// A worked example, e: e "+" e | NAME and R = `x + y + z`:
//
//   0 --NAME--> 1 --"+"--> 2 --NAME--> 3 --"+"--> 4 --NAME--> 5
//
//   ends(4, e) = {5}           z
//   ends(2, e) = {3, 5}        y, and y + z with one reading
//   ends(0, e) = {1, 3, 5}     x, x + y, and x + y + z with two readings: one set
//
// Definition, to the least fixpoint:
//
//   ends(p, A -> s .)      {p}
//   ends(p, A -> s . c t)  ends(q, A -> s c . t) for each edge from p to q that holds c
//   ends(p, A -> s . B t)  ends(q, A -> s B . t) for each q of ends(p, B)
//   ends(p, B)             more(q, B) for each q of ends(p, B -> . w), of each rule but B -> B t
//   more(q, B)             q, and more(r, B) for each r of ends(q, B -> B . t)
//
// more(q, B) holds the ends of every B that ends at q and goes on from there. Where a B began makes
// no difference to more(q, B), so one set serves all B that end at q.
//
// Order. Nodes nearer to R's end come first, so a set is computed about once. Equal sets are one:
// the ends of B -> s . B, where B follows, are the ends of B.
//
// Source: Earley, An efficient context-free parsing algorithm, CACM 1970, run from the right; Lang
// (1974). Where we differ: items have no origin, left recursion has sets of its own, sets are bits.
// Cost: items times nodes for sums of n terms, n * n / 64 words; at worst cubic / 64.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <stop_token>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/language/language.h"
#include "constraint/right/end_set.h"
#include "constraint/right/right_automaton.h"
#include "constraint/right/right_edges.h"

namespace tenon::constraint {

struct EndSetId {
  uint32_t value = 0;  // 0: the empty set
  auto operator<=>(const EndSetId&) const = default;
};

class ConstructEnds {
 public:
  // The most memory used, 64 MiB; beyond it the right context counts as too ambiguous.
  static constexpr size_t kMaxBytes = size_t{1} << 26;
  ConstructEnds(const GrammarIndex& index, RightAutomaton& automaton, RightEdges& edges)
      : index_(index), automaton_(automaton), edges_(edges) {}

  // The nodes at which texts of `nonterminal` from a node end. Of a list (GrammarIndex::IsList):
  // the ends of its first element. Nothing: stopped, and the next call goes on; or too ambiguous.
  std::optional<EndSetId> Find(RightNodeId at, SymbolId nonterminal, const std::stop_token& stop);
  // The same set where it was computed as a part of another one.
  std::optional<EndSetId> Known(RightNodeId at, SymbolId nonterminal) const;
  // The reference holds until the next call of Find.
  const EndSet& set(EndSetId id) const { return sets_[id.value]; }
  // kMaxBytes was reached: Find then returns nothing.
  bool too_ambiguous() const { return memory_bytes() > kMaxBytes; }
  size_t memory_bytes() const {
    return words_ * sizeof(uint64_t) + sets_.capacity() * sizeof(EndSet) +
           questions_.capacity() * sizeof(Question) + ids_.bucket_count() * 13;
  }

 private:
  // A question: the ends of an item (kItem), of a nonterminal's rules other than B -> B t (kFirst),
  // of a nonterminal (kAll), or more(q, B) (kMore).
  enum class Kind : uint8_t { kItem, kFirst, kAll, kMore };
  struct Question {
    uint64_t order = 0;  // of its node
    RightNodeId at;
    uint32_t what = 0;  // DottedId or SymbolId
    Kind kind = Kind::kItem;
    bool queued = false, asked = false;
    bool settled = false;  // its answer will not change
    bool outside = false;  // it waits for the answer of a node of another order
    EndSetId ends;
    std::vector<uint32_t> waiting;  // questions whose answers this one may change
  };
  struct Place {
    uint64_t order;
    uint32_t question;
    bool operator<(const Place& other) const {  // the node nearest to R's end comes first
      return order != other.order ? order < other.order : question < other.question;
    }
  };
  // An answer in the making: a union of the answers to other questions.
  struct Answer {
    uint32_t question;
    EndSetId only;        // the set merged, while there is one
    bool single = true;   // the answer is `only`
    EndSet ends;          // the answer where several sets were merged
    bool known = true;    // every answer merged exists
    bool settled = true;  // and every one is settled
    bool outside = false;
  };

  static uint64_t Key(RightNodeId at, uint32_t what, Kind kind) {
    return static_cast<uint64_t>(kind) << 62 | static_cast<uint64_t>(at.value) << 24 | what;
  }
  Kind KindOf(SymbolId nonterminal) const {
    return index_.IsList(nonterminal) ? Kind::kFirst : Kind::kAll;
  }
  uint32_t Intern(RightNodeId at, uint32_t what, Kind kind);
  void Queue(uint32_t question);
  void AnswerQuestion(uint32_t question);
  // Marks the answers of greater orders as settled: no question of theirs is left.
  void SettleAfter(uint64_t order);
  // The present answer to another question.
  EndSetId Ask(Answer& answer, RightNodeId at, uint32_t what, Kind kind);
  void Merge(Answer& answer, EndSetId ends);
  void MergeNode(Answer& answer, RightNodeId at);
  void MergeItem(Answer& answer, RightNodeId at, DottedId dotted);
  void MergeItemsAfter(Answer& answer, RightNodeId at, DottedId dotted);
  void MergeRules(Answer& answer, RightNodeId at, SymbolId nonterminal);
  void MergeMore(Answer& answer, EndSetId begun, RightNodeId after, SymbolId nonterminal);

  const GrammarIndex& index_;
  RightAutomaton& automaton_;
  RightEdges& edges_;
  std::vector<Question> questions_;
  boost::unordered_flat_map<uint64_t, uint32_t, KeyHash> ids_;  // (kind, node, item) -> question
  std::priority_queue<Place> places_;                           // questions that wait for an answer
  std::map<uint64_t, std::vector<uint32_t>> unsettled_;  // [order] answered, may still change
  std::vector<EndSet> sets_ = std::vector<EndSet>(1);    // [EndSetId]
  size_t words_ = 0;                                     // of sets_
};

}  // namespace tenon::constraint
