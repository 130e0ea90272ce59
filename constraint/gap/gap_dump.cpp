#include "constraint/gap/gap_dump.h"

#include <fmt/format.h>

#include "constraint/gap/shared_gap.h"
#include "constraint/lex/lex.h"
#include "constraint/lr/lr.h"
#include "constraint/right/right_context.h"

namespace tenon::constraint {

namespace {

std::string DumpClass(SharedGap& gap, NodeId node) {
  const ViabilityClasses::Class& of =
      gap.classes().at(gap.classes().Of(gap.mover().stacks(), node));
  const LrTable& table = gap.language().table;
  const Grammar& grammar = gap.language().grammar;
  const auto items = table.items(of.state);
  std::string out =
      fmt::format("  {}: {}\n", LrStateName(grammar, table, of.state),
                  of.viable == 0 ? "not viable" : "viable with W: " + EntriesText(of.viable));
  for (size_t i = 0; i < items.size(); ++i) {
    const ViabilityClasses::ItemInfo& info = of.items[i];
    const bool silent = info.free == 0 && info.shared.empty();
    if (silent && i >= table.kernel_size(of.state)) continue;
    out += fmt::format("    {}{}\n", ItemText(grammar, items[i]),
                       silent ? "  (R has no place for it)" : "");
    if (info.free != 0)
      out += fmt::format("      parted from R above, W: {}\n", EntriesText(info.free));
    for (DemandNodeId id : info.shared)
      out += fmt::format("      may be demand node {} {}\n", id.value,
                         Dump(gap.graph().node(id), grammar));
  }
  return out;
}

std::string DumpStack(SharedGap& gap, NodeId node) {
  const StackArena& stacks = gap.mover().stacks();
  std::string out;
  for (;; node = stacks.node(node).below) {
    if (stacks.IsPacked(node)) {
      const auto alternatives = stacks.Alternatives(node);
      out += fmt::format("  over any of {} stacks; the first of them:\n", alternatives.size());
      node = alternatives[0];
    }
    out += DumpClass(gap, node);
    if (node == kBottomNode) return out;
  }
}

}  // namespace

std::string LrStateName(const Grammar& grammar, const LrTable& table, LrStateId state) {
  const LrItem& item = table.items(state)[0];  // the kernel's first
  if (item.dot == 0) return fmt::format("LR state {}, at the beginning", state.value);
  const SymbolId over = grammar.SymbolAt(item.rule, item.dot - 1u);
  return fmt::format("LR state {}, after {}", state.value, grammar.SymbolName(over));
}

std::string Dump(const GapState& gap) {
  SharedGap& shared = *gap.shared();
  const Lexer& lexer = shared.language().lexer;
  std::string out = fmt::format("{}\n{}", gap.viable() ? "viable" : "not viable", kEntriesLegend);
  size_t number = 0;
  for (const Branch& branch : gap.branches()) {
    out += fmt::format("\nreading {}", ++number);
    if (branch.q == kStartState) {
      out += ", between two lexemes\n";
    } else {
      const LexemeId here = lexer.LexemeAt(branch.q);
      out += fmt::format(", in a lexeme: {}", StateName(lexer, branch.q));
      out += here == kNoLexeme ? std::string(", unfinished\n")
                               : fmt::format(", may end as {}\n",
                                             LexemeName(lexer, shared.language().grammar, here));
    }
    out += "stack, the top first\n" + DumpStack(shared, branch.top);
  }
  if (gap.branches().empty())
    out += "\nno reading: the left context is not the beginning of a valid text\n";
  return out;
}

}  // namespace tenon::constraint
