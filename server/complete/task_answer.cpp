#include "server/complete/task_answer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "server/complete/offered_text.h"
#include "server/request/blocks.h"
#include "server/request/comments.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/lines.h"
#include "server/request/repetition.h"
#include "server/request/visible_text.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// May `text` be the middle of a gap, in no more tokens than are left?
bool FitsInto(const GapTask& task, std::string_view text, bool needs_member, uint32_t tokens) {
  Gap gap = task.opened;
  return gap.CountTokens(text) <= tokens && gap.Accept(text) && (!needs_member || gap.Member());
}

// A bracket that was opened further up is not laid out.
constexpr size_t kMaxLeftBytes = 16'384;

// Of `middle` before `right`.
WritingStyle StyleOf(const CompletionRequest& request, std::string_view middle,
                     std::string_view right) {
  WritingStyle style;
  style.line_end = request.line_end.empty() ? LineEndOf(request.text) : request.line_end;
  const std::string_view left = std::string_view(request.text).substr(0, request.offset_bytes);
  const size_t near = left.size() - std::min(left.size(), kMaxLeftBytes);
  style.left = left.substr(near == 0 ? 0 : LineBeginAt(left, near));
  style.first_line = LeadingBlanksAt(left, left.size());
  style.indentation = IndentationUnitAt(request.text, style.first_line);
  if (middle.find('\n') != std::string_view::npos)
    style.block_step = BlockStep(request.text, request.offset_bytes);
  style.begins_line = IsBlank(left.substr(LineBeginAt(left, left.size())));
  style.indented = IsIndented(left);
  style.between_brackets = !left.empty() && !right.empty() && IsPair(left.back(), right.front());
  style.ends_line = right.empty() || right.front() == '\n' || right.front() == '\r';
  return style;
}

OfferedText TextOf(const CompletionRequest& request, const SyntaxTask& task,
                   const DecodeResult& result, const std::stop_token& stop) {
  const std::string_view right = std::string_view(request.text).substr(request.offset_bytes);
  return WriteAs(StyleOf(request, result.middle, right), result.middle, result.closing_bytes,
                 result.nats, [&](std::string_view text) { return task.middle.Fits(text, stop); });
}

OfferedText TextOf(const CompletionRequest& request, const GapTask& task,
                   const DecodeResult& result) {
  const std::string_view right =
      std::string_view(request.text)
          .substr(request.offset_bytes + task.filter.cursor.closed_ahead.size());
  const WritingStyle style = StyleOf(request, result.middle, right);
  const bool both = request.constraint == ConstraintMode::kBoth;
  const uint32_t tokens =
      std::max(static_cast<uint32_t>(request.max_tokens), task.opened.CountTokens(result.middle));
  return WriteAs(style, result.middle, result.closing_bytes, result.nats,
                 [&](std::string_view text) { return FitsInto(task, text, both, tokens); });
}

void Shorten(CompletionItem& item, std::string text) {
  item.text = std::move(text);
  item.nats = NatsWithin(item.nats, item.text.size());
}

// The beginnings of comments, and nothing in them?
bool IsEmptyComment(std::string_view text) {
  const std::vector<std::string_view> lines = LinesIn(text);
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
    const std::string_view text = Trimmed(line);
    return text.empty() || text == "///" ||
           std::find(kCommentMarks.begin(), kCommentMarks.end(), text) != kCommentMarks.end();
  });
}

bool ShowsNothingNew(std::string_view text, const std::vector<std::string>& others) {
  return std::any_of(others.begin(), others.end(),
                     [text](const std::string& other) { return !AreDistinct(text, other); });
}

bool IsInRegion(const CompletionTask& task) {
  const auto* gap = std::get_if<GapTask>(&task);
  return gap != nullptr && gap->in_region.has_value();
}

std::string WhyNothing(const CompletionTask& task, const DecodeResult& first) {
  if (first.closed && !IsBlank(first.middle)) {
    return IsInRegion(task)
               ? "what the model offers repeats what follows the cursor or a name, was "
                 "refused before, or gives the broken file more errors"
               : "what the model offers repeats what follows the cursor or a name, or "
                 "was refused before";
  }
  if (!first.closed && first.ended == Ended::kTime)
    return "the time ended before there was a text that can be offered";
  if (std::holds_alternative<GapTask>(task)) return "nothing but blanks fits";
  if (std::holds_alternative<SyntaxTask>(task))
    return "nothing that the model offers fits without a syntax error";
  return "the model offers nothing";
}

}  // namespace

TaskJudge::TaskJudge(const CompletionRequest& request, const CompletionTask& task,
                     std::stop_token stop)
    : request_(request), task_(task), stop_(std::move(stop)) {
  const std::string_view text = request.text;
  const auto* gap = std::get_if<GapTask>(&task);
  if (!gap || request.constraint != ConstraintMode::kBoth) return;
  if (const auto& in_region = gap->in_region) {
    guard_.emplace(in_region->language, in_region->syntax, text, request.offset_bytes, gap->opened,
                   in_region->region, gap->added_sign);
  } else if (gap->names) {
    // Not in a region: the scopes of a broken file are tree-sitter's guess.
    name_guard_.emplace(
        *gap->names->query, gap->names->syntax, text.substr(0, request.offset_bytes),
        text.substr(request.offset_bytes + gap->filter.cursor.closed_ahead.size()), gap->opened);
  }
}

