// Names of encodings, in one form for comparison.
//
// People write the name of an encoding in many ways: `Latin-1`, `latin_1` and `LATIN--1` name the
// same one. The plain form of all three is `latin_1`: capitals become small letters, and each run
// of characters that are neither letters nor digits becomes one `_` between parts.
//
// Beyond ASCII nothing is a letter.
//
// Source: normalize_encoding in CPython's Lib/encodings/__init__.py, as documented in The Python
// Standard Library, "Standard Encodings". Where we differ: '.' parts a name as well, so `latin.1`
// is `latin_1`.
// Cost: linear. Thread rule: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace tenon::constraint {

std::string PlainCharsetName(std::string_view name);

}  // namespace tenon::constraint
