#include "tests/exactness/random_text.h"

#include <algorithm>

#include "tests/grammars/mode_follower.h"

namespace tenon::exactness {

using constraint::DfaStateId;
using constraint::Grammar;
using constraint::Rule;
using constraint::SymbolId;
using constraint::TerminalId;

namespace {

constexpr uint16_t kFar = 0xffff;
constexpr size_t kLongWalk = 10;  // bytes after which a random lexeme makes for its end

bool IsWritten(const Grammar& grammar, SymbolId lr_terminal) {
  const constraint::LrTerminal& c = grammar.lr_terminals[lr_terminal.value];
  return !c.predicate && grammar.terminals[c.terminal.value].emitted;
}

}  // namespace

Grammar WrittenPart(const Grammar& grammar) {
  Grammar part = grammar;
  std::vector<bool> productive(grammar.symbol_count()), reachable(grammar.symbol_count());
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c)
    productive[c] = IsWritten(grammar, {c});
  const auto whole = [&](const Rule& rule) {
    return std::all_of(rule.body.begin(), rule.body.end(),
                       [&](SymbolId s) { return productive[s.value]; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : grammar.rules) {
      if (productive[rule.head.value] || !whole(rule)) continue;
      productive[rule.head.value] = changed = true;
    }
  }
  reachable[grammar.start.value] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : grammar.rules) {
      if (!reachable[rule.head.value] || !whole(rule)) continue;
      for (SymbolId s : rule.body) {
        changed = changed || !reachable[s.value];
        reachable[s.value] = true;
      }
    }
  }
  std::erase_if(part.rules,
                [&](const Rule& rule) { return !reachable[rule.head.value] || !whole(rule); });
  return part;
}

std::string RuleText(const Grammar& grammar, uint32_t rule) {
  std::string text = grammar.SymbolName(grammar.rules[rule].head) + ":";
  for (SymbolId s : grammar.rules[rule].body) text += " " + grammar.SymbolName(s);
  return text;
}

bool TextRenderer::Ends(DfaStateId q, TerminalId terminal) const {
  const constraint::LexemeId id = language_.lexer.LexemeAt(q);
  if (id == constraint::kNoLexeme) return false;
  const auto& terminals = language_.lexer.lexeme(id).terminals;
  return std::find(terminals.begin(), terminals.end(), terminal) != terminals.end();
}

const std::vector<uint16_t>& TextRenderer::Distances(TerminalId terminal) {
  auto [at, is_new] = distances_.try_emplace(terminal, language_.lexer.state_count(), kFar);
  std::vector<uint16_t>& distance = at->second;
  if (!is_new) return distance;
  std::vector<std::vector<uint16_t>> before(distance.size());
  std::vector<uint16_t> front;
  for (uint16_t q = 0; q < distance.size(); ++q) {
    if (q == constraint::kDeadState.value) continue;
    for (DfaStateId to : language_.lexer.Successors({q}, true)) before[to.value].push_back(q);
    if (Ends({q}, terminal)) {
      distance[q] = 0;
      front.push_back(q);
    }
  }
  for (size_t i = 0; i < front.size(); ++i) {
    for (uint16_t q : before[front[i]]) {
      if (distance[q] != kFar) continue;
      distance[q] = static_cast<uint16_t>(distance[front[i]] + 1);
      front.push_back(q);
    }
  }
  return distance;
}

std::string TextRenderer::Lexeme(TerminalId terminal, DfaStateId start) {
  const std::vector<uint16_t>& distance = Distances(terminal);
  std::string text;
  DfaStateId q = start;
  if (distance[q.value] == kFar) return language_.lexer.Spelling(terminal);
  const size_t long_walk = random_() % kLongWalk;
  for (;;) {
    if (!text.empty() && Ends(q, terminal) && (text.size() >= long_walk || random_() % 3 == 0))
      return text;
    std::vector<uint8_t> ways, shortest;
    for (int byte = 0; byte < 256; ++byte) {
      const uint8_t b = static_cast<uint8_t>(byte);
      if (!language_.lexer.IsEmitEdge(q, b)) continue;
      const uint16_t left = distance[language_.lexer.Next(q, b).value];
      if (left == kFar) continue;
      ways.push_back(b);
      if (left < distance[q.value] || left == 0) shortest.push_back(b);
    }
    const std::vector<uint8_t>& from =
        text.size() < long_walk || shortest.empty() ? ways : shortest;
    if (from.empty()) return text;
    const uint8_t byte = from[random_() % from.size()];
    text += static_cast<char>(byte);
    q = language_.lexer.Next(q, byte);
  }
}

std::string TextRenderer::Render(const std::vector<SymbolId>& sentence, bool tight) {
  const Grammar& grammar = language_.grammar;
  std::string text;
  size_t indent = 0;
  bool line_begin = true;
  grammars::ModeFollower modes(language_);
  constraint::NameArena arena;
  constraint::NamesId names;
  for (SymbolId symbol : sentence) {
    const constraint::LrTerminal& lr_terminal = grammar.lr_terminals[symbol.value];
    const TerminalId terminal = lr_terminal.terminal;
    if (grammar.layout && terminal == grammar.layout->newline) {
      text += '\n';
      line_begin = true;
    } else if (grammar.layout && grammar.layout->indent && terminal == *grammar.layout->indent) {
      ++indent;
    } else if (grammar.layout && grammar.layout->dedent && terminal == *grammar.layout->dedent) {
      --indent;
    } else {
      if (line_begin && grammar.layout) {
        text += std::string(indent, ' ');
      } else if (!text.empty() && modes.TakesBlank() && (!tight || random_() % 2 == 0)) {
        text += ' ';
      }
      std::string lexeme = Lexeme(terminal, modes.start());
      if (language_.names) {
        if (const auto name = language_.names->Enclosing(arena, lr_terminal, names))
          lexeme = arena.Text(*name);
        const constraint::NameText known{constraint::NameText::Known::kWhole,
                                         arena.Append({}, lexeme)};
        names = language_.names->ListAfter(arena, lr_terminal, names, known);
        const auto id = language_.lexer.LongestMatch(lexeme, 0, modes.start()).lexeme;
        if (id != constraint::kNoLexeme) names = language_.names->Scoped(arena, id, names);
      }
      text += lexeme;
      modes.Follow(terminal);
      line_begin = false;
    }
  }
  return text;
}

}  // namespace tenon::exactness
