// How memory that is free goes back to the system.
//
// glibc keeps freed memory for the next allocation. A daemon computes for hours: it frees the keys
// and values of texts, each of some hundred KB a layer, and makes others of other sizes. Among
// small blocks they leave holes, which nothing fits any more, and the process grows.
//
//   KeepLargeBlocksApart   at the start: a large block has pages of its own, which go back when it
//                          is freed. By itself glibc raises the bound, up to 32 MB, with each such
//                          block that is freed.
//   GiveBackFreeMemory     when nothing is asked: the free pages among small blocks go back
//
// Source: mallopt(3), M_MMAP_THRESHOLD; malloc_trim(3).
// Cost: a system call for each large block; GiveBackFreeMemory takes up to a second of a busy
// machine. Thread rule: KeepLargeBlocksApart before other threads allocate; the other by any
// thread.
#pragma once

#include <cstddef>

namespace tenon::server {

inline constexpr size_t kLargeBlockBytes = size_t{256} << 10;

void KeepLargeBlocksApart();
void GiveBackFreeMemory();

}  // namespace tenon::server
