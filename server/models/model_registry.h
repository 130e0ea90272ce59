// The models that are known by name: models/registry.json.
//
//   {"default": ["qwen2.5-coder-1.5b", "smollm2-135m-fim"],
//    "models": [{"name": "smollm2-135m-fim", "title": "SmolLM2-135M …", "license": "Apache-2.0",
//                "bytes": 144810816, "sha256": "099cd059…", "memory_bytes": 450000000}, …]}
//
// "models" are in the order from the best to the least. "default" names the models that run where
// nobody has chosen one: the first that is installed and fits into memory. "adapter" is a folder
// beside registry.json with a PEFT adapter that is applied while the model runs. The members that
// say where a file comes from are those of tools/model/pull.
// Cost: a file of a few kB. Thread rule: immutable.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace tenon::server {

struct RegisteredModel {
  std::string name;
  std::string title;
  std::string license;
  uint64_t file_bytes = 0;
  uint64_t memory_bytes = 0;                     // that it needs to run: weights and KV cache
  std::optional<std::filesystem::path> adapter;  // a folder
  std::string sha256;                            // of the file; empty: not known
};

class ModelRegistry {
 public:
  ModelRegistry() = default;  // knows no model
  // The error names the file, its fault and the remedy.
  [[nodiscard]] static tl::expected<ModelRegistry, std::string> Load(
      const std::filesystem::path& file);

  [[nodiscard]] const std::vector<RegisteredModel>& models() const { return models_; }
  [[nodiscard]] const std::vector<std::string>& defaults() const { return defaults_; }
  // Null where no model has this name.
  [[nodiscard]] const RegisteredModel* Find(std::string_view name) const;

 private:
  std::vector<RegisteredModel> models_;
  std::vector<std::string> defaults_;
};

// <executable's folder>/../share/tenon/models/registry.json, else the source tree's.
[[nodiscard]] std::filesystem::path FindModelRegistry(const std::filesystem::path& executable);

}  // namespace tenon::server
