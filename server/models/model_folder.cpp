#include "server/models/model_folder.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "server/models/installed_models.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

// The file at `target` is that at `source`: a hard link, else a copy. Links are followed, as the
// files of Hugging Face's cache are links.
tl::expected<void, std::string> Put(const fs::path& source, const fs::path& target) {
  std::error_code error;
  const fs::path real = fs::canonical(source, error);
  if (error)
    return tl::unexpected(fmt::format("{}: cannot be read ({}); fetch the whole folder again",
                                      source.string(), error.message()));
  fs::create_hard_link(real, target, error);
  if (!error) return {};
  std::error_code unknown;
  const fs::space_info space = fs::space(target.parent_path(), unknown);
  return CopyModel(real, target, unknown ? 0 : space.available);
}

}  // namespace

bool IsModelFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) && fs::is_regular_file(path / "config.json", ignored);
}

std::vector<fs::path> FilesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

uint64_t ModelBytes(const fs::path& path) {
  std::error_code error;
  const auto size_of = [&error](const fs::path& file) -> uint64_t {
    const uint64_t bytes = fs::file_size(file, error);
    return error ? 0 : bytes;
  };
  if (!fs::is_directory(path, error)) return size_of(path);
  uint64_t bytes = 0;
  for (const fs::path& file : FilesOf(path))
    bytes += file.extension() == ".safetensors" ? size_of(file) : 0;
  return bytes;
}

tl::expected<fs::path, std::string> AddModelFolder(const fs::path& source,
                                                   const std::vector<std::string>& files,
                                                   std::string_view name, const fs::path& models) {
  std::error_code error, ignored;
  const auto cannot = [&error](const fs::path& path) {
    return tl::unexpected(
        fmt::format("{}: cannot be written ({}); check the folder's rights and its free space, or "
                    "let XDG_DATA_HOME name another folder",
                    path.string(), error.message()));
  };
  fs::create_directories(models, error);
  if (error) return cannot(models);
  const fs::path target = models / name;
  if (const auto taken = WhyTaken(name, models)) return tl::unexpected(*taken);
  const fs::path unfinished = models / fmt::format(".{}.{}", name, getpid());
  fs::remove_all(unfinished, ignored);
  fs::create_directory(unfinished, error);
  if (error) return cannot(unfinished);
  for (const std::string& file : files) {
    if (auto put = Put(source / file, unfinished / file); !put) {
      fs::remove_all(unfinished, ignored);
      return tl::unexpected(std::move(put.error()));
    }
  }
  fs::rename(unfinished, target, error);
  if (!error) return target;
  fs::remove_all(unfinished, ignored);
  return cannot(target);
}

}  // namespace tenon::server
