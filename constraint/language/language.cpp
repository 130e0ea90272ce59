#include "constraint/language/language.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "constraint/automata/automata.h"
#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {

namespace {

// Does the end of a text add nothing after the last terminal of any sentence? Where lines count
// every sentence must end with a newline or a dedent; elsewhere with a terminal that no terminator
// follows.
bool IsOpenEnded(const Language& language) {
  const Grammar& grammar = language.grammar;
  const LayoutRules& layout = language.layout;
  std::vector<bool> last(grammar.symbol_count());
  std::vector<SymbolId> work{grammar.start};
  last[grammar.start.value] = true;
  while (!work.empty()) {
    SymbolId symbol = work.back();
    work.pop_back();
    if (grammar.IsLrTerminal(symbol)) {
      bool own = layout.active() && symbol == layout.newline_terminal();
      own = own || (layout.has_columns() && symbol == layout.dedent_terminal());
      if (layout.active() ? !own : layout.line_ends().EndsPhrase(symbol)) return false;
      continue;
    }
    for (RuleId rule : language.index->RulesOf(symbol)) {
      SymbolId end = grammar.rules[rule.value].body.back();
      if (!last[end.value]) work.push_back(end);
      last[end.value] = true;
    }
  }
  return true;
}

// May a refused name leave room for something else? For an inserted terminal, in a state that takes
// both; or for a lexeme whose rival the name is (`%apart`).
bool RefusedNamesMakeRoom(const Language& language) {
  const auto& terminals = language.grammar.lr_terminals;
  for (uint16_t l = 0; l < language.lexer.lexeme_count(); ++l) {
    const std::vector<SymbolId>& rivals = language.lexer.lexeme(LexemeId{l}).rival_terminals;
    if (std::any_of(rivals.begin(), rivals.end(),
                    [&](SymbolId rival) { return IsCondition(terminals[rival.value].name_use); }))
      return true;
  }
  const std::span<const SymbolId> inserted = language.layout.line_ends().inserted();
  if (inserted.empty()) return false;
  for (uint16_t t = 0; t < terminals.size(); ++t) {
    if (!IsCondition(terminals[t].name_use)) continue;
    for (uint16_t s = 0; s < language.table.state_count(); ++s) {
      const LrStateId state{s};
      if (!language.table.Actions(state, SymbolId{t}).empty() &&
          std::any_of(inserted.begin(), inserted.end(),
                      [&](SymbolId i) { return !language.table.Actions(state, i).empty(); }))
        return true;
    }
  }
  return false;
}

// The pattern without '^' and '$': a whole text is matched anyway.
std::string_view WithoutAnchors(std::string_view pattern) {
  if (pattern.substr(0, 1) == "^") pattern.remove_prefix(1);
  if (pattern.empty() || pattern.back() != '$') return pattern;
  size_t backslashes = 0;
  while (backslashes + 1 < pattern.size() && pattern[pattern.size() - 2 - backslashes] == '\\')
    ++backslashes;
  if (backslashes % 2 == 0) pattern.remove_suffix(1);
  return pattern;
}

}  // namespace

GrammarKey GrammarKey::Of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.low64, hash.high64};
}

GrammarKey GrammarKey::Of(std::string_view text, const std::string& path) {
  // Most grammars import nothing, and a cache that is hit has no other need of their lexemes.
  if (text.find("%import") == std::string_view::npos) return Of(text);
  ErrorSink errors(path);
  return Of(TextOfAll(ReadSources(text, path, errors)));
}

tl::expected<std::shared_ptr<const Language>, GrammarError> Language::Compile(std::string_view text,
                                                                              std::string path) {
  ErrorSink errors(path);
  const std::vector<GrammarSource> sources = ReadSources(text, std::move(path), errors);
  auto grammar = ReadGrammar(sources, errors);
  if (!grammar) return tl::unexpected(grammar.error());
  if (auto unused = LayoutRules::UnusedTerminal(*grammar)) {
    return tl::unexpected(GrammarError{GrammarErrorCode::kMechanism, grammar->path, 0, 0,
                                       "%layout makes " + grammar->terminals[unused->value].name +
                                           ", but no rule uses it without a predicate; use it in a "
                                           "rule or leave it out of %layout"});
  }
  return Assemble(std::move(*grammar), GrammarKey::Of(TextOfAll(sources)));
}

