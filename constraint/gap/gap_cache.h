// Gaps of one document, opened again and again while it is edited: what an edit does not touch is kept.
//
//   left    readings of L at line starts; the next L goes on from the last one before the first byte that differs
//   right   what is known about R counts from its end: a cursor that moves adds or leaves lines, an edit inside R is read up to where
//           R goes on as before
//
// With the same L and R nothing is read; with the same R the next state shares the last one's session and its memos.
// Where the policy's levels close the gap with nothing the next ones are tried, as long as something was refused for being newer: what R
// demands at a level is found once, and kept like the rest.
// States that are still held stay what they are: what they use is then left to them and built anew here.
// Cost: docs/measured.md, `keystroke`; above kMaxNodeBytes of nodes all is dropped before the next gap opens.
// Thread rule: one thread at a time, with all states that it has opened.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/gap/gap_state.h"
#include "constraint/gap/left_context.h"
#include "constraint/language/language.h"

namespace tenon::constraint {

class RightSide;
struct SideDemand;

class GapCache {
 public:
  enum class Use { kOnce, kKept };
  // Above so many bytes of stacks, automaton and spine nothing is kept.
  static constexpr size_t kMaxNodeBytes = 32u << 20;

  explicit GapCache(std::shared_ptr<const Language> language, Use use = Use::kKept);
  ~GapCache();

  // As OpenGap; nothing when it was stopped.
  std::optional<GapState> Open(std::string_view left, std::string_view right, GapPolicy policy,
                               const std::stop_token& stop);
  const std::shared_ptr<const Language>& language() const { return language_; }
  size_t node_bytes() const;
  size_t memory_bytes() const;

 private:
  void Drop();
  // Makes right_ the right context `right`.
  void ReadRight(std::string_view left, std::string_view right, bool emit);
  std::shared_ptr<SharedGap> SessionFor(SideDemand& demand, const std::string& line_end, const GapPolicy& policy);

  std::shared_ptr<const Language> language_;
  Use use_;
  std::shared_ptr<BranchMover> mover_;
  std::optional<LeftContext> left_;
  std::shared_ptr<RightSide> right_;
  std::vector<std::shared_ptr<SharedGap>> sessions_;  // of right_, one for each of its demands
};

// The gap between `left` and `right`; both are copied. Check viable() first: false means that nothing fits.
[[nodiscard]] GapState OpenGap(std::shared_ptr<const Language> language, std::string_view left, std::string_view right,
                               GapPolicy policy);

}  // namespace tenon::constraint
