// Where a middle ends: the rules, in their order. The first one that finds an end holds.
//
// They are asked at one of four moments. In the examples the cursor is `|`, and M is the middle so
// far.
//
// **1. A piece does not fit into the gap** (BeforeMisfit). It may still say where the middle ends:
//
//   before R                       print(|)      M `name`, piece `s)`: R's `)` would come twice. M
//                                                becomes `names`
//   before a line further left     def f():      M `return 1`, piece `⏎x`, a line after the block.
//                                    |           M stays `return 1`
//   before a comma too many        [⏎  |⏎]       M `2,`, piece `⏎]`: where no comma may stand
//                                                there, M becomes `2`
//
// **2. A piece fits, and is to be appended** (InPiece). T is the middle with the piece, before the
// piece's first line end:
//
//   before R                       s.Tr|(a)      M `im`, piece `Left(b`: R has arguments. M becomes
//                                                `imLeft`
//   before a line further left     as above
//   T ends with R's rest of a word log_|me, b    T `time`. M becomes `ti`
//   T begins to repeat lines                     server/decode/repeated_text.h
//   T may end                      x = |         T `1`. M becomes `1`
//   T closes R's brackets          f(g(|));      T `a)) + (1 + (`. M becomes `a`
//   T ends with signs before words set a = |     T `2;` before ` where b;` in R's line: those words
//                                                belong to this statement. M becomes `2`
//   the piece repeats a stretch                  server/decode/repeated_text.h
//
// **3. The writer ends the middle** (AtWritersEnd):
//
//   before R's rest of a word      log_|me, b    M `time` becomes `ti`
//   before R's next line           from t |      M `where a order by b;` becomes `where a` before a
//                                                line `order by b;`
//   before a comma too many        [⏎  |⏎]       M `2,` becomes `2`
//   M may end                      f(|)          M `a` stays
//   with what is closed ahead      """|"""       M `A cache.` becomes `A cache."""`: the writer is
//                                                not shown the quotes that the editor has closed
//   before R's brackets            f(g(|));      M `a)) + 1` becomes `a`
//
// **4. A piece makes a converging middle a member** (JoiningIn). The middle ends before R; before
// the piece's first line end, where it may end there; or after all of the piece.
//
// A middle does not end with its line where it fills a block (server/decode/filled_block.h) or the
// line opens one. A goal of kText knows the writer's end alone. Texts in which ends are found are
// known to three parts: LeftBrackets, RightText and FilledBlock.
//
// Source: our own. Cost: linear in the middle and the piece; a check of the gap for each end that
// is tried. Thread rule: that of the middle.
#pragma once

#include <optional>
#include <string_view>

#include "server/decode/filled_block.h"
#include "server/decode/left_brackets.h"
#include "server/decode/repeated_text.h"
#include "server/decode/right_text.h"
#include "server/decode/written_middle.h"

namespace tenon::server {

class EndRules {
 public:
  // REQUIRES: nothing of the middle is written yet.
  explicit EndRules(const WrittenMiddle& begun);

  // The findings of a piece that fits.
  struct InPieceFound {
    std::optional<MiddleEnd> end = std::nullopt;
    // The middle does not end. At the end of its line that is not blank, where that lies inside the
    // piece.
    std::optional<Gap> line_end = std::nullopt;
    bool opens_block = false;  // that line
  };

  // `converging`: no line is to end a block then.
  [[nodiscard]] std::optional<Gap> BeforeMisfit(const WrittenMiddle& middle, const NextPiece& piece,
                                                bool converging) const;
  [[nodiscard]] InPieceFound InPiece(const WrittenMiddle& middle, const NextPiece& piece,
                                     bool converging) const;
  [[nodiscard]] std::optional<Gap> AtWritersEnd(const WrittenMiddle& middle) const;
  // REQUIRES: the middle may end after the piece.
  [[nodiscard]] std::optional<Gap> JoiningIn(const WrittenMiddle& middle,
                                             const NextPiece& piece) const;

  [[nodiscard]] const LeftBrackets& left_brackets() const { return left_brackets_; }
  [[nodiscard]] const RightText& right() const { return right_; }
  [[nodiscard]] const FilledBlock& block() const { return block_; }
  // From now on the middle fills the block that it opens with its last line.
  void OpenBlock(std::string_view text) { block_.Open(text); }

 private:
  // Before the part of the piece that writes into R. `fits`: the piece might come as well.
  std::optional<Gap> BeforeRight(const WrittenMiddle& middle, const NextPiece& piece,
                                 bool fits) const;
  // At the end of the block's last line, where the piece begins a line after the block.
  std::optional<Gap> BeforeLessIndented(const WrittenMiddle& middle, const NextPiece& piece,
                                        bool converging) const;
  // Before the comma with which the middle ends, where it may not end with it.
  std::optional<Gap> BeforeComma(const WrittenMiddle& middle, const NextPiece& piece) const;
  // The findings about the line that ends in the piece: `line_end` is the gap before its end.
  InPieceFound InLine(const WrittenMiddle& middle, Gap line_end) const;
  // May the middle end at `line_end`, before a line end?
  bool MayEndLineAt(const WrittenMiddle& middle, const Gap& line_end) const;
  // Before R's rest of a word, with which `text` ends.
  std::optional<Gap> BeforeRestOfWord(const WrittenMiddle& middle, std::string_view text) const;
  // Before R's next line, which the middle ends writing after other text of its own line.
  std::optional<Gap> BeforeNextLine(const WrittenMiddle& middle) const;
  // Before the brackets that `text` closes in the place of R's line.
  std::optional<Gap> BeforeRightsBrackets(const WrittenMiddle& middle, std::string_view text) const;
  // Before the signs at the end of `text`, where R goes on with words in the cursor's line. Nothing
  // where the text has an open bracket.
  std::optional<Gap> BeforeSigns(const WrittenMiddle& middle, std::string_view text) const;
  // After the brackets and quotes that the editor has closed ahead, or the last of them.
  std::optional<Gap> WithClosedAhead(const WrittenMiddle& middle) const;

  LeftBrackets left_brackets_;
  RightText right_;
  FilledBlock block_;
};

}  // namespace tenon::server
