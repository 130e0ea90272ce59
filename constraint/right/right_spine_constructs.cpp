// Whole constructs of R: at which nodes does the text of a nonterminal end?
//
// Example: R = `1, 2]`, and an item waits for an argument. LR stacks begin at the node before `1`
// and read R in step; the argument ends at the nodes after `1`. Where the stacks multiply, as in
// `a + b + c` with a rule e: e "+" e, the end sets of construct_ends.h answer instead.
#include <algorithm>
#include <bit>

#include "constraint/base/base.h"
#include "constraint/right/right_spine.h"

namespace tenon::constraint {

template <typename Visit>
void RightSpine::ForEachEnd(const Ends& ends, const Visit& visit) const {
  for (uint32_t i = ends.begin; i < ends.end; ++i) visit(ends_pool_[i]);
  construct_ends_.set(ends.many).ForEach(visit);
}

// Does an item before the nonterminal go on from the node?
bool RightSpine::AnyEnd(RightNodeId at, SymbolId nonterminal) const {
  const auto any = [&](const Ends& ends) {
    return ends.begin < ends.end || !construct_ends_.set(ends.many).empty();
  };
  const Ends& ends = ends_.at(EndsKey(at, nonterminal));
  return any(ends) || (ends.list && any(ends_.at(EndsKey(at, *ends.list))));
}

// An item before a nonterminal: it advances to each node at which a text of that nonterminal ends.
// Of a list only the first element's ends are known; a via link leads to the list's own vertices
// there, which know the others.
void RightSpine::LinkConstructs(const Vertex& vertex, SymbolId nonterminal,
                                std::vector<Link>& links) {
  const Ends ends = ends_.at(EndsKey(vertex.at, nonterminal));
  const DottedId after{vertex.dotted.value + 1};
  for (uint32_t i = ends.begin; i < ends.end; ++i)
    AddLink(links, ends_pool_[i], after, LinkKind::kAdvance, 0, kMaxColumn);
  if (!construct_ends_.set(ends.many).empty()) {
    construct_ends_.set(ends.many).ForEachNew(followed_[after.value], [&](RightNodeId end) {
      if (edges_.Useful(after, end)) Intern(end, after);
    });
    links.push_back({SpineVertexId{ends.many.value}, 0, kMaxColumn, LinkKind::kEnds});
  }
  if (!ends.list) return;
  ForEachEnd(ends_.at(EndsKey(vertex.at, *ends.list)), [&](RightNodeId end) {
    for (const LrItem& item : index_.ItemsAfter(*ends.list)) {
      DottedId list = index_.DottedOf(item.rule, item.dot);
      if (index_.IsLeftRecursive(list)) AddLink(links, end, list, LinkKind::kVia, 0, kMaxColumn);
    }
  });
}

// Finds the ends of all expected nonterminals. False: stopped, or too ambiguous.
bool RightSpine::ReadConstructs(RightNodeId begin, std::vector<SymbolId> expected,
                                const std::stop_token& stop) {
  SortUnique(expected);
  const auto store = [&](SymbolId s, EndSetId found) {
    Ends ends;
    if (index_.IsList(s)) ends.list = s;
    ends.many = found;
    ends_.emplace(EndsKey(begin, s), ends);
  };
  std::erase_if(expected, [&](SymbolId s) {
    const std::optional<EndSetId> found = construct_ends_.Known(begin, s);
    if (found) store(s, *found);
    return found.has_value();
  });
  if (expected.empty()) return true;
  const ByStacks read = ReadByStacks(begin, expected, stop);
  if (read != ByStacks::kTooMany) return read == ByStacks::kRead;
  compare_above_ = std::max(compare_above_ / 2, stacks_at_node_);
  for (SymbolId s : expected) {
    const std::optional<EndSetId> found = construct_ends_.Find(begin, s, stop);
    if (!found) return false;
    store(s, *found);
  }
  return true;
}

// The run of the stacks that begin with any of `expected` from a node on, until none is left. They
// move in step, so that stacks which multiply do so while few nodes are reached.
class RightSpine::StackRun {
 public:
  StackRun(RightSpine& spine, ConstructParser& constructs, RightNodeId begin,
           std::span<const SymbolId> expected)
      : spine_(spine),
        constructs_(constructs),
        empty_(constructs.Expect(expected)),
        compare_above_(spine.compare_above_) {
    Visit(begin, empty_);
  }

