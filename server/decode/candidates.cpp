#include "server/decode/candidates.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "server/decode/middle_end.h"
#include "server/request/visible_text.h"

namespace tenon::server {
namespace {

constexpr size_t kAlternatives = 4;     // tokens that are remembered for each one drawn
constexpr size_t kTriesACandidate = 3;  // branches that are drawn on for each middle wanted
constexpr double kMaxBranchNats = 9;    // of a token; e to the -9 is one in 8,000

// Another token than the one that was drawn.
struct Branch {
  std::shared_ptr<const GapFilter> before;  // without the token
  std::shared_ptr<const DecodeBeginning> beginning;
  TokenId token;
  double token_nats = 0;
  double nats = 0;  // of the beginning and the token
};

// The likeliest tokens but the drawn one that write something new; the likeliest first.
std::vector<TokenId> Alternatives(const DecodeDraw& draw) {
  std::vector<TokenId> best;
  const auto likelier = [&draw](TokenId a, TokenId b) {
    return draw.logits[a.value] > draw.logits[b.value];
  };
  for (uint32_t id = 0; id < draw.logits.size(); ++id) {
    const TokenId token{id};
    if (token == draw.token) continue;
    if (best.size() == kAlternatives && !likelier(token, best.back())) continue;
    if (!WritesOn(draw.filter.tokenizer().Bytes(token), draw.filter.text().written().healed()))
      continue;
    best.insert(std::upper_bound(best.begin(), best.end(), token, likelier), token);
    if (best.size() > kAlternatives) best.pop_back();
  }
  return best;
}

void AddBranches(const DecodeDraw& draw, std::vector<Branch>& branches) {
  const auto before = std::make_shared<const GapFilter>(draw.filter);
  const auto beginning = std::make_shared<const DecodeBeginning>(draw.beginning);
  double nats = 0;
  for (const TokenNats& token : draw.beginning.nats) nats += token.nats;
  for (const TokenId token : Alternatives(draw)) {
    const double token_nats =
        draw.nats + static_cast<double>(draw.logits[draw.token.value] - draw.logits[token.value]);
    branches.push_back({.before = before,
                        .beginning = beginning,
                        .token = token,
                        .token_nats = token_nats,
                        .nats = nats + token_nats});
  }
}

double NatsAByte(const DecodeResult& result) {
  double nats = 0;
  for (const TokenNats& token : result.nats) nats += token.nats;
  return nats / static_cast<double>(std::max<size_t>(result.middle.size(), 1));
}

// Does the middle have a token that the model would not draw, or a word that nobody drew?
bool HasUnlikelyToken(const DecodeResult& result) {
  return std::any_of(result.nats.begin(), result.nats.end(),
                     [](const TokenNats& token) { return token.nats > kMaxBranchNats; });
}

// Draws on from a branch; nothing where it leads nowhere new.
class BranchDecoder {
 public:
  BranchDecoder(model::Sampler& sampler, DecodeText& text, const DecodeLimits& limits,
                const std::stop_token& cancel)
      : sampler_(sampler), text_(text), limits_(limits), cancel_(cancel) {
    limits_.on_draw = {};
    limits_.on_middle = {};
  }

  std::optional<DecodeResult> Decode(const Branch& branch) {
    GapFilter filter = *branch.before;
    if (!filter.Check(branch.token)) return std::nullopt;
    const std::string_view bytes = filter.tokenizer().Bytes(branch.token);
    DecodeBeginning beginning = *branch.beginning;
    const Judgement judged = filter.Judge(branch.token);
    const Gap& after = judged.head ? *judged.head : filter.gap();
    beginning.nats.push_back({after.middle().size(), branch.token_nats});
    if (judged.verdict == Judgement::Verdict::kEndsInside) {
      return EndedAt({filter.text(), beginning.nats, {}}, after, judged.ended,
                     filter.text().written().budget().drawn() + 1);
    }
    if (judged.verdict != Judgement::Verdict::kAccepted || !filter.ConvergeWhereDue(judged))
      return std::nullopt;
    beginning.tokens.push_back(branch.token);
    beginning.written += bytes;
    const DecodeText::Logits logits = text_.Rewrite(0, beginning.tokens);
    if (!logits) return std::nullopt;
    return DecodeOn(std::move(beginning), std::move(filter), sampler_, *logits, text_, limits_,
                    cancel_);
  }

