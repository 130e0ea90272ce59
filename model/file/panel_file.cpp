#include "model/file/panel_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <sys/stat.h>

#include "model/file/mapped_file.h"
#include "model/file/panel_header.h"

namespace tenon::model {
namespace {

// Between two reports on how much was read.
constexpr size_t kHashStepBytes = size_t{16} << 20;
constexpr size_t kMaxPathBytes = 4096;

constexpr const char* kDamaged = "is damaged";

// The header of a file that this program could have written; else why it could not.
tl::expected<PanelHeader, std::string> ReadHeader(std::span<const std::byte> bytes) {
  PanelHeader header;
  const PanelHeader own;
  if (bytes.size() < sizeof header) return tl::unexpected(std::string("is cut short"));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.mark, own.mark, sizeof own.mark) != 0)
    return tl::unexpected(std::string("is no panel file"));
  if (header.version != own.version) {
    return tl::unexpected(
        fmt::format("has format {}, and this program writes {}", header.version, own.version));
  }
  return header;
}

std::string WhyOfAnother(const PanelKey& found, const PanelKey& wanted) {
  if (found.layout != wanted.layout) return "was laid out by another version of the program";
  if (found.model_bytes != wanted.model_bytes ||
      found.model_changed_ns != wanted.model_changed_ns || found.model_print != wanted.model_print)
    return "was made of another file, or of this one before it changed";
  return "";
}

}  // namespace

// Reads the table, forward. After the first failure nothing more is read.
class PanelFile::Reader {
 public:
  explicit Reader(std::span<const std::byte> table) : left_(table) {}

  template <typename Number>
  bool Read(Number& number) {
    if (left_.size() < sizeof number) return Fail();
    std::memcpy(&number, left_.data(), sizeof number);
    left_ = left_.subspan(sizeof number);
    return true;
  }
  bool ReadText(std::string_view& text) {
    uint32_t length = 0;
    if (!Read(length) || left_.size() < length) return Fail();
    text = {reinterpret_cast<const char*>(left_.data()), length};
    left_ = left_.subspan(length);
    return true;
  }
  bool ReadTensor(uint64_t payload_bytes, Tensor& tensor) {
    uint32_t stretches = 0;
    if (!ReadText(tensor.name) || !Read(tensor.format) || !Read(tensor.rows) ||
        !Read(tensor.columns) || !Read(stretches))
      return false;
    constexpr size_t kStretchBytes = 24;
    if (stretches > left_.size() / kStretchBytes) return Fail();
    tensor.stretches.resize(stretches);
    uint64_t end = 0;  // of the rows so far
    for (Stretch& stretch : tensor.stretches) {
      Read(stretch.first);
      Read(stretch.count);
      Read(stretch.offset);
      Read(stretch.bytes);
      const bool right = stretch.first >= end && stretch.count > 0 &&
                         uint64_t{stretch.first} + stretch.count <= tensor.rows &&
                         stretch.offset % kStretchAlignment == 0 &&
                         stretch.offset <= payload_bytes &&
                         stretch.bytes <= payload_bytes - stretch.offset;
      if (!right) return Fail();
      end = uint64_t{stretch.first} + stretch.count;
    }
    return true;
  }
  [[nodiscard]] bool AtEnd() const { return left_.empty(); }

 private:
  bool Fail() {
    left_ = {};
    return false;
  }

  std::span<const std::byte> left_;
};

Hash128 HashOfHead(std::span<const std::byte> head) {
  PanelHeader header;
  std::memcpy(&header, head.data(), sizeof header);
  Hasher hasher;
  hasher.Add(head.subspan(0, kHashedHeaderBytes));
  hasher.Add(head.subspan(sizeof header, header.table_bytes));
  return hasher.Result();
}

