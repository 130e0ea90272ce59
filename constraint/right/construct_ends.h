// Whole constructs of the right context where they are very ambiguous: from a node, which texts of a nonterminal end where?
//
// Stacks (gap/construct_parser.h) tell every way to read a text apart: where sums and products of the same terms can be grouped freely
// they double with each term. Here an item at a node has a set of nodes instead, and no memory of where it began:
//
//   ends(p, A -> s .)      p
//   ends(p, A -> s . c t)  ends(q, A -> s c . t) for each edge from p to q that holds c
//   ends(p, A -> s . B t)  ends(q, A -> s B . t) for each q of ends(p, B)
//   ends(p, B)             ends(p, B -> . w) of each rule, but B -> B t: how a B goes on behind q does not depend on where it began, so
//                          more(q, B), which is q and more(r, B) for each r of ends(q, B -> B . t), is kept by itself
//
// to the least fixpoint. Nodes further on come first, so a set is made about once. Sets that are the same are one: those of
// B -> s . B where B follows are those of B.
// Source: Earley, An efficient context-free parsing algorithm, CACM 1970, asked from the right; Lang (1974).
// Where we differ: items have no origin, left recursion has sets of its own, sets are bits.
// Cost: items times nodes for sums of n terms, n * n / 64 words; at worst cubic / 64. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <stop_token>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/right/end_set.h"
#include "constraint/language/language.h"
#include "constraint/right/right_automaton.h"
#include "constraint/right/right_edges.h"

namespace tenon::constraint {

struct EndSetId {
  uint32_t value = 0;  // 0: the empty set
  auto operator<=>(const EndSetId&) const = default;
};

class ConstructEnds {
 public:
  // What is kept may take so much, some 64 MiB; beyond it the right context counts as too ambiguous.
  static constexpr size_t kMaxBytes = size_t{1} << 26;
  ConstructEnds(const GrammarIndex& index, RightAutomaton& automaton, RightEdges& edges)
      : index_(index), automaton_(automaton), edges_(edges) {}

  // Where the texts of `nonterminal` from a node end; of a list (GrammarIndex::IsList) its first elements. Nothing: stopped, calling it
  // again goes on; or too ambiguous.
  std::optional<EndSetId> Find(RightNodeId at, SymbolId nonterminal, const std::stop_token& stop);
  // The same where it was found on the way to other ends.
  std::optional<EndSetId> Known(RightNodeId at, SymbolId nonterminal) const;
  // The reference holds until the next call of Find.
  const EndSet& set(EndSetId id) const { return sets_[id.value]; }
  // kMaxBytes was reached: nothing is found any more.
  bool too_ambiguous() const { return memory_bytes() > kMaxBytes; }
  size_t memory_bytes() const {
    return words_ * sizeof(uint64_t) + sets_.capacity() * sizeof(EndSet) + questions_.capacity() * sizeof(Question) +
           ids_.bucket_count() * 13;
  }

 private:
  // A question: the ends of an item, of a nonterminal's rules other than B -> B t, of a nonterminal, or of it behind a first part.
  enum class Kind : uint8_t { kItem, kFirst, kAll, kMore };
  struct Question {
    uint64_t order = 0;  // of its node
    RightNodeId at;
    uint32_t what = 0;  // DottedId or SymbolId
    Kind kind = Kind::kItem;
    bool queued = false, asked = false;
    bool settled = false;  // its answer will not change
    bool outside = false;  // for that it waits for a node of another order
    EndSetId ends;
    std::vector<uint32_t> waiting;  // questions whose answers this one may change
  };
  struct Place {
    uint64_t order;
    uint32_t question;
    bool operator<(const Place& other) const {  // the last comes first
      return order != other.order ? order < other.order : question < other.question;
    }
  };
  struct Mix {
    size_t operator()(uint64_t x) const {
      x ^= x >> 32;
      x *= 0x9e3779b97f4a7c15u;
      return x ^ x >> 29;
    }
  };
  // An answer in the making: a union of what other questions are answered with.
  struct Answer {
    uint32_t question;
    EndSetId only;        // what was merged, while that is one set
    bool single = true;   // `only` says it all
    EndSet ends;          // where it does not
    bool known = true;    // all that was merged has been asked
    bool settled = true;  // ... and is settled
    bool outside = false;
  };

  static uint64_t Key(RightNodeId at, uint32_t what, Kind kind) {
    return static_cast<uint64_t>(kind) << 62 | static_cast<uint64_t>(at.value) << 24 | what;
  }
  Kind KindOf(SymbolId nonterminal) const { return index_.IsList(nonterminal) ? Kind::kFirst : Kind::kAll; }
  uint32_t Intern(RightNodeId at, uint32_t what, Kind kind);
  void Queue(uint32_t question);
  void AnswerQuestion(uint32_t question);
  // Orders behind `order` wait for nothing any more.
  void SettleBehind(uint64_t order);
  // The present answer to another question.
  EndSetId Ask(Answer& answer, RightNodeId at, uint32_t what, Kind kind);
  void Merge(Answer& answer, EndSetId ends);
  void MergeNode(Answer& answer, RightNodeId at);
  void MergeItem(Answer& answer, RightNodeId at, DottedId dotted);
  void MergeItemsBehind(Answer& answer, RightNodeId at, DottedId dotted);
  void MergeRules(Answer& answer, RightNodeId at, SymbolId nonterminal);
  void MergeMore(Answer& answer, EndSetId begun, RightNodeId behind, SymbolId nonterminal);

  const GrammarIndex& index_;
  RightAutomaton& automaton_;
  RightEdges& edges_;
  std::vector<Question> questions_;
  boost::unordered_flat_map<uint64_t, uint32_t, Mix> ids_;  // (kind, node, what) -> question
  std::priority_queue<Place> places_;                       // questions that wait for an answer
  std::map<uint64_t, std::vector<uint32_t>> unsettled_;     // [order] answered, but what they ask may change
  std::vector<EndSet> sets_ = std::vector<EndSet>(1);       // [EndSetId]
  size_t words_ = 0;                                        // of sets_
};

}  // namespace tenon::constraint
