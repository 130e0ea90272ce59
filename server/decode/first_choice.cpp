#include "server/decode/first_choice.h"

#include <string>

#include "server/request/blocks.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// A line of a block may go on with these once it has ended: `})` and `);`.
constexpr std::string_view kClosersAndSigns = ")]};,.<";

// Is the middle at the end of a line of a block of its own, where a statement may end?
bool EndsBlockLine(const std::string& middle) {
  const bool in_code = !middle.empty() && !IsWordByte(middle.back()) && MayEndStatement(middle);
  return in_code && !IsBlank(middle.substr(LineBeginAt(middle, middle.size()))) &&
         !OpenBlocks(middle).empty();
}

}  // namespace

void FirstChoice::SetRefused(const WrittenMiddle& middle, std::string_view bytes, bool lacks_room) {
  word_ended_ = middle.EndsInWord() && !middle.GoesOnInWord(bytes);
  line_ended_ = middle.goal() == Goal::kJoin && bytes.empty() &&
                (middle.EndsLineWithColon() || EndsBlockLine(middle.text()));
  lacks_room_ = lacks_room;
}

bool FirstChoice::Refuses(const WrittenMiddle& middle, std::string_view bytes) const {
  if (word_ended_ && !bytes.empty() && IsWordByte(bytes.front())) return true;
  if (!line_ended_) return false;
  const size_t first = bytes.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return true;
  if (bytes[first] == '\n' || bytes[first] == '\r') return false;
  return middle.EndsLineWithColon() ||
         kClosersAndSigns.find(bytes[first]) == std::string_view::npos;
}

}  // namespace tenon::server
