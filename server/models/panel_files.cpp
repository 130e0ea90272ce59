#include "server/models/panel_files.h"

#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "model/file/file.h"
#include "model/kernels/kernels.h"
#include "server/models/known_hashes.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPanelSuffix = ".panels";
constexpr const char* kHashName = "xxh3_128";
constexpr std::chrono::hours kUnfinishedKept{24};

// The model's path, whatever links and names lead to it.
fs::path Canonical(const fs::path& model) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(model, error);
  return error ? model : path;
}

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) || error;  // what cannot be seen may be there
}

// Is the model of a panel file gone?
bool IsOrphaned(const fs::path& file, bool beside_its_model) {
  const auto model = model::ModelPathIn(file.string());
  if (!beside_its_model) return !model || !Exists(*model);
  return model && !Exists(fs::path(file).replace_extension());
}

bool IsOld(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(file, error);
  return !error && fs::file_time_type::clock::now() - written > kUnfinishedKept;
}

// Nothing: the model cannot be read.
std::optional<model::PanelKey> KeyOf(const std::string& model) {
  if (model::IsFolder(model)) {
    const auto folder = model::HuggingFaceFolder::Open(model);
    if (!folder) return std::nullopt;
    return model::PanelKeyOf(*folder, model::PanelLayout());
  }
  const auto file = model::GgufFile::Open(model);
  if (!file) return std::nullopt;
  return model::PanelKeyOf(*file, model::PanelLayout());
}

void RemoveOrphansIn(const fs::path& folder, bool beside_models) {
  std::vector<fs::path> orphans;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& file = entry->path();
    std::error_code ignored;
    if (entry->symlink_status(ignored).type() != fs::file_type::regular) continue;
    const bool unfinished =
        !beside_models && file.string().ends_with(model::UnfinishedPanelFile(kPanelSuffix));
    if ((file.extension() == kPanelSuffix && IsOrphaned(file, beside_models)) ||
        (unfinished && IsOld(file)))
      orphans.push_back(file);
  }
  for (const fs::path& file : orphans) fs::remove(file, error);
}

}  // namespace

std::vector<fs::path> PanelFilesOf(const fs::path& model, const PanelFolders& folders) {
  const fs::path path = Canonical(model);
  std::vector<fs::path> files = {path.string() + kPanelSuffix};
  if (!folders.cache.empty()) {
    const XXH64_hash_t hash = XXH3_64bits(path.c_str(), path.string().size());
    files.push_back(folders.cache /
                    fmt::format("{}-{:016x}{}", path.stem().string(), hash, kPanelSuffix));
  }
  return files;
}

model::PanelShelf PanelShelfOf(const fs::path& model, const PanelFolders& folders,
                               std::function<void(const std::string& note)> note) {
  model::PanelShelf shelf;
  for (const fs::path& file : PanelFilesOf(model, folders)) shelf.files.push_back(file.string());
  const KnownHashes known(folders.known_hashes, kHashName);
  shelf.is_known_whole = [known](const std::string& file, const std::string& hash) {
    return known.Find(file) == hash;
  };
  shelf.found_whole = [known, note](const std::string& file, const std::string& hash) {
    const auto state = StateOf(file);
    if (!state) return;
    if (const auto kept = known.Add(file, *state, hash); !kept && note) note(kept.error());
  };
  shelf.note = std::move(note);
  return shelf;
}

std::vector<KeptPanelFile> KeptPanelFiles(const fs::path& model, const PanelFolders& folders) {
  std::vector<KeptPanelFile> kept;
  const KnownHashes known(folders.known_hashes, kHashName);
  std::optional<model::PanelKey> key;
  for (const fs::path& path : PanelFilesOf(model, folders)) {
    const auto state = StateOf(path);
    if (!state) continue;
    if (!key) {
      key = KeyOf(model.string());
      if (!key) return kept;
    }
    const auto file = model::PanelFile::Open(path.string(), *key);
    const bool checked = file && known.Find(path) == model::HexOf(file->hash());
    kept.push_back({path, state->bytes,
                    !file     ? file.error()
                    : checked ? "checked"
                              : "unchecked",
                    file.has_value()});
  }
  return kept;
}

uint64_t PanelBytesOf(const fs::path& model, const PanelFolders& folders) {
  uint64_t bytes = 0;
  for (const fs::path& path : PanelFilesOf(model, folders)) {
    if (const auto state = StateOf(path)) bytes += state->bytes;
  }
  return bytes;
}

void RemovePanelFiles(const fs::path& model, const PanelFolders& folders) {
  std::error_code ignored;
  for (const fs::path& file : PanelFilesOf(model, folders)) {
    fs::remove(file, ignored);
    fs::remove(model::UnfinishedPanelFile(file.string()), ignored);
  }
}

void RemoveOrphanedPanelFiles(const PanelFolders& folders) {
  RemoveOrphansIn(folders.models, true);
  if (!folders.cache.empty()) RemoveOrphansIn(folders.cache, false);
}

}  // namespace tenon::server
