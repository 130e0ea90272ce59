#include "server/cli/grammar_command.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/gap/language.h"
#include "constraint/lr/conflict_example.h"

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

}  // namespace

int RunGrammar(const Session& session, const GrammarOptions& options) {
  auto text = ReadFile(options.path);
  if (!text) return session.Fail(text.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto compiled = constraint::Language::Compile(*text, options.path);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (!compiled) return Refuse(session, compiled.error());
  const constraint::Language& language = **compiled;
  const constraint::Grammar& grammar = language.grammar;
  const size_t conflicts = language.table.conflicts().size();
  const auto told = Tell(language, options.max_conflicts);
  if (session.json()) {
    session.PrintJson({{"path", options.path},
                       {"valid", true},
                       {"terminals", grammar.terminals.size()},
                       {"columns", grammar.columns.size()},
                       {"nonterminals", grammar.nonterminals.size()},
                       {"rules", grammar.rules.size()},
                       {"lr_states", language.table.state_count()},
                       {"lexer_states", language.lexer.state_count()},
                       {"conflicts", conflicts},
                       {"examples", ToJson(told)},
                       {"compile_ms", took.count()}});
    return kDone;
  }
  session.Print(fmt::format(
      "{}: {} terminals ({} columns), {} rules of {} nonterminals\n"
      "{} LR states, {} lexer states, {} conflict{}; compiled in {:.1f} ms\n",
      options.path, grammar.terminals.size(), grammar.columns.size(), grammar.rules.size(), grammar.nonterminals.size(),
      language.table.state_count(), language.lexer.state_count(), conflicts, conflicts == 1 ? "" : "s", took.count()));
  PrintConflicts(session, told);
  if (told.size() < conflicts) {
    session.Print(fmt::format("{} more conflicts: --max-conflicts {} shows all\n", conflicts - told.size(), conflicts));
  }
  return kDone;
}

}  // namespace tenon::server
