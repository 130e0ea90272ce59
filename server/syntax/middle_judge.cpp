#include "server/syntax/middle_judge.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "server/request/blocks.h"
#include "server/request/lines.h"
#include "server/request/words.h"
#include "server/syntax/added_errors.h"
#include "server/syntax/heads.h"

namespace tenon::server {
namespace {

// What may stand between two things, and twice only by mistake.
constexpr std::string_view kSeparators = ";,:";

// Does the error lie within [begin, end), which is not so of a token that is missing at an end?
bool Within(const SyntaxError& error, size_t begin, size_t end) {
  if (error.begin_bytes == error.end_bytes)
    return begin < error.begin_bytes && error.begin_bytes < end;
  return begin <= error.begin_bytes && error.end_bytes <= end;
}

}  // namespace

MiddleJudge::MiddleJudge(const TSLanguage* language, SyntaxTree around, size_t offset_bytes,
                         bool below_half_typed)
    : language_(language),
      around_(std::move(around)),
      offset_bytes_(offset_bytes),
      below_half_typed_(below_half_typed),
      allowed_(around_.error_count()) {
  if (is_whole()) errors_anew_ = 0;
}

MiddleJudge MiddleJudge::Fresh() const {
  MiddleJudge fresh(language_, around_.Copy(), offset_bytes_, below_half_typed_);
  fresh.errors_anew_ = errors_anew_;
  return fresh;
}

std::string_view MiddleJudge::left() const {
  return std::string_view(around()).substr(0, offset_bytes_);
}

std::string_view MiddleJudge::right() const {
  return std::string_view(around()).substr(offset_bytes_);
}

bool MiddleJudge::RepeatsRestOfLine(std::string_view middle) const {
  const std::string_view rest = Trimmed(FirstLine(right()));
  if (rest.empty()) return false;
  if (middle.back() == rest.front() && kSeparators.find(rest.front()) != std::string_view::npos)
    return true;
  return rest.size() > 1 && middle.ends_with(rest);
}

bool MiddleJudge::ClosesHalfTyped(std::string_view middle) const {
  return below_half_typed_ && ClosesBracketsAbove(around(), offset_bytes_, middle);
}

MiddleJudge::Verdict MiddleJudge::Judge(std::string_view middle, const std::stop_token& stop) {
  if (IsBlank(middle) || RepeatsRestOfLine(middle)) return {};
  if (ClosesHalfTyped(middle)) return {};
  std::string text;
  text.reserve(around().size() + middle.size());
  text.append(left()).append(middle).append(right());
  auto tree = SyntaxTree::Parse(language_, text, last_ ? &*last_ : &around_, stop);
  if (!tree) return {};
  last_ = *std::move(tree);
  last_end_ = offset_bytes_ + middle.size();
  const std::vector<SyntaxError> errors = last_->errors();
  const bool adds_errors =
      errors.size() > allowed_ || std::any_of(errors.begin(), errors.end(), [&](const auto& error) {
        return Within(error, offset_bytes_, last_end_);
      });
  if (adds_errors || IsHeadAlone(*last_, offset_bytes_, last_end_)) return {};
  if (EndsHeadOfLine(*last_, offset_bytes_, last_end_)) return {.errors = {}, .ends_head = true};
  return {.errors = errors.size()};
}

bool MiddleJudge::EndedWithToken() const { return last_ && IsToken(*last_, last_end_ - 1); }

bool MiddleJudge::LeavesErrors(size_t errors, const std::stop_token& stop) {
  if (errors == 0) return false;
  if (!errors_without_line_) {
    std::string without(around().substr(0, LineBeginAt(around(), offset_bytes_)));
    without.append(right());
    const auto tree = SyntaxTree::Parse(language_, without, &around_, stop);
    errors_without_line_ = tree ? tree->error_count() : allowed_;
  }
  return errors > *errors_without_line_;
}

bool MiddleJudge::FitsAnew(std::string_view middle, const std::stop_token& stop) const {
  if (!errors_anew_) errors_anew_ = ErrorsOf(language_, around(), stop);
  if (!errors_anew_) return false;
  const auto errors = ErrorsWith(language_, around(), offset_bytes_, middle, stop);
  return errors && *errors <= *errors_anew_;
}

}  // namespace tenon::server
