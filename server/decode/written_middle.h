// The middle of a gap as far as it is written, and the text that may come next or be kept of it.
//
// It asks the gap and the budget alone, and knows no rule: the rules are in the parts beside it
// (server/decode/gap_text.h has a table of them). Example: in `print(|)` the middle is `name` so
// far.
//
//   Next("s)")          the piece `s)` after `name`
//   EndAt("names)", 5)  the gap with the middle `names`: it may end there
//   EndAt("names)", 6)  nothing: `names)` may not end before R's `)`
//   EndAt("names)", 2)  the gap with the middle `na`, cut back
//
// **The left end.** A middle may begin with text that is written already, the *healed* text: in
// `print(nam|)` it is `nam`. The first pieces must reproduce it before anything new comes, unless
// it is given up. Example: `name` is the piece of which three bytes are healed and `e` is new; and
// `x` is no piece there.
//
// Cost: a check costs as much as Budget::Check; an end one check of the gap, a copy and a question
// whether the gap is closed. Thread rule: one thread at a time, for all copies. A copy is a fork.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/decode/cursor_text.h"
#include "tenon/budget.h"

namespace tenon::server {

// The middle after some of its pieces.
struct MiddleBeginning {
  Gap gap;
  uint32_t drawn = 0;  // tokens
};

class WrittenMiddle {
 public:
  // REQUIRES: nothing of the middle is written yet.
  WrittenMiddle(Budget budget, Goal goal, CursorText cursor);

  [[nodiscard]] const Budget& budget() const { return budget_; }
  [[nodiscard]] const Gap& gap() const { return budget_.gap(); }  // with the middle so far
  [[nodiscard]] const std::string& text() const { return gap().middle(); }
  [[nodiscard]] const std::shared_ptr<const Gap>& begun() const { return begun_; }  // without it
  [[nodiscard]] Goal goal() const { return goal_; }
  // Without an R that is no use to the goal. Where R's bracket ends the cursor's empty block the
  // line of that bracket is its right_line.
  [[nodiscard]] const std::shared_ptr<const CursorText>& cursor() const { return cursor_; }
  [[nodiscard]] const std::string& healed() const { return healed_; }  // still to be reproduced
  // The ends of lines that were kept (server/decode/convergence.h).
  [[nodiscard]] const std::vector<MiddleBeginning>& block_lines() const { return block_lines_; }

  // The piece after the middle; nothing where it does not reproduce the healed text.
  [[nodiscard]] std::optional<NextPiece> Next(std::string_view bytes) const;
  // Does the piece fit into the gap, within the tokens?
  [[nodiscard]] bool Check(const NextPiece& piece) { return budget_.Check(piece.fresh()); }
  // The gap after the piece, whatever the tokens: for looking ahead.
  [[nodiscard]] std::optional<Gap> After(const NextPiece& piece) const;
  // Appends a piece; false: it does not fit, and nothing has changed.
  bool Accept(std::string_view bytes);
  // Appends forced text of so many tokens; false: it does not fit, and nothing has changed.
  // REQUIRES: no healed text is left.
  bool AcceptForced(std::string_view bytes, uint32_t tokens);
  // The writer does not reproduce the healed text: the middle begins after it. REQUIRES: nothing is
  // written.
  void GiveHealedUp() { healed_.clear(); }
  void KeepBlockLine(const Gap& line_end) { block_lines_.push_back({line_end, budget_.drawn()}); }

  // May the middle end here?
  [[nodiscard]] bool MayEnd() const { return healed_.empty() && MayEndAt(gap()); }
  // May it end at `gap`: within a piece, or before some written pieces? The healed text must lie
  // before that end.
  [[nodiscard]] bool MayEndAt(const Gap& gap) const { return MayEndMiddle(gap, goal_); }
  // The gap after `size` bytes of `text`, the middle with a piece, where the middle may end there
  // within its tokens.
  [[nodiscard]] std::optional<Gap> EndAt(std::string_view text, size_t size) const;
  // The same at the first of these sizes at which the middle may end.
  [[nodiscard]] std::optional<Gap> FirstEndAt(const NextPiece& piece,
                                              const std::vector<size_t>& sizes) const;

  // Does the text left of the next piece, the middle's or L's, end in a word?
  [[nodiscard]] bool EndsInWord() const;
  // Does it end in a word in which the piece would go on?
  [[nodiscard]] bool GoesOnInWord(std::string_view bytes) const;
  // Would the piece begin the word with which the text ends then?
  [[nodiscard]] bool BeginsLastWord(std::string_view bytes) const;
  // Is the middle at a colon, outside of its brackets, and a line end in R?
  [[nodiscard]] bool EndsLineWithColon() const;

 private:
  Budget budget_;
  Goal goal_;
  std::string healed_;
  std::shared_ptr<const CursorText> cursor_;
  std::shared_ptr<const Gap> begun_;
  std::vector<MiddleBeginning> block_lines_;
};

}  // namespace tenon::server
