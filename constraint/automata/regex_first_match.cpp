#include "constraint/automata/regex_first_match.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex_build.h"
#include "constraint/automata/regex_node.h"
#include "constraint/automata/utf8_ranges.h"

namespace tenon::constraint {
namespace {

constexpr size_t kMaxByteStates = 2000;  // of an automaton over bytes
constexpr size_t kMaxPlaces = 300;       // of one over characters
constexpr size_t kMaxSize = 20000;       // sets in the result
constexpr uint32_t kMaxResultDepth =
    100;  // of its tree: below that of groups in a pattern, so that what is printed can be read

DfaStateId Id(size_t q) { return DfaStateId{static_cast<uint16_t>(q)}; }

bool Accepts(const Dfa& dfa, size_t q, uint16_t pattern) {
  const auto accepts = dfa.Accepts(Id(q));
  return std::find(accepts.begin(), accepts.end(), pattern) != accepts.end();
}

// [state] can a text of at least one byte lead from it to where `pattern` matches?
std::vector<bool> LeadsTo(const Dfa& dfa, uint16_t pattern) {
  std::vector<bool> leads(dfa.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    // States are numbered breadth first, so one round mostly suffices.
    for (size_t q = dfa.size(); q-- > 0;) {
      for (int byte = 0; byte < 256 && !leads[q]; ++byte) {
        const DfaStateId to = dfa.Next(Id(q), static_cast<uint8_t>(byte));
        if (to == kDeadState || (!leads[to.value] && !Accepts(dfa, to.value, pattern))) continue;
        leads[q] = changed = true;
      }
    }
  }
  return leads;
}

// The number of characters of each text. Nothing: the texts differ in length.
std::optional<size_t> FixedLength(const Regex& regex) {
  if (regex->kind == RegexKind::kSet) return 1;
  if (regex->kind == RegexKind::kRepeat && regex->min != regex->max) return std::nullopt;
  size_t sum = 0;
  for (const Regex& child : regex->children) {
    const auto length = FixedLength(child);
    const bool differs =
        regex->kind == RegexKind::kAlternate && &child != &regex->children.front() && length != sum;
    if (!length || differs) return std::nullopt;
    sum = regex->kind == RegexKind::kAlternate ? *length : sum + *length;
  }
  return regex->kind == RegexKind::kRepeat ? sum * regex->min : sum;
}

// Has some text of `texts` a proper prefix in `prefixes`? Nothing: an automaton gets too large.
std::optional<bool> GoesOnAfter(const Regex& texts, const Regex& prefixes) {
  const std::vector<Regex> both = {texts, prefixes};
  const auto dfa = Dfa::Build(both, kMaxByteStates);
  if (!dfa) return std::nullopt;
  const std::vector<bool> leads = LeadsTo(*dfa, 0);
  for (size_t q = 0; q < dfa->size(); ++q) {
    if (leads[q] && Accepts(*dfa, q, 1)) return true;
  }
  return false;
}

// The code points where one of the tree's sets begins or has just ended. No set tells apart code
// points between two neighbours of the result.
void Borders(const Regex& regex, std::set<const RegexNode*>& seen, std::set<uint32_t>& borders) {
  if (!seen.insert(regex.get()).second) return;
  for (const CodepointRange& range : regex->set.ranges()) {
    borders.insert(range.first);
    borders.insert(range.last + 1);
  }
  for (const Regex& child : regex->children) Borders(child, seen, borders);
}

// A finite automaton whose edges carry regular expressions. State 0 is the start, state 1 the end;
// no edge leaves the end.
class Graph {
 public:
  struct Edge {
    Regex regex;  // null: no edge
    size_t size = 0;
    uint32_t depth = 0;
  };

  explicit Graph(size_t states) : edges_(states, std::vector<Edge>(states)) {}

  void Add(size_t from, size_t to, CodepointSet set) {
    edges_[from][to] = {RegexOfSet(std::move(set)), 1, 1};
  }

