#include "server/region/region_gaps.h"

#include <functional>
#include <string>
#include <utility>

namespace tenon::server {
namespace {

size_t HashOf(std::string_view text) { return std::hash<std::string_view>()(text); }

}  // namespace

std::optional<Region> RegionGaps::Last(std::string_view text, size_t cursor) const {
  if (!last_ || text.size() < last_->region.begin + last_->tail_bytes) return std::nullopt;
  Region region = last_->region;
  region.end = text.size() - last_->tail_bytes;
  if (cursor < region.begin || region.end < cursor) return std::nullopt;
  if (HashOf(text.substr(0, region.begin)) != last_->head_hash ||
      HashOf(text.substr(region.end)) != last_->tail_hash)
    return std::nullopt;
  return region;
}

void RegionGaps::Remember(std::string_view text, const Region& region) {
  last_ = Remembered{region, HashOf(text.substr(0, region.begin)), text.size() - region.end,
                     HashOf(text.substr(region.end))};
}

std::optional<RegionGap> RegionGaps::Open(std::string_view text, size_t cursor,
                                          const tenon::GapOptions& options,
                                          const std::stop_token& stop) {
  const auto open = [&](std::string_view left, std::string_view right) -> std::optional<Gap> {
    auto gap = document_.Open(left, right, options, stop);
    if (!gap || !gap->viable()) return std::nullopt;
    return gap;
  };
  // The estimate of a gap's cost may count on a comment that swallows what is broken behind it; a
  // text of tenon's own does not.
  const auto open_closable = [&](std::string_view left, std::string_view right) {
    auto gap = open(left, right);
    if (gap && !gap->Close()) gap.reset();
    return gap;
  };
  const auto open_region = [&](const Region& region) {
    return open_closable(region.Left(text, cursor), region.Right(text, cursor));
  };
  if (const auto last = Last(text, cursor)) {
    if (auto gap = open_region(*last)) return RegionGap{*std::move(gap), *last};
  }
  RegionFinder::Judge judge;
  judge.left = [&](std::string_view left) { return open(left, "").has_value(); };
  judge.gap = [&](std::string_view left, std::string_view right) -> std::optional<uint32_t> {
    const auto gap = open_closable(left, right);
    return gap ? gap->ClosingBytes() : std::nullopt;
  };
  const auto found = finder_.Find(text, cursor, judge, stop);
  if (!found) return std::nullopt;
  auto gap = open_region(*found);
  if (!gap) return std::nullopt;
  Remember(text, *found);
  return RegionGap{*std::move(gap), *found};
}

}  // namespace tenon::server
