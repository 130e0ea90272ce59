// The gaps of one document while it is edited: a keystroke reads only the bytes that it changed.
//
// Example: `x = foo(|)` becomes `x = foo(a|)`. The right context `)` is the same, so the next gap
// reuses all data about it. The left context grew by one byte, so it is read again from the last
// line start before this byte (left_context.h).
//
// Then the cursor moves two lines up, and R grows at its beginning. Offsets of R count from its end
// (RightContext::Place), so the data about the old R stay valid for the end of the new R. After an
// edit inside R, the data about the text after the edit are kept, and R is read up to there.
//
// Two complications:
//   - *Levels* (`%levels`). The gap is first opened at the levels of the policy. If no text closes
//     it at these, and some lexeme was refused because its level is newer, the next level is tried.
//     R's demand at a level is found once and kept.
//   - *States still held.* A GapState from an earlier Open stays valid. The cache then leaves the
//     shared parts to that state and builds its own anew.
//
// Source: none. Cost: docs/measured.md, keystroke; above kMaxNodeBytes of nodes everything is
// dropped before the next gap is opened.
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
  // Above so many bytes of stacks, automaton and spine everything is dropped.
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
  void DropRight();
  // Makes right_ the data of the right context `right`. False: stopped.
  bool ReadRight(std::string_view left, std::string_view right, bool emit,
                 const std::stop_token& stop);
  std::shared_ptr<SharedGap> SharedGapFor(SideDemand& demand, const std::string& line_end,
                                          const GapPolicy& policy);

  std::shared_ptr<const Language> language_;
  Use use_;
  std::shared_ptr<BranchMover> mover_;
  std::optional<LeftContext> left_;
  std::shared_ptr<RightSide> right_;
  std::vector<std::shared_ptr<SharedGap>> gaps_;  // of right_, one for each of its demands
};

// The gap between `left` and `right`; both are copied. Check viable() first: false means that no
// text closes the gap.
[[nodiscard]] GapState OpenGap(std::shared_ptr<const Language> language, std::string_view left,
                               std::string_view right, GapPolicy policy);

}  // namespace tenon::constraint
