// The state of one gap while its middle is written: may this text come next, and is the gap closed?
//
// Example: L = `foo(a, `, R = `)`. Check("b") is true, Check("}") false: no brace is open. After
// Accept("b") the middle `b` is a member: `foo(a, b)` is valid. Before it, the empty middle was
// viable (some text closes the gap) and no member (the comma owes an argument).
//
//   viable(L M, R)   some text W makes L M W R valid
//   member(L M, R)   L M R is valid
//
// A GapState is a value. A copy is a fork of the middle; keeping the old copy is rollback. All
// states of one gap share one SharedGap (shared_gap.h). OpenGap or a GapCache (gap_cache.h) makes
// the first state, a Closer (closing/closer.h) finds a text that closes the gap.
//
// Source: docs/design/viability.md. Cost: Check and Accept take a DFA step a byte for each reading,
// and one look-up where a lexeme ends; a copy is three pointers and the middle's text.
// Thread rule: a shared gap and its states belong to one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/language/language.h"

namespace tenon::constraint {

// How many tokens of a model's vocabulary write a text; kNoTokens where none do.
using TokenCount = std::function<uint32_t(std::string_view)>;
inline constexpr uint32_t kNoTokens = std::numeric_limits<uint32_t>::max();

struct GapPolicy {
  // On: the middle obeys the emit grammar and the seam rule, as all text that tenon writes. Off:
  // the middle is judged by the accepted language alone.
  bool emit = true;
  // With `emit`: which comments and strings of the middle may end in R (lex/seam.h). Another seam
  // than the closed one is for gaps that are not viable at the one before.
  Seam seam = Seam::kClosed;
  // The limit of the written text: an argument, a line, a statement, a block. viable() tests a
  // middle within the scope with any text after it. Member, a Closer and BudgetedGap keep to the
  // scope throughout. With `emit` off no text counts as written, and the scope limits nothing.
  Scope scope = Scope::kFree;
  // The least levels (`%levels`) that hold (Grammar::LevelsUpTo). If no text closes the gap at
  // these, the least higher level is taken at which some text does, because L and R hold newer
  // forms already. L, M and R are then all read at this level.
  PredicateBits levels = 0;
  // Longest closing text that the search may try, in bytes.
  size_t max_closing_bytes = 400;
  // The cost of closing texts. Empty: a token a byte.
  TokenCount count = {};
  // Up to so many readings of the text stay apart. Where more are alive, readings that differ only
  // below the tops of their stacks become one (reading/branch.h), and no stacks are kept for R
  // (right/construct_ends.h). Empty: kPackAbove. It changes the cost of ambiguous grammars, and no
  // answer.
  std::optional<size_t> pack_above = {};
};

class SharedGap;
struct Branch;
struct GapBranches;

class GapState {
 public:
  // Is there a text that closes the gap from here?
  bool viable() const;
  // Readings were given up, of L M (kMaxBranches) or of R (ConstructEnds::kMaxBytes): the answer
  // "not viable" may be wrong.
  bool too_ambiguous() const;
  // The right context is too long to be read (RightAutomaton::truncated): nothing is viable then.
  bool right_too_long() const;
  // Would the gap still be viable after `bytes`? Changes neither the state nor the memory used.
  bool Check(std::string_view bytes) const;
  // Appends `bytes` to the middle when that keeps it viable; otherwise the state stays as it is and
  // the answer is false.
  bool Accept(std::string_view bytes);
  // Does the middle, as it is, close the gap? With GapPolicy::emit also under the seam rule, and L
  // M R declares the same encoding as L R (EncodingRules::Keeps).
  bool Member() const;
  // ... and does each word of R stand in the context that the word is written in? Not so after
  // `}\nfunction g() {` in an asynchronous function: a given `await` of R would stand in `g`.
  bool MemberInContext() const;
  // Where the middle closes the gap: predicates that words of R need and do not have, as in_async.
  // All predicates of the first such word; of later words perhaps not all.
  PredicateBits MissedContexts() const;
  // Names of terminals. Between two lexemes: the terminals that may come next. In a lexeme: the
  // terminals that it may become.
  std::vector<std::string> Expected() const;
  // The tokens of a text, by the policy's count.
  uint32_t CountTokens(std::string_view text) const;
  const std::string& middle() const { return middle_; }
  // The same gap with another scope. REQUIRES: nothing has been written.
  GapState WithScope(Scope scope) const;
  bool scoped() const;
  // The line end that the text around the gap uses: "\n", "\r\n" or "\r".
  const std::string& line_end() const;
  // The readings of L M that are alive (reading/branch.h).
  const std::vector<Branch>& branches() const;
  // The part of the gap that its states share (gap/shared_gap.h).
  const std::shared_ptr<SharedGap>& shared() const { return shared_; }

 private:
  friend class GapCache;
  GapState(std::shared_ptr<SharedGap> shared, GapBranches opened);
  std::shared_ptr<GapBranches> After(std::string_view bytes) const;
  void Adopt(std::shared_ptr<GapBranches> branches);
  bool KeepsEncoding() const;

  std::shared_ptr<SharedGap> shared_;
  std::shared_ptr<const GapBranches> branches_;
  std::string middle_;
  // L, if the middle may change the encoding that the text declares; else null.
  std::shared_ptr<const std::string> undecided_left_;
};

}  // namespace tenon::constraint
