#include "server/decode/gap_filter.h"

#include <algorithm>
#include <utility>

namespace tenon::server {

namespace {

constexpr size_t kMaxHealedBytes = 32;

// Does `text` write the beginning of `right_line`, or all of it and more?
bool WritesInto(std::string_view text, std::string_view right_line) {
  size_t n = std::min(text.size(), right_line.size());
  return !IsBlank(text) && text.substr(0, n) == right_line.substr(0, n);
}

// May the middle end at byte `at` of a token, whose rest is written into the right context?
// Never between letters.
bool CutsAt(std::string_view bytes, size_t at, std::string_view right_line) {
  return !IsWordByte(bytes[at]) && WritesInto(bytes.substr(at), right_line);
}

}  // namespace

size_t HealedBytes(std::string_view left) {
  size_t n = 0;
  auto at = [&] { return left[left.size() - 1 - n]; };
  while (n < left.size() && IsWordByte(at())) ++n;
  if (n > kMaxHealedBytes) return 0;  // no word: data, or a script without blanks
  if (n > 0) {
    if (n < left.size() && at() == ' ') ++n;
    return n;
  }
  while (n < left.size() && n < kMaxHealedBytes && (at() == ' ' || at() == '\t')) ++n;
  return n;
}

GapFilter::GapFilter(const model::Tokenizer& tokenizer, const std::vector<TokenId>& end_tokens,
                     Budget budget, FilterOptions options)
    : tokenizer_(&tokenizer),
      end_tokens_(&end_tokens),
      budget_(std::move(budget)),
      goal_(options.goal),
      healed_(std::move(options.healed)),
      right_line_(std::move(options.right_line)) {
  if (goal_ != Goal::kJoin || IsBlank(right_line_)) right_line_.clear();
  if (!options.masks) return;
  masks_ = std::make_shared<GapMasks>(
      std::move(options.masks), end_tokens, [right_line = right_line_](std::string_view bytes) {
        if (right_line.empty()) return false;
        for (size_t at = 0; at < bytes.size(); ++at) {
          if (at == 0 ? WritesInto(bytes, right_line) : CutsAt(bytes, at, right_line)) return true;
        }
        return false;
      });
}

bool GapFilter::IsEnd(TokenId token) const {
  return std::find(end_tokens_->begin(), end_tokens_->end(), token) != end_tokens_->end();
}

bool GapFilter::MayEndAt(const Gap& gap) const {
  if (goal_ == Goal::kText) return gap.Member();
  return !IsBlank(gap.middle()) && (goal_ == Goal::kLine || gap.Member());
}

std::optional<std::string_view> GapFilter::Fresh(std::string_view bytes) const {
  size_t known = std::min(bytes.size(), healed_.size());
  if (bytes.substr(0, known) != std::string_view(healed_).substr(0, known)) return std::nullopt;
  return bytes.substr(known);
}

bool GapFilter::Check(TokenId token) {
  last_ = Try(token);
  refused_ += !last_;
  return last_.has_value();
}

std::optional<GapFilter::Allowed> GapFilter::Try(TokenId token) {
  if (IsEnd(token)) {
    if (MayEnd()) return Allowed{token, true};
    end_refused_ |= !IsBlank(gap().middle());
    return std::nullopt;
  }
  std::string_view bytes = tokenizer_->Bytes(token);
  if (bytes.empty()) return std::nullopt;
  if (Fits(bytes)) return Allowed{token};
  auto head = HeadBeforeRight(token);
  if (!head) return std::nullopt;
  return Allowed{token, false, std::move(head)};
}

Judgement GapFilter::Judge(TokenId token) {
  auto allowed = std::exchange(last_, std::nullopt);
  if (!allowed || allowed->token != token) allowed = Try(token);
  if (!allowed) return {};
  if (allowed->end) return {Judgement::Verdict::kEndsBefore};
  if (!allowed->head) allowed->head = HeadBeforeRight(token);  // it may both fit and write into R
  if (allowed->head) return EndsAt(*std::move(allowed->head));
  Judgement judged;
  if (goal_ != Goal::kText) {
    if (auto head = HeadBeforeLineEnd(token)) {
      if (MayEndAt(*head)) return EndsAt(*std::move(head));
      judged.begins_line = !IsBlank(head->middle());
    }
  }
  if (Accept(token)) judged.verdict = Judgement::Verdict::kAccepted;
  return judged;
}

Judgement GapFilter::EndsAt(Gap head) const {
  if (head.middle().size() == gap().middle().size()) return {Judgement::Verdict::kEndsBefore};
  return {Judgement::Verdict::kEndsInside, std::move(head)};
}

bool GapFilter::Fits(std::string_view bytes) {
  auto fresh = Fresh(bytes);
  if (!fresh || !budget_.Check(*fresh)) return false;
  if (!max_bytes_ || fresh->empty()) return true;
  Gap next = gap();
  if (!next.Accept(*fresh)) return false;
  auto cost = budget_.ClosingBytes(next);
  return cost && next.middle().size() + *cost <= *max_bytes_;
}

model::TokenBits GapFilter::Mask() {
  if (!masks_) return {};
  model::TokenBits mask = masks_->Of(gap(), healed_);
  made_ += !mask.empty();
  return mask;
}

std::optional<Gap> GapFilter::HeadBeforeRight(TokenId token) const {
  std::string_view bytes = tokenizer_->Bytes(token);
  if (right_line_.empty() || budget_.left() == 0 || bytes.size() <= healed_.size())
    return std::nullopt;
  if (healed_.empty() && WritesInto(bytes, right_line_) && MayEnd()) return gap();
  for (size_t at = healed_.size() + 1; at < bytes.size(); ++at) {
    if (!CutsAt(bytes, at, right_line_)) continue;
    auto fresh = Fresh(bytes.substr(0, at));
    auto head = fresh ? After(*fresh) : std::nullopt;
    if (!head) return std::nullopt;
    if (MayEndAt(*head) && head->CountTokens(*fresh) <= budget_.left()) return head;
  }
  return std::nullopt;
}

bool GapFilter::Joins(TokenId token) const {
  std::string_view bytes = tokenizer_->Bytes(token);
  if (bytes.empty() || IsEnd(token)) return false;
  auto fresh = Fresh(bytes);
  if (!fresh || bytes.size() < healed_.size() || budget_.left() == 0) return false;
  auto next = After(*fresh);
  return next && MayEndAt(*next);
}

bool GapFilter::Converge(size_t slack_bytes) {
  auto cost = budget_.ClosingBytes();
  if (!cost) return false;
  max_bytes_ = gap().middle().size() + *cost + slack_bytes;
  last_.reset();
  return true;
}

std::optional<Gap> GapFilter::After(std::string_view bytes) const {
  Gap next = gap();
  if (!bytes.empty() && !next.Accept(bytes)) return std::nullopt;
  return next;
}

bool GapFilter::Accept(TokenId token) {
  last_.reset();
  std::string_view bytes = tokenizer_->Bytes(token);
  auto fresh = Fresh(bytes);
  if (!fresh || !budget_.Accept(*fresh)) return false;
  healed_.erase(0, bytes.size() - fresh->size());
  return true;
}

bool GapFilter::AcceptForced(std::string_view bytes, uint32_t tokens) {
  last_.reset();
  return budget_.Accept(bytes, tokens);
}

std::optional<Gap> GapFilter::HeadBeforeLineEnd(TokenId token) const {
  std::string_view bytes = tokenizer_->Bytes(token);
  size_t end = bytes.find_first_of("\r\n", std::min(bytes.size(), healed_.size()));
  if (end == std::string_view::npos) return std::nullopt;
  auto fresh = Fresh(bytes.substr(0, end));
  return fresh ? After(*fresh) : std::nullopt;
}

}  // namespace tenon::server
