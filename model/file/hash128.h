// XXH3-128: a hash of 128 bits, quick and not cryptographic: it finds damage and change, and no
// forgery.
//
// Example: Hasher hasher; hasher.AddText("a"); hasher.AddText("b"); HexOf(hasher.Result()) is 32
// hexadecimal digits. They differ from the digits of the single text "ab".
//
// Source: https://github.com/Cyan4973/xxHash. Cost: some 10 GB/s. Thread rule: a Hasher belongs to
// one thread at a time; hashes are values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace tenon::model {

using Hash128 = std::array<uint64_t, 2>;
// 32 hexadecimal digits.
[[nodiscard]] std::string HexOf(const Hash128& hash);

// Hashes bytes that come in pieces. Throws std::bad_alloc.
class Hasher {
 public:
  Hasher();
  void Add(std::span<const std::byte> bytes);
  // A text and its end.
  void AddText(std::string_view text) {
    Add(std::as_bytes(std::span(text)));
    Add(std::as_bytes(std::span("", 1)));
  }
  template <typename Number>
  void AddNumber(const Number& number) {
    Add(std::as_bytes(std::span(&number, 1)));
  }
  // Of all bytes so far.
  [[nodiscard]] Hash128 Result() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace tenon::model
