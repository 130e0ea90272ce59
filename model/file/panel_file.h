// A panel file: the weights of a model in panels (kernels/panel_matrix.h), kept from run to run.
//
// Laying a model's blocks out in panels takes most of the time of loading it, and each process has
// a copy of its own. So the panels are kept, beside the model's file, and mapped: the next process
// has them at once, and processes share one copy.
//
//   model.gguf                   model.gguf.panels
//   metadata                     header   the key: which model file, which layout
//   embedding       <- used      table    which rows of which tensor lie where
//   blk.0.attn_q    -> packed -> payload  panels of blk.0.attn_q, ...
//
// Example: {"blk.0.attn_q.weight", first 64, rows 64} are the panels of 64 of that tensor's rows.
// The model's file is still needed: for its metadata, and for tensors that are used as they are.
//
//   offset  bytes
//   0       8      "tenonP\r\n": a tool that takes the file for text changes its line end, and
//                  the file is no panel file any more
//   8       4      version of this format
//   12      4      number of tensors
//   16      8      layout of the panels (PanelLayout)     this and the next three: the PanelKey
//   24      8      bytes of the model's file
//   32      8      its time of change, in nanoseconds since 1970
//   40      16     PrintOf its bytes
//   56      8      bytes of the table
//   64      8      offset of the payload, a multiple of kPayloadAlignment
//   72      8      bytes of the payload, which ends the file
//   80      16     XXH3-128 of the payload
//   96      16     XXH3-128 of the bytes 0 to 95 and the table
//   112            table: path of the model's file, then for each tensor: name, format (u32), rows
//                  (u32), columns (u32), number of stretches (u32); for each stretch, in ascending
//                  order: first row (u32), rows (u32), offset in the payload (u64), bytes (u64).
//                  A text is its length (u32) and its bytes.
//
// Numbers as the machine has them. A stretch begins at a multiple of 64.
//
// Trust: none. Header and table are checked before anything is used, and a stretch that is handed
// out lies within the payload. HashIsRight reads the whole payload: whoever remembers that this
// hash was right need not ask again.
// Cost: reading the table takes 2 ms for 1.5 billion weights; HashIsRight 0.1 s a GB.
// Thread rule: immutable after Open; read from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "model/file/hash128.h"
#include "model/file/panel_key.h"

namespace tenon::model {

// Rows [first, first + count) of a tensor in panels.
struct PanelStretch {
  std::string_view tensor;
  uint32_t format = 0;   // model/kernels/block_format.h, as a number
  uint32_t rows = 0;     // of the tensor
  uint32_t columns = 0;  // the same
  uint32_t first = 0;
  uint32_t count = 0;
  std::span<const std::byte> data;
};

class PanelFile {
 public:
  static constexpr size_t kHeaderBytes = 112;
  // A large page: a system that has such pages of files maps the payload by them.
  static constexpr size_t kPayloadAlignment = size_t{2} << 20;
  static constexpr size_t kStretchAlignment = 64;

  // Maps a file. The error says why it is not used, after the file's name: "is cut short"; empty:
  // there is no such file.
  [[nodiscard]] static tl::expected<PanelFile, std::string> Open(const std::string& path,
                                                                 const PanelKey& key);
  // Reads bytes that the caller keeps alive, at an address that is a multiple of kStretchAlignment.
  [[nodiscard]] static tl::expected<PanelFile, std::string> Parse(std::span<const std::byte> bytes,
                                                                  const PanelKey& key);

  // Nothing where the file has no such stretch.
  [[nodiscard]] std::optional<PanelStretch> Find(std::string_view tensor, uint32_t first,
                                                 uint32_t count) const;
  // The path that the model's file had when this one was written.
  [[nodiscard]] std::string_view model_path() const { return model_path_; }
  [[nodiscard]] uint64_t size_bytes() const { return bytes_.size(); }
  // The hash of the payload as it was written.
  [[nodiscard]] const Hash128& hash() const { return hash_; }
  // Has the payload its hash? Reads all of it; `on_read` hears how many of its bytes were read.
  using OnRead = std::function<void(uint64_t read_bytes, uint64_t all_bytes)>;
  [[nodiscard]] bool HashIsRight(const OnRead& on_read = {}) const;
  // Has the system read the payload from the disk, where it has not yet.
  void ReadAhead() const;

 private:
  struct Stretch {
    uint32_t first = 0, count = 0;
    uint64_t offset = 0, bytes = 0;  // in the payload
  };
  struct Tensor {
    std::string_view name;
    uint32_t format = 0, rows = 0, columns = 0;
    std::vector<Stretch> stretches;  // ascending
  };
  class Reader;

  PanelFile() = default;
  [[nodiscard]] PanelStretch ViewOf(const Tensor& tensor, const Stretch& stretch) const;

  std::shared_ptr<const void> mapping_;  // shared by all copies of this object; empty after Parse
  std::span<const std::byte> bytes_;
  std::span<const std::byte> payload_;
  Hash128 hash_ = {};
  std::string_view model_path_;
  std::vector<Tensor> tensors_;
  std::map<std::string_view, size_t> tensor_index_;  // name -> index in tensors_
};

// The path of the model's file that a panel file names; nothing where it is none.
[[nodiscard]] std::optional<std::string> ModelPathIn(const std::string& panel_file);

// The hash at byte 96 of a file that begins with these bytes: of its header and its table.
// REQUIRES: they are all there.
[[nodiscard]] Hash128 HashOfHead(std::span<const std::byte> head);

}  // namespace tenon::model
