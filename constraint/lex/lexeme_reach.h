// Lexeme reach: every state and every lexeme that the lexeme in progress can become when more text
// is written. The result does not depend on the right context R, so all gaps of a language share
// it.
//
// Example: after `pri|` more text can end the lexeme as a name or as `print`. It can also leave the
// lexeme in progress where R begins, in any state of a name. So
//
//   ended    the sequences of lexemes that can end, the last one separable (Lexer::IsSeparable):
//            every terminal may follow                               (NAME), (PRINT)
//   groups   for each sequence of lexemes that has ended: the states that the lexeme in progress
//            after it can reach                                      (): {names, `print`}
//
// One complication: some lexemes are not separable, because some terminals cannot follow them. The
// next lexeme is then followed in the same sequence, up to kMaxUnseparated lexemes in all. Example:
// only a line end may follow a line comment, so `# abc|` has the sequence (COMMENT, NEWLINE).
//
// A gap looks up where R lands from the states of the groups (Lexer::LandAll).
//
// Source: docs/design/lexing.md. Cost: a visit of each state for each sequence, up to some
// milliseconds; kept for all gaps of a language, up to kMaxKeptStates states in all.
// Thread rule: LexemeReaches may be shared among threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// The longest sequence of lexemes that are followed together. Viability refuses a middle that needs
// a longer sequence.
inline constexpr int kMaxUnseparated = 2;

struct LexemeReach {
  using Sequence = std::vector<LexemeId>;
  struct Group {
    Sequence before;
    uint32_t states = 0;  // index into state_sets: the states with no guard alive
    std::vector<std::pair<DfaStateId, Guards>> guarded;  // the others; ascending
  };
  std::vector<Sequence> ended;  // ascending
  std::vector<Group> groups;    // ascending by `before`; the first state itself is in none
  std::vector<std::vector<DfaStateId>> state_sets;  // distinct, each ascending
};

// The reach of the lexeme in progress in q. `emitted`: over emit edges only. `modes`: the top
// kMaxUnseparated + 1 modes of the stack; none where the lexer has no modes.
[[nodiscard]] LexemeReach FindLexemeReach(const Lexer& lexer, DfaStateId q, const Guards& guards,
                                          bool emitted, TopModes modes = {});

class LexemeReaches {
 public:
  static constexpr size_t kMaxKeptStates = 2u << 20;

  // REQUIRES: the lexer outlives this.
  explicit LexemeReaches(const Lexer& lexer) : lexer_(lexer) {}
  std::shared_ptr<const LexemeReach> Of(DfaStateId q, const Guards& guards, bool emitted,
                                        TopModes modes = {}) const;

 private:
  struct Key {
    Guards guards;
    DfaStateId q;
    bool emitted;
    TopModes modes;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      return HashOf(k.guards.Key(), k.modes.Key(), k.q.value, k.emitted);
    }
  };
  const Lexer& lexer_;
  mutable std::mutex mutex_;  // guards the members below
  mutable boost::unordered_flat_map<Key, std::shared_ptr<const LexemeReach>, KeyHash> known_;
  mutable size_t kept_states_ = 0;
};

}  // namespace tenon::constraint
