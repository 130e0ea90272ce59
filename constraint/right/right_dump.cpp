#include "constraint/right/right_dump.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"
#include "constraint/lr/lr.h"
#include "constraint/right/demand_graph.h"
#include "constraint/right/right_context.h"

namespace tenon::constraint {

// Names the nodes of an automaton by their meaning.
class RightAutomatonView {
 public:
  explicit RightAutomatonView(RightContext& right) : right_(right), automaton_(right.automaton()) {}

  std::string NameOf(RightNodeId id) const {
    const RightAutomaton::Key& key = automaton_.keys_[id.value];
    using Kind = RightAutomaton::Kind;
    if (key.kind == Kind::kInside) return "inside the middle";
    const size_t offset = key.offset - right_.Place(0);
    const std::string_view text = right_.text();
    std::string at = offset < text.size()
                         ? fmt::format("at {} {}", offset, ShownBeginning(text.substr(offset)))
                         : std::string("at the end of R");
    switch (key.kind) {
      case Kind::kInLexeme:
        at = fmt::format("in a lexeme of R that goes on up to {}", offset);
        break;
      case Kind::kInSplit:
        at = fmt::format("between the parts of a lexeme that ends at {}", offset);
        break;
      case Kind::kInserted:
        at += ", behind an inserted terminal";
        break;
      case Kind::kLine:
        at += ", before the line that begins there";
        break;
      case Kind::kEnd:
        at += ", blocks may still be open";
        break;
      case Kind::kInside:
      case Kind::kCode:
        break;
    }
    if (key.ends_phrase) at += ", a line end stands for the terminator";
    if (key.line_seen) at += ", behind a line end";
    if (key.closed) at += ", a block was closed for this line";
    return at + Base(key) + Modes(key.modes);
  }

 private:
  // The columns that the innermost block open at the gap may have.
  std::string Base(const RightAutomaton::Key& key) const {
    std::string out;
    if (key.lo == key.hi)
      out = fmt::format(", in a block of column {}", key.lo);
    else if (key.hi != kMaxColumn)
      out = fmt::format(", in a block of column {} to {}", key.lo, key.hi);
    else if (key.lo > 0)
      out = fmt::format(", in a block of column {} or more", key.lo);
    for (IndentId id = key.opened; id != IndentId{}; id = automaton_.indents_.top(id).below)
      out += fmt::format(", in a block of R at column {}", automaton_.indents_.top(id).column);
    return out;
  }
  std::string Modes(ModeStackId modes) const {
    if (!automaton_.lexer_.has_modes()) return "";
    std::vector<std::string_view> names;
    for (; modes != ModeArena::kUnknown; modes = automaton_.modes_.below(modes))
      names.push_back(automaton_.grammar_.modes[automaton_.modes_.top(modes).value].name);
    return fmt::format(", modes {}", fmt::join(names, " over "));
  }

  RightContext& right_;
  RightAutomaton& automaton_;
};

namespace {

std::string EdgeText(RightAutomaton& automaton, const Grammar& grammar, const RightEdge& edge,
                     uint32_t to) {
  std::vector<std::string> names;
  for (SymbolId symbol : automaton.label(edge.label)) names.push_back(grammar.SymbolName(symbol));
  std::string out = fmt::format("  {} -> {}", fmt::join(names, " "), to);
  if (edge.kind == RightEdge::Kind::kIndent) out += fmt::format(", a block of column {}", edge.lo);
  if (edge.kind == RightEdge::Kind::kDedent) {
    out += edge.hi == kMaxColumn ? fmt::format(", of a block of column {} or more", edge.lo)
                                 : fmt::format(", of a block of column {} to {}", edge.lo, edge.hi);
  }
  return out + '\n';
}

}  // namespace

std::string EntriesText(uint8_t entries) {
  std::vector<std::string_view> words;
  if (entries & kEntryInside) words.emplace_back("terminals");
  if (entries & kEntryWithinLine) words.emplace_back("nothing");
  if (entries & kEntryLine) words.emplace_back("line");
  if (entries & kEntryLexeme) words.emplace_back("lexeme");
  return words.empty() ? "no text" : fmt::format("{}", fmt::join(words, "|"));
}

std::string Dump(RightContext& right) {
  RightAutomaton& automaton = right.automaton();
  const Grammar& grammar = right.language().grammar;
  // Numbers in the order of meeting: the automaton's own depend on the queries before.
  std::vector<RightNodeId> nodes;
  std::vector<uint32_t> number;
  const auto number_of = [&](RightNodeId id) {
    constexpr uint32_t kNone = 0xffffffffu;
    if (id.value >= number.size()) number.resize(id.value + 1, kNone);
    if (number[id.value] == kNone) {
      number[id.value] = static_cast<uint32_t>(nodes.size());
      nodes.push_back(id);
    }
    return number[id.value];
  };
  std::string out =
      fmt::format("right context {}\n{}\nstarts\n", ShownBeginning(right.text()), kEntriesLegend);
  for (const RightAutomaton::Entry& entry : automaton.entries())
    out += fmt::format("  W: {} -> {}\n", EntriesText(entry.kind), number_of(entry.node));
  for (size_t i = 0; i < nodes.size(); ++i) {
    const RightNodeId id = nodes[i];
    out += fmt::format("\nnode {}, {}{}\n", i, RightAutomatonView(right).NameOf(id),
                       automaton.is_final(id) ? ": the text may end" : "");
    for (const RightEdge& edge : automaton.edges(id))
      out += EdgeText(automaton, grammar, edge, number_of(edge.target));
  }
  if (!automaton.lexeme_beginnings().empty()) {
    out += "\nbeginnings of lexemes that R goes on with\n ";
    for (const std::string& text : automaton.lexeme_beginnings()) out += " " + ShownBytes(text);
    out += '\n';
  }
  if (automaton.truncated()) out += "\nR is longer than what is read of one\n";
  return out;
}

std::string Dump(const DemandNode& node, const Grammar& grammar) {
  std::string out =
      fmt::format("{}  {}", node.mid ? "Mid" : "End", ItemText(grammar, {node.rule, node.dot}));
  if (node.lo > 0 || node.hi < kMaxColumn) {
    out += node.hi == kMaxColumn
               ? fmt::format(", ends a block of column {} or more", node.lo)
               : fmt::format(", ends a block of column {} to {}", node.lo, node.hi);
  }
  return out;
}

std::string Dump(const DemandGraph& graph, const Grammar& grammar) {
  std::string out = fmt::format("demand graph: {} nodes\n{}\nroots:", graph.size(), kEntriesLegend);
  for (DemandNodeId root : graph.roots()) out += fmt::format(" {}", root.value);
  out += graph.roots().empty() ? " none, no tree holds this right context\n\n" : "\n\n";
  for (uint32_t i = 0; i < graph.size(); ++i) {
    const DemandNode& node = graph.node(DemandNodeId{i});
    out += fmt::format("{} {}\n", i, Dump(node, grammar));
    out += fmt::format("    W: {}\n", EntriesText(node.entries));
    const auto children = graph.children(DemandNodeId{i});
    if (children.empty()) continue;
    out += "    below:";
    for (DemandNodeId child : children) out += fmt::format(" {}", child.value);
    out += '\n';
  }
  return out;
}

}  // namespace tenon::constraint
