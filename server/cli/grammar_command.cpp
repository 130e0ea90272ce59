#include "server/cli/grammar_command.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/cli/cut_file.h"
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
  const auto file = ReadCutFile(options.file, options.at);
  if (!file) return invocation.Fail(file.error());
  const Contexts contexts = file->contexts();
  const auto grammar =
      PrintMiddleGrammar(language, contexts.left, contexts.right,
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

// What the engine made of a grammar.
struct GrammarReport {
  LanguageCounts counts;
  std::vector<Conflict> conflicts;  // as many as are told with an example
  std::vector<GrammarNote> notes;
  double compile_ms = 0;
  bool from_cache = false;
};

json ToJson(const std::string& path, const GrammarReport& report) {
  const LanguageCounts& counts = report.counts;
  return {{"path", path},
          {"valid", true},
          {"terminals", counts.terminals},
          {"lr_terminals", counts.lr_terminals},
          {"nonterminals", counts.nonterminals},
          {"rules", counts.rules},
          {"lr_states", counts.parser_states},
          {"lr_states_split_off", counts.parser_states_split_off},
          {"lexer_states", counts.lexer_states},
          {"conflicts", counts.conflicts},
          {"examples", ToJson(report.conflicts)},
          {"notes", ToJson(report.notes)},
          {"compile_ms", report.compile_ms},
          {"from_cache", report.from_cache}};
}

void PrintReport(const Invocation& invocation, const std::string& path,
                 const GrammarReport& report) {
  const LanguageCounts& counts = report.counts;
  const std::string split_off =
      counts.parser_states_split_off == 0
          ? ""
          : fmt::format(" ({} split off for LR(1))", counts.parser_states_split_off);
  invocation.Print(
      fmt::format("{}: {} terminals ({} LR terminals), {} rules of {} nonterminals\n"
                  "{} LR states{}, {} lexer states, {} conflict{}; {} in {:.1f} ms\n",
                  path, counts.terminals, counts.lr_terminals, counts.rules, counts.nonterminals,
                  counts.parser_states, split_off, counts.lexer_states, counts.conflicts,
                  counts.conflicts == 1 ? "" : "s",
                  report.from_cache ? "read from the cache" : "compiled", report.compile_ms));
  for (const GrammarNote& note : report.notes)
    invocation.Print(
        fmt::format("{}:{}:{}: {}\n", note.path, note.line, note.column, note.message));
  PrintConflicts(invocation, report.conflicts);
  if (report.conflicts.size() < counts.conflicts) {
    invocation.Print(fmt::format("{} more conflicts: --max-conflicts {} shows all\n",
                                 counts.conflicts - report.conflicts.size(), counts.conflicts));
  }
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
  const GrammarReport report{
      .counts = language->counts(),
      .conflicts = language->Conflicts(options.max_conflicts),
      .notes = Language::NotesOn(*text, options.path).value_or(std::vector<GrammarNote>{}),
      .compile_ms = took.count(),
      .from_cache = language->from_cache()};
  if (invocation.json())
    invocation.PrintJson(ToJson(options.path, report));
  else
    PrintReport(invocation, options.path, report);
  return kExitDone;
}

}  // namespace tenon::server
