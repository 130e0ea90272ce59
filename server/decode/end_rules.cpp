#include "server/decode/end_rules.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// The gap after the bytes of the piece before its first line end; nothing where it has none, or
// where the bytes do not fit.
std::optional<Gap> LineEndIn(const WrittenMiddle& middle, const NextPiece& piece) {
  const size_t end = piece.bytes.find_first_of("\r\n", piece.healed);
  if (end == std::string_view::npos) return std::nullopt;
  return middle.After({piece.middle, piece.bytes.substr(0, end), piece.healed});
}

}  // namespace

EndRules::EndRules(const WrittenMiddle& begun)
    : left_brackets_(*begun.cursor(), begun.gap(), begun.goal()),
      right_(begun.cursor()),
      block_(begun.cursor(), begun.begun()) {}

std::optional<Gap> EndRules::BeforeMisfit(const WrittenMiddle& middle, const NextPiece& piece,
                                          bool converging) const {
  if (auto end = BeforeRight(middle, piece, false)) return end;
  if (auto end = BeforeLessIndented(middle, piece, converging)) return end;
  return BeforeComma(middle, piece);
}

EndRules::InPieceFound EndRules::InPiece(const WrittenMiddle& middle, const NextPiece& piece,
                                         bool converging) const {
  if (auto end = BeforeRight(middle, piece, true)) return {MiddleEnd{*std::move(end)}};
  if (middle.goal() == Goal::kText) return {};
  if (auto end = BeforeLessIndented(middle, piece, converging)) return {MiddleEnd{*std::move(end)}};
  InPieceFound found;
  if (auto line_end = LineEndIn(middle, piece)) found = InLine(middle, *std::move(line_end));
  if (!found.end) found.end = EndBeforeStutter(middle, piece);
  return found;
}

EndRules::InPieceFound EndRules::InLine(const WrittenMiddle& middle, Gap line_end) const {
  const std::string& text = line_end.middle();
  if (auto end = BeforeRestOfWord(middle, text)) return {MiddleEnd{*std::move(end)}};
  if (auto end = EndBeforeRepetition(middle, line_end)) return {std::move(end)};
  const bool opens_block = middle.goal() == Goal::kJoin && block_.IsOpenedBy(line_end);
  if (!opens_block && MayEndLineAt(middle, line_end)) return {MiddleEnd{std::move(line_end)}};
  if (auto end = BeforeRightsBrackets(middle, text)) return {MiddleEnd{*std::move(end)}};
  if (auto end = BeforeSigns(middle, text)) return {MiddleEnd{*std::move(end)}};
  InPieceFound found{.opens_block = opens_block};
  if (!IsBlank(text)) found.line_end = std::move(line_end);
  return found;
}

std::optional<Gap> EndRules::AtWritersEnd(const WrittenMiddle& middle) const {
  if (!middle.healed().empty()) return std::nullopt;
  if (auto end = BeforeRestOfWord(middle, middle.text())) return end;
  if (auto end = BeforeNextLine(middle)) return end;
  if (auto end = BeforeComma(middle, {middle.text(), {}})) return end;
  if (middle.MayEnd()) return middle.gap();
  if (auto end = WithClosedAhead(middle)) return end;
  return BeforeRightsBrackets(middle, middle.text());
}

std::optional<Gap> EndRules::JoiningIn(const WrittenMiddle& middle, const NextPiece& piece) const {
  if (auto end = BeforeRight(middle, piece, true)) return end;
  if (middle.goal() != Goal::kText) {
    auto line_end = LineEndIn(middle, piece);
    if (line_end && MayEndLineAt(middle, *line_end)) return line_end;
  }
  return middle.After(piece);
}

bool EndRules::MayEndLineAt(const WrittenMiddle& middle, const Gap& line_end) const {
  return middle.MayEndAt(line_end) && !block_.IsFilledBy(line_end.middle());
}

std::optional<Gap> EndRules::BeforeRight(const WrittenMiddle& middle, const NextPiece& piece,
                                         bool fits) const {
  if (middle.goal() != Goal::kJoin || middle.budget().left() == 0) return std::nullopt;
  return middle.FirstEndAt(piece, right_.EndsBefore(piece, fits));
}

std::optional<Gap> EndRules::BeforeLessIndented(const WrittenMiddle& middle, const NextPiece& piece,
                                                bool converging) const {
  if (converging || !block_.is_known()) return std::nullopt;
  const std::vector<MiddleBeginning>& lines = middle.block_lines();
  std::optional<size_t> last_line;
  if (!lines.empty()) last_line = lines.back().gap.middle().size();
  return middle.FirstEndAt(piece, block_.EndsBefore(piece, last_line));
}

std::optional<Gap> EndRules::BeforeComma(const WrittenMiddle& middle,
                                         const NextPiece& piece) const {
  if (middle.goal() != Goal::kJoin || !middle.healed().empty()) return std::nullopt;
  const std::optional<size_t> size = right_.EndBeforeComma(piece);
  return size && !middle.MayEnd() ? middle.EndAt(piece.middle, *size) : std::nullopt;
}

std::optional<Gap> EndRules::BeforeRestOfWord(const WrittenMiddle& middle,
                                              std::string_view text) const {
  const std::optional<size_t> size = right_.EndBeforeRestOfWord(text);
  return size ? middle.EndAt(text, *size) : std::nullopt;
}

std::optional<Gap> EndRules::BeforeNextLine(const WrittenMiddle& middle) const {
  if (middle.goal() != Goal::kJoin) return std::nullopt;
  const std::optional<size_t> size = right_.EndBeforeNextLine({middle.text(), {}});
  return size ? middle.EndAt(middle.text(), *size) : std::nullopt;
}

std::optional<Gap> EndRules::BeforeRightsBrackets(const WrittenMiddle& middle,
                                                  std::string_view text) const {
  const std::optional<size_t> size = left_brackets_.EndBeforeRights(text);
  return size ? middle.EndAt(text, *size) : std::nullopt;
}

std::optional<Gap> EndRules::BeforeSigns(const WrittenMiddle& middle, std::string_view text) const {
  const std::string& right_line = middle.cursor()->right_line;
  const bool goes_on = std::any_of(right_line.begin(), right_line.end(), IsWordByte);
  if (middle.goal() != Goal::kJoin || middle.cursor()->empty_block || !goes_on ||
      !OpenBrackets(text).empty())
    return std::nullopt;
  for (text = WithoutJoiningSigns(text); !IsBlank(text);
       text = WithoutJoiningSigns(text.substr(0, text.size() - 1))) {
    if (auto end = middle.EndAt(text, text.size())) return end;
    if (!text.ends_with(';')) break;
  }
  return std::nullopt;
}

std::optional<Gap> EndRules::WithClosedAhead(const WrittenMiddle& middle) const {
  if (IsBlank(middle.text())) return std::nullopt;
  std::string_view closed = middle.cursor()->closed_ahead;
  for (; !closed.empty(); closed.remove_prefix(1)) {
    const std::string text = middle.text() + std::string(closed);
    if (auto end = middle.EndAt(text, text.size())) return end;
  }
  return std::nullopt;
}

}  // namespace tenon::server
