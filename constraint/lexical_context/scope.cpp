#include "constraint/lexical_context/scope.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "constraint/lexical_context/layout.h"

namespace tenon::constraint {

namespace {

constexpr std::array<const char*, 5> kNames{"free", "block", "statement", "line", "argument"};

}  // namespace

const char* ToString(Scope scope) { return kNames[static_cast<size_t>(scope)]; }

ScopeRules::ScopeRules(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout)
    : nestings_(lexer.lexeme_count()), lines_(layout.active()), columns_(layout.has_columns()) {
  for (uint16_t id = 0; id < lexer.lexeme_count(); ++id) {
    const Lexeme& lexeme = lexer.lexeme(LexemeId{id});
    Nesting& nesting = nestings_[id];
    nesting.is_newline = lexeme.is_newline;
    nesting.bracket = static_cast<int8_t>(lexeme.bracket);
    for (TerminalId terminal : lexeme.terminals) {
      const Terminal& of = grammar.terminals[terminal.value];
      if (!of.literal && of.action.kind == ModeAction::Kind::kNone) continue;
      const std::string& spelling = lexer.Spelling(terminal);
      if (spelling == "(" || spelling == "[" || spelling == "{") nesting.bracket = 1;
      if (spelling == ")" || spelling == "]" || spelling == "}") nesting.bracket = -1;
      if (spelling == "{" || spelling == "}") nesting.brace = nesting.bracket;
      // `${`, whose partner is the brace `}`
      if (of.action.kind == ModeAction::Kind::kPush && spelling.ends_with('{')) nesting.brace = 1;
    }
    const std::vector<SymbolId>& ends = layout.line_ends().terminators(false);
    const auto ends_statement = [&](SymbolId lr_terminal) {
      return std::find(ends.begin(), ends.end(), lr_terminal) != ends.end();
    };
    const auto any = [&](const std::vector<SymbolId>& lr_terminals) {
      return std::any_of(lr_terminals.begin(), lr_terminals.end(), ends_statement);
    };
    nesting.ends_statement = any(lexeme.given_terminals);
    for (const std::vector<LexemeTerminals>& parts : lexeme.splits) {
      for (const LexemeTerminals& part : parts) nesting.ends_statement |= any(part.given);
    }
  }
}

ScopeState ScopeRules::Begin(Scope scope, const LayoutState& at, LexemeId in_progress,
                             const IndentArena& indents) const {
  ScopeState state;
  if (scope == Scope::kFree) return state;
  state.scope = scope;
  int depth = static_cast<int>(at.depth) +
              (in_progress == kNoLexeme ? 0 : nestings_[in_progress.value].bracket);
  if (scope == Scope::kArgument && lines_ && depth <= 0) state.scope = Scope::kLine;
  bool new_line = in_progress != kNoLexeme && nestings_[in_progress.value].is_newline;
  if (columns_ && at.depth == 0 && (at.line_begin || new_line)) {
    uint16_t column = new_line ? uint16_t{0} : at.column;
    for (IndentId id = at.indents; indents.top(id).column > column; id = indents.top(id).below)
      ++state.closable;
  }
  return state;
}

// False: it closes a bracket or block that was open at the cursor and must stay open.
bool ScopeRules::CountBrackets(const Nesting& nesting, ScopeState& state) const {
  if (nesting.bracket > 0) ++state.brackets;
  if (nesting.brace > 0 && state.owed_braces > 0)
    --state.owed_braces;
  else if (nesting.brace > 0)
    ++state.braces;
  if (nesting.bracket < 0) {
    if (state.brackets > 0)
      --state.brackets;
    else if (state.scope == Scope::kArgument)
      return false;
  }
  if (nesting.brace < 0) {
    if (state.braces > 0)
      --state.braces;
    else if (!columns_ && state.scope == Scope::kStatement)
      return false;
    else if (!columns_ && state.scope == Scope::kBlock) {
      if (state.line_ended) return false;
      ++state.owed_braces;
    }
  }
  return true;
}

bool ScopeRules::Written(LexemeId lexeme, std::span<const LayoutEvent> events,
                         ScopeState& state) const {
  const Nesting& nesting = nestings_[lexeme.value];
  for (const LayoutEvent& event : events) {
    bool outermost = state.blocks == 0 && state.braces == 0 && state.brackets == 0;
    switch (event.kind) {
      case LayoutEvent::Kind::kIndent:
        ++state.blocks;
        break;
      case LayoutEvent::Kind::kDedent:
        if (state.blocks + state.closable == 0) return false;
        --(state.blocks > 0 ? state.blocks : state.closable);
        break;
      case LayoutEvent::Kind::kNewline:
      case LayoutEvent::Kind::kTerminator:
        if (state.scope == Scope::kLine || (outermost && state.scope == Scope::kArgument))
          return false;
        state.line_ended |= outermost && state.scope == Scope::kStatement;
        break;
      case LayoutEvent::Kind::kLexeme:
        if (state.scope == Scope::kStatement && state.line_ended && outermost) return false;
        state.closable = 0;
        if (!CountBrackets(nesting, state)) return false;
        state.line_ended |= outermost && nesting.ends_statement && state.scope == Scope::kStatement;
        break;
    }
  }
  return true;
}

}  // namespace tenon::constraint
