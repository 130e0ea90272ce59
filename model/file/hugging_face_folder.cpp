#include "model/file/hugging_face_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <system_error>

#include "model/file/mapped_file.h"
#include "model/file/safetensors_index.h"

namespace tenon::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.json";
constexpr const char* kGeneration = "generation_config.json";
constexpr const char* kTokenizerConfig = "tokenizer_config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

// Far above the index of any model: some hundred bytes a tensor.
constexpr size_t kMaxIndexBytes = size_t{16} << 20;

tl::unexpected<ModelError> RefuseFile(ModelErrorCode code, const std::string& message) {
  return tl::unexpected(ModelError{code, message});
}

}  // namespace

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string HuggingFaceFolder::PathOf(std::string_view name) const {
  return (fs::path(path_) / name).string();
}

bool HuggingFaceFolder::HasFile(std::string_view name) const {
  std::error_code ignored;
  return fs::is_regular_file(PathOf(name), ignored);
}

tl::expected<HuggingFaceFolder, ModelError> HuggingFaceFolder::Open(const std::string& path) {
  HuggingFaceFolder folder;
  folder.path_ = path;
  if (!folder.HasFile(kConfig)) {
    return RefuseFile(ModelErrorCode::kFile,
                      fmt::format("{}: the folder has no {}; name a GGUF file, or a folder of a "
                                  "model with {}, safetensors and a tokenizer",
                                  path, kConfig, kConfig));
  }
  for (const auto& [name, values] :
       {std::pair(kConfig, &folder.config_), std::pair(kGeneration, &folder.generation_config_),
        std::pair(kTokenizerConfig, &folder.tokenizer_config_)}) {
    if (!folder.HasFile(name)) continue;
    auto read = JsonValues::Open(folder.PathOf(name));
    if (!read) return tl::unexpected(read.error());
    *values = *std::move(read);
  }
  if (auto opened = folder.OpenShards(); !opened) return tl::unexpected(opened.error());
  return folder;
}

tl::expected<void, ModelError> HuggingFaceFolder::OpenShards() {
  if (!HasFile(kWeights) && HasFile(kIndex)) return OpenIndex(PathOf(kIndex));
  if (!HasFile(kWeights)) {
    return RefuseFile(ModelErrorCode::kUnsupported,
                      fmt::format("{}: the folder has neither {} nor {}; fetch the model's "
                                  "safetensors files (tenon reads no pickled ones, such as "
                                  "pytorch_model.bin)",
                                  path_, kWeights, kIndex));
  }
  auto file = SafetensorsFile::Open(PathOf(kWeights));
  if (!file) return tl::unexpected(file.error());
  shards_ = std::make_shared<const Shards>(Shards{*std::move(file)});
  for (const SafetensorsTensor& tensor : shards_->front().tensors())
    tensors_.emplace(tensor.name, Tensor{&tensor, &shards_->front()});
  return {};
}

tl::expected<void, ModelError> HuggingFaceFolder::OpenIndex(const std::string& index_path) {
  const auto text = MapFile(index_path, "fetch it again");
  if (!text) return tl::unexpected(text.error());
  if (text->bytes.size() > kMaxIndexBytes) {
    return RefuseFile(ModelErrorCode::kFile,
                      fmt::format("{}: has {} bytes, and at most {} are read; fetch it again",
                                  index_path, text->bytes.size(), kMaxIndexBytes));
  }
  const auto index = ParseSafetensorsIndex(
      {reinterpret_cast<const char*>(text->bytes.data()), text->bytes.size()}, index_path);
  if (!index) return tl::unexpected(index.error());
  std::set<std::string_view> names;
  for (const auto& [tensor, file] : *index) names.insert(file);
  Shards shards;
  std::map<std::string_view, size_t> shard_of;
  for (const std::string_view name : names) {
    if (!HasFile(name)) {
      return RefuseFile(ModelErrorCode::kFile,
                        fmt::format("{}: is missing, and {} has tensors in it; fetch the file "
                                    "into the folder",
                                    PathOf(name), kIndex));
    }
    auto file = SafetensorsFile::Open(PathOf(name));
    if (!file) return tl::unexpected(file.error());
    shard_of.emplace(name, shards.size());
    shards.push_back(*std::move(file));
  }
  shards_ = std::make_shared<const Shards>(std::move(shards));
  for (const auto& [tensor, name] : *index) {
    const SafetensorsFile& file = (*shards_)[shard_of[name]];
    const SafetensorsTensor* found = file.Find(tensor);
    if (!found) {
      return RefuseFile(ModelErrorCode::kFormat,
                        fmt::format("{}: tensor {} is missing, which {} has in this file; fetch "
                                    "both again",
                                    file.path(), tensor, kIndex));
    }
    tensors_.emplace(tensor, Tensor{found, &file});
  }
  return {};
}

const HuggingFaceFolder::Tensor* HuggingFaceFolder::Find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

uint64_t HuggingFaceFolder::size_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [name, stored] : tensors_) bytes += stored.tensor->data.size();
  return bytes;
}

std::vector<std::string> HuggingFaceFiles(const HuggingFaceFolder& folder) {
  std::set<std::string> names;
  for (const SafetensorsFile& file : *folder.shards())
    names.insert(fs::path(file.path()).filename().string());
  const bool sharded = !names.contains(kWeights);
  for (const char* name :
       {kConfig, kGeneration, kTokenizerConfig, "tokenizer.json", "tokenizer.model"}) {
    if (folder.HasFile(name)) names.insert(name);
  }
  if (sharded) names.insert(kIndex);
  return {names.begin(), names.end()};
}

}  // namespace tenon::model
