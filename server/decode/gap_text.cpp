#include "server/decode/gap_text.h"

#include <algorithm>
#include <utility>

#include "server/decode/closing_signs.h"
#include "server/request/blocks.h"
#include "server/request/comments.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/repetition.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// A line of a block may go on with these once it has ended: `})` and `);`.
constexpr std::string_view kClosersAndSigns = ")]};,.<";

// A text without the signs at its end with which the next line joins it: `a` of `a.` and `a &&`.
std::string_view WithoutJoiningSigns(std::string_view text) {
  while (!text.empty() && !MayEndStatement(text)) text.remove_suffix(1);
  return WithoutBlanksAtEnd(text);
}

// Do closing brackets alone close the gap? Where a head is missing, one is opened as well.
bool LacksClosingBrackets(const Gap& gap) {
  const std::optional<std::string> closing = ClosingBracketsOf(gap);
  return closing && ClosesABracket(*closing);
}

// A text without the lines of comments at its end.
std::string_view WithoutCommentsAtEnd(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = LastLine(text);
    if (!IsBlank(line) && !BeginsAsComment(Trimmed(line))) break;
    text.remove_suffix(std::min(line.size() + 1, text.size()));
  }
  return text;
}

// The cursor's text with the line of R that a middle may write: the next one where R's bracket ends
// the cursor's block, and none where the line is blank or the goal asks for no R.
std::shared_ptr<const CursorText> ForGoal(CursorText cursor, Goal goal) {
  if (goal != Goal::kJoin) cursor.empty_block = std::nullopt;
  if (goal != Goal::kJoin || IsBlank(cursor.right_line)) cursor.right_line.clear();
  if (cursor.empty_block && !cursor.empty_block->head_columns) cursor.right_line = cursor.next_text;
  return std::make_shared<const CursorText>(std::move(cursor));
}

// May a line of code begin here? A comment or blanks may stand anywhere.
bool MayBeginLine(const Gap& gap) {
  const std::vector<uint8_t> next = gap.LiveBytes();
  return std::any_of(next.begin(), next.end(), [](uint8_t byte) {
    const char c = static_cast<char>(byte);
    return IsWordByte(c) || std::string_view("\"'`([{)]}<@").find(c) != std::string_view::npos;
  });
}

}  // namespace

bool WritesOn(std::string_view bytes, std::string_view healed) {
  return bytes.size() > healed.size() && bytes.starts_with(healed);
}

GapText::GapText(Budget budget, Goal goal, CursorText cursor)
    : budget_(std::move(budget)),
      goal_(goal),
      healed_(cursor.healed),
      cursor_(ForGoal(std::move(cursor), goal)),
      begun_(std::make_shared<const Gap>(gap())),
      begins_in_column_(goal != Goal::kText && (cursor_->indented_less || cursor_->begins_file) &&
                        MayBeginLine(gap())),
      left_brackets_(*cursor_, gap(), goal),
      right_(cursor_),
      block_(cursor_, begun_) {}

bool GapText::MayEndAt(const Gap& gap) const { return MayEndMiddle(gap, goal_); }

std::optional<NextPiece> GapText::Next(std::string_view bytes) const {
  const size_t known = std::min(bytes.size(), healed_.size());
  if (bytes.substr(0, known) != std::string_view(healed_).substr(0, known)) return std::nullopt;
  return NextPiece{gap().middle(), bytes, known};
}

std::optional<GapText::Allowed> GapText::Try(std::string_view bytes) {
  if (RulesRefuse(bytes)) return std::nullopt;
  if (!ClosesTooMuch(bytes) && Fits(bytes)) return Allowed{};
  auto head = HeadBeforeRight(bytes, false);
  if (!head) head = HeadBeforeLessIndented(bytes);
  if (!head) head = HeadBeforeComma(bytes);
  if (!head) return std::nullopt;
  return Allowed{std::move(head)};
}

