#include "tenon/document.h"

#include <utility>

#include "constraint/gap/gap.h"
#include "constraint/library/internals.h"

namespace tenon {

Document::Document(const Language& language)
    : language_(language),
      cache_(std::make_unique<constraint::GapCache>(Internals::Of(language))) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

std::optional<Gap> Document::Open(std::string_view left, std::string_view right, GapOptions options,
                                  const std::stop_token& stop) {
  auto opened =
      cache_->Open(left, right, PolicyOf(*Internals::Of(language_), std::move(options)), stop);
  if (!opened) return std::nullopt;
  return Internals::Wrap(*std::move(opened));
}

size_t Document::memory_bytes() const { return cache_->memory_bytes(); }

}  // namespace tenon
