// Sentences of terminals as text: each terminal a random lexeme over emit edges, lines and columns
// where the layout wants them.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "constraint/language/language.h"

namespace tenon::exactness {

// The rules that emitted text may use, each with its head productive and reachable in them.
constraint::Grammar WrittenPart(const constraint::Grammar& grammar);

// "head: body".
std::string RuleText(const constraint::Grammar& grammar, uint32_t rule);

class TextRenderer {
 public:
  TextRenderer(const constraint::Language& language, uint32_t seed)
      : language_(language), random_(seed) {}

  // `tight`: blanks between lexemes are left out at random, so that the text may mean something
  // else or nothing.
  std::string Render(const std::vector<constraint::SymbolId>& sentence, bool tight);

 private:
  std::string Lexeme(constraint::TerminalId terminal, constraint::DfaStateId start);
  // [DfaStateId] bytes to the nearest end of the terminal's lexeme over emit edges.
  const std::vector<uint16_t>& Distances(constraint::TerminalId terminal);
  bool Ends(constraint::DfaStateId q, constraint::TerminalId terminal) const;

  const constraint::Language& language_;
  std::mt19937 random_;
  std::map<constraint::TerminalId, std::vector<uint16_t>> distances_;
};

}  // namespace tenon::exactness
