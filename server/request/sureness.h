// How sure the model is of a completion, and where it must be sure to be shown unasked.
//
// A person who types in the middle of a word, or with code after the cursor, knows what comes next
// better than a small model does. A wrong suggestion costs a look there. Example, with the cursor
// as `|`:
//
//   total = pri|            in a word: the model must be sure of `ce * tax`
//   total = | * tax         code follows: the model must be sure of `price`
//   total = |               the model may guess
//   print(|)                the rest of the line only closes: the model may guess
//
// And where the model would have written nothing, had it been free to, it must be sure
// (CompletionItem::unneeded), by the tokens alone that are not blank: in the blank line of
//
//   log(a,                  what fits is `, c` and the like: `b` ends the arguments
//       b
//       |
//   );
//
// The measure is the mean probability of a token, by the model alone, the constraint left out:
//
//   sureness = exp(-(nats of the tokens drawn) / (their number))
//
// The token that ends a completion is one of them. Example: the tokens `price` (.9) and ` *` (.4)
// give .6. Where the cursor is in a word, the first token's probability is that among the tokens
// that go on with this word. What a closing text says, beyond closing, was drawn by nobody: with
// it an item is shown unasked nowhere. Examples: `if (` in `x === 0) {}⏎if (|y) {}`, when the
// tokens are spent before `y`; the `++` of `w.Write++`, when the time ends before `(`.
//
// Source of the rule: Mozannar, Bansal, Fourney and Horvitz, When to Show a Suggestion? (2024),
// who withhold suggestions that are likely to be rejected.
// Cost: linear in the tokens of a completion. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace tenon::server {

// The nats of words and operators that the model did not draw.
inline constexpr double kNobodyDrew = std::numeric_limits<double>::infinity();

// A token of a completion: where it ends in the completion's text, and its -ln p by the model
// alone.
struct TokenNats {
  size_t end_bytes = 0;
  double nats = 0;
};

// The tokens that wrote the first `bytes` of a completion. One that wrote more is cut; one that
// ended the completion there counts, too.
[[nodiscard]] std::vector<TokenNats> NatsWithin(std::span<const TokenNats> tokens, size_t bytes);
// Is the cursor of `text` in a word, or does code follow on its line? Brackets and quotes that
// only close are no code here.
[[nodiscard]] bool NeedsSureness(std::string_view text, size_t offset_bytes);
// The tokens that wrote more than blanks of `text`.
[[nodiscard]] std::vector<TokenNats> VisibleNats(std::string_view text,
                                                 std::span<const TokenNats> tokens);
// From 0 to 1; 1 where the model had no choice.
[[nodiscard]] double SurenessOf(std::span<const TokenNats> tokens);
// Of each line of `text`, by the tokens that wrote more than blanks and end in it.
[[nodiscard]] std::vector<double> SurenessOfLines(std::string_view text,
                                                  std::span<const TokenNats> tokens);

}  // namespace tenon::server
