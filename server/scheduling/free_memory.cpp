#include "server/scheduling/free_memory.h"

#include <malloc.h>

namespace tenon::server {

void KeepLargeBlocksApart() {
  // The end of the heap goes back in steps: to set one of the two bounds fixes the other, too.
  constexpr int kTrimBytes = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargeBlockBytes));
  mallopt(M_TRIM_THRESHOLD, kTrimBytes);
}

void GiveBackFreeMemory() { malloc_trim(0); }

}  // namespace tenon::server
