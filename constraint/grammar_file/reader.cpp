#include "constraint/grammar_file/reader.h"

#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/assembler.h"
#include "constraint/grammar_file/contexts.h"
#include "constraint/grammar_file/directives.h"
#include "constraint/grammar_file/file_checks.h"
#include "constraint/grammar_file/parameters.h"
#include "constraint/grammar_file/rule_expander.h"
#include "constraint/grammar_file/sources.h"
#include "constraint/grammar_file/syntax.h"
#include "constraint/grammar_file/terminal_table.h"

namespace tenon::constraint {
namespace {

constexpr size_t kMaxSymbols = std::numeric_limits<uint16_t>::max();

std::optional<uint32_t> FindStart(const GrammarSyntax& syntax, const StartLine& start,
                                  ErrorSink& errors) {
  for (uint32_t i = 0; i < syntax.rules.size(); ++i) {
    if (syntax.rules[i].name == start.rule) return i;
  }
  errors.Fail(
      GrammarErrorCode::kUndefined, start.place,
      fmt::format(
          "the start rule '{}' is not defined: define it, or name another one with '%start'",
          start.rule));
  return std::nullopt;
}

}  // namespace

tl::expected<Grammar, GrammarError> ReadGrammar(std::string_view text, std::string path,
                                                std::vector<GrammarNote>* notes) {
  ErrorSink errors(path);
  return ReadGrammar(ReadSources(text, std::move(path), errors), errors, notes);
}

tl::expected<Grammar, GrammarError> ReadGrammar(const std::vector<GrammarSource>& sources,
                                                ErrorSink& errors,
                                                std::vector<GrammarNote>* notes) {
  const auto fail = [&] { return tl::unexpected(errors.error()); };
  GrammarSyntax syntax = ParseSyntax(sources, errors);
  if (errors.failed()) return fail();
  ApplyContexts(syntax, errors);
  WriteOutParameters(syntax, errors);
  if (errors.failed()) return fail();
  const StartLine start_line = ReadStart(syntax.directives, errors);
  DropUnused(syntax, start_line.rule);
  TerminalTable terminals(syntax.terminals, errors);
  ReadDeclared(syntax.directives, terminals, errors);
  PlainRules rules = ExpandRules(syntax.rules, terminals, errors);
  const Directives directives = ReadDirectives(syntax.directives, terminals, errors);
  if (errors.failed()) return fail();
  const std::optional<uint32_t> start = FindStart(syntax, start_line, errors);
  if (!start) return fail();
  const FilePlace start_place = syntax.rules[*start].place;
  CheckReduced(rules, *start, errors);
  CheckTerminals(terminals, directives, errors);
  CheckLineEnds(terminals, rules, directives, start_place, errors);
  CheckPredicates(rules, directives, start_place, errors);
  CheckNames(terminals, rules, directives, errors);
  if (errors.failed()) return fail();
  const PlainRules as_written = notes ? rules : PlainRules{};
  const bool nullable = RemoveEmptyBodies(rules, *start, errors);
  RestrictFirstTerminals(rules, errors);
  const size_t fallback_terminals = directives.fallbacks.size() * rules.predicates.size();
  if (rules.lr_terminals.size() + fallback_terminals + rules.nonterminals.size() +
          terminals.entries.size() >
      kMaxSymbols) {
    errors.Fail(GrammarErrorCode::kTooLarge, start_place,
                fmt::format("the grammar has more than {} symbols", kMaxSymbols));
  }
  if (rules.nonterminals[*start].bodies.empty()) {
    errors.Fail(GrammarErrorCode::kUnproductive, start_place,
                fmt::format("the start rule '{}' derives the empty text only", start_line.rule));
  }
  if (errors.failed()) return fail();
  Grammar grammar = Assemble(terminals, rules, *start, directives);
  grammar.path = sources[0].path;
  grammar.start_nullable = nullable;
  if (!EmitProductive(grammar, InContext::kEvery)[grammar.start.value]) {
    errors.Fail(GrammarErrorCode::kUnproductive, start_place,
                fmt::format("the start rule '{}' derives no text that may be emitted: every way "
                            "needs a predicate or a terminal with '%emit ... never'",
                            start_line.rule));
    return fail();
  }
  if (std::string wrong = CheckInsertion(grammar); !wrong.empty()) {
    errors.Fail(GrammarErrorCode::kMechanism, directives.insertion->place, std::move(wrong));
    return fail();
  }
  if (std::string wrong = CheckModes(grammar); !wrong.empty()) {
    errors.Fail(GrammarErrorCode::kMechanism, start_place, std::move(wrong));
    return fail();
  }
  if (notes) *notes = NotesOn(as_written, grammar, errors);
  return grammar;
}

}  // namespace tenon::constraint
