// Gaps in the regions of one document, while it is edited.
//
// A file that is broken at one keystroke is broken at the next, too. So the last region is tried
// before another one is searched. A region holds as long as the text before and after it is the
// same.
// Example: the user types `foo(` into the function `g`, while `f` lacks a bracket. The region is
// found at the `f` of `foo`; for `fo`, `foo` and `foo(` its gap alone is opened, which costs what
// a keystroke costs in a valid file (tenon/document.h). The rules of regions (region_rules.h) are
// asked anew: the cursor may have moved to the other side of a half-typed line.
//
// Cost: that of Document::Open; of a search (region_finder.h) where the last region does not
// hold; three documents, each of which may keep 32 MB. Thread rule: one thread at a time, together
// with all gaps that it has opened.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>

#include <tree_sitter/api.h>

#include "server/region/region.h"
#include "server/region/region_finder.h"
#include "tenon/document.h"

namespace tenon::server {

struct RegionGap {
  Gap gap;  // viable
  Region region;
  Seam seam = Seam::kClosed;  // at which the gap is open
};

class RegionGaps {
 public:
  RegionGaps(const Language& language, const TSLanguage* syntax)
      : gaps_(language),
        beginnings_(language),
        file_(language),
        finder_(syntax, language.regions()) {}

  // The gap at the cursor in the region around it. Nothing: there is none, or `stop` was
  // requested. Where the closed seam has none, the line seam is tried (tenon/gap.h): in a broken
  // file, too, the text after the cursor may be the rest of a string.
  [[nodiscard]] std::optional<RegionGap> Open(std::string_view text, size_t cursor,
                                              const tenon::GapOptions& options,
                                              const std::stop_token& stop = {});
  // A gap between contexts of a region, viable or not. Nothing: `stop` was requested.
  [[nodiscard]] std::optional<Gap> OpenIn(std::string_view left, std::string_view right,
                                          const tenon::GapOptions& options,
                                          const std::stop_token& stop = {}) {
    return gaps_.Open(left, right, options, stop);
  }

 private:
  struct Remembered {
    RegionProposal proposal;
    size_t head_bytes = 0;  // of the text before the region, and of the heads that its end closes
    size_t head_hash = 0;
    size_t tail_bytes = 0;  // of the text after it
    size_t tail_hash = 0;
  };
  // The region of the last request, where it holds in this text, too.
  [[nodiscard]] std::optional<RegionProposal> Last(std::string_view text, size_t cursor) const;
  [[nodiscard]] std::optional<RegionProposal> Search(std::string_view text, size_t cursor,
                                                     size_t bytes_up_to_error,
                                                     const tenon::GapOptions& options,
                                                     const std::stop_token& stop);
  // May some text follow `left`, given or written? `reader`: that of such texts.
  [[nodiscard]] static bool Reads(Document& reader, std::string_view left,
                                  const std::stop_token& stop);
  void Remember(std::string_view text, size_t cursor, const RegionProposal& proposal);

  // A document keeps what one text and the next have in common, so each kind of texts has its own:
  // regions with their right contexts, beginnings of regions, and the file from its beginning.
  Document gaps_, beginnings_, file_;
  RegionFinder finder_;
  std::optional<Remembered> last_;
};

}  // namespace tenon::server
