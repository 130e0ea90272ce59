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
  if (!closing || at.drawn + gap.CountTokens(*closing) > middle.text.budget().tokens())
    return std::nullopt;
  return DecodeResult{.middle = gap.middle() + *closing,
                      .ended = ended,
                      .tokens = static_cast<int>(at.drawn),
                      .closing_bytes = closing->size(),
                      .closed = true,
                      .whole = true,
                      .unneeded = middle.text.unneeded(),
                      .statistics = middle.statistics,
                      .nats = NatsWithin(middle.nats, gap.middle().size())};
}

// The middle up to a line of its blocks, closed by signs; nothing where none is such a line. A line
// at which a statement may end comes before any other.
std::optional<DecodeResult> CutToLine(const MiddleSoFar& middle, Ended ended) {
  const std::vector<MiddleBeginning>& lines = middle.text.block_lines();
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

}  // namespace

DecodeResult NoMiddle(const DecodeStatistics& statistics) { return {.statistics = statistics}; }

DecodeResult Cancelled(const DecodeStatistics& statistics) {
  return {.cancelled = true, .statistics = statistics};
}

DecodeResult EndedAt(const MiddleSoFar& middle, const Gap& at, Ended ended, uint32_t tokens) {
  const GapText& text = middle.text;
  const bool closes_blocks = !text.block_lines().empty() || text.begins_with_bracket();
  return {.middle = at.middle(),
          .ended = ended,
          .tokens = static_cast<int>(tokens),
          .closing_bytes = closes_blocks && !text.FillsBlock() ? ClosersAtEnd(at.middle()) : 0,
          .closed = true,
          .whole = at.Member(),
          .unneeded = middle.text.unneeded(),
          .statistics = middle.statistics,
          .nats = NatsWithin(middle.nats, at.middle().size())};
}

DecodeResult Closed(const MiddleSoFar& middle, Ended ended) {
  const Budget& budget = middle.text.budget();
  if (!budget.feasible()) return NoMiddle(middle.statistics);
  Budget::Finished end = budget.Finish();
  const std::string& written = middle.text.gap().middle();
  const auto kept = static_cast<size_t>(
      std::mismatch(end.middle.begin(), end.middle.end(), written.begin(), written.end()).first -
      end.middle.begin());
  const size_t closing_bytes = end.middle.size() - kept;
  std::vector<TokenNats> nats = NatsWithin(middle.nats, kept);
  if (!WritesNoWord(std::string_view(end.middle).substr(kept)))
    nats.push_back({end.middle.size(), kNobodyDrew});
  return {.middle = std::move(end.middle),
          .ended = ended,
          .tokens = static_cast<int>(budget.drawn() - end.dropped),
          .closing_bytes = closing_bytes,
          .closed = true,
          .whole = true,
          .unneeded = middle.text.unneeded(),
          .statistics = middle.statistics,
          .nats = std::move(nats)};
}

DecodeResult Spent(const MiddleSoFar& middle) {
  const Budget& budget = middle.text.budget();
  if (middle.text.FillsBlock()) {
    if (auto cut = CutToLine(middle, Ended::kBudget)) return *std::move(cut);
  }
  if (budget.tokens() == kUnlimitedTokens || middle.text.MayEnd())
    return EndedAt(middle, middle.text.gap(), Ended::kBudget, budget.drawn());
  if (auto cut = CutToLine(middle, Ended::kWitness)) return *std::move(cut);
  return Closed(middle, Ended::kWitness);
}

DecodeResult CutByTime(const MiddleSoFar& middle, const std::vector<MiddleBeginning>& beginnings) {
  auto line = CutToLine(middle, Ended::kTime);
  if (line && middle.text.FillsBlock()) return *std::move(line);
  const std::string& written = middle.text.gap().middle();
  const auto cuts_word = [&written](const MiddleBeginning& at) {
    const size_t size = at.gap.middle().size();
    return IsWordByte(written[size - 1]) && (size == written.size() || IsWordByte(written[size]));
  };
  for (auto at = beginnings.rbegin(); at != beginnings.rend(); ++at) {
    if (line && static_cast<uint32_t>(line->tokens) > at->drawn) break;
    if (!at->gap.middle().empty() && !cuts_word(*at) && middle.text.MayEndAt(at->gap))
      return EndedAt(middle, at->gap, Ended::kTime, at->drawn);
  }
  const Budget& budget = middle.text.budget();
  if (budget.tokens() == kUnlimitedTokens)
    return EndedAt(middle, middle.text.gap(), Ended::kTime, budget.drawn());
  if (line) return *std::move(line);
  const bool open = middle.text.goal() == Goal::kJoin && !middle.text.MayEnd();
  int searches = 0;
  for (auto at = beginnings.rbegin(); open && at != beginnings.rend(); ++at) {
    const std::string& kept = at->gap.middle();
    if (WritesNoWord(kept) || !MayEndStatement(kept) || cuts_word(*at)) continue;
    if (++searches > kMaxTried) break;
    if (auto closed = ClosedBySigns(middle, *at, Ended::kTime)) return *std::move(closed);
  }
  DecodeResult closed = Closed(middle, Ended::kTime);
  const std::string_view closing =
      std::string_view(closed.middle).substr(closed.middle.size() - closed.closing_bytes);
  if (middle.text.goal() != Goal::kText && !WritesNoWord(closing)) {
    closed = NoMiddle(middle.statistics);
    closed.ended = Ended::kTime;
  }
  return closed;
}

}  // namespace tenon::server
