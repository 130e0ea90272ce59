// Lexeme rules: conditions on a lexeme that its DFA would need too many states for. A rule bounds
// the number of digits (`%most`) or requires the names of characters to exist (`%character_names`).
//
// A lexeme in progress has a *progress* besides its DFA state q: a count, or the part of a name
// that was read. Example with `%most 5 "digits" /[0-9]/ in INTEGER`, in `123_456|`:
//
//   byte     1  2  3  _  4  5  6
//   count    1  2  3  3  4  5  6        up to `5` an INTEGER may end; after `6` it may not
//
// So a `;` at the cursor is refused: it would end the INTEGER. A `.` is allowed: it makes the
// lexeme a real, which has no rule. A broken count is no error before the lexeme ends.
//
// Example with `%character_names STRING between "\\N{" "}"`, in `"\N{BULLET}"`:
//
//   byte     "  \  N  {    B  U  L  L  E  T  }  "
//   phase    0  1  2  in   in in in in in in 0  0      1, 2: bytes of the opener
//   value    0  0  0  0    the prefix of a name        CharacterNames::Prefix
//
// Each letter must continue a known name, and at `}` the name must be complete. `"\N{BX|` is
// broken, since no name begins with BX. Its branch dies at once if every lexeme that it may become
// has the rule (IsLost).
//
//   count':  count + 1 if the byte is counted       broken: count > most, where the lexeme ends
//   phase':  by the table above                     broken: no name has the prefix, or `}` follows
//                                                   a prefix that is no name
//
// One complication: the first byte of an opener escapes the byte after it, unless this byte is the
// opener's second one. Example: in `\\N{` the first backslash escapes the second, and no name
// begins.
//
// Source: docs/grammar_directives.md, `%most` and `%character_names`. Cost: a look-up a byte where
// a rule may apply, a binary search a byte of a name. Thread rule: LexemeProgress is a value; the
// rules are immutable.
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

// The progress of a lexeme in progress; all 0 where no rule can apply to it.
struct LexemeProgress {
  uint32_t value = 0;  // the count; in a name, CharacterNames::Prefix
  uint8_t phase = 0;   // bytes of the opener read, kInName or kBroken
  auto operator<=>(const LexemeProgress&) const = default;
};

class LexemeRules {
 public:
  LexemeRules(const Grammar& grammar, const Lexer& lexer);
  // Two terminals with different rules whose lexemes begin alike. One progress cannot follow both
  // rules, so the grammar is refused. Nothing: there is no such pair.
  std::optional<std::pair<TerminalId, TerminalId>> Conflict() const;

  bool any() const { return !rules_.empty(); }
  // The progress after one more byte, which leads to `to`.
  LexemeProgress Next(DfaStateId to, LexemeProgress before, uint8_t byte) const {
    return of_state_.empty() || of_state_[to.value] == kNoRule ? LexemeProgress{}
                                                               : Follow(to, before, byte);
  }
  // Is a rule broken for every lexeme that the one in progress may become?
  bool IsLost(DfaStateId q, LexemeProgress progress) const {
    return progress.phase == kBroken && !(reached_[q.value] & kOther);
  }
  // Is the rule of `lexeme` broken? The lexeme in progress then cannot end as `lexeme`.
  bool Refuses(LexemeId lexeme, LexemeProgress progress) const {
    return any() && of_lexeme_[lexeme.value] != kNoRule && Breaks(*RuleOf(lexeme), progress);
  }
  // May the lexeme in progress in q end as `lexeme` after the bytes `rest`?
  bool Ends(DfaStateId q, LexemeProgress progress, std::string_view rest, LexemeId lexeme) const;
  // The first offset in the text of a lexeme at which its rule is broken, and a message. Nothing:
  // the rule is kept.
  struct Broken {
    size_t offset_bytes = 0;
    std::string message;
  };
  std::optional<Broken> FindBroken(LexemeId lexeme, std::string_view text) const;
  bool Keeps(LexemeId lexeme, std::string_view text) const {
    return !any() || of_lexeme_[lexeme.value] == kNoRule || !FindBroken(lexeme, text);
  }
  // Could `bytes` more emitted bytes break a rule, of this lexeme or of a later one?
  bool IsPressing(DfaStateId q, LexemeProgress progress, size_t bytes) const;
  // A text that ends the name in progress; empty where there is none.
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
  // [DfaStateId] bits of the rules of the lexemes that the state may become; the bit kOther: it may
  // become a lexeme without a rule.
  std::vector<uint16_t> reached_;
  std::vector<uint8_t> of_state_;  // [DfaStateId] the only rule in reached_, or kNoRule
  bool writes_names_ = false;      // may emitted bytes lead to a name?
};

}  // namespace tenon::constraint
