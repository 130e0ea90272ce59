// Of a middle that was written into the region of a broken file, the part that leaves the file no
// more broken than it was.
//
// The engine proves a middle in its region (server/region/region.h), and says nothing of the file
// around it. There the syntax tree is a second witness: the file with the middle may have no more
// errors than without. Example: above the cursor a string is open, and the tree reads the function
// `f(|)` as its inside. The middle `"a"` would turn inside and outside around, and the tree has
// more errors with it; nothing is offered then.
//
// Tried are the whole middle and its beginnings that end with a line, the longest first.
//
// Cost: a parse of the file (server/syntax/added_errors.h), and one for each beginning.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/syntax/syntax_tree.h"
#include "tenon/gap.h"

namespace tenon::server {

// Empty where nothing is left, or where the trees were not read before `stop`. `gap`: nothing is
// accepted yet. REQUIRES: offset_bytes <= text.size().
[[nodiscard]] std::string PartWithoutNewErrors(const TSLanguage* syntax, std::string_view text,
                                               size_t offset_bytes, const Gap& gap,
                                               std::string_view middle,
                                               const std::stop_token& stop);

}  // namespace tenon::server
