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
// At the beginning, in `[|]`, the bracket `]` says that nothing is missing. It is refused, as the
// middle's end is there: what is asked for is a text, and none that opens the bracket again. So it
// is where R's bracket stands in a later line. Where such a piece is the writer's first choice the
// text is *unneeded*: unasked it is shown only where the model is sure (server/request/sureness.h).
// In an empty block a text is always needed.
//
// The rules have three parts of their own:
//
//   LeftBrackets  server/decode/left_brackets.h  the brackets of L that a middle may close
//   RightText     server/decode/right_text.h     the middle ends where a piece writes R
//   FilledBlock   server/decode/filled_block.h   blocks that indentation ends, or that L begins
//
// **The left end.** A middle may begin with text that is written already, the *healed* text: in
// `print(nam|)` it is `nam`. The first pieces must reproduce it before anything new comes.
//
// **The cursor's column.** Below `return x` a cursor in a blank line that is indented less
// (IsIndentedLess, server/request/blocks.h) asks for `}`, or for the code after the block; a
// model may go on in the block. There a middle begins with no blanks. Where the language lets no
// line begin in the cursor's column, blanks may come.
//
// **The file's first line.** Above the code of a file people write imports, and models have read
// licences there. So a middle begins with code: with no comment, blank line or blanks.
//
// **Closed ahead.** In `"""|"""` the writer is not shown the quotes that the editor has closed. One
// that ends the middle before them, after `A cache.`, has meant them: the middle is `A cache."""`.
//
// **A word that is written to its end.** In a file of JavaScript a model writes `return` and then
// ` state`, outside of any function. Only letters may follow there, since `returned` is a name, and
// of these `state` is the likeliest: `returnstate`. So a writer whose next piece begins no word,
// and is refused, has ended the word before it: no other piece goes on in that word. Where R begins
// with a rest of a word it is not so, and neither with a goal of kText.
//
// **No room.** Near its end a middle `/** Of the fi` may have room for `*/` alone, where its writer
// goes on with `rst`. Nobody has meant a word that is cut there, so no piece may come then: the
// word is taken back, and the middle ends before it. In a block, too, no piece comes in place of
// one for which the tokens are too few: the middle is cut back to a line. Nor does one where words
// have to close the middle: nobody means those for which there is room. Neither does a converging
// middle join R in a word in which the writer goes on.
//
// **Line ends.** A piece that begins a new line ends the middle before that line where the middle
// may end there, but for a goal of kText. Where words of R follow in the cursor's line it may end
// before the signs at the line's end, too: of `2;⏎delete` the middle `2` in `set a = | where b;`.
//
// **Coming to an end.** Few places join a right context that goes on in the middle of a line, and a
// small model does not find them by itself. Example: `total = |, tax)` needs an open bracket, and
// the model writes one line after another. So the middle *converges* once its first line is over
// or kMaxFreeTokens are drawn: only pieces stay allowed then after which it can still be closed
// within a few bytes. Where R begins with a line end, many places join it. There the middle
// converges only where the writer would end it and it cannot end, or kMaxFreeTokens are blanks, or
// where R lacks nothing but the bracket of a list: after a line `GREEN = 2,` more lines might
// come for ever.
//
// **Blocks.** In `on("exit", |);` the model writes `() => {` and then the lines of a block. There
// it says that the middle ends, or begins a line, and the middle is not to end yet. While a block
// of its own is open (server/request/blocks.h), or it fills one (server/decode/filled_block.h), the
// middle converges only where the writer would end it after a line of the block; the line has ended
// then, and R's brackets may follow, or another line, but no blanks. The ends of the block's lines
// are kept: a middle that is cut short is cut back to one of them (server/decode/middle_end.h). A
// writer who ends the middle after a colon, before a line end of R, ends the line: a line end has
// to come.
//
// **Lines again and again.** A writer that has nothing to say may write some lines a second time,
// and then a third time. The middle ends before their repetition (server/request/repetition.h), and
// before the sign that would join it: before the last `.` of `add(a).` in a chain. Brackets that
// stand open are closed. So it is within a line, as with `f(1, 0, 0, 0, 0`.
//
// A *goal* says which kind of text the middle becomes, and so where it may end.
//
// Cost: a check costs what Budget::Check does; a judgement reuses the check before it.
// Thread rule: one thread at a time, for all copies. A copy is a fork.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/decode/cursor_text.h"
#include "server/decode/filled_block.h"
#include "server/decode/left_brackets.h"
#include "server/decode/right_text.h"
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

