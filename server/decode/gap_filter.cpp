#include "server/decode/gap_filter.h"

#include <algorithm>
#include <utility>

namespace tenon::server {

namespace {

constexpr size_t kMaxHealedBytes = 32, kMaxHealedSigns = 4;

bool IsSign(char c) {
  return !IsWordByte(c) && kBlanksAndLineEnds.find(c) == std::string_view::npos;
}

// The bytes of a kind with which the text ends, at most so many.
size_t BytesAtEnd(std::string_view text, bool (*is_kind)(char), size_t most) {
  const auto last = text.rbegin(), end = last + static_cast<ptrdiff_t>(std::min(most, text.size()));
  return static_cast<size_t>(std::find_if_not(last, end, is_kind) - last);
}

// The cursor's text with the sizes of healed blanks at which a token ends where code follows.
CursorText WithStops(const model::Tokenizer& tokenizer, CursorText cursor) {
  if (cursor.healed.size() < 2 || !IsBlank(cursor.healed)) return cursor;
  size_t end = 0;
  for (const TokenId token : HealedTokens(tokenizer, cursor.healed))
    cursor.healed_stops.push_back(end += tokenizer.Bytes(token).size());
  return cursor;
}

}  // namespace

size_t HealedBytes(std::string_view left) {
  const size_t word = BytesAtEnd(left, IsWordByte, kMaxHealedBytes + 1);
  if (word > kMaxHealedBytes) return 0;  // no word: data, or a script without blanks
  const size_t n = word > 0 ? word : BytesAtEnd(left, IsSign, kMaxHealedSigns);
  if (n > 0) return left.substr(0, left.size() - n).ends_with(' ') ? n + 1 : n;
  return BytesAtEnd(
      left, [](char c) { return kBlanks.find(c) != std::string_view::npos; }, kMaxHealedBytes);
}

std::vector<TokenId> HealedTokens(const model::Tokenizer& tokenizer, std::string_view healed) {
  if (!IsBlank(healed)) return tokenizer.Encode(healed, false);
  std::vector<TokenId> tokens = tokenizer.Encode(std::string(healed) + "x", false);
  size_t end = 0;
  const auto with_code = std::find_if(tokens.begin(), tokens.end(), [&](TokenId token) {
    end += tokenizer.Bytes(token).size();
    return end > healed.size();
  });
  tokens.erase(with_code, tokens.end());
  return tokens;
}

GapFilter::GapFilter(const model::Tokenizer& tokenizer, const std::vector<TokenId>& end_tokens,
                     Budget budget, FilterOptions options)
    : tokenizer_(&tokenizer),
      end_tokens_(&end_tokens),
      text_(std::move(budget), options.goal, WithStops(tokenizer, std::move(options.cursor))) {
  if (!options.masks) return;
  masks_ = std::make_shared<GapMasks>(
      std::move(options.masks), end_tokens,
      [right_line = text_.written().cursor()->right_line](std::string_view bytes) {
        return MayWriteInto(bytes, right_line);
      });
}

bool GapFilter::IsEnd(TokenId token) const { return model::IsOneOf(token, *end_tokens_); }

bool GapFilter::IsBanned(TokenId token) const { return model::IsOneOf(token, banned_); }

bool GapFilter::Check(TokenId token) {
  last_ = Try(token);
  refused_ += !last_;
  return last_.has_value();
}

std::optional<GapFilter::Allowed> GapFilter::Try(TokenId token) {
  if (IsBanned(token) || text_.first_choice().lacks_room()) return std::nullopt;
  if (IsEnd(token)) {
    if (text_.JudgeEnd().verdict != Judgement::Verdict::kRefused) return Allowed{token, true};
    text_.FirstChoiceRefused({});
    // Where a block begins the model ends a line, and not the middle.
    end_refused_ |= !IsBlank(gap().middle()) && !text_.BeginsBlock();
    return std::nullopt;
  }
  const std::string_view bytes = tokenizer_->Bytes(token);
  if (bytes.empty()) return std::nullopt;
  auto piece = text_.Try(bytes);
  if (piece) return Allowed{token, false, *std::move(piece)};
  text_.FirstChoiceRefused(bytes);
  return std::nullopt;
}

Judgement GapFilter::Judge(TokenId token) {
  auto allowed = std::exchange(last_, std::nullopt);
  if (!allowed || allowed->token != token) allowed = Try(token);
  if (!allowed) return {};
  if (allowed->end) return text_.JudgeEnd();
  Judgement judged = text_.Judge(tokenizer_->Bytes(token), std::move(allowed->piece));
  if (judged.verdict == Judgement::Verdict::kAccepted) BeginPlace();
  return judged;
}

model::TokenBits GapFilter::Mask() {
  if (!masks_) return {};
  model::TokenBits mask = masks_->Of(gap(), text_.written().healed());
  made_ += !mask.empty();
  return mask;
}

bool GapFilter::Joins(TokenId token) {
  if (text_.first_choice().lacks_room()) return false;
  if (IsEnd(token)) {
    if (text_.JudgeEnd().verdict != Judgement::Verdict::kRefused) return true;
    text_.FirstChoiceRefused({});
    return false;
  }
  const std::string_view bytes = tokenizer_->Bytes(token);
  if (bytes.empty() || IsBanned(token)) return false;
  if (text_.Joins(bytes)) return true;
  text_.FirstChoiceRefused(bytes);
  return false;
}

Judgement GapFilter::JudgeJoining(TokenId token) const {
  return IsEnd(token) ? text_.JudgeEnd() : text_.JudgeJoining(tokenizer_->Bytes(token));
}

void GapFilter::BeginPlace() {
  last_.reset();
  banned_.clear();
}

bool GapFilter::ConvergeWhereDue(const Judgement& judged) {
  if (!text_.ConvergeWhereDue(judged, end_refused_)) return false;
  last_.reset();
  return true;
}

bool GapFilter::Accept(TokenId token) {
  BeginPlace();
  return text_.Accept(tokenizer_->Bytes(token));
}

bool GapFilter::AcceptForced(std::string_view bytes, uint32_t tokens) {
  if (!text_.AcceptForced(bytes, tokens)) return false;
  BeginPlace();
  return true;
}

}  // namespace tenon::server
