#include "constraint/right/right_spine.h"

#include <algorithm>
#include <numeric>

#include <boost/container/small_vector.hpp>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {
constexpr uint32_t kItself = 0xfffffffeu;
// Stacks that a node may have for each of `stacks_together`. Every kind of list that R may be the
// rest of has a stack of its own at each element: with R = `1, 2, 3]` in Python values, targets,
// patterns, arguments and others, 25 in all.
constexpr size_t kStacksAtNode = 8;
// Stacks are compared with nodes once there are as many as this many nodes may have: at first
// kFewNodes, halved down to one each time that the stacks were too many.
constexpr size_t kFewNodes = 256;
constexpr size_t kFewSeen = 32;  // up to this size a list is searched one by one

bool IsFull(const RightSpine::Parent& p) { return p.lo == 0 && p.hi == kMaxColumn; }
}  // namespace

RightSpine::RightSpine(const GrammarIndex& index, RightAutomaton& automaton,
                       const ConstructParsers& constructs, PredicateBits levels,
                       size_t stacks_together)
    : index_(index),
      automaton_(automaton),
      constructs_(constructs),
      edges_(index, automaton, levels),
      known_(index, automaton, edges_),
      stacks_at_node_(stacks_together * kStacksAtNode),
      count_at_(stacks_at_node_ * kFewNodes) {}

SpineVertexId RightSpine::Intern(RightNodeId at, DottedId dotted) {
  auto [found, fresh] = ids_.try_emplace(Key(at, dotted), static_cast<uint32_t>(vertices_.size()));
  SpineVertexId id{found->second};
  if (fresh) {
    vertices_.push_back({at, dotted});
    chain_of_.push_back(kNone);
    std::vector<SpineVertexId>& waiting = waiting_[at.value];
    if (waiting.empty()) places_.push({automaton_.Order(at), at});
    waiting.push_back(id);
  }
  return id;
}

std::optional<SpineVertexId> RightSpine::Begin(RightNodeId at, DottedId dotted) {
  if (!edges_.Useful(dotted, at)) return std::nullopt;
  return Intern(at, dotted);
}

bool RightSpine::Complete(const std::stop_token& stop) {
  while (!places_.empty()) {
    if (stop.stop_requested()) return false;
    RightNodeId at = places_.top().at;
    places_.pop();
    if (!ExpandPlace(at, stop)) return false;
  }
  MarkLive();
  return true;
}

// Marks against the links, from the roots. An older vertex keeps its mark: none of its links leads
// to a newer one.
void RightSpine::MarkLive() {
  const auto first = static_cast<uint32_t>(live_.size());
  const auto size = static_cast<uint32_t>(vertices_.size());
  live_.resize(size);
  std::vector<uint32_t> work;
  const auto mark = [&](uint32_t vertex) {
    if (live_[vertex]) return;
    live_[vertex] = true;
    work.push_back(vertex);
  };
  // Which new vertices link to a new vertex v: sources[begins[v - first]] and those after it.
  std::vector<uint32_t> begins(size - first + 1), sources;
  const auto for_each_link = [&](const auto& visit) {
    for (uint32_t v = first; v < size; ++v) {
      for (uint32_t i = vertices_[v].links_begin; i < vertices_[v].links_end; ++i)
        visit(v, links_[i]);
    }
  };
  for_each_link([&](uint32_t, const Link& link) {
    if (link.kind != LinkKind::kEnds && link.to.value >= first) ++begins[link.to.value - first];
  });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  sources.resize(begins.back());
  for_each_link([&](uint32_t v, const Link& link) {
    // Of an end set some node is taken to reach R's end: looking at each would cost too much.
    if (link.kind == LinkKind::kEnds || (link.to.value < first && live_[link.to.value]))
      mark(v);
    else if (link.to.value >= first)
      sources[--begins[link.to.value - first]] = v;
  });
  for (uint32_t v = first; v < size; ++v) {
    const GrammarIndex::Dotted& dotted = index_.dotted(vertices_[v].dotted);
    if (dotted.next == GrammarIndex::kComplete && dotted.rule == index_.augmented()) mark(v);
  }
  while (!work.empty()) {
    const uint32_t v = work.back();
    work.pop_back();
    if (v < first) continue;
    for (uint32_t i = begins[v - first]; i < begins[v - first + 1]; ++i) mark(sources[i]);
  }
}

