// Values to bytes and back: one description of a struct's fields serves both ways.
//
// A struct whose fields are all public needs none: they are taken in their order. A class describes
// itself:
//
//   template <> struct CacheFields<Thing> {
//     template <typename Archive, typename Value> static void Of(Archive& archive, Value& thing) {
//       auto& [name, sizes] = thing;  // does not compile when a field is added and forgotten here
//       archive(name, sizes);
//     }
//   };
//
// For an enum: `static constexpr Enum kLast`, its last enumerator.
// A class with private fields lets it in by `template <typename> friend struct CacheFields;`.
// Layout: numbers as the machine has them, without alignment; a count of 4 bytes before the
// elements of a vector or string; elements that are *flat* (numbers, ids, arrays and structs of
// them without gaps) are copied as a whole. Not portable, and need not be: a cache belongs to one
// build on one machine (cache_file.h). A reader trusts nothing: past the end, with an unknown
// enumerator or a bool that is neither 0 nor 1 it fails, and values are empty from then on. What it
// allocates is bounded by a small multiple of the bytes given. What indices mean is not its
// business (soundness.h).
// Cost: flat vectors at the speed of memory, else some nanoseconds an element. Thread rule: one
// thread.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/pfr.hpp>

namespace tenon::constraint {

template <typename T>
struct CacheFields {
  static_assert(std::is_aggregate_v<T>, "a class says itself what it consists of");
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& value) {
    boost::pfr::for_each_field(value, [&archive](auto& field) { archive(field); });
  }
};

// An id: a struct of one unsigned number called value.
template <typename T>
concept IsCachedId = std::is_aggregate_v<T> && requires(T t) {
  requires std::unsigned_integral<decltype(t.value)>;
  requires sizeof(T) == sizeof(t.value);
};

// May it be copied byte by byte, in and out? Specialise for structs of numbers and ids without
// gaps.
template <typename T>
inline constexpr bool kFlat = (std::integral<T> && !std::same_as<T, bool>) || IsCachedId<T>;
template <typename T, size_t N>
inline constexpr bool kFlat<std::array<T, N>> = kFlat<T>;
template <>
inline constexpr bool kFlat<std::bitset<256>> = std::is_trivially_copyable_v<std::bitset<256>>;

class ArchiveWriter {
 public:
  template <typename... Fields>
  void operator()(const Fields&... fields) {
    (Put(fields), ...);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  void PutBytes(const void* from, size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
  }
  void PutCount(size_t count) {
    const uint32_t short_count = static_cast<uint32_t>(count);
    PutBytes(&short_count, sizeof short_count);
  }

  template <typename T>
  void Put(const T& value) {
    if constexpr (kFlat<T>)
      PutBytes(&value, sizeof value);
    else if constexpr (std::is_enum_v<T>)
      Put(static_cast<std::underlying_type_t<T>>(value));
    else
      CacheFields<T>::Of(*this, value);
  }
  void Put(bool value) { Put(static_cast<uint8_t>(value)); }
  void Put(const std::string& text) {
    PutCount(text.size());
    PutBytes(text.data(), text.size());
  }
  template <typename T>
  void Put(const std::optional<T>& value) {
    Put(value.has_value());
    if (value) Put(*value);
  }
  template <typename A, typename B>
  void Put(const std::pair<A, B>& value) {
    Put(value.first);
    Put(value.second);
  }
  template <typename T, size_t N>
  requires(!kFlat<T>) void Put(const std::array<T, N>& values) {
    for (const T& value : values) Put(value);
  }
  template <typename T>
  void Put(const std::vector<T>& values) {
    PutCount(values.size());
    if constexpr (kFlat<T>) {
      PutBytes(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) Put(value);
    }
  }
  void Put(const std::vector<bool>& values) {
    PutCount(values.size());
    for (const bool value : values) Put(value);
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

  template <typename... Fields>
  void operator()(Fields&... fields) {
    (Get(fields), ...);
  }
  // Everything was there, and nothing else.
  [[nodiscard]] bool Finished() const { return !failed_ && rest_.empty(); }

 private:
  void Fail() {
    failed_ = true;
    rest_ = {};
  }
  void GetBytes(void* to, size_t size) {
    if (size > rest_.size()) {
      Fail();
      std::memset(to, 0, size);
    } else if (size > 0) {
      std::memcpy(to, rest_.data(), size);
      rest_.remove_prefix(size);
    }
  }
  // Of elements that take at least so many bytes.
  size_t GetCount(size_t element_bytes) {
    uint32_t count = 0;
    GetBytes(&count, sizeof count);
    if (count <= rest_.size() / element_bytes) return count;
    Fail();
    return 0;
  }

  template <typename T>
  void Get(T& value) {
    if constexpr (kFlat<T>) {
      GetBytes(&value, sizeof value);
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      Get(number);
      if (number > static_cast<std::underlying_type_t<T>>(CacheFields<T>::kLast)) {
        Fail();
        number = {};
      }
      value = static_cast<T>(number);
    } else {
      CacheFields<T>::Of(*this, value);
    }
  }
  void Get(bool& value) {
    uint8_t byte = 0;
    Get(byte);
    if (byte > 1) Fail();
    value = byte == 1;
  }
  void Get(std::string& text) {
    const size_t size = GetCount(1);
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  template <typename T>
  void Get(std::optional<T>& value) {
    bool some = false;
    Get(some);
    value.reset();
    if (some) Get(value.emplace());
  }
  template <typename A, typename B>
  void Get(std::pair<A, B>& value) {
    Get(value.first);
    Get(value.second);
  }
  template <typename T, size_t N>
  requires(!kFlat<T>) void Get(std::array<T, N>& values) {
    for (T& value : values) Get(value);
  }
  template <typename T>
  void Get(std::vector<T>& values) {
    if constexpr (kFlat<T>) {
      values.resize(GetCount(sizeof(T)));
      GetBytes(values.data(), values.size() * sizeof(T));
    } else {
      // Elements may be larger than their bytes: only what has been read is allocated.
      const size_t count = GetCount(1);
      values.clear();
      values.reserve(std::min<size_t>(count, rest_.size() / sizeof(T) + 1));
      for (size_t i = 0; i < count && !failed_; ++i) Get(values.emplace_back());
    }
  }
  void Get(std::vector<bool>& values) {
    const size_t count = GetCount(1);
    values.assign(count, false);
    for (size_t i = 0; i < count; ++i) {
      bool value = false;
      Get(value);
      values[i] = value;
    }
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace tenon::constraint
