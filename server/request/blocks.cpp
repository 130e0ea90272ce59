#include "server/request/blocks.h"

#include <algorithm>
#include <utility>

#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

constexpr size_t kMaxHeadLines = 50;
constexpr std::string_view kQuotes = "\"\"\"", kSingleQuotes = "'''";

// The bytes of the closing tag with which `text` begins; 0: it begins with none.
size_t ClosingTagBytes(std::string_view text) {
  if (!text.starts_with("</")) return 0;
  const size_t end = text.find('>');
  const auto in_name = [](char c) { return IsWordByte(c) || c == '.' || c == '-' || c == ':'; };
  return end != std::string_view::npos &&
                 std::all_of(text.begin() + 2, text.begin() + static_cast<ptrdiff_t>(end), in_name)
             ? end + 1
             : 0;
}

// `text` without a text in three quotes in lines of its own, with which it ends.
std::string_view WithoutQuotedText(std::string_view text) {
  for (const std::string_view quotes : {kQuotes, kSingleQuotes}) {
    if (!text.ends_with(quotes)) continue;
    const size_t begin = text.substr(0, text.size() - quotes.size()).rfind(quotes);
    if (begin == std::string_view::npos) return text;
    const std::string_view before = text.substr(0, begin);
    return IsBlank(before.substr(LineBeginAt(before, begin))) ? WithoutBlanksAtEnd(before) : text;
  }
  return text;
}

// The lines of the statement that ends with a colon at the end of `text`: `if a:`, or a head whose
// brackets hold several lines. Nothing: no such one, or a bracket that is open hides it.
std::optional<std::string_view> HeadWithColon(std::string_view text) {
  if (!text.ends_with(':')) return std::nullopt;
  for (size_t begin = LineBeginAt(text, text.size()), lines = 0;; ++lines) {
    const LoneBrackets lone = LoneBracketsOf(text.substr(begin));
    if (!lone.opening.empty() || lines > kMaxHeadLines) return std::nullopt;
    if (lone.closing.empty()) return text.substr(begin);
    if (begin == 0) return std::nullopt;
    begin = LineBeginAt(text, begin - 1);
  }
}

// The end of a comment or text of several lines, and its beginning.
struct QuoteSigns {
  std::string_view end, begin;
};

// Those with whose end `closing` begins; nothing: with none.
std::optional<QuoteSigns> QuoteEndedBy(std::string_view closing) {
  for (const QuoteSigns& signs : {QuoteSigns{"*/", "/*"}, QuoteSigns{kQuotes, kQuotes},
                                  QuoteSigns{kSingleQuotes, kSingleQuotes}}) {
    if (closing.starts_with(signs.end)) return signs;
  }
  return std::nullopt;
}

