// What lexemes keep to that no automaton of a sensible size says: how many digits a number has,
// which characters are called by a name.
//
// A lexeme in progress has a progress besides its DFA state: a count, or how much of a name has
// been read. Where a rule is broken nothing comes of the lexeme as a terminal that keeps to it; as
// another one it may end. Where all that it may become keeps to the rule it is lost at once.
// Source: docs/grammars.md, `%most` and `%character_names`. Cost: a look-up a byte where a rule may
// apply, a binary search a byte of a name.
// Thread rule: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// Of a lexeme in progress. Nothing where no rule may apply to it.
struct LexemeProgress {
  uint32_t value = 0;  // the count; in a name, CharacterNames::Prefix
  uint8_t phase = 0;   // bytes of the opener read, kInName or kBroken
  auto operator<=>(const LexemeProgress&) const = default;
};

class LexemeRules {
 public:
  LexemeRules(const Grammar& grammar, const Lexer& lexer);
  // Two terminals that keep to different rules, of lexemes that begin alike; a language has none.
  std::optional<std::pair<TerminalId, TerminalId>> Conflict() const;

  bool any() const { return !rules_.empty(); }
  // Behind one more byte, which leads to `to`.
  LexemeProgress Next(DfaStateId to, LexemeProgress before, uint8_t byte) const {
    return of_state_.empty() || of_state_[to.value] == kNoRule ? LexemeProgress{}
                                                               : Follow(to, before, byte);
  }
  // Does nothing come of the lexeme in progress, whatever follows?
  bool IsLost(DfaStateId q, LexemeProgress progress) const {
    return progress.phase == kBroken && !(reached_[q.value] & kOther);
  }
  // Can it not end as this one, whatever is added to it?
  bool Refuses(LexemeId lexeme, LexemeProgress progress) const {
    return any() && of_lexeme_[lexeme.value] != kNoRule && Breaks(*RuleOf(lexeme), progress);
  }
  // May it end as this one, with `rest` added to it? The lexeme in progress is in q.
  bool Ends(DfaStateId q, LexemeProgress progress, std::string_view rest, LexemeId lexeme) const;
  // Where in the text of a lexeme a rule is broken first, and what is wrong; nothing: it keeps to
  // them.
  struct Broken {
    size_t offset_bytes = 0;
    std::string message;
  };
  std::optional<Broken> FindBroken(LexemeId lexeme, std::string_view text) const;
  bool Keeps(LexemeId lexeme, std::string_view text) const {
    return !any() || of_lexeme_[lexeme.value] == kNoRule || !FindBroken(lexeme, text);
  }
  // Could `bytes` more bytes of what is emitted break a rule, of this lexeme or of one behind it?
  bool IsPressing(DfaStateId q, LexemeProgress progress, size_t bytes) const;
  // What ends a name in progress; empty where there is none.
  std::string NameRest(DfaStateId q, LexemeProgress progress) const;

 private:
  static constexpr uint8_t kNoRule = 0xff;
  static constexpr uint8_t kInName = 0xfe, kBroken = 0xff;
  static constexpr uint16_t kOther = 1u << kMaxLexemeRules;
  const LexemeRule* RuleOf(LexemeId lexeme) const {
    const uint8_t rule = of_lexeme_[lexeme.value];
    return rule == kNoRule ? nullptr : &rules_[rule];
  }
  LexemeProgress Follow(DfaStateId to, LexemeProgress before, uint8_t byte) const;
  static LexemeProgress FollowBy(const LexemeRule& rule, LexemeProgress before, uint8_t byte);
  static bool Breaks(const LexemeRule& rule, LexemeProgress progress) {
    return rule.names ? progress.phase == kBroken : progress.value > rule.most;
  }

  const Lexer& lexer_;
  std::vector<LexemeRule> rules_;
  std::vector<uint8_t> of_lexeme_;  // [LexemeId]
  std::vector<uint16_t>
      // [DfaStateId] bits of the rules that what is in progress there may have to keep to; kOther:
      // or to none
      reached_;
  std::vector<uint8_t> of_state_;  // [DfaStateId] the one among them
  bool writes_names_ = false;      // may emitted bytes lead to a name?
};

}  // namespace tenon::constraint
