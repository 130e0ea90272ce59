#include "server/cli/grammar_command.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/cache/cache.h"
#include "constraint/language/language.h"
#include "constraint/quotient/quotient.h"
#include "constraint/grammar_file/reader.h"
#include "constraint/lr/lr.h"
#include "server/cli/gap_command.h"

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

std::vector<ToldConflict> Tell(const constraint::Language& language, size_t most) {
  std::vector<ToldConflict> told;
  if (language.table.conflicts().empty()) return told;
  const constraint::ConflictExplainer explainer(language.grammar, language.table);
  for (const constraint::LrConflict& conflict : language.table.conflicts()) {
    if (told.size() == most) break;
    ToldConflict& one = told.emplace_back();
    one.next = conflict.column == language.table.end_column() ? std::string("the end")
                                                              : language.grammar.SymbolName(conflict.column);
    for (const constraint::ConflictReading& reading : explainer.Readings(conflict)) {
      one.readings.push_back({constraint::ColumnsText(language.grammar, reading.before),
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

void PrintConflicts(const Session& session, const std::vector<ToldConflict>& conflicts) {
  for (const ToldConflict& conflict : conflicts) {
    std::string before;
    for (const auto& reading : conflict.readings) {
      if (reading.before != before)
        session.Print(fmt::format("conflict: after {}, with {} next\n", reading.before, conflict.next));
      before = reading.before;
      session.Print(fmt::format("  {}\n", reading.item));
    }
  }
}

// What is wrong with the grammar, and where.
int Refuse(const Session& session, const constraint::GrammarError& error) {
  if (!session.json()) return session.Fail(error.ToString());
  json line = {
      {"path", error.path}, {"valid", false}, {"line", nullptr}, {"column", nullptr}, {"message", error.message}};
  if (error.line > 0) {
    line["line"] = error.line;
    line["column"] = error.column;
  }
  session.PrintJson(line);
  return kFailed;
}

int PrintQuotient(const Session& session, const GrammarOptions& options,
                  const std::shared_ptr<const constraint::Language>& language) {
  if (options.file.empty() || options.at.empty())
    return session.Fail("grammar --quotient needs --file FILE and --at A[-B]", kWrongUsage);
  const auto cut = CutFrom(std::string_view(options.at));
  if (!cut) return session.Fail(fmt::format("--at {}: must be A or A-B, byte offsets", options.at), kWrongUsage);
  auto text = ReadFile(options.file);
  if (!text) return session.Fail(text.error());
  if (cut->begin > cut->end || cut->end > text->size()) {
    return session.Fail(
        fmt::format("{}-{} is no stretch of this text of {} bytes", cut->begin, cut->end, text->size()));
  }
  const std::string_view whole = *text;
  const auto grammar =
      constraint::QuotientGrammar(language, whole.substr(0, cut->begin), whole.substr(cut->end), options.emit);
  if (!grammar) return session.Fail(fmt::format("{} at {}: {}", options.file, options.at, grammar.error()));
  if (grammar->nonterminals[0].bodies.empty())
    return session.Fail(fmt::format("{} at {}: not viable, no text closes this gap", options.file, options.at));
  const auto format = options.format == "gbnf" ? constraint::MiddleFormat::kGbnf : constraint::MiddleFormat::kLark;
  const std::string printed =
      constraint::Print(*grammar, format, fmt::format("{}, bytes {}", options.file, options.at));
  if (!session.json()) {
    session.Print(printed);
    return kDone;
  }
  size_t rules = 0;
  for (const auto& nonterminal : grammar->nonterminals) rules += nonterminal.bodies.size();
  session.PrintJson({{"path", options.path},
                     {"format", options.format},
                     {"terminals", grammar->terminals.size()},
                     {"nonterminals", grammar->nonterminals.size()},
                     {"rules", rules},
                     {"grammar", printed}});
  return kDone;
}

}  // namespace

int RunGrammar(const Session& session, const GrammarOptions& options) {
  auto text = ReadFile(options.path);
  if (!text) return session.Fail(text.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto cached = session.Cache()->Compile(*text, options.path);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (!cached) return Refuse(session, cached.error());
  if (options.quotient) return PrintQuotient(session, options, cached->value);
  const constraint::Language& language = *cached->value;
  const constraint::Grammar& grammar = language.grammar;
  const size_t conflicts = language.table.conflicts().size(), copies = constraint::CountCopies(language.table);
  const auto told = Tell(language, options.max_conflicts);
  std::vector<constraint::GrammarNote> notes;
  (void)constraint::ReadGrammar(*text, options.path, &notes);
  if (session.json()) {
    session.PrintJson({{"path", options.path},
                       {"valid", true},
                       {"terminals", grammar.terminals.size()},
                       {"columns", grammar.columns.size()},
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
    return kDone;
  }
  session.Print(fmt::format(
      "{}: {} terminals ({} columns), {} rules of {} nonterminals\n"
      "{} LR states{}, {} lexer states, {} conflict{}; {} in {:.1f} ms\n",
      options.path, grammar.terminals.size(), grammar.columns.size(), grammar.rules.size(), grammar.nonterminals.size(),
      language.table.state_count(), copies > 0 ? fmt::format(" ({} split off for LR(1))", copies) : "",
      language.lexer.state_count(), conflicts, conflicts == 1 ? "" : "s",
      cached->from_disk ? "read from the cache" : "compiled", took.count()));
  for (const constraint::GrammarNote& note : notes)
    session.Print(fmt::format("{}:{}:{}: {}\n", options.path, note.line, note.column, note.message));
  PrintConflicts(session, told);
  if (told.size() < conflicts) {
    session.Print(fmt::format("{} more conflicts: --max-conflicts {} shows all\n", conflicts - told.size(), conflicts));
  }
  return kDone;
}

}  // namespace tenon::server
