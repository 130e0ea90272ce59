// Cuts a middle that was proved in the region of a broken file, so that the middle breaks nothing
// else in the file.
//
// The engine proves a middle in its region (server/region/region.h), and knows nothing of the file
// around the region. So four more questions are asked of the file with the middle:
//
//   has its syntax tree more errors than the tree of the file as it is?
//   does the middle leave a bracket open that a stand-in of the region would close?
//   does the engine read the file, from its beginning, less far than without the middle?
//   does it read the text after the region less far than with tenon's own middle?
//   (both server/region/file_around.h)
//
// Example of the first: above the cursor a string is not closed, so the tree reads `f(|)` as the
// inside of a string. With the middle `"a"` inside and outside change places, and the tree has
// more errors. The middle is not offered.
//
// What is left is the longest part without a fault (middle_parts.h).
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