void RightSpine::AddLink(std::vector<Link>& links, RightNodeId at, DottedId dotted, LinkKind kind,
                         uint16_t lo, uint16_t hi) {
  if (!edges_.Useful(dotted, at)) return;
  links.push_back({Intern(at, dotted), lo, hi, kind});
}

void RightSpine::Store(SpineVertexId id, const std::vector<Link>& links) {
  Vertex& vertex = vertices_[id.value];
  vertex.links_begin = static_cast<uint32_t>(links_.size());
  links_.insert(links_.end(), links.begin(), links.end());
  vertex.links_end = static_cast<uint32_t>(links_.size());
}

// Makes the links of every vertex that waits at a node. Items before a nonterminal come last, so
// that all constructs from the node are read together. False: stopped, or too ambiguous; the node
// waits again.
bool RightSpine::ExpandPlace(RightNodeId at, const std::stop_token& stop) {
  std::vector<SpineVertexId> constructs;
  std::vector<SymbolId> expected;
  std::vector<Link> links;
  for (size_t i = 0; i < waiting_[at.value].size(); ++i) {
    SpineVertexId id = waiting_[at.value][i];
    Vertex vertex = vertices_[id.value];
    SymbolId next = index_.dotted(vertex.dotted).next;
    links.clear();
    if (next == GrammarIndex::kComplete) {
      LinkEnded(vertex, links);
      Store(id, links);
    } else if (index_.grammar().IsLrTerminal(next)) {
      LinkScanned(vertex, links);
      Store(id, links);
    } else {
      constructs.push_back(id);
      SymbolId read = index_.ListOf(next);
      if (ends_.contains(EndsKey(at, read))) continue;
      expected.push_back(read);
      const std::optional<SymbolId> list = index_.ListIn(read);
      if (list && !ends_.contains(EndsKey(at, *list))) expected.push_back(*list);
    }
  }
  waiting_.erase(at.value);
  if (!expected.empty() && !ReadConstructs(at, std::move(expected), stop)) {
    waiting_[at.value] = std::move(constructs);
    places_.push({automaton_.Order(at), at});
    return false;
  }
  for (SpineVertexId id : constructs) {
    Vertex vertex = vertices_[id.value];
    links.clear();
    LinkConstructs(vertex, index_.ListOf(index_.dotted(vertex.dotted).next), links);
    Store(id, links);
  }
  return true;
}

// An ended item: every item that has just passed its head is a parent.
void RightSpine::LinkEnded(const Vertex& vertex, std::vector<Link>& links) {
  RuleId rule = index_.dotted(vertex.dotted).rule;
  if (rule == index_.augmented()) return;
  for (const LrItem& item : index_.Behind(index_.Head(rule)))
    AddLink(links, vertex.at, index_.DottedOf(item.rule, item.dot), LinkKind::kParent, 0,
            kMaxColumn);
}

// An item before an LR terminal: it advances over each edge that holds it. The DEDENT of a block
// that R did not open leaves its interval of columns on the link.
void RightSpine::LinkScanned(const Vertex& vertex, std::vector<Link>& links) {
  for (const RightEdge& edge : automaton_.edges(vertex.at)) {
    const RightEdges::Label& label = edges_.LabelOf(edge.label);
    for (SymbolId c : label.barred) {
      if (index_.Scans(vertex.dotted, c)) edges_.NoteBarred(c);
    }
    if (!index_.ScansAny(vertex.dotted, label.terminals)) continue;
    bool closes = edge.kind == RightEdge::Kind::kDedent;
    AddLink(links, edge.target, DottedId{vertex.dotted.value + 1}, LinkKind::kAdvance,
            closes ? edge.lo : uint16_t{0}, closes ? edge.hi : kMaxColumn);
  }
}

template <typename Visit>
void RightSpine::ForEachEnd(const Ends& ends, const Visit& visit) const {
  for (uint32_t i = ends.begin; i < ends.end; ++i) visit(ends_pool_[i]);
  known_.set(ends.many).ForEach(visit);
}

