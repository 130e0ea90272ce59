// Reads numbers and texts from bytes that are not trusted, one after another. The first failure is
// kept, with the byte at which it was found; after it every read returns zero or an empty text.
// So a caller reads a whole entry and looks at ok() once.
//
// Example: of the bytes `02 00 00 00`, Read<uint32_t>("the version") is 2, offset() is 4, and the
// next Read<uint8_t>("a flag") fails: "m.gguf: at byte 4: the file ends within a flag; the file is
// damaged, fetch it again".
//
// A text is its length (u64) and its bytes, as in GGUF files. Numbers are little-endian.
// Source: ours. Inside the room only. Cost: a copy of each number; a text is a view of the bytes.
// Thread rule: one thread at a time. REQUIRES: bytes and path outlive the cursor.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "model/model_error.h"

namespace tenon::model {

static_assert(std::endian::native == std::endian::little, "numbers are read in place");

class ByteCursor {
 public:
  ByteCursor(std::span<const std::byte> bytes, const std::string& path)
      : bytes_(bytes), path_(path) {}

  uint64_t offset() const { return offset_; }
  uint64_t left() const { return bytes_.size() - offset_; }
  bool ok() const { return !error_; }
  // REQUIRES: !ok().
  ModelError TakeError() { return std::move(*error_); }

  // Keeps this failure, unless there is one already.
  void Fail(uint64_t offset, const std::string& what,
            ModelErrorCode code = ModelErrorCode::kFormat) {
    if (!error_) {
      const char* remedy =
          code == ModelErrorCode::kUnsupported ? "" : "; the file is damaged, fetch it again";
      error_ = ModelError{code, fmt::format("{}: at byte {}: {}{}", path_, offset, what, remedy)};
    }
  }

  // `what` names the number in the failure: "the version".
  template <typename T>
  T Read(const char* what) {
    T value{};
    if (error_) return value;
    if (left() < sizeof(T)) {
      Fail(offset_, fmt::format("the file ends within {}", what));
      return value;
    }
    std::memcpy(&value, bytes_.data() + offset_, sizeof(T));
    offset_ += sizeof(T);
    return value;
  }

  std::string_view ReadString(const char* what) {
    const uint64_t start = offset_;
    const auto length = Read<uint64_t>(what);
    if (error_) return {};
    if (length > left()) {
      Fail(start, fmt::format("{} claims {} bytes, {} are left", what, length, left()));
      return {};
    }
    std::string_view text(reinterpret_cast<const char*>(bytes_.data() + offset_), length);
    offset_ += length;
    return text;
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string& path_;
  uint64_t offset_ = 0;
  std::optional<ModelError> error_;
};

}  // namespace tenon::model