bool GapText::RulesRefuse(std::string_view bytes) const {
  return CutsIndentation(bytes) || DelaysBracket(bytes) || ClosesRightsBracket(bytes) ||
         GoesOnWhereEnded(bytes) || BeginsDeeper(bytes) || BeginsFileWithoutCode(bytes);
}

bool GapText::CutsIndentation(std::string_view bytes) const {
  const std::vector<size_t>& stops = cursor_->healed_stops;
  if (stops.empty() || healed_.size() < 2 || bytes.size() > healed_.size()) return false;
  const size_t size = cursor_->healed.size() - healed_.size() + bytes.size();
  return std::find(stops.begin(), stops.end(), size) == stops.end();
}

bool GapText::BeginsFurtherLeft(std::string_view bytes) const {
  return CutsIndentation(bytes) && bytes.size() < healed_.size();
}

bool GapText::DelaysBracket(std::string_view bytes) const {
  if (!begins_with_bracket_ || !IsBlank(gap().middle())) return false;
  const auto piece = Next(bytes);
  const std::string_view text = piece ? FirstLineWithText(piece->fresh()) : std::string_view();
  return !text.empty() && kClosingBrackets.find(text.front()) == std::string_view::npos;
}

bool GapText::ClosesRightsBracket(std::string_view bytes) const {
  const std::string& next_line = cursor_->next_text;
  if (goal_ != Goal::kJoin || next_line.empty() || !IsBlank(gap().middle())) return false;
  const auto piece = Next(bytes);
  if (!piece) return false;
  const std::string_view text = FirstLineWithText(piece->fresh());
  return !text.empty() && text.front() == next_line.front() &&
         kClosingBrackets.find(text.front()) != std::string_view::npos && gap().Member();
}

bool GapText::SaysNothingIsMissing(std::string_view bytes) const {
  if (goal_ != Goal::kJoin || block_.is_known() || !IsBlank(healed_) || !IsBlank(gap().middle()))
    return false;
  if (BeginsFurtherLeft(bytes)) return gap().Member();
  const std::string_view text = FirstLineWithText(bytes), next_line = cursor_->next_text;
  const bool is_right = !text.empty() && !next_line.empty() &&
                        (next_line.starts_with(text) || WritesInto(text, next_line));
  return (bytes.empty() || is_right) && gap().Member();
}

bool GapText::ClosesTooMuch(std::string_view bytes) const {
  if (!left_brackets_.limited() || bytes.find_first_of(kClosingBrackets) == std::string_view::npos)
    return false;
  const auto piece = Next(bytes);
  return piece && left_brackets_.Exceeds(piece->Text());
}

bool GapText::EndsInWord() const {
  if (!healed_.empty()) return false;
  const std::string& middle = gap().middle();
  const std::string_view text = middle.empty() ? cursor_->left_line : middle;
  return server::EndsInWord(text);
}

bool GapText::BeginsLastWord(std::string_view bytes) const {
  if (!server::EndsInWord(bytes)) return false;
  return !EndsInWord() || !std::all_of(bytes.begin(), bytes.end(), IsWordByte);
}

void GapText::FirstChoiceRefused(std::string_view bytes) {
  if (std::exchange(place_.choice_refused, true)) return;
  unneeded_ = unneeded_ || SaysNothingIsMissing(bytes);
  if (goal_ == Goal::kJoin && BeginsFurtherLeft(bytes) && !gap().Member())
    begins_with_bracket_ = LacksClosingBrackets(gap());
  if (goal_ == Goal::kText || right_.ends_word()) return;
  place_.word_ended = EndsInWord() && !GoesOnInWord(bytes);
  place_.line_ended =
      goal_ == Goal::kJoin && bytes.empty() && (EndsLineWithColon() || EndsBlockLine());
  place_.lacks_room = LacksRoom(bytes);
}

