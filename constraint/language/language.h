// A compiled language: grammar, lexer and LR tables together, ready to check texts and to open gaps.
//
// Cost: compiling Python's grammar, see docs/measured.md. Thread rule: immutable; share it by pointer among threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar/grammar_error.h"
#include "constraint/language/grammar_index.h"
#include "constraint/language/insertions.h"
#include "constraint/language/yields.h"
#include "constraint/lex/declared_names.h"
#include "constraint/lex/encoding.h"
#include "constraint/lex/layout.h"
#include "constraint/lex/lexeme_futures.h"
#include "constraint/lex/lexeme_reach.h"
#include "constraint/lex/lexeme_rules.h"
#include "constraint/lex/lexer.h"
#include "constraint/lex/scope.h"
#include "constraint/lr/table.h"

namespace tenon::constraint {

// 128 bits of a grammar's text: equal keys mean equal texts.
struct GrammarKey {
  uint64_t low = 0, high = 0;
  auto operator<=>(const GrammarKey&) const = default;
  [[nodiscard]] static GrammarKey Of(std::string_view text);
};

struct Language {
  Grammar grammar;
  Lexer lexer;
  LrTable table;
  LayoutRules layout;
  std::unique_ptr<const GrammarIndex> index;
  std::array<std::unique_ptr<const Yields>, 2> yields;          // [emitted text alone]
  std::array<std::unique_ptr<const LexemeFutures>, 2> futures;  // [emitted text alone]
  std::unique_ptr<const ScopeRules> scopes = nullptr;
  std::unique_ptr<const Insertions> insertions = nullptr;   // of a grammar with `%insert`
  std::unique_ptr<const EncodingRules> encoding = nullptr;  // of a grammar with `%encoding`
  std::unique_ptr<const LexemeRules> lexeme_rules = nullptr;
  std::unique_ptr<const NameRules> names = nullptr;        // of a grammar with `%names`
  std::unique_ptr<const LexemeReaches> reaches = nullptr;  // grows while it is used, in all gaps together

  // The end of a text adds no terminal that every sentence does not end with anyway: whatever the parser can go on with on the left,
  // some text completes, and without a right context nothing else has to be asked.
  bool open_ended = false;

  GrammarKey key;  // of the text that it was compiled from; zero where that is no grammar's

  [[nodiscard]] static tl::expected<std::shared_ptr<const Language>, GrammarError> Compile(std::string_view text,
                                                                                           std::string path);
  // The texts that a regular expression matches as a whole ('^' in front and '$' behind are taken for granted); any that an automaton
  // does (constraint/automata/regex.h), unbounded ones too: a text may end where it matches, and nowhere else. Every state of its
  // automaton is a state of the lexer, so a check is a look-up a byte, and a mask one a token set (Willard and Louf, Efficient Guided
  // Generation for Large Language Models, 2023). Error: the place in the pattern, and why.
  [[nodiscard]] static tl::expected<std::shared_ptr<const Language>, GrammarError> FromRegex(std::string_view pattern);

  // The rest follows from these three. REQUIRES: lexer and table are those of the grammar, which has no unused terminal of the layout.
  [[nodiscard]] static std::shared_ptr<const Language> Join(Grammar grammar, Lexer lexer, LrTable table,
                                                            GrammarKey key);

 private:
  static tl::expected<std::shared_ptr<const Language>, GrammarError> Assemble(Grammar grammar, GrammarKey key);
};

}  // namespace tenon::constraint
