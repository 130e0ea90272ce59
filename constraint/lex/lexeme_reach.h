// Lexeme reach: the states and lexemes that a middle can lead a lexeme in progress to, whatever the
// right context is.
//
// Example, after `pri|`: by writing, the lexeme can end as a name or as `print`; or it is still in
// progress in any state of a name when R begins. So
//
//   ended    the sequences of lexemes that can end, the last one in a separable state
//            (Lexer::IsSeparable): everything may follow             (NAME), (PRINT)
//   groups   for each sequence of lexemes that can have ended before: the states that the lexeme in
//            progress after them can reach                           (): {names, `print`}
//
// A sequence has more than one lexeme where not everything may follow the first one: the next
// lexeme is then followed with it, up to kMaxUnseparated in all.
//
// The result does not depend on R, so it is shared by all gaps of a language. A gap only looks up
// where R lands from these states (Lexer::LandAll).
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

// The longest sequence of lexemes that is followed together. Viability refuses a middle that would
// need a longer one.
inline constexpr int kMaxUnseparated = 2;

struct LexemeReach {
  using Sequence = std::vector<LexemeId>;
  struct Group {
    Sequence before;
    uint32_t states = 0;  // index into state_sets: with no guard alive
    std::vector<std::pair<DfaStateId, Guards>> guarded;  // ascending
  };
  std::vector<Sequence> ended;  // ascending
  std::vector<Group> groups;    // ascending by `before`; the state asked about is in none
  std::vector<std::vector<DfaStateId>> state_sets;  // distinct, each ascending
};

// `emitted`: by emitted bytes, else by any. `modes`: the top kMaxUnseparated + 1 modes of the
// lexeme in progress; nothing where the lexer has no modes.
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
  struct PlaceHash {
    size_t operator()(const Key& k) const {
      return HashOf(k.guards.Key(), k.modes.Key(), k.q.value, k.emitted);
    }
  };
  const Lexer& lexer_;
  mutable std::mutex mutex_;  // of what follows
  mutable boost::unordered_flat_map<Key, std::shared_ptr<const LexemeReach>, PlaceHash> known_;
  mutable size_t kept_states_ = 0;
};

}  // namespace tenon::constraint