bool GapText::LacksRoom(std::string_view bytes) {
  if (bytes.empty()) return false;
  const auto piece = Next(bytes);
  const auto next = piece ? After(piece->fresh()) : std::nullopt;
  if (!next || ClosesTooMuch(bytes) || Fits(bytes)) return false;
  // With any number of tokens a piece is refused for whose text no closing text is known. A token
  // has a byte at least.
  const auto cost = budget_.ClosingBytes(*next);
  if (!cost ||
      (budget_.left() > *cost && next->middle().size() + *cost <= max_bytes_.value_or(SIZE_MAX)))
    return false;
  if (GoesOnInWord(bytes)) return true;
  return !converging() && (!block_lines_.empty() || !ClosingSigns(gap()));
}

bool GapText::GoesOnInWord(std::string_view bytes) const {
  return !bytes.empty() && IsWordByte(bytes.front()) && EndsInWord();
}

bool GapText::BeginsDeeper(std::string_view bytes) const {
  if (!begins_in_column_ || !gap().middle().empty()) return false;
  const auto piece = Next(bytes);
  return piece && BeginsWithBlank(piece->fresh());
}

bool GapText::BeginsFileWithoutCode(std::string_view bytes) const {
  if (!cursor_->begins_file || goal_ == Goal::kText) return false;
  const auto piece = Next(bytes);
  if (!piece) return false;
  const std::string middle = piece->Text();
  return IsBlank(middle) || BeginsAsComment(Trimmed(middle));
}

bool GapText::GoesOnWhereEnded(std::string_view bytes) const {
  if (place_.word_ended && !bytes.empty() && IsWordByte(bytes.front())) return true;
  const size_t first = bytes.find_first_not_of(kBlanks);
  if (!place_.line_ended) return false;
  return first == std::string_view::npos ||
         (bytes[first] != '\n' && bytes[first] != '\r' &&
          (EndsLineWithColon() || kClosersAndSigns.find(bytes[first]) == std::string_view::npos));
}

Judgement GapText::Judge(std::string_view bytes, Allowed allowed) {
  // It may both fit and write into R.
  if (!allowed.head) allowed.head = HeadBeforeRight(bytes, true);
  if (allowed.head) return EndsAt(*std::move(allowed.head));
  Judgement judged;
  bool opens_block = false;
  if (goal_ != Goal::kText) {
    if (auto head = HeadBeforeLessIndented(bytes)) return EndsAt(*std::move(head));
    if (auto head = HeadBeforeLineEnd(bytes)) {
      if (auto shorter = WithoutRestOfWord(head->middle())) return EndsAt(*std::move(shorter));
      if (auto ended = EndBeforeRepetition(*head)) return *std::move(ended);
      opens_block = goal_ == Goal::kJoin && block_.IsOpenedBy(*head);
      if (!opens_block && MayEndLineAt(*head)) return EndsAt(*std::move(head));
      if (auto shorter = HeadBeforeRightsBrackets(head->middle()))
        return EndsAt(*std::move(shorter));
      if (auto shorter = HeadBeforeSigns(head->middle())) return EndsAt(*std::move(shorter));
      if (!IsBlank(head->middle())) judged.line_end = std::move(head);
    }
    if (auto ended = EndBeforeStutter(bytes)) return *std::move(ended);
  }
  if (!Accept(bytes)) return judged;
  judged.verdict = Judgement::Verdict::kAccepted;
  if (opens_block) block_.Open(judged.line_end->middle());
  return judged;
}

Judgement GapText::Judge(std::string_view bytes) {
  auto allowed = Try(bytes);
  if (!allowed) return {};
  return Judge(bytes, *std::move(allowed));
}

