// The cheapest terminals that join a parser stack with the right context: a closing plan.
//
// Example: L = `foo(a, `, nothing on the right. The stack's top item is args -> args "," . arg. The
// cheapest arg is a NAME; then the item of the call owes `)`. The plan is NAME RPAR. With R = `)`
// the plan is NAME alone: the call's item meets a demand node whose dot stands before `)`.
//
// The cost C(I) of an item I is the least number of bytes from its dot to the place where both
// sides meet. Either I meets a demand node J that it shares (viability_class.h), or I is completed
// and an item below goes on:
//
//   C(A -> a . b, shared) = min( yield(b up to the dot of J) + down(J)   for J in shared, J's dot
//                                                                        not before ours
//                                yield(b) + ret(A, level where the item began) )
//   ret(A, level)         = min C(P advanced over A)   over items P of that level that wait for A
//   down(End)             = yield of its prefix
//   down(Mid)             = yield of its prefix + min down(child)
//
// yield(b) is the cost of the cheapest emitted text of the symbols b (language/yields.h). down, and
// ret within one level, may depend on themselves: the demand graph has cycles, and rules are left
// recursive. Both are relaxed to the fixpoint.
//
// Line ends. With `%terminator` R may begin with a line end that counts after some terminals and
// not after others. So a plan ends with a terminal after which R is read as its entry says. In Go
// nothing is written after a comma, and a comma after a name, as a `;` would not fit there:
//
//   f(            f(
//     a, |          a, b|
//   )             )
//
// Then down and ret have a value for each case: down where the last terminal of W was written on
// the way down already, or is still to come before it; ret for each kind of terminal before it.
//
// Contexts. Some words of R belong into a construct: a given `await` into an asynchronous function
// (grammar/symbols.h, "Contexts"). A planner for the predicate in_async takes only plans with which
// R begins where in_async holds:
//
//   |                     without it the cheapest plan is a block, `{`
//     await g();          with it, `async function a(){`
//   }
//
// Then down has a value for each set of predicates that the surroundings of the node's rule owe. A
// nonterminal on the way down pays for the predicates that it turns on; one that turns a wanted
// predicate off is passed by no plan. Both sides meet where the stack pays the rest.
//
// `tenon gap FILE --dump plan` prints the plans of a real gap.
//
// Source: Knuth, A generalization of Dijkstra's algorithm, IPL 1977; docs/design/closing.md.
// Cost: stack depth times the items of a state, memoised per stack node.
// Thread rule: one thread at a time.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "constraint/gap/gap.h"

namespace tenon::constraint {

struct Plan {
  GapEntry entry = kEntryWithinLine;  // how W ends: any but kEntryInside
  uint32_t cost = 0;                  // in bytes, estimated
  std::vector<SymbolId> terminals;    // terminals of W, after the lexeme in progress
};

class Planner {
 public:
  // `wanted`: predicates that hold where R begins; of more than kMaxWanted, the first ones. Once
  // `stop` is requested the planner may be thrown away alone.
  explicit Planner(SharedGap& gap, std::stop_token stop = {}, PredicateBits wanted = 0);
  static constexpr size_t kMaxWanted = 4;
  // Nothing: from this stack no W ends with `entry`; or it was stopped. `ends_phrase`: a line end
  // at the top of the stack is the terminator (LineEnds).
  std::optional<Plan> Find(NodeId top, bool ends_phrase, GapEntry entry);