tl::expected<PanelFile, std::string> PanelFile::Parse(std::span<const std::byte> bytes,
                                                      const PanelKey& key) {
  const auto refuse = [](std::string why) { return tl::unexpected(std::move(why)); };
  const auto header = ReadHeader(bytes);
  if (!header) return refuse(header.error());
  if (std::string why = WhyOfAnother(header->key(), key); !why.empty())
    return refuse(std::move(why));
  const uint64_t after_header = bytes.size() - sizeof(PanelHeader);
  if (header->table_bytes > after_header || header->payload_offset > bytes.size() ||
      header->payload_bytes > bytes.size() - header->payload_offset)
    return refuse("is cut short");
  if (header->payload_offset % kPayloadAlignment != 0 ||
      header->payload_offset < sizeof(PanelHeader) + header->table_bytes ||
      header->payload_offset + header->payload_bytes != bytes.size() ||
      header->head_hash != HashOfHead(bytes))
    return refuse(kDamaged);
  PanelFile file;
  file.bytes_ = bytes;
  file.payload_ = bytes.subspan(header->payload_offset);
  file.hash_ = header->payload_hash;
  Reader in(bytes.subspan(sizeof(PanelHeader), header->table_bytes));
  if (!in.ReadText(file.model_path_)) return refuse(kDamaged);
  for (uint32_t i = 0; i < header->tensors; ++i) {
    Tensor tensor;
    if (!in.ReadTensor(header->payload_bytes, tensor) ||
        !file.tensor_index_.emplace(tensor.name, file.tensors_.size()).second)
      return refuse(kDamaged);
    file.tensors_.push_back(std::move(tensor));
  }
  if (!in.AtEnd()) return refuse(kDamaged);
  return file;
}

tl::expected<PanelFile, std::string> PanelFile::Open(const std::string& path, const PanelKey& key) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR))
    return tl::unexpected(std::string());
  auto mapped = MapFile(path, "");
  if (!mapped) return tl::unexpected(std::string("cannot be mapped, or is empty"));
  auto file = Parse(mapped->bytes, key);
  if (file) file->mapping_ = std::move(mapped->mapping);
  return file;
}

PanelStretch PanelFile::ViewOf(const Tensor& tensor, const Stretch& stretch) const {
  return {tensor.name,
          tensor.format,
          tensor.rows,
          tensor.columns,
          stretch.first,
          stretch.count,
          payload_.subspan(stretch.offset, stretch.bytes)};
}

std::optional<PanelStretch> PanelFile::Find(std::string_view tensor, uint32_t first,
                                            uint32_t count) const {
  const auto named = tensor_index_.find(tensor);
  if (named == tensor_index_.end()) return std::nullopt;
  const Tensor& of = tensors_[named->second];
  const auto found =
      std::lower_bound(of.stretches.begin(), of.stretches.end(), first,
                       [](const Stretch& stretch, uint32_t row) { return stretch.first < row; });
  if (found == of.stretches.end() || found->first != first || found->count != count)
    return std::nullopt;
  return ViewOf(of, *found);
}

bool PanelFile::HashIsRight(const OnRead& on_read) const {
  Hasher hasher;
  for (size_t at = 0; at < payload_.size(); at += kHashStepBytes) {
    const auto step = payload_.subspan(at, std::min(kHashStepBytes, payload_.size() - at));
    hasher.Add(step);
    if (on_read) on_read(at + step.size(), payload_.size());
  }
  return hasher.Result() == hash_;
}

void PanelFile::ReadAhead() const {
  if (mapping_) ReadAheadOfMapping(payload_);
}

std::optional<std::string> ModelPathIn(const std::string& panel_file) {
  std::array<std::byte, PanelFile::kHeaderBytes> head{};
  std::ifstream in(panel_file, std::ios::binary);
  uint32_t length = 0;
  if (!in.read(reinterpret_cast<char*>(head.data()), head.size()) || !ReadHeader(head) ||
      !in.read(reinterpret_cast<char*>(&length), sizeof length) || length > kMaxPathBytes)
    return std::nullopt;
  std::string path(length, '\0');
  if (!in.read(path.data(), length)) return std::nullopt;
  return path;
}

}  // namespace tenon::model
