// Vertices and links of the right spine.
#include "constraint/right/right_spine.h"

#include <algorithm>
#include <numeric>

#include "constraint/base/base.h"

namespace tenon::constraint {

RightSpine::RightSpine(const GrammarIndex& index, RightAutomaton& automaton,
                       const ConstructParsers& constructs, PredicateBits levels, size_t pack_above)
    : index_(index),
      automaton_(automaton),
      constructs_(constructs),
      edges_(index, automaton, levels),
      construct_ends_(index, automaton, edges_),
      stacks_at_node_(pack_above * kStacksAtNode),
      compare_above_(stacks_at_node_ * kFewNodes) {}

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

std::optional<SpineVertexId> RightSpine::BeginStart(RightNodeId at, DottedId dotted) {
  if (!edges_.Useful(dotted, at)) return std::nullopt;
  return Intern(at, dotted);
}

void RightSpine::BeginInner(RightNodeId at) {
  if (!inner_.try_emplace(at.value).second) return;
  entries_.insert(at.value);
  places_.push({automaton_.Order(at), at});
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

// Marks the vertices from which R's end is reached: from the roots against the links. An older
// vertex keeps its mark: none of its links leads to a newer one.
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
  const auto for_each_link = [&](const auto& visit) {
    for (uint32_t v = first; v < size; ++v) {
      for (uint32_t i = vertices_[v].links_begin; i < vertices_[v].links_end; ++i)
        visit(v, links_[i]);
    }
  };
  // Which new vertices link to a new vertex v: sources[begins[v - first]] and those after it.
  std::vector<uint32_t> begins(size - first + 1), sources;
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
    if (IsRoot(vertices_[v])) mark(v);
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

// Makes the links of every vertex that waits at a node. False: stopped, or too ambiguous; the node
// waits again.
bool RightSpine::ExpandPlace(RightNodeId at, const std::stop_token& stop) {
  const bool done = entries_.contains(at.value) ? ExpandEntry(at, stop) : LinkWaiting(at, {}, stop);
  if (!done) places_.push({automaton_.Order(at), at});
  return done;
}

// Begins the inner items at an entry. Those before a nonterminal get vertices only where a text of
// it ends somewhere: in the middle of an expression nine of ten begin in vain.
bool RightSpine::ExpandEntry(RightNodeId at, const std::stop_token& stop) {
  std::vector<SpineVertexId> begun;
  const auto begin = [&](SymbolId next) {
    for (const DottedId item : index_.InnerBefore(next)) begun.push_back(Intern(at, item));
  };
  std::vector<SymbolId> nonterminals;
  for (uint16_t s = 0; s < index_.grammar().symbol_count(); ++s) {
    const SymbolId symbol{s};
    if (index_.InnerBefore(symbol).empty() || !edges_.MayBegin(symbol, at)) continue;
    if (index_.grammar().IsLrTerminal(symbol))
      begin(symbol);
    else
      nonterminals.push_back(symbol);
  }
  if (!LinkWaiting(at, nonterminals, stop)) return false;
  for (const SymbolId symbol : nonterminals) {
    if (AnyEnd(at, index_.ListOf(symbol))) begin(symbol);
  }
  std::sort(begun.begin(), begun.end(), [this](SpineVertexId a, SpineVertexId b) {
    return vertices_[a.value].dotted < vertices_[b.value].dotted;
  });
  entries_.erase(at.value);
  inner_.at(at.value) = std::move(begun);
  return LinkWaiting(at, {}, stop);
}

// Items before a nonterminal come last, so that all constructs from the node are read together,
// those of `more` among them. False: stopped, or too ambiguous.
bool RightSpine::LinkWaiting(RightNodeId at, std::span<const SymbolId> more,
                             const std::stop_token& stop) {
  std::vector<SpineVertexId> constructs;
  std::vector<SymbolId> expected;
  std::vector<Link> links;
  for (const SymbolId nonterminal : more) Expect(at, nonterminal, expected);
  for (size_t i = 0; i < waiting_[at.value].size(); ++i) {
    SpineVertexId id = waiting_[at.value][i];
    Vertex vertex = vertices_[id.value];
    SymbolId next = index_.dotted(vertex.dotted).next;
    links.clear();
    if (next == GrammarIndex::kComplete) {
      LinkEnded(id);
    } else if (index_.grammar().IsLrTerminal(next)) {
      LinkScanned(vertex, links);
      Store(id, links);
    } else {
      constructs.push_back(id);
      Expect(at, next, expected);
    }
  }
  waiting_.erase(at.value);
  if (!expected.empty() && !ReadConstructs(at, std::move(expected), stop)) {
    waiting_[at.value] = std::move(constructs);
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

// Adds what has to be read from a node before an item can advance over a nonterminal there.
void RightSpine::Expect(RightNodeId at, SymbolId nonterminal,
                        std::vector<SymbolId>& expected) const {
  const SymbolId read = index_.ListOf(nonterminal);
  if (ends_.contains(EndsKey(at, read))) return;
  expected.push_back(read);
  const std::optional<SymbolId> list = index_.ListIn(read);
  if (list && !ends_.contains(EndsKey(at, *list))) expected.push_back(*list);
}

// An ended item: every item that has just passed its head is a parent. So the links are those of
// each rule with that head which ends there.
void RightSpine::LinkEnded(SpineVertexId id) {
  const Vertex vertex = vertices_[id.value];
  const RuleId rule = index_.dotted(vertex.dotted).rule;
  if (rule == index_.augmented()) return;
  const auto [known, fresh] = ended_.try_emplace(EndsKey(vertex.at, index_.Head(rule)), id);
  if (!fresh) {
    const Vertex& same = vertices_[known->second.value];
    vertices_[id.value].links_begin = same.links_begin;
    vertices_[id.value].links_end = same.links_end;
    return;
  }
  std::vector<Link> links;
  for (const LrItem& item : index_.ItemsAfter(index_.Head(rule)))
    AddLink(links, vertex.at, index_.DottedOf(item.rule, item.dot), LinkKind::kParent, 0,
            kMaxColumn);
  Store(id, links);
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

size_t RightSpine::memory_bytes() const {
  size_t chains = 0;
  for (const std::vector<Parent>& c : chains_) chains += sizeof(c) + c.size() * sizeof(Parent);
  return vertices_.capacity() * (sizeof(Vertex) + 4) + live_.capacity() / 8 +
         links_.capacity() * sizeof(Link) + ids_.bucket_count() * 13 + ends_.bucket_count() * 25 +
         ended_.bucket_count() * 13 + ends_pool_.capacity() * 4 + construct_ends_.memory_bytes() +
         chains;
}

}  // namespace tenon::constraint