size_t LineOf(std::string_view text, size_t at) {
  return static_cast<size_t>(
      std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
}

// Ends the comment or text with which `text` ends, in a line of its own where it has several. At
// least `kept` bytes of `text` stay.
void EndQuote(std::string& text, const QuoteSigns& signs, size_t kept) {
  const size_t begin = text.rfind(signs.begin), line = LineBeginAt(text, text.size());
  const std::string_view last = std::string_view(text).substr(line);
  const bool has_lines = begin == std::string::npos || begin < line;
  if (has_lines && !IsBlank(last)) {
    // Below ` * text` the blanks are that line's.
    const bool is_like_last = begin == std::string::npos || Trimmed(last).starts_with('*');
    const std::string blanks(LeadingBlanksAt(text, is_like_last ? line : begin));
    text.resize(std::max(WithoutBlanksAtEnd(text).size(), kept));
    text += "\n" + blanks;
  }
  text += signs.end;
}

// Writes what closes a middle after `left`: each closer in its line, or in a line of its own below
// that of its opener.
class CloserWriter {
 public:
  CloserWriter(std::string_view left, std::string_view middle)
      : left_bytes_(left.size()),
        blocks_of_left_(OpenBlocks(left)),
        text_(std::string(left).append(middle)),
        open_(OpenBrackets(text_)),
        line_closed_last_(LineClosedLast()) {}

  // The middle with these closers, which may hold brackets of their own.
  std::string Write(std::string_view closing) {
    while (!closing.empty()) {
      if (const auto signs = QuoteEndedBy(closing)) {
        EndQuote(text_, *signs, left_bytes_);
        closing.remove_prefix(signs->end.size());
        continue;
      }
      const size_t bytes = std::max(ClosingTagBytes(closing), size_t{1});
      const size_t opener = TakeOpenerOf(closing.substr(0, bytes));
      if (opener != std::string::npos && !StaysInLine(opener)) GoBelow(opener);
      text_ += closing.substr(0, bytes);
      closing.remove_prefix(bytes);
    }
    return text_.substr(left_bytes_);
  }

 private:
  // The line of the opener whose closer begins the last line; else the last line.
  [[nodiscard]] size_t LineClosedLast() const {
    const std::string_view text = text_;
    const size_t begin = std::max(LineBeginAt(text, text.size()), left_bytes_);
    const std::vector<size_t> above = ClosesABracket(text.substr(begin))
                                          ? OpenBrackets(text.substr(0, begin))
                                          : std::vector<size_t>();
    return LineOf(text, above.empty() ? text.size() : above.back());
  }

  // Where the opener of a bracket or tag is; npos: it is not known, or this is no closer.
  size_t TakeOpenerOf(std::string_view closer) {
    if (closer.size() > 1)
      return text_.rfind("<" + std::string(closer.substr(2, closer.size() - 3)));
    if (kOpeningBrackets.find(closer.front()) != std::string_view::npos)
      open_.push_back(text_.size());
    else if (IsClosingBracket(closer.front()) && !open_.empty()) {
      const size_t opener = open_.back();
      open_.pop_back();
      return opener;
    }
    return std::string::npos;
  }

  // Is the opener one of `left` with text after it on its line?
  [[nodiscard]] bool StaysInLine(size_t opener) const {
    return opener < left_bytes_ && std::find(blocks_of_left_.begin(), blocks_of_left_.end(),
                                             opener) == blocks_of_left_.end();
  }

  // Begins a line as deep as the opener's, where the opener is in an earlier line, the closer
  // before has not closed one of that line, and the last line has text.
  void GoBelow(size_t opener) {
    const size_t line = LineOf(text_, opener);
    if (line == LineOf(text_, text_.size())) return;
    const size_t kept = std::max(WithoutBlanksAtEnd(text_).size(), left_bytes_);
    const bool is_blank = IsBlank(std::string_view(text_).substr(LineBeginAt(text_, kept)));
    if (std::exchange(line_closed_last_, line) == line || is_blank) return;
    text_.resize(kept);
    const std::string blanks(LeadingBlanksAt(text_, opener));
    text_ += "\n" + blanks;
  }

  size_t left_bytes_;
  std::vector<size_t> blocks_of_left_;
  std::string text_;
  std::vector<size_t> open_;  // brackets of the text, outermost first
  size_t line_closed_last_;   // the number of the line whose opener was closed last
};

// The blank line with which a text ends, and the one above, without the blanks at its end. Nothing
// where no line is above, or the last one is not blank.
struct LastLines {
  std::string_view above, blank;
};
std::optional<LastLines> LastLinesOf(std::string_view text) {
  const std::string_view before = WithoutBlanksAtEnd(text);
  const std::string_view line = text.substr(LineBeginAt(text, text.size()));
  if (before.empty() || !IsBlank(line)) return std::nullopt;
  return LastLines{before.substr(LineBeginAt(before, before.size())), line};
}

}  // namespace

std::vector<size_t> OpenBlocks(std::string_view text) {
  std::vector<size_t> blocks = OpenBrackets(text);
  std::erase_if(blocks, [text](size_t at) {
    const size_t next = text.find_first_not_of(" \t\r\f\v", at + 1);
    return next != std::string_view::npos && text[next] != '\n';
  });
  return blocks;
}

bool EndsWithOpeningBracket(std::string_view text) {
  const size_t last = text.find_last_not_of(kBlanksAndLineEnds);
  return last != std::string_view::npos &&
         kOpeningBrackets.find(text[last]) != std::string_view::npos;
}

bool ClosesBracketsAbove(std::string_view text, size_t cursor, std::string_view middle) {
  const std::string rest(FirstLine(text.substr(cursor)));
  const auto closing = [&](const std::string& code) {
    return LoneBracketsAt(text, cursor, code).closing.size();
  };
  return closing(std::string(middle) + rest) > closing(rest);
}

std::optional<EmptyBlock> EmptyBlockAt(std::string_view left, std::string_view right,
                                       bool unclosed) {
  const std::string_view above = WithoutBlanksAtEnd(left);
  const std::string_view next = FirstLineWithText(right);
  const size_t below =
      next.empty() ? right.size() : static_cast<size_t>(next.data() - right.data());
  const auto has_line_end = [](std::string_view blanks) {
    return blanks.find_first_of("\r\n") != std::string_view::npos;
  };
  if (above.empty() || !has_line_end(left.substr(above.size())) ||
      (!next.empty() && !has_line_end(right.substr(0, below))))
    return std::nullopt;
  if (!next.empty() && IsPair(above.back(), next.front())) return EmptyBlock{};
  if (!unclosed && kOpeningBrackets.find(above.back()) != std::string_view::npos)
    return std::nullopt;
  const auto head = HeadWithColon(WithoutQuotedText(above));
  const size_t columns =
      IndentationColumns(head ? *head : above.substr(LineBeginAt(above, above.size())));
  const auto is_deeper = [columns](std::string_view blanks) {
    return IndentationColumns(blanks) > columns;
  };
  if (!head && !is_deeper(LeadingBlanksAt(left, left.size()))) return std::nullopt;
  if (!next.empty() && is_deeper(LeadingBlanksAt(right, below))) return std::nullopt;
  return EmptyBlock{columns};
}

