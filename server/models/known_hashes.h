// The hashes of model files that were computed before, so that no file is read twice for its hash.
//
// A hash is kept with the size of its file and the time of the file's last change. Where either
// differs now, the hash is not known. Example of the file in which hashes are kept:
//
//   {"/home/a/.local/share/tenon/models/a.gguf":
//        {"bytes": 144810816, "changed_ns": 1764034091123456789, "sha256": "099cd059…"}}
//
// Panel files (model/file/panel_file.h) are in the same file, with another member than "sha256".
//
// The file is replaced as a whole. A broken one holds nothing, and is replaced by the next hash.
// Cost: a file of some hundred bytes. Thread rule: pure functions of the file system; of two
// processes that add at once one may be lost, and is computed again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <tl/expected.hpp>

namespace tenon::server {

// The facts by which a file is taken for the file whose hash is known.
struct ModelFileState {
  uint64_t bytes = 0;
  int64_t changed_ns = 0;  // since 1970

  friend bool operator==(const ModelFileState&, const ModelFileState&) = default;
};

// Nothing where there is no such file.
[[nodiscard]] std::optional<ModelFileState> StateOf(const std::filesystem::path& model);

class KnownHashes {
 public:
  // An empty path: nothing is known, and nothing is kept. `hash_name`: the function.
  explicit KnownHashes(std::filesystem::path file, std::string hash_name = "sha256")
      : file_(std::move(file)), hash_name_(std::move(hash_name)) {}

  // Of the model's file as it is now.
  [[nodiscard]] std::optional<std::string> Find(const std::filesystem::path& model) const;
  // Files that are gone are forgotten. The error names the file that cannot be written.
  [[nodiscard]] tl::expected<void, std::string> Add(const std::filesystem::path& model,
                                                    const ModelFileState& state,
                                                    const std::string& hash) const;

 private:
  std::filesystem::path file_;
  std::string hash_name_;
};

}  // namespace tenon::server
