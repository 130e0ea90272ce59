// A gap whose middle has a budget of tokens, within which it is certain to be closed.
//
// A model that writes `f(g(h(` may run out of tokens before it closes its brackets. A budget never
// lets it come to that: it holds a closing text, verified, from before the first draw on, and a
// token is refused when the cheapest known closing text after it would exceed the tokens left.
// Example, with 4 tokens of a byte each for `x = f(|` and nothing to the right:
//
//   tenon::Budget budget(gap, 4);
//   budget.Accept("g")      // true; `)` closes the rest, so 2 of 4 tokens are needed in all
//   budget.Accept("(")      // true; `))` closes the rest
//   budget.Accept("h")      // false: `h))` would take 5
//   budget.Finish().middle  // "g())"
//
//   always: tokens drawn + tokens of the closing text <= budget
//
// The promise is kept always. A budget may refuse a little too much: closing texts are searched
// along cheapest plans, and `needs` may exceed the true least number, on small grammars by one
// token in 2 of 100. Where 128 tokens have been refused for their closing text, all others are that
// do not begin the closing text held.
//
// Cost: a check is Gap::Check and an estimate; near the end, or within a scope, a search for a
// closing text. Thread rule: that of its gap. Copies are forks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "tenon/export.h"
#include "tenon/gap.h"

namespace tenon {

// Nothing is promised and nothing searched.
inline constexpr uint32_t kUnlimitedTokens = kNoTokens;

class TENON_API Budget {
 public:
  // A budget for tokens drawn from now on, counted by GapOptions::count. Once `stop` is requested
  // the search for a closing text gives up, and the budget is of no use.
  Budget(const Gap& gap, uint32_t tokens, const std::stop_token& stop = {});
  Budget(const Budget& other);
  Budget& operator=(const Budget& other);
  Budget(Budget&&) noexcept;
  Budget& operator=(Budget&&) noexcept;
  ~Budget();

  // Is the gap known to be closable within the budget? Where not, no token is allowed.
  [[nodiscard]] bool feasible() const;
  // A number of tokens, drawn ones included, within which closing is known to be possible. Nothing:
  // no closing text was found.
  [[nodiscard]] std::optional<uint32_t> needs() const;
  [[nodiscard]] uint32_t tokens() const;  // the whole budget
  [[nodiscard]] uint32_t drawn() const;
  [[nodiscard]] uint32_t left() const;
  // With the middle drawn so far; holds until the next Accept.
  [[nodiscard]] const Gap& gap() const;

  // May the next token write `bytes`?
  [[nodiscard]] bool Check(std::string_view bytes);
  // Draws it if Check allows it; otherwise nothing changes. `tokens`: how many it takes.
  // REQUIRES: tokens > 0.
  bool Accept(std::string_view bytes, uint32_t tokens = 1);
  // Another budget from now on. False: the gap is no longer known to be closable within it.
  bool Change(uint32_t tokens);
  // As Gap::ClosingBytes, with plans that are kept from call to call: of gap(), or of a copy of it
  // that was written on.
  [[nodiscard]] std::optional<uint32_t> ClosingBytes() const { return ClosingBytes(gap()); }
  [[nodiscard]] std::optional<uint32_t> ClosingBytes(const Gap& ahead) const;

  struct Finished {
    std::string middle;    // all of it
    uint32_t tokens = 0;   // drawn and kept, and of the closing text
    uint32_t dropped = 0;  // drawn tokens that were given up
    bool closed = false;   // a closing text was needed
  };
  // The whole middle, a member; without a budget the middle as it is. REQUIRES: feasible().
  [[nodiscard]] Finished Finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tenon
