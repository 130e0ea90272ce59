#include "server/decode/gap_text.h"

#include <algorithm>
#include <utility>

#include "server/decode/closing_signs.h"
#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/repetition.h"
#include "server/request/rest_of_word.h"

namespace tenon::server {

namespace {

// A piece of so few letters within a word may write the beginning of R by chance.
constexpr size_t kByChanceBytes = 2;

// A next line of fewer bytes may stand at the end of another line by chance.
constexpr size_t kNextLineBytes = 8;

// Does `text` write the beginning of `right_line`, or all of it and more?
bool WritesInto(std::string_view text, std::string_view right_line) {
  size_t n = std::min(text.size(), right_line.size());
  return !IsBlank(text) && text.substr(0, n) == right_line.substr(0, n);
}

// May the middle end at byte `at` of a piece, whose rest is written into the right context?
// Never between letters, and before a word only where the piece writes all of it.
bool CutsAt(std::string_view bytes, size_t at, std::string_view right_line) {
  const bool before_word = !IsWordByte(bytes[at - 1]) && IsWordByte(bytes[at]);
  if (IsWordByte(bytes[at]) && !before_word) return false;
  if (before_word && bytes.size() - at < RestOfWordBytes(right_line)) return false;
  return WritesInto(bytes.substr(at), right_line);
}

// Does the byte at `at` go on in the word that ends before it?
bool IsInWord(std::string_view text, size_t at) {
  return at > 0 && at < text.size() && IsWordByte(text[at - 1]) && IsWordByte(text[at]);
}

// A line of a block may go on with these once it has ended: `})` and `);`.
constexpr std::string_view kClosersAndSigns = ")]};,.<";

// A text without the signs at its end with which the next line joins it: `a` of `a.` and `a &&`.
std::string_view WithoutJoiningSigns(std::string_view text) {
  while (!text.empty() && !MayEndStatement(text)) text.remove_suffix(1);
  return WithoutBlanksAtEnd(text);
}

// The words of a line such as `for (x : xs)`, before a pair of brackets with which the line ends.
// Empty: it is none such.
std::string_view WordsBeforeBrackets(std::string_view line) {
  if (!line.ends_with(')')) return {};
  const std::vector<size_t> open = OpenBrackets(line.substr(0, line.size() - 1));
  if (open.size() != 1 || line[open[0]] != '(') return {};
  const std::string_view words = WithoutBlanksAtEnd(line.substr(0, open[0]));
  const bool no_sign = std::all_of(words.begin(), words.end(),
                                   [](char c) { return IsWordByte(c) || c == ' ' || c == '\t'; });
  return no_sign ? words : std::string_view();
}

}  // namespace

bool WritesOn(std::string_view bytes, std::string_view healed) {
  return bytes.size() > healed.size() && bytes.starts_with(healed);
}

bool MayWriteInto(std::string_view bytes, std::string_view right_line) {
  if (right_line.empty()) return false;
  for (size_t at = 0; at < bytes.size(); ++at) {
    if (at == 0 ? WritesInto(bytes, right_line) : CutsAt(bytes, at, right_line)) return true;
  }
  return MayEndRestOfWord(bytes, right_line);
}

GapText::GapText(Budget budget, Goal goal, CursorText cursor)
    : budget_(std::move(budget)),
      goal_(goal),
      healed_(std::move(cursor.healed)),
      left_line_(std::move(cursor.left_line)),
      right_line_(std::move(cursor.right_line)),
      next_text_(std::move(cursor.next_text)),
      next_columns_(cursor.next_columns),
      most_closing_(cursor.most_closing) {
  if (goal_ != Goal::kJoin || IsBlank(right_line_)) right_line_.clear();
  if (goal_ == Goal::kJoin && cursor.empty_block) {
    block_ = cursor.empty_block;
    if (!block_->head_columns) right_line_ = next_text_;
  }
  between_brackets_ =
      !left_line_.empty() && !right_line_.empty() && IsPair(left_line_.back(), right_line_.front());
  if (const size_t closed = LoneBracketsOf(right_line_).closing.size(); closed > 0) {
    const size_t opened = OpenBrackets(left_line_).size();
    left_to_close_ = std::max(opened, closed) - closed;
  }
  const bool in_bracket_of_right = right_line_.empty() && ClosesABracket(next_text_) &&
                                   next_columns_ < IndentationColumns(left_line_);
  const bool counts = goal_ == Goal::kJoin && !left_to_close_;
  const bool is_whole = counts && gap().Member();
  if (is_whole || (counts && in_bracket_of_right)) left_to_close_ = 0;
  is_whole_ = is_whole && !next_text_.empty();
  begun_ = std::make_shared<const Gap>(gap());
  right_ends_word_ = RestOfWordBytes(right_line_) > 0;
}

bool GapText::MayEndAt(const Gap& gap) const {
  if (goal_ == Goal::kText) return gap.Member();
  return !IsBlank(gap.middle()) && (goal_ == Goal::kLine || gap.Member());
}

std::optional<std::string_view> GapText::Fresh(std::string_view bytes) const {
  size_t known = std::min(bytes.size(), healed_.size());
  if (bytes.substr(0, known) != std::string_view(healed_).substr(0, known)) return std::nullopt;
  return bytes.substr(known);
}

std::optional<GapText::Allowed> GapText::Try(std::string_view bytes) {
  if (ClosesRightsBracket(bytes) || GoesOnWhereEnded(bytes)) return std::nullopt;
  if (!ClosesTooMuch(bytes) && Fits(bytes)) return Allowed{};
  auto head = HeadBeforeRight(bytes, false);
  if (!head) head = HeadBeforeLessIndented(bytes);
  if (!head) head = HeadBeforeComma(bytes);
  if (!head) return std::nullopt;
  return Allowed{std::move(head)};
}

bool GapText::ClosesRightsBracket(std::string_view bytes) const {
  if (goal_ != Goal::kJoin || next_text_.empty() || !IsBlank(gap().middle())) return false;
  const auto fresh = Fresh(bytes);
  if (!fresh) return false;
  const std::string_view text = FirstLineWithText(*fresh);
  return !text.empty() && text.front() == next_text_.front() &&
         kClosingBrackets.find(text.front()) != std::string_view::npos && gap().Member();
}

bool GapText::SaysNothingIsMissing(std::string_view bytes) const {
  if (goal_ != Goal::kJoin || block_ || !IsBlank(healed_) || !IsBlank(gap().middle())) return false;
  const std::string_view text = FirstLineWithText(bytes);
  const bool is_right = !text.empty() && !next_text_.empty() &&
                        (next_text_.starts_with(text) || text.starts_with(next_text_));
  return (bytes.empty() || is_right) && gap().Member();
}

bool GapText::ClosesTooMuch(std::string_view bytes) const {
  if (!(left_to_close_ || most_closing_) ||
      bytes.find_first_of(kClosingBrackets) == std::string_view::npos)
    return false;
  const auto fresh = Fresh(bytes);
  if (!fresh) return false;
  const std::string text = gap().middle() + std::string(*fresh);
  const std::vector<size_t> closing = LoneBracketsOf(text).closing;
  if (most_closing_ && closing.size() > *most_closing_) return true;
  if (!left_to_close_ || closing.size() <= *left_to_close_) return false;
  const bool is_rights = is_whole_ && IsBlank(right_line_) && text[closing.back()] == next_text_[0];
  return is_rights || text.find('\n') < closing.back();
}

bool GapText::EndsInWord() const {
  if (!healed_.empty()) return false;
  const std::string& middle = gap().middle();
  const std::string_view text = middle.empty() ? std::string_view(left_line_) : middle;
  return !text.empty() && IsWordByte(text.back());
}

bool GapText::BeginsLastWord(std::string_view bytes) const {
  if (bytes.empty() || !IsWordByte(bytes.back())) return false;
  return !EndsInWord() || !std::all_of(bytes.begin(), bytes.end(), IsWordByte);
}

void GapText::FirstChoiceRefused(std::string_view bytes) {
  if (std::exchange(choice_refused_, true)) return;
  unneeded_ = unneeded_ || SaysNothingIsMissing(bytes);
  if (goal_ == Goal::kText || right_ends_word_) return;
  word_ended_ = EndsInWord() && !GoesOnInWord(bytes);
  line_ended_ = goal_ == Goal::kJoin && bytes.empty() && (EndsLineWithColon() || EndsBlockLine());
  lacks_room_ = LacksRoom(bytes);
}

bool GapText::LacksRoom(std::string_view bytes) {
  if (bytes.empty()) return false;
  const auto fresh = Fresh(bytes);
  const auto next = fresh ? After(*fresh) : std::nullopt;
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

bool GapText::GoesOnWhereEnded(std::string_view bytes) const {
  if (word_ended_ && !bytes.empty() && IsWordByte(bytes.front())) return true;
  const size_t first = bytes.find_first_not_of(" \t");
  if (!line_ended_) return false;
  return first == std::string_view::npos ||
         (bytes[first] != '\n' && bytes[first] != '\r' &&
          (EndsLineWithColon() || kClosersAndSigns.find(bytes[first]) == std::string_view::npos));
}

void GapText::BeginPlace() {
  choice_refused_ = false;
  word_ended_ = line_ended_ = lacks_room_ = false;
  too_long_ = 0;
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
      if (auto shorter = WithoutRestOfWord(*head)) return EndsAt(*std::move(shorter));
      if (auto ended = EndBeforeRepetition(*head)) return *std::move(ended);
      opens_block = OpensBlock(*head);
      if (!opens_block && MayEndLineAt(*head)) return EndsAt(*std::move(head));
      if (!IsBlank(head->middle())) judged.line_end = std::move(head);
    }
    if (auto ended = EndBeforeStutter(bytes)) return *std::move(ended);
  }
  if (!Accept(bytes)) return judged;
  judged.verdict = Judgement::Verdict::kAccepted;
  if (opens_block) FillBlockOf(*judged.line_end);
  return judged;
}

