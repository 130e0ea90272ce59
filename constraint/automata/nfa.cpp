#include "constraint/automata/nfa.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/regex_node.h"
#include "constraint/automata/utf8_ranges.h"

namespace tenon::constraint {
namespace {

constexpr size_t kMaxNfaStates = 500000;

// Built from the end of a pattern to its start: the state after a part is known when the part is
// compiled.
class Builder {
 public:
  bool too_large() const { return too_large_; }

  NfaStateId Accept(uint16_t pattern) {
    NfaState state;
    state.kind = NfaKind::kAccept;
    state.pattern = pattern;
    return Add(state);
  }

  NfaStateId Compile(const RegexNode& node, NfaStateId next) {
    if (too_large_) return next;
    switch (node.kind) {
      case RegexKind::kSet:
        return CompileSequences(Utf8Sequences(node.set), 0, next);
      case RegexKind::kConcat:
        for (size_t i = node.children.size(); i-- > 0;) next = Compile(*node.children[i], next);
        return next;
      case RegexKind::kAlternate: {
        NfaStateId entry = Compile(*node.children.back(), next);
        for (size_t i = node.children.size() - 1; i-- > 0;)
          entry = Split(Compile(*node.children[i], next), entry);
        return entry;
      }
      case RegexKind::kRepeat:
        return CompileRepeat(node, next);
    }
    return next;
  }

  Nfa Take() { return std::move(nfa_); }

 private:
  NfaStateId Add(NfaState state) {
    if (nfa_.states.size() >= kMaxNfaStates) too_large_ = true;
    nfa_.states.push_back(state);
    return {static_cast<uint32_t>(nfa_.states.size() - 1)};
  }

  NfaStateId Split(NfaStateId left, NfaStateId right) {
    NfaState state;
    state.kind = NfaKind::kSplit;
    state.left = left;
    state.right = right;
    return Add(state);
  }

  NfaStateId CompileRepeat(const RegexNode& node, NfaStateId next) {
    const RegexNode& body = *node.children[0];
    uint32_t copies = node.min;
    if (node.max == RegexNode::kUnbounded) {
      const NfaStateId loop = Split(next, next);
      const NfaStateId entry = Compile(body, loop);
      nfa_.states[loop.value].left = entry;
      if (copies == 0) return loop;
      next = entry;
      --copies;
    } else {
      const NfaStateId exit = next;
      for (uint32_t i = node.min; i < node.max && !too_large_; ++i)
        next = Split(Compile(body, next), exit);
    }
    for (; copies > 0 && !too_large_; --copies) next = Compile(body, next);
    return next;
  }

  // REQUIRES: the sequences are in byte order and agree in the first `depth` ranges.
  NfaStateId CompileSequences(std::span<const Utf8Sequence> sequences, uint8_t depth,
                              NfaStateId next) {
    std::vector<NfaEdge> edges;
    for (size_t begin = 0, end = 0; begin < sequences.size(); begin = end) {
      const ByteRange range = sequences[begin].bytes[depth];
      for (end = begin + 1; end < sequences.size() && sequences[end].bytes[depth] == range;) ++end;
      const bool last_byte = sequences[begin].length == depth + 1;
      const NfaStateId target = last_byte ? next
                                          : CompileSequences(sequences.subspan(begin, end - begin),
                                                             static_cast<uint8_t>(depth + 1), next);
      if (!edges.empty() && edges.back().target == target && edges.back().last + 1 == range.first) {
        edges.back().last = range.last;
      } else {
        edges.push_back({range.first, range.last, target});
      }
    }
    return Intern(std::move(edges));
  }

  NfaStateId Intern(std::vector<NfaEdge> edges) {
    const auto known = interned_.find(edges);
    if (known != interned_.end()) return known->second;
    NfaState state;
    state.edge_begin = static_cast<uint32_t>(nfa_.edges.size());
    state.edge_count = static_cast<uint32_t>(edges.size());
    nfa_.edges.insert(nfa_.edges.end(), edges.begin(), edges.end());
    const NfaStateId id = Add(state);
    interned_.emplace(std::move(edges), id);
    return id;
  }

  Nfa nfa_;
  std::map<std::vector<NfaEdge>, NfaStateId> interned_;
  bool too_large_ = false;
};

}  // namespace

tl::expected<Nfa, std::string> Nfa::Build(std::span<const Regex> patterns) {
  Builder builder;
  std::vector<NfaStateId> starts;
  for (size_t i = 0; i < patterns.size(); ++i) {
    const NfaStateId accept = builder.Accept(static_cast<uint16_t>(i));
    starts.push_back(builder.Compile(*patterns[i], accept));
    if (builder.too_large()) {
      return tl::unexpected(
          fmt::format("pattern {} needs more than {} automaton states: lower its repetition counts",
                      i, kMaxNfaStates));
    }
  }
  Nfa nfa = builder.Take();
  nfa.starts = std::move(starts);
  return nfa;
}

}  // namespace tenon::constraint
