#include "constraint/reading/expected.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::constraint {

namespace {

constexpr size_t kMaxListed = 4;
// Closers and separators, in the order in which they are named.
constexpr std::array<std::string_view, 9> kSeparators{")", "]", "}", ",", ";", ":", "=", ".", "->"};

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The rank of a terminal in a list of words. `literal`: its text, if it is a literal.
size_t Rank(std::string_view literal, std::string_view words) {
  constexpr size_t kAfterSeparators = 2 + kSeparators.size();
  const auto separator = std::find(kSeparators.begin(), kSeparators.end(), literal);
  if (separator != kSeparators.end())
    return 2 + static_cast<size_t>(separator - kSeparators.begin());
  if (words.size() < 2 || words[0] != '\'') return literal.empty() ? 1 : kAfterSeparators;
  if (IsLetter(words[1])) return kAfterSeparators + 3;
  return literal == "(" || literal == "[" || literal == "{" ? kAfterSeparators + 1
                                                            : kAfterSeparators + 2;
}

bool Closes(const Language& language, TerminalId terminal) {
  if (language.grammar.terminals[terminal.value].action.kind == ModeAction::Kind::kPop) return true;
  if (!language.grammar.layout) return false;
  const auto& brackets = language.grammar.layout->brackets;
  return std::any_of(brackets.begin(), brackets.end(),
                     [&](const auto& pair) { return pair.second == terminal; });
}

}  // namespace

Expected::Expected(const Language& language, BranchMover& mover, const std::vector<Between>& at,
                   bool emit)
    : language_(language), fits_(language.grammar.terminals.size()) {
  const Grammar& grammar = language.grammar;
  const bool lines = language.layout.active();
  const auto shifts = [&](const Between& b, SymbolId lr_terminal) {
    const std::span<const NodeId> tops = mover.stacks().Shift(b.top, lr_terminal);
    return std::any_of(tops.begin(), tops.end(),
                       [&](NodeId top) { return mover.Holds(lr_terminal, top, b.context, emit); });
  };
  for (const Between& begin : at) {
    // Inside a line the message names the end of the line, not that of the file.
    const bool line_open =
        (lines && !begin.context.layout.line_begin) || begin.context.line_ends.ends_phrase;
    end_ = end_ || (!line_open && mover.AcceptsEnd(begin));
    if (language.layout.has_columns() && begin.context.layout.line_begin)
      indent_ = indent_ || shifts(begin, language.layout.indent_terminal());
    if (lines && !begin.context.layout.line_begin && begin.context.layout.depth == 0 &&
        shifts(begin, language.layout.newline_terminal()))
      fits_[grammar.layout->newline.value] = true;
    for (const Between& b : mover.AfterBlocks(begin)) {
      for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
        const LrTerminal& lr_terminal = grammar.lr_terminals[c];
        const Terminal& terminal = grammar.terminals[lr_terminal.terminal.value];
        if (fits_[lr_terminal.terminal.value] || lr_terminal.reads_as) continue;
        if (emit && (lr_terminal.predicate == kGivenPredicate || !terminal.emitted)) continue;
        if (language.layout.line_ends().IsInserted(SymbolId{c})) continue;
        if (lines && (terminal.kind == TerminalKind::kDeclared ||
                      grammar.layout->newline == lr_terminal.terminal))
          continue;
        if (b.context.layout.depth == 0 && Closes(language, lr_terminal.terminal)) continue;
        if (!language.layout.line_ends().Allows(SymbolId{c}, b.context.line_ends.seen)) continue;
        fits_[lr_terminal.terminal.value] = shifts(b, SymbolId{c});
      }
    }
  }
}

std::string DescribeTerminal(const Language& language, TerminalId id) {
  const Terminal& terminal = language.grammar.terminals[id.value];
  if (!terminal.description.empty()) return terminal.description;
  const std::string& spelling = language.lexer.Spelling(id);
  if (terminal.literal && !spelling.empty()) return fmt::format("'{}'", spelling);
  std::string words = terminal.name;
  for (char& c : words)
    c = c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return Indefinite(words);
}

std::string Indefinite(const std::string& words) {
  return fmt::format(
      "{} {}", std::string_view("aeiou").find(words[0]) == std::string_view::npos ? "a" : "an",
      words);
}

std::string Definite(const std::string& words) {
  if (words.starts_with("a ")) return "the " + words.substr(2);
  if (words.starts_with("an ")) return "the " + words.substr(3);
  return words;
}

std::vector<std::string> Expected::Words(std::string_view closer) const {
  std::vector<std::pair<size_t, std::string>> ranked, odd;  // odd: terminals that are never emitted
  for (uint16_t t = 0; t < fits_.size(); ++t) {
    if (!fits_[t]) continue;
    const Terminal& terminal = language_.grammar.terminals[t];
    std::string words = DescribeTerminal(language_, TerminalId{t});
    const std::string& spelling = language_.lexer.Spelling(TerminalId{t});
    const size_t rank =
        !closer.empty() && spelling == closer ? 0 : Rank(terminal.literal ? spelling : "", words);
    (terminal.emitted ? ranked : odd).emplace_back(rank, std::move(words));
  }
  if (ranked.empty()) ranked = std::move(odd);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> words;
  for (auto& [rank, word] : ranked) {
    if (std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(std::move(word));
  }
  if (end_) words.push_back("the end of the file");
  return words;
}

std::string JoinAlternatives(const std::vector<std::string>& words) {
  if (words.size() == 1) return words[0];
  if (words.size() > kMaxListed + 1) {
    return fmt::format("{} or {} others",
                       fmt::join(words.begin(), words.begin() + kMaxListed, ", "),
                       words.size() - kMaxListed);
  }
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

}  // namespace tenon::constraint
