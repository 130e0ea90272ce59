// A gap whose middle may take at most so many tokens, and is closed within them whatever is drawn.
//
// Example: L = `f(`, R empty, a budget of 3 tokens. After the draws `g` and `(`, only a token that
// closes both calls at once is allowed: `))`. Any other would leave the gap open at the end of the
// budget.
//
// How it keeps the promise: it holds a *witness*, a state that was passed with a closing text that
// was verified there. With d tokens drawn up to that state and w tokens in the text, d + w <=
// budget holds always. The witness exists before the first draw; without one the budget is
// infeasible, and needs() says how many tokens would do.
//
// A token t is allowed if the gap is viable after it and one of these holds:
//
//   1. t begins the witness's text: the rest of that text closes the gap.
//   2. The end is far: twice the bytes of the cheapest plan, and a margin, fit into the tokens
//      left. (A token writes a byte at least, so bytes bound tokens.)
//   3. A closing text is found after t, verified, and fits into the tokens left. Once so many
//      tokens have failed at a state (kMaxLostTries), no more are tried there.
//
// So near the end only tokens stay allowed that do not lengthen the cheapest known closing. Far
// from it an estimate decides, and the witness stays a few tokens after; where no closing text is
// found from the newest state, Finish goes back to the witness.
//
// Exact in one direction: the promise holds. needs() may exceed the true minimum, because closing
// texts are searched along cheapest plans; tests/constraint/closing/budgeted_gap_test.cpp counts
// how often.
//
// Source: docs/design/closing.md, "The budget". Cost: a check is GapState::Check and an estimate; a
// search near the end, and once every kRefreshTokens. Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "constraint/closing/closer.h"

namespace tenon::constraint {

inline constexpr uint32_t kUnlimitedTokens = kNoTokens;

class BudgetedGap {
 public:
  // `state`: where nothing has been drawn yet. kUnlimitedTokens: nothing is promised and nothing
  // searched. Once `stop` is requested the budgeted gap may be thrown away alone.
  BudgetedGap(GapState state, uint32_t budget, const std::stop_token& stop = {});

  // Tokens drawn so far and tokens of the closing text held: a budget of this size is enough.
  // Nothing: no closing text was found.
  std::optional<uint32_t> needs() const;
  bool feasible() const;
  uint32_t budget() const { return budget_; }
  uint32_t drawn() const { return drawn_; }
  uint32_t left() const { return budget_ > drawn_ ? budget_ - drawn_ : 0; }
  const GapState& state() const { return state_; }
  // Of this gap; copies of a budgeted gap share it.
  Closer& closer() const { return *closer_; }

  // May the next token write `bytes`? Empty bytes: the token only repeats text left of the cursor.
  // Example: in `na|` the token `na` writes nothing new.
  bool Check(std::string_view bytes);
  // Draws `bytes` when Check allows them; otherwise nothing changes. `tokens`: the number of tokens
  // that `bytes` are.
  // REQUIRES: tokens > 0.
  bool Accept(std::string_view bytes, uint32_t tokens = 1);
  // The budget may change in flight. False: it is no longer known to be feasible; Check then allows
  // nothing.
  bool SetBudget(uint32_t budget);

  struct Finished {
    std::string middle;
    uint32_t tokens = 0;   // drawn and kept, with the closing text's
    uint32_t dropped = 0;  // drawn tokens that were given up
    bool closed = false;   // a closing text was needed
  };
  // The whole middle, a member; without a budget the middle as it is. REQUIRES: feasible().
  Finished Finish() const;

 private:
  struct Witness {
    GapState state;
    uint32_t drawn = 0;
    Closing closing;
    uint32_t tokens() const { return drawn + closing.tokens; }
  };
  struct Step {
    GapState state;
    std::optional<Closing> closing;
  };
  std::optional<Step> Try(std::string_view bytes, uint32_t tokens);
  void Keep(Witness witness);
  // A closing text of the present state that fits.
  bool Refresh();

  GapState state_;
  std::shared_ptr<Closer> closer_;
  uint32_t budget_ = 0;
  uint32_t drawn_ = 0;
  std::optional<Witness> newest_;    // fits into the budget, if any does
  std::optional<Witness> cheapest_;  // of fewest tokens
  std::string tried_bytes_;          // of the last Check
  std::optional<Step> tried_;        // ... and its result, when allowed
  uint32_t lost_tries_ = 0;          // at this state: nothing closes the gap within the budget
};

// Most lost tries at one state. Example: R holds the constructor `Abc() {`, the middle is `class `.
// Each name but Abc costs a search that finds nothing. Near the end of the budget a search finds a
// text, and it is too long. After so many only the witness is left.
inline constexpr uint32_t kMaxLostTries = 128;
// Tokens between two searches for a newer witness while the end is far.
inline constexpr uint32_t kRefreshTokens = 8;

}  // namespace tenon::constraint
