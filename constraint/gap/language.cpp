#include "constraint/gap/language.h"

#include "constraint/grammar/reader.h"

namespace tenon::constraint {

tl::expected<std::shared_ptr<const Language>, GrammarError> Language::Compile(std::string_view text, std::string path) {
  auto grammar = ReadGrammar(text, std::move(path));
  if (!grammar) return tl::unexpected(grammar.error());
  auto lexer = Lexer::Build(*grammar);
  if (!lexer) return tl::unexpected(lexer.error());
  auto table = LrTable::Build(*grammar);
  if (!table) return tl::unexpected(table.error());
  return std::make_shared<const Language>(Language{std::move(*grammar), std::move(*lexer), std::move(*table)});
}

}  // namespace tenon::constraint
