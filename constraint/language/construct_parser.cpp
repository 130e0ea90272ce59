#include "constraint/language/construct_parser.h"

#include <algorithm>

#include "constraint/base/base.h"

namespace tenon::constraint {

ConstructStackId ConstructParser::Expect(std::span<const SymbolId> expected) {
  State made;
  made.expected.assign(expected.begin(), expected.end());
  made.empty_stack = true;
  uint32_t state = InternState(std::move(made));
  auto [at, fresh] = node_ids_.try_emplace(uint64_t{0xffffffffu} << 32 | state,
                                           static_cast<uint32_t>(nodes_.size()));
  ConstructStackId id{at->second};
  if (fresh) nodes_.push_back({id, state});
  return id;
}

bool ConstructParser::ReadsFirstElement(ConstructStackId stack, SymbolId list) const {
  const std::vector<SymbolId>& lists = states_[nodes_[stack.value].state].lists;
  return std::binary_search(lists.begin(), lists.end(), list);
}

uint32_t ConstructParser::InternState(State made) {
  uint64_t hash = made.empty_stack;
  for (DottedId d : made.kernel) hash = HashWith(hash, d.value);
  for (SymbolId s : made.expected) hash = HashWith(hash, s.value + 0x100000u);
  std::vector<uint32_t>& same = state_ids_[hash];
  for (uint32_t id : same) {
    if (states_[id].kernel == made.kernel && states_[id].expected == made.expected) return id;
  }
  const Grammar& grammar = index_.grammar();
  made.closure.assign(WordsFor(grammar.nonterminals.size()), 0);
  made.acts_on.assign(index_.words(), 0);
  auto expect = [&](SymbolId s) {
    MergeBits(made.closure, index_.LeftCorners(s));
    MergeBits(made.acts_on, index_.First(s));
  };
  for (SymbolId s : made.expected) expect(s);
  for (DottedId d : made.kernel) {
    const GrammarIndex::Dotted& dotted = index_.dotted(d);
    if (dotted.next == GrammarIndex::kComplete) {
      made.complete.push_back(dotted.rule);
      MergeBits(made.acts_on, index_.Follow(index_.Head(dotted.rule)));
    } else if (grammar.IsLrTerminal(dotted.next)) {
      MergeBits(made.acts_on, index_.First(dotted.next));
    } else {
      expect(dotted.next);
    }
  }
  for (SymbolId s : made.expected) {
    bool corner = std::any_of(made.expected.begin(), made.expected.end(), [&](SymbolId other) {
      return other != s && index_.ListIn(other) != s && index_.IsLeftCorner(other, s);
    });
    if (index_.IsList(s) && !corner) made.lists.push_back(s);
  }
  state_bytes_ += sizeof(State) + made.kernel.size() * 4 + made.expected.size() * 4 +
                  (made.closure.size() + made.acts_on.size()) * 8 + made.complete.size() * 4;
  uint32_t id = static_cast<uint32_t>(states_.size());
  same.push_back(id);
  states_.push_back(std::move(made));
  return id;
}

// The LR(0) goto, made on the first visit. The closure is not stored as items: its items with the
// dot after `symbol` are found by GrammarIndex::ItemsAfter, and kept if their head may begin here.
uint32_t ConstructParser::Goto(uint32_t from, SymbolId symbol) {
  uint64_t key = static_cast<uint64_t>(from) << 16 | symbol.value;
  if (auto at = gotos_.find(key); at != gotos_.end()) return at->second;
  const State& state = states_[from];
  State made;
  for (DottedId d : state.kernel) {
    if (index_.Scans(d, symbol)) made.kernel.push_back({d.value + 1});
  }
  bool list = std::binary_search(state.lists.begin(), state.lists.end(), symbol);
  for (const auto& [item, head] : index_.Begins(symbol)) {
    if (!HasBit(state.closure, head) || (list && index_.IsLeftRecursive(item))) continue;
    made.kernel.push_back(item);
  }
  std::sort(made.kernel.begin(), made.kernel.end());
  uint32_t to = made.kernel.empty() ? kNoState : InternState(std::move(made));
  gotos_.emplace(key, to);
  return to;
}

ConstructStackId ConstructParser::Push(ConstructStackId below, uint32_t state) {
  auto [at, fresh] = node_ids_.try_emplace(static_cast<uint64_t>(below.value) << 32 | state,
                                           static_cast<uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({below, state});
  return ConstructStackId{at->second};
}

// Appends the stacks that reductions of `at` lead to to work_.
void ConstructParser::Reduce(Top at, SymbolId lr_terminal, std::vector<SymbolId>& completed) {
  for (size_t i = 0; i < states_[at.state].complete.size(); ++i) {
    RuleId rule = states_[at.state].complete[i];
    SymbolId head = index_.Head(rule);
    if (!HasBit(index_.Follow(head), lr_terminal.value)) continue;
    ConstructStackId base = at.below;
    for (size_t k = 1; k < index_.Length(rule); ++k) base = nodes_[base.value].below;
    const State& below = states_[nodes_[base.value].state];
    if (std::binary_search(below.expected.begin(), below.expected.end(), head))
      completed.push_back(head);
    const Top reduced{base, Goto(nodes_[base.value].state, head)};
    if (reduced.state == kNoState) continue;
    if (std::find(work_.begin(), work_.end(), reduced) == work_.end()) work_.push_back(reduced);
  }
}

// One GLR step: all reductions under look-ahead `lr_terminal`, then its shift.
ConstructParser::Memo ConstructParser::Compute(ConstructStackId stack, SymbolId lr_terminal) {
  std::vector<SymbolId> completed;
  std::vector<ConstructStackId> shifted;
  work_.assign(1, {nodes_[stack.value].below, nodes_[stack.value].state});
  for (size_t i = 0; i < work_.size(); ++i) {
    const Top at = work_[i];
    Reduce(at, lr_terminal, completed);
    if (lr_terminal.value == index_.grammar().lr_terminals.size()) continue;
    const uint32_t to = Goto(at.state, lr_terminal);
    if (to != kNoState) shifted.push_back(Push(i == 0 ? stack : Push(at.below, at.state), to));
  }
  SortUnique(completed);
  Memo memo;
  memo.shifted_begin = static_cast<uint32_t>(shifted_.size());
  shifted_.insert(shifted_.end(), shifted.begin(), shifted.end());
  memo.shifted_end = static_cast<uint32_t>(shifted_.size());
  memo.completed_begin = static_cast<uint32_t>(completed_.size());
  completed_.insert(completed_.end(), completed.begin(), completed.end());
  memo.completed_end = static_cast<uint32_t>(completed_.size());
  return memo;
}

ConstructParser::Moves ConstructParser::Move(ConstructStackId stack, SymbolId lr_terminal) {
  if (!HasBit(ActsOn(stack), lr_terminal.value)) return {};
  uint64_t key = static_cast<uint64_t>(stack.value) << 16 | lr_terminal.value;
  auto at = memo_.find(key);
  if (at == memo_.end()) at = memo_.emplace(key, Compute(stack, lr_terminal)).first;
  const Memo& memo = at->second;
  return {std::span(shifted_).subspan(memo.shifted_begin, memo.shifted_end - memo.shifted_begin),
          std::span(completed_)
              .subspan(memo.completed_begin, memo.completed_end - memo.completed_begin)};
}

size_t ConstructParser::memory_bytes() const {
  return state_bytes_ + nodes_.capacity() * sizeof(Node) + node_ids_.bucket_count() * 17 +
         gotos_.bucket_count() * 17 + memo_.bucket_count() * 26 + shifted_.capacity() * 4 +
         completed_.capacity() * 2;
}

}  // namespace tenon::constraint
