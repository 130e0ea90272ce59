// The rest of a word that a middle writes although it stands right of the cursor already.
//
// Where the cursor stands in a word, a model writes the whole word and seldom stops amid it.
// Example: `log_|me, b`. The model writes `time`, and then `,`. What it means is `ti`, since `me,`
// is the beginning of the right context. A middle repeats the rest of a word in two ways:
//
//   with the sign after it   `time,`   wherever the middle goes on
//   without                  `time`    where the middle ends; else the word may be a longer one
//   before another sign      `OP;`     of `ST|P⏎`, whose word ends the line: in the first word of
//                                      the middle alone
//
// Before the repeated part there must be a letter of the same word: in `f(|name, b)` the middle
// `size, name,` has a word of its own, `name`. At the end of a middle the rest of a number counts
// for nothing, since numbers may have equal digits.
//
// Source: none; docs/measured_completion.md counts how often real code repeats such a rest. Cost:
// linear in the text. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::server {

// The bytes of the word, or of the rest of one, that `right_line` begins with.
[[nodiscard]] size_t RestOfWordBytes(std::string_view right_line);

// Where the first repeated rest of a word with the sign after it begins whose sign lies at
// middle[from] or after it; npos: there is none.
[[nodiscard]] size_t FindRestOfWord(std::string_view middle, std::string_view right_line,
                                    size_t from);

// Where the rest begins that the first word of the middle repeats, where `right_line` is nothing
// else, and a sign or blank follows at middle[from] or after it; npos: it repeats none.
// REQUIRES: the middle goes on in a word.
[[nodiscard]] size_t FindRestOfFirstWord(std::string_view middle, std::string_view right_line,
                                         size_t from);

// Where the repeated rest of a word begins with which a middle ends; npos: it ends with none.
[[nodiscard]] size_t FindRestOfWordAtEnd(std::string_view middle, std::string_view right_line);

// May a piece of these bytes end with a repeated rest of a word and the sign after it, if the right
// pieces stand before it?
[[nodiscard]] bool MayEndRestOfWord(std::string_view piece, std::string_view right_line);

}  // namespace tenon::server
