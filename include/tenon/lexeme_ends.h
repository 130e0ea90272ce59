// Bytes that bring a lexeme in progress nearer to its end, for programs that draw random texts.
//
// Of all bytes that may follow `"ab` in a JSON text, one ends the string. A program that draws
// among all of them writes long strings and little else. So at times it draws among these alone:
//
//   const tenon::LexemeEnds ends(json);
//   ends.Of(gap)  // in `["ab|` it holds `"`; in `[tr|` it holds `u`
//
// Not every one of them keeps the gap viable: Gap::Check says which do.
//
// Cost: made once for a language, a search over its lexer's states; a question, 256 look-ups for
// each reading of the text. Thread rule: immutable, any threads; a question, that of its gap.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tenon/export.h"
#include "tenon/gap.h"
#include "tenon/language.h"

namespace tenon {

namespace constraint {
class LexemeDistances;
}

class TENON_API LexemeEnds {
 public:
  explicit LexemeEnds(const Language& language);
  // Ascending; none between two lexemes. REQUIRES: a gap of the language.
  [[nodiscard]] std::vector<uint8_t> Of(const Gap& gap) const;

 private:
  std::shared_ptr<const constraint::LexemeDistances> distances_;
};

}  // namespace tenon
