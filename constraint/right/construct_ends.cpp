#include "constraint/right/construct_ends.h"

#include <algorithm>
#include <utility>

namespace tenon::constraint {

std::optional<EndSetId> ConstructEnds::Find(RightNodeId at, SymbolId nonterminal,
                                            const std::stop_token& stop) {
  const uint32_t wanted = Intern(at, nonterminal.value, KindOf(nonterminal));
  if (!questions_[wanted].asked) Queue(wanted);
  while (!places_.empty()) {
    if (stop.stop_requested() || too_ambiguous()) return std::nullopt;
    const Place place = places_.top();
    places_.pop();
    SettleAfter(place.order);
    questions_[place.question].queued = false;
    AnswerQuestion(place.question);
  }
  return questions_[wanted].ends;
}

std::optional<EndSetId> ConstructEnds::Known(RightNodeId at, SymbolId nonterminal) const {
  if (!places_.empty()) return std::nullopt;
  const auto found = ids_.find(Key(at, nonterminal.value, KindOf(nonterminal)));
  if (found == ids_.end()) return std::nullopt;
  return questions_[found->second].ends;
}

uint32_t ConstructEnds::Intern(RightNodeId at, uint32_t what, Kind kind) {
  auto [found, fresh] =
      ids_.try_emplace(Key(at, what, kind), static_cast<uint32_t>(questions_.size()));
  if (fresh) {
    Question& made = questions_.emplace_back();
    made.order = automaton_.Order(at);
    made.at = at;
    made.what = what;
    made.kind = kind;
  }
  return found->second;
}

void ConstructEnds::Queue(uint32_t question) {
  if (std::exchange(questions_[question].queued, true)) return;
  places_.push({questions_[question].order, question});
}

// Computes an answer from the present answers to other questions. If one of them does not exist
// yet, the question waits; whenever an answer changes, the questions that wait for it are computed
// anew.
void ConstructEnds::AnswerQuestion(uint32_t question) {
  const RightNodeId at = questions_[question].at;
  const uint32_t what = questions_[question].what;
  Answer answer{.question = question, .only = {}, .ends = {}};
  const SymbolId nonterminal{static_cast<uint16_t>(what)};
  switch (questions_[question].kind) {
    case Kind::kItem:
      MergeItemsAfter(answer, at, DottedId{what});
      break;
    case Kind::kFirst:
      MergeRules(answer, at, nonterminal);
      break;
    case Kind::kAll:
      MergeMore(answer, Ask(answer, at, what, Kind::kFirst), at, nonterminal);
      break;
    case Kind::kMore:
      MergeNode(answer, at);
      for (RuleId rule : index_.RulesOf(nonterminal)) {
        const DottedId list = index_.DottedOf(rule, 1);
        if (!index_.IsLeftRecursive(list) || index_.Length(rule) == 1 || !edges_.Useful(list, at))
          continue;
        MergeMore(answer, Ask(answer, at, list.value, Kind::kItem), at, nonterminal);
      }
  }
  Question& asked = questions_[question];
  const bool first = !std::exchange(asked.asked, true);
  bool changed = false;
  if (answer.known) {
    asked.settled = answer.settled;
    asked.outside = answer.outside;
    const EndSet& ends = answer.single ? set(answer.only) : answer.ends;
    changed = ends != set(asked.ends);
    if (changed && answer.single) {
      asked.ends = answer.only;
    } else if (changed) {
      asked.ends = EndSetId{static_cast<uint32_t>(sets_.size())};
      words_ += answer.ends.words();
      sets_.push_back(std::move(answer.ends));
    }
  }
  if (!asked.settled) unsettled_[asked.order].push_back(question);
  if (!first && !changed) return;
  for (uint32_t waiting : std::exchange(asked.waiting, {})) Queue(waiting);
}

void ConstructEnds::SettleAfter(uint64_t order) {
  while (!unsettled_.empty() && unsettled_.rbegin()->first > order) {
    const std::vector<uint32_t>& group = unsettled_.rbegin()->second;
    const auto waits = [&](uint32_t question) { return questions_[question].outside; };
    if (std::none_of(group.begin(), group.end(), waits)) {
      for (uint32_t question : group) questions_[question].settled = true;
    }
    unsettled_.erase(std::prev(unsettled_.end()));
  }
}

EndSetId ConstructEnds::Ask(Answer& answer, RightNodeId at, uint32_t what, Kind kind) {
  const uint32_t id = Intern(at, what, kind);
  Question& asked = questions_[id];
  if (!asked.settled) {
    answer.settled = false;
    answer.outside |= asked.order != questions_[answer.question].order;
    if (asked.waiting.empty() || asked.waiting.back() != answer.question)
      asked.waiting.push_back(answer.question);
  }
  if (!asked.asked) {
    answer.known = false;
    Queue(id);
  }
  return asked.ends;
}

void ConstructEnds::Merge(Answer& answer, EndSetId ends) {
  if (set(ends).empty() || (answer.single && answer.only == ends)) return;
  if (answer.single && set(answer.only).empty()) {
    answer.only = ends;
    return;
  }
  if (std::exchange(answer.single, false)) answer.ends = set(answer.only);
  answer.ends.Merge(set(ends));
}

void ConstructEnds::MergeNode(Answer& answer, RightNodeId at) {
  if (std::exchange(answer.single, false)) answer.ends = set(answer.only);
  answer.ends.Insert(at);
}

// Merges the ends of an item, if it can go on from the node.
void ConstructEnds::MergeItem(Answer& answer, RightNodeId at, DottedId dotted) {
  if (index_.dotted(dotted).next == GrammarIndex::kComplete)
    MergeNode(answer, at);
  else if (edges_.Useful(dotted, at))
    Merge(answer, Ask(answer, at, dotted.value, Kind::kItem));
}

// Merges the ends of the item after its next symbol, at each node that this symbol leads to.
void ConstructEnds::MergeItemsAfter(Answer& answer, RightNodeId at, DottedId dotted) {
  const SymbolId next = index_.dotted(dotted).next;
  const DottedId after{dotted.value + 1};
  if (index_.grammar().IsLrTerminal(next)) {
    for (const RightEdge& edge : automaton_.edges(at)) {
      const RightEdges::Label& label = edges_.LabelOf(edge.label);
      for (SymbolId c : label.barred) {
        if (index_.Scans(dotted, c)) edges_.NoteBarred(c);
      }
      if (index_.ScansAny(dotted, label.terminals)) MergeItem(answer, edge.target, after);
    }
    return;
  }
  const EndSetId ends = Ask(answer, at, next.value, Kind::kAll);
  if (index_.dotted(after).next == GrammarIndex::kComplete)
    Merge(answer, ends);
  else
    set(ends).ForEach([&](RightNodeId end) { MergeItem(answer, end, after); });
}

// Merges the ends of a nonterminal's rules, but for left-recursive ones.
void ConstructEnds::MergeRules(Answer& answer, RightNodeId at, SymbolId nonterminal) {
  for (RuleId rule : index_.RulesOf(nonterminal)) {
    if (!index_.IsLeftRecursive(index_.DottedOf(rule, 1)))
      MergeItem(answer, at, index_.DottedOf(rule, 0));
  }
}

// Merges more(q, nonterminal) for each q of `begun`. A settled set that holds q also holds more(q),
// so such nodes are skipped.
void ConstructEnds::MergeMore(Answer& answer, EndSetId begun, RightNodeId after,
                              SymbolId nonterminal) {
  std::span<const RuleId> rules = index_.RulesOf(nonterminal);
  if (std::none_of(rules.begin(), rules.end(),
                   [&](RuleId rule) { return index_.IsLeftRecursive(index_.DottedOf(rule, 1)); }))
    return Merge(answer, begun);
  const EndSet none;
  const auto held = [&]() -> const EndSet& {
    return !answer.settled ? none : answer.single ? set(answer.only) : answer.ends;
  };
  set(begun).ForEachBeyond(held, [&](RightNodeId end) {
    if (end != after) Merge(answer, Ask(answer, end, nonterminal.value, Kind::kMore));
  });
}

}  // namespace tenon::constraint
