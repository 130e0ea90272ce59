// The fields of a compiled language on disk: grammar, lexer, LR table and insertions.
//
// Everything else follows from these at once (Language::Join). Example: a lexer's successors are
// left out, because finding them is quicker than reading them. Insertions follow from the table,
// too, but a few kilobytes of them spare a walk through all of it.
//
// Source: archive.h. Cost: that of archive.h. Thread rule: plain functions.
#pragma once

#include <memory>

#include "constraint/cache/archive.h"
#include "constraint/grammar/grammar.h"
#include "constraint/language/language.h"
#include "constraint/lex/lex.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

template <>
struct CacheFields<TerminalKind> {
  static constexpr TerminalKind kLast = TerminalKind::kDeclared;
};
template <>
struct CacheFields<LineCondition> {
  static constexpr LineCondition kLast = LineCondition::kNewlineBefore;
};
template <>
struct CacheFields<NameUse> {
  static constexpr NameUse kLast = NameUse::kIsEnclosing;
};
template <>
struct CacheFields<LrAction::Kind> {
  static constexpr LrAction::Kind kLast = LrAction::Kind::kAccept;
};

template <>
struct CacheFields<ModeAction::Kind> {
  static constexpr ModeAction::Kind kLast = ModeAction::Kind::kPop;
};

template <>
struct CacheFields<Grammar> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& grammar) {
    // The path is the reader's own.
    [[maybe_unused]] auto& [path, terminals, predicates, lr_terminals, nonterminals, changes, rules,
                            start, start_nullable, modes, levels, layout, terminator,
                            remembers_line_ends, splits, insertion, apart, limits, lexeme_rules,
                            encoding, names, regions, one_lexeme] = grammar;
    archive(terminals, predicates, lr_terminals, nonterminals, changes, rules, start,
            start_nullable, modes, levels, layout, terminator, remembers_line_ends, splits,
            insertion, apart, limits, lexeme_rules, encoding, names, regions, one_lexeme);
  }
};

template <>
struct CacheFields<Dfa> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& dfa) {
    auto& [next, accepts, starts] = dfa;
    archive(next, accepts, starts);
  }
  static bool IsSound(const Dfa& dfa);
};

template <>
struct CacheFields<Lexer> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& lexer) {
    // Successors are found sooner than read.
    [[maybe_unused]] auto& [dfa, lexeme_at, lexemes, emit_edges, separable, successors,
                            reaches_blank, begins_blank, first_bytes, starts, distinct_starts,
                            is_start, apart_start, hosts_apart, modes_of, below, beginnings,
                            spellings, doomed] = lexer;
    archive(dfa, lexeme_at, lexemes, emit_edges, separable, first_bytes, starts, distinct_starts,
            is_start, apart_start, hosts_apart, modes_of, below, beginnings, spellings, doomed);
  }
  static Lexer Empty() { return Lexer(Dfa()); }
  static bool IsSound(const Lexer& lexer, const Grammar& grammar);
  static bool ModesAreSound(const Lexer& lexer, const Grammar& grammar);
  // REQUIRES: sound.
  static void Complete(Lexer& lexer) { lexer.FindSuccessors(); }
};

template <>
struct CacheFields<SparseRows> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& rows) {
    auto& [begins, pages, values] = rows;
    archive(begins, pages, values);
  }
};

template <>
struct CacheFields<LrTable> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& table) {
    auto& [lr_terminals, symbols, cells, go_to, actions, several, single_actions, items,
           kernel_sizes, changes, ends_part, conflicts, unsure] = table;
    archive(lr_terminals, symbols, cells, go_to, actions, several, single_actions, items,
            kernel_sizes, changes, ends_part, conflicts, unsure);
  }
};

template <>
struct CacheFields<Insertions> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& insertions) {
    auto& [lexemes, may_stand] = insertions;
    archive(lexemes, may_stand[false], may_stand[true]);
  }
  static std::unique_ptr<Insertions> Empty() {
    return std::unique_ptr<Insertions>(new Insertions());
  }
  static bool IsSound(const Insertions& insertions, const Lexer& lexer);
};

}  // namespace tenon::constraint
