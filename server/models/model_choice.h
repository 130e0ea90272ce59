// Which model runs: the model that --model names, else the choice of `tenon model use`, else a
// default of the registry.
//
// Example: qwen2.5-coder-1.5b and smollm2-135m-fim are installed, and the former is the first
// default. With 4 GB of memory available it runs. With 1 GB the choice passes it over, since it
// needs 1.4 GB, and takes smollm2-135m-fim; `passed_over` says so.
//
// The choice without --model, in symbols: let F be the first installed one of (used, defaults …),
// else the largest installed one. F runs where it fits into the available memory. Otherwise the
// model runs that needs most memory among those that need less than F and fit. A model that --model
// names is always taken: the user knows better.
// Cost: below 1 ms. Thread rule: plain values; the files are read once, by ReadModelsAtHand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "server/models/installed_models.h"
#include "server/models/model_registry.h"

namespace tenon::server {

struct ModelChoice {
  std::string name;  // empty: a file that was given by its path
  std::filesystem::path path;
  std::optional<std::filesystem::path> adapter;
  uint64_t memory_bytes = 0;               // that it needs; 0: of a file that is absent
  std::string why;                         // "chosen by 'tenon model use'"
  std::optional<std::string> passed_over;  // the model wanted, its need, and the memory there is
  bool fits = true;
  std::string sha256;  // that the file should have; empty: not known
};

// All that the choice depends on.
struct ModelsAtHand {
  ModelRegistry registry;
  std::filesystem::path folder;  // of the installed models
  InstalledModels installed;
  std::optional<std::string> used;          // by `tenon model use`
  std::optional<uint64_t> available_bytes;  // of memory; nothing: not known, everything fits
  std::vector<std::string> problems;        // files that could not be read: fault and remedy

  [[nodiscard]] bool Fits(uint64_t memory_bytes) const {
    return !available_bytes || memory_bytes <= *available_bytes;
  }
  // The choice without --model. The error: nothing is installed, or nothing fits.
  [[nodiscard]] tl::expected<ModelChoice, std::string> Choose() const;
  // The model that --model names, by its name or by the path of a file or folder: see IsModelPath.
  // Whether something lies at a path is not checked. The error says which name is near, what is
  // installed, or how a model is fetched.
  [[nodiscard]] tl::expected<ModelChoice, std::string> Named(std::string_view name_or_path) const;
  // The model that --model names, where it does, else the choice.
  [[nodiscard]] tl::expected<ModelChoice, std::string> Choice(
      const std::optional<std::string>& named) const {
    return named ? Named(*named) : Choose();
  }
  // The nearest name of the registry or of an installed model; the error of Named for a text that
  // is none.
  [[nodiscard]] std::string WhyUnknown(std::string_view name) const;
};

[[nodiscard]] ModelsAtHand ReadModelsAtHand(const std::filesystem::path& registry_file,
                                            const std::filesystem::path& models_folder,
                                            const std::filesystem::path& config_folder,
                                            std::optional<uint64_t> available_bytes);

// A text with a '/' or with the suffix .gguf is a path, each other one a name. (A file or a model's
// folder of that very name is taken, too, where no model has the name.)
[[nodiscard]] bool IsModelPath(std::string_view text);

// The file of `tenon model use` in the configuration folder: model.json, {"model": "NAME"}.
// Reading gives nothing where there is no file. Writing nothing removes the file. The errors name
// it.
[[nodiscard]] tl::expected<std::optional<std::string>, std::string> ReadUsedModel(
    const std::filesystem::path& config_folder);
[[nodiscard]] tl::expected<void, std::string> WriteUsedModel(
    const std::filesystem::path& config_folder, const std::optional<std::string>& name);

// "1,284 MB" (10^6 bytes).
[[nodiscard]] std::string Megabytes(uint64_t bytes);

}  // namespace tenon::server
