#include "constraint/grammar/definition.h"

#include <fmt/format.h>

namespace tenon::constraint {

tl::expected<PredicateBits, std::string> Grammar::LevelsUpTo(std::string_view name) const {
  if (name.empty()) return 0;
  PredicateBits bits = 0;
  std::string known;
  for (PredicateId level : levels) {
    bits |= PredicateBits{1} << level.value;
    if (predicates[level.value] == name) return bits;
    known += (known.empty() ? "" : ", ") + predicates[level.value];
  }
  return tl::unexpected(
      known.empty() ? fmt::format("{}: the grammar has no levels, and so no '{}'", path, name)
                    : fmt::format("{}: no level '{}'; there are {}", path, name, known));
}

const std::string& Grammar::NameSet(uint8_t set) const {
  size_t line = 0, at = set;
  for (; at >= names[line].sets.size(); ++line) at -= names[line].sets.size();
  return names[line].sets[at];
}

std::string Grammar::SymbolName(SymbolId s) const {
  if (!IsLrTerminal(s)) return nonterminals[s.value - lr_terminals.size()];
  const LrTerminal& lr_terminal = lr_terminals[s.value];
  const std::string& name = terminals[lr_terminal.terminal.value].name;
  if (lr_terminal.reads_as) return fmt::format("{} as {}", name, SymbolName(*lr_terminal.reads_as));
  if (lr_terminal.line != LineCondition::kNone)
    return fmt::format("{}#{}", name, NameOf(lr_terminal.line));
  if (lr_terminal.name_use == NameUse::kIsNotIn)
    return fmt::format("{}#{}{}", name, kNotIn, NameSet(lr_terminal.name_set));
  if (lr_terminal.name_use == NameUse::kDeclares)
    return fmt::format("{}#{}{}", name, kDeclaring, NameSet(lr_terminal.name_set));
  if (lr_terminal.name_use == NameUse::kIsEnclosing)
    return fmt::format("{}#{}{}", name, kEnclosing, NameSet(lr_terminal.name_set));
  return lr_terminal.predicate
             ? fmt::format("{}#{}", name, predicates[lr_terminal.predicate->value])
             : name;
}

std::string Grammar::Dump() const {
  std::string out =
      fmt::format("start: {}{}\n", SymbolName(start), start_nullable ? " or nothing" : "");
  for (const Rule& rule : rules) {
    out += SymbolName(rule.head) + " ->";
    for (const SymbolId s : rule.body) out += fmt::format(" {}", SymbolName(s));
    out += '\n';
  }
  return out;
}

}  // namespace tenon::constraint
