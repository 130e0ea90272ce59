// Names of encodings, compared by what they are made of.
//
// plain(name): capitals count as small letters, and what is neither a letter nor a digit as one '_' between parts: `Latin-1`, `latin_1` and
// `LATIN--1` are all `latin_1`. Beyond ASCII nothing is a letter.
// Source: normalize_encoding in CPython's Lib/encodings/__init__.py, as documented in The Python Standard Library, "Standard Encodings".
// Where we differ: '.' parts, too. Thread rule: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace tenon::constraint {

std::string PlainCharsetName(std::string_view name);

}  // namespace tenon::constraint