Judgement GapText::JudgeEnd() const {
  if (!healed_.empty()) return {};
  const std::string& middle = gap().middle();
  if (auto shorter = WithoutRestOfWord(middle)) return EndsAt(*std::move(shorter));
  if (const auto size = right_.EndBeforeNextLine({middle, {}}); size && goal_ == Goal::kJoin)
    if (auto shorter = HeadAt(middle, *size)) return EndsAt(*std::move(shorter));
  if (auto shorter = HeadBeforeComma({})) return EndsAt(*std::move(shorter));
  if (MayEnd()) return {Judgement::Verdict::kEndsBefore};
  if (auto closed = WithClosedAhead()) return EndsAt(*std::move(closed));
  auto shorter = HeadBeforeRightsBrackets(middle);
  return shorter ? EndsAt(*std::move(shorter)) : Judgement{};
}

Judgement GapText::EndsAt(Gap head) const {
  if (head.middle().size() == gap().middle().size()) return {Judgement::Verdict::kEndsBefore};
  return {Judgement::Verdict::kEndsInside, std::move(head)};
}

bool GapText::Fits(std::string_view bytes) {
  const auto piece = Next(bytes);
  if (!piece) return false;
  const std::string_view fresh = piece->fresh();
  if (!max_bytes_ || fresh.empty()) return budget_.Check(fresh);
  if (place_.too_long >= kMaxTooLong) return false;
  Gap next = gap();
  if (!next.Accept(fresh)) return false;
  const auto cost = budget_.ClosingBytes(next);
  if (cost && next.middle().size() + *cost <= *max_bytes_ && budget_.Check(fresh)) return true;
  ++place_.too_long;
  return false;
}

std::optional<Gap> GapText::HeadBeforeRight(std::string_view bytes, bool fits) const {
  const auto piece = goal_ == Goal::kJoin && budget_.left() > 0 ? Next(bytes) : std::nullopt;
  if (!piece) return std::nullopt;
  return FirstHeadAt(*piece, right_.EndsBefore(*piece, fits));
}

std::optional<Gap> GapText::HeadBeforeLessIndented(std::string_view bytes) const {
  const auto piece = block_.is_known() && !converging() ? Next(bytes) : std::nullopt;
  if (!piece) return std::nullopt;
  std::optional<size_t> last_line;
  if (!block_lines_.empty()) last_line = block_lines_.back().gap.middle().size();
  return FirstHeadAt(*piece, block_.EndsBefore(*piece, last_line));
}

std::optional<Gap> GapText::HeadBeforeComma(std::string_view bytes) const {
  if (goal_ != Goal::kJoin || !healed_.empty()) return std::nullopt;
  const std::string& middle = gap().middle();
  const std::optional<size_t> size = right_.EndBeforeComma({middle, bytes});
  return size && !MayEnd() ? HeadAt(middle, *size) : std::nullopt;
}

std::optional<Gap> GapText::WithClosedAhead() const {
  const std::string& middle = gap().middle();
  if (IsBlank(middle)) return std::nullopt;
  std::string_view closed = cursor_->closed_ahead;
  for (; !closed.empty(); closed.remove_prefix(1)) {
    const std::string text = middle + std::string(closed);
    if (auto head = HeadAt(text, text.size())) return head;
  }
  return std::nullopt;
}

std::optional<Gap> GapText::HeadBeforeRightsBrackets(std::string_view middle) const {
  const std::optional<size_t> size = left_brackets_.EndBeforeRights(middle);
  return size ? HeadAt(middle, *size) : std::nullopt;
}

std::optional<Gap> GapText::HeadBeforeSigns(std::string_view middle) const {
  const bool goes_on = std::any_of(right_line().begin(), right_line().end(), IsWordByte);
  if (goal_ != Goal::kJoin || cursor_->empty_block || !goes_on || !OpenBrackets(middle).empty())
    return std::nullopt;
  for (middle = WithoutJoiningSigns(middle); !IsBlank(middle);
       middle = WithoutJoiningSigns(middle.substr(0, middle.size() - 1))) {
    if (auto head = HeadAt(middle, middle.size())) return head;
    if (!middle.ends_with(';')) break;
  }
  return std::nullopt;
}

