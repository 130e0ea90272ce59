#include "model/file/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "model/file/mapped_file.h"
#include "model/file/tensor_formats.h"
#include "model/json_text.h"

namespace tenon::model {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "numbers are read in place");

constexpr uint64_t kLengthBytes = 8;
// Some 100,000 tensors; the format's own library reads six times as much. In memory JSON takes up
// to twenty times its size.
constexpr uint64_t kMaxHeaderBytes = uint64_t{16} << 20;
// The file, a tensor, its list of numbers.
constexpr int kMaxHeaderDepth = 3;
constexpr size_t kMaxDims = 8;

// Where a message comes from: the file, and the tensor where there is one.
struct Place {
  const std::string& path;
  std::string tensor;

  tl::unexpected<ModelError> Damaged(const std::string& what) const {
    return Error(ModelErrorCode::kFormat, what, "the file is damaged, fetch it again");
  }
  tl::unexpected<ModelError> Error(ModelErrorCode code, const std::string& what,
                                   std::string_view remedy) const {
    const std::string of = tensor.empty() ? "" : fmt::format("tensor {}: ", tensor);
    return tl::unexpected(ModelError{code, fmt::format("{}: {}{}; {}", path, of, what, remedy)});
  }
};

std::optional<TensorType> TypeOf(std::string_view dtype) {
  for (const TensorType type : {TensorType::kF32, TensorType::kF16, TensorType::kBF16})
    if (dtype == LayoutOf(type).name) return type;
  return std::nullopt;
}

// A list of at most `max` whole numbers from zero on. Nothing where the value is something else.
std::optional<std::vector<uint64_t>> Numbers(const json& list, size_t max) {
  if (!list.is_array() || list.size() > max) return std::nullopt;
  std::vector<uint64_t> numbers;
  for (const json& number : list) {
    if (!number.is_number_unsigned()) return std::nullopt;
    numbers.push_back(number.get<uint64_t>());
  }
  return numbers;
}

// The bytes of `shape`, or nothing where they do not fit 64 bits.
std::optional<uint64_t> SizeOf(const std::vector<uint64_t>& shape, TensorType type) {
  uint64_t size = LayoutOf(type).block_bytes;
  for (const uint64_t dim : shape)
    if (__builtin_mul_overflow(size, dim, &size)) return std::nullopt;
  return size;
}

// A tensor and the offset at which its data begins.
struct Entry {
  SafetensorsTensor tensor;
  uint64_t begin = 0;

  uint64_t end() const { return begin + tensor.data.size(); }
};

tl::expected<Entry, ModelError> ReadEntry(const std::string& name, const json& value,
                                          std::span<const std::byte> data,
                                          const std::string& path) {
  const Place place{path, name};
  const json& dtype = Member(value, "dtype");
  if (!dtype.is_string()) return place.Damaged("its dtype in the header is missing");
  const std::optional<TensorType> type = TypeOf(dtype.get_ref<const std::string&>());
  if (!type) {
    return place.Error(ModelErrorCode::kUnsupported,
                       fmt::format("its dtype is {}", dtype.get_ref<const std::string&>()),
                       "tenon reads F32, F16 and BF16: save the tensors in one of these");
  }
  const auto shape = Numbers(Member(value, "shape"), kMaxDims);
  if (!shape)
    return place.Damaged(
        fmt::format("its shape in the header is no list of up to {} sizes", kMaxDims));
  const auto offsets = Numbers(Member(value, "data_offsets"), 2);
  if (!offsets || offsets->size() != 2)
    return place.Damaged("its data_offsets in the header are no two offsets");
  const auto [begin, end] = std::pair((*offsets)[0], (*offsets)[1]);
  if (begin > end || end > data.size()) {
    return place.Damaged(fmt::format("its data is said to be at {} to {}, the file's data has {}",
                                     begin, end, data.size()));
  }
  const std::optional<uint64_t> size = SizeOf(*shape, *type);
  if (!size || *size != end - begin) {
    return place.Damaged(fmt::format("its shape takes {} bytes, its data at {} has {}",
                                     size ? std::to_string(*size) : "more than 2^64", begin,
                                     end - begin));
  }
  return Entry{{name, *type, *shape, data.subspan(begin, end - begin)}, begin};
}

