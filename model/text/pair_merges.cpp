#include "model/text/pair_merges.h"

#include <fmt/format.h>

#include <limits>
#include <queue>

namespace tenon::model {
namespace {

// No vocabulary is so large.
constexpr TokenId kMergedAway{std::numeric_limits<uint32_t>::max()};

uint64_t PairKey(TokenId left, TokenId right) { return uint64_t{left.value} << 32 | right.value; }

// A node of a doubly linked list over the units: those that are merged to one token so far.
struct MergeNode {
  TokenId token;  // kMergedAway: merged into its left neighbour
  int32_t previous;
  int32_t next;
};

// Two neighbours that could merge. A candidate is stale when one of its nodes has merged since:
// the nodes' tokens then differ from those of the candidate.
struct Candidate {
  int32_t rank;
  int32_t left;  // index of the left node
  TokenId left_token;
  TokenId right_token;
  TokenId merged;
  bool operator>(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

}  // namespace

tl::expected<PairMerges, std::string> PairMerges::Read(std::span<const std::string_view> lines,
                                                       const TokensByName& ids) {
  PairMerges merges;
  merges.merges_.reserve(lines.size());
  std::string joined;
  for (size_t rank = 0; rank < lines.size(); ++rank) {
    const size_t space = lines[rank].find(' ', 1);
    if (space == std::string_view::npos)
      return tl::unexpected(fmt::format("merge {} ('{}') has no two parts", rank, lines[rank]));
    const auto left = ids.find(lines[rank].substr(0, space));
    const auto right = ids.find(lines[rank].substr(space + 1));
    joined.assign(lines[rank].substr(0, space)).append(lines[rank].substr(space + 1));
    const auto merged = ids.find(joined);
    if (left == ids.end() || right == ids.end() || merged == ids.end()) {
      return tl::unexpected(
          fmt::format("merge {} ('{}') names what the vocabulary lacks", rank, lines[rank]));
    }
    merges.merges_.emplace(PairKey(left->second, right->second),
                           Merge{static_cast<int32_t>(rank), merged->second});
  }
  return merges;
}

void PairMerges::Apply(std::span<const TokenId> units, std::vector<TokenId>& out) const {
  const auto count = static_cast<int32_t>(units.size());
  std::vector<MergeNode> nodes;
  nodes.reserve(units.size());
  for (int32_t at = 0; at < count; ++at) nodes.push_back({units[at], at - 1, at + 1});
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto consider = [&](int32_t left, int32_t right) {
    if (left < 0 || right >= count) return;
    const auto found = merges_.find(PairKey(nodes[left].token, nodes[right].token));
    if (found == merges_.end()) return;
    candidates.push(
        {found->second.rank, left, nodes[left].token, nodes[right].token, found->second.merged});
  };
  for (int32_t i = 0; i + 1 < count; ++i) consider(i, i + 1);
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    MergeNode& left = nodes[best.left];
    if (left.token != best.left_token || left.next >= count) continue;
    MergeNode& right = nodes[left.next];
    if (right.token != best.right_token) continue;
    left.token = best.merged;
    right.token = kMergedAway;
    left.next = right.next;
    if (left.next < count) nodes[left.next].previous = best.left;
    consider(left.previous, best.left);
    consider(best.left, left.next);
  }
  for (int32_t i = 0; i < count; i = nodes[i].next) out.push_back(nodes[i].token);
}

}  // namespace tenon::model
