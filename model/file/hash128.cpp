#include "model/file/hash128.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace tenon::model {

std::string HexOf(const Hash128& hash) { return fmt::format("{:016x}{:016x}", hash[1], hash[0]); }

void Hasher::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

Hasher::Hasher() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void Hasher::Add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

Hash128 Hasher::Result() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
  return {hash.low64, hash.high64};
}

}  // namespace tenon::model
