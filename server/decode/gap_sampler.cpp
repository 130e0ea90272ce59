#include "server/decode/gap_sampler.h"

#include <utility>

namespace tenon::server {

namespace {

constexpr size_t kShortBytes = 2;
// Draws of allowed tokens that the budget refuses; then the sample is closed.
constexpr int kMaxRefused = 8;
// Attempts at a sample whose canonical tokenisation is within the budget, too.
constexpr int kMaxAttempts = 16;

}  // namespace

GapSampler::GapSampler(const model::Tokenizer& tokenizer, const MaskStore& store, Budget gap,
                       uint64_t seed)
    : tokenizer_(tokenizer),
      start_(std::move(gap)),
      lexeme_ends_(store.language()),
      masker_(store),
      random_(seed) {
  for (uint32_t id = 0; id < tokenizer_.size(); ++id) {
    const TokenId token{id};
    const std::string_view bytes = tokenizer_.Bytes(token);
    if (bytes.empty() || tokenizer_.IsControl(token)) continue;
    all_.push_back(token);
    if (bytes.size() <= kShortBytes) short_.push_back(token);
    if (bytes.size() == 1) bytes_[static_cast<uint8_t>(bytes[0])] = token;
  }
}

std::vector<TokenId> GapSampler::Ends(const Gap& gap) const {
  std::vector<TokenId> found;
  for (const uint8_t byte : lexeme_ends_.Of(gap)) {
    if (bytes_[byte]) found.push_back(*bytes_[byte]);
  }
  return found;
}

bool GapSampler::StepAmong(const std::vector<TokenId>& tokens, std::span<const uint64_t> mask,
                           Budget& gap) {
  std::vector<TokenId> allowed;
  for (const TokenId token : tokens) {
    if (Allows(mask, token)) allowed.push_back(token);
  }
  for (int tried = 0; tried < kMaxRefused && !allowed.empty(); ++tried) {
    if (gap.Accept(tokenizer_.Bytes(allowed[Below(allowed.size())]))) return true;
  }
  return false;
}

bool GapSampler::Step(Budget& gap) {
  const std::span<const uint64_t> mask = masker_.Of(gap.gap());
  switch (Below(3)) {
    case 0:
      if (StepAmong(Ends(gap.gap()), mask, gap)) return true;
      [[fallthrough]];
    case 1:
      if (StepAmong(short_, mask, gap)) return true;
      [[fallthrough]];
    default:
      return StepAmong(all_, mask, gap);
  }
}

std::string GapSampler::DrawOnce() {
  Budget gap = start_;
  const size_t quarter = gap.tokens() / 4;
  const size_t wanted = quarter + Below(2 * quarter + 1);  // the last one is for the closing text
  while (gap.left() > 0) {
    if (gap.drawn() >= wanted && gap.gap().Member()) break;
    if (!Step(gap)) break;
  }
  return gap.Finish().middle;
}

std::string GapSampler::Draw() {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string sample = DrawOnce();
    Gap check = start_.gap();
    bool member = (sample.empty() || check.Accept(sample)) && check.Member();
    if (member && check.CountTokens(sample) <= start_.tokens()) return sample;
  }
  return start_.Finish().middle;
}

}  // namespace tenon::server
