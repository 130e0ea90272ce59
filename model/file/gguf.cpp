#include "model/file/gguf.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "model/file/byte_cursor.h"
#include "model/file/gguf_tensor_table.h"
#include "model/file/gguf_values.h"
#include "model/file/mapped_file.h"

namespace tenon::model {
namespace {

constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kMaxAlignment = 1 << 20;
// Of metadata and the table of tensors. The largest vocabularies take 16 MB; in memory the values
// take up to ten times their bytes in the file.
constexpr uint64_t kMaxHeadBytes = uint64_t{128} << 20;

void CheckVersion(ByteCursor& in) {
  const auto magic = in.Read<uint32_t>("the mark of a GGUF file");
  if (in.ok() && magic != std::bit_cast<uint32_t>(std::array<char, 4>{'G', 'G', 'U', 'F'})) {
    in.Fail(0, "this is no GGUF file; give one (its first four bytes are GGUF)",
            ModelErrorCode::kUnsupported);
  }
  const auto version = in.Read<uint32_t>("the version");
  if (in.ok() && version != 2 && version != 3) {
    in.Fail(4,
            fmt::format("GGUF version {}{}; tenon reads versions 2 and 3, little-endian", version,
                        version == 0x02000000 || version == 0x03000000 ? " (big-endian)" : ""),
            ModelErrorCode::kUnsupported);
  }
}

// Fails where metadata and table go on beyond the bytes that are read of them.
void CheckHeadBytes(ByteCursor& in) {
  if (in.offset() <= kMaxHeadBytes) return;
  in.Fail(in.offset(),
          fmt::format("metadata and the table of tensors have more than {} bytes; take a file of "
                      "a smaller vocabulary",
                      kMaxHeadBytes),
          ModelErrorCode::kUnsupported);
}

uint64_t ReadAlignment(ByteCursor& in, const GgufFile& file) {
  const int64_t alignment = file.Integer("general.alignment").value_or(kDefaultAlignment);
  if (alignment < 1 || alignment > static_cast<int64_t>(kMaxAlignment) ||
      !std::has_single_bit(static_cast<uint64_t>(alignment))) {
    in.Fail(in.offset(), fmt::format("general.alignment is {}, no power of two up to {}", alignment,
                                     kMaxAlignment));
    return kDefaultAlignment;
  }
  return static_cast<uint64_t>(alignment);
}

template <typename T>
std::optional<T> Get(const std::map<std::string_view, GgufValue>& values, std::string_view key) {
  const auto found = values.find(key);
  if (found == values.end()) return std::nullopt;
  const T* value = std::get_if<T>(&found->second);
  return value ? std::optional<T>(*value) : std::nullopt;
}

template <typename T>
const T* GetPointer(const std::map<std::string_view, GgufValue>& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

uint64_t GgufTensor::rows() const {
  uint64_t rows = 1;
  for (size_t i = 1; i < dims.size(); ++i) rows *= dims[i];
  return rows;
}

uint64_t GgufTensor::row_bytes() const {
  const TensorLayout layout = LayoutOf(type);
  return columns() / layout.block_elements * layout.block_bytes;
}

tl::expected<GgufFile, ModelError> GgufFile::Parse(std::span<const std::byte> bytes,
                                                   std::string name) {
  GgufFile file;
  file.path_ = std::move(name);
  file.bytes_ = bytes;
  ByteCursor in(bytes, file.path_);
  CheckVersion(in);
  const auto tensor_count = in.Read<uint64_t>("the number of tensors");
  const auto value_count = in.Read<uint64_t>("the number of metadata values");
  for (uint64_t i = 0; i < value_count && in.ok(); ++i) {
    const uint64_t start = in.offset();
    const std::string_view key = in.ReadString("a metadata key");
    GgufValue value = ReadGgufValue(in);
    if (in.ok() && !file.values_.emplace(key, std::move(value)).second) {
      in.Fail(start, fmt::format("metadata {} is there twice", key));
    }
    CheckHeadBytes(in);
  }
  std::vector<GgufTensorEntry> entries;
  for (uint64_t i = 0; i < tensor_count && in.ok(); ++i) {
    entries.push_back(ReadGgufTensorEntry(in));
    CheckHeadBytes(in);
  }
  const uint64_t alignment = ReadAlignment(in, file);
  const uint64_t data_start = (in.offset() + alignment - 1) / alignment * alignment;
  const auto data =
      data_start < bytes.size() ? bytes.subspan(data_start) : std::span<const std::byte>();
  for (GgufTensorEntry& entry : entries) {
    if (!in.ok()) break;
    AttachData(in, entry, data, alignment);
    if (!file.tensor_index_.emplace(entry.tensor.name, file.tensors_.size()).second) {
      in.Fail(entry.entry_offset, fmt::format("tensor {} is there twice", entry.tensor.name));
    }
    file.tensors_.push_back(std::move(entry.tensor));
  }
  if (!in.ok()) return tl::unexpected(in.TakeError());
  return file;
}

tl::expected<GgufFile, ModelError> GgufFile::Open(const std::string& path) {
  auto mapped = MapFile(path,
                        "name a GGUF file that can be read, or run tools/setup, which fetches the "
                        "default model");
  if (!mapped) return tl::unexpected(mapped.error());
  auto file = Parse(mapped->bytes, path);
  if (!file) return file;
  file->mapping_ = std::move(mapped->mapping);
  file->changed_ns_ = mapped->changed_ns;
  return file;
}

GgufFile GgufFile::OfTensors(std::string path, std::shared_ptr<const void> memory,
                             std::vector<GgufTensor> tensors) {
  GgufFile file;
  file.path_ = std::move(path);
  file.mapping_ = std::move(memory);
  file.SetTensors(std::move(tensors));
  return file;
}

GgufFile GgufFile::WithTensors(std::shared_ptr<const void> names,
                               std::vector<GgufTensor> tensors) const {
  GgufFile file = *this;
  file.names_ = std::move(names);
  file.SetTensors(std::move(tensors));
  return file;
}

void GgufFile::SetTensors(std::vector<GgufTensor> tensors) {
  tensors_ = std::move(tensors);
  tensor_index_.clear();
  for (size_t i = 0; i < tensors_.size(); ++i) tensor_index_.emplace(tensors_[i].name, i);
}

uint64_t GgufFile::size_bytes() const {
  if (!bytes_.empty()) return bytes_.size();
  uint64_t bytes = 0;
  for (const GgufTensor& tensor : tensors_) bytes += tensor.data.size();
  return bytes;
}

std::optional<int64_t> GgufFile::Integer(std::string_view key) const {
  return Get<int64_t>(values_, key);
}
std::optional<double> GgufFile::Real(std::string_view key) const {
  return Get<double>(values_, key);
}
std::optional<bool> GgufFile::Bool(std::string_view key) const { return Get<bool>(values_, key); }
std::optional<std::string_view> GgufFile::String(std::string_view key) const {
  return Get<std::string_view>(values_, key);
}
const std::vector<std::string_view>* GgufFile::Strings(std::string_view key) const {
  return GetPointer<std::vector<std::string_view>>(values_, key);
}
const std::vector<int64_t>* GgufFile::Integers(std::string_view key) const {
  return GetPointer<std::vector<int64_t>>(values_, key);
}
const std::vector<double>* GgufFile::Reals(std::string_view key) const {
  return GetPointer<std::vector<double>>(values_, key);
}

void GgufFile::ForgetPages(const GgufTensor& tensor) const {
  if (mapping_) ForgetMappedPages(tensor.data);
}

const GgufTensor* GgufFile::FindTensor(std::string_view name) const {
  const auto found = tensor_index_.find(name);
  return found == tensor_index_.end() ? nullptr : &tensors_[found->second];
}

tl::unexpected<ModelError> Refuse(const GgufFile& file, ModelErrorCode code,
                                  const std::string& what) {
  return tl::unexpected(ModelError{code, fmt::format("{}: {}", file.path(), what)});
}

}  // namespace tenon::model
