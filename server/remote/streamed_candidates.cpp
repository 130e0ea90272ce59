#include "server/remote/streamed_candidates.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tenon::server {

namespace {

// A middle beside the first one: what it has cost is added, and all of it where nothing of it is
// offered.
void AddCosts(const DecodeStatistics& of, bool is_offered, DecodeStatistics& all) {
  all.requests += of.requests;
  all.wasted += of.wasted + (is_offered ? 0 : std::max(0, of.drawn - of.forced));
}

}  // namespace

tl::expected<Candidates, StreamFault> DecodeStreamedCandidates(GapText text, TextSource& source,
                                                               const DecodeLimits& limits,
                                                               const CandidateLimits& candidates,
                                                               bool branches,
                                                               const std::stop_token& cancel) {
  std::vector<StreamedBranch> from;
  auto first = DecodeStreamed(std::move(text), source, limits, branches ? &from : nullptr);
  if (!first) return tl::unexpected(std::move(first.error()));
  Candidates found = JudgeFirst(*std::move(first), candidates.judge);
  if (found.first.cancelled || !found.first.closed || found.wanted.size() >= candidates.count)
    return found;

  std::stable_sort(from.begin(), from.end(), [](const StreamedBranch& a, const StreamedBranch& b) {
    return a.nats < b.nats;
  });
  DecodeLimits silent = limits;
  silent.on_middle = {};
  OtherCandidates others(found, candidates, kBranchesACandidate);
  for (const StreamedBranch& branch : from) {
    if (!others.wants_more() || limits.deadline.passed() || cancel.stop_requested()) break;
    const GapText& before = branch.before->text;
    if (!others.IsNew(before.written().gap().middle() +
                      branch.next.bytes.substr(before.written().healed().size())))
      continue;
    auto result = DecodeBranch(branch, source, silent);
    if (!result || result->cancelled) break;
    const DecodeStatistics costs = result->statistics;
    if (costs.requests > 0) others.CountTry();
    AddCosts(costs, others.Add(*std::move(result)), found.first.statistics);
  }
  others.Finish();
  return found;
}

}  // namespace tenon::server
