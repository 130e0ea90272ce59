#include "server/complete/gap_sampler.h"
#include "constraint/closing/closing.h"

#include <utility>

namespace tenon::server {

namespace {

constexpr size_t kShortBytes = 2;
// Draws of allowed tokens that the budget refuses; then the sample is closed.
constexpr int kMaxRefused = 8;
// Attempts at a sample whose canonical tokenisation is within the budget, too.
constexpr int kMaxAttempts = 16;

}  // namespace

GapSampler::GapSampler(const model::Tokenizer& tokenizer,
                       std::shared_ptr<const constraint::MaskStore> store,
                       constraint::BudgetedGap gap, uint64_t seed)
    : tokenizer_(tokenizer),
      store_(std::move(store)),
      start_(std::move(gap)),
      distances_({store_, &store_->language()}),
      masker_(store_, start_.state()),
      random_(seed) {
  for (model::TokenId token = 0; token < tokenizer_.size(); ++token) {
    const std::string_view bytes = tokenizer_.Bytes(token);
    if (bytes.empty() || tokenizer_.IsControl(token)) continue;
    all_.push_back(token);
    if (bytes.size() <= kShortBytes) short_.push_back(token);
    if (bytes.size() == 1) bytes_[static_cast<uint8_t>(bytes[0])] = token;
  }
}

std::vector<model::TokenId> GapSampler::Ends(const constraint::GapState& state) const {
  std::vector<model::TokenId> found;
  for (const uint8_t byte : distances_.NearerBytes(state)) {
    if (bytes_[byte]) found.push_back(*bytes_[byte]);
  }
  return found;
}

bool GapSampler::StepAmong(const std::vector<model::TokenId>& tokens,
                           const constraint::TokenMask& mask, constraint::BudgetedGap& gap) {
  std::vector<model::TokenId> allowed;
  for (const model::TokenId token : tokens) {
    if (mask.Allows({static_cast<uint32_t>(token)})) allowed.push_back(token);
  }
  for (int tried = 0; tried < kMaxRefused && !allowed.empty(); ++tried) {
    if (gap.Accept(tokenizer_.Bytes(allowed[Below(allowed.size())]))) return true;
  }
  return false;
}

bool GapSampler::Step(constraint::BudgetedGap& gap) {
  const constraint::TokenMask& mask = masker_.Of(gap.state());
  switch (Below(3)) {
    case 0:
      if (StepAmong(Ends(gap.state()), mask, gap)) return true;
      [[fallthrough]];
    case 1:
      if (StepAmong(short_, mask, gap)) return true;
      [[fallthrough]];
    default:
      return StepAmong(all_, mask, gap);
  }
}

std::string GapSampler::DrawOnce() {
  constraint::BudgetedGap gap = start_;
  const size_t quarter = gap.budget() / 4;
  const size_t wanted = quarter + Below(2 * quarter + 1);  // the last one is for the closing text
  while (gap.left() > 0) {
    if (gap.drawn() >= wanted && gap.state().Member()) break;
    if (!Step(gap)) break;
  }
  return gap.Finish().middle;
}

std::string GapSampler::Draw() {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string sample = DrawOnce();
    constraint::GapState check = start_.state();
    bool member = (sample.empty() || check.Accept(sample)) && check.Member();
    if (member && check.CountTokens(sample) <= start_.budget()) return sample;
  }
  return start_.Finish().middle;
}

}  // namespace tenon::server
