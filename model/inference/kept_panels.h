// The panels of a model, kept in a file from run to run: its path, and whether it is whole.
//
// Laying a model's blocks out in panels is most of loading it. The first process that loads a
// model keeps them in a panel file (model/file/panel_file.h); the next processes map the file. No
// process depends on it: where the file is missing, stale or damaged, or cannot be written, the
// panels are laid out anew.
//
// Example: files = {"/models/m.gguf.panels", "/home/a/.cache/tenon/panels/m-12ab.panels"}. The
// folder of the model cannot be written to, so the panels are kept in the second file; the next
// process looks for the first one, then finds the second.
//
// Files are tried in their order, for reading and for writing. Where none can be written `note`
// hears why.
// Cost: opening 2 ms; a file that is not known to be whole is read once, 0.1 s a GB.
// Thread rule: values; the functions are called by the thread that loads or keeps.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/file/file.h"
#include "model/inference/read_progress.h"

namespace tenon::model {

struct PanelShelf {
  std::vector<std::string> files = {};  // none: nothing is kept
  // Was the payload of this file, as it is now, found to have this hash before? Empty: never.
  std::function<bool(const std::string& file, const std::string& hash)> is_known_whole = {};
  // It was found just now. May be empty.
  std::function<void(const std::string& file, const std::string& hash)> found_whole = {};
  // Hears a file's fault, in a sentence that names the file. May be empty.
  std::function<void(const std::string& note)> note = {};
};

// The first file of the shelf that is whole and has this key; nothing: there is none.
// `on_progress` hears how many of its bytes were read to find out.
[[nodiscard]] std::optional<PanelFile> FindKeptPanels(const PanelShelf& shelf, const PanelKey& key,
                                                      const ReadProgress& on_progress = {});

// Writes the stretches to the first file of the shelf that takes them. Where another process does
// so already nothing happens.
void KeepPanels(const PanelShelf& shelf, const PanelKey& key, const std::string& model_path,
                const std::vector<PanelStretch>& stretches);

}  // namespace tenon::model
