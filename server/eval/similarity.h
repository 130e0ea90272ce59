// How alike two texts are: the edit similarity, a number from 0 to 1.
//
// An edit inserts, deletes or replaces one character (server/models/edit_distance.h). Example: one
// edit, a replacement, makes `name` of `game`. The longer text has 4 characters, so the similarity
// is 1 - 1/4 = 0.75.
//
//   similarity(a, b) = 1 - edits(a, b) / max(|a|, |b|)      1 where both are empty
//
// Characters are code points; a byte that is part of none counts as one character.
// Cost: the product of both lengths; memory of the shorter. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tenon::server {

// The characters of UTF-8 text.
[[nodiscard]] std::u32string CharactersOf(std::string_view text);
[[nodiscard]] double EditSimilarity(std::string_view a, std::string_view b);

}  // namespace tenon::server
