#include "server/request/rest_of_word.h"

#include <algorithm>

#include "server/request/words.h"

namespace tenon::server {

namespace {

// Is the middle's byte before `at` one of the same word?
bool IsInWord(std::string_view middle, size_t at) { return at > 0 && IsWordByte(middle[at - 1]); }

}  // namespace

size_t RestOfWordBytes(std::string_view right_line) {
  const auto* const end = std::find_if_not(right_line.begin(), right_line.end(), IsWordByte);
  return static_cast<size_t>(end - right_line.begin());
}

size_t FindRestOfWord(std::string_view middle, std::string_view right_line, size_t from) {
  const size_t size = RestOfWordBytes(right_line) + 1;  // with the sign
  if (size == 1 || size > right_line.size()) return std::string_view::npos;
  const std::string_view rest = right_line.substr(0, size);
  size_t at = middle.find(rest, from < size ? 0 : from - size + 1);
  while (at != std::string_view::npos && !IsInWord(middle, at)) at = middle.find(rest, at + 1);
  return at;
}

size_t FindRestOfFirstWord(std::string_view middle, std::string_view right_line, size_t from) {
  const size_t word = RestOfWordBytes(middle);
  if (word == middle.size() || word < from || RestOfWordBytes(right_line) < right_line.size())
    return std::string_view::npos;
  return FindRestOfWordAtEnd(middle.substr(0, word), right_line);
}

size_t FindRestOfWordAtEnd(std::string_view middle, std::string_view right_line) {
  const std::string_view rest = right_line.substr(0, RestOfWordBytes(right_line));
  const bool is_number = rest.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number || !middle.ends_with(rest)) return std::string_view::npos;
  const size_t at = middle.size() - rest.size();
  return IsInWord(middle, at) ? at : std::string_view::npos;
}

bool MayEndRestOfWord(std::string_view piece, std::string_view right_line) {
  const size_t size = RestOfWordBytes(right_line);
  if (size == 0) return false;
  const std::string_view rest = right_line.substr(0, size);
  if (size == right_line.size()) {
    const std::string_view word = piece.substr(0, RestOfWordBytes(piece));
    return word.size() < piece.size() && (word.ends_with(rest) || rest.ends_with(word));
  }
  for (size_t at = piece.find(right_line[size]); at != std::string_view::npos;
       at = piece.find(right_line[size], at + 1)) {
    const std::string_view before = piece.substr(0, at);
    if (before.ends_with(rest) || rest.ends_with(before)) return true;
  }
  return false;
}

}  // namespace tenon::server
