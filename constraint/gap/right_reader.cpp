#include "constraint/gap/right_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

RightReader::RightReader(RightSide& right, Seam seam, std::vector<Between> readings, size_t offset)
    : right_(right),
      seam_(seam),
      mover_(right.mover()),
      lexer_(right.context().language().lexer),
      readings_(std::move(readings)),
      offset_(offset) {}

bool RightReader::Accepts() {
  DropUnfinished();
  const NoteScope refused(mover_.refused());
  const NoteScope tested(mover_.names_read());
  const bool accepted = ReadToEnd();
  if (!accepted && tested.notes().missed != TextId{})
    right_.RememberAskedName(mover_.names().Text(tested.notes().missed));
  for (const RightSide::Checkpoint& at : passed_) {
    if (at.node < mover_.stacks().lasting_size() && mover_.names().Lasts(NamesId{at.names}))
      right_.Remember(at, {accepted, refused.notes().bits, tested.notes().any});
  }
  return accepted;
}

void RightReader::DropUnfinished() {
  const bool closes_modes = lexer_.has_modes() && seam_ != Seam::kOpen;  // the seam rule
  std::erase_if(readings_, [&](const Between& at) {
    return !ScopeRules::MayEnd(at.context.scope) ||
           (closes_modes && mover_.modes().sealed(at.context.modes));
  });
}

bool RightReader::ReadToEnd() {
  while (!readings_.empty() || !beside_.empty()) {
    if (!beside_.empty()) TakeLeastFar();
    if (offset_ == right_.context().text().size()) {
      if (AcceptsEnd()) return true;
      readings_.clear();
      continue;
    }
    if (lexer_.has_modes() && OtherModesAccept()) return true;
    const LexemeId last = ReadLexeme();
    if (last != kNoLexeme && KnownToAccept(last)) return true;
  }
  return false;
}

void RightReader::TakeLeastFar() {
  const auto hindmost =
      std::min_element(beside_.begin(), beside_.end(),
                       [](const Beside& a, const Beside& b) { return a.offset < b.offset; });
  if (readings_.empty() || hindmost->offset < offset_) {
    std::swap(hindmost->offset, offset_);
    hindmost->readings.swap(readings_);
  }
  std::erase_if(beside_, [&](const Beside& other) {
    if (other.readings.empty()) return true;
    if (other.offset != offset_ || other.readings[0].context.modes != readings_[0].context.modes)
      return false;
    readings_.insert(readings_.end(), other.readings.begin(), other.readings.end());
    return true;
  });
  SortUnique(readings_);
  mover_.Pack(readings_);
}

bool RightReader::AcceptsEnd() {
  return std::any_of(readings_.begin(), readings_.end(),
                     [&](const Between& at) { return mover_.AcceptsEnd(at); });
}

bool RightReader::OtherModesAccept() {
  const ModeStackId first = readings_[0].context.modes;
  const auto others =
      std::stable_partition(readings_.begin(), readings_.end(),
                            [&](const Between& at) { return at.context.modes == first; });
  if (others == readings_.end()) return false;
  if (RightReader(right_, seam_, {others, readings_.end()}, offset_).Accepts()) return true;
  readings_.erase(others, readings_.end());
  return false;
}

LexemeId RightReader::ReadLexeme() {
  const DfaStateId start = mover_.StartAfter(kStartState, readings_[0].context);
  Lexer::Match match = right_.context().At(offset_, start);
  if (match.lexeme == kNoLexeme) {
    readings_.clear();
    return kNoLexeme;
  }
  const Lexer::Match apart = right_.context().Apart(offset_, start);
  MoveColumns(match.end);
  std::vector<Between> next = After(match);
  // A single reading that takes the rival does not take the lexeme apart.
  if (apart.lexeme != kNoLexeme && (next.empty() || readings_.size() > 1)) {
    std::vector<Between> other = After(apart);
    if (next.empty()) {
      match = apart;
      next = std::move(other);
    } else if (!other.empty()) {
      beside_.push_back({apart.end, std::move(other)});
    }
  }
  readings_ = std::move(next);
  offset_ = match.end;
  if (readings_.size() > kMaxBranches || beside_.size() > kMaxBranches) {
    mover_.given_up().Note({true});
    readings_.clear();
    beside_.clear();
    passed_.clear();  // nothing was found out
  }
  return match.lexeme;
}

void RightReader::MoveColumns(size_t end) {
  const LayoutRules& layout = mover_.layout();
  if (!layout.active() || !readings_[0].context.layout.line_begin) return;
  for (const char byte : right_.context().text().substr(offset_, end - offset_)) {
    for (Between& at : readings_) layout.ReadByte(static_cast<uint8_t>(byte), at.context.layout);
  }
}

std::vector<Between> RightReader::After(const Lexer::Match& lexeme) {
  const std::string_view bytes = right_.context().text().substr(offset_, lexeme.end - offset_);
  const NameText text = mover_.Whole(lexeme.lexeme, bytes);
  std::vector<Between> all;
  for (const Between& at : readings_) {
    const std::vector<Between> ended = mover_.End(at, lexeme.lexeme, false, text);
    all.insert(all.end(), ended.begin(), ended.end());
  }
  SortUnique(all);
  mover_.Pack(all);
  return all;
}

bool RightReader::KnownToAccept(LexemeId last) {
  if (!MemoApplies(last)) return false;
  const RightSide::Checkpoint at = right_.CheckpointAt(readings_[0], offset_);
  const std::optional<RightSide::Outcome> known = right_.Known(at);
  if (!known) {
    if (beside_.empty()) passed_.push_back(at);
    return false;
  }
  mover_.refused().Note({known->barred});
  mover_.names_read().Note({known->names, {}});
  mover_.stacks().NoteRead(0);  // the memo does not say how deep it read
  if (!known->accepted) readings_.clear();
  return known->accepted;
}

bool RightReader::MemoApplies(LexemeId last) const {
  if (readings_.size() != 1) return false;
  const Lexeme& lexeme = lexer_.lexeme(last);
  if (mover_.layout().active()) return lexeme.is_newline && readings_[0].context.layout.depth == 0;
  return lexeme.kind == TerminalKind::kParsed && right_.IsCheckpoint(offset_);
}

}  // namespace tenon::constraint
