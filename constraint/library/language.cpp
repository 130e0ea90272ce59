#include "tenon/language.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "constraint/grammar_file/reader.h"
#include "constraint/library/internals.h"
#include "constraint/lr/lr.h"
#include "constraint/reading/reading.h"

namespace tenon {

namespace {

Error ErrorOf(constraint::GrammarError error) {
  return {std::move(error.path), error.line, error.column, std::move(error.message)};
}

constraint::Strength StrengthOf(Strength strength) {
  return strength == Strength::kEmit ? constraint::Strength::kEmit : constraint::Strength::kAccept;
}

TextCheck TextCheckOf(constraint::CheckResult result) {
  return {result.valid, result.offset_bytes, std::move(result.message)};
}

}  // namespace

constraint::PredicateBits BitsOf(const constraint::Language& language, Level level) {
  const std::vector<constraint::PredicateId>& levels = language.grammar.levels;
  constraint::PredicateBits bits = 0;
  for (size_t i = 0; i < std::min<size_t>(level.included, levels.size()); ++i)
    bits |= constraint::PredicateBits{1} << levels[i].value;
  return bits;
}

Result<Language> Language::Compile(std::string_view grammar, std::string path, const Cache& cache) {
  auto compiled = Internals::Of(cache).Compile(grammar, std::move(path));
  if (!compiled) return tl::unexpected(ErrorOf(std::move(compiled.error())));
  return Internals::Wrap(std::move(compiled->value), compiled->from_disk);
}

Result<Language> Language::FromFile(const std::filesystem::path& path, const Cache& cache) {
  const auto grammar = constraint::ReadSourceText(path);
  if (!grammar) return tl::unexpected(Error{path.string(), 0, 0, grammar.error()});
  return Compile(*grammar, path.string(), cache);
}

Result<Language> Language::FromRegex(std::string_view pattern) {
  auto compiled = constraint::Language::FromRegex(pattern);
  if (!compiled) return tl::unexpected(ErrorOf(std::move(compiled.error())));
  return Internals::Wrap(*std::move(compiled), false);
}

TextCheck Language::Check(std::string_view text, Strength strength, Level level) const {
  return TextCheckOf(
      constraint::Check(*compiled_, text, StrengthOf(strength), BitsOf(*compiled_, level)));
}

FileCheck Language::CheckFile(std::string bytes, Strength strength, Level level) const {
  constraint::FileCheck checked = constraint::CheckFile(
      *compiled_, std::move(bytes), StrengthOf(strength), BitsOf(*compiled_, level));
  return {TextCheckOf(std::move(checked.result)), std::move(checked.text)};
}

bool Language::is_expression() const { return compiled_->grammar.one_lexeme; }

std::vector<std::string> Language::levels() const {
  const constraint::Grammar& grammar = compiled_->grammar;
  std::vector<std::string> names;
  for (const constraint::PredicateId level : grammar.levels)
    names.push_back(grammar.predicates[level.value]);
  return names;
}

Result<Level> Language::FindLevel(std::string_view name) const {
  if (name.empty()) return Level{};
  const std::vector<std::string> names = levels();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return Level{static_cast<uint32_t>(found - names.begin() + 1)};
  std::string message = "there is no level '" + std::string(name) + "'; ";
  if (names.empty()) message += "the grammar has no levels: leave the name empty";
  for (size_t i = 0; i < names.size(); ++i) message += (i == 0 ? "name one of " : ", ") + names[i];
  return tl::unexpected(Error{compiled_->grammar.path, 0, 0, std::move(message)});
}

std::vector<RegionRule> Language::regions() const {
  std::vector<RegionRule> rules;
  for (const constraint::Region& region : compiled_->grammar.regions)
    rules.push_back(
        {region.node, region.parents, region.token, region.before, region.after, region.filler});
  return rules;
}

LanguageCounts Language::counts() const {
  const constraint::Grammar& grammar = compiled_->grammar;
  LanguageCounts counts;
  counts.terminals = grammar.terminals.size();
  counts.lr_terminals = grammar.lr_terminals.size();
  counts.nonterminals = grammar.nonterminals.size();
  counts.rules = grammar.rules.size();
  counts.parser_states = compiled_->table.state_count();
  counts.parser_states_split_off = constraint::CountCopies(compiled_->table);
  counts.lexer_states = compiled_->lexer.state_count();
  counts.conflicts = compiled_->table.conflicts().size();
  return counts;
}

std::vector<Conflict> Language::Conflicts(size_t most) const {
  const constraint::Grammar& grammar = compiled_->grammar;
  const constraint::LrTable& table = compiled_->table;
  std::vector<Conflict> told;
  if (table.conflicts().empty()) return told;
  const constraint::ConflictExplainer explainer(grammar, table);
  for (const constraint::LrConflict& conflict : table.conflicts()) {
    if (told.size() == most) break;
    Conflict& one = told.emplace_back();
    one.next = conflict.terminal == table.end_terminal() ? "the end"
                                                         : grammar.SymbolName(conflict.terminal);
    for (const constraint::ConflictReading& reading : explainer.Readings(conflict)) {
      one.readings.push_back({constraint::TerminalsText(grammar, reading.before),
                              constraint::ItemText(grammar, reading.item)});
    }
  }
  return told;
}

Result<std::vector<GrammarNote>> Language::NotesOn(std::string_view grammar, std::string path) {
  std::vector<constraint::GrammarNote> notes;
  auto read = constraint::ReadGrammar(grammar, std::move(path), &notes);
  if (!read) return tl::unexpected(ErrorOf(std::move(read.error())));
  std::vector<GrammarNote> told;
  for (constraint::GrammarNote& note : notes)
    told.push_back({std::move(note.path), note.line, note.column, std::move(note.message)});
  return told;
}

}  // namespace tenon
