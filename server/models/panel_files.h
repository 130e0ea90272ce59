// Where the panels of a model are kept (model/inference/kept_panels.h): beside the model's file,
// else in the cache.
//
// Example: /opt/models/m.gguf, whose folder the user cannot write to.
//
//   /opt/models/m.gguf.panels                            cannot be written
//   ~/.cache/tenon/panels/m-5d3a90c1f2b7e846.panels      the digits are a hash of the model's path
//
// A model has one panel file, which the next one replaces; the panel file of a model folder lies
// beside the folder. When a model is gone, the next start of any model removes its panel file.
// Cost: below 1 ms. Thread rule: pure functions of the file system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/inference/inference.h"

namespace tenon::server {

struct PanelFolders {
  std::filesystem::path models;        // of the installed models
  std::filesystem::path cache;         // of panels; empty: none
  std::filesystem::path known_hashes;  // a file (known_hashes.h); empty: nothing is remembered
};

// The files that may hold the panels of a model, the best first.
[[nodiscard]] std::vector<std::filesystem::path> PanelFilesOf(const std::filesystem::path& model,
                                                              const PanelFolders& folders);
// The same files for the model's loader, which asks the shelf about remembered hashes. `note` may
// be called by other threads.
[[nodiscard]] model::PanelShelf PanelShelfOf(const std::filesystem::path& model,
                                             const PanelFolders& folders,
                                             std::function<void(const std::string& note)> note);

// A panel file that is there.
struct KeptPanelFile {
  std::filesystem::path path;
  uint64_t bytes = 0;
  std::string state;  // "checked", "unchecked", or why it is not used
  bool is_used = false;
};
// The panel files of a model. The model's files are opened, and little of them read.
[[nodiscard]] std::vector<KeptPanelFile> KeptPanelFiles(const std::filesystem::path& model,
                                                        const PanelFolders& folders);
// The bytes of a model's panel files; a listing, nothing is opened.
[[nodiscard]] uint64_t PanelBytesOf(const std::filesystem::path& model,
                                    const PanelFolders& folders);

// Removes all panel files of the model, whole or not.
void RemovePanelFiles(const std::filesystem::path& model, const PanelFolders& folders);
// Removes panel files in both folders whose model is gone, and the unfinished files that a killed
// process left in the cache a day ago.
void RemoveOrphanedPanelFiles(const PanelFolders& folders);

}  // namespace tenon::server
