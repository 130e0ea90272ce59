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

std::optional<std::string_view> GapFilter::Fresh(std::string_view bytes) const {
  size_t known = std::min(bytes.size(), healed_.size());
  if (bytes.substr(0, known) != std::string_view(healed_).substr(0, known)) return std::nullopt;
  return bytes.substr(known);
}

bool GapFilter::Check(model::TokenId token) {
  if (IsEnd(token)) {
    bool may = MayEnd();
    end_refused_ |= !may && !IsBlank(state().middle());
    return may;
  }
  std::string_view bytes = tokenizer_->Bytes(token);
  if (bytes.empty()) return false;
  auto fresh = Fresh(bytes);
  if (!fresh || !gap_.Check(*fresh)) return false;
  if (!most_bytes_ || fresh->empty()) return true;
  constraint::GapState next = state();
  if (!next.Accept(*fresh)) return false;
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
  auto fresh = Fresh(bytes);
  if (!fresh || bytes.size() < healed_.size() || gap_.left() == 0) return false;
  auto next = Behind(*fresh);
  return next && MayEndAt(*next);
}

bool GapFilter::Converge(size_t slack_bytes) {
  auto cost = state().ClosingCost();
  if (!cost) return false;
  most_bytes_ = state().middle().size() + *cost + slack_bytes;
  return true;
}

std::optional<constraint::GapState> GapFilter::Behind(std::string_view bytes) const {
  constraint::GapState next = state();
  if (!bytes.empty() && !next.Accept(bytes)) return std::nullopt;
  return next;
}

bool GapFilter::Accept(model::TokenId token) {
  std::string_view bytes = tokenizer_->Bytes(token);
  auto fresh = Fresh(bytes);
  if (!fresh || !gap_.Accept(*fresh)) return false;
  healed_.erase(0, bytes.size() - fresh->size());
  return true;
}

std::optional<constraint::GapState> GapFilter::HeadBeforeLineEnd(model::TokenId token) const {
  std::string_view bytes = tokenizer_->Bytes(token);
  size_t end = bytes.find_first_of("\r\n", std::min(bytes.size(), healed_.size()));
  if (end == std::string_view::npos) return std::nullopt;
  auto fresh = Fresh(bytes.substr(0, end));
  return fresh ? Behind(*fresh) : std::nullopt;
}

}  // namespace tenon::server
