#include "tenon/middle_grammar.h"

#include <utility>

#include "constraint/library/internals.h"
#include "constraint/quotient/quotient.h"

namespace tenon {

Result<MiddleGrammar> PrintMiddleGrammar(const Language& language, std::string_view left,
                                         std::string_view right, GrammarFormat format,
                                         Strength strength, const std::string& origin) {
  const std::shared_ptr<const constraint::Language>& compiled = Internals::Of(language);
  auto grammar = constraint::QuotientGrammar(compiled, left, right, strength == Strength::kEmit);
  if (!grammar)
    return tl::unexpected(Error{compiled->grammar.path, 0, 0, std::move(grammar.error())});
  MiddleGrammar printed;
  printed.terminals = grammar->terminals.size();
  printed.nonterminals = grammar->nonterminals.size();
  for (const auto& nonterminal : grammar->nonterminals) printed.rules += nonterminal.bodies.size();
  const auto as = format == GrammarFormat::kGbnf ? constraint::MiddleFormat::kGbnf
                                                 : constraint::MiddleFormat::kLark;
  if (printed.rules > 0) printed.text = constraint::Print(*grammar, as, origin);
  return printed;
}

}  // namespace tenon
