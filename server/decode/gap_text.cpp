#include "server/decode/gap_text.h"

#include <utility>

#include "server/request/blocks.h"
#include "server/request/words.h"

namespace tenon::server {

bool WritesOn(std::string_view bytes, std::string_view healed) {
  return bytes.size() > healed.size() && bytes.starts_with(healed);
}

GapText::GapText(Budget budget, Goal goal, CursorText cursor)
    : middle_(std::move(budget), goal, std::move(cursor)), first_pieces_(middle_), ends_(middle_) {}

std::optional<GapText::Allowed> GapText::Try(std::string_view bytes) {
  const auto piece = middle_.Next(bytes);
  if (!piece || RulesRefuse(*piece)) return std::nullopt;
  if (!ends_.left_brackets().AreExceededBy(*piece) && convergence_.Fits(middle_, *piece))
    return Allowed{};
  auto end = ends_.BeforeMisfit(middle_, *piece, converging());
  if (!end) return std::nullopt;
  return Allowed{std::move(end)};
}

bool GapText::RulesRefuse(const NextPiece& piece) const {
  return first_pieces_.Refuse(middle_, piece) || first_choice_.Refuses(middle_, piece.bytes);
}

Judgement GapText::Judge(std::string_view bytes, Allowed allowed) {
  if (allowed.head) return EndsAt({*std::move(allowed.head)});
  const auto piece = middle_.Next(bytes);
  if (!piece) return {};
  EndRules::InPieceFound found = ends_.InPiece(middle_, *piece, converging());
  if (found.end) return EndsAt(*std::move(found.end));
  Judgement judged{.line_end = std::move(found.line_end)};
  if (!Accept(bytes)) return judged;
  judged.verdict = Judgement::Verdict::kAccepted;
  if (found.opens_block) ends_.OpenBlock(judged.line_end->middle());
  return judged;
}

Judgement GapText::Judge(std::string_view bytes) {
  auto allowed = Try(bytes);
  if (!allowed) return {};
  return Judge(bytes, *std::move(allowed));
}

Judgement GapText::JudgeEnd() const {
  auto end = ends_.AtWritersEnd(middle_);
  return end ? EndsAt({*std::move(end)}) : Judgement{};
}

Judgement GapText::EndsAt(MiddleEnd end) const {
  if (end.at.middle().size() == middle_.text().size())
    return {.verdict = Judgement::Verdict::kEndsBefore, .ended = end.ended};
  return {
      .verdict = Judgement::Verdict::kEndsInside, .head = std::move(end.at), .ended = end.ended};
}

bool GapText::Joins(std::string_view bytes) const {
  const auto piece = middle_.Next(bytes);
  if (!piece || bytes.size() < middle_.healed().size() || middle_.budget().left() == 0)
    return false;
  if (RulesRefuse(*piece) || ends_.left_brackets().AreExceededBy(*piece)) return false;
  const auto next = middle_.After(*piece);
  return next && middle_.MayEndAt(*next);
}

Judgement GapText::JudgeJoining(std::string_view bytes) const {
  const auto piece = middle_.Next(bytes);
  auto end = piece ? ends_.JoiningIn(middle_, *piece) : std::nullopt;
  return end ? EndsAt({*std::move(end)}) : Judgement{};
}

bool GapText::Accept(std::string_view bytes) {
  if (!middle_.Accept(bytes)) return false;
  BeginPlace();
  return true;
}

bool GapText::AcceptForced(std::string_view bytes, uint32_t tokens) {
  if (!middle_.AcceptForced(bytes, tokens)) return false;
  BeginPlace();
  return true;
}

void GapText::BeginPlace() {
  first_choice_ = {};
  convergence_.BeginPlace();
}

void GapText::FirstChoiceRefused(std::string_view bytes) {
  if (!first_choice_.Hear()) return;
  first_pieces_.HearRefused(middle_, bytes);
  if (middle_.goal() == Goal::kText || ends_.right().ends_word()) return;
  const auto piece = bytes.empty() ? std::nullopt : middle_.Next(bytes);
  const bool lacks_room = piece && !ends_.left_brackets().AreExceededBy(*piece) &&
                          convergence_.LacksRoom(middle_, *piece);
  first_choice_.SetRefused(middle_, bytes, lacks_room);
}

bool GapText::ConvergeWhereDue(const Judgement& judged, bool end_refused) {
  return convergence_.BeginWhereDue(
      middle_,
      {.line_end = judged.line_end, .fills_block = FillsBlock(), .end_refused = end_refused});
}

bool GapText::BeginsBlock() const {
  const std::string_view text = middle_.text();
  if (EndsWithOpeningBracket(text) || middle_.EndsLineWithColon()) return true;
  const std::vector<MiddleBeginning>& lines = middle_.block_lines();
  return ends_.block().is_known() && !lines.empty() &&
         IsBlank(text.substr(lines.back().gap.middle().size()));
}

}  // namespace tenon::server
