// The shipped grammars, compiled once for a test binary.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "constraint/language/language.h"
#include "constraint/reading/reading.h"

namespace tenon::grammars {

// `file`: a name in grammars/, as "python.lark". Fails the test and ends the binary where the
// grammar does not compile.
const constraint::Language& ShippedLanguage(const std::string& file);

inline bool Accepts(const constraint::Language& language, std::string_view text) {
  return constraint::Check(language, text, constraint::Strength::kAccept).valid;
}
inline bool Emits(const constraint::Language& language, std::string_view text) {
  return constraint::Check(language, text, constraint::Strength::kEmit).valid;
}

// Does `middle`, written byte by byte, close the gap, and leave the right context in its contexts?
bool Closes(const constraint::Language& language, std::string_view left, std::string_view middle,
            std::string_view right);

}  // namespace tenon::grammars
