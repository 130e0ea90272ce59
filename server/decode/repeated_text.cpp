#include "server/decode/repeated_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "server/decode/closing_signs.h"
#include "server/request/blocks.h"
#include "server/request/comments.h"
#include "server/request/lines.h"
#include "server/request/repetition.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

constexpr int kMaxJoiningWords = 2;

// A text without the lines of comments at its end.
std::string_view WithoutCommentsAtEnd(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = LastLine(text);
    if (!IsBlank(line) && !BeginsAsComment(Trimmed(line))) break;
    text.remove_suffix(std::min(line.size() + 1, text.size()));
  }
  return text;
}

// `text` as the whole middle, without the sign or the words at its end that would join what follows
// (`and not`), and with the brackets that close it. Nothing: the middle may not end so.
std::optional<MiddleEnd> EndWithAll(const WrittenMiddle& middle, std::string_view text) {
  for (int words = 0; words <= kMaxJoiningWords; ++words) {
    text = WithoutJoiningSigns(text);
    Gap end = *middle.begun();
    if ((words > 0 && IsBlank(text)) || !end.Accept(text)) return std::nullopt;
    const auto closers =
        middle.MayEndAt(end) ? std::optional<std::string>("") : ClosingBracketsOf(end);
    if (closers && end.Accept(*closers) && middle.MayEndAt(end))
      return MiddleEnd{std::move(end), Ended::kWitness};
    text = WithoutWordAtEnd(text);
  }
  return std::nullopt;
}

// The same, without comments at the text's end where it may not end with them: brackets after a
// comment would belong to it.
std::optional<MiddleEnd> EndWith(const WrittenMiddle& middle, std::string_view text) {
  if (auto end = EndWithAll(middle, text)) return end;
  const std::string_view code = WithoutCommentsAtEnd(text);
  return code.size() < text.size() && !IsBlank(code) ? EndWithAll(middle, code) : std::nullopt;
}

}  // namespace

std::optional<MiddleEnd> EndBeforeRepetition(const WrittenMiddle& middle, const Gap& line_end) {
  const std::vector<MiddleBeginning>& lines = middle.block_lines();
  if (lines.empty()) return std::nullopt;
  const std::optional<size_t> size = BytesBeforeRepetition(line_end.middle());
  if (!size) return std::nullopt;
  const auto first = std::find_if(lines.begin(), lines.end(), [size](const MiddleBeginning& line) {
    return line.gap.middle().size() >= *size;
  });
  if (first == lines.end()) return std::nullopt;
  if (middle.MayEndAt(first->gap)) return MiddleEnd{first->gap};
  return EndWith(middle, first->gap.middle());
}

std::optional<MiddleEnd> EndBeforeStutter(const WrittenMiddle& middle, const NextPiece& piece) {
  const std::string text = piece.Text();
  const std::optional<size_t> size = BytesBeforeStutter(text);
  return size ? EndWith(middle, std::string_view(text).substr(0, *size)) : std::nullopt;
}

}  // namespace tenon::server
