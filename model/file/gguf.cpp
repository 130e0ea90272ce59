#include "model/file/gguf.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "model/file/block_formats.h"
#include "model/file/mapped_file.h"

namespace tenon::model {
namespace {

static_assert(std::endian::native == std::endian::little, "GGUF is read in place, little-endian");

constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kMaxAlignment = 1 << 20;
constexpr uint32_t kMaxDims = 4;

// The types of metadata values, as the file numbers them.
enum class Wire : uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kArray,
  kU64,
  kI64,
  kF64
};
constexpr uint32_t kWireCount = 13;

// The bytes of one value; of a text or an array the fewest that it can have.
uint64_t WireBytes(Wire wire) {
  constexpr uint64_t kBytes[kWireCount] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};
  return kBytes[static_cast<uint32_t>(wire)];
}

// The names of all tensor types that GGUF files use: a refusal names the type.
std::string TypeName(uint32_t type) {
  static constexpr const char* kNames[] = {
      "F32",   "F16",        "Q4_0",       "Q4_1",       "Q4_2",     "Q4_3",     "Q5_0",
      "Q5_1",  "Q8_0",       "Q8_1",       "Q2_K",       "Q3_K",     "Q4_K",     "Q5_K",
      "Q6_K",  "Q8_K",       "IQ2_XXS",    "IQ2_XS",     "IQ3_XXS",  "IQ1_S",    "IQ4_NL",
      "IQ3_S", "IQ2_S",      "IQ4_XS",     "I8",         "I16",      "I32",      "I64",
      "F64",   "IQ1_M",      "BF16",       "Q4_0_4_4",   "Q4_0_4_8", "Q4_0_8_8", "TQ1_0",
      "TQ2_0", "IQ4_NL_4_4", "IQ4_NL_4_8", "IQ4_NL_8_8", "MXFP4"};
  return type < std::size(kNames) ? kNames[type] : fmt::format("number {}", type);
}

// The types that tenon reads, for a sentence.
std::string NamesOfTypes() {
  std::string names;
  for (const BlockFormat& format : BlockFormats()) {
    if (!names.empty()) names += ", ";
    names += format.layout.name;
  }
  return names;
}

// Reads forward through the bytes. After the first failure every read returns zero.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  uint64_t offset() const { return offset_; }
  uint64_t left() const { return bytes_.size() - offset_; }
  bool ok() const { return !error_; }
  ModelError TakeError() { return std::move(*error_); }

  void Fail(uint64_t offset, const std::string& what,
            ModelErrorCode code = ModelErrorCode::kFormat) {
    if (!error_) {
      const char* remedy =
          code == ModelErrorCode::kUnsupported ? "" : "; the file is damaged, fetch it again";
      error_ = ModelError{code, fmt::format("{}: at byte {}: {}{}", path_, offset, what, remedy)};
    }
  }

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

int64_t ReadInteger(Cursor& in, Wire wire) {
  switch (wire) {
    case Wire::kU8:
      return in.Read<uint8_t>("a value");
    case Wire::kI8:
      return in.Read<int8_t>("a value");
    case Wire::kU16:
      return in.Read<uint16_t>("a value");
    case Wire::kI16:
      return in.Read<int16_t>("a value");
    case Wire::kU32:
      return in.Read<uint32_t>("a value");
    case Wire::kI32:
      return in.Read<int32_t>("a value");
    case Wire::kBool:
      return in.Read<uint8_t>("a value") != 0;
    case Wire::kI64:
      return in.Read<int64_t>("a value");
    default:
      break;
  }
  const uint64_t start = in.offset();
  const auto value = in.Read<uint64_t>("a value");
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    in.Fail(start, fmt::format("the number {} is too large", value));
    return 0;
  }
  return static_cast<int64_t>(value);
}

double ReadReal(Cursor& in, Wire wire) {
  return wire == Wire::kF32 ? static_cast<double>(in.Read<float>("a value"))
                            : in.Read<double>("a value");
}

std::optional<Wire> ReadWire(Cursor& in) {
  const uint64_t start = in.offset();
  const auto number = in.Read<uint32_t>("a value's type");
  if (number >= kWireCount) {
    in.Fail(start, fmt::format("{} is no type of a metadata value", number));
    return std::nullopt;
  }
  return in.ok() ? std::optional(static_cast<Wire>(number)) : std::nullopt;
}

GgufValue ReadArray(Cursor& in) {
  const uint64_t start = in.offset();
  const std::optional<Wire> wire = ReadWire(in);
  const auto count = in.Read<uint64_t>("an array's length");
  if (!wire || !in.ok()) return int64_t{0};
  if (*wire == Wire::kArray) {
    in.Fail(start, "an array of arrays, which tenon does not read", ModelErrorCode::kUnsupported);
    return int64_t{0};
  }
  if (count > in.left() / WireBytes(*wire)) {
    in.Fail(start, fmt::format("an array claims {} elements, {} bytes are left", count, in.left()));
    return int64_t{0};
  }
  if (*wire == Wire::kString) {
    std::vector<std::string_view> strings;
    strings.reserve(count);
    for (uint64_t i = 0; i < count && in.ok(); ++i)
      strings.push_back(in.ReadString("a string of an array"));
    return strings;
  }
  if (*wire == Wire::kF32 || *wire == Wire::kF64) {
    std::vector<double> reals(count);
    for (double& real : reals) real = ReadReal(in, *wire);
    return reals;
  }
  std::vector<int64_t> integers(count);
  for (int64_t& integer : integers) integer = ReadInteger(in, *wire);
  return integers;
}

