#include "server/region/region_gaps.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "server/region/file_around.h"
#include "server/region/missing_brackets.h"

namespace tenon::server {
namespace {

size_t HashOf(std::string_view text) { return std::hash<std::string_view>()(text); }

// A text of tenon's own that closes the gap. The estimate of a gap's cost may count on a comment
// that swallows what is broken after it; such a text does not.
std::optional<std::string> ClosingOf(const std::optional<Gap>& gap) {
  const auto closing = gap && gap->viable() ? gap->Close() : std::nullopt;
  return closing ? std::optional(closing->text) : std::nullopt;
}

}  // namespace

std::optional<RegionProposal> RegionGaps::Last(std::string_view text, size_t cursor) const {
  if (!last_ || text.size() < last_->head_bytes + last_->tail_bytes) return std::nullopt;
  RegionProposal proposal = last_->proposal;
  proposal.end.at = text.size() - last_->tail_bytes;
  if (cursor < last_->head_bytes || proposal.end.at < cursor) return std::nullopt;
  if (HashOf(text.substr(0, last_->head_bytes)) != last_->head_hash ||
      HashOf(text.substr(proposal.end.at)) != last_->tail_hash)
    return std::nullopt;
  const RegionRules rules(text, cursor, {cursor, cursor}, 0, ComesAfterHalfTyped(text, cursor),
                          proposal.end.at);
  if (!rules.Allow(proposal.begin) || !rules.Allow(proposal.end)) return std::nullopt;
  return proposal;
}

void RegionGaps::Remember(std::string_view text, size_t cursor, const RegionProposal& proposal) {
  const size_t head = std::max(proposal.begin.at, std::min(proposal.end.inside, cursor));
  last_ = Remembered{.proposal = proposal,
                     .head_bytes = head,
                     .head_hash = HashOf(text.substr(0, head)),
                     .tail_bytes = text.size() - proposal.end.at,
                     .tail_hash = HashOf(text.substr(proposal.end.at))};
}

bool RegionGaps::Reads(Document& reader, std::string_view left, const std::stop_token& stop) {
  tenon::GapOptions accepted;
  accepted.emit = false;
  const auto gap = reader.Open(left, "", accepted, stop);
  return gap && gap->viable();
}

std::optional<RegionProposal> RegionGaps::Search(std::string_view text, size_t cursor,
                                                 size_t bytes_up_to_error,
                                                 const tenon::GapOptions& options,
                                                 const std::stop_token& stop) {
  const auto open_left = [&](std::string_view left) {
    auto gap = beginnings_.Open(left, "", options, stop);
    return gap && gap->viable() ? std::move(gap) : std::nullopt;
  };
  RegionFinder::Judge judge;
  judge.reads = [&](std::string_view left) { return Reads(file_, left, stop); };
  judge.reads_region = [&](std::string_view left) { return Reads(beginnings_, left, stop); };
  judge.left = [&](std::string_view left) { return open_left(left).has_value(); };
  judge.gap = [&](std::string_view left, std::string_view right) -> std::optional<GapClosing> {
    const auto gap = gaps_.Open(left, right, options, stop);
    auto closing = ClosingOf(gap);
    if (!closing) return std::nullopt;
    const auto size = static_cast<uint32_t>(closing->size());
    return GapClosing{gap->ClosingBytes().value_or(size), *std::move(closing)};
  };
  judge.bytes_up_to_error = bytes_up_to_error;
  judge.closing = [&](std::string_view left) -> std::optional<std::string> {
    return ClosingOf(open_left(left));
  };
  return finder_.Find(text, cursor, judge, stop);
}

std::optional<RegionGap> RegionGaps::Open(std::string_view text, size_t cursor,
                                          const tenon::GapOptions& options,
                                          const std::stop_token& stop) {
  std::vector<Seam> seams = {Seam::kClosed};
  const std::string_view rest_of_line = text.substr(cursor, text.find('\n', cursor) - cursor);
  if (rest_of_line.find_first_of("\"'`") != std::string_view::npos) seams.push_back(Seam::kLine);
  const auto reads = [&](std::string_view left) { return Reads(file_, left, stop); };
  const size_t bytes_up_to_error = BytesUpToError(text, cursor, reads);
  const auto open_region = [&](const RegionProposal& proposal,
                               Seam seam) -> std::optional<RegionGap> {
    const Region region = proposal.region();
    tenon::GapOptions over = options;
    over.seam = seam;
    auto gap = gaps_.Open(region.Left(text, cursor), region.Right(text, cursor), over, stop);
    const auto closing = ClosingOf(gap);
    if (!closing || !MayBeClosedBy(proposal, text, cursor, *closing)) return std::nullopt;
    RegionGap found{*std::move(gap), region, seam};
    found.region.bytes_up_to_error = bytes_up_to_error;
    if (!LetsFileRead(bytes_up_to_error, text, cursor, *closing, reads)) return std::nullopt;
    found.region.read_on_bytes =
        ReadOnBytes(region, text, cursor, *closing,
                    [&](std::string_view left) { return Reads(beginnings_, left, stop); });
    return found;
  };
  if (const auto last = Last(text, cursor)) {
    for (const Seam seam : seams)
      if (auto found = open_region(*last, seam)) return found;
  }
  for (const Seam seam : seams) {
    tenon::GapOptions over = options;
    over.seam = seam;
    const auto proposal = Search(text, cursor, bytes_up_to_error, over, stop);
    if (!proposal) continue;
    auto found = open_region(*proposal, seam);
    if (!found) continue;
    Remember(text, cursor, *proposal);
    return found;
  }
  return std::nullopt;
}

}  // namespace tenon::server