bool IsIndented(std::string_view left) {
  const auto lines = LastLinesOf(left);
  if (!lines || lines->blank.empty()) return false;
  const size_t columns = IndentationColumns(lines->blank),
               columns_above = IndentationColumns(lines->above);
  return columns > columns_above ||
         (columns == columns_above &&
          std::string_view(",;}").find(lines->above.back()) != std::string_view::npos);
}

bool IsIndentedLess(std::string_view left) {
  const auto lines = LastLinesOf(left);
  if (!lines || lines->above.ends_with(':') || EndsWithOpeningBracket(lines->above)) return false;
  const size_t columns = IndentationColumns(lines->blank);
  return columns > 0 && columns < IndentationColumns(lines->above);
}

bool MayEndStatement(std::string_view line) {
  const size_t last = line.find_last_not_of(kBlanksAndLineEnds);
  if (last == std::string_view::npos) return false;
  return IsWordByte(line[last]) ||
         std::string_view(")]};>\"'`").find(line[last]) != std::string_view::npos;
}

std::string_view WithoutJoiningSigns(std::string_view text) {
  while (!text.empty() && !MayEndStatement(text)) text.remove_suffix(1);
  return WithoutBlanksAtEnd(text);
}

bool WritesNoWord(std::string_view closing) {
  while (!closing.empty()) {
    if (IsWordByte(closing.front()) || closing.front() == '?') return false;
    closing.remove_prefix(std::max(ClosingTagBytes(closing), size_t{1}));
  }
  return true;
}

bool OnlyCloses(std::string_view closing) {
  constexpr std::string_view kClosers = ")]};";
  while (!closing.empty()) {
    const size_t tag = ClosingTagBytes(closing);
    if (tag == 0 && kClosers.find(closing.front()) == std::string_view::npos &&
        kBlanksAndLineEnds.find(closing.front()) == std::string_view::npos)
      return false;
    closing.remove_prefix(std::max(tag, size_t{1}));
  }
  return true;
}

size_t ClosersAtEnd(std::string_view text) {
  size_t size = text.size();
  while (size > 0) {
    const char last = text[size - 1];
    if (last == '>') {
      const size_t tag = text.substr(0, size).rfind("</");
      if (tag == std::string_view::npos || ClosingTagBytes(text.substr(tag)) != size - tag) break;
      size = tag;
    } else if (last == ';' || kBlanksAndLineEnds.find(last) != std::string_view::npos ||
               IsClosingBracket(last)) {
      --size;
    } else {
      break;
    }
  }
  // In a line of their own they are laid out.
  const bool is_line = size < text.size() && text.substr(size).find('\n') != std::string_view::npos;
  return is_line ? 0 : text.size() - size;
}

std::string WithClosersInLines(std::string_view left, std::string_view middle,
                               size_t closing_bytes) {
  if (closing_bytes == 0) return std::string(middle);
  const size_t kept = middle.size() - closing_bytes;
  return CloserWriter(left, middle.substr(0, kept)).Write(middle.substr(kept));
}

std::string WithLastCloserBelow(std::string_view left, std::string_view middle) {
  const size_t last = LineBeginAt(middle, middle.size());
  const std::string_view line = middle.substr(last);
  if (last == 0 || !ClosesABracket(line)) return std::string(middle);
  const std::string above = std::string(left) + std::string(middle.substr(0, last));
  const bool is_block = line.find_first_not_of(kBlanks) == line.find('}');
  const std::vector<size_t> open = OpenBrackets(above), blocks = OpenBlocks(above);
  if (open.empty() || !(is_block || (!blocks.empty() && blocks.back() == open.back())))
    return std::string(middle);
  const std::string_view blanks = LeadingBlanksAt(above, open.back());
  const size_t columns = IndentationColumns(blanks);
  // A head of several lines may be closed below its first one.
  const size_t inside = above.find_first_not_of(kBlanksAndLineEnds, above.find('\n', open.back()));
  const bool is_deeper =
      inside == std::string::npos || IndentationColumnsAt(above, inside) > columns;
  if (!is_deeper || IndentationColumns(line) >= columns) return std::string(middle);
  return std::string(middle.substr(0, last)) + std::string(blanks) +
         std::string(WithoutBlanksAtBegin(line));
}

}  // namespace tenon::server