GgufValue ReadValue(Cursor& in) {
  const std::optional<Wire> wire = ReadWire(in);
  if (!wire) return int64_t{0};
  switch (*wire) {
    case Wire::kString:
      return in.ReadString("a string");
    case Wire::kArray:
      return ReadArray(in);
    case Wire::kF32:
    case Wire::kF64:
      return ReadReal(in, *wire);
    case Wire::kBool:
      return ReadInteger(in, *wire) != 0;
    default:
      return ReadInteger(in, *wire);
  }
}

// An entry of the tensor table. The data starts where the table ends, so it is attached later.
struct TensorEntry {
  GgufTensor tensor;
  uint64_t entry_offset = 0;
  uint64_t data_offset = 0;
};

void ReadDims(Cursor& in, TensorEntry& entry) {
  const uint64_t start = in.offset();
  const auto count = in.Read<uint32_t>("a tensor's number of dimensions");
  if (in.ok() && (count == 0 || count > kMaxDims)) {
    in.Fail(start, fmt::format("tensor {} has {} dimensions, 1 to {} are possible",
                               entry.tensor.name, count, kMaxDims));
  }
  uint64_t elements = 1;
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    const auto dim = in.Read<uint64_t>("a tensor's dimensions");
    if (in.ok() &&
        (dim == 0 || __builtin_mul_overflow(elements, dim, &elements) || elements >> 60 != 0)) {
      in.Fail(start, fmt::format("tensor {} has an impossible size", entry.tensor.name));
    }
    entry.tensor.dims.push_back(dim);
  }
}

TensorEntry ReadTensorEntry(Cursor& in) {
  TensorEntry entry;
  entry.entry_offset = in.offset();
  entry.tensor.name = in.ReadString("a tensor's name");
  ReadDims(in, entry);
  const uint64_t type_offset = in.offset();
  const auto type = in.Read<uint32_t>("a tensor's type");
  entry.data_offset = in.Read<uint64_t>("a tensor's offset");
  if (!in.ok()) return entry;
  const std::optional<TensorType> known = TensorTypeOf(type);
  if (!known) {
    in.Fail(
        type_offset,
        fmt::format(
            "tensor {} has type {}; tenon reads {}: take a file in one of these, or make one with "
            "llama.cpp's `llama-quantize --allow-requantize FILE OUT Q8_0`",
            entry.tensor.name, TypeName(type), NamesOfTypes()),
        ModelErrorCode::kUnsupported);
    return entry;
  }
  entry.tensor.type = *known;
  const TensorLayout layout = LayoutOf(*known);
  if (entry.tensor.columns() % layout.block_elements != 0) {
    in.Fail(
        entry.entry_offset,
        fmt::format("tensor {}: rows of {} do not divide into blocks of {} {}", entry.tensor.name,
                    entry.tensor.columns(), layout.block_elements, layout.name));
  }
  return entry;
}

void AttachData(Cursor& in, TensorEntry& entry, std::span<const std::byte> data,
                uint64_t alignment) {
  GgufTensor& tensor = entry.tensor;
  // Elements are below 2^60 and no block takes more than 4 bytes an element, so this does not
  // overflow.
  const uint64_t size = tensor.rows() * tensor.row_bytes();
  if (entry.data_offset % alignment != 0) {
    in.Fail(entry.entry_offset, fmt::format("tensor {} begins at {}, no multiple of {}",
                                            tensor.name, entry.data_offset, alignment));
  } else if (entry.data_offset > data.size() || size > data.size() - entry.data_offset) {
    in.Fail(entry.entry_offset,
            fmt::format("tensor {} needs {} bytes from {} on, the file's data has {}", tensor.name,
                        size, entry.data_offset, data.size()));
  } else {
    tensor.data = data.subspan(entry.data_offset, size);
  }
}

void CheckVersion(Cursor& in) {
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

uint64_t ReadAlignment(Cursor& in, const GgufFile& file) {
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
  Cursor in(bytes, file.path_);
  CheckVersion(in);
  const auto tensor_count = in.Read<uint64_t>("the number of tensors");
  const auto value_count = in.Read<uint64_t>("the number of metadata values");
  for (uint64_t i = 0; i < value_count && in.ok(); ++i) {
    const uint64_t start = in.offset();
    const std::string_view key = in.ReadString("a metadata key");
    GgufValue value = ReadValue(in);
    if (in.ok() && !file.values_.emplace(key, std::move(value)).second) {
      in.Fail(start, fmt::format("metadata {} is there twice", key));
    }
  }
  std::vector<TensorEntry> entries;
  for (uint64_t i = 0; i < tensor_count && in.ok(); ++i) entries.push_back(ReadTensorEntry(in));
  const uint64_t alignment = ReadAlignment(in, file);
  const uint64_t data_start = (in.offset() + alignment - 1) / alignment * alignment;
  const auto data =
      data_start < bytes.size() ? bytes.subspan(data_start) : std::span<const std::byte>();
  for (TensorEntry& entry : entries) {
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
