// Writes GGUF files into memory, right ones and wrong ones, for the tests.
//
// Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::model {

class GgufWriter {
 public:
  explicit GgufWriter(uint32_t version = 3) : version_(version) {}

  GgufWriter& Unsigned(std::string_view key, uint32_t value) {
    Key(key, 4);
    Put(values_, value);
    return *this;
  }
  GgufWriter& Real(std::string_view key, float value) {
    Key(key, 6);
    Put(values_, value);
    return *this;
  }
  GgufWriter& Double(std::string_view key, double value) {
    Key(key, 12);
    Put(values_, value);
    return *this;
  }
  GgufWriter& Bool(std::string_view key, bool value) {
    Key(key, 7);
    Put(values_, static_cast<uint8_t>(value));
    return *this;
  }
  GgufWriter& Text(std::string_view key, std::string_view value) {
    Key(key, 8);
    PutText(values_, value);
    return *this;
  }
  GgufWriter& Texts(std::string_view key, const std::vector<std::string>& texts) {
    Key(key, 9);
    Put(values_, uint32_t{8});
    Put(values_, static_cast<uint64_t>(texts.size()));
    for (const std::string& text : texts) PutText(values_, text);
    return *this;
  }
  GgufWriter& Integers(std::string_view key, const std::vector<int32_t>& integers) {
    Key(key, 9);
    Put(values_, uint32_t{5});
    Put(values_, static_cast<uint64_t>(integers.size()));
    for (const int32_t integer : integers) Put(values_, integer);
    return *this;
  }
  // A value whose type and bytes the caller makes up.
  GgufWriter& Raw(std::string_view key, uint32_t type, std::string_view bytes) {
    Key(key, type);
    values_.insert(values_.end(), reinterpret_cast<const std::byte*>(bytes.data()),
                   reinterpret_cast<const std::byte*>(bytes.data()) + bytes.size());
    return *this;
  }
  // dims fastest first; the data is as long as `data`, whatever dims and type say.
  GgufWriter& Tensor(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                     const std::vector<std::byte>& data) {
    PutText(table_, name);
    Put(table_, static_cast<uint32_t>(dims.size()));
    for (const uint64_t dim : dims) Put(table_, dim);
    Put(table_, type);
    data_.resize((data_.size() + 31) / 32 * 32);
    Put(table_, static_cast<uint64_t>(data_.size()));
    data_.insert(data_.end(), data.begin(), data.end());
    ++tensor_count_;
    return *this;
  }
  GgufWriter& Floats(std::string_view name, const std::vector<uint64_t>& dims,
                     const std::vector<float>& floats) {
    std::vector<std::byte> bytes(floats.size() * sizeof(float));
    std::memcpy(bytes.data(), floats.data(), bytes.size());
    return Tensor(name, dims, 0, bytes);
  }

  // Bytes before the tensors' data.
  size_t header_bytes() const { return 24 + values_.size() + table_.size(); }

  std::vector<std::byte> Bytes() const {
    Buffer file;
    Append(file, "GGUF", 4);
    Put(file, version_);
    Put(file, tensor_count_);
    Put(file, value_count_);
    Append(file, values_.data(), values_.size());
    Append(file, table_.data(), table_.size());
    file.resize((file.size() + 31) / 32 * 32);
    Append(file, data_.data(), data_.size());
    return file;
  }

 private:
  using Buffer = std::vector<std::byte>;
  // Not inlined: g++ 12 warns of moves of an end that is empty.
  [[gnu::noinline]] static void Append(Buffer& to, const void* bytes, size_t size) {
    const auto* begin = static_cast<const std::byte*>(bytes);
    to.insert(to.end(), begin, begin + size);
  }
  template <typename T>
  static void Put(Buffer& to, T value) {
    Append(to, &value, sizeof value);
  }
  static void PutText(Buffer& to, std::string_view text) {
    Put(to, static_cast<uint64_t>(text.size()));
    Append(to, text.data(), text.size());
  }
  void Key(std::string_view key, uint32_t type) {
    PutText(values_, key);
    Put(values_, type);
    ++value_count_;
  }

  uint32_t version_;
  uint64_t tensor_count_ = 0;
  uint64_t value_count_ = 0;
  Buffer values_;
  Buffer table_;
  Buffer data_;
};

}  // namespace tenon::model