Judgement GapText::Judge(std::string_view bytes) {
  auto allowed = Try(bytes);
  if (!allowed) return {};
  return Judge(bytes, *std::move(allowed));
}

Judgement GapText::JudgeEnd() const {
  if (!healed_.empty()) return {};
  if (auto shorter = WithoutRestOfWord(gap())) return EndsAt(*std::move(shorter));
  if (auto shorter = HeadBeforeNextLine({})) return EndsAt(*std::move(shorter));
  if (auto shorter = HeadBeforeComma({})) return EndsAt(*std::move(shorter));
  if (!MayEnd()) return {};
  return {Judgement::Verdict::kEndsBefore};
}

Judgement GapText::EndsAt(Gap head) const {
  if (head.middle().size() == gap().middle().size()) return {Judgement::Verdict::kEndsBefore};
  return {Judgement::Verdict::kEndsInside, std::move(head)};
}

bool GapText::Fits(std::string_view bytes) {
  const auto fresh = Fresh(bytes);
  if (!fresh) return false;
  if (!max_bytes_ || fresh->empty()) return budget_.Check(*fresh);
  if (too_long_ >= kMaxTooLong) return false;
  Gap next = gap();
  if (!next.Accept(*fresh)) return false;
  const auto cost = budget_.ClosingBytes(next);
  if (cost && next.middle().size() + *cost <= *max_bytes_ && budget_.Check(*fresh)) return true;
  ++too_long_;
  return false;
}

