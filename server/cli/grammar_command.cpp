#include "server/cli/grammar_command.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/cli/cut.h"
#include "server/cli/stage_dump.h"
#include "tenon/language.h"
#include "tenon/middle_grammar.h"

namespace tenon::server {
namespace {

using nlohmann::json;

json ToJson(const std::vector<GrammarNote>& notes) {
  json list = json::array();
  for (const GrammarNote& note : notes)
    list.push_back({{"path", note.path},
                    {"line", note.line},
                    {"column", note.column},
                    {"message", note.message}});
  return list;
}

json ToJson(const std::vector<Conflict>& conflicts) {
  json list = json::array();
  for (const Conflict& conflict : conflicts) {
    json readings = json::array();
    for (const auto& reading : conflict.readings)
      readings.push_back({{"after", reading.after}, {"item", reading.item}});
    list.push_back({{"next", conflict.next}, {"readings", std::move(readings)}});
  }
  return list;
}

void PrintConflicts(const Invocation& invocation, const std::vector<Conflict>& conflicts) {
  for (const Conflict& conflict : conflicts) {
    std::string before;
    for (const auto& reading : conflict.readings) {
      if (reading.after != before)
        invocation.Print(
            fmt::format("conflict: after {}, with {} next\n", reading.after, conflict.next));
      before = reading.after;
      invocation.Print(fmt::format("  {}\n", reading.item));
    }
  }
}

// Tells the fault of the grammar, and its place.
int Refuse(const Invocation& invocation, const Error& error) {
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
                  const Language& language) {
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
      PrintMiddleGrammar(language, contexts->left, contexts->right,
                         options.format == "gbnf" ? GrammarFormat::kGbnf : GrammarFormat::kLark,
                         options.emit ? Strength::kEmit : Strength::kAccept,
                         fmt::format("{}, bytes {}", options.file, options.at));
  if (!grammar)
    return invocation.Fail(
        fmt::format("{} at {}: {}", options.file, options.at, grammar.error().message));
  if (grammar->rules == 0)
    return invocation.Fail(
        fmt::format("{} at {}: not viable, no text closes this gap", options.file, options.at));
  if (!invocation.json()) {
    invocation.Print(grammar->text);
    return kExitDone;
  }
  invocation.PrintJson({{"path", options.path},
                        {"format", options.format},
                        {"terminals", grammar->terminals},
                        {"nonterminals", grammar->nonterminals},
                        {"rules", grammar->rules},
                        {"grammar", grammar->text}});
  return kExitDone;
}

}  // namespace

int RunGrammar(const Invocation& invocation, const GrammarOptions& options) {
  auto text = ReadFile(options.path);
  if (!text) return invocation.Fail(text.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto language = Language::Compile(*text, options.path, invocation.cache());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (!language) return Refuse(invocation, language.error());
  if (options.quotient) return PrintQuotient(invocation, options, *language);
  if (!options.dump.empty()) return DumpGrammarStage(invocation, options, *language);
  const LanguageCounts counts = language->counts();
  const std::vector<Conflict> told = language->Conflicts(options.max_conflicts);
  const auto notes = Language::NotesOn(*text, options.path).value_or(std::vector<GrammarNote>{});
  if (invocation.json()) {
    invocation.PrintJson({{"path", options.path},
                          {"valid", true},
                          {"terminals", counts.terminals},
                          {"lr_terminals", counts.lr_terminals},
                          {"nonterminals", counts.nonterminals},
                          {"rules", counts.rules},
                          {"lr_states", counts.parser_states},
                          {"lr_states_split_off", counts.parser_states_split_off},
                          {"lexer_states", counts.lexer_states},
                          {"conflicts", counts.conflicts},
                          {"examples", ToJson(told)},
                          {"notes", ToJson(notes)},
                          {"compile_ms", took.count()},
                          {"from_cache", language->from_cache()}});
    return kExitDone;
  }
  invocation.Print(
      fmt::format("{}: {} terminals ({} LR terminals), {} rules of {} nonterminals\n"
                  "{} LR states{}, {} lexer states, {} conflict{}; {} in {:.1f} ms\n",
                  options.path, counts.terminals, counts.lr_terminals, counts.rules,
                  counts.nonterminals, counts.parser_states,
                  counts.parser_states_split_off > 0
                      ? fmt::format(" ({} split off for LR(1))", counts.parser_states_split_off)
                      : "",
                  counts.lexer_states, counts.conflicts, counts.conflicts == 1 ? "" : "s",
                  language->from_cache() ? "read from the cache" : "compiled", took.count()));
  for (const GrammarNote& note : notes)
    invocation.Print(
        fmt::format("{}:{}:{}: {}\n", note.path, note.line, note.column, note.message));
  PrintConflicts(invocation, told);
  if (told.size() < counts.conflicts) {
    invocation.Print(fmt::format("{} more conflicts: --max-conflicts {} shows all\n",
                                 counts.conflicts - told.size(), counts.conflicts));
  }
  return kExitDone;
}

}  // namespace tenon::server