// The middle after some of its pieces.
struct MiddleBeginning {
  Gap gap;
  uint32_t drawn = 0;  // tokens
};

// With this many tokens a middle of the goal kJoin converges before the rest of a line
// (GapText::ConvergeWhereDue). With 12 tokens fewer lines are right (docs/tried.md).
inline constexpr uint32_t kMaxFreeTokens = 32;
// Bytes that a converging middle may write beyond the text that was the cheapest to close the gap
// when it began to converge. Example: in `total = |, tax)` the text `f(a` closes the gap, so the
// middle may have 16 bytes. With 4 or 40 bytes no more lines are right (docs/tried.md).
inline constexpr size_t kMaxSlackBytes = 12;

// So many pieces a converging middle tries at one place after which it would become too long. Each
// costs a search. The likeliest pieces are tried first; after the last try the closing text ends
// the middle.
inline constexpr int kMaxTooLong = 128;

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
  // before R's next line, the rest of a word that R ends, a comma too many, or R's brackets.
  [[nodiscard]] Judgement JudgeEnd() const;
  // Hears that the writer's first choice for the next piece was refused; the middle's end is an
  // empty one. Any later call before the next piece says nothing.
  void FirstChoiceRefused(std::string_view bytes);
  // The writer's first choice for the next piece was accepted, and taken back.
  void FirstChoiceIsKnown() { place_.choice_refused = true; }
  // Was the writer's first choice for the middle its end, or R's text, where R joins L without one?
  [[nodiscard]] bool unneeded() const { return unneeded_; }
  // Does the middle begin with a bracket that L lacks, since the writer begins a line further left?
  [[nodiscard]] bool begins_with_bracket() const { return begins_with_bracket_; }
  // Has the writer ended a word at the middle's end, so that no piece goes on in it?
  [[nodiscard]] bool word_ended() const { return place_.word_ended; }
  // Would the writer's first choice, in a word or a block, make the middle too long to close it?
  [[nodiscard]] bool lacks_room() const { return place_.lacks_room; }
  // Does the text left of the next piece, the middle's or L's, end in a word?
  [[nodiscard]] bool EndsInWord() const;
  // Has the writer ended the line, so that no piece goes on in it? The writer ends the middle
  // there, where it cannot end: after a colon, where a line end follows in R, or after a statement
  // of a block of the middle, where brackets may follow.
  [[nodiscard]] bool line_ended() const { return place_.line_ended; }
  // Does one of these three refuse pieces that would fit?
  [[nodiscard]] bool HoldsBack() const {
    return place_.word_ended || place_.line_ended || place_.lacks_room;
  }
  // From now on, until the next piece, any piece may go on in the word or the line, or end it.
  void LetGoOn() { place_.word_ended = place_.line_ended = place_.lacks_room = false; }
  // Does the text end in a word in which the piece would go on?
  [[nodiscard]] bool GoesOnInWord(std::string_view bytes) const;
  // Would the piece begin the word with which the text ends then?
  [[nodiscard]] bool BeginsLastWord(std::string_view bytes) const;
  // Appends a piece, and judges no end; false: it does not fit.
  bool Accept(std::string_view bytes);
  // Appends forced text of so many tokens; false: it does not fit, and nothing has changed.
  // REQUIRES: no healed text is left.
  bool AcceptForced(std::string_view bytes, uint32_t tokens);
  // May the middle end here?
  [[nodiscard]] bool MayEnd() const { return healed_.empty() && MayEndAt(gap()); }
  // May it end at `gap`: within a piece, or before some of those written? The healed text must lie
  // before that end.
  [[nodiscard]] bool MayEndAt(const Gap& gap) const;
  // Is the middle a member that may end after `bytes`?
  [[nodiscard]] bool Joins(std::string_view bytes) const;
  // Judges such bytes, with which the middle ends: kEndsBefore or kEndsInside. R's text and a line
  // end are left out where it may end before them. REQUIRES: Joins(bytes).
  [[nodiscard]] Judgement JudgeJoining(std::string_view bytes) const;
  // Is the middle at the beginning of a block, so that a writer who ends it there ends a line? So
  // it is after an opening bracket, after a colon before a line end, and where a block that
  // indentation ends has no line yet.
  [[nodiscard]] bool BeginsBlock() const;

  // Converges where it is time to, after a piece that was judged so and accepted. `end_refused`:
  // the writer would have ended the middle where it cannot end. False: as Converge.
  bool ConvergeWhereDue(const Judgement& judged, bool end_refused);
  // From now on a piece is allowed only if the middle after it can still be closed within the bytes
  // of the cheapest closing text of now and kMaxSlackBytes. False: the middle cannot be closed as
  // it is.
  bool Converge();
  [[nodiscard]] bool converging() const { return max_bytes_.has_value(); }
  // The ends of the middle's lines in blocks of its own, or in one of L; those at which the middle
  // may end apart.
  [[nodiscard]] const std::vector<MiddleBeginning>& block_lines() const { return block_lines_; }

  [[nodiscard]] const Budget& budget() const { return budget_; }
  [[nodiscard]] const Gap& gap() const { return budget_.gap(); }  // with the middle so far
  [[nodiscard]] Goal goal() const { return goal_; }
  [[nodiscard]] const std::string& right_line() const { return cursor_->right_line; }
  [[nodiscard]] const std::string& healed() const { return healed_; }  // still to be reproduced
  // The writer does not reproduce it: the middle begins after it. REQUIRES: nothing is written.
  void GiveHealedUp() { healed_.clear(); }
  // Does the middle fill a block of L in lines of its own, or one of its own that indentation ends?
  // Then it does not end with its line.
  [[nodiscard]] bool FillsBlock() const { return block_.IsFilledBy(gap().middle()); }

 private:
  // Findings about the place after the middle, until the middle grows.
  struct Place {
    bool choice_refused = false;  // the writer's first
    bool word_ended = false, line_ended = false, lacks_room = false;
    int too_long = 0;  // pieces that were
  };

  // May the middle end at `gap`, before a line end?
  bool MayEndLineAt(const Gap& gap) const;
  // Do the rules above refuse the piece, though the gap might take it?
  bool RulesRefuse(std::string_view bytes) const;
  // Would the piece end within the cursor's blanks, where no token before code does
  // (CursorText::healed_stops)?
  bool CutsIndentation(std::string_view bytes) const;
  // Does a writer of the piece begin a line further left than the cursor?
  bool BeginsFurtherLeft(std::string_view bytes) const;
  // Would the piece begin the middle with code, where its first sign is a bracket
  // (begins_with_bracket)?
  bool DelaysBracket(std::string_view bytes) const;
  // Would the piece begin the middle right of the column in which it has to begin?
  bool BeginsDeeper(std::string_view bytes) const;
  // Would the file begin with blank lines or a comment then, above the code of R?
  bool BeginsFileWithoutCode(std::string_view bytes) const;
  // Would the piece go on in a word or a line that the writer has ended?
  bool GoesOnWhereEnded(std::string_view bytes) const;
  // Would the piece fit, were there room to close the middle after it, and does a piece in its
  // place cut a word or a block, or begin words that nobody means?
  bool LacksRoom(std::string_view bytes);
  // Does a writer whose first choice is the piece say that no middle is needed? The middle's end,
  // an empty piece, does, and R's text, or fewer blanks than the cursor's, where nothing is written
  // yet.
  bool SaysNothingIsMissing(std::string_view bytes) const;
  // Does the piece begin the middle with R's closing bracket, where no middle is needed?
  bool ClosesRightsBracket(std::string_view bytes) const;
  // Would the middle close more brackets of L than it may?
  bool ClosesTooMuch(std::string_view bytes) const;
  bool Fits(std::string_view bytes);
  // The gap before the part of the piece that writes into R, where the middle may end there.
  std::optional<Gap> HeadBeforeRight(std::string_view bytes, bool fits) const;
  // The gap after the bytes of the piece before its first line end; nothing where it has none, or
  // where the bytes do not fit.
  std::optional<Gap> HeadBeforeLineEnd(std::string_view bytes) const;
  // The gap at the end of the block's last line, where the piece begins a line after the block and
  // the middle may end there.
  std::optional<Gap> HeadBeforeLessIndented(std::string_view bytes) const;
  // Before the signs at the end of the middle's line, where R goes on with words in the cursor's
  // line: those belong to that line, and none to a second one. Nothing where the middle may not end
  // there, or has an open bracket. Example: `2;` before ` where a = 1;`.
  std::optional<Gap> HeadBeforeSigns(std::string_view middle) const;
  // The gap before the brackets that the middle closes in the place of R's line, where it may end
  // there. Nothing: it closes none such.
  std::optional<Gap> HeadBeforeRightsBrackets(std::string_view middle) const;
  // The gap after the brackets and quotes that the editor has closed ahead, or the last of them,
  // where the middle may end with them: the writer is not shown those, and ends before them.
  std::optional<Gap> WithClosedAhead() const;
  // The gap before the comma with which the middle ends, where it may not end with it.
  std::optional<Gap> HeadBeforeComma(std::string_view bytes) const;
  // The gap before the first line end in `bytes`, where the middle may end there.
  std::optional<Gap> EndBeforeLineEnd(std::string_view bytes) const;
  // The gap before R's rest of a word, with which this middle ends.
  std::optional<Gap> WithoutRestOfWord(std::string_view middle) const;
  // The gap at the first of these sizes of the middle with the piece at which the middle may end.
  std::optional<Gap> FirstHeadAt(const NextPiece& piece, const std::vector<size_t>& sizes) const;
  // The gap after `size` bytes of `text`, the middle with a piece, where the middle may end there
  // within its tokens.
  std::optional<Gap> HeadAt(std::string_view text, size_t size) const;
  // The end before the lines with which the middle begins to repeat itself, where it may end there
  // or with what EndWith does.
  std::optional<Judgement> EndBeforeRepetition(const Gap& line_end) const;
  // The same before a stretch of a line that comes again and again with the piece.
  std::optional<Judgement> EndBeforeStutter(std::string_view bytes) const;
  // A middle that is no more than `middle`, without the sign or the words at its end that would
  // join what follows (`and not`), and with the brackets that close it; without comments at its end
  // where it may not end with them. Nothing: it may not end so.
  std::optional<Judgement> EndWith(std::string_view middle) const;
  // The same with all of the middle's comments.
  std::optional<Judgement> EndWithAll(std::string_view middle) const;
  // A middle that ends at `head`.
  Judgement EndsAt(Gap head) const;
  // Is the middle at a colon, outside of its brackets, and a line end in R?
  bool EndsLineWithColon() const;
  // Is it at the end of a line of a block of its own, where a statement may end?
  bool EndsBlockLine() const;
  // The piece after the middle; nothing where it does not reproduce the healed text.
  std::optional<NextPiece> Next(std::string_view bytes) const;
  // Appends to the middle outside of the budget: for looking ahead.
  std::optional<Gap> After(std::string_view bytes) const;

  Budget budget_;
  Goal goal_;
  std::string healed_;
  std::shared_ptr<const CursorText> cursor_;  // without an R that is no use to the goal
  std::shared_ptr<const Gap> begun_;          // as it was made
  bool begins_in_column_;                     // the middle, that of the cursor
  LeftBrackets left_brackets_;
  RightText right_;
  FilledBlock block_;
  std::vector<MiddleBeginning> block_lines_;
  // Of the middle with its closing text; set once the middle has to come to its end.
  std::optional<size_t> max_bytes_;
  bool unneeded_ = false;  // the whole middle
  bool begins_with_bracket_ = false;
  Place place_;
};

// Does a piece of these bytes write all of `healed`, and more?
[[nodiscard]] bool WritesOn(std::string_view bytes, std::string_view healed);

}  // namespace tenon::server
