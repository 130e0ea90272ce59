// Writes the middle of a gap from the text that a server streams, judged piece by piece.
//
// The server knows nothing of the constraint. While its text fits it is taken as it comes. At a
// piece that the gap refuses the stream is dropped, the text before it stays, and a *repair* comes:
//
//   1. the middle may end here: it does
//   2. the likeliest alternative that the server has shown there, and that fits, is taken; after a
//      word that the refused piece has ended (server/decode/first_choice.h) one that does not go on
//      in it, or one in the whole word's place
//   3. else the longest beginning of the refused piece that fits and cuts no word
//   4. else the text that the constraint forces
//   5. else the closing text ends the middle
//
// After 2 to 4 the server is asked to write on after the text so far. Example, for `x = f(a|, b)`,
// where the server was asked once and has shown alternatives:
//
//   stream    `)`, else `[` .2, `.` .1      `x = f(a), b)` is no code: `)` is refused
//   repair    the middle is blank: it may not end. `[` fits
//   request   after `[`: `0`, `]`, `)`     the middle ends before `)`: `[0]`
//
// Where the server ends a middle that may not end, a short closing text ends it at once; else the
// repair begins at 2. A middle converges as in server/decode/decoder.h: from then on the likeliest
// piece that makes it a member ends it. Where nothing but the budget refuses a piece, or the length
// to which the middle converges, no repair helps, and the closing text ends it. So it does after
// kMaxRequests requests.
//
// So a middle is a member of the gap whatever the server sends, and its tokens with the closing
// text are within the budget. The text that is judged is the bytes of the stream: the server's
// tokenizer is never known.
//
// **Healing.** Where the text has healed text (server/decode/written_middle.h), the prompt lacks
// it, and the stream has to begin with it. A server that writes something else is shown it, and
// asked again.
//
// Each piece that is taken leaves *branches*: the alternatives that the server has shown in its
// place. Another middle may begin with one of them (streamed_candidates.h).
//
// Source: as decoder.h. Cost: a judgement for each piece. Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "server/decode/decoder.h"
#include "server/decode/gap_text.h"
#include "server/remote/text_stream.h"

namespace tenon::server {

inline constexpr int kMaxRequests = 4;

// A middle so far, and an alternative that the server has shown for its next token.
struct StreamedBranch {
  // The middle before `next`, with its likelihood by the model.
  struct Beginning {
    GapText text;
    std::string healed;  // all of the text that the prompt lacks
    std::vector<TokenNats> nats;
  };
  std::shared_ptr<const Beginning> before;
  ShownText next;
  double nats = 0;  // of the beginning and `next`
};

// The error: the server fails. `branches` gets those of the middle; may be null.
// REQUIRES: the budget is feasible.
[[nodiscard]] tl::expected<DecodeResult, StreamFault> DecodeStreamed(
    GapText text, TextSource& source, const DecodeLimits& limits,
    std::vector<StreamedBranch>* branches = nullptr);
// The middle that begins so. It is not closed where its next text does not fit.
[[nodiscard]] tl::expected<DecodeResult, StreamFault> DecodeBranch(const StreamedBranch& branch,
                                                                   TextSource& source,
                                                                   const DecodeLimits& limits);

}  // namespace tenon::server