std::optional<Gap> GapText::WithoutRestOfWord(std::string_view middle) const {
  const std::optional<size_t> size = right_.EndBeforeRestOfWord(middle);
  return size ? HeadAt(middle, *size) : std::nullopt;
}

std::optional<Gap> GapText::FirstHeadAt(const NextPiece& piece,
                                        const std::vector<size_t>& sizes) const {
  if (sizes.empty()) return std::nullopt;
  const std::string text = piece.Text();
  for (const size_t size : sizes) {
    if (auto head = HeadAt(text, size)) return head;
  }
  return std::nullopt;
}

std::optional<Gap> GapText::HeadAt(std::string_view text, size_t size) const {
  const size_t written = gap().middle().size();
  Gap head = size < written ? *begun_ : gap();
  const std::string_view rest = text.substr(head.middle().size(), size - head.middle().size());
  if (!rest.empty() && !head.Accept(rest)) return std::nullopt;
  if (!MayEndAt(head)) return std::nullopt;
  if (size > written && head.CountTokens(rest) > budget_.left()) return std::nullopt;
  return head;
}

std::optional<Judgement> GapText::EndBeforeRepetition(const Gap& line_end) const {
  if (block_lines_.empty()) return std::nullopt;
  const std::optional<size_t> size = BytesBeforeRepetition(line_end.middle());
  if (!size) return std::nullopt;
  const auto first = std::find_if(
      block_lines_.begin(), block_lines_.end(),
      [size](const MiddleBeginning& line) { return line.gap.middle().size() >= *size; });
  if (first == block_lines_.end()) return std::nullopt;
  if (MayEndAt(first->gap)) return EndsAt(first->gap);
  return EndWith(first->gap.middle());
}

std::optional<Judgement> GapText::EndBeforeStutter(std::string_view bytes) const {
  const auto piece = Next(bytes);
  if (!piece) return std::nullopt;
  const std::string middle = piece->Text();
  const std::optional<size_t> size = BytesBeforeStutter(middle);
  return size ? EndWith(std::string_view(middle).substr(0, *size)) : std::nullopt;
}

std::optional<Judgement> GapText::EndWith(std::string_view middle) const {
  if (auto ended = EndWithAll(middle)) return ended;
  // Brackets after a comment would belong to it.
  const std::string_view code = WithoutCommentsAtEnd(middle);
  return code.size() < middle.size() && !IsBlank(code) ? EndWithAll(code) : std::nullopt;
}

std::optional<Judgement> GapText::EndWithAll(std::string_view middle) const {
  constexpr int kMaxJoiningWords = 2;
  for (int words = 0; words <= kMaxJoiningWords; ++words) {
    middle = WithoutJoiningSigns(middle);
    Gap head = *begun_;
    if ((words > 0 && IsBlank(middle)) || !head.Accept(middle)) return std::nullopt;
    const auto closers = MayEndAt(head) ? std::optional<std::string>("") : ClosingBracketsOf(head);
    if (closers && head.Accept(*closers) && MayEndAt(head)) {
      Judgement judged = EndsAt(std::move(head));
      judged.ended = Ended::kWitness;
      return judged;
    }
    middle = WithoutWordAtEnd(middle);
  }
  return std::nullopt;
}

bool GapText::Joins(std::string_view bytes) const {
  const auto piece = Next(bytes);
  if (!piece || bytes.size() < healed_.size() || budget_.left() == 0) return false;
  if (RulesRefuse(bytes) || ClosesTooMuch(bytes)) return false;
  const auto next = After(piece->fresh());
  return next && MayEndAt(*next);
}

Judgement GapText::JudgeJoining(std::string_view bytes) const {
  auto head = HeadBeforeRight(bytes, true);
  if (!head) head = EndBeforeLineEnd(bytes);
  if (!head) head = After(Next(bytes)->fresh());
  return EndsAt(*std::move(head));
}