std::optional<Gap> GapText::HeadBeforeRight(std::string_view bytes, bool fits) const {
  if (budget_.left() == 0 || bytes.size() <= healed_.size()) return std::nullopt;
  if (right_line_.empty()) return HeadBeforeNextLine(bytes);
  const std::string& middle = gap().middle();
  const bool in_word = !middle.empty() && IsWordByte(middle.back()) && IsWordByte(bytes[0]);
  const bool by_chance = fits && in_word && bytes.size() <= kByChanceBytes;
  if (healed_.empty() && WritesInto(bytes, right_line_) && !by_chance && MayEnd()) return gap();
  for (size_t at = healed_.size() + 1; at < bytes.size(); ++at) {
    if (!CutsAt(bytes, at, right_line_)) continue;
    auto fresh = Fresh(bytes.substr(0, at));
    auto head = fresh ? After(*fresh) : std::nullopt;
    if (!head) break;
    if (MayEndAt(*head) && head->CountTokens(*fresh) <= budget_.left()) return head;
  }
  const auto fresh = Fresh(bytes);
  return fresh ? HeadBeforeRestOfWord(*fresh) : std::nullopt;
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
  const auto fresh = Fresh(bytes);
  if (!fresh) return std::nullopt;
  const std::string middle = gap().middle() + std::string(*fresh);
  const std::optional<size_t> size = BytesBeforeStutter(middle);
  return size ? EndWith(std::string_view(middle).substr(0, *size)) : std::nullopt;
}

std::optional<Judgement> GapText::EndWith(std::string_view middle) const {
  Gap head = *begun_;
  if (!head.Accept(WithoutJoiningSigns(middle))) return std::nullopt;
  if (!MayEndAt(head)) {
    const auto closers = ClosingBracketsOf(head);
    if (!closers || !head.Accept(*closers) || !MayEndAt(head)) return std::nullopt;
  }
  Judgement judged = EndsAt(std::move(head));
  judged.ended = Ended::kWitness;
  return judged;
}

