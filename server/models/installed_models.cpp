#include "server/models/installed_models.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "protocol/json_text.h"
#include "server/files/read_file.h"
#include "server/models/model_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModelSuffix = ".gguf";
constexpr const char* kHashSuffix = ".sha256";

bool IsNameCharacter(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

// What the file NAME.gguf.sha256 says: a hash, and what sha256sum writes after it. Empty: there is
// none.
std::string HashBeside(const fs::path& model) {
  constexpr size_t kMaxBytes = 4096;
  constexpr size_t kHashCharacters = 64;
  const std::string text = ReadFile(model.string() + kHashSuffix, kMaxBytes).value_or("");
  const size_t end = std::min(text.find_first_of(" \n"), text.size());
  if (end != kHashCharacters) return "";
  std::string hash = text.substr(0, end);
  for (char& c : hash) c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  return hash;
}

// Does the folder say that its weights have 32 bits each? Nearly all have 16.
bool HasWideWeights(const fs::path& folder) {
  constexpr size_t kMaxBytes = size_t{1} << 20;
  const auto config =
      protocol::ParseJson(ReadFile((folder / "config.json").string(), kMaxBytes).value_or(""));
  if (!config || !config->is_object()) return false;
  return config->value("dtype", config->value("torch_dtype", nlohmann::json())) == "float32";
}

tl::unexpected<std::string> CannotWrite(const fs::path& path, const std::error_code& error) {
  return tl::unexpected(
      fmt::format("{}: cannot be written ({}); check the folder's rights and its free space, or "
                  "let XDG_DATA_HOME name another folder",
                  path.string(), error.message()));
}

}  // namespace

uint64_t EstimateMemoryBytes(uint64_t file_bytes) {
  constexpr uint64_t kBesideBytes = 150'000'000;
  return file_bytes + file_bytes / 100 * 15 + kBesideBytes;
}

uint64_t EstimateMemoryBytesOf(const fs::path& model) {
  const uint64_t bytes = ModelBytes(model);
  if (!IsModelFolder(model)) return EstimateMemoryBytes(bytes);
  return EstimateMemoryBytes(bytes / (HasWideWeights(model) ? 64 : 32) * 17);
}

std::optional<std::string> WhyTaken(std::string_view name, const fs::path& folder) {
  for (const fs::path& target : {folder / (std::string(name) + kModelSuffix), folder / name}) {
    std::error_code ignored;
    if (fs::symlink_status(target, ignored).type() == fs::file_type::not_found) continue;
    return fmt::format(
        "{}: there is a model of this name; give another by --name, or remove this one by 'tenon "
        "model remove {}'",
        target.string(), name);
  }
  return std::nullopt;
}

InstalledModels InstalledModels::In(const fs::path& folder, const ModelRegistry& registry) {
  InstalledModels installed;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    const fs::path& path = entry->path();
    const bool is_file = path.extension() == kModelSuffix && entry->is_regular_file(ignored);
    if (!is_file && !IsModelFolder(path)) continue;
    InstalledModel model{.name = is_file ? path.stem().string() : path.filename().string(),
                         .path = path,
                         .adapter = std::nullopt,
                         .sha256 = ""};
    if (WhyNoModelName(model.name)) continue;
    model.file_bytes = ModelBytes(path);
    const RegisteredModel* registered = registry.Find(model.name);
    model.memory_bytes =
        registered != nullptr ? registered->memory_bytes : EstimateMemoryBytesOf(path);
    if (registered != nullptr) model.adapter = registered->adapter;
    model.sha256 = HashBeside(path);
    if (model.sha256.empty() && registered != nullptr) model.sha256 = registered->sha256;
    installed.models_.push_back(std::move(model));
  }
  std::sort(installed.models_.begin(), installed.models_.end(), [](const auto& a, const auto& b) {
    return a.memory_bytes != b.memory_bytes ? a.memory_bytes > b.memory_bytes : a.name < b.name;
  });
  return installed;
}

const InstalledModel* InstalledModels::Find(std::string_view name) const {
  for (const InstalledModel& model : models_) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

std::optional<std::string> WhyNoModelName(std::string_view name) {
  if (name.empty()) return "a name has at least one character";
  for (const char c : name) {
    if (!IsNameCharacter(c)) return "a name is made of letters, digits, '.', '_' and '-'";
  }
  if (name.front() == '.' || name.front() == '_' || name.front() == '-')
    return "a name begins with a letter or a digit";
  if (name.ends_with(kModelSuffix)) return "a name does not end in .gguf, as paths do";
  if (name.size() > 100) return "a name has at most 100 characters";
  return std::nullopt;
}

tl::expected<fs::path, std::string> AddModel(const fs::path& file, std::string_view name,
                                             const fs::path& folder) {
  std::error_code error;
  const fs::path source = fs::canonical(file, error);
  if (error)
    return tl::unexpected(fmt::format("{}: cannot be read ({}); name a file that can",
                                      file.string(), error.message()));
  fs::create_directories(folder, error);
  if (error) return CannotWrite(folder, error);
  fs::path target = folder / (std::string(name) + kModelSuffix);
  if (auto taken = WhyTaken(name, folder)) return tl::unexpected(*std::move(taken));
  fs::create_hard_link(source, target, error);
  if (!error) return target;
  const fs::space_info space = fs::space(folder, error);
  if (error) return CannotWrite(folder, error);
  if (auto copied = CopyModel(source, target, space.available); !copied)
    return tl::unexpected(std::move(copied.error()));
  return target;
}

tl::expected<void, std::string> CopyModel(const fs::path& file, const fs::path& target,
                                          uint64_t free_bytes) {
  std::error_code error, ignored;
  const uint64_t needed = fs::file_size(file, error);
  if (error)
    return tl::unexpected(fmt::format("{}: cannot be read ({}); name a file that can",
                                      file.string(), error.message()));
  if (free_bytes < needed) {
    return tl::unexpected(
        fmt::format("{}: {:.0f} MB are free, {:.0f} MB are needed; free some, or let XDG_DATA_HOME "
                    "name a folder with more",
                    target.parent_path().string(), static_cast<double>(free_bytes) / 1e6,
                    static_cast<double>(needed) / 1e6));
  }
  const fs::path unfinished =
      target.parent_path() / fmt::format(".{}.{}", target.filename().string(), getpid());
  fs::copy_file(file, unfinished, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(unfinished, target, error);
  if (!error) return {};
  fs::remove(unfinished, ignored);
  return CannotWrite(target, error);
}

tl::expected<void, std::string> RemoveModel(const InstalledModel& model) {
  std::error_code error, ignored;
  if (IsModelFolder(model.path)) {
    fs::remove_all(model.path, error);
  } else {
    fs::remove(model.path, error);
  }
  if (error)
    return tl::unexpected(fmt::format("{}: cannot be removed ({}); check the folder's rights",
                                      model.path.string(), error.message()));
  fs::remove(model.path.string() + ".made-from", ignored);
  fs::remove(model.path.string() + kHashSuffix, ignored);
  return {};
}

}  // namespace tenon::server
