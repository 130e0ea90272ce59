// Several middles for one gap, which a person sees to be distinct (server/request/visible_text.h).
//
// The first middle is the one of Decode, however many are wanted. The others *branch* from it: at
// one of its tokens another token is taken, and the middle is drawn on from there. Example, with
// the first middle `max(a, b)` and the model's probabilities:
//
//   max .6 | ( .9 | a .5 | , .8 ...       the first middle
//   min .3          b .4                   branches: `min` has .3, `max(b` has .6 * .9 * .4 = .2
//
// So `min` is drawn on first, to `min(a, b)`, and then `max(b`. The likeliest beginnings come
// first, and only those that are distinct from all middles so far: the token `ma` would lead to
// the first middle again. Their common tokens are not computed again: the model's text goes back to
// the branch (model/inference/inference_session.h).
//
// Each middle is *judged* once, when it is drawn. The judgement gives the item that is offered for
// it, verified as it stands, and that item goes along to the answer: it is not verified a second
// time. Or it gives nothing (the middle repeats what follows, or was dismissed): such a middle is
// left out, and branches take its place. Branches end with the deadline; one that its time cuts
// short is dropped, and so is one with a token that the model would not draw: the grammar wanted
// some token there, or the closing text says more than that it closes. A first middle with such an
// end is dropped where there are others.
//
// *Rank*: how a middle ends comes first (the model ended it; its tokens were spent; its time was;
// a closing text ended it), then the probability a byte:
//
//   nats a byte = -ln p(tokens drawn) / bytes of the middle
//
// Cost: for one middle that is wanted, that of Decode. Else the tokens after each branch are
// decoded; of the first middle again only the draws are made, for its logits are kept. A judgement
// of each middle.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/decode/decoder.h"

namespace tenon::server {

// An item that was verified as it stands, so that it may be offered. Only a CandidateJudge makes
// one.
class VerifiedItem {
 public:
  [[nodiscard]] const CompletionItem& item() const { return item_; }

 private:
  friend class CandidateJudge;
  explicit VerifiedItem(CompletionItem item) : item_(std::move(item)) {}

  CompletionItem item_;
};

// Decides which item is offered for a middle.
class CandidateJudge {
 public:
  virtual ~CandidateJudge() = default;
  // Called once for each middle, in the order in which they are drawn. Nothing where the middle is
  // not worth offering.
  [[nodiscard]] virtual std::optional<VerifiedItem> Judge(const DecodeResult& result) = 0;

 protected:
  [[nodiscard]] static VerifiedItem Verified(CompletionItem item) {
    return VerifiedItem(std::move(item));
  }
};

struct CandidateLimits {
  CandidateJudge& judge;
  size_t count = 1;
  // The number of candidates that the client has already: branches are tried for them, too, so that
  // the others are the same as in a question for all.
  size_t already_offered = 0;
};

struct Candidate {
  DecodeResult result;
  VerifiedItem item;
};

struct Candidates {
  DecodeResult first;  // wanted or not
  // The offered candidates, in their order: at most CandidateLimits::count. The first is before all
  // that end no better.
  std::vector<Candidate> wanted;
};

// The first middle, and its candidate where the judge gives an item. A cancelled one is not judged.
[[nodiscard]] Candidates JudgeFirst(DecodeResult first, CandidateJudge& judge);

// Adds middles that are wanted, after the first one, and ranks all.
void AddRanked(std::vector<Candidate> others, Candidates& found);

// The candidates of one gap beside the first one, while they are drawn.
class OtherCandidates {
 public:
  // `tries_a_candidate`: branches that are drawn on for each middle wanted. Where
  // nobody drew the end of the first middle, the others may have its place. REQUIRES: `found` lives
  // longer.
  OtherCandidates(Candidates& found, const CandidateLimits& limits, size_t tries_a_candidate);

  // Is another branch to be tried?
  [[nodiscard]] bool wants_more() const;
  // Would a middle that begins so be seen to differ from all before it?
  [[nodiscard]] bool IsNew(std::string_view beginning) const;
  // A branch was drawn on.
  void CountTry() { --tries_; }
  // Judges a middle that is whole, new, and has no token that the model would not draw. False: it
  // is not offered.
  bool Add(DecodeResult result);
  // Adds them to the candidates found.
  void Finish();

 private:
  Candidates& found_;
  const CandidateLimits limits_;
  size_t tries_;                      // that are left
  std::optional<Candidate> made_up_;  // the first, if nobody drew its end
  std::vector<std::string> seen_;     // middles
  std::vector<Candidate> others_;
};

// As Decode. REQUIRES: the filter's gap is feasible.
Candidates DecodeCandidates(const GapFilter& filter, model::Sampler& sampler,
                            std::span<const float> logits, DecodeText& text,
                            const DecodeLimits& limits, const CandidateLimits& candidates,
                            const std::stop_token& cancel);

}  // namespace tenon::server
