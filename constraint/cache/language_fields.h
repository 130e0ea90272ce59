// What a compiled language consists of on disk: grammar, lexer and LR table. All else follows from these at once (Language::Join).
//
// Source: archive.h. Thread rule: plain functions.
#pragma once

#include "constraint/cache/archive.h"
#include "constraint/grammar/grammar.h"
#include "constraint/lex/lexer.h"
#include "constraint/lr/table.h"

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
struct CacheFields<LrAction::Kind> {
  static constexpr LrAction::Kind kLast = LrAction::Kind::kAccept;
};

template <>
struct CacheFields<ModeAction::Kind> {
  static constexpr ModeAction::Kind kLast = ModeAction::Kind::kPop;
};

template <>
struct CacheFields<ModeAction> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& action) {
    auto& [kind, mode] = action;
    archive(kind, mode);
  }
};

template <>
struct CacheFields<Mode> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& mode) {
    auto& [name, terminals] = mode;
    archive(name, terminals);
  }
};

template <>
struct CacheFields<Terminal> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& terminal) {
    auto& [name, pattern, pattern_flags, literal, priority, kind, soft, delimited, emitted, action, not_within,
           not_last, emit_pattern, emit_flags, spelling, description] = terminal;
    archive(name, pattern, pattern_flags, literal, priority, kind, soft, delimited, emitted, action, not_within,
            not_last, emit_pattern, emit_flags, spelling, description);
  }
};

template <>
struct CacheFields<Column> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& column) {
    auto& [terminal, predicate, reads_as, line, levels] = column;
    archive(terminal, predicate, reads_as, line, levels);
  }
};

template <>
struct CacheFields<ContextChange> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& change) {
    auto& [on, off] = change;
    archive(on, off);
  }
};

template <>
struct CacheFields<Rule> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& rule) {
    auto& [head, body] = rule;
    archive(head, body);
  }
};

template <>
struct CacheFields<Layout> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& layout) {
    auto& [newline, indent, dedent, brackets] = layout;
    archive(newline, indent, dedent, brackets);
  }
};

template <>
struct CacheFields<Terminator> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& terminator) {
    auto& [terminal, line_ends, after] = terminator;
    archive(terminal, line_ends, after);
  }
};

template <>
struct CacheFields<Split> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& split) {
    auto& [terminal, parts] = split;
    archive(terminal, parts);
  }
};

template <>
struct CacheFields<Insertion> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& insertion) {
    auto& [terminal, before] = insertion;
    archive(terminal, before);
  }
};

template <>
struct CacheFields<Grammar> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& grammar) {
    // The path is whoever asks'.
    [[maybe_unused]] auto& [path, terminals, predicates, columns, nonterminals, changes, rules, start, start_nullable,
                            modes, levels, layout, terminator, remembers_line_ends, splits, insertion, one_lexeme] =
        grammar;
    archive(terminals, predicates, columns, nonterminals, changes, rules, start, start_nullable, modes, levels, layout,
            terminator, remembers_line_ends, splits, insertion, one_lexeme);
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
struct CacheFields<LexemeColumns> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& columns) {
    auto& [given, emit] = columns;
    archive(given, emit);
  }
};

template <>
struct CacheFields<Lexeme> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& lexeme) {
    auto& [kind, delimited, is_newline, bracket, action, insert_before, not_within, not_last, terminals, given_columns,
           emit_columns, splits] = lexeme;
    archive(kind, delimited, is_newline, bracket, action, insert_before, not_within, not_last, terminals, given_columns,
            emit_columns, splits);
  }
};

template <>
struct CacheFields<Lexer::Beginning> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& beginning) {
    auto& [q, text] = beginning;
    archive(q, text);
  }
};

template <>
struct CacheFields<Lexer> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& lexer) {
    // Successors are found sooner than read.
    [[maybe_unused]] auto& [dfa, lexeme_at, lexemes, emit_edges, separable, successors, first_bytes, starts,
                            distinct_starts, is_start, modes_of, below, beginnings, spellings, doomed] = lexer;
    archive(dfa, lexeme_at, lexemes, emit_edges, separable, first_bytes, starts, distinct_starts, is_start, modes_of,
            below, beginnings, spellings, doomed);
  }
  static Lexer Empty() { return Lexer(Dfa()); }
  static bool IsSound(const Lexer& lexer, const Grammar& grammar);
  static bool ModesAreSound(const Lexer& lexer, const Grammar& grammar);
  // REQUIRES: sound.
  static void Complete(Lexer& lexer) { lexer.FindSuccessors(); }
};

template <>
struct CacheFields<LrItem> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& item) {
    auto& [rule, dot] = item;
    archive(rule, dot);
  }
};

template <>
struct CacheFields<LrAction> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& action) {
    auto& [kind, target] = action;
    archive(kind, target);
  }
};

template <>
struct CacheFields<LrConflict> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& conflict) {
    auto& [state, column, actions] = conflict;
    archive(state, column, actions);
  }
};

template <>
struct CacheFields<LrTable> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& table) {
    auto& [columns, symbols, cells, action_lists, go_to, items, kernel_sizes, changes, ends_part, conflicts, unsure] =
        table;
    archive(columns, symbols, cells, action_lists, go_to, items, kernel_sizes, changes, ends_part, conflicts, unsure);
  }
};

}  // namespace tenon::constraint
