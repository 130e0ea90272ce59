#include "constraint/grammar/grammar.h"

#include <fmt/format.h>

#include "constraint/grammar/grammar_error.h"

namespace tenon::constraint {

std::string GrammarError::ToString() const {
  if (line == 0) return fmt::format("{}: {}", path, message);
  return fmt::format("{}:{}:{}: {}", path, line, column, message);
}

std::string Grammar::SymbolName(SymbolId s) const {
  if (!IsColumn(s)) return nonterminals[s.value - columns.size()];
  const Column& column = columns[s.value];
  const std::string& name = terminals[column.terminal.value].name;
  if (column.reads_as) return fmt::format("{} as {}", name, SymbolName(*column.reads_as));
  if (column.line != LineCondition::kNone)
    return name + (column.line == LineCondition::kNoNewline ? "#no_newline" : "#newline_before");
  return column.predicate ? fmt::format("{}#{}", name, predicates[column.predicate->value]) : name;
}

std::string Grammar::Dump() const {
  std::string out = fmt::format("start: {}{}\n", SymbolName(start), start_nullable ? " or nothing" : "");
  for (const Rule& rule : rules) {
    out += SymbolName(rule.head) + " ->";
    for (const SymbolId s : rule.body) out += fmt::format(" {}", SymbolName(s));
    out += '\n';
  }
  return out;
}

}  // namespace tenon::constraint
