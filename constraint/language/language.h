// A compiled language: a grammar with its lexer, its LR table, and all facts that gaps need.
//
// From the text of `grammars/python.lark` Compile makes everything that does not depend on a
// document:
//
//   grammar file -> Grammar -> Lexer   (one DFA over all terminals)
//                           -> LrTable (one LALR(1) table, conflicts kept)
//                           -> GrammarIndex, Yields, LexemeFutures, and the mechanisms in use
//
// A regular expression is a language too: FromRegex makes a grammar of a single lexeme.
//
// Source: none. Cost: compiling Python's grammar, see docs/measured.md.
// Thread rule: immutable; share it by pointer among threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/characters/characters.h"
#include "constraint/grammar/grammar.h"
#include "constraint/language/construct_parsers.h"
#include "constraint/language/grammar_index.h"
#include "constraint/language/insertions.h"
#include "constraint/language/yields.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

// A 128-bit hash of a grammar's text and of the files that it imports: equal keys mean equal
// texts.
struct GrammarKey {
  uint64_t low = 0, high = 0;
  auto operator<=>(const GrammarKey&) const = default;
  [[nodiscard]] static GrammarKey Of(std::string_view text);
  // Reads and scans the files that the grammar at `path` imports; without the word `%import` in it
  // nothing but the hash is computed.
  [[nodiscard]] static GrammarKey Of(std::string_view text, const std::string& path);
};

struct Language {
  Grammar grammar;
  Lexer lexer;
  LrTable table;
  LayoutRules layout;
  std::unique_ptr<const GrammarIndex> index;
  std::array<std::unique_ptr<const Yields>, 2> yields;  // [emitted text alone]; the seam rule holds
  std::unique_ptr<const Yields> yields_over_seam;       // of emitted text, without the seam rule
  std::array<std::unique_ptr<const LexemeFutures>, 2> futures;  // [emitted text alone]
  std::unique_ptr<const ScopeRules> scopes = nullptr;
  std::unique_ptr<const Insertions> insertions = nullptr;   // null without `%insert`
  std::unique_ptr<const EncodingRules> encoding = nullptr;  // null without `%encoding`
  std::unique_ptr<const LexemeRules> lexeme_rules = nullptr;
  std::unique_ptr<const NameRules> names = nullptr;  // null without `%names`
  // Memos that all gaps share and extend.
  std::unique_ptr<const LexemeReaches> reaches = nullptr;
  std::unique_ptr<const ConstructParsers> constructs = nullptr;

  // True: the end of a text adds only terminals that every sentence ends with. Then some text
  // completes whatever the parser accepts on the left, and without a right context nothing else
  // decides.
  bool open_ended = false;

  // True: where a name is refused (`%names`) another reading may fit, a terminal inserted before it
  // or the lexeme that it is a rival of (`%apart`).
  bool refused_names_make_room = false;

  const Yields& YieldsAt(bool emit, Seam seam) const {
    return emit && seam == Seam::kOpen ? *yields_over_seam : *yields[emit];
  }

  GrammarKey key;  // of the grammar's text; zero for a regular expression

  [[nodiscard]] static tl::expected<std::shared_ptr<const Language>, GrammarError> Compile(
      std::string_view text, std::string path);
  // The texts that a regular expression matches as a whole; '^' in front and '$' at the end are
  // implied. Any expression that an automaton can match is allowed (constraint/automata/regex.h),
  // unbounded ones too: a text may end where it matches, and nowhere else. Every state of the
  // automaton is a state of the lexer. So a check is a look-up for each byte, and a mask one token
  // set for each state (Willard and Louf, Efficient Guided Generation for Large Language Models,
  // 2023). Error: the offset in the pattern, and the reason.
  [[nodiscard]] static tl::expected<std::shared_ptr<const Language>, GrammarError> FromRegex(
      std::string_view pattern);

  // Computes the rest from these three; of the rest `insertions` only where it is null. REQUIRES:
  // lexer, table and insertions belong to the grammar, and rules use each terminal of the layout.
  [[nodiscard]] static std::shared_ptr<const Language> Join(
      Grammar grammar, Lexer lexer, LrTable table, GrammarKey key,
      std::unique_ptr<const Insertions> insertions = nullptr);

 private:
  static tl::expected<std::shared_ptr<const Language>, GrammarError> Assemble(Grammar grammar,
                                                                              GrammarKey key);
};

}  // namespace tenon::constraint
