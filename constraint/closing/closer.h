// A closing witness: a text that closes a gap from where the middle stands, verified by membership.
//
// In `x = foo(a, |` with nothing right of the gap, `b)` closes it: a name, since the comma owes an
// argument, then the bracket. Two kinds of text are tried, the cheapest first:
//
//   1. The lexeme in progress goes on into R: in `pri|nt(x)` the empty text, in `"ab|c"` too.
//   2. The lexeme in progress ends. A plan (closing/planner.h) names the terminals that join both
//      sides, and each is spelled: `b` for a name, with separators where two lexemes would run
//      together, and line ends with the columns of the blocks that they open and close.
//
// Every candidate is tried on the state itself (closing_search.h), so an answer is a fact. Its cost
// in model tokens is counted on the whole text; the first text found need not be the cheapest.
// Where it is dearer than wanted, the other candidates are tried as well.
//
// Words of R may need a construct around them (right_in_context.h). Where the first text leaves one
// of them outside, texts are preferred that begin the construct. Before a given `await g(); }` the
// text is `async function a(){`, and not `{`.
//
// Source: docs/design/closing.md. Cost: milliseconds; asked before the first draw and where a
// completion must end. Thread rule: one thread at a time, with the gap.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "constraint/base/base.h"
#include "constraint/closing/layout_texts.h"
#include "constraint/closing/lexeme_paths.h"
#include "constraint/closing/planner.h"
#include "constraint/gap/gap.h"

namespace tenon::constraint {

struct Closing {
  std::string text;     // member(L M text, R) holds: it was verified
  uint32_t tokens = 0;  // by the policy's count
};

// Finds closing texts for the states of one gap; plans and ways to end lexemes are kept from state
// to state.
class Closer {
 public:
  // For every state that shares the gap of `gap`. Once `stop` is requested nothing is found.
  explicit Closer(const GapState& gap, const std::stop_token& stop = {});

  // A short text that closes the gap from `state`. The search ends with the first text of at most
  // `enough` tokens; else the text of the fewest tokens is taken. A text that leaves R's words in
  // their contexts is preferred, if it has at most `enough` tokens. Nothing: the search found no
  // text within the policy's limit (GapPolicy::max_closing_bytes).
  [[nodiscard]] std::optional<Closing> Find(const GapState& state, uint32_t enough = kNoTokens);
  // About how many bytes the cheapest closing text has: 0 where the middle is a member. An
  // estimate; nothing is spelled or verified. Nothing: no plan joins both sides.
  [[nodiscard]] std::optional<uint32_t> Cost(const GapState& state);
  // A way to close the gap that has not been tried yet.
  struct Candidate {
    uint32_t cost = 0;  // in bytes, estimated
    std::string text;   // ends the lexeme in progress
    Plan plan;          // joins both sides after that lexeme
  };
  // Every way that plans know, the cheapest first. `wanted`: predicates that hold where R begins.
  [[nodiscard]] std::vector<Candidate> Candidates(const GapState& state, PredicateBits wanted = 0);

 private:
  friend class ClosingSearch;
  // With any wanted predicates only texts count that leave R's words in their contexts.
  struct Contexts {
    PredicateBits wanted = 0;  // they hold where R begins (planner.h)
    PredicateBits missed = 0;  // words of R missed them, after texts that did not count
  };
  std::optional<Closing> FindFor(const GapState& state, uint32_t enough, Contexts& contexts);
  std::optional<Closing> FindByPlans(const GapState& state, uint32_t enough, Contexts& contexts);
  // The plans that join R after the lexeme in progress, each with the bytes that end that lexeme.
  template <typename Visit>
  void ForEachPlan(const std::vector<Branch>& branches, PredicateBits wanted, Visit visit);
  Planner& PlannerFor(PredicateBits wanted);
  const LexemePaths& PathsOf(const Branch& branch);
  // A text of each terminal that has one, the shortest first.
  std::span<const std::string> WrittenWords();

  std::shared_ptr<SharedGap> gap_;
  std::stop_token stop_;
  std::map<PredicateBits, Planner> planners_;  // by the predicates that they want
  // Predicates that words of R missed, where no text was found that begins their constructs. None
  // is searched for again, since a file may have such an error already.
  boost::unordered_flat_set<PredicateBits> out_of_reach_;
  LayoutTexts layout_;
  std::vector<std::string> written_words_;  // once they are asked for
  boost::unordered_flat_map<LexemeKey, std::unique_ptr<LexemePaths>, LexemeKeyHash> paths_;
};

// The same for one state, with a Closer of its own.
[[nodiscard]] std::optional<Closing> FindClosing(const GapState& state,
                                                 uint32_t enough = kNoTokens);
[[nodiscard]] std::optional<uint32_t> ClosingCost(const GapState& state);

}  // namespace tenon::constraint
