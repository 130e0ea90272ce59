// Notes: facts that a computation collects beside its answer, and the scopes that collect them.
//
// Example: an answer about a parser stack is remembered together with the depth down to which it
// looked. The arena of stacks notes the depth while it answers, and a scope around the question
// collects it:
//
//   NoteScope reads(stacks.reads());
//   const bool fits = mover.BeginsLine(at);
//   known = {fits, reads.notes()};
//
// Scopes nest: when an inner scope ends, its notes belong to the outer one as well.
//
// Cost: two copies of a few bytes. Thread rule: that of the log.
#pragma once

#include <utility>

namespace tenon::constraint {

// `Notes` is a value that says "nothing" when it is made, with Note(Notes) to join others to it.
template <typename Notes>
class NoteScope {
 public:
  explicit NoteScope(Notes& log) : log_(log), outer_(std::exchange(log, Notes{})) {}
  ~NoteScope() { log_.Note(outer_); }
  NoteScope(const NoteScope&) = delete;
  NoteScope& operator=(const NoteScope&) = delete;

  // The notes since this scope began.
  const Notes& notes() const { return log_; }

 private:
  Notes& log_;
  const Notes outer_;
};

}  // namespace tenon::constraint
