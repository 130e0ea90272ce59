#include "constraint/cache/store_archive.h"

#include <utility>

#include "constraint/cache/mask_fields.h"
#include "constraint/cache/soundness.h"

namespace tenon::constraint {

std::string BytesOf(const MaskStore& store) {
  ArchiveWriter archive;
  archive(store);
  return archive.Take();
}

std::shared_ptr<const MaskStore> StoreFrom(std::string_view bytes,
                                           std::shared_ptr<const Language> language,
                                           std::shared_ptr<const TokenVocabulary> vocabulary) {
  auto store = CacheFields<MaskStore>::Empty(std::move(language), std::move(vocabulary));
  ArchiveReader archive(bytes);
  archive(*store);
  if (!archive.Finished() || !IsSound(*store)) return nullptr;
  return store;
}

}  // namespace tenon::constraint