// The header's text.
tl::expected<std::string_view, ModelError> HeaderOf(std::span<const std::byte> bytes,
                                                    const std::string& path) {
  const Place place{path, ""};
  if (bytes.size() < kLengthBytes)
    return place.Damaged(
        fmt::format("at byte 0: {} bytes do not hold the length of a header", bytes.size()));
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - kLengthBytes) {
    return place.Damaged(fmt::format("at byte 0: the header claims {} bytes, {} are left", length,
                                     bytes.size() - kLengthBytes));
  }
  if (length > kMaxHeaderBytes) {
    return place.Error(ModelErrorCode::kUnsupported,
                       fmt::format("at byte 0: a header of {} bytes, and at most {} are read",
                                   length, kMaxHeaderBytes),
                       "take a file of fewer tensors");
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
  if (!text.starts_with('{'))
    return place.Damaged(fmt::format("at byte {}: the header begins with no brace", kLengthBytes));
  return text;
}

tl::expected<std::map<std::string, std::string>, ModelError> ReadMetadata(const json& value,
                                                                          const Place& place) {
  std::map<std::string, std::string> texts;
  if (!value.is_object()) return place.Damaged("__metadata__ in the header is no object");
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string())
      return place.Damaged(fmt::format("{} of __metadata__ in the header is no text", key));
    texts.emplace(key, text.get<std::string>());
  }
  return texts;
}

// Whether the entries, sorted by their data, cover the data without gap or overlap.
tl::expected<void, ModelError> CheckCover(const std::vector<Entry>& entries, uint64_t data_bytes,
                                          const std::string& path) {
  uint64_t end = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != end) {
      return Place{path, entry.tensor.name}.Damaged(
          fmt::format("its data begins at {}, the data before it ends at {}", entry.begin, end));
    }
    end = entry.end();
  }
  if (end != data_bytes) {
    return Place{path, ""}.Damaged(fmt::format(
        "the data of the tensors ends at {}, the file's data has {} bytes", end, data_bytes));
  }
  return {};
}

}  // namespace

uint64_t SafetensorsTensor::elements() const { return data.size() / LayoutOf(type).block_bytes; }

std::vector<float> ToFloats(const SafetensorsTensor& tensor) {
  std::vector<float> floats(tensor.elements());
  FormatOf(tensor.type).write(tensor.data.data(), floats.size(), floats.data());
  return floats;
}

tl::expected<SafetensorsFile, ModelError> SafetensorsFile::Parse(std::span<const std::byte> bytes,
                                                                 std::string name) {
  SafetensorsFile file;
  file.path_ = std::move(name);
  file.bytes_ = bytes;
  const auto text = HeaderOf(bytes, file.path_);
  if (!text) return tl::unexpected(text.error());
  const auto header = ParseJson(*text, {file.path_, kLengthBytes, kMaxHeaderDepth});
  if (!header) return tl::unexpected(header.error());
  const auto data = bytes.subspan(kLengthBytes + text->size());
  std::vector<Entry> entries;
  for (const auto& [key, value] : header->items()) {
    if (key == "__metadata__") {
      auto texts = ReadMetadata(value, {file.path_, ""});
      if (!texts) return tl::unexpected(texts.error());
      file.metadata_ = std::move(*texts);
      continue;
    }
    auto entry = ReadEntry(key, value, data, file.path_);
    if (!entry) return tl::unexpected(entry.error());
    entries.push_back(std::move(*entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end()) < std::pair(b.begin, b.end());
  });
  if (auto covered = CheckCover(entries, data.size(), file.path_); !covered)
    return tl::unexpected(covered.error());
  for (Entry& entry : entries) {
    file.index_.emplace(entry.tensor.name, file.tensors_.size());
    file.tensors_.push_back(std::move(entry.tensor));
  }
  return file;
}

tl::expected<SafetensorsFile, ModelError> SafetensorsFile::Open(const std::string& path) {
  auto mapped = MapFile(path, "name a safetensors file that can be read");
  if (!mapped) return tl::unexpected(mapped.error());
  auto file = Parse(mapped->bytes, path);
  if (file) {
    file->mapping_ = std::move(mapped->mapping);
    file->changed_ns_ = mapped->changed_ns;
  }
  return file;
}

const SafetensorsTensor* SafetensorsFile::Find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace tenon::model
