// The middle of a gap as it is written, piece by piece: may a piece come next, and does it end the
// middle?
//
// A piece is a stretch of text that a model writes at once: a token of a local model
// (server/decode/gap_filter.h), or what a server sends of one (server/remote/text_stream.h).
// Example: in `print(|)` the middle is `name` so far, and a piece comes.
//   ` +`    keeps the gap viable: it is accepted
//   `]`     closes no bracket that is open: it is refused
//   `)`     writes the beginning of R: the middle ends before it, as `name`
//   `s)`    writes `s` and then the beginning of R: the middle ends inside it, as `names`
//
// Four questions are asked of each piece. Parts of their own answer them, all in server/decode/:
//
//   1. May it come? Where not, it is refused.
//        FirstPieces    first_pieces.h    the pieces with which a middle begins
//        FirstChoice    first_choice.h    none goes on in a word or line that its writer has ended
//   2. Does it fit? Where not, it is refused, unless it says where the middle ends (EndRules).
//        LeftBrackets   left_brackets.h   none closes more brackets of L than a middle may
//        Convergence    convergence.h     into the gap, within the tokens and bytes that are left
//   3. Does it end the middle, before it or inside it? Where not, it is accepted.
//        EndRules       end_rules.h       the rules in their order, each with an example
//        RightText      right_text.h      ends where a piece writes R
//        FilledBlock    filled_block.h    ends of blocks that indentation ends, or that L begins
//                       repeated_text.h   ends before text that comes again
//   4. Has the middle to come to its end from now on?
//        Convergence    convergence.h     where it has to, fewer pieces fit
//
// All of them look at the *written middle* (WrittenMiddle, written_middle.h): the text so far, its
// gap and its budget. A writer who ends the middle is judged by EndRules alone. A *goal* says which
// kind of text the middle becomes, and so where it may end (cursor_text.h).
//
// Cost: a check costs what Budget::Check does; a judgement reuses the check before it.
// Thread rule: one thread at a time, for all copies. A copy is a fork.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/decode/convergence.h"
#include "server/decode/cursor_text.h"
#include "server/decode/end_rules.h"
#include "server/decode/first_choice.h"
#include "server/decode/first_pieces.h"
#include "server/decode/written_middle.h"
#include "server/request/completer.h"
#include "tenon/budget.h"

namespace tenon::server {

// The effect of a piece on the middle.
struct Judgement {
  enum class Verdict : uint8_t {
    kRefused,     // nothing: it may not come
    kAccepted,    // it is appended
    kEndsBefore,  // the middle is whole without it
    kEndsInside,  // the middle is whole with a part of it, or ends before it in a word: `head`
  };
  Verdict verdict = Verdict::kRefused;
  // kEndsInside: the gap with the whole middle.
  std::optional<Gap> head = std::nullopt;
  // Of a middle that ends: by its writer, or, where lines came again, by tenon.
  Ended ended = Ended::kStop;
  // kAccepted: the middle at the end of its line that is not blank, where that lies inside the
  // piece.
  std::optional<Gap> line_end = std::nullopt;
};

class GapText {
 public:
  // REQUIRES: nothing of the middle is written yet.
  GapText(Budget budget, Goal goal, CursorText cursor);

  // Why a piece may come.
  struct Allowed {
    // The middle ends there, before the part of the piece that is R's, or comes after the block.
    // Nothing: all of it fits.
    std::optional<Gap> head = std::nullopt;
  };
  // Nothing: it may not come. REQUIRES: bytes are not empty.
  [[nodiscard]] std::optional<Allowed> Try(std::string_view bytes);
  // Judges a piece that Try allowed just now, and appends it where it is accepted.
  [[nodiscard]] Judgement Judge(std::string_view bytes, Allowed allowed);
  // Both at once.
  [[nodiscard]] Judgement Judge(std::string_view bytes);
  // Judges the end of the middle, which the writer tells: refused, or kEndsBefore, or kEndsInside
  // before or after other text (EndRules::AtWritersEnd).
  [[nodiscard]] Judgement JudgeEnd() const;
  // Is the middle a member that may end after `bytes`?
  [[nodiscard]] bool Joins(std::string_view bytes) const;
  // Judges such bytes, with which the middle ends: kEndsBefore or kEndsInside. R's text and a line
  // end are left out where it may end before them. REQUIRES: Joins(bytes).
  [[nodiscard]] Judgement JudgeJoining(std::string_view bytes) const;
  // Appends a piece, and judges no end; false: it does not fit.
  bool Accept(std::string_view bytes);
  // As WrittenMiddle says.
  bool AcceptForced(std::string_view bytes, uint32_t tokens);

  // Hears that the writer's first choice for the next piece was refused; the middle's end is an
  // empty one. Any later call before the next piece says nothing.
  void FirstChoiceRefused(std::string_view bytes);
  // The writer's first choice for the next piece was accepted, and taken back.
  void FirstChoiceIsKnown() { (void)first_choice_.Hear(); }
  // Lets the middle go on where it was held back (FirstChoice::HoldsBack).
  void LetGoOn() { first_choice_.LetGoOn(); }
  [[nodiscard]] const FirstPieces& first_pieces() const { return first_pieces_; }
  [[nodiscard]] const FirstChoice& first_choice() const { return first_choice_; }

  // Converges where it is time to, after a piece that was judged so and accepted. `end_refused`:
  // the writer would have ended the middle where it cannot end. False: as Converge.
  bool ConvergeWhereDue(const Judgement& judged, bool end_refused);
  // As Convergence::Begin.
  bool Converge() { return convergence_.Begin(middle_); }
  [[nodiscard]] bool converging() const { return convergence_.has_begun(); }

  // Is the middle at the beginning of a block, so that a writer who ends it there ends a line? So
  // it is after an opening bracket, after a colon before a line end, and where a block that
  // indentation ends has no line yet.
  [[nodiscard]] bool BeginsBlock() const;
  // Does the middle fill a block of L in lines of its own, or one of its own that indentation ends?
  // Then it does not end with its line.
  [[nodiscard]] bool FillsBlock() const { return ends_.block().IsFilledBy(middle_.text()); }

  // The middle so far, its gap and its tokens.
  [[nodiscard]] const WrittenMiddle& written() const { return middle_; }
  void GiveHealedUp() { middle_.GiveHealedUp(); }

 private:
  // May the piece not come, though the gap might take it?
  bool RulesRefuse(const NextPiece& piece) const;
  // A middle that ends there.
  Judgement EndsAt(MiddleEnd end) const;
  // The middle has grown.
  void BeginPlace();

  WrittenMiddle middle_;
  FirstPieces first_pieces_;
  FirstChoice first_choice_;  // at this place
  Convergence convergence_;
  EndRules ends_;
};

// Does a piece of these bytes write all of `healed`, and more?
[[nodiscard]] bool WritesOn(std::string_view bytes, std::string_view healed);

}  // namespace tenon::server