  void AddEmpty(size_t from, size_t to) { edges_[from][to] = {RegexEmpty(), 0, 0}; }

  // Takes out the states one by one, the cheapest first. Nothing: an edge grew too large.
  std::optional<Regex> Solve() {
    std::vector<size_t> left;
    for (size_t k = 2; k < edges_.size(); ++k) left.push_back(k);
    while (!left.empty()) {
      const auto cheapest = std::min_element(left.begin(), left.end(), [&](size_t a, size_t b) {
        return std::pair(Weight(a), a) < std::pair(Weight(b), b);
      });
      const size_t k = *cheapest;
      left.erase(cheapest);
      if (!TakeOut(k)) return std::nullopt;
    }
    const Edge whole = Sequence(Loop(edges_[0][0]), edges_[0][1]);
    if (!Fits(whole)) return std::nullopt;
    return whole.regex ? whole.regex : RegexNothing();
  }

 private:
  static bool Fits(const Edge& edge) {
    return edge.size <= kMaxSize && edge.depth <= kMaxResultDepth;
  }

  static Edge Loop(const Edge& edge) {
    if (!edge.regex) return {RegexEmpty(), 0, 0};
    return {RegexRepeat(edge.regex, 0, RegexNode::kUnbounded), edge.size, edge.depth + 1};
  }
  static Edge Sequence(const Edge& a, const Edge& b) {
    if (!a.regex || !b.regex) return {};
    return {RegexConcat({a.regex, b.regex}), a.size + b.size, std::max(a.depth, b.depth)};
  }
  static Edge Either(const Edge& a, const Edge& b) {
    if (!a.regex || !b.regex) return a.regex ? a : b;
    return {RegexAlternate({a.regex, b.regex}), a.size + b.size, std::max(a.depth, b.depth) + 1};
  }

  // How much the edges around the state grow together when it goes.
  size_t Weight(size_t k) const {
    size_t in = 0, out = 0, in_size = 0, out_size = 0;
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (i == k) continue;
      if (edges_[i][k].regex) ++in, in_size += edges_[i][k].size;
      if (edges_[k][i].regex) ++out, out_size += edges_[k][i].size;
    }
    return in_size * out + out_size * in + edges_[k][k].size * in * out;
  }

  bool TakeOut(size_t k) {
    const Edge loop = Loop(edges_[k][k]);
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (i == k || !edges_[i][k].regex) continue;
      for (size_t j = 0; j < edges_.size(); ++j) {
        if (j == k || !edges_[k][j].regex) continue;
        edges_[i][j] = Either(edges_[i][j], Sequence(Sequence(edges_[i][k], loop), edges_[k][j]));
        if (!Fits(edges_[i][j])) return false;
      }
    }
    for (size_t i = 0; i < edges_.size(); ++i) edges_[i][k] = edges_[k][i] = {};
    return true;
  }

  std::vector<std::vector<Edge>> edges_;  // [from][to]
};

// An automaton over bytes read as one over characters: its states between characters, from the
// start on.
class Places {
 public:
  // `patterns`: the patterns of the automaton.
  Places(const Dfa& dfa, std::span<const Regex> patterns) : dfa_(dfa) {
    std::set<const RegexNode*> seen;
    for (const Regex& pattern : patterns) Borders(pattern, seen, borders_);
  }