std::optional<Gap> GapText::EndBeforeLineEnd(std::string_view bytes) const {
  if (goal_ == Goal::kText) return std::nullopt;
  auto head = HeadBeforeLineEnd(bytes);
  if (!head || !MayEndLineAt(*head)) return std::nullopt;
  return head;
}

std::optional<Gap> GapText::HeadBeforeLineEnd(std::string_view bytes) const {
  const size_t end = bytes.find_first_of("\r\n", std::min(bytes.size(), healed_.size()));
  if (end == std::string_view::npos) return std::nullopt;
  const auto piece = Next(bytes.substr(0, end));
  return piece ? After(piece->fresh()) : std::nullopt;
}

bool GapText::MayEndLineAt(const Gap& gap) const {
  return MayEndAt(gap) && !block_.IsFilledBy(gap.middle());
}

bool GapText::ConvergeWhereDue(const Judgement& judged, bool end_refused) {
  if (goal_ != Goal::kJoin || converging()) return true;
  bool due = end_refused;
  if (!OpenBlocks(gap().middle()).empty() || FillsBlock()) {
    if (judged.line_end) block_lines_.push_back({*judged.line_end, budget_.drawn()});
  } else if (!right_line().empty() || IsBlank(gap().middle())) {
    due = due || budget_.drawn() >= kMaxFreeTokens || judged.line_end;
  } else if (judged.line_end) {
    // Of a block that R leaves open, or of a list. A list that R leaves open goes on for ever.
    block_lines_.push_back({*judged.line_end, budget_.drawn()});
    due = due || (!ClosesABracket(cursor_->next_text) && judged.line_end->middle().ends_with(',') &&
                  ClosingBracketsOf(*judged.line_end));
  }
  return !due || Converge();
}

bool GapText::Converge() {
  auto cost = budget_.ClosingBytes();
  if (!cost) return false;
  // The brackets of open blocks stand in lines of their own.
  const std::string_view middle = gap().middle();
  const size_t indentation = LeadingBlanksAt(middle, middle.size()).size();
  const size_t line_bytes = OpenBlocks(middle).size() * (1 + indentation);
  max_bytes_ = middle.size() + *cost + line_bytes + kMaxSlackBytes;
  place_.too_long = 0;
  return true;
}

std::optional<Gap> GapText::After(std::string_view bytes) const {
  Gap next = gap();
  if (!bytes.empty() && !next.Accept(bytes)) return std::nullopt;
  return next;
}

bool GapText::Accept(std::string_view bytes) {
  const auto piece = Next(bytes);
  if (!piece || !budget_.Accept(piece->fresh())) return false;
  healed_.erase(0, piece->healed);
  place_ = {};
  return true;
}

bool GapText::AcceptForced(std::string_view bytes, uint32_t tokens) {
  if (!budget_.Accept(bytes, tokens)) return false;
  place_ = {};
  return true;
}

bool GapText::EndsLineWithColon() const {
  const std::string& middle = gap().middle();
  return healed_.empty() && right_line().empty() && middle.ends_with(':') &&
         OpenBrackets(middle).empty();
}

bool GapText::EndsBlockLine() const {
  const std::string& middle = gap().middle();
  const bool in_code = !middle.empty() && !IsWordByte(middle.back()) && MayEndStatement(middle);
  return in_code && !IsBlank(middle.substr(LineBeginAt(middle, middle.size()))) &&
         !OpenBlocks(middle).empty();
}

bool GapText::BeginsBlock() const {
  const std::string_view middle = gap().middle();
  if (EndsWithOpeningBracket(middle) || EndsLineWithColon()) return true;
  return block_.is_known() && !block_lines_.empty() &&
         IsBlank(middle.substr(block_lines_.back().gap.middle().size()));
}

}  // namespace tenon::server
