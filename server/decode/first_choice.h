// The writer's first choice for the next piece, where it was refused, and the pieces that may not
// come in its place.
//
// A piece that the gap refuses tells how the writer would have gone on. Three findings hold at this
// place, until the middle grows:
//
//   word_ended   The writer's piece begins no word, so it has ended the one before it.
//   line_ended   The writer ends the middle where it cannot end, and a line ends there.
//   lacks_room   The piece would fit, were there room to close the middle after it.
//
// **A word that is written to its end.** In a file of JavaScript a model writes `return` and then
// ` state`, outside of any function. Only letters may follow there, since `returned` is a name, and
// of these `state` is the likeliest: `returnstate`. So no piece goes on in that word. Where R
// begins with a rest of a word it is not so, and neither with a goal of kText: nothing is told
// then.
//
// **A line that is written to its end.** A writer who ends the middle after a colon, before a line
// end of R, ends the line: a line end has to come. So does a writer who ends the middle after a
// statement of a block of its own; there R's brackets may follow, or another line, but no blanks:
//
//   on("exit", |);       () => {⏎  save();   and then the writer ends the middle: `⏎` or `})` may
//                                            come, ` x` may not
//
// **No room.** See server/decode/convergence.h. No piece comes then at all.
//
// Source: our own. Cost: linear in the middle, once a place. Thread rule: a value.
#pragma once

#include <string_view>
#include <utility>

#include "server/decode/written_middle.h"

namespace tenon::server {

class FirstChoice {
 public:
  // Hears one; false: another one was heard at this place, and this one is not the first.
  bool Hear() { return !std::exchange(is_heard_, true); }
  // It was the piece, or the middle's end, an empty one, and it was refused.
  void SetRefused(const WrittenMiddle& middle, std::string_view bytes, bool lacks_room);
  // From now on any piece may go on in the word or the line, or end it.
  void LetGoOn() { word_ended_ = line_ended_ = lacks_room_ = false; }

  // Would the piece go on in a word or a line that the writer has ended?
  [[nodiscard]] bool Refuses(const WrittenMiddle& middle, std::string_view bytes) const;
  // Does one of the three refuse pieces that would fit?
  [[nodiscard]] bool HoldsBack() const { return word_ended_ || line_ended_ || lacks_room_; }
  [[nodiscard]] bool word_ended() const { return word_ended_; }
  [[nodiscard]] bool line_ended() const { return line_ended_; }
  [[nodiscard]] bool lacks_room() const { return lacks_room_; }

 private:
  bool is_heard_ = false;
  bool word_ended_ = false, line_ended_ = false, lacks_room_ = false;
};

}  // namespace tenon::server
