#include "constraint/base/hash.h"

#include <xxhash.h>

namespace tenon::constraint {

uint64_t HashOfBytes(const void* bytes, size_t size) { return XXH3_64bits(bytes, size); }

}  // namespace tenon::constraint
