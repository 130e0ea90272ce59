// The gaps of one document while it is edited: text that an edit leaves as it was is not read
// again.
//
// A program that completes code opens a gap after each keystroke, and from one to the next a few
// bytes differ:
//
//   tenon::Document document(python);
//   document.Open("x = f(", ")\n");   // x = f(|)    both contexts are read
//   document.Open("x = f(a", ")\n");  // x = f(a|)   one more byte of the left context is read
//
// It also keeps its knowledge of the right context, so the second gap's checks are quicker too.
// Gaps that are still held do not change; the document then builds anew the parts that they use.
//
// Cost: opening anew some hundred microseconds in a file of a thousand lines; memory is bounded by
// some 32 MB of nodes, above which everything is dropped before the next gap opens.
// Thread rule: one thread at a time, together with all gaps that it has opened.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "tenon/export.h"
#include "tenon/gap.h"
#include "tenon/language.h"

namespace tenon {

namespace constraint {
class GapCache;
}

class TENON_API Document {
 public:
  explicit Document(const Language& language);
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  // As Gap::Open. Nothing: `stop` was requested meanwhile.
  [[nodiscard]] std::optional<Gap> Open(std::string_view left, std::string_view right,
                                        GapOptions options = {},
                                        const std::stop_token& stop = std::stop_token());
  const Language& language() const { return language_; }
  // Of all that is kept.
  [[nodiscard]] size_t memory_bytes() const;

 private:
  Language language_;
  std::unique_ptr<constraint::GapCache> cache_;
};

}  // namespace tenon
