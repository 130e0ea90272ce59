// Writes safetensors files into memory, right ones and wrong ones, for the tests.
//
// Source: https://github.com/huggingface/safetensors (README.md, "Format"). Thread rule: one
// thread.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::model {

// A file of any header and any data.
inline std::vector<std::byte> SafetensorsBytes(std::string_view header, std::string_view data,
                                               uint64_t claimed_header_bytes) {
  std::string file(8, '\0');
  std::memcpy(file.data(), &claimed_header_bytes, 8);
  file.append(header).append(data);
  const auto* begin = reinterpret_cast<const std::byte*>(file.data());
  return {begin, begin + file.size()};
}
inline std::vector<std::byte> SafetensorsBytes(std::string_view header, std::string_view data) {
  return SafetensorsBytes(header, data, header.size());
}

class SafetensorsWriter {
 public:
  // `data` as it lies in the file.
  SafetensorsWriter& Tensor(std::string_view name, std::string_view dtype,
                            const std::vector<uint64_t>& shape, std::string_view data) {
    const size_t begin = data_.size();
    data_.append(data);
    entries_.push_back(
        fmt::format(R"("{}": {{"dtype": "{}", "shape": [{}], "data_offsets": [{}, {}]}})", name,
                    dtype, fmt::join(shape, ", "), begin, data_.size()));
    return *this;
  }
  SafetensorsWriter& Floats(std::string_view name, const std::vector<uint64_t>& shape,
                            const std::vector<float>& floats) {
    return Tensor(name, "F32", shape,
                  {reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float)});
  }
  SafetensorsWriter& Halves(std::string_view name, const std::vector<uint64_t>& shape,
                            const std::vector<uint16_t>& halves, std::string_view dtype = "F16") {
    return Tensor(name, dtype, shape,
                  {reinterpret_cast<const char*>(halves.data()), halves.size() * sizeof(uint16_t)});
  }
  SafetensorsWriter& Metadata(std::string_view key, std::string_view text) {
    entries_.push_back(fmt::format(R"("__metadata__": {{"{}": "{}"}})", key, text));
    return *this;
  }

  std::string Header() const { return fmt::format("{{{}}}", fmt::join(entries_, ", ")); }
  std::vector<std::byte> Bytes() const { return SafetensorsBytes(Header(), data_); }

 private:
  std::vector<std::string> entries_;
  std::string data_;
};

}  // namespace tenon::model
