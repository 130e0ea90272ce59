// The symbols of a grammar: terminals, predicates on them, nonterminals and rules, each with an id
// of its own.
//
// A rule such as `list: item ("," item)*` is made of symbols. Two refinements make more than one
// symbol of a terminal and more than one context of a rule.
//
// *Predicates.* An occurrence of a terminal may carry a condition for emitted text: `","#given`
// accepts a trailing comma that a person wrote, and never writes one. The parser has to know both
// occurrences apart, so each distinct (terminal, predicate) pair is an *LR terminal*, a terminal
// symbol of the LR table (`LrTerminal`). Example: a grammar with `","` in one rule and `","#given`
// in another has one terminal COMMA and two LR terminals, COMMA and COMMA#given.
//   - A given lexeme of terminal T stands for all LR terminals of T.
//   - An emitted lexeme of T stands for the plain LR terminal and for each whose predicate is on.
//
// *Contexts.* A part of a rule turns predicates on or off for the text within it:
// `body#+in_function#-in_loop`. The bits at a place are the bits of the start, changed by each
// nonterminal on the way down the parse tree.
//
// Thread rule: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace tenon::constraint {

// Index into Grammar::terminals.
struct TerminalId {
  uint16_t value = 0;
  auto operator<=>(const TerminalId&) const = default;
};
// Index into Grammar::predicates.
struct PredicateId {
  uint16_t value = 0;
  auto operator<=>(const PredicateId&) const = default;
};
// LR terminals are 0 .. lr_terminals.size()-1, nonterminals follow.
struct SymbolId {
  uint16_t value = 0;
  auto operator<=>(const SymbolId&) const = default;
};
// Index into Grammar::modes.
struct ModeId {
  uint8_t value = 0;
  auto operator<=>(const ModeId&) const = default;
};
// Index into Grammar::rules.
struct RuleId {
  uint32_t value = 0;
  auto operator<=>(const RuleId&) const = default;
};

// Sets of predicates, by PredicateId. Bit 0, `given`, is never on.
using PredicateBits = uint32_t;
inline constexpr size_t kMaxPredicates = 32;

// The predicate that never holds for emitted text.
inline constexpr PredicateId kGivenPredicate{0};

// The predicates that a nonterminal turns on and off within its texts:
// `block#+in_function#-in_loop`.
struct ContextChange {
  PredicateBits on = 0, off = 0;
  bool empty() const { return on == 0 && off == 0; }
  PredicateBits Applied(PredicateBits context) const { return (context & ~off) | on; }
  bool operator==(const ContextChange&) const = default;
};

// `%line_ends`: whether a line end may, or must, lie between the lexeme and the lexeme before it.
// Example: `"++"#no_newline` is JavaScript's postfix operator, which stands on the line of its
// operand.
enum class LineCondition : uint8_t { kNone, kNoNewline, kNewlineBefore };
// The predicate's name in a grammar file; "" for kNone.
constexpr std::string_view NameOf(LineCondition condition) {
  return condition == LineCondition::kNoNewline       ? "no_newline"
         : condition == LineCondition::kNewlineBefore ? "newline_before"
                                                      : "";
}
// kNone for the name of any other predicate.
constexpr LineCondition LineConditionOf(std::string_view predicate) {
  for (const auto condition : {LineCondition::kNoNewline, LineCondition::kNewlineBefore}) {
    if (NameOf(condition) == predicate) return condition;
  }
  return LineCondition::kNone;
}

// `%names`: the lexeme's text must be a declared name of a set (`NAME#type`), must not be one
// (`NAME#not_type`), becomes one (`NAME#new_type`), or must be the one that was declared last
// before the innermost open scope began (`NAME#enclosing_type`).
enum class NameUse : uint8_t { kNone, kIsIn, kIsNotIn, kDeclares, kIsEnclosing };
// Uses that only declared names fit.
inline bool WantsDeclared(NameUse use) {
  return use == NameUse::kIsIn || use == NameUse::kIsEnclosing;
}

struct LrTerminal {
  TerminalId terminal;
  std::optional<PredicateId> predicate;
  // `%fallback`: where the parser has no action for this keyword it reads the keyword as that
  // symbol, a name. No rule holds such a symbol.
  std::optional<SymbolId> reads_as = std::nullopt;
  LineCondition line = LineCondition::kNone;
  PredicateBits levels = 0;           // `%levels`: of a given text with this lexeme
  NameUse name_use = NameUse::kNone;  // kIsIn: it has a predicate too; no rule turns it on
  uint8_t name_set = 0;               // the set of names, counted through all lines of `%names`
};

struct Rule {
  SymbolId head;               // a nonterminal
  std::vector<SymbolId> body;  // never empty
};

}  // namespace tenon::constraint
