#include "server/region/file_around.h"

#include <algorithm>
#include <string>
#include <vector>

#include "server/region/region_search.h"
#include "tenon/gap.h"

namespace tenon::server {
namespace {

// The text before the region's end, with a middle, and `bytes` of the file behind it.
std::string ReadText(const Region& region, std::string_view text, size_t cursor,
                     std::string_view middle, size_t bytes) {
  return region.Left(text, cursor)
      .append(middle)
      .append(text.substr(cursor, region.end + bytes - cursor));
}

// Where words of the text behind the region begin, but the first one: in front of them the lexeme
// before is whole.
std::vector<size_t> WordsBehind(std::string_view behind) {
  constexpr std::string_view kBlanks = " \t\f\r\n";
  std::vector<size_t> words;
  size_t at = behind.find_first_not_of(kBlanks);
  for (;;) {
    at = behind.find_first_not_of(kBlanks, behind.find_first_of(kBlanks, at));
    if (at > kMaxReadOnBytes) return words;  // or there is none
    words.push_back(at);
  }
}

}  // namespace

bool LetsReadAWord(const Region& region, std::string_view text, size_t cursor,
                   std::string_view middle,
                   const std::function<bool(std::string_view left)>& may_follow) {
  if (region.tail_bytes > 0) return true;
  const std::vector<size_t> words = WordsBehind(text.substr(region.end));
  return words.empty() || may_follow(ReadText(region, text, cursor, middle, words[0]));
}

size_t ReadOnBytes(const Region& region, std::string_view text, size_t cursor,
                   std::string_view middle,
                   const std::function<bool(std::string_view left)>& may_follow) {
  if (region.tail_bytes > 0) return 0;  // what follows in the judged text is not what follows here
  const std::vector<size_t> words = WordsBehind(text.substr(region.end));
  const auto farthest = Largest(words.size(), [&](size_t i) {
    return may_follow(ReadText(region, text, cursor, middle, words[i]));
  });
  return farthest ? words[*farthest] : 0;
}

bool FitsFile(const Language& language, const Region& region, std::string_view text, size_t cursor,
              std::string_view middle) {
  if (MovesBrackets(region, text, cursor, middle)) return false;
  tenon::GapOptions accepted;
  accepted.emit = false;
  const auto reads = [&](const std::string& left) {
    return Gap::Open(language, left, "", accepted).viable();
  };
  if (region.begin > 0) {
    const std::string left(text.substr(0, cursor));
    if (!reads(left + std::string(middle)) && reads(left)) return false;
  }
  return region.read_on_bytes == 0 ||
         reads(ReadText(region, text, cursor, middle, region.read_on_bytes));
}

}  // namespace tenon::server
