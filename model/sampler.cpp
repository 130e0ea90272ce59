#include "model/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon::model {
namespace {

// Gives the ids of finite logits from the most likely on, ordering only as much as is asked for.
class LazyOrder {
 public:
  explicit LazyOrder(std::span<const float> logits) : logits_(logits) {}

  // Nothing: all were given.
  std::optional<TokenId> Next() {
    if (given_ == ordered_) OrderMore();
    if (given_ == ordered_) return std::nullopt;
    return order_[given_++];
  }

 private:
  static constexpr size_t kFirstPiece = 32;
  static constexpr size_t kGrowth = 16;

  void OrderMore() {
    // Most often the first is taken; finding it needs no list.
    if (!first_found_) {
      first_found_ = true;
      TokenId best = -1;
      for (size_t i = 0; i < logits_.size(); ++i) {
        if (Possible(logits_[i]) && (best < 0 || logits_[i] > logits_[best])) best = static_cast<TokenId>(i);
      }
      if (best < 0) return;
      order_.push_back(best);
      ordered_ = 1;
      return;
    }
    if (!listed_) {
      listed_ = true;
      const TokenId first = order_.empty() ? -1 : order_[0];
      for (size_t i = 0; i < logits_.size(); ++i) {
        if (Possible(logits_[i]) && static_cast<TokenId>(i) != first) order_.push_back(static_cast<TokenId>(i));
      }
    }
    const size_t until = std::min(order_.size(), ordered_ + piece_);
    const auto likelier = [this](TokenId a, TokenId b) {
      return logits_[a] != logits_[b] ? logits_[a] > logits_[b] : a < b;
    };
    const auto at = [this](size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (until < order_.size()) std::nth_element(at(ordered_), at(until), order_.end(), likelier);
    std::sort(at(ordered_), at(until), likelier);
    ordered_ = until;
    piece_ *= kGrowth;
  }

  static bool Possible(float logit) { return logit > -INFINITY; }  // false for NaN

  std::span<const float> logits_;
  std::vector<TokenId> order_;
  size_t ordered_ = 0;
  size_t given_ = 0;
  size_t piece_ = kFirstPiece;
  bool first_found_ = false;
  bool listed_ = false;
};

// Weights that are drawn from and set to zero; sums of blocks make both cheap.
class WeightTable {
 public:
  WeightTable(std::span<const float> logits, float temperature) : weights_(logits.size(), 0.0f) {
    float largest = -INFINITY;
    for (const float logit : logits) largest = logit > largest ? logit : largest;
    for (size_t i = 0; i < logits.size(); ++i) {
      if (!(logits[i] > -INFINITY)) continue;
      // Possible stays possible: where all else is refused, the least likely token must still come.
      weights_[i] = logits[i] == largest ? 1 : std::max(std::exp((logits[i] - largest) / temperature), kLeastWeight);
    }
    sums_.resize((logits.size() + kBlock - 1) / kBlock);
    for (size_t block = 0; block < sums_.size(); ++block) SumBlock(block);
  }

  double Total() const { return std::accumulate(sums_.begin(), sums_.end(), 0.0); }

  // The token at `mass` of the way through the weights, 0 <= mass < Total(); never one of weight zero.
  TokenId At(double mass) const {
    size_t last = 0;
    for (size_t block = 0; block < sums_.size(); ++block) {
      if (sums_[block] <= 0) continue;
      if (mass >= sums_[block] && block != LastBlock()) {
        mass -= sums_[block];
        continue;
      }
      for (size_t i = block * kBlock; i < std::min(weights_.size(), (block + 1) * kBlock); ++i) {
        if (weights_[i] <= 0) continue;
        last = i;
        if (mass < weights_[i]) break;
        mass -= weights_[i];
      }
      break;
    }
    return static_cast<TokenId>(last);
  }

  void Remove(TokenId token) {
    weights_[token] = 0;
    SumBlock(static_cast<size_t>(token) / kBlock);
  }

 private:
  static constexpr size_t kBlock = 256;
  static constexpr float kLeastWeight = 1e-37f;

  void SumBlock(size_t block) {
    const auto begin = weights_.begin() + static_cast<std::ptrdiff_t>(block * kBlock);
    sums_[block] = std::accumulate(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(kBlock, weights_.size() - block * kBlock)), 0.0);
  }
  // Rounding may carry a draw past the end; it then belongs to the last block that has weight.
  size_t LastBlock() const {
    size_t block = sums_.size() - 1;
    while (block > 0 && sums_[block] <= 0) --block;
    return block;
  }

  std::vector<float> weights_;
  std::vector<double> sums_;
};

}  // namespace

Sampler::Sampler(float temperature, uint64_t seed, std::vector<TokenId> never)
    : temperature_(temperature), random_(seed), never_(std::move(never)) {
  std::sort(never_.begin(), never_.end());
}

std::optional<TokenId> Sampler::Draw(std::span<const float> logits, const std::function<bool(TokenId)>& allowed,
                                     std::stop_token cancel) {
  return temperature_ > 0 ? DrawWeighted(logits, allowed, cancel) : DrawGreedy(logits, allowed, cancel);
}

std::optional<TokenId> Sampler::Draw(std::span<const float> logits, TokenFilter& filter, std::stop_token cancel) {
  return Draw(
      logits, [&filter](TokenId token) { return filter.Check(token); }, std::move(cancel));
}

std::optional<TokenId> Sampler::DrawGreedy(std::span<const float> logits, const std::function<bool(TokenId)>& allowed,
                                           const std::stop_token& cancel) {
  LazyOrder order(logits);
  while (!cancel.stop_requested()) {
    const std::optional<TokenId> token = order.Next();
    if (!token) return std::nullopt;
    if (!IsNever(*token) && allowed(*token)) return token;
  }
  return std::nullopt;
}

std::optional<TokenId> Sampler::DrawWeighted(std::span<const float> logits, const std::function<bool(TokenId)>& allowed,
                                             const std::stop_token& cancel) {
  WeightTable weights(logits, temperature_);
  for (const TokenId token : never_) {
    if (token >= 0 && static_cast<size_t>(token) < logits.size()) weights.Remove(token);
  }
  while (!cancel.stop_requested()) {
    const double total = weights.Total();
    if (!(total > 0)) return std::nullopt;
    const TokenId token = weights.At(Uniform() * total);
    if (allowed(token)) return token;
    weights.Remove(token);
  }
  return std::nullopt;
}

bool Sampler::IsNever(TokenId token) const { return std::binary_search(never_.begin(), never_.end(), token); }

// The standard's distributions differ between libraries; 53 bits of the generator do not.
double Sampler::Uniform() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }

}  // namespace tenon::model
