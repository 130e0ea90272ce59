#include "constraint/gap/language.h"

#include "constraint/grammar/reader.h"

namespace tenon::constraint {

tl::expected<std::shared_ptr<const Language>, GrammarError> Language::Compile(std::string_view text, std::string path) {
  auto grammar = ReadGrammar(text, std::move(path));
  if (!grammar) return tl::unexpected(grammar.error());
  if (auto unused = LayoutRules::UnusedTerminal(*grammar)) {
    return tl::unexpected(
        GrammarError{GrammarErrorCode::kMechanism, grammar->path, 0, 0,
                     "%layout makes " + grammar->terminals[unused->value].name +
                         ", but no rule uses it without a predicate; use it in a rule or leave it out of %layout"});
  }
  auto lexer = Lexer::Build(*grammar);
  if (!lexer) return tl::unexpected(lexer.error());
  auto table = LrTable::Build(*grammar);
  if (!table) return tl::unexpected(table.error());
  LayoutRules layout(*grammar);
  auto made = std::make_shared<Language>(
      Language{std::move(*grammar), std::move(*lexer), std::move(*table), layout, nullptr, {}, {}});
  // These refer to the grammar in its final place.
  made->index = std::make_unique<const GrammarIndex>(made->grammar, made->table);
  for (bool emit : {false, true}) {
    made->yields[emit] = std::make_unique<const Yields>(made->grammar, made->lexer, made->layout, emit);
    made->futures[emit] = std::make_unique<const LexemeFutures>(made->lexer, emit);
  }
  return made;
}

}  // namespace tenon::constraint
