#include "server/complete/gap_filter.h"

namespace tenon::server {

namespace {

constexpr size_t kMostHealedBytes = 32;

}  // namespace

size_t HealedBytes(std::string_view left) {
  size_t n = 0;
  auto at = [&] { return left[left.size() - 1 - n]; };
  while (n < left.size() && IsWordByte(at())) ++n;
  if (n > kMostHealedBytes) return 0;  // no word: data, or a script without blanks
  if (n > 0) {
    if (n < left.size() && at() == ' ') ++n;
    return n;
  }
  while (n < left.size() && n < kMostHealedBytes && (at() == ' ' || at() == '\t')) ++n;
  return n;
}

bool GapFilter::IsEnd(model::TokenId token) const {
  return std::find(end_tokens_->begin(), end_tokens_->end(), token) != end_tokens_->end();
}

bool GapFilter::Check(model::TokenId token) {
  if (IsEnd(token)) {
    bool may = MayEnd();
    end_refused_ |= !may && !IsBlank(state_.middle());
    return may;
  }
  std::string_view bytes = tokenizer_->Bytes(token);
  if (bytes.empty()) return false;
  size_t known = std::min(bytes.size(), healed_.size());
  if (bytes.substr(0, known) != std::string_view(healed_).substr(0, known)) return false;
  if (known == bytes.size()) return true;
  if (!most_bytes_) return state_.Check(bytes.substr(known));
  constraint::GapState next = state_;
  if (!next.Accept(bytes.substr(known))) return false;
  auto cost = next.ClosingCost();
  return cost && next.middle().size() + *cost <= *most_bytes_;
}

bool GapFilter::Repeats(model::TokenId token, std::string_view right_line) const {
  std::string_view bytes = tokenizer_->Bytes(token);
  if (!healed_.empty() || IsBlank(bytes) || IsBlank(right_line)) return false;
  size_t n = std::min(bytes.size(), right_line.size());
  return bytes.substr(0, n) == right_line.substr(0, n);
}

bool GapFilter::Joins(model::TokenId token) const {
  std::string_view bytes = tokenizer_->Bytes(token);
  if (bytes.empty() || IsEnd(token)) return false;
  GapFilter next = *this;
  return next.AcceptBytes(bytes) && next.MayEnd();
}

bool GapFilter::Converge(size_t slack_bytes) {
  auto cost = state_.ClosingCost();
  if (!cost) return false;
  most_bytes_ = state_.middle().size() + *cost + slack_bytes;
  return true;
}

bool GapFilter::AcceptBytes(std::string_view bytes) {
  size_t known = std::min(bytes.size(), healed_.size());
  if (bytes.substr(0, known) != std::string_view(healed_).substr(0, known)) return false;
  if (known < bytes.size() && !state_.Accept(bytes.substr(known))) return false;
  healed_.erase(0, known);
  return true;
}

bool GapFilter::Accept(model::TokenId token) { return AcceptBytes(tokenizer_->Bytes(token)); }

std::optional<GapFilter> GapFilter::HeadBeforeLineEnd(model::TokenId token) const {
  std::string_view bytes = tokenizer_->Bytes(token);
  size_t end = bytes.find_first_of("\r\n", std::min(bytes.size(), healed_.size()));
  if (end == std::string_view::npos) return std::nullopt;
  GapFilter head = *this;
  if (!head.AcceptBytes(bytes.substr(0, end))) return std::nullopt;
  return head;
}

}  // namespace tenon::server
