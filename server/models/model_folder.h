// A model that is a folder of files, as Hugging Face's libraries store it.
//
// Example: `tenon model add ~/SmolLM2-135M` puts the folder's config.json, model.safetensors and
// tokenizer.json as hard links into the folder of models, where SmolLM2-135M/ is a model by name.
//
// The files of a folder appear together: they are laid out in .NAME.PID, which then gets its name.
// Cost: a listing of the folder; a copy where the folders lie on different disks. Thread rule: pure
// functions of the file system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace tenon::server {

// True for a folder with a config.json.
[[nodiscard]] bool IsModelFolder(const std::filesystem::path& path);

// The regular files in a folder, in alphabetical order; none where it cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& folder);

// The bytes of a model: of its file, or of the safetensors files in its folder. 0 where it is
// absent.
[[nodiscard]] uint64_t ModelBytes(const std::filesystem::path& path);

// Puts the named files of `source` into `models` as the folder `name`: by hard links, else by
// copies. Returns the new path. The error says what is in the way and what to do.
// REQUIRES: !WhyNoModelName(name); `files` are base names.
[[nodiscard]] tl::expected<std::filesystem::path, std::string> AddModelFolder(
    const std::filesystem::path& source, const std::vector<std::string>& files,
    std::string_view name, const std::filesystem::path& models);

}  // namespace tenon::server
