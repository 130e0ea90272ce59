#include "server/complete/offered_text.h"

#include <algorithm>
#include <array>

#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// How many of the steps are done.
enum Steps : uint8_t { kNone, kLineEnds, kNoTrailingBlanks, kIndentation, kAll };

// Without the blanks at the end of each line, but for the last one where it goes on after the
// text. A backslash before a line end joins the lines in many a language, so blanks after one
// stay.
std::string WithoutBlanksAtLineEnds(std::string_view text, bool ends_line) {
  std::string out;
  size_t kept = 0;  // of `out`, up to the last character of the line that is no blank
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      if (kept == 0 || out[kept - 1] != '\\') out.resize(kept);
      out += c;
      kept = out.size();
    } else {
      out += c;
      if (c != ' ' && c != '\t') kept = out.size();
    }
  }
  if (ends_line && (kept == 0 || out[kept - 1] != '\\')) out.resize(kept);
  return out;
}

// Without the blanks with which the middle begins, in all of its lines.
std::string WithoutFirstBlanks(std::string_view middle, const std::string& first_line) {
  const std::string_view extra = LeadingBlanksAt(middle, 0);
  const std::string indentation = first_line + std::string(extra);
  std::string text(middle.substr(extra.size()));
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
    if (text.compare(end + 1, indentation.size(), indentation) == 0)
      text.erase(end + 1 + first_line.size(), extra.size());
  }
  return text;
}

// The middle after the blanks with which it begins, in a line of the indentation of its own.
std::string InLine(const WritingStyle& style, std::string_view middle) {
  return style.first_line + std::string(WithoutBlanksAtBegin(middle));
}

// With the text's step of blocks in the place of its own one.
std::string WithStepOf(const WritingStyle& style, std::string_view middle, size_t own_step) {
  if (own_step == 0 || style.block_step == 0 || own_step == style.block_step)
    return std::string(middle);
  const std::string lines = WithBlockStep(InLine(style, middle), own_step, style.block_step);
  const size_t first = std::min(middle.find('\n'), middle.size());
  return std::string(middle.substr(0, first)) +
         lines.substr(std::min(lines.find('\n'), lines.size()));
}

std::string Write(const WritingStyle& style, std::string_view middle, size_t own_step, Steps steps,
                  bool ends_line) {
  std::string text(middle);
  if (steps == kAll && style.indented) text = WithoutFirstBlanks(text, style.first_line);
  if (steps >= kIndentation) {
    text = WithStepOf(style, text, own_step);
    if (!style.indentation.empty()) text = WithIndentation(text, style.indentation);
  }
  if (steps >= kNoTrailingBlanks) text = WithoutBlanksAtLineEnds(text, ends_line);
  return steps >= kLineEnds ? WithLineEnds(text, style.line_end) : text;
}

// The blank lines with which the middle begins, and the indentation of the line after them.
std::string_view BlankLinesOf(std::string_view middle) {
  const std::string_view blank =
      middle.substr(0, std::min(middle.find_first_not_of(kBlanksAndLineEnds), middle.size()));
  return LineBeginAt(blank, blank.size()) == 0 ? "" : blank;
}

// The middle, in which a `;` in a line of its own at its end comes in the place of the comma before
// it: `A,⏎;` is `A;`.
std::string WithTerminatorForComma(std::string_view middle) {
  const std::string_view text = WithoutBlanksAtEnd(middle);
  if (!text.ends_with(';')) return std::string(middle);
  const std::string_view before = WithoutBlanksAtEnd(text.substr(0, text.size() - 1));
  if (!before.ends_with(',')) return std::string(middle);
  return std::string(WithoutBlanksAtEnd(before.substr(0, before.size() - 1))) + ";";
}

// The middle between the lines around it; `dropped`: the bytes of its beginning that are left out.
struct Layout {
  std::string text;
  size_t dropped = 0;
};

Layout LaidOut(const WritingStyle& style, std::string_view middle, size_t closing_bytes) {
  const std::string ended = WithTerminatorForComma(middle);
  if (ended.size() < middle.size()) closing_bytes = 0;  // it ends in its line
  Layout layout{
      WithLastCloserBelow(style.left, WithClosersInLines(style.left, ended, closing_bytes))};
  if (style.begins_line && style.ends_line)
    layout.text.resize(WithoutBlanksAtEnd(layout.text).size());
  const std::string_view blank = BlankLinesOf(middle);
  if (blank.empty()) return layout;
  // With another indentation the line might mean something else.
  if (style.begins_line && blank.substr(LineBeginAt(blank, blank.size())) == style.first_line)
    layout.dropped = blank.size();
  layout.text.erase(0, layout.dropped);
  const std::string_view text = layout.text;
  if (style.between_brackets && !IsBlank(text.substr(LineBeginAt(text, text.size()))))
    layout.text += "\n" + style.first_line;
  return layout;
}

}  // namespace

OfferedText WriteAs(const WritingStyle& style, std::string_view middle, size_t closing_bytes,
                    const std::vector<TokenNats>& nats,
                    const std::function<bool(std::string_view)>& fits) {
  const Layout layout = LaidOut(style, middle, closing_bytes);
  const size_t own_step = BlockStep(InLine(
      style, style.indented ? WithoutFirstBlanks(layout.text, style.first_line) : layout.text));
  for (const Steps steps : {kAll, kIndentation, kNoTrailingBlanks, kLineEnds, kNone}) {
    const std::string_view written = steps == kAll ? layout.text : middle;
    const size_t dropped = steps == kAll ? layout.dropped : 0;
    OfferedText offered{Write(style, written, own_step, steps, style.ends_line), nats};
    if (offered.text != middle && steps != kNone && (IsBlank(offered.text) || !fits(offered.text)))
      continue;
    for (TokenNats& token : offered.nats) {
      const size_t drawn = std::max(token.end_bytes, dropped) - dropped;
      const std::string before =
          Write(style, middle.substr(dropped, drawn), own_step, steps, false);
      token.end_bytes = std::min(before.size(), offered.text.size());
    }
    return offered;
  }
  return {std::string(middle), nats};
}

}  // namespace tenon::server
