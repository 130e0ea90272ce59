// A compiled language as bytes, and bytes as a language if they are one.
//
// Grammar, lexer and LR table; all else follows from them at once. Equal languages have equal
// bytes, within one build.
// Cost: docs/measured.md. Thread rule: pure functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "constraint/language/language.h"

namespace tenon::constraint {

[[nodiscard]] std::string BytesOf(const Language& language);
// `path` is used in messages, `key` is the grammar text's. Nothing: these are no language's bytes
// (archive.h), or it is not sound (soundness.h).
[[nodiscard]] std::shared_ptr<const Language> LanguageFrom(std::string_view bytes, std::string path,
                                                           GrammarKey key);

}  // namespace tenon::constraint
