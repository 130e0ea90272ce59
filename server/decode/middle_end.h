// The ends of a middle: how the text that was decoded so far becomes a result.
//
// Example: the middle is `total + (price * cou` when its time is over. The longest beginning at
// which it may end and which cuts no word is `total`; so the result is `total`, ended by "time".
// Had its tokens run out instead, the closing text would follow: `total + (price * cou)`, ended by
// "witness".
//
// Where the middle has an open block it is cut back to the last line of the block from which signs
// alone close it: of
//
//   () => {
//     save();
//     const id = set
//
// the first two lines and a `}` are left. No statement is cut then. So it is where the middle is
// the inside of a block of L.
//
// Cost: an end at a beginning copies text; a closing text is searched where none is known. Thread
// rule: that of the gap.
#pragma once

#include <cstdint>
#include <vector>

#include "server/decode/decoder.h"
#include "server/decode/gap_text.h"

namespace tenon::server {

// A middle in the making. REQUIRES: text and nats live as long.
struct MiddleSoFar {
  const GapText& text;
  const std::vector<TokenNats>& nats;  // of the tokens that the model wrote
  DecodeStatistics statistics;
};

// No middle.
[[nodiscard]] DecodeResult NoMiddle(const DecodeStatistics& statistics);
// No middle, since nobody waits for it any more.
[[nodiscard]] DecodeResult Cancelled(const DecodeStatistics& statistics);
// As it is at `at`, after so many tokens.
[[nodiscard]] DecodeResult EndedAt(const MiddleSoFar& middle, const Gap& at, Ended ended,
                                   uint32_t tokens);
// With its closing text, where it needs one; no middle where none is known.
[[nodiscard]] DecodeResult Closed(const MiddleSoFar& middle, Ended ended);
// Its tokens are spent: as it is where it may end, or where it has no budget; else cut back to a
// line of its blocks; else with its closing text. In a block of L, first cut back to a line.
[[nodiscard]] DecodeResult Spent(const MiddleSoFar& middle);
// Cuts the word with which a middle ends whose time is over, and which no gap judges: whether the
// word goes on is not known. It stays where nothing else is in the middle.
void CutWordAtEnd(DecodeResult& result);
// Its time is over: cut back to the last of `beginnings` at which it may end and which cuts no
// word, or to a line of its blocks, if that is longer or the block is L's; else to the last one
// that cuts no word and that signs close; else with its closing text, where that writes no word:
// nobody drew one.
[[nodiscard]] DecodeResult CutByTime(const MiddleSoFar& middle,
                                     const std::vector<MiddleBeginning>& beginnings);

}  // namespace tenon::server
