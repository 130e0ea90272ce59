#include "model/sampling/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace tenon::model {
namespace {

// Calls visit(t) for each token below `end` in the mask, in ascending order.
template <typename Visit>
void ForEach(TokenBits mask, size_t end, Visit visit) {
  for (size_t word = 0; word < mask.size(); ++word) {
    for (uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
      const size_t token = word * 64 + static_cast<size_t>(std::countr_zero(bits));
      if (token >= end) return;
      visit(TokenId{static_cast<uint32_t>(token)});
    }
  }
}

// Gives the tokens with a possible logit, the most likely first. Orders only as many as are taken.
class LazyOrder {
 public:
  explicit LazyOrder(std::span<const float> logits) : logits_(logits) {}

  // Drops the tokens outside the mask from all that Next will give.
  void Limit(TokenBits mask) {
    mask_.assign(mask.begin(), mask.end());
    limited_ = true;
    const auto outside = [this](TokenId token) { return !Holds(mask_, token); };
    const auto at = [this](size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    order_.erase(std::remove_if(at(ordered_), order_.end(), outside), order_.end());
    const auto kept = std::remove_if(at(given_), at(ordered_), outside);
    const auto ordered = static_cast<size_t>(kept - order_.begin());
    order_.erase(kept, at(ordered_));
    ordered_ = ordered;
  }

  // Nothing where all tokens were given.
  std::optional<TokenId> Next() {
    if (given_ == ordered_) OrderMore();
    if (given_ == ordered_) return std::nullopt;
    return order_[given_++];
  }

 private:
  static constexpr size_t kFirstPiece = 32;
  static constexpr size_t kGrowth = 16;

  void OrderMore() {
    // Most often the first token is taken. Finding it needs no list.
    if (!first_found_) {
      first_found_ = true;
      std::optional<TokenId> best;
      float largest = -INFINITY;  // NaN is not larger
      for (uint32_t i = 0; i < logits_.size(); ++i) {
        if (!(logits_[i] > largest)) continue;
        largest = logits_[i];
        best = TokenId{i};
      }
      if (!best) return;
      order_.push_back(*best);
      ordered_ = 1;
      return;
    }
    if (!listed_) {
      listed_ = true;
      const std::optional<TokenId> first =
          order_.empty() ? std::nullopt : std::optional(order_.front());
      const auto add = [&](TokenId token) {
        if (Possible(logits_[token.value]) && token != first) order_.push_back(token);
      };
      if (limited_) {
        ForEach(mask_, logits_.size(), add);
      } else {
        for (uint32_t i = 0; i < logits_.size(); ++i) add(TokenId{i});
      }
    }
    const size_t until = std::min(order_.size(), ordered_ + piece_);
    const auto likelier = [this](TokenId a, TokenId b) {
      const float of_a = logits_[a.value], of_b = logits_[b.value];
      return of_a != of_b ? of_a > of_b : a < b;
    };
    const auto at = [this](size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (until < order_.size()) std::nth_element(at(ordered_), at(until), order_.end(), likelier);
    std::sort(at(ordered_), at(until), likelier);
    ordered_ = until;
    piece_ *= kGrowth;
  }

  static bool Possible(float logit) { return logit > -INFINITY; }  // false for NaN

  std::span<const float> logits_;
  std::vector<uint64_t> mask_;
  bool limited_ = false;
  // The first given_ tokens were given, the first ordered_ are in order, the rest is in any order.
  std::vector<TokenId> order_;
  size_t ordered_ = 0;
  size_t given_ = 0;
  size_t piece_ = kFirstPiece;  // tokens that the next call of OrderMore puts in order
  bool first_found_ = false;    // order_ holds the most likely token
  bool listed_ = false;         // order_ holds all tokens that may be given
};

// Draws tokens in proportion to their weights and takes tokens out. The sums of blocks of weights
// make both cheap: neither looks at all weights.
class WeightTable {
 public:
  WeightTable(std::span<const float> logits, float temperature) : weights_(logits.size(), 0.0f) {
    float largest = -INFINITY;
    for (const float logit : logits) largest = logit > largest ? logit : largest;
    for (size_t i = 0; i < logits.size(); ++i) {
      if (!(logits[i] > -INFINITY)) continue;
      // Never zero: where all other tokens are refused, the least likely one must still be drawn.
      weights_[i] = logits[i] == largest
                        ? 1
                        : std::max(std::exp((logits[i] - largest) / temperature), kMinWeight);
    }
    sums_.resize((logits.size() + kBlock - 1) / kBlock);
    for (size_t block = 0; block < sums_.size(); ++block) SumBlock(block);
  }

  double Total() const { return std::accumulate(sums_.begin(), sums_.end(), 0.0); }

  // The token at which the sum of the weights, in order of ids, exceeds `mass`; never a token of
  // weight zero. REQUIRES: 0 <= mass < Total().
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
    return TokenId{static_cast<uint32_t>(last)};
  }

  void Remove(TokenId token) {
    weights_[token.value] = 0;
    SumBlock(token.value / kBlock);
  }

  // Gives tokens outside the mask weight zero.
  void Limit(TokenBits mask) {
    std::vector<float> kept(weights_.size(), 0.0f);
    ForEach(mask, weights_.size(),
            [&](TokenId token) { kept[token.value] = weights_[token.value]; });
    weights_ = std::move(kept);
    for (size_t block = 0; block < sums_.size(); ++block) SumBlock(block);
  }

 private:
  static constexpr size_t kBlock = 256;
  static constexpr float kMinWeight = 1e-37f;

  void SumBlock(size_t block) {
    const auto begin = weights_.begin() + static_cast<std::ptrdiff_t>(block * kBlock);
    sums_[block] = std::accumulate(
        begin,
        begin + static_cast<std::ptrdiff_t>(std::min(kBlock, weights_.size() - block * kBlock)),
        0.0);
  }
  // Rounding may carry a draw past the end. It then belongs to the last block with a weight.
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

std::optional<TokenId> Sampler::Draw(std::span<const float> logits, TokenFilter& filter,
                                     std::stop_token cancel) {
  return temperature_ > 0 ? DrawWeighted(logits, filter, cancel)
                          : DrawGreedy(logits, filter, cancel);
}

std::optional<TokenId> Sampler::Draw(std::span<const float> logits,
                                     const std::function<bool(TokenId)>& allowed,
                                     std::stop_token cancel) {
  class Unmasked final : public TokenFilter {
   public:
    explicit Unmasked(const std::function<bool(TokenId)>& allowed) : allowed_(allowed) {}
    bool Check(TokenId token) override { return allowed_(token); }
    bool Accept(TokenId token) override { return allowed_(token); }

   private:
    const std::function<bool(TokenId)>& allowed_;
  } filter(allowed);
  return Draw(logits, filter, std::move(cancel));
}

std::optional<TokenId> Sampler::DrawGreedy(std::span<const float> logits, TokenFilter& filter,
                                           const std::stop_token& cancel) {
  LazyOrder order(logits);
  bool asked = false;
  while (!cancel.stop_requested()) {
    const std::optional<TokenId> token = order.Next();
    if (!token) return std::nullopt;
    if (IsNever(*token)) continue;
    if (filter.Check(*token)) return token;
    if (std::exchange(asked, true)) continue;
    if (const TokenBits mask = filter.Mask(); !mask.empty()) order.Limit(mask);
  }
  return std::nullopt;
}

std::optional<TokenId> Sampler::DrawWeighted(std::span<const float> logits, TokenFilter& filter,
                                             const std::stop_token& cancel) {
  WeightTable weights(logits, temperature_);
  for (const TokenId token : never_) {
    if (token.value < logits.size()) weights.Remove(token);
  }
  bool asked = false;
  while (!cancel.stop_requested()) {
    const double total = weights.Total();
    if (!(total > 0)) return std::nullopt;
    const TokenId token = weights.At(Uniform() * total);
    if (filter.Check(token)) return token;
    weights.Remove(token);
    if (std::exchange(asked, true)) continue;
    if (const TokenBits mask = filter.Mask(); !mask.empty()) weights.Limit(mask);
  }
  return std::nullopt;
}

bool Sampler::IsNever(TokenId token) const {
  return std::binary_search(never_.begin(), never_.end(), token);
}

// A number in [0, 1) from 53 bits of the generator: the same in every standard library, unlike the
// distributions of <random>.
double Sampler::Uniform() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }

}  // namespace tenon::model
