#include "constraint/mask/named_tokens.h"

#include <algorithm>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "constraint/base/base.h"
#include "constraint/mask/token_trial.h"

namespace tenon::constraint {

NamedTokens::NamedTokens(const TokenVocabulary& vocabulary, SharedGap& gap)
    : vocabulary_(vocabulary), gap_(gap), unsure_(vocabulary), lists_(1), memo_(true) {}

void NamedTokens::Forget() {
  unsure_.Forget();
  between_.clear();
  questions_.clear();
  lists_.assign(1, {});
  memo_.Forget();
}

UnsureTokens::SetId NamedTokens::UnsureBetween(uint64_t pair, const TokenMask& always,
                                               const TokenMask& ever) {
  const auto [at, fresh] = between_.try_emplace(pair);
  if (fresh) at->second = unsure_.Of(always, ever);
  return at->second;
}

TokenListId NamedTokens::FittingOf(const Branch& branch, UnsureTokens::SetId unsure) {
  Branch settled = branch;
  settled.top = gap_.Settled({branch.top, branch.context}).top;
  const Question question{unsure.value, branch.q, branch.text, branch.emitted};
  const SequenceNodeId node{
      questions_.try_emplace(question, static_cast<uint32_t>(questions_.size())).first->second};
  WalkReads reads;
  WalkMemo::Places places = memo_.Follow(node, branch.opened_in_middle, 1, gap_.mover().stacks(),
                                         gap_.classes(), {settled.top, branch.context}, reads);
  if (places.all_decided) {
    boost::container::small_vector<TokenSetId, 1> lists;
    memo_.AppendSets(places, lists);
    return TokenListId{lists[0].value};
  }
  Tried tried = Try(settled, unsure);
  const TokenListId list = AddList(std::move(tried.fitting));
  Remember(tried.names ? places.named : places.special, branch, tried, list);
  return list;
}

NamedTokens::Tried NamedTokens::Try(const Branch& branch, UnsureTokens::SetId unsure) {
  ++walked_;
  Tried tried;
  const std::span<const TokenVocabulary::Node> nodes = vocabulary_.nodes();
  const NoteScope looked(gap_.mover().stacks().reads());
  const NoteScope tested(gap_.mover().names_read());
  TryTokens(
      gap_, vocabulary_, branch,
      [&](uint32_t n) {
        return unsure_.CountIn(unsure, nodes[n].tokens, nodes[nodes[n].end].tokens);
      },
      [&](TokenId token) { tried.fitting.push_back(token); });
  tried.stack = looked.notes();
  tried.names = tested.notes().any;
  return tried;
}

TokenListId NamedTokens::AddList(std::vector<TokenId> tokens) {
  if (tokens.empty()) return kEmptyTokenList;
  lists_.push_back(std::move(tokens));
  return TokenListId{static_cast<uint32_t>(lists_.size() - 1)};
}

void NamedTokens::Remember(WalkMemo::Place& place, const Branch& branch, const Tried& tried,
                           TokenListId list) {
  StackArena& stacks = gap_.mover().stacks();
  // What is not known to be left out is taken to be read: columns and brackets always, and all of
  // the stack's contexts where R may have been read.
  const WalkReads reads{true, tried.stack.context || tried.stack.lowest == 0, tried.names, 0};
  const uint32_t depth = std::min(tried.stack.lowest, stacks.node(place.level).depth);
  for (bool decides = false; !decides;) {
    const NodeId lowest = WalkMemo::EndOfEntry(place, depth, stacks);
    decides = stacks.node(lowest).depth == depth;
    const WalkMemo::Unit unit[] = {0};
    const TokenSetId answers[] = {{list.value}};
    const size_t decided = decides ? 1 : 0;
    memo_.Add(place, stacks, gap_.classes(), branch.context.layout, lowest,
              std::span(unit).first(decided), std::span(answers).first(decided), reads);
  }
}

}  // namespace tenon::constraint
