#include "server/request/blocks.h"

#include <algorithm>

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

bool WritesNoWord(std::string_view closing) {
  while (!closing.empty()) {
    if (IsWordByte(closing.front()) || closing.front() == '?') return false;
    closing.remove_prefix(std::max(ClosingTagBytes(closing), size_t{1}));
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
               kClosingBrackets.find(last) != std::string_view::npos) {
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
  std::string text(left);
  text += middle.substr(0, middle.size() - closing_bytes);
  std::string_view closing = middle.substr(middle.size() - closing_bytes);
  const auto stays_in_line = [&left, blocks = OpenBlocks(left)](size_t opener) {
    return opener < left.size() && std::find(blocks.begin(), blocks.end(), opener) == blocks.end();
  };
  std::vector<size_t> open = OpenBrackets(text);
  size_t last_line = LineOf(text, text.size());  // of what was closed last
  if (const size_t begin = std::max(LineBeginAt(text, text.size()), left.size());
      ClosesABracket(std::string_view(text).substr(begin))) {
    const std::vector<size_t> above = OpenBrackets(std::string_view(text).substr(0, begin));
    if (!above.empty()) last_line = LineOf(text, above.back());
  }
  while (!closing.empty()) {
    if (const auto signs = QuoteEndedBy(closing)) {
      EndQuote(text, *signs, left.size());
      closing.remove_prefix(signs->end.size());
      continue;
    }
    size_t bytes = ClosingTagBytes(closing);
    size_t opener = std::string::npos;
    if (bytes > 0) {
      const std::string_view name = closing.substr(2, bytes - 3);
      opener = text.rfind("<" + std::string(name));
    } else if (kOpeningBrackets.find(closing.front()) != std::string_view::npos) {
      open.push_back(text.size());
    } else if (kClosingBrackets.find(closing.front()) != std::string_view::npos && !open.empty()) {
      opener = open.back();
      open.pop_back();
    }
    bytes = std::max(bytes, size_t{1});
    if (opener != std::string::npos && !stays_in_line(opener)) {
      const size_t line = LineOf(text, opener);
      const bool in_line = line == LineOf(text, text.size());
      const size_t kept = std::max(WithoutBlanksAtEnd(text).size(), left.size());
      const bool is_blank = IsBlank(text.substr(LineBeginAt(text, kept)));  // the cursor's line
      if (!in_line && line != last_line && !is_blank) {
        text.resize(kept);
        const std::string blanks(LeadingBlanksAt(text, opener));
        text += "\n" + blanks;
      }
      if (!in_line) last_line = line;
    }
    text += closing.substr(0, bytes);
    closing.remove_prefix(bytes);
  }
  return text.substr(left.size());
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
