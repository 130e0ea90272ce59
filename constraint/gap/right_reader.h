// R read after known parser stacks, lexeme by lexeme to its end: is it accepted?
//
// Example: L M = `foo(a` and R = `) + b`. One reading is alive, the stack over `foo(a`. It takes
// `)`, `+` and `b`, and the parser accepts the end of the text after them. With R = `)) + b` no
// reading is left after the second `)`.
//
// Complications, one at a time:
// - *Modes.* The modes decide which lexeme is next. Readings with another stack of modes than the
//   first one read the rest of R on their own.
// - *Lexemes read apart* (`%apart`). Readings may differ in their lexemes, and so in how far they
//   have come. In `await /a/.b` a name `await` is followed by `/`, an operator by `/a/`. The
//   reading that has come least far continues. Where two have come equally far in the same mode,
//   they are read together again.
// - *Checkpoints.* Completions of one gap come to the same places of R with the same stack. At some
//   of them RightSide's memo is looked up, and the answer is remembered for those passed.
// - *Ambiguity.* More than kMaxBranches readings are given up, as in BranchMover.
//
// Source: docs/design/viability.md; TextReader (reading/text_reader.h) reads a whole text likewise.
// Cost: a memoised shift for each reading and lexeme, up to a checkpoint that the memo knows.
// Thread rule: that of the right side.
#pragma once

#include <cstddef>
#include <vector>

#include "constraint/gap/right_side.h"
#include "constraint/lex/lex.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

class RightReader {
 public:
  // Reads R from `offset` on, which lies between two lexemes of R. `readings`: of the text before
  // it.
  RightReader(RightSide& right, Seam seam, std::vector<Between> readings, size_t offset);
  RightReader(const RightReader&) = delete;
  RightReader& operator=(const RightReader&) = delete;

  // Is the rest of R accepted after one of the readings? REQUIRES: called once.
  bool Accepts();

 private:
  // Readings of R whose lexemes are others than those of `readings_` (`%apart`).
  struct Beside {
    size_t offset = 0;
    std::vector<Between> readings;
  };

  // Drops the readings after which the middle may not end.
  void DropUnfinished();
  bool ReadToEnd();
  // Makes `readings_` the readings that have come least far, and in one mode.
  void TakeLeastFar();
  // Is the end of the text accepted after one of `readings_`?
  bool AcceptsEnd();
  // Reads R with the readings whose modes are not those of the first one, and drops them. True: one
  // of them accepts.
  bool OtherModesAccept();
  // Moves `readings_` over their next lexeme, which is returned. kNoLexeme: none matches.
  LexemeId ReadLexeme();
  // Where `readings_` are at the beginning of a line: counts the blanks of R up to `end`.
  void MoveColumns(size_t end);
  // What `readings_` become by the lexeme.
  std::vector<Between> After(const Lexer::Match& lexeme);
  // Does the memo say that the one reading left after the lexeme `last` accepts the rest of R?
  // False also where the memo says nothing; where it says no, the reading is dropped.
  bool KnownToAccept(LexemeId last);
  // Is a single reading left at a checkpoint, after a parsed lexeme `last`? In a grammar with
  // layout it is one outside of brackets, and `last` a line end.
  bool MemoApplies(LexemeId last) const;

  RightSide& right_;
  const Seam seam_;
  BranchMover& mover_;
  const Lexer& lexer_;
  std::vector<Between> readings_;  // those alive at offset_
  size_t offset_;                  // in R
  std::vector<Beside> beside_;     // the other readings that are alive
  // The checkpoints passed while a single stack was alive. The memo gets them with the answer.
  std::vector<RightSide::Checkpoint> passed_;
};

}  // namespace tenon::constraint
