#include "model/file/panel_writer.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "model/file/hash128.h"
#include "model/file/panel_header.h"

namespace tenon::model {
namespace {

using Code = PanelWriteFault::Code;

// So many bytes are written at once; a file system with large pages makes some of them.
constexpr size_t kBlockBytes = 4 * PanelFile::kPayloadAlignment;
// Of the disk, which stays free.
constexpr uint64_t kReserveBytes = uint64_t{256} << 20;

size_t RoundUp(size_t bytes, size_t grain) { return (bytes + grain - 1) / grain * grain; }

// NAME.new, open and locked; gone at the end unless it was renamed.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) {}
  ~Unfinished() {
    if (number_ < 0) return;
    if (mine_) unlink(path_.c_str());
    close(number_);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  // 0, or the number of the error; EWOULDBLOCK: another process has it.
  int Open() {
    number_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (number_ < 0) return errno;
    if (flock(number_, LOCK_EX | LOCK_NB) != 0) return errno;
    // Its last owner may have renamed or removed it between the opening and the lock.
    struct stat opened {
    }, named{};
    if (fstat(number_, &opened) != 0 || stat(path_.c_str(), &named) != 0 ||
        opened.st_ino != named.st_ino || opened.st_dev != named.st_dev)
      return EWOULDBLOCK;
    mine_ = true;
    return ftruncate(number_, 0) == 0 ? 0 : errno;
  }
  // The same for the rest.
  int Reserve(uint64_t bytes) {
    if (fallocate(number_, 0, 0, static_cast<off_t>(bytes)) == 0) return 0;
    return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : errno;
  }
  int Write(std::span<const std::byte> bytes, uint64_t offset) {
    while (!bytes.empty()) {
      const ssize_t written =
          pwrite(number_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return written < 0 ? errno : EIO;
      bytes = bytes.subspan(static_cast<size_t>(written));
      offset += static_cast<uint64_t>(written);
    }
    return 0;
  }
  int RenameTo(const std::string& path) {
    if (fsync(number_) != 0 || rename(path_.c_str(), path.c_str()) != 0) return errno;
    mine_ = false;
    return 0;
  }

 private:
  std::string path_;
  int number_ = -1;
  bool mine_ = false;
};

// The table, and the bytes of the payload.
struct PanelTable {
  std::vector<std::byte> bytes;
  uint32_t tensors = 0;
  uint64_t payload_bytes = 0;

  void PutBytes(const void* from, size_t count) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), begin, begin + count);
  }
  template <typename Number>
  void Put(Number number) {
    PutBytes(&number, sizeof number);
  }
  void PutText(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    PutBytes(text.data(), text.size());
  }
};

PanelTable PanelTableOf(const std::string& model_path, std::span<const PanelStretch> stretches) {
  struct Placed {
    const PanelStretch* stretch;
    uint64_t offset;
  };
  std::map<std::string_view, std::vector<Placed>> by_tensor;
  PanelTable table;
  for (const PanelStretch& stretch : stretches) {
    assert(stretch.data.size() % PanelFile::kStretchAlignment == 0 && "a stretch is of panels");
    by_tensor[stretch.tensor].push_back({&stretch, table.payload_bytes});
    table.payload_bytes += stretch.data.size();
  }
  table.tensors = static_cast<uint32_t>(by_tensor.size());
  table.PutText(model_path);
  for (const auto& [name, placed] : by_tensor) {
    const PanelStretch& first = *placed.front().stretch;
    table.PutText(name);
    table.Put(first.format);
    table.Put(first.rows);
    table.Put(first.columns);
    table.Put(static_cast<uint32_t>(placed.size()));
    for (const auto& [stretch, offset] : placed) {
      table.Put(stretch->first);
      table.Put(stretch->count);
      table.Put(offset);
      table.Put(uint64_t{stretch->data.size()});
    }
  }
  return table;
}

