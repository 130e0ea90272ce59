#include "server/region/closers_above.h"

#include <vector>

#include "server/region/outline_heads.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"

namespace tenon::server {

std::optional<TextWithClosers> WithClosersAbove(std::string_view text, size_t cursor) {
  TextWithClosers closed;
  size_t copied = 0;                    // bytes of the text
  size_t head_begin = 0, head_end = 0;  // of the head before, in `closed`
  for (const OutlineLine& head : HeadsAround(LineAt(text, cursor))) {
    closed.text.append(text.substr(copied, head.begin - copied));
    copied = head.begin;
    const std::vector<size_t> open =
        head.Closes() ? std::vector<size_t>() : OpenBrackets(closed.text);
    std::string closers;
    for (auto at = open.rbegin(); at != open.rend(); ++at) {
      const bool is_of_head = head_begin <= *at && *at < head_end;
      if (is_of_head || IndentationColumns(LeadingBlanksAt(closed.text, *at)) < head.columns) break;
      closers += kClosingBrackets[kOpeningBrackets.find(closed.text[*at])];
      closers += LineEndOf(text);
    }
    closed.text += closers;
    head_begin = closed.text.size();
    head_end = head_begin + (head.end - head.begin);
  }
  if (closed.text.size() == copied) return std::nullopt;
  closed.cursor = closed.text.size() + (cursor - copied);
  closed.text.append(text.substr(copied));
  return closed;
}

}  // namespace tenon::server