std::optional<Gap> GapText::HeadBeforeNextLine(std::string_view bytes) const {
  if (goal_ != Goal::kJoin || !right_line_.empty() || next_text_.size() < kNextLineBytes)
    return std::nullopt;
  const auto fresh = Fresh(bytes);
  if (!fresh) return std::nullopt;
  const size_t written = gap().middle().size();
  const std::string text = gap().middle() + std::string(*fresh);
  const size_t at = text.rfind(next_text_);
  if (at == std::string::npos) return std::nullopt;
  const size_t end = at + next_text_.size();
  // Its last word may go on in the next piece.
  const bool unfinished = end == text.size() && IsWordByte(text.back()) && !bytes.empty();
  if (end < written || unfinished || IsInWord(text, at) || IsInWord(text, end)) return std::nullopt;
  const size_t line = LineBeginAt(text, at);
  const std::string_view before = std::string_view(text).substr(line, at - line);
  if (IsBlank(before)) return std::nullopt;
  return HeadAfter(text, line + WithoutBlanksAtEnd(before).size());
}

std::optional<Gap> GapText::HeadBeforeComma(std::string_view bytes) const {
  if (goal_ != Goal::kJoin || !healed_.empty()) return std::nullopt;
  const std::string_view text = FirstLineWithText(bytes), next = next_text_;
  const bool is_rights_bracket = ClosesABracket(text) && next.starts_with(text.front());
  const std::string_view middle = WithoutBlanksAtEnd(gap().middle());
  if (!middle.ends_with(',') || !(bytes.empty() || is_rights_bracket) || MayEnd())
    return std::nullopt;
  return HeadAfter(middle, WithoutBlanksAtEnd(middle.substr(0, middle.size() - 1)).size());
}

std::optional<Gap> GapText::HeadBeforeRestOfWord(std::string_view fresh) const {
  if (!right_ends_word_) return std::nullopt;
  const std::string middle = gap().middle() + std::string(fresh);
  const size_t at = FindRestOfWord(middle, right_line_, gap().middle().size());
  auto head = HeadAfter(middle, at);
  return head && head->CountTokens(fresh) <= budget_.left() ? head : std::nullopt;
}

std::optional<Gap> GapText::WithoutRestOfWord(const Gap& gap) const {
  if (!right_ends_word_) return std::nullopt;
  return HeadAfter(gap.middle(), FindRestOfWordAtEnd(gap.middle(), right_line_));
}

std::optional<Gap> GapText::HeadAfter(std::string_view middle, size_t size) const {
  if (size == std::string_view::npos) return std::nullopt;
  Gap head = *begun_;
  if (!head.Accept(middle.substr(0, size)) || !MayEndAt(head)) return std::nullopt;
  return head;
}

bool GapText::Joins(std::string_view bytes) const {
  auto fresh = Fresh(bytes);
  if (!fresh || bytes.size() < healed_.size() || budget_.left() == 0) return false;
  if (GoesOnWhereEnded(bytes)) return false;
  auto next = After(*fresh);
  return next && MayEndAt(*next);
}

Judgement GapText::JudgeJoining(std::string_view bytes) const {
  auto head = HeadBeforeRight(bytes, true);
  if (!head) head = EndBeforeLineEnd(bytes);
  if (!head) head = After(*Fresh(bytes));
  return EndsAt(*std::move(head));
}

std::optional<Gap> GapText::EndBeforeLineEnd(std::string_view bytes) const {
  if (goal_ == Goal::kText) return std::nullopt;
  auto head = HeadBeforeLineEnd(bytes);
  if (!head || !MayEndLineAt(*head)) return std::nullopt;
  return head;
}

bool GapText::MayEndLineAt(const Gap& gap) const {
  return MayEndAt(gap) && !FillsBlock(gap.middle());
}

bool GapText::ConvergeWhereDue(const Judgement& judged, bool end_refused) {
  if (goal_ != Goal::kJoin || converging()) return true;
  bool due = end_refused;
  if (!OpenBlocks(gap().middle()).empty() || FillsBlock()) {
    if (judged.line_end) block_lines_.push_back({*judged.line_end, budget_.drawn()});
  } else if (!right_line_.empty() || IsBlank(gap().middle())) {
    due = due || budget_.drawn() >= kMaxFreeTokens || judged.line_end;
  } else if (judged.line_end) {
    // Of a block that R leaves open, or of a list. A list that R leaves open goes on for ever.
    block_lines_.push_back({*judged.line_end, budget_.drawn()});
    due = due || (!ClosesABracket(next_text_) && judged.line_end->middle().ends_with(',') &&
                  ClosingBracketsOf(*judged.line_end));
  }
  return !due || Converge();
}

bool GapText::FillsBlock(std::string_view middle) const {
  if (block_) return true;
  const size_t first = middle.find_first_not_of(" \t");
  return between_brackets_ && first != std::string_view::npos &&
         (middle[first] == '\n' || middle[first] == '\r');
}

