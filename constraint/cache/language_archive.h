// A compiled language as bytes, and bytes as a language if they are one.
//
// Example: the bytes of JSON's language are read back in a fraction of the time of compiling it. A
// flipped bit in them gives no language.
//
// The bytes hold grammar, lexer, LR table and insertions; everything else follows from them at
// once. Equal languages have equal bytes, within one build.
//
// Source: docs/design/cache.md. Cost: docs/measured.md. Thread rule: pure functions.
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
