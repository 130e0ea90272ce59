#include "server/decode/middle_end.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/decode/closing_signs.h"
#include "server/request/blocks.h"

namespace tenon::server {

namespace {

// Beginnings of a middle that are tried for a closing text of signs; a search each.
constexpr int kMaxTried = 6;

// The middle up to `at`, and the signs that close it; nothing where words have to, or where the
// tokens are too few.
std::optional<DecodeResult> ClosedBySigns(const MiddleSoFar& middle, const MiddleBeginning& at,
                                          Ended ended) {
  const Gap& gap = at.gap;
  const auto closing = ClosingSigns(gap);
  if (!closing || at.drawn + gap.CountTokens(*closing) > middle.text.written().budget().tokens())
    return std::nullopt;
  DecodeResult closed{.middle = gap.middle() + *closing,
                      .ended = ended,
                      .tokens = static_cast<int>(at.drawn),
                      .closing_bytes = closing->size(),
                      .closed = true,
                      .whole = true,
                      .unneeded = middle.text.first_pieces().unneeded(),
                      .statistics = middle.statistics,
                      .nats = NatsWithin(middle.nats, gap.middle().size())};
  if (!OnlyCloses(*closing)) closed.nats.push_back({closed.middle.size(), kNobodyDrew});
  return closed;
}

// The middle up to a line of its blocks, closed by signs; nothing where none is such a line. A line
// at which a statement may end comes before any other.
std::optional<DecodeResult> CutToLine(const MiddleSoFar& middle, Ended ended) {
  const std::vector<MiddleBeginning>& lines = middle.text.written().block_lines();
  int searches = 0;
  for (const bool any : {false, true}) {
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      if (MayEndStatement(line->gap.middle()) == any) continue;
      if (++searches > kMaxTried) return std::nullopt;
      if (auto closed = ClosedBySigns(middle, *line, ended)) return closed;
    }
  }
  return std::nullopt;
}

// Does the beginning end in a word, of which the middle may have more?
bool CutsWord(const MiddleSoFar& middle, const MiddleBeginning& at) {
  const std::string& written = middle.text.written().gap().middle();
  const size_t size = at.gap.middle().size();
  return EndsInWord(at.gap.middle()) && (size == written.size() || IsWordByte(written[size]));
}

// The last of the beginnings at which the middle may end, and which cuts no word; null: there is
// none.
const MiddleBeginning* LastEnd(const MiddleSoFar& middle,
                               const std::vector<MiddleBeginning>& beginnings) {
  const auto at = std::find_if(
      beginnings.rbegin(), beginnings.rend(), [&middle](const MiddleBeginning& beginning) {
        return !beginning.gap.middle().empty() && !CutsWord(middle, beginning) &&
               middle.text.written().MayEndAt(beginning.gap);
      });
  return at == beginnings.rend() ? nullptr : &*at;
}

// The last of the beginnings that signs close, where a statement may end and no word is cut.
// Nothing: none of the last ones is such, or the middle is not open.
std::optional<DecodeResult> ClosedAtStatement(const MiddleSoFar& middle,
                                              const std::vector<MiddleBeginning>& beginnings) {
  if (middle.text.written().goal() != Goal::kJoin || middle.text.written().MayEnd())
    return std::nullopt;
  int searches = 0;
  for (auto at = beginnings.rbegin(); at != beginnings.rend(); ++at) {
    const std::string& kept = at->gap.middle();
    if (WritesNoWord(kept) || !MayEndStatement(kept) || CutsWord(middle, *at)) continue;
    if (++searches > kMaxTried) return std::nullopt;
    if (auto closed = ClosedBySigns(middle, *at, Ended::kTime)) return closed;
  }
  return std::nullopt;
}

// The middle with its closing text; no middle where that writes a word, which nobody drew. A text
// that is written on may have one.
DecodeResult ClosedWithoutWords(const MiddleSoFar& middle) {
  DecodeResult closed = Closed(middle, Ended::kTime);
  const size_t kept_bytes = closed.middle.size() - closed.closing_bytes;
  const std::string_view kept = std::string_view(closed.middle).substr(0, kept_bytes);
  const std::string_view closing = std::string_view(closed.middle).substr(kept_bytes);
  if (middle.text.written().goal() != Goal::kText && !WritesNoWord(closing)) {
    closed = NoMiddle(middle.statistics);
    closed.ended = Ended::kTime;
    return closed;
  }
  // The model may have had more of the word to write.
  if (EndsInWord(kept)) closed.nats.push_back({closed.middle.size(), kNobodyDrew});
  return closed;
}

}  // namespace