// An item before a nonterminal: it advances to each node at which a text of that nonterminal ends.
// Of a list only the first element's ends are known; a via link leads to the list's own vertices
// there, which know the others.
void RightSpine::LinkConstructs(const Vertex& vertex, SymbolId nonterminal,
                                std::vector<Link>& links) {
  const Ends ends = ends_.at(EndsKey(vertex.at, nonterminal));
  const DottedId behind{vertex.dotted.value + 1};
  for (uint32_t i = ends.begin; i < ends.end; ++i)
    AddLink(links, ends_pool_[i], behind, LinkKind::kAdvance, 0, kMaxColumn);
  if (!known_.set(ends.many).empty()) {
    known_.set(ends.many).ForEachNew(followed_[behind.value], [&](RightNodeId end) {
      if (edges_.Useful(behind, end)) Intern(end, behind);
    });
    links.push_back({SpineVertexId{ends.many.value}, 0, kMaxColumn, LinkKind::kEnds});
  }
  if (!ends.list) return;
  ForEachEnd(ends_.at(EndsKey(vertex.at, *ends.list)), [&](RightNodeId end) {
    for (const LrItem& item : index_.Behind(*ends.list)) {
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
    const std::optional<EndSetId> found = known_.Known(begin, s);
    if (found) store(s, *found);
    return found.has_value();
  });
  if (expected.empty()) return true;
  const ByStacks read = ReadByStacks(begin, expected, stop);
  if (read != ByStacks::kTooMany) return read == ByStacks::kRead;
  count_at_ = std::max(count_at_ / 2, stacks_at_node_);
  for (SymbolId s : expected) {
    const std::optional<EndSetId> found = known_.Find(begin, s, stop);
    if (!found) return false;
    store(s, *found);
  }
  return true;
}

// Runs the stacks that begin with any of `expected` from a node on, until none is left. They go on
// in step, so that stacks which multiply do so while few nodes are reached. Where there are too
// many stacks, or it was stopped, nothing is kept.
RightSpine::ByStacks RightSpine::ReadByStacks(RightNodeId begin, std::span<const SymbolId> expected,
                                              const std::stop_token& stop) {
  const ConstructParsers::Loan loan(constructs_);
  ConstructParser& constructs = *loan;
  ConstructStackId empty = constructs.Expect(expected);
  std::vector<std::pair<SymbolId, RightNodeId>> found;
  std::vector<uint64_t> work;  // in the order of reading; those before `next` are read
  boost::unordered_flat_set<uint64_t, KeyHash> seen;
  size_t count_at = count_at_;
  auto visit = [&](RightNodeId at, ConstructStackId stack) {
    uint64_t key = static_cast<uint64_t>(at.value) << 32 | stack.value;
    if (seen.insert(key).second) work.push_back(key);
  };
  visit(begin, empty);
  for (size_t next = 0; next < work.size(); ++next) {
    if (stop.stop_requested()) return ByStacks::kStopped;
    if (seen.size() > count_at) {
      boost::unordered_flat_set<uint32_t> nodes;
      for (uint64_t key : seen) nodes.insert(static_cast<uint32_t>(key >> 32));
      if (seen.size() > nodes.size() * stacks_at_node_) return ByStacks::kTooMany;
      count_at = seen.size() * 2;
    }
    RightNodeId at{static_cast<uint32_t>(work[next] >> 32)};
    ConstructStackId stack{static_cast<uint32_t>(work[next])};
    auto move = [&](SymbolId lr_terminal, RightNodeId target) {
      ConstructParser::Moves moves = constructs.Move(stack, lr_terminal);
      for (SymbolId s : moves.completed) found.emplace_back(s, at);
      for (ConstructStackId to : moves.shifted) visit(target, to);
    };
    for (const RightEdge& edge : automaton_.edges(at)) {
      const RightEdges::Label& label = edges_.LabelOf(edge.label);
      for (SymbolId lr_terminal : label.terminals) move(lr_terminal, edge.target);
      for (SymbolId lr_terminal : label.barred) {
        ConstructParser::Moves moves = constructs.Move(stack, lr_terminal);
        if (!moves.shifted.empty() || !moves.completed.empty()) edges_.NoteBarred(lr_terminal);
      }
    }
    if (automaton_.is_final(at))
      move(SymbolId{static_cast<uint16_t>(index_.grammar().lr_terminals.size())}, at);
  }
  SortUnique(found);
  size_t i = 0;
  for (SymbolId s : expected) {
    Ends ends;
    for (const std::optional<SymbolId> list : {std::optional(s), index_.ListIn(s)}) {
      if (list && constructs.ReadsFirstElement(empty, *list)) ends.list = list;
    }
    ends.begin = static_cast<uint32_t>(ends_pool_.size());
    for (; i < found.size() && found[i].first == s; ++i) ends_pool_.push_back(found[i].second);
    ends.end = static_cast<uint32_t>(ends_pool_.size());
    ends_.emplace(EndsKey(begin, s), ends);
  }
  return ByStacks::kRead;
}

bool RightSpine::SameList(SpineVertexId a, SpineVertexId b) const {
  DottedId x = vertices_[a.value].dotted, y = vertices_[b.value].dotted;
  return index_.IsLeftRecursive(x) && index_.IsLeftRecursive(y) &&
         index_.Head(index_.dotted(x).rule) == index_.Head(index_.dotted(y).rule);
}

// The vertices with item `wanted` that an end of the list leads to.
void RightSpine::FollowVia(SpineVertexId list, DottedId wanted, std::vector<SpineVertexId>& found) {
  std::vector<SpineVertexId> work{list}, seen{list};
  auto visit = [&](const Parent& parent) {
    const GrammarIndex::Dotted& item = index_.dotted(vertices_[parent.vertex.value].dotted);
    if (vertices_[parent.vertex.value].dotted == wanted) {
      found.push_back(parent.vertex);
    } else if (item.next == GrammarIndex::kComplete && item.dot == 1 &&
               index_.Head(item.rule) ==
                   index_.dotted(DottedId{wanted.value - 1}).next) {  // the list by its other name
      for (const Parent& behind : ParentsOf(parent.vertex).parents) {
        if (vertices_[behind.vertex.value].dotted == wanted) found.push_back(behind.vertex);
      }
    }
    if (!SameList(parent.vertex, list) ||
        std::find(seen.begin(), seen.end(), parent.vertex) != seen.end())
      return;
    seen.push_back(parent.vertex);
    work.push_back(parent.vertex);
  };
  while (!work.empty()) {
    SpineVertexId at = work.back();
    work.pop_back();
    if (auto chain = ChainOf(at)) {
      for (const Parent& parent : chains_[*chain]) visit(parent);
    } else {
      for (const Parent& parent : ParentsOf(at).parents) visit(parent);
    }
  }
}

// Follows advance, end-set and via links from the vertex; every parent link met is a parent. The
// interval of a block is that of the last DEDENT scanned before.
RightSpine::Parents RightSpine::ParentsOf(SpineVertexId id) {
  Parents out;
  boost::container::small_vector<Parent, 16> work{{id}}, seen;
  boost::unordered_flat_set<uint64_t, KeyHash> seen_too;  // beyond the first
  std::vector<SpineVertexId> behind;
  const auto met = [&](const Parent& p) {
    if (std::find(seen.begin(), seen.end(), p) != seen.end()) return true;
    if (seen.size() == kFewSeen)
      return !seen_too
                  .insert(static_cast<uint64_t>(p.vertex.value) << 32 | uint64_t{p.lo} << 16 | p.hi)
                  .second;
    seen.push_back(p);
    return false;
  };
  while (!work.empty()) {
    Parent at = work.back();
    work.pop_back();
    if (met(at)) continue;
    const Vertex vertex = vertices_[at.vertex.value];
    const GrammarIndex::Dotted& dotted = index_.dotted(vertex.dotted);
    if (dotted.next == GrammarIndex::kComplete && dotted.rule == index_.augmented())
      out.roots.push_back(at);
    for (uint32_t i = vertex.links_begin; i < vertex.links_end; ++i) {
      const Link link = links_[i];
      switch (link.kind) {
        case LinkKind::kParent:
          if (live_[link.to.value]) out.parents.push_back({link.to, at.lo, at.hi});
          break;
        case LinkKind::kAdvance: {
          if (!live_[link.to.value]) break;
          bool closes = link.lo != 0 || link.hi != kMaxColumn;
          work.push_back({link.to, closes ? link.lo : at.lo, closes ? link.hi : at.hi});
          break;
        }
        case LinkKind::kEnds:
          known_.set(EndSetId{link.to.value}).ForEach([&](RightNodeId end) {
            auto to = ids_.find(Key(end, DottedId{vertex.dotted.value + 1}));
            if (to != ids_.end() && live_[to->second])
              work.push_back({SpineVertexId{to->second}, at.lo, at.hi});
          });
          break;
        case LinkKind::kVia:
          if (!live_[link.to.value]) break;
          behind.clear();
          FollowVia(link.to, DottedId{vertex.dotted.value + 1}, behind);
          for (SpineVertexId to : behind) work.push_back({to, at.lo, at.hi});
      }
    }
  }
  SortUnique(out.parents);
  return out;
}

std::optional<uint32_t> RightSpine::ChainOf(SpineVertexId id) {
  if (!index_.IsLeftRecursive(vertices_[id.value].dotted)) return std::nullopt;
  if (chain_of_[id.value] == kNone) ComputeChain(id);
  if (chain_of_[id.value] == kItself) return std::nullopt;
  return chain_of_[id.value];
}

uint32_t RightSpine::InternChain(std::vector<Parent> exits) {
  SortUnique(exits);
  uint64_t hash = exits.size();
  for (const Parent& p : exits) hash = HashWith(hash, p.vertex.value);
  std::vector<uint32_t>& same = chain_ids_[hash];
  for (uint32_t id : same) {
    if (chains_[id] == exits) return id;
  }
  same.push_back(static_cast<uint32_t>(chains_.size()));
  chains_.push_back(std::move(exits));
  return same.back();
}

// Walks up the chain while it does not fork, then back down: every vertex met gets its exits. Where
// chains fork, each vertex walks by itself.
uint32_t RightSpine::ComputeChain(SpineVertexId id) {
  struct Step {
    SpineVertexId vertex;
    std::vector<Parent> others;
  };
  std::vector<Step> path;
  SpineVertexId at = id;
  while (chain_of_[at.value] == kNone) {
    Parents parents = ParentsOf(at);
    if (!std::all_of(parents.parents.begin(), parents.parents.end(), IsFull)) {
      chain_of_[at.value] = kItself;
      break;
    }
    chain_of_[at.value] = kItself;  // a cycle back to here meets a vertex without a chain
    auto first = std::stable_partition(parents.parents.begin(), parents.parents.end(),
                                       [&](const Parent& p) { return !SameList(p.vertex, at); });
    size_t chained = static_cast<size_t>(parents.parents.end() - first);
    if (chained != 1) {
      // The chain ends or forks: its list vertices stay parents like any other.
      chain_of_[at.value] = InternChain(parents.parents);
      break;
    }
    SpineVertexId next = first->vertex;
    parents.parents.erase(first, parents.parents.end());
    path.push_back({at, std::move(parents.parents)});
    at = next;
  }
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    std::vector<Parent> exits = std::move(it->others);
    uint32_t above = chain_of_[at.value];
    if (above != kItself && exits.empty()) {
      chain_of_[it->vertex.value] = above;
    } else {
      if (above == kItself)
        exits.push_back({at});
      else
        exits.insert(exits.end(), chains_[above].begin(), chains_[above].end());
      chain_of_[it->vertex.value] = InternChain(std::move(exits));
    }
    at = it->vertex;
  }
  return chain_of_[id.value];
}

size_t RightSpine::memory_bytes() const {
  size_t chains = 0;
  for (const std::vector<Parent>& c : chains_) chains += sizeof(c) + c.size() * sizeof(Parent);
  return vertices_.capacity() * (sizeof(Vertex) + 4) + live_.capacity() / 8 +
         links_.capacity() * sizeof(Link) + ids_.bucket_count() * 13 + ends_.bucket_count() * 25 +
         ends_pool_.capacity() * 4 + known_.memory_bytes() + chains;
}

}  // namespace tenon::constraint