bool GapText::Converge() {
  auto cost = budget_.ClosingBytes();
  if (!cost) return false;
  // The brackets of open blocks stand in lines of their own.
  const std::string_view middle = gap().middle();
  const size_t indentation = LeadingBlanksAt(middle, middle.size()).size();
  const size_t line_bytes = OpenBlocks(middle).size() * (1 + indentation);
  max_bytes_ = middle.size() + *cost + line_bytes + kMaxSlackBytes;
  too_long_ = 0;
  return true;
}

std::optional<Gap> GapText::After(std::string_view bytes) const {
  Gap next = gap();
  if (!bytes.empty() && !next.Accept(bytes)) return std::nullopt;
  return next;
}

bool GapText::Accept(std::string_view bytes) {
  auto fresh = Fresh(bytes);
  if (!fresh || !budget_.Accept(*fresh)) return false;
  healed_.erase(0, bytes.size() - fresh->size());
  BeginPlace();
  return true;
}

bool GapText::AcceptForced(std::string_view bytes, uint32_t tokens) {
  if (!budget_.Accept(bytes, tokens)) return false;
  BeginPlace();
  return true;
}

std::optional<Gap> GapText::HeadBeforeLineEnd(std::string_view bytes) const {
  size_t end = bytes.find_first_of("\r\n", std::min(bytes.size(), healed_.size()));
  if (end == std::string_view::npos) return std::nullopt;
  auto fresh = Fresh(bytes.substr(0, end));
  return fresh ? After(*fresh) : std::nullopt;
}

bool GapText::EndsLineWithColon() const {
  const std::string& middle = gap().middle();
  return healed_.empty() && right_line_.empty() && middle.ends_with(':') &&
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
  return block_ && !block_lines_.empty() &&
         IsBlank(middle.substr(block_lines_.back().gap.middle().size()));
}

bool GapText::OpensBlock(const Gap& gap) const {
  if (goal_ != Goal::kJoin || block_ || !right_line_.empty()) return false;
  const std::string& middle = gap.middle();
  const bool ends_with_colon = middle.ends_with(':');
  if (!MayEndAt(gap)) return ends_with_colon;
  if (next_columns_ > ColumnsOfLastLine(middle)) return false;  // R has the block's lines
  if (ends_with_colon) return true;
  const std::string_view words = WordsBeforeBrackets(middle);
  if (words.empty() || !IsBlank(left_line_)) return false;
  Gap call = *begun_;  // where an operator may follow, the words are a value
  return call.Accept(words) && !call.Check(" +");
}

size_t GapText::ColumnsOfLastLine(std::string_view middle) const {
  const std::string text = left_line_ + std::string(middle);
  return IndentationColumns(LeadingBlanksAt(text, text.size()));
}

void GapText::FillBlockOf(const Gap& gap) {
  block_ = EmptyBlock{ColumnsOfLastLine(gap.middle())};
  block_is_own_ = IsBlank(left_line_);
}

std::optional<Gap> GapText::HeadBeforeLessIndented(std::string_view bytes) const {
  if (!block_ || !block_->head_columns || converging()) return std::nullopt;
  const auto fresh = Fresh(bytes);
  if (!fresh) return std::nullopt;
  const size_t written = gap().middle().size();
  const std::string text = gap().middle() + std::string(*fresh);
  for (size_t line = LineBeginAt(text, written); line < text.size();
       line = std::min(text.find('\n', line), text.size() - 1) + 1) {
    const std::string_view begun = std::string_view(text).substr(line);
    const size_t first = std::min(begun.find_first_not_of(" \t"), begun.size());
    const bool begins = line > 0 && line + first >= written && !IsBlank(begun.substr(first, 1));
    if (!begins || IndentationColumns(begun) > *block_->head_columns) continue;
    if (GoesOnWithBlock(begun.substr(first))) continue;
    std::optional<Gap> head;
    if (line > written)
      head = HeadBeforeLineEnd(bytes);
    else if (!block_lines_.empty())
      head = block_lines_.back().gap;
    if (head && MayEndAt(*head)) return head;
  }
  return std::nullopt;
}

bool GapText::GoesOnWithBlock(std::string_view line) const {
  const auto end = std::find_if_not(line.begin(), line.end(), IsWordByte);
  if (!block_is_own_ || end == line.begin()) return false;
  Gap statement = *begun_;
  if (!statement.Accept(std::string_view(line.begin(), end))) return true;
  const std::vector<uint8_t> next = statement.LiveBytes();
  return std::all_of(next.begin(), next.end(),
                     [](uint8_t byte) { return IsWordByte(static_cast<char>(byte)); });
}

}  // namespace tenon::server
