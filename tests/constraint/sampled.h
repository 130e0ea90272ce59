// Exhaustive comparisons, thinned where a sanitizer watches.
//
// The release build compares all cases, for what is answered. AddressSanitizer asks which memory is
// read and written on the way, makes each case ten times as dear, and takes every sixteenth.
// Example: of 64 right contexts `Sampled` keeps four under AddressSanitizer, else all 64.
#pragma once

#include <cstddef>
#include <vector>

namespace tenon::constraint {

#ifdef TENON_ADDRESS_SANITIZER
inline constexpr size_t kEvery = 16;
#else
inline constexpr size_t kEvery = 1;
#endif

// Every kEvery-th case, the first among them.
template <typename T>
std::vector<T> Sampled(std::vector<T> all) {
  size_t kept = 0;
  for (size_t i = 0; i < all.size(); i += kEvery) {
    if (i != kept) all[kept] = std::move(all[i]);
    ++kept;
  }
  all.resize(kept);
  return all;
}

}  // namespace tenon::constraint