  // Where there are too many stacks, or the run was stopped, its findings mean nothing.
  ByStacks Read(const std::stop_token& stop) {
    for (size_t next = 0; next < work_.size(); ++next) {
      if (stop.stop_requested()) return ByStacks::kStopped;
      if (seen_.size() > compare_above_ && AreTooMany()) return ByStacks::kTooMany;
      Move(RightNodeId{static_cast<uint32_t>(work_[next] >> 32)},
           ConstructStackId{static_cast<uint32_t>(work_[next])});
    }
    SortUnique(found_);
    return ByStacks::kRead;
  }
  // The nonterminals that were read, with the nodes at which they end; ascending.
  std::span<const std::pair<SymbolId, RightNodeId>> found() const { return found_; }
  bool ReadsFirstElement(SymbolId list) const {
    return constructs_.ReadsFirstElement(empty_, list);
  }

 private:
  void Visit(RightNodeId at, ConstructStackId stack) {
    const uint64_t key = static_cast<uint64_t>(at.value) << 32 | stack.value;
    if (seen_.insert(key).second) work_.push_back(key);
  }
  // Has a node more stacks than it may have? Not while they become fewer: in the middle of an
  // expression hundreds begin, and most of them end within a few lexemes.
  bool AreTooMany() {
    compare_above_ = work_.size() * 2;
    const std::span<const uint64_t> read(work_);
    const double before = StacksANode(read.first(read.size() / 2));
    const double latest = StacksANode(read.last((read.size() + 3) / 4));
    return latest > static_cast<double>(spine_.stacks_at_node_) && latest > before / 2;
  }
  static double StacksANode(std::span<const uint64_t> read) {
    boost::unordered_flat_set<uint32_t> nodes;
    for (uint64_t key : read) nodes.insert(static_cast<uint32_t>(key >> 32));
    return static_cast<double>(read.size()) / static_cast<double>(nodes.size());
  }
  // Moves a stack over every edge of its node.
  void Move(RightNodeId at, ConstructStackId stack) {
    const std::span<const uint64_t> acts_on = constructs_.ActsOn(stack);
    for (const RightEdge& edge : spine_.automaton_.edges(at)) {
      const RightEdges::Label& label = spine_.edges_.LabelOf(edge.label);
      for (size_t w = 0; w < acts_on.size(); ++w) {
        for (uint64_t left = label.bits[w] & acts_on[w]; left != 0; left &= left - 1) {
          const size_t lr_terminal = w * 64 + static_cast<size_t>(std::countr_zero(left));
          Move(at, stack, SymbolId{static_cast<uint16_t>(lr_terminal)}, edge.target);
        }
      }
      for (SymbolId lr_terminal : label.barred) {
        ConstructParser::Moves moves = constructs_.Move(stack, lr_terminal);
        if (!moves.shifted.empty() || !moves.completed.empty())
          spine_.edges_.NoteBarred(lr_terminal);
      }
    }
    const size_t end = spine_.index_.grammar().lr_terminals.size();  // the end of the text
    if (spine_.automaton_.is_final(at)) Move(at, stack, SymbolId{static_cast<uint16_t>(end)}, at);
  }
  void Move(RightNodeId at, ConstructStackId stack, SymbolId lr_terminal, RightNodeId target) {
    ConstructParser::Moves moves = constructs_.Move(stack, lr_terminal);
    for (SymbolId s : moves.completed) found_.emplace_back(s, at);
    for (ConstructStackId to : moves.shifted) Visit(target, to);
  }

  RightSpine& spine_;
  ConstructParser& constructs_;
  const ConstructStackId empty_;
  size_t compare_above_;
  std::vector<std::pair<SymbolId, RightNodeId>> found_;
  std::vector<uint64_t> work_;  // (node, stack) in the order of reading
  boost::unordered_flat_set<uint64_t, KeyHash> seen_;
};

// Finds the ends of `expected` by stacks; keeps them only where all could be read.
RightSpine::ByStacks RightSpine::ReadByStacks(RightNodeId begin, std::span<const SymbolId> expected,
                                              const std::stop_token& stop) {
  const ConstructParsers::Loan loan(constructs_);
  StackRun run(*this, *loan, begin, expected);
  const ByStacks read = run.Read(stop);
  if (read != ByStacks::kRead) return read;
  const auto found = run.found();
  size_t i = 0;
  for (SymbolId s : expected) {
    Ends ends;
    for (const std::optional<SymbolId> list : {std::optional(s), index_.ListIn(s)}) {
      if (list && run.ReadsFirstElement(*list)) ends.list = list;
    }
    ends.begin = static_cast<uint32_t>(ends_pool_.size());
    for (; i < found.size() && found[i].first == s; ++i) ends_pool_.push_back(found[i].second);
    ends.end = static_cast<uint32_t>(ends_pool_.size());
    ends_.emplace(EndsKey(begin, s), ends);
  }
  return ByStacks::kRead;
}

}  // namespace tenon::constraint
