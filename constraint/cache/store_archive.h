// A mask store as bytes, and bytes as a mask store if they are one.
//
// Equal stores have equal bytes, within one build. Cost: docs/measured.md. Thread rule: pure
// functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "constraint/mask/mask.h"

namespace tenon::constraint {

[[nodiscard]] std::string BytesOf(const MaskStore& store);
// Nothing: these are no bytes of a store for this language and vocabulary (archive.h), or it is not
// sound (soundness.h).
[[nodiscard]] std::shared_ptr<const MaskStore> StoreFrom(
    std::string_view bytes, std::shared_ptr<const Language> language,
    std::shared_ptr<const TokenVocabulary> vocabulary);

}  // namespace tenon::constraint