CandidateLimits TaskJudge::wanted() {
  return {*this, static_cast<size_t>(std::max(request_.candidates, 1)),
          request_.already_offered.size()};
}

std::optional<VerifiedItem> TaskJudge::Judge(const DecodeResult& result) {
  auto item = ItemOf(result);
  if (!item) return std::nullopt;
  if (IsAtCursor(task_)) {
    if (RepeatsRight(*item)) {
      nothing_is_missing_ = nothing_is_missing_ || JoinsWithoutMiddle();
      return std::nullopt;
    }
    if (IsRefused(*item) || ShowsNothingNew(item->text, judged_good_)) return std::nullopt;
    judged_good_.push_back(item->text);
    item->unneeded = item->unneeded || nothing_is_missing_;
  }
  return Verified(*std::move(item));
}

std::optional<CompletionItem> TaskJudge::ItemOf(const DecodeResult& result) {
  CompletionItem item{.text = result.middle,
                      .range_begin_bytes = request_.offset_bytes,
                      .range_end_bytes = request_.offset_bytes,
                      .guarantee = Guarantee::kNone,
                      .ended = result.ended,
                      .tokens = result.tokens,
                      .unneeded = result.unneeded,
                      .nats = result.nats};
  if (!IsAtCursor(task_)) {
    item.range_begin_bytes = item.range_end_bytes = request_.text.size();
    if (result.whole) item.guarantee = Guarantee::kFile;
    return item;
  }
  if (!result.closed || IsBlank(result.middle)) return std::nullopt;
  const bool both = request_.constraint == ConstraintMode::kBoth;
  if (const auto* gap = std::get_if<GapTask>(&task_)) {
    if (both) item.guarantee = gap->guarantee();
    OfferedText offered = TextOf(request_, *gap, result);
    item.text = std::move(offered.text);
    item.nats = std::move(offered.nats);
    if (name_guard_) Shorten(item, name_guard_->PartWithinNameRules(item.text, stop_));
    if (IsBlank(item.text)) return std::nullopt;
    // What ends as the brackets that are there already leaves them there.
    const std::string& closed_ahead = gap->filter.cursor.closed_ahead;
    if (item.text.ends_with(closed_ahead))
      item.text.resize(item.text.size() - closed_ahead.size());
    else
      item.range_end_bytes += closed_ahead.size();
    if (guard_) Shorten(item, guard_->PartWithoutNewErrors(item.text, stop_));
    if (IsBlank(item.text)) return std::nullopt;
  } else if (const auto* syntax = std::get_if<SyntaxTask>(&task_)) {
    if (both) item.guarantee = Guarantee::kSyntax;
    OfferedText offered = TextOf(request_, *syntax, result, stop_);
    item.text = std::move(offered.text);
    item.nats = std::move(offered.nats);
  }
  return item;
}

bool TaskJudge::RepeatsRight(const CompletionItem& item) const {
  const std::string_view whole = request_.text;
  return RepeatsWhatFollows(whole.substr(0, item.range_begin_bytes), item.text,
                            whole.substr(item.range_end_bytes));
}

bool TaskJudge::JoinsWithoutMiddle() const {
  const std::string_view left = std::string_view(request_.text).substr(0, request_.offset_bytes);
  const auto* gap = std::get_if<GapTask>(&task_);
  return gap && gap->opened.Member() && !IsInCommentLine(left);
}

bool TaskJudge::IsRefused(const CompletionItem& item) const {
  const std::string_view whole = request_.text;
  const std::string_view before = whole.substr(0, item.range_begin_bytes);
  const std::string_view after = whole.substr(item.range_end_bytes);
  // Before the rest of a comment's line its mark is all that is missing.
  const bool is_alone =
      IsBlank(before.substr(LineBeginAt(before, before.size()))) && IsBlank(FirstLine(after));
  return (is_alone && (IsEmptyComment(item.text) || RepeatsWhatPrecedes(before, item.text))) ||
         ShowsNothingNew(item.text, request_.unwanted) ||
         ShowsNothingNew(item.text, request_.already_offered);
}

CompletionAnswer AnswerOf(const CompletionTask& task, const Candidates& candidates) {
  CompletionAnswer answer;
  if (!std::holds_alternative<UnconstrainedTask>(task) && !std::holds_alternative<SyntaxTask>(task))
    answer.statistics = candidates.first.statistics;
  for (const Candidate& candidate : candidates.wanted)
    answer.items.push_back(candidate.item.item());
  if (answer.items.empty()) answer.reason = WhyNothing(task, candidates.first);
  return answer;
}

}  // namespace tenon::server