  // The texts that lead from the start to a state that `ends` takes, over states that `open` takes.
  // Nothing: too many states, or the result is too large.
  template <typename Open, typename Ends>
  std::optional<Regex> Solve(const Open& open, const Ends& ends) const {
    std::vector<DfaStateId> states = {kStartState, kDeadState};  // 1: the end
    std::map<DfaStateId, size_t> numbers = {{kStartState, 0}};
    std::vector<std::map<size_t, std::vector<CodepointRange>>> moves;  // [place][target]
    for (size_t i = 0; i < states.size(); ++i) {
      moves.emplace_back();
      if (i == 1 || !open(states[i])) continue;
      for (auto border = borders_.begin();
           border != borders_.end() && std::next(border) != borders_.end(); ++border) {
        const DfaStateId q = After(states[i], *border);
        if (q == kDeadState) continue;
        const auto [at, fresh] = numbers.try_emplace(q, states.size());
        if (fresh) states.push_back(q);
        if (states.size() > kMaxPlaces) return std::nullopt;
        moves[i][at->second].push_back({*border, *std::next(border) - 1});
      }
    }
    Graph graph(states.size());
    for (size_t i = 0; i < moves.size(); ++i) {
      for (const auto& [target, ranges] : moves[i]) graph.Add(i, target, CodepointSet(ranges));
      if (i != 1 && ends(states[i])) graph.AddEmpty(i, 1);
    }
    return graph.Solve();
  }

 private:
  DfaStateId After(DfaStateId q, uint32_t codepoint) const {
    std::string bytes;
    AppendUtf8(codepoint, bytes);
    for (size_t b = 0; b < bytes.size() && q != kDeadState; ++b)
      q = dfa_.Next(q, static_cast<uint8_t>(bytes[b]));
    return q;
  }

  const Dfa& dfa_;
  std::set<uint32_t> borders_;
};

// The texts of `regex` that have no proper prefix in it.
std::optional<Regex> EarliestEnds(const Regex& regex) {
  const auto dfa = Dfa::Build(std::span(&regex, 1), kMaxByteStates);
  if (!dfa) return std::nullopt;
  const auto ends = [&](DfaStateId q) { return !dfa->Accepts(q).empty(); };
  return Places(*dfa, std::span(&regex, 1)).Solve([&](DfaStateId q) { return !ends(q); }, ends);
}

}  // namespace

tl::expected<Regex, std::string> FirstMatch(const Regex& repeated, uint32_t min, uint32_t max,
                                            const Regex& rest) {
  if (!IsPrefixFree(repeated)) {
    return tl::unexpected(std::string(
        "one text of what is repeated lazily begins another, so that its first match depends on "
        "the order of trying: repeat a single character or texts that do not begin one another"));
  }
  const uint32_t more = max == RegexNode::kUnbounded ? max : max - min;
  // Ends of one length: a proper prefix of one is too short to hold another.
  const auto ambiguous =
      FixedLength(rest) ? std::optional(false)
                        : GoesOnAfter(rest, RegexConcat({RegexRepeat(repeated, 0, more), rest}));
  if (ambiguous && *ambiguous) {
    return tl::unexpected(
        std::string("what follows the lazy repetition can go on behind its first end: close it "
                    "with (?>...), as in (?>.*?END)MORE, or let the end be one text"));
  }
  const auto first = ambiguous ? EarliestEnds(RegexConcat({RegexRepeat(repeated, min, max), rest}))
                               : std::optional<Regex>();
  if (!first)
    return tl::unexpected(
        std::string("the lazy repetition and what ends it are too large: shorten the end"));
  return *first;
}

bool IsPrefixFree(const Regex& regex) {
  return FixedLength(regex) || GoesOnAfter(regex, regex) == false;
}

std::optional<Regex> Unfinished(const Regex& regex, const Regex& opener) {
  const Regex opened =
      RegexConcat({opener, RegexRepeat(RegexOfSet(CodepointSet::All()), 0, RegexNode::kUnbounded)});
  const std::vector<Regex> both = {regex, opened};
  const auto dfa = Dfa::Build(both, kMaxByteStates);
  if (!dfa) return std::nullopt;
  const std::vector<bool> leads = LeadsTo(*dfa, 0);
  const auto ends = [&](DfaStateId q) {
    return leads[q.value] && !Accepts(*dfa, q.value, 0) && Accepts(*dfa, q.value, 1);
  };
  return Places(*dfa, both).Solve([&](DfaStateId q) { return leads[q.value]; }, ends);
}

}  // namespace tenon::constraint
