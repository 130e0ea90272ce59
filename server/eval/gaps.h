// `tenon eval gaps`: a piece is cut out of a valid file, and the completion is compared with it.
//
// As many of each kind, `|` is the cursor and ‹› the piece:
//
//   tail     `total = pri|‹ce * tax›`     from inside a line to its end
//   inside   `total = |‹price› * tax`     inside a line: the line goes on after it
//   line     `    |‹total = price * tax›` a whole line, but for the blanks at its beginning, which
//                                         an editor writes
//   block    `run(1, |‹() => {⏎ save();⏎}›);`  the last argument of a call, with a block of several
//                                         lines. Only where it is asked for
//   body     `if a:⏎    |‹b()⏎    c()›`  all lines of a block, two to six. Only where it is asked
//                                         for
//
// The left context is the whole file before the piece, the right context the whole file after it.
//
//   answered     the completion has more than blanks
//   exact        it equals the piece, but for blanks at their ends. Of a tail and a line the
//                completion's first line is compared
//   exact any    with several candidates: one of them equals the piece
//   similarity   edit similarity of the same two texts (similarity.h); 0 without an answer
//   valid        the file parses with the whole completion in its place
//   nats         -ln p(piece) under the model alone, with the prompt of a completion
//
// Source: Bavarian et al., Efficient Training of Language Models to Fill in the Middle (2022),
// single-line and random-span infilling.
// Cost: a completion for each constraint, and a decode for each token of the piece.
// Thread rule: that of the completer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/eval/asking.h"
#include "server/eval/plan.h"

namespace tenon::server {

enum class GapKind : uint8_t { kTail, kInside, kLine, kBlock, kBody };
inline constexpr std::array kGapKinds = {GapKind::kTail, GapKind::kInside, GapKind::kLine,
                                         GapKind::kBlock, GapKind::kBody};
[[nodiscard]] const char* ToString(GapKind kind);

struct CutPiece {
  GapKind kind = GapKind::kTail;
  size_t begin_bytes = 0;
  size_t end_bytes = 0;
  bool operator==(const CutPiece&) const = default;
};

// A piece with more than blanks of a line that people type; nothing where the text has none of this
// kind.
[[nodiscard]] std::optional<CutPiece> ChoosePiece(std::string_view text, GapKind kind,
                                                  Random& random);

struct GapQuality {
  bool answered = false;
  bool exact = false;
  double similarity = 0;
};
// Of a completion for this piece.
[[nodiscard]] GapQuality Compare(GapKind kind, std::string_view piece, std::string_view completion);

using PlannedGap = Planned<CutPiece>;
// The kinds in turn. REQUIRES: there is one.
[[nodiscard]] tl::expected<std::vector<PlannedGap>, std::string> PlanGaps(
    Corpus& corpus, size_t count, const std::vector<GapKind>& kinds, uint64_t seed);

// The name of its place and {"kind", "piece", "bytes", "nats", "answers": {constraint: {"answered",
// "exact", "exact_any", "similarity", "valid", "text", "line_sureness", "ended", "tokens", "ms",
// "reason"}}}.
// `nats` is null, and "no_nats" says why, where the model gives none.
[[nodiscard]] nlohmann::json AskAboutGap(const Asker& asker, const PlannedGap& gap,
                                         const Language& language,
                                         const std::vector<ConstraintMode>& constraints);

}  // namespace tenon::server