// Writes the payload from `offset` on, in blocks. The hash, or the number of an error.
tl::expected<Hash128, int> WritePayload(Unfinished& file, uint64_t offset,
                                        std::span<const PanelStretch> stretches) {
  const std::unique_ptr<std::byte, decltype(&std::free)> block(
      static_cast<std::byte*>(std::aligned_alloc(PanelFile::kPayloadAlignment, kBlockBytes)),
      &std::free);
  if (block == nullptr) throw std::bad_alloc();
  Hasher hasher;
  size_t filled = 0;
  const auto flush = [&]() -> int {
    hasher.Add({block.get(), filled});
    const int error = file.Write({block.get(), filled}, offset);
    offset += filled;
    filled = 0;
    return error;
  };
  for (const PanelStretch& stretch : stretches) {
    for (auto left = stretch.data; !left.empty();) {
      const size_t count = std::min(left.size(), kBlockBytes - filled);
      std::memcpy(block.get() + filled, left.data(), count);
      filled += count;
      left = left.subspan(count);
      if (filled < kBlockBytes) continue;
      if (const int error = flush(); error != 0) return tl::unexpected(error);
    }
  }
  if (const int error = flush(); error != 0) return tl::unexpected(error);
  return hasher.Result();
}

// What is missing for so many bytes in the folder; empty: nothing.
std::string WhyNoSpace(const std::filesystem::path& folder, uint64_t bytes) {
  struct statvfs space {};
  if (statvfs(folder.c_str(), &space) != 0) return "";  // writing will tell
  const uint64_t free_bytes = uint64_t{space.f_bavail} * space.f_frsize;
  if (free_bytes >= bytes + kReserveBytes) return "";
  return fmt::format("{:.0f} MB are free, and {:.0f} MB are needed",
                     static_cast<double>(free_bytes) / 1e6,
                     static_cast<double>(bytes + kReserveBytes) / 1e6);
}

}  // namespace

std::string UnfinishedPanelFile(const std::string& path) { return path + ".new"; }

tl::expected<uint64_t, PanelWriteFault> WritePanelFile(const std::string& path, const PanelKey& key,
                                                       const std::string& model_path,
                                                       std::span<const PanelStretch> stretches) {
  const auto fault = [&](int error) {
    const Code code = error == EWOULDBLOCK                 ? Code::kBusy
                      : error == ENOSPC || error == EDQUOT ? Code::kNoSpace
                                                           : Code::kNoWrite;
    return tl::unexpected(PanelWriteFault{
        code,
        fmt::format("{}: {}", path,
                    code == Code::kBusy ? "another process writes it" : std::strerror(error))});
  };
  const PanelTable table = PanelTableOf(model_path, stretches);
  PanelHeader header;
  header.tensors = table.tensors;
  header.layout = key.layout;
  header.model_bytes = key.model_bytes;
  header.model_changed_ns = key.model_changed_ns;
  header.model_print = key.model_print;
  header.table_bytes = table.bytes.size();
  header.payload_offset = RoundUp(sizeof header + table.bytes.size(), PanelFile::kPayloadAlignment);
  header.payload_bytes = table.payload_bytes;
  const uint64_t file_bytes = header.payload_offset + header.payload_bytes;

  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;  // opening will tell
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  if (std::string why = WhyNoSpace(folder, file_bytes); !why.empty())
    return tl::unexpected(PanelWriteFault{Code::kNoSpace, fmt::format("{}: {}", path, why)});
  Unfinished file(UnfinishedPanelFile(path));
  if (const int error = file.Open(); error != 0) return fault(error);
  if (const int error = file.Reserve(file_bytes); error != 0) return fault(error);
  const auto hash = WritePayload(file, header.payload_offset, stretches);
  if (!hash) return fault(hash.error());
  header.payload_hash = *hash;
  std::vector<std::byte> head(sizeof header + table.bytes.size());
  std::memcpy(head.data(), &header, sizeof header);
  std::memcpy(head.data() + sizeof header, table.bytes.data(), table.bytes.size());
  header.head_hash = HashOfHead(head);
  std::memcpy(head.data(), &header, sizeof header);
  if (const int error = file.Write(head, 0); error != 0) return fault(error);
  if (const int error = file.RenameTo(path); error != 0) return fault(error);
  return file_bytes;
}

}  // namespace tenon::model
