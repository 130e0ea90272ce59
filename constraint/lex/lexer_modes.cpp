#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/lex/lexer.h"

namespace tenon::constraint {

namespace {

// Terminals that match the same text have to do the same to the modes, since the lexer acts before
// the parser decides which of them it was.
std::optional<GrammarError> FindConflict(const Grammar& grammar, std::span<const Lexeme> lexemes) {
  for (const Lexeme& lexeme : lexemes) {
    for (TerminalId t : lexeme.terminals) {
      if (grammar.terminals[t.value].action == lexeme.action) continue;
      return GrammarError{
          GrammarErrorCode::kMechanism, grammar.path, 0, 0,
          fmt::format("{} and {} match the same text, but one of them changes the mode",
                      grammar.terminals[lexeme.terminals[0].value].name,
                      grammar.terminals[t.value].name)};
    }
  }
  return std::nullopt;
}

// Has the mode a terminal that is read apart?
bool HasApart(const Grammar& grammar, const Mode& mode) {
  const auto in_mode = [&](TerminalId t) {
    return std::binary_search(mode.terminals.begin(), mode.terminals.end(), t);
  };
  return std::any_of(grammar.apart.begin(), grammar.apart.end(), [&](const Apart& line) {
    return std::any_of(line.terminals.begin(), line.terminals.end(), in_mode);
  });
}

// Adds `mode` to every state that a lexeme can be in which begins in one of `starts`.
void AddModeFrom(std::vector<DfaStateId> starts, ModeMask mode, const Dfa& dfa,
                 std::vector<ModeMask>& modes_of) {
  for (DfaStateId start : starts) modes_of[start.value] |= mode;
  std::vector<DfaStateId> work = std::move(starts);
  while (!work.empty()) {
    const DfaStateId q = work.back();
    work.pop_back();
    for (int b = 0; b < 256; ++b) {
      const DfaStateId to = dfa.Next(q, static_cast<uint8_t>(b));
      if (to == kDeadState || (modes_of[to.value] & mode)) continue;
      modes_of[to.value] |= mode;
      work.push_back(to);
    }
  }
}

// [lexeme] the modes that it may be read in.
std::vector<ModeMask> ModesOfLexemes(size_t lexemes, std::span<const LexemeId> lexeme_at,
                                     std::span<const ModeMask> modes_of) {
  std::vector<ModeMask> read_in(lexemes);
  for (size_t q = 0; q < lexeme_at.size(); ++q) {
    if (lexeme_at[q] != kNoLexeme) read_in[lexeme_at[q].value] |= modes_of[q];
  }
  return read_in;
}

// [mode] the modes that may lie directly below it: a push puts its mode on the one that the lexeme
// was read in, a switch keeps what is below that one.
std::vector<ModeMask> FindBelow(size_t modes, std::span<const Lexeme> lexemes,
                                std::span<const ModeMask> read_in) {
  std::vector<ModeMask> below(modes, 0);
  for (bool changed = true; changed;) {
    const std::vector<ModeMask> before = below;
    for (size_t l = 0; l < lexemes.size(); ++l) {
      const ModeAction action = lexemes[l].action;
      ModeMask& under = below[action.mode.value];
      if (action.kind == ModeAction::Kind::kPush) under |= read_in[l];
      if (action.kind != ModeAction::Kind::kSwitch) continue;
      for (size_t m = 0; m < modes; ++m) {
        if (read_in[l] >> m & 1) under |= below[m];
      }
    }
    changed = before != below;
  }
  return below;
}

}  // namespace

tl::expected<void, GrammarError> Lexer::BuildModes(const Grammar& grammar) {
  const size_t modes = grammar.modes.size();
  modes_of_.assign(dfa_.size(), 1);
  below_.assign(1, 0);
  if (!grammar.apart.empty()) {
    apart_start_ = dfa_.StartOf(std::max<size_t>(modes, 1));
    hosts_apart_.assign(dfa_.size(), false);
  }
  if (modes == 0) {
    if (!reads_apart()) return {};
    hosts_apart_[kStartState.value] = true;
    distinct_starts_.push_back(apart_start_);
    return {};
  }
  if (auto conflict = FindConflict(grammar, lexemes_)) return tl::unexpected(std::move(*conflict));
  starts_.clear();
  modes_of_.assign(dfa_.size(), 0);
  is_start_.assign(dfa_.size(), false);
  for (uint8_t m = 0; m < modes; ++m) {
    const DfaStateId start = dfa_.StartOf(m);
    starts_.push_back(start);
    if (m > 0 && start != kStartState && !is_start_[start.value]) distinct_starts_.push_back(start);
    is_start_[start.value] = true;
    std::vector<DfaStateId> begins{start};
    if (HasApart(grammar, grammar.modes[m])) {
      hosts_apart_[start.value] = true;
      begins.push_back(apart_start_);
    }
    AddModeFrom(std::move(begins), MaskOf(ModeId{m}), dfa_, modes_of_);
  }
  if (reads_apart()) {
    is_start_[apart_start_.value] = true;
    distinct_starts_.push_back(apart_start_);
  }
  below_ = FindBelow(modes, lexemes_, ModesOfLexemes(lexemes_.size(), lexeme_at_, modes_of_));
  return {};
}

}  // namespace tenon::constraint
