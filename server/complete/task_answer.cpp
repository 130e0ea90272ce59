#include "server/complete/task_answer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/complete/offered_text.h"
#include "server/complete/region_guard.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
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

OfferedText TextOf(const CompletionRequest& request, const GapTask& task,
                   const DecodeResult& result) {
  const std::string_view right =
      std::string_view(request.text).substr(request.offset_bytes + task.closed_ahead.size());
  const bool both = request.constraint == ConstraintMode::kBoth;
  WritingStyle style;
  style.line_end = request.line_end.empty() ? task.opened.line_end() : request.line_end;
  style.indentation = IndentationUnit(request.text);
  style.ends_line = right.empty() || right.front() == '\n' || right.front() == '\r';
  const uint32_t tokens =
      std::max(static_cast<uint32_t>(request.max_tokens), task.opened.CountTokens(result.middle));
  return WriteAs(style, result.middle, result.nats,
                 [&](std::string_view text) { return FitsInto(task, text, both, tokens); });
}

// Blank where each beginning of the item gives the broken file another error.
void KeepWithoutNewErrors(const CompletionRequest& request, const GapTask& task,
                          CompletionItem& item, const std::stop_token& stop) {
  item.text = PartWithoutNewErrors(task.syntax, request.text, request.offset_bytes, task.opened,
                                   item.text, stop);
  std::erase_if(item.nats,
                [&](const TokenNats& token) { return token.end_bytes > item.text.size(); });
}

bool IsAtCursor(const CompletionTask& task) {
  return std::holds_alternative<GapTask>(task) || std::holds_alternative<SyntaxTask>(task) ||
         std::holds_alternative<UnconstrainedTask>(task);
}

bool IsRefused(const CompletionRequest& request, const CompletionItem& item) {
  const std::string_view whole = request.text;
  return RepeatsWhatFollows(whole.substr(0, item.range_begin_bytes), item.text,
                            whole.substr(item.range_end_bytes)) ||
         std::any_of(
             request.unwanted.begin(), request.unwanted.end(),
             [&item](const std::string& unwanted) { return !AreDistinct(item.text, unwanted); });
}

bool IsInRegion(const CompletionTask& task) {
  const auto* gap = std::get_if<GapTask>(&task);
  return gap != nullptr && gap->guarantee == Guarantee::kRegion;
}

std::string WhyNothing(const CompletionTask& task, const DecodeResult& first) {
  if (first.closed && !IsBlank(first.middle)) {
    return IsInRegion(task) ? "what the model offers repeats what follows the cursor, was refused "
                              "before, or gives the broken file more errors"
                            : "what the model offers repeats what follows the cursor, or was "
                              "refused before";
  }
  if (std::holds_alternative<GapTask>(task)) return "nothing but blanks fits";
  if (std::holds_alternative<SyntaxTask>(task))
    return "nothing that the model offers fits without a syntax error";
  return "the model offers nothing";
}

}  // namespace

std::optional<CompletionItem> ItemOf(const CompletionRequest& request, const CompletionTask& task,
                                     const DecodeResult& result, const std::stop_token& stop) {
  CompletionItem item{result.middle, request.offset_bytes, request.offset_bytes, Guarantee::kNone,
                      result.ended,  result.tokens,        result.nats};
  if (!IsAtCursor(task)) {
    item.range_begin_bytes = item.range_end_bytes = request.text.size();
    if (result.whole) item.guarantee = Guarantee::kFile;
    return item;
  }
  if (!result.closed || IsBlank(result.middle)) return std::nullopt;
  const bool both = request.constraint == ConstraintMode::kBoth;
  if (const auto* gap = std::get_if<GapTask>(&task)) {
    if (both) item.guarantee = gap->guarantee;
    OfferedText offered = TextOf(request, *gap, result);
    item.text = std::move(offered.text);
    item.nats = std::move(offered.nats);
    // What ends as the brackets that are there already leaves them there.
    if (item.text.ends_with(gap->closed_ahead))
      item.text.resize(item.text.size() - gap->closed_ahead.size());
    else
      item.range_end_bytes += gap->closed_ahead.size();
    if (item.guarantee == Guarantee::kRegion) KeepWithoutNewErrors(request, *gap, item, stop);
    if (IsBlank(item.text)) return std::nullopt;
  } else if (std::holds_alternative<SyntaxTask>(task) && both) {
    item.guarantee = Guarantee::kSyntax;
  }
  if (IsRefused(request, item)) return std::nullopt;
  return item;
}

CompletionAnswer AnswerOf(const CompletionRequest& request, const CompletionTask& task,
                          const Candidates& candidates, const std::stop_token& stop) {
  CompletionAnswer answer;
  if (!std::holds_alternative<UnconstrainedTask>(task) && !std::holds_alternative<SyntaxTask>(task))
    answer.statistics = candidates.first.statistics;
  for (const DecodeResult& result : candidates.wanted) {
    if (auto item = ItemOf(request, task, result, stop)) answer.items.push_back(*std::move(item));
  }
  if (answer.items.empty()) answer.reason = WhyNothing(task, candidates.first);
  return answer;
}

}  // namespace tenon::server
