#include "server/complete/gap_sampler.h"

#include <utility>

namespace tenon::server {

namespace {

constexpr size_t kShortBytes = 2;
constexpr int kMostRefused = 400;  // draws in a row; then the sample is closed
constexpr int kMostAttempts = 16;  // at a sample whose canonical tokenisation is within the budget, too

}  // namespace

GapSampler::GapSampler(const model::Tokenizer& tokenizer, constraint::BudgetedGap gap, uint64_t seed)
    : tokenizer_(tokenizer), start_(std::move(gap)), random_(seed) {
  for (model::TokenId token = 0; token < tokenizer_.size(); ++token) {
    size_t bytes = tokenizer_.Bytes(token).size();
    if (bytes == 0 || tokenizer_.IsControl(token)) continue;
    all_.push_back(token);
    if (bytes <= kShortBytes) short_.push_back(token);
  }
}

bool GapSampler::Step(constraint::BudgetedGap& gap) {
  for (int tried = 0; tried < kMostRefused && !all_.empty(); ++tried) {
    const std::vector<model::TokenId>& from = !short_.empty() && random_() % 2 == 0 ? short_ : all_;
    if (gap.Accept(tokenizer_.Bytes(from[Below(from.size())]))) return true;
  }
  return false;
}

std::string GapSampler::DrawOnce() {
  constraint::BudgetedGap gap = start_;
  size_t wanted = Below(gap.budget() + size_t{1});
  while (gap.left() > 0) {
    if (gap.drawn() >= wanted && gap.state().Member()) break;
    if (!Step(gap)) break;
  }
  return gap.Finish().middle;
}

std::string GapSampler::Draw() {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::string sample = DrawOnce();
    constraint::GapState check = start_.state();
    bool member = (sample.empty() || check.Accept(sample)) && check.Member();
    if (member && check.CountTokens(sample) <= start_.budget()) return sample;
  }
  return start_.Finish().middle;
}

}  // namespace tenon::server