 private:
  model::Sampler& sampler_;
  DecodeText& text_;
  DecodeLimits limits_;
  const std::stop_token& cancel_;
};

// The middle of a branch with its token.
std::string BegunBy(const Branch& branch) {
  const std::string_view bytes = branch.before->tokenizer().Bytes(branch.token);
  return branch.before->gap().middle() +
         std::string(bytes.substr(branch.before->text().written().healed().size()));
}

// Draws on from the likeliest branches, until as many middles are found as are wanted.
void DrawOthers(std::vector<Branch> branches, BranchDecoder decoder, const DecodeLimits& limits,
                const CandidateLimits& candidates, const std::stop_token& cancel,
                Candidates& found) {
  std::stable_sort(branches.begin(), branches.end(),
                   [](const Branch& a, const Branch& b) { return a.nats < b.nats; });
  OtherCandidates others(found, candidates, kTriesACandidate);
  for (const Branch& branch : branches) {
    if (!others.wants_more() || limits.deadline.passed() || cancel.stop_requested()) break;
    if (!others.IsNew(BegunBy(branch))) continue;
    auto result = decoder.Decode(branch);
    if (!result) continue;
    others.CountTry();
    others.Add(*std::move(result));
  }
  others.Finish();
}

}  // namespace

Candidates JudgeFirst(DecodeResult first, CandidateJudge& judge) {
  Candidates found{std::move(first), {}};
  if (found.first.cancelled) return found;
  if (auto item = judge.Judge(found.first)) found.wanted.push_back({found.first, *std::move(item)});
  return found;
}

void AddRanked(std::vector<Candidate> others, Candidates& found) {
  std::stable_sort(others.begin(), others.end(), [](const Candidate& a, const Candidate& b) {
    return NatsAByte(a.result) < NatsAByte(b.result);
  });
  found.wanted.insert(found.wanted.end(), std::make_move_iterator(others.begin()),
                      std::make_move_iterator(others.end()));
  std::stable_sort(
      found.wanted.begin(), found.wanted.end(),
      [](const Candidate& a, const Candidate& b) { return a.result.ended < b.result.ended; });
}

OtherCandidates::OtherCandidates(Candidates& found, const CandidateLimits& limits,
                                 size_t tries_a_candidate)
    : found_(found),
      limits_(limits),
      tries_((limits.count + limits.already_offered) * tries_a_candidate),
      seen_({found.first.middle}) {
  if (found.wanted.empty() || found.first.ended != Ended::kWitness ||
      !HasUnlikelyToken(found.first))
    return;
  made_up_ = std::move(found.wanted.front());
  found.wanted.clear();
}

bool OtherCandidates::wants_more() const {
  return tries_ > 0 && found_.wanted.size() + others_.size() < limits_.count;
}

bool OtherCandidates::IsNew(std::string_view beginning) const {
  return IsDistinctFromAll(beginning, seen_);
}

bool OtherCandidates::Add(DecodeResult result) {
  if (!result.closed || result.ended == Ended::kTime || HasUnlikelyToken(result) ||
      !IsNew(result.middle))
    return false;
  seen_.push_back(result.middle);
  auto item = limits_.judge.Judge(result);
  if (item) others_.push_back({std::move(result), *std::move(item)});
  return item.has_value();
}

void OtherCandidates::Finish() {
  if (others_.empty() && made_up_) others_.push_back(*std::move(made_up_));
  AddRanked(std::move(others_), found_);
}

Candidates DecodeCandidates(const GapFilter& filter, model::Sampler& sampler,
                            std::span<const float> logits, DecodeText& text,
                            const DecodeLimits& limits, const CandidateLimits& candidates,
                            const std::stop_token& cancel) {
  std::vector<Branch> branches;
  DecodeLimits collecting = limits;
  collecting.on_draw = [&branches](const DecodeDraw& draw) { AddBranches(draw, branches); };
  const bool several = candidates.count + candidates.already_offered > 1;
  Candidates found =
      JudgeFirst(Decode(filter, sampler, logits, text, several ? collecting : limits, cancel),
                 candidates.judge);
  if (found.first.cancelled) return found;
  if (found.wanted.size() >= candidates.count || !found.first.closed || limits.deadline.passed())
    return found;
  if (!several) {  // the first one is not wanted, and its branches were not collected
    const DecodeText::Logits again = text.Rewrite(0, {});
    if (!again || Decode(filter, sampler, *again, text, collecting, cancel).cancelled) return found;
  }
  DrawOthers(std::move(branches), BranchDecoder(sampler, text, limits, cancel), limits, candidates,
             cancel, found);
  return found;
}

}  // namespace tenon::server
