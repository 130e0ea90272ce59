#include "server/decode/right_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/rest_of_word.h"

namespace tenon::server {

namespace {

// A piece of so few letters within a word may write the beginning of R by chance.
constexpr size_t kByChanceBytes = 2;

// A next line of fewer bytes may stand at the end of another line by chance.
constexpr size_t kNextLineBytes = 8;

// Does the byte at `at` go on in the word that ends before it?
bool IsInWord(std::string_view text, size_t at) {
  return at > 0 && at < text.size() && IsWordByte(text[at - 1]) && IsWordByte(text[at]);
}

// May the middle end at byte `at` of a piece, whose rest is written into the right context?
// Never between letters, and before a word only where the piece writes all of it.
bool CutsAt(std::string_view bytes, size_t at, std::string_view right_line) {
  const bool before_word = !IsWordByte(bytes[at - 1]) && IsWordByte(bytes[at]);
  if (IsWordByte(bytes[at]) && !before_word) return false;
  if (before_word && bytes.size() - at < RestOfWordBytes(right_line)) return false;
  return WritesInto(bytes.substr(at), right_line);
}

std::optional<size_t> Found(size_t at) {
  return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

}  // namespace

bool WritesInto(std::string_view text, std::string_view right_line) {
  const size_t n = std::min(text.size(), right_line.size());
  return !IsBlank(text) && text.substr(0, n) == right_line.substr(0, n) &&
         !(n == right_line.size() && IsInWord(text, n));
}

bool MayWriteInto(std::string_view bytes, std::string_view right_line) {
  if (right_line.empty()) return false;
  for (size_t at = 0; at < bytes.size(); ++at) {
    if (at == 0 ? WritesInto(bytes, right_line) : CutsAt(bytes, at, right_line)) return true;
  }
  return MayEndRestOfWord(bytes, right_line);
}

RightText::RightText(std::shared_ptr<const CursorText> cursor)
    : cursor_(std::move(cursor)), ends_word_(RestOfWordBytes(cursor_->right_line) > 0) {}

std::vector<size_t> RightText::EndsBefore(const NextPiece& piece, bool fits) const {
  std::vector<size_t> ends;
  const auto add = [&ends](std::optional<size_t> end) {
    if (end) ends.push_back(*end);
  };
  const std::string_view line = cursor_->right_line, middle = piece.middle, bytes = piece.bytes;
  if (piece.fresh().empty()) return ends;
  if (line.empty()) {
    add(EndBeforeNextLine(piece));
    return ends;
  }
  const bool in_word = EndsInWord(middle) && IsWordByte(bytes[0]);
  const bool by_chance = fits && in_word && bytes.size() <= kByChanceBytes;
  if (piece.healed == 0 && WritesInto(bytes, line) && !by_chance) add(middle.size());
  for (size_t at = piece.healed + 1; at < bytes.size(); ++at) {
    if (CutsAt(bytes, at, line)) add(middle.size() + at - piece.healed);
  }
  add(EndBeforeArguments(piece));
  if (ends_word_) add(Found(FindRestOfWord(piece.Text(), line, middle.size())));
  if (ends_word_ && EndsInWord(cursor_->left_line))
    add(Found(FindRestOfFirstWord(piece.Text(), line, middle.size())));
  return ends;
}

std::optional<size_t> RightText::EndBeforeNextLine(const NextPiece& piece) const {
  const std::string& next_line = cursor_->next_text;
  if (!cursor_->right_line.empty() || next_line.size() < kNextLineBytes) return std::nullopt;
  const std::string text = piece.Text();
  const size_t at = text.rfind(next_line);
  if (at == std::string::npos) return std::nullopt;
  const size_t end = at + next_line.size();
  // Its last word may go on in the next piece.
  const bool unfinished = end == text.size() && IsWordByte(text.back()) && !piece.bytes.empty();
  if (end < piece.middle.size() || unfinished || IsInWord(text, at) || IsInWord(text, end))
    return std::nullopt;
  const size_t line = LineBeginAt(text, at);
  const std::string_view before = std::string_view(text).substr(line, at - line);
  if (IsBlank(before)) return std::nullopt;
  return line + WithoutBlanksAtEnd(before).size();
}

std::optional<size_t> RightText::EndBeforeArguments(const NextPiece& piece) const {
  if (!cursor_->right_line.starts_with('(') || !EndsInWord(cursor_->left_line)) return std::nullopt;
  const std::string text = piece.Text();
  const auto word_end = std::find_if_not(text.begin(), text.end(), IsWordByte);
  const auto size = static_cast<size_t>(word_end - text.begin());
  const bool opens = word_end != text.end() && *word_end == '(' && size >= piece.middle.size();
  return opens ? std::optional(size) : std::nullopt;
}

std::optional<size_t> RightText::EndBeforeRestOfWord(std::string_view middle) const {
  if (!ends_word_) return std::nullopt;
  return Found(FindRestOfWordAtEnd(middle, cursor_->right_line));
}

std::optional<size_t> RightText::EndBeforeComma(const NextPiece& piece) const {
  const std::string_view text = FirstLineWithText(piece.bytes), next = cursor_->next_text;
  const bool is_rights_bracket = ClosesABracket(text) && next.starts_with(text.front());
  const std::string_view middle = WithoutBlanksAtEnd(piece.middle);
  if (!middle.ends_with(',') || !(piece.bytes.empty() || is_rights_bracket)) return std::nullopt;
  return WithoutBlanksAtEnd(middle.substr(0, middle.size() - 1)).size();
}

}  // namespace tenon::server
