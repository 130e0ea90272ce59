// Of a middle that was written into the region of a broken file, the part that leaves the file no
// more broken than it was.
//
// The engine proves a middle in its region (server/region/region.h), and says nothing of the file
// around it. There the syntax tree is a second witness: the file with the middle may have no more
// errors than without. Example: above the cursor a string is open, and the tree reads the function
// `f(|)` as its inside. The middle `"a"` would turn inside and outside around, and the tree has
// more errors with it; nothing is offered then.
//
// Nor may a middle leave a bracket open that a stand-in of the region would close, or stop the
// engine earlier after the region than tenon's own text does (server/region/file_around.h).
//
// Tried are the whole middle and its beginnings that end with a line, the longest first.
//
// Cost: a parse of the file for its own errors (server/syntax/added_errors.h), once; one for each
// middle, and one for each of its beginnings that is tried.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "server/region/region.h"
#include "server/syntax/syntax_tree.h"
#include "tenon/gap.h"
#include "tenon/language.h"

namespace tenon::server {

class RegionGuard {
 public:
  // `gap`: that of the region; nothing is accepted yet. REQUIRES: offset_bytes <= text.size();
  // syntax, text, gap and region live longer.
  RegionGuard(Language language, const TSLanguage* syntax, std::string_view text,
              size_t offset_bytes, const Gap& gap, const Region& region)
      : language_(std::move(language)),
        syntax_(syntax),
        text_(text),
        offset_bytes_(offset_bytes),
        gap_(gap),
        region_(region) {}

  // Empty where nothing is left, or where the trees were not read before `stop`.
  [[nodiscard]] std::string PartWithoutNewErrors(std::string_view middle,
                                                 const std::stop_token& stop);
  // Parses of the file so far.
  [[nodiscard]] int parses() const { return parses_; }

 private:
  Language language_;
  const TSLanguage* syntax_;
  std::string_view text_;
  size_t offset_bytes_;
  const Gap& gap_;
  const Region& region_;
  std::optional<size_t> own_errors_;  // of the file as it is; nothing before the first middle
  int parses_ = 0;
};

}  // namespace tenon::server