tl::expected<std::shared_ptr<const Language>, GrammarError> Language::FromRegex(
    std::string_view pattern) {
  const auto fail = [&](GrammarErrorCode code, size_t offset_bytes, std::string message) {
    return tl::unexpected(GrammarError{code, std::string(pattern), 1,
                                       static_cast<uint32_t>(offset_bytes + 1),
                                       std::move(message)});
  };
  std::string_view bare = WithoutAnchors(pattern);
  auto regex = ParseRegex(bare);
  if (!regex) {
    return fail(
        regex.error().unsupported ? GrammarErrorCode::kUnsupported : GrammarErrorCode::kSyntax,
        regex.error().offset_bytes + (bare.data() - pattern.data()), regex.error().message);
  }
  auto texts = WithoutEmpty(*regex);
  if (!texts)
    return fail(GrammarErrorCode::kUnproductive, 0,
                "the expression matches no text but perhaps the empty one");
  Grammar grammar;
  grammar.path = pattern;
  grammar.one_lexeme = true;
  grammar.start_nullable = MatchesEmpty(*regex);
  Terminal& text = grammar.terminals.emplace_back();
  text.name = "TEXT";
  text.pattern = RegexText(*texts, RegexStyle::kLark);
  text.description = "a text of the expression";
  grammar.predicates = {"given"};
  grammar.lr_terminals = {{TerminalId{0}, std::nullopt}};
  grammar.nonterminals = {"start"};
  grammar.changes = {{}};
  grammar.start = SymbolId{1};
  grammar.rules = {{grammar.start, {SymbolId{0}}}};
  return Assemble(std::move(grammar), GrammarKey());
}

tl::expected<std::shared_ptr<const Language>, GrammarError> Language::Assemble(Grammar grammar,
                                                                               GrammarKey key) {
  auto lexer = Lexer::Build(grammar);
  if (!lexer) return tl::unexpected(lexer.error());
  if (grammar.encoding) {
    const auto rules = EncodingRules::Build(*grammar.encoding);
    if (!rules)
      return tl::unexpected(GrammarError{GrammarErrorCode::kTooLarge, grammar.path, 0, 0,
                                         "%encoding: " + rules.error()});
  }
  auto table = LrTable::Build(grammar);
  if (!table) return tl::unexpected(table.error());
  auto language = Join(std::move(grammar), *std::move(lexer), *std::move(table), key);
  if (const auto conflict = language->lexeme_rules->Conflict()) {
    const std::vector<Terminal>& terminals = language->grammar.terminals;
    return tl::unexpected(GrammarError{GrammarErrorCode::kMechanism, language->grammar.path, 0, 0,
                                       fmt::format("lexemes of {} and {} begin alike and keep to "
                                                   "different lines ('%most', '%character_names')",
                                                   terminals[conflict->first.value].name,
                                                   terminals[conflict->second.value].name)});
  }
  return language;
}

std::shared_ptr<const Language> Language::Join(Grammar grammar, Lexer lexer, LrTable table,
                                               GrammarKey key,
                                               std::unique_ptr<const Insertions> insertions) {
  LayoutRules layout(grammar);
  auto made = std::make_shared<Language>(Language{.grammar = std::move(grammar),
                                                  .lexer = std::move(lexer),
                                                  .table = std::move(table),
                                                  .layout = layout,
                                                  .index = nullptr,
                                                  .yields = {},
                                                  .yields_over_seam = nullptr,
                                                  .futures = {},
                                                  .key = key});
  // The members below refer to the grammar at its final address.
  made->index = std::make_unique<const GrammarIndex>(made->grammar, made->table);
  made->scopes = std::make_unique<const ScopeRules>(made->grammar, made->lexer, made->layout);
  for (bool emit : {false, true}) {
    made->yields[emit] =
        std::make_unique<const Yields>(made->grammar, made->lexer, made->layout, emit, emit);
    made->futures[emit] = std::make_unique<const LexemeFutures>(made->lexer, emit);
  }
  made->yields_over_seam =
      std::make_unique<const Yields>(made->grammar, made->lexer, made->layout, true, false);
  made->insertions = std::move(insertions);
  if (made->grammar.insertion && !made->insertions)
    made->insertions =
        std::make_unique<const Insertions>(made->grammar, made->lexer, made->layout, made->table);
  if (made->grammar.encoding)
    made->encoding =
        std::make_unique<const EncodingRules>(*EncodingRules::Build(*made->grammar.encoding));
  made->lexeme_rules = std::make_unique<const LexemeRules>(made->grammar, made->lexer);
  if (!made->grammar.names.empty())
    made->names = std::make_unique<const NameRules>(made->grammar, made->lexer);
  made->refused_names_make_room = made->names && RefusedNamesMakeRoom(*made);
  made->reaches = std::make_unique<const LexemeReaches>(made->lexer);
  made->constructs = std::make_unique<const ConstructParsers>(*made->index);
  made->open_ended = IsOpenEnded(*made);
  return made;
}

}  // namespace tenon::constraint
