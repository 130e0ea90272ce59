#include "server/region/file_around.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "server/region/outline_lines.h"
#include "server/region/region_search.h"
#include "tenon/gap.h"

namespace tenon::server {
namespace {

// The text before the region's end, with a middle, and `bytes` of the file after it.
std::string ReadText(const Region& region, std::string_view text, size_t cursor,
                     std::string_view middle, size_t bytes) {
  return region.Left(text, cursor)
      .append(middle)
      .append(text.substr(cursor, region.end + bytes - cursor));
}

// Where words of the text after the region begin, but the first one: in front of them the lexeme
// before is whole.
std::vector<size_t> WordsAfter(std::string_view after) {
  constexpr std::string_view kBlanks = " \t\f\r\n";
  std::vector<size_t> words;
  size_t at = after.find_first_not_of(kBlanks);
  for (;;) {
    at = after.find_first_not_of(kBlanks, after.find_first_of(kBlanks, at));
    if (at > kMaxReadOnBytes) return words;  // or there is none
    words.push_back(at);
  }
}

// Where the first marker of a conflict begins after the cursor's line; the end of the text without
// one.
size_t FirstMarkerAfter(std::string_view text, size_t cursor) {
  auto line = LineAt(text, cursor).Below();
  while (line && !line->is_marker) line = line->Below();
  return line ? line->begin : text.size();
}

// Where the word around `offset` begins, after the cursor; `offset` where none is around it.
size_t WordBegin(std::string_view text, size_t cursor, size_t offset) {
  const auto is_of_word = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  if (!is_of_word(offset)) return offset;
  while (offset > cursor && is_of_word(offset - 1)) --offset;
  return offset;
}

}  // namespace

bool LetsReadAWord(const Region& region, std::string_view text, size_t cursor,
                   std::string_view middle,
                   const std::function<bool(std::string_view left)>& may_follow) {
  if (region.tail_bytes > 0) return true;
  const std::vector<size_t> words = WordsAfter(text.substr(region.end));
  return words.empty() || may_follow(ReadText(region, text, cursor, middle, words[0]));
}

size_t ReadOnBytes(const Region& region, std::string_view text, size_t cursor,
                   std::string_view middle,
                   const std::function<bool(std::string_view left)>& may_follow) {
  if (region.tail_bytes > 0) return 0;  // what follows in the judged text is not what follows here
  const std::vector<size_t> words = WordsAfter(text.substr(region.end));
  const auto farthest = Largest(words.size(), [&](size_t i) {
    return may_follow(ReadText(region, text, cursor, middle, words[i]));
  });
  return farthest ? words[*farthest] : 0;
}

size_t BytesUpToError(std::string_view text, size_t cursor,
                      const std::function<bool(std::string_view left)>& may_follow) {
  const size_t end = std::min(FirstMarkerAfter(text, cursor), cursor + kMaxBytesToError);
  const auto readable = Largest(
      end - cursor + 1, [&](size_t bytes) { return may_follow(text.substr(0, cursor + bytes)); });
  return readable ? WordBegin(text, cursor, cursor + *readable) : 0;
}

bool LetsFileRead(size_t bytes_up_to_error, std::string_view text, size_t cursor,
                  std::string_view middle,
                  const std::function<bool(std::string_view left)>& may_follow) {
  if (bytes_up_to_error < cursor) return true;
  return may_follow(std::string(text.substr(0, cursor))
                        .append(middle)
                        .append(text.substr(cursor, bytes_up_to_error - cursor)));
}

bool FitsFile(const Language& language, const Region& region, std::string_view text, size_t cursor,
              std::string_view middle) {
  if (MovesBrackets(region, text, cursor, middle)) return false;
  tenon::GapOptions accepted;
  accepted.emit = false;
  const auto reads = [&](std::string_view left) {
    return Gap::Open(language, left, "", accepted).viable();
  };
  if (!LetsFileRead(region.bytes_up_to_error, text, cursor, middle, reads)) return false;
  return region.read_on_bytes == 0 ||
         reads(ReadText(region, text, cursor, middle, region.read_on_bytes));
}

}  // namespace tenon::server
