#include "protocol/text_document.h"

#include <algorithm>
#include <utility>

#include "protocol/position_encoding.h"

namespace tenon::protocol {

TextDocument::TextDocument(std::string text, PositionEncoding encoding) : encoding_(encoding) {
  ReplaceAll(std::move(text));
}

bool TextDocument::IsLineStart(size_t offset_bytes) const {
  if (offset_bytes == 0) return true;
  const char before = text_[offset_bytes - 1];
  if (before == '\n') return true;
  return before == '\r' && (offset_bytes == text_.size() || text_[offset_bytes] != '\n');
}

std::shared_ptr<const std::string> TextDocument::Snapshot() const {
  if (snapshot_ == nullptr) snapshot_ = std::make_shared<const std::string>(text_);
  return snapshot_;
}

void TextDocument::ReplaceAll(std::string text) {
  snapshot_.reset();
  text_ = std::move(text);
  line_starts_.clear();
  for (size_t i = 0; i <= text_.size(); ++i) {
    if (IsLineStart(i)) line_starts_.push_back(i);
  }
}

size_t TextDocument::LineOf(size_t offset_bytes) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset_bytes);
  return static_cast<size_t>(after - line_starts_.begin()) - 1;
}

std::string_view TextDocument::Line(size_t line) const {
  const size_t start = line_starts_[line];
  size_t end = line + 1 < line_starts_.size() ? line_starts_[line + 1] : text_.size();
  if (end > start && text_[end - 1] == '\n') --end;
  if (end > start && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(start, end - start);
}

TextDocument::Place TextDocument::PlaceAt(Position position) const {
  if (position.line >= line_starts_.size()) return {text_.size(), false};
  const LinePlace place = PlaceOfUnits(Line(position.line), position.character, encoding_);
  return {line_starts_[position.line] + place.bytes,
          place.is_inside && encoding_ == PositionEncoding::kUtf16};
}

Position TextDocument::PositionAt(size_t offset_bytes) const {
  const size_t line = LineOf(std::min(offset_bytes, text_.size()));
  const size_t in_line = std::min(offset_bytes, text_.size()) - line_starts_[line];
  return {static_cast<uint32_t>(line),
          static_cast<uint32_t>(UnitsFromBytes(Line(line), in_line, encoding_))};
}

void TextDocument::Replace(Range range, std::string_view replacement) {
  Place begin = PlaceAt(range.start);
  Place end = PlaceAt(range.end);
  if (end.offset < begin.offset || (end.offset == begin.offset && begin.halves_pair))
    std::swap(begin, end);
  const bool is_nothing =
      replacement.empty() && begin.offset == end.offset && begin.halves_pair == end.halves_pair;
  if (is_nothing || !(begin.halves_pair || end.halves_pair))
    return ReplaceBytes(begin.offset, end.offset, replacement);
  constexpr std::string_view kHalf = "\uFFFD";
  constexpr size_t kPairBytes = 4;  // in UTF-8
  std::string with_halves;
  if (begin.halves_pair) with_halves += kHalf;
  with_halves += replacement;
  if (end.halves_pair) with_halves += kHalf;
  ReplaceBytes(begin.offset, end.offset + (end.halves_pair ? kPairBytes : 0), with_halves);
}

// Whether a line starts at p depends on the bytes before and at p alone. So an edit of [begin, end)
// can only change line starts in [begin, end]; these are dropped, the inserted stretch is scanned,
// and all line starts after it move along.
void TextDocument::ReplaceBytes(size_t begin, size_t end, std::string_view replacement) {
  const auto first =
      std::lower_bound(line_starts_.begin(), line_starts_.end(), std::max<size_t>(begin, 1));
  const auto last = std::upper_bound(first, line_starts_.end(), end);
  snapshot_.reset();
  text_.replace(begin, end - begin, replacement);

  const size_t new_end = begin + replacement.size();
  std::vector<size_t> scanned;
  for (size_t i = std::max<size_t>(begin, 1); i <= new_end; ++i) {
    if (IsLineStart(i)) scanned.push_back(i);
  }
  for (auto later = last; later != line_starts_.end(); ++later) *later = *later - end + new_end;
  line_starts_.insert(line_starts_.erase(first, last), scanned.begin(), scanned.end());
}

}  // namespace tenon::protocol
