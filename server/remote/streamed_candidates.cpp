#include "server/remote/streamed_candidates.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "server/request/visible_text.h"

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
  auto made_up = TakeMadeUpFirst(found);
  std::vector<std::string> seen = {found.first.middle};
  std::vector<Candidate> others;
  size_t tries = (candidates.count + candidates.already_offered) * kBranchesACandidate;
  for (const StreamedBranch& branch : from) {
    if (found.wanted.size() + others.size() >= candidates.count || tries == 0) break;
    if (limits.deadline.passed() || cancel.stop_requested()) break;
    const GapText& before = branch.before->text;
    const std::string begun =
        before.gap().middle() + branch.next.bytes.substr(before.healed().size());
    if (!IsDistinctFromAll(begun, seen)) continue;
    auto result = DecodeBranch(branch, source, silent);
    if (!result || result->cancelled) break;
    if (result->statistics.requests > 0) --tries;
    const bool is_whole = result->closed && result->ended != Ended::kTime &&
                          !HasUnlikelyToken(*result) && IsDistinctFromAll(result->middle, seen);
    auto item = is_whole ? candidates.judge.Judge(*result) : std::nullopt;
    AddCosts(result->statistics, item.has_value(), found.first.statistics);
    if (is_whole) seen.push_back(result->middle);
    if (item) others.push_back({*std::move(result), *std::move(item)});
  }
  AddRanked(std::move(others), found, std::move(made_up));
  return found;
}

}  // namespace tenon::server