 private:
  // A node with that which its surroundings have to give.
  struct Owing {
    DemandNodeId node;
    uint8_t owed = 0;      // predicates for its rule: index into owed_sets_
    bool unended = false;  // W's last terminal stands before the node's part of W
  };
  // How an item goes on towards the right side.
  struct Step {
    uint32_t cost = kNoYield;
    std::optional<Owing> join;  // meets this node; otherwise it ends and its parent goes on
    LastTerminal last = LastTerminal::kAny;  // of the symbols up to there, where there are any
  };
  struct Return {
    uint32_t cost = kNoYield;
    uint16_t item = 0;  // of the level: the parent that goes on cheapest
    Step step;          // of the parent once advanced
  };
  // The nonterminals that a state waits for, ascending, and where its items have theirs. In an
  // expression a state waits for some hundred of the thousand that a language may have.
  struct Waits {
    std::vector<SymbolId> nonterminals;
    std::vector<uint16_t> next, head;  // [item] into nonterminals; kNone: it is none of them
  };
  static constexpr uint16_t kNone = 0xffff;
  // Of one stack node and entry: what each nonterminal costs that its state waits for, after a
  // terminal that goes on or where it is not asked; with `%terminator` then what each costs after
  // one that ends a phrase.
  struct Level {
    const Waits* waits = nullptr;
    std::vector<Return> returns;
  };
  using ReturnCosts = std::array<uint32_t, 2>;

  static int Index(GapEntry entry) {
    return entry == kEntryWithinLine ? 0 : entry == kEntryLine ? 1 : 2;
  }
  void ComputeDown();
  void ComputeDown(GapEntry entry, const std::vector<std::vector<uint32_t>>& parents);
  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }
  size_t At(Owing owing) const {
    return (owing.node.value * owed_sets_.size() + owing.owed) * 2 + owing.unended;
  }
  Owing OwingAt(size_t at) const;
  // The last terminal that the entry asks for.
  LastTerminal Wanted(GapEntry entry) const;
  // The set that is owed outside of the symbol, where `owed` is owed within it. Nothing: the symbol
  // turns one of them off.
  std::optional<uint8_t> OwedOutside(SymbolId symbol, uint8_t owed) const;
  // The predicates that hold in the texts of the item's rule. `node`: a stack whose state has it.
  PredicateBits ContextOf(NodeId node, const LrItem& item) const;
  const Waits& WaitsOf(LrStateId state);
  // Without a return when it was stopped: nothing is reached.
  const Level& LevelOf(NodeId node, GapEntry entry);
  // The return of a nonterminal of the level; null: its state does not wait for it.
  [[nodiscard]] static const Return* In(const Level& level, SymbolId nonterminal,
                                        bool ends_phrase = false);
  // Where the item's rule began on the stack, of several places the one from which it goes on
  // cheapest.
  NodeId BeginOf(NodeId node, const LrItem& item, GapEntry entry);
  // The best step of an item whose dot stands at `dot`, sharing `shared`, after a terminal that
  // ends a phrase or does not. `context`: ContextOf the item.
  Step Best(const LrItem& item, size_t dot, bool ends_phrase,
            const std::vector<DemandNodeId>& shared, PredicateBits context, const ReturnCosts& ret,
            GapEntry entry) const;
  // The step that completes the item.
  Step Completed(const LrItem& item, size_t dot, bool ends_phrase, const ReturnCosts& ret) const;
  ReturnCosts RetOf(NodeId begin, RuleId rule, GapEntry entry);
  void Spell(RuleId rule, size_t begin, size_t end, LastTerminal last,
             std::vector<SymbolId>& out) const;
  void SpellDown(Owing from, GapEntry entry, std::vector<SymbolId>& out) const;

  SharedGap& gap_;
  const GrammarIndex& index_;
  const DemandGraph& graph_;
  std::stop_token stop_;
  std::vector<PredicateBits> owed_sets_;  // the subsets of the wanted predicates; the last is all
  const bool line_ends_;                  // the grammar has `%terminator`
  const Level no_level_;                  // of a stack node when it was stopped
  // [entry][At] the cost of a node and the nodes below.
  std::array<std::vector<uint32_t>, 3> down_;
  // [entry][At] the cost of the cheapest child, and that child; End: 0 for its own entry.
  std::array<std::vector<uint32_t>, 3> child_cost_;
  std::array<std::vector<Owing>, 3> child_;
  std::map<LrStateId, Waits> waits_;
  std::array<std::map<NodeId, Level>, 3> levels_;
};

}  // namespace tenon::constraint
