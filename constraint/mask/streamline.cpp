#include "constraint/mask/streamline.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tenon::constraint {

namespace {

// [column] a number for the set of places in rules where it stands; columns that stand twice in one rule are alone.
std::vector<size_t> PlaceClasses(const Language& language) {
  const Grammar& grammar = language.grammar;
  constexpr SymbolId kHole{0xffff};
  using Place = std::pair<SymbolId, std::vector<SymbolId>>;
  std::vector<std::set<Place>> places(grammar.columns.size());
  std::vector<bool> alone(grammar.columns.size());
  for (const Rule& rule : grammar.rules) {
    for (size_t i = 0; i < rule.body.size(); ++i) {
      SymbolId symbol = rule.body[i];
      if (!grammar.IsColumn(symbol)) continue;
      if (std::count(rule.body.begin(), rule.body.end(), symbol) > 1) alone[symbol.value] = true;
      Place place{rule.head, rule.body};
      place.second[i] = kHole;
      places[symbol.value].insert(std::move(place));
    }
  }
  // One that is read as another stands where that does, one that asks for its line is unlike any other.
  for (uint16_t c = 0; c < grammar.columns.size(); ++c) {
    if (grammar.columns[c].reads_as) places[c].insert({*grammar.columns[c].reads_as, {}});
    if (grammar.columns[c].line != LineCondition::kNone) alone[c] = true;
  }
  std::map<std::pair<std::set<Place>, bool>, size_t> ids;  // with what a line end behind the column means
  std::vector<size_t> classes;
  for (size_t c = 0; c < grammar.columns.size(); ++c) {
    size_t next = grammar.columns.size() + ids.size();
    classes.push_back(
        alone[c] ? c
                 : ids.try_emplace({places[c], language.layout.EndsPhrase(SymbolId{static_cast<uint16_t>(c)})}, next)
                       .first->second);
  }
  return classes;
}

}  // namespace

std::vector<LexemeId> InterchangeableLexemes(const Language& language) {
  std::vector<size_t> classes = PlaceClasses(language);
  using Behaviour = std::tuple<TerminalKind, bool, bool, int, std::vector<size_t>>;
  std::map<Behaviour, LexemeId> first;
  std::vector<LexemeId> out;
  for (uint16_t l = 0; l < language.lexer.lexeme_count(); ++l) {
    const Lexeme& lexeme = language.lexer.lexeme(LexemeId{l});
    std::vector<size_t> columns;
    for (SymbolId c : lexeme.emit_columns) columns.push_back(classes[c.value]);
    std::sort(columns.begin(), columns.end());
    Behaviour behaviour{lexeme.kind, lexeme.delimited, lexeme.is_newline, lexeme.bracket, std::move(columns)};
    out.push_back(first.try_emplace(std::move(behaviour), LexemeId{l}).first->second);
  }
  return out;
}

}  // namespace tenon::constraint
