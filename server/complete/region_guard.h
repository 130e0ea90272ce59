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
// The first is asked of the mended file, too: with the brackets that are missing around the cursor
// (server/region/missing_brackets.h), where with these the file has fewer errors. A middle has to
// pass one of both.
//
// A sign that is added to the line above (missing_sign.h) is no part of the file as it is: a file
// with fewer errors than with the sign counts.
//
// Cost: a parse of the file for its own errors (server/syntax/added_errors.h), once, and one
// without the added sign; one for each middle, and one for each of its beginnings that is tried.
// Where a middle has more errors and a bracket is missing: two for the mended file, once, and one
// more for each of these.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "server/region/missing_brackets.h"
#include "server/region/region.h"
#include "server/request/completer.h"
#include "server/syntax/syntax_tree.h"
#include "tenon/gap.h"
#include "tenon/language.h"

namespace tenon::server {

class RegionGuard {
 public:
  // `gap`: that of the region; nothing is accepted yet. `added`: the text has this sign, and the
  // file lacks it. REQUIRES: offset_bytes <= text.size(); syntax, text, gap and region live longer.
  RegionGuard(Language language, const TSLanguage* syntax, std::string_view text,
              size_t offset_bytes, const Gap& gap, const Region& region,
              std::optional<MissingSign> added = {})
      : language_(std::move(language)),
        syntax_(syntax),
        text_(text),
        offset_bytes_(offset_bytes),
        gap_(gap),
        region_(region),
        added_(std::move(added)) {}

  // Empty where nothing is left, or where the trees were not read before `stop`.
  [[nodiscard]] std::string PartWithoutNewErrors(std::string_view middle,
                                                 const std::stop_token& stop);
  // Parses of the file so far.
  [[nodiscard]] int parses() const { return parses_; }

 private:
  // Of the file as it is.
  [[nodiscard]] std::optional<size_t> OwnErrors(const std::stop_token& stop);
  // The file with the brackets that are missing around the cursor, and with fewer errors for it.
  struct MendedFile {
    MendedText mended;
    size_t errors = 0;
  };
  [[nodiscard]] std::optional<MendedFile> FindMended(const std::stop_token& stop);
  // Does the part add no error to the mended file?
  [[nodiscard]] bool FitsMended(std::string_view part, const std::stop_token& stop);

  Language language_;
  const TSLanguage* syntax_;
  std::string_view text_;
  size_t offset_bytes_;
  const Gap& gap_;
  const Region& region_;
  std::optional<MissingSign> added_;
  std::optional<size_t> own_errors_;  // of the file as it is; nothing before the first middle
  bool looked_for_mended_ = false;
  std::optional<MendedFile> mended_;
  int parses_ = 0;
};

}  // namespace tenon::server
