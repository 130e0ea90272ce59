// Branches: the readings of L M that are still alive, each a parser stack with its lexeme in progress.
//
// One byte moves every branch: its lexeme goes on, or ends and is shifted (after what the layout makes of it), or the branch dies.
// All state belongs to the branch. Cost: one DFA look-up a byte and branch, a memoised shift where a lexeme ends.
// Thread rule: one thread at a time.
#pragma once

#include <vector>

#include "constraint/gap/language.h"
#include "constraint/lex/layout.h"
#include "constraint/lr/stack.h"

namespace tenon::constraint {

struct Branch {
  NodeId top;
  DfaStateId q = kStartState;  // of the lexeme in progress; kStartState: none
  Guards guards;
  LayoutState layout;
  bool emitted = false;           // the lexeme in progress holds an emitted byte
  bool opened_in_middle = false;  // ... and its first byte is emitted
  auto operator<=>(const Branch&) const = default;
};

// Where a branch stands between two lexemes.
struct Between {
  NodeId top;
  LayoutState layout;
  auto operator<=>(const Between&) const = default;
};

class BranchMover {
 public:
  explicit BranchMover(const Language& language) : language_(language), stacks_(language.grammar, language.table) {}

  StackArena& stacks() { return stacks_; }
  IndentArena& indents() { return indents_; }
  const LayoutRules& layout() const { return language_.layout; }

  // All that `from` becomes when `lexeme` has ended; `emitted` chooses the columns. Empty: an error.
  std::vector<Between> End(const Between& from, LexemeId lexeme, bool emitted);
  // All that is left at the end of the text, where the parser accepts.
  bool AcceptsEnd(const Between& from);
  // Reads one byte on every branch; `emitted`: by emit edges. Sorted, without doubles; empty: an error.
  std::vector<Branch> Read(const std::vector<Branch>& branches, uint8_t byte, bool emitted);
  // Forgets every stack but these, whose nodes get new ids.
  void Compact(std::vector<Between>& live);

 private:
  std::vector<NodeId> Shift(const std::vector<NodeId>& tops, SymbolId column, uint16_t indent_column);

  const Language& language_;
  StackArena stacks_;
  IndentArena indents_;
  std::vector<LayoutEvent> events_;
};

// More live branches than this and the text counts as not viable: ambiguity is bounded, nothing wrong is answered.
inline constexpr size_t kMaxBranches = 512;

}  // namespace tenon::constraint
