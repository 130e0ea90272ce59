#include "tenon/complete.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "constraint/library/internals.h"
#include "tenon/budget.h"

namespace tenon {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f";
constexpr float kNever = -std::numeric_limits<float>::infinity();

bool IsBlank(std::string_view text) { return text.find_first_not_of(kBlanks) == text.npos; }

// Bytes of characters beyond ASCII count as letters. No header of the library needs words; the
// server has the same ones for itself.
bool IsWordByte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x80 || std::isalnum(value) != 0 || byte == '_';
}

// Does `text` write the beginning of `right`, or all of it and more?
bool WritesInto(std::string_view text, std::string_view right) {
  const size_t n = std::min(text.size(), right.size());
  return n > 0 && !IsBlank(text) && text.substr(0, n) == right.substr(0, n);
}

// Does a token write at byte `at` what follows a middle: a line end, or the beginning of the right
// context? A word that the token writes is not cut.
bool MayFollow(std::string_view bytes, size_t at, std::string_view right) {
  if (bytes[at] == '\n' || bytes[at] == '\r') return true;
  return (at == 0 || !IsWordByte(bytes[at])) && WritesInto(bytes.substr(at), right);
}

// One middle in the making.
class Middle {
 public:
  Middle(Budget budget, Masker& masker, const CompleteOptions& options, std::string_view right)
      : budget_(std::move(budget)),
        masker_(masker),
        vocabulary_(masker.store().vocabulary()),
        right_(right) {
    for (uint32_t id = 0; id < vocabulary_.size(); ++id) {
      const std::string_view bytes = vocabulary_.Bytes(TokenId{id});
      for (size_t at = 0; at < bytes.size(); ++at) {
        if (!MayFollow(bytes, at, right_)) continue;
        ending_.push_back(TokenId{id});
        break;
      }
    }
    for (const TokenId token : options.end_tokens) {
      if (token.value >= vocabulary_.size()) continue;
      is_end_.resize(vocabulary_.size());
      is_end_[token.value] = true;
      ending_.push_back(token);
    }
  }

  struct Step {
    std::optional<std::string> whole;  // the middle ends, and is this
    std::optional<TokenId> drawn;      // it goes on with this token; neither: nothing fits
  };
  // Looks for the likeliest token that ends the middle or fits.
  Step Next(TokenModel::Logits logits) {
    scores_.assign(logits.begin(), logits.begin() + static_cast<ptrdiff_t>(std::min(
                                                        logits.size(), vocabulary_.size())));
    for (bool is_masked = false;;) {
      const std::optional<TokenId> token = Likeliest();
      if (!token) return {};
      if (auto whole = WholeBy(*token)) return {std::move(whole), {}};
      const std::string_view bytes = vocabulary_.Bytes(*token);
      if (!IsEnd(*token) && !bytes.empty() && budget_.Accept(bytes)) return {{}, token};
      scores_[token->value] = kNever;
      if (!is_masked) Mask();
      is_masked = true;
    }
  }

  const Budget& budget() const { return budget_; }

 private:
  bool IsEnd(TokenId token) const { return !is_end_.empty() && is_end_[token.value]; }

  std::optional<TokenId> Likeliest() const {
    float best = kNever;
    std::optional<TokenId> token;
    for (uint32_t id = 0; id < scores_.size(); ++id) {
      if (!(scores_[id] > best)) continue;  // NaN neither
      best = scores_[id];
      token = TokenId{id};
    }
    return token;
  }

  // Leaves the tokens that fit, and those that may end a middle.
  void Mask() {
    const std::span<const uint64_t> mask = masker_.Of(budget_.gap());
    kept_.clear();
    for (const TokenId token : ending_)
      kept_.push_back(token.value < scores_.size() ? scores_[token.value] : kNever);
    ApplyMask(mask, scores_);
    for (size_t i = 0; i < ending_.size(); ++i) {
      if (ending_[i].value < scores_.size()) scores_[ending_[i].value] = kept_[i];
    }
  }

  // The whole middle where the token ends it.
  std::optional<std::string> WholeBy(TokenId token) const {
    const Gap& gap = budget_.gap();
    if (IsEnd(token)) return gap.Member() ? std::optional(gap.middle()) : std::nullopt;
    const std::string_view bytes = vocabulary_.Bytes(token);
    for (size_t at = 0; at < bytes.size(); ++at) {
      if (!MayFollow(bytes, at, right_)) continue;
      Gap head = gap;
      if (at > 0 && !head.Accept(bytes.substr(0, at))) return std::nullopt;
      if (!IsBlank(head.middle()) && head.Member()) return head.middle();
    }
    return std::nullopt;
  }

  Budget budget_;
  Masker& masker_;
  const Vocabulary vocabulary_;
  const std::string_view right_;
  std::vector<TokenId> ending_;  // tokens that may end a middle
  std::vector<bool> is_end_;     // [TokenId] of the end tokens; empty: there are none
  std::vector<float> scores_;    // [TokenId] logits, minus infinity for tokens that were refused
  std::vector<float> kept_;      // [ending_]
};

}  // namespace

Result<std::optional<Completion>> Complete(TokenModel& model, std::span<const TokenId> prompt,
                                           const Gap& gap, Masker& masker,
                                           const CompleteOptions& options) {
  assert(gap.middle().empty() && "a completion is the whole middle");
  assert(options.most_tokens != kUnlimitedTokens && "nothing closes a middle without a budget");
  Budget budget(gap, options.most_tokens, options.stop);
  if (options.stop.stop_requested() || !budget.feasible()) return std::nullopt;
  Middle middle(std::move(budget), masker, options, Internals::Of(gap).shared()->right());
  Result<TokenModel::Logits> logits = Prefill(model, prompt);
  while (logits && middle.budget().left() > 0) {
    if (options.stop.stop_requested()) return std::nullopt;
    Middle::Step step = middle.Next(*logits);
    if (step.whole) {
      const bool is_cut = step.whole->size() > middle.budget().gap().middle().size();
      const uint32_t tokens = middle.budget().drawn() + (is_cut ? 1 : 0);
      return Completion{*std::move(step.whole), tokens, true};
    }
    if (!step.drawn) break;
    if (middle.budget().left() > 0) logits = model.Append(std::span(&*step.drawn, 1));
  }
  if (!logits) return tl::unexpected(logits.error());
  const Budget::Finished end = middle.budget().Finish();
  return Completion{end.middle, end.tokens, false};
}

}  // namespace tenon
