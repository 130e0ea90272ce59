#include "server/cli/grammar_command.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/cache/cache.h"
#include "constraint/grammar_file/reader.h"
#include "constraint/language/language.h"
#include "constraint/lr/lr.h"
#include "constraint/quotient/quotient.h"
#include "server/cli/cut.h"
#include "server/cli/stage_dump.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// One conflict as it is told: texts, no ids.
struct ToldConflict {
  std::string next;
  struct Reading {
    std::string before, item;
  };
  std::vector<Reading> readings;
};

std::vector<ToldConflict> Tell(const constraint::Language& language, size_t max_conflicts) {
  std::vector<ToldConflict> told;
  if (language.table.conflicts().empty()) return told;
  const constraint::ConflictExplainer explainer(language.grammar, language.table);
  for (const constraint::LrConflict& conflict : language.table.conflicts()) {
    if (told.size() == max_conflicts) break;
    ToldConflict& one = told.emplace_back();
    one.next = conflict.terminal == language.table.end_terminal()
                   ? std::string("the end")
                   : language.grammar.SymbolName(conflict.terminal);
    for (const constraint::ConflictReading& reading : explainer.Readings(conflict)) {
      one.readings.push_back({constraint::TerminalsText(language.grammar, reading.before),
                              constraint::ItemText(language.grammar, reading.item)});
    }
  }
  return told;
}

json ToJson(const std::vector<constraint::GrammarNote>& notes) {
  json list = json::array();
  for (const constraint::GrammarNote& note : notes)
    list.push_back({{"line", note.line}, {"column", note.column}, {"message", note.message}});
  return list;
}

json ToJson(const std::vector<ToldConflict>& conflicts) {
  json list = json::array();
  for (const ToldConflict& conflict : conflicts) {
    json readings = json::array();
    for (const auto& reading : conflict.readings)
      readings.push_back({{"after", reading.before}, {"item", reading.item}});
    list.push_back({{"next", conflict.next}, {"readings", std::move(readings)}});
  }
  return list;
}

void PrintConflicts(const Invocation& invocation, const std::vector<ToldConflict>& conflicts) {
  for (const ToldConflict& conflict : conflicts) {
    std::string before;
    for (const auto& reading : conflict.readings) {
      if (reading.before != before)
        invocation.Print(
            fmt::format("conflict: after {}, with {} next\n", reading.before, conflict.next));
      before = reading.before;
      invocation.Print(fmt::format("  {}\n", reading.item));
    }
  }
}

// Tells the fault of the grammar, and its place.
int Refuse(const Invocation& invocation, const constraint::GrammarError& error) {
  if (!invocation.json()) return invocation.Fail(error.ToString());
  json line = {{"path", error.path},
               {"valid", false},
               {"line", nullptr},
               {"column", nullptr},
               {"message", error.message}};
  if (error.line > 0) {
    line["line"] = error.line;
    line["column"] = error.column;
  }
  invocation.PrintJson(line);
  return kExitFailed;
}

int PrintQuotient(const Invocation& invocation, const GrammarOptions& options,
                  const std::shared_ptr<const constraint::Language>& language) {
  if (options.file.empty() || options.at.empty())
    return invocation.Fail("grammar --quotient needs --file FILE and --at A[-B]", kExitWrongUsage);
  const auto cut = CutFrom(options.at);
  if (!cut)
    return invocation.Fail(fmt::format("--at {}: must be A or A-B, byte offsets", options.at),
                           kExitWrongUsage);
  auto text = ReadFile(options.file);
  if (!text) return invocation.Fail(text.error());
  const auto contexts = TakeOut(*cut, *text);
  if (!contexts) return invocation.Fail(contexts.error());
  const auto grammar =
      constraint::QuotientGrammar(language, contexts->left, contexts->right, options.emit);
  if (!grammar)
    return invocation.Fail(fmt::format("{} at {}: {}", options.file, options.at, grammar.error()));
  if (grammar->nonterminals[0].bodies.empty())
    return invocation.Fail(
        fmt::format("{} at {}: not viable, no text closes this gap", options.file, options.at));
  const auto format =
      options.format == "gbnf" ? constraint::MiddleFormat::kGbnf : constraint::MiddleFormat::kLark;
  const std::string printed =
      constraint::Print(*grammar, format, fmt::format("{}, bytes {}", options.file, options.at));
  if (!invocation.json()) {
    invocation.Print(printed);
    return kExitDone;
  }
  size_t rules = 0;
  for (const auto& nonterminal : grammar->nonterminals) rules += nonterminal.bodies.size();
  invocation.PrintJson({{"path", options.path},
                        {"format", options.format},
                        {"terminals", grammar->terminals.size()},
                        {"nonterminals", grammar->nonterminals.size()},
                        {"rules", rules},
                        {"grammar", printed}});
  return kExitDone;
}

}  // namespace

int RunGrammar(const Invocation& invocation, const GrammarOptions& options) {
  auto text = ReadFile(options.path);
  if (!text) return invocation.Fail(text.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto cached = invocation.Cache()->Compile(*text, options.path);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (!cached) return Refuse(invocation, cached.error());
  if (options.quotient) return PrintQuotient(invocation, options, cached->value);
  if (!options.dump.empty()) return DumpGrammarStage(invocation, options, cached->value);
  const constraint::Language& language = *cached->value;
  const constraint::Grammar& grammar = language.grammar;
  const size_t conflicts = language.table.conflicts().size(),
               copies = constraint::CountCopies(language.table);
  const auto told = Tell(language, options.max_conflicts);
  std::vector<constraint::GrammarNote> notes;
  (void)constraint::ReadGrammar(*text, options.path, &notes);
  if (invocation.json()) {
    invocation.PrintJson({{"path", options.path},
                          {"valid", true},
                          {"terminals", grammar.terminals.size()},
                          {"columns", grammar.lr_terminals.size()},
                          {"nonterminals", grammar.nonterminals.size()},
                          {"rules", grammar.rules.size()},
                          {"lr_states", language.table.state_count()},
                          {"lr_states_split_off", copies},
                          {"lexer_states", language.lexer.state_count()},
                          {"conflicts", conflicts},
                          {"examples", ToJson(told)},
                          {"notes", ToJson(notes)},
                          {"compile_ms", took.count()},
                          {"from_cache", cached->from_disk}});
    return kExitDone;
  }
  invocation.Print(
      fmt::format("{}: {} terminals ({} columns), {} rules of {} nonterminals\n"
                  "{} LR states{}, {} lexer states, {} conflict{}; {} in {:.1f} ms\n",
                  options.path, grammar.terminals.size(), grammar.lr_terminals.size(),
                  grammar.rules.size(), grammar.nonterminals.size(), language.table.state_count(),
                  copies > 0 ? fmt::format(" ({} split off for LR(1))", copies) : "",
                  language.lexer.state_count(), conflicts, conflicts == 1 ? "" : "s",
                  cached->from_disk ? "read from the cache" : "compiled", took.count()));
  for (const constraint::GrammarNote& note : notes)
    invocation.Print(
        fmt::format("{}:{}:{}: {}\n", options.path, note.line, note.column, note.message));
  PrintConflicts(invocation, told);
  if (told.size() < conflicts) {
    invocation.Print(fmt::format("{} more conflicts: --max-conflicts {} shows all\n",
                                 conflicts - told.size(), conflicts));
  }
  return kExitDone;
}

}  // namespace tenon::server
