// Hashes of a few numbers and of arrays, for tables that find equal things.
//
// Example: a parser stack is told by the node below its top and by its state, so its table looks it
// up by HashOf(below.value, state.value). A list of token ids is told by all of them:
// HashOf(std::span(ids)).
//
// A hash is no identity: different things may have the same one, and a table compares them. The
// keys of cache files, 128 bits of XXH3, are taken for one all the same.
//
// Source: of the constant, Knuth, The Art of Computer Programming, section 6.4 (multiplicative
// hashing by the golden ratio); of arrays, XXH3, https://xxhash.com.
// Cost: a multiplication a number; an array, some ten bytes a nanosecond. Thread rule: pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace tenon::constraint {

// The hash of some numbers and one more.
constexpr uint64_t HashWith(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

// Of these numbers in this order. Their products do not wait for one another.
template <typename... Numbers>
requires(std::is_integral_v<Numbers>&&...) constexpr uint64_t HashOf(Numbers... numbers) {
  uint64_t hash = 0, factor = 0x9e3779b97f4a7c15u;
  ((hash += static_cast<uint64_t>(numbers) * factor, factor = factor * 5 + 2), ...);
  return hash ^ hash >> 29;
}

uint64_t HashOfBytes(const void* bytes, size_t size);

// Of an array; its elements have no padding.
template <typename Element, size_t kExtent>
uint64_t HashOf(std::span<Element, kExtent> array) {
  static_assert(std::has_unique_object_representations_v<std::remove_const_t<Element>>);
  return HashOfBytes(array.data(), array.size_bytes());
}

// The hash of tables whose keys are numbers of 64 bits made of several fields.
struct KeyHash {
  size_t operator()(uint64_t key) const { return HashWith(key >> 32, key); }
};

}  // namespace tenon::constraint