DecodeResult NoMiddle(const DecodeStatistics& statistics) { return {.statistics = statistics}; }

DecodeResult Cancelled(const DecodeStatistics& statistics) {
  return {.cancelled = true, .statistics = statistics};
}

DecodeResult EndedAt(const MiddleSoFar& middle, const Gap& at, Ended ended, uint32_t tokens) {
  const GapText& text = middle.text;
  const bool closes_blocks =
      !text.written().block_lines().empty() || text.first_pieces().begins_with_bracket();
  return {.middle = at.middle(),
          .ended = ended,
          .tokens = static_cast<int>(tokens),
          .closing_bytes = closes_blocks && !text.FillsBlock() ? ClosersAtEnd(at.middle()) : 0,
          .closed = true,
          .whole = at.Member(),
          .unneeded = middle.text.first_pieces().unneeded(),
          .statistics = middle.statistics,
          .nats = NatsWithin(middle.nats, at.middle().size())};
}

DecodeResult Closed(const MiddleSoFar& middle, Ended ended) {
  const Budget& budget = middle.text.written().budget();
  if (!budget.feasible()) return NoMiddle(middle.statistics);
  Budget::Finished end = budget.Finish();
  const std::string& written = middle.text.written().gap().middle();
  const auto kept = static_cast<size_t>(
      std::mismatch(end.middle.begin(), end.middle.end(), written.begin(), written.end()).first -
      end.middle.begin());
  const size_t closing_bytes = end.middle.size() - kept;
  std::vector<TokenNats> nats = NatsWithin(middle.nats, kept);
  if (!OnlyCloses(std::string_view(end.middle).substr(kept)))
    nats.push_back({end.middle.size(), kNobodyDrew});
  return {.middle = std::move(end.middle),
          .ended = ended,
          .tokens = static_cast<int>(budget.drawn() - end.dropped),
          .closing_bytes = closing_bytes,
          .closed = true,
          .whole = true,
          .unneeded = middle.text.first_pieces().unneeded(),
          .statistics = middle.statistics,
          .nats = std::move(nats)};
}

DecodeResult Spent(const MiddleSoFar& middle) {
  const Budget& budget = middle.text.written().budget();
  if (middle.text.FillsBlock()) {
    if (auto cut = CutToLine(middle, Ended::kBudget)) return *std::move(cut);
  }
  if (budget.tokens() == kUnlimitedTokens || middle.text.written().MayEnd())
    return EndedAt(middle, middle.text.written().gap(), Ended::kBudget, budget.drawn());
  if (auto cut = CutToLine(middle, Ended::kWitness)) return *std::move(cut);
  return Closed(middle, Ended::kWitness);
}

void CutWordAtEnd(DecodeResult& result) {
  const std::string_view kept = WithoutWordAtEnd(result.middle);
  if (!IsBlank(kept)) result.middle.resize(kept.size());
  result.nats = NatsWithin(result.nats, result.middle.size());
}

DecodeResult CutByTime(const MiddleSoFar& middle, const std::vector<MiddleBeginning>& beginnings) {
  const bool fills_block = middle.text.FillsBlock();
  std::optional<DecodeResult> line;
  if (fills_block) line = CutToLine(middle, Ended::kTime);
  if (line) return *std::move(line);
  const MiddleBeginning* const end = LastEnd(middle, beginnings);
  // The search for a line's closing text takes time: only where the line would be longer.
  const std::vector<MiddleBeginning>& lines = middle.text.written().block_lines();
  const bool may_be_longer = !lines.empty() && (!end || lines.back().drawn > end->drawn);
  if (may_be_longer && !fills_block) line = CutToLine(middle, Ended::kTime);
  if (end && !(line && static_cast<uint32_t>(line->tokens) > end->drawn))
    return EndedAt(middle, end->gap, Ended::kTime, end->drawn);
  const Budget& budget = middle.text.written().budget();
  if (budget.tokens() == kUnlimitedTokens)
    return EndedAt(middle, middle.text.written().gap(), Ended::kTime, budget.drawn());
  if (line) return *std::move(line);
  if (auto closed = ClosedAtStatement(middle, beginnings)) return *std::move(closed);
  return ClosedWithoutWords(middle);
}

}  // namespace tenon::server
