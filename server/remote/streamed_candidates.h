// Several middles for one gap from a server's model, which a person sees to be distinct.
//
// The first is what DecodeStreamed writes, whatever else is wanted. The others *branch* from it, as
// those of a local model do (server/decode/candidates.h): where the server has shown another token
// in the place of one that was taken, a request is sent to write on after that one.
//
// Example, with the first middle `max(a, b)`, and what the server has shown beside each token:
//
//   max .6 | ( .9 | a .5 | , .8 ...       the first middle
//   min .3          b .4                   requests: after `min`, then after `max(b`
//
// The likeliest beginnings come first, and only those that are distinct from all middles so far. A
// branch costs a request, whose prompt the server has read already. So at most kBranchesACandidate
// are tried for each middle that is wanted, and none where a keystroke asks for one middle.
//
// Each middle is judged once, in the order in which they come; the rank is that of candidates.h.
// Branches end with the deadline, and where the server fails: the middles found before are offered.
//
// Cost: a request or more for each middle. Thread rule: one thread at a time.
#pragma once

#include <stop_token>

#include <tl/expected.hpp>

#include "server/decode/candidates.h"
#include "server/remote/streamed_decoder.h"

namespace tenon::server {

inline constexpr size_t kBranchesACandidate = 2;

// `branches`: may middles beside the first be asked for? The statistics of the first one are those
// of all. The error: the server fails at the first one. REQUIRES: the budget is feasible.
[[nodiscard]] tl::expected<Candidates, StreamFault> DecodeStreamedCandidates(
    GapText text, TextSource& source, const DecodeLimits& limits, const CandidateLimits& candidates,
    bool branches, const std::stop_token& cancel);

}  // namespace tenon::server
