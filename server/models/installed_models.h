// The folder of installed models: for each a file NAME.gguf, or a folder NAME of Hugging Face's
// layout (model_folder.h), from tools/model/pull or from `tenon model add`.
//
// Example: the folder holds smollm2-135m-fim.gguf, a name of the registry, and mine.gguf, an added
// file. Both are models by name. Whatever else lies there, such as a download that is not finished
// (.NAME.gguf.x7), is none.
//
// Files are added and removed as wholes: a file has its name only when it is complete.
// Cost: reading takes a listing of the folder, no model is opened. Thread rule: plain values; other
// processes may change the folder meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "server/models/model_registry.h"

namespace tenon::server {

struct InstalledModel {
  std::string name;
  std::filesystem::path path;
  uint64_t file_bytes = 0;
  uint64_t memory_bytes = 0;  // that it needs to run
  std::optional<std::filesystem::path> adapter;
  std::string sha256;  // that the file should have (model_check.h); empty: not known
};

// The memory of a model that is not in the registry: its file and 15 %, and 150 MB for the KV cache
// and the program.
[[nodiscard]] uint64_t EstimateMemoryBytes(uint64_t file_bytes);
// The same of a model's file or folder. The floats of a folder become 8.5 bits each; they have two
// bytes, or four where its config.json says so.
[[nodiscard]] uint64_t EstimateMemoryBytesOf(const std::filesystem::path& model);

class InstalledModels {
 public:
  InstalledModels() = default;  // none
  // Of a folder that is absent: none.
  [[nodiscard]] static InstalledModels In(const std::filesystem::path& folder,
                                          const ModelRegistry& registry);

  // The most memory first, then by name.
  [[nodiscard]] const std::vector<InstalledModel>& models() const { return models_; }
  // Null where no installed model has this name.
  [[nodiscard]] const InstalledModel* Find(std::string_view name) const;

 private:
  std::vector<InstalledModel> models_;
};

// Why a text cannot be the name of an added model; nothing where it can. A name is made of letters,
// digits and ". _ -", begins with a letter or digit and does not end in ".gguf".
[[nodiscard]] std::optional<std::string> WhyNoModelName(std::string_view name);

// Why `folder` cannot take one more model of this name: there is one, file or folder. Nothing where
// it can.
[[nodiscard]] std::optional<std::string> WhyTaken(std::string_view name,
                                                  const std::filesystem::path& folder);

// Puts `file` into `folder` as NAME.gguf: by a hard link, else by CopyModel. Returns the new path.
// The error says what is in the way and what to do.
// REQUIRES: !WhyNoModelName(name).
[[nodiscard]] tl::expected<std::filesystem::path, std::string> AddModel(
    const std::filesystem::path& file, std::string_view name, const std::filesystem::path& folder);
// Copies `file` to `target`, which appears when it is complete. `free_bytes`: of target's folder.
[[nodiscard]] tl::expected<void, std::string> CopyModel(const std::filesystem::path& file,
                                                        const std::filesystem::path& target,
                                                        uint64_t free_bytes);
// Removes the model's file or folder, and the files of tools/model/make_small_model beside it. Its
// panels are RemovePanelFiles'.
[[nodiscard]] tl::expected<void, std::string> RemoveModel(const InstalledModel& model);

}  // namespace tenon::server
