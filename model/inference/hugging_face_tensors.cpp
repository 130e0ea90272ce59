#include "model/inference/hugging_face_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/inference/model_family.h"

namespace tenon::model {
namespace {

constexpr std::string_view kHead = "lm_head.weight";

// What the views of a GgufFile refer to.
struct Kept {
  std::shared_ptr<const HuggingFaceFolder::Shards> shards;
  std::vector<FamilyTensor> names;
};

tl::unexpected<ModelError> RefusePlace(const std::string& path, ModelErrorCode code,
                                       const std::string& what) {
  return tl::unexpected(ModelError{code, fmt::format("{}: {}", path, what)});
}

// Numbers that follow from others when a model is loaded, which old files have, too.
bool IsDerived(std::string_view name) { return name.ends_with(".rotary_emb.inv_freq"); }

tl::expected<void, ModelError> CheckShape(const FamilyTensor& want,
                                          const HuggingFaceFolder::Tensor& found) {
  std::vector<uint64_t> shape;
  if (want.rows > 0) shape.push_back(static_cast<uint64_t>(want.rows));
  shape.push_back(static_cast<uint64_t>(want.columns));
  if (found.tensor->shape == shape) return {};
  return RefusePlace(found.file->path(), ModelErrorCode::kFormat,
                     fmt::format("tensor {} has the shape {}, the sizes of config.json need {}; "
                                 "take both files from the same model",
                                 want.hugging_face_name, fmt::join(found.tensor->shape, " x "),
                                 fmt::join(shape, " x ")));
}

// Refuses a tensor that no family has: its effect would be missing.
tl::expected<void, ModelError> CheckAllKnown(const HuggingFaceFolder& folder,
                                             const std::vector<FamilyTensor>& known) {
  std::set<std::string_view> names;
  for (const FamilyTensor& tensor : known) names.insert(tensor.hugging_face_name);
  for (const auto& [name, found] : folder.tensors()) {
    if (names.contains(name) || IsDerived(name)) continue;
    return RefusePlace(
        found.file->path(), ModelErrorCode::kUnsupported,
        fmt::format("tensor {} is no part of a '{}' model that tenon knows; take a plain model of "
                    "this family",
                    name, folder.config().String("model_type").value_or("?")));
  }
  return {};
}

}  // namespace

tl::expected<GgufFile, ModelError> MapTensors(const HuggingFaceFolder& folder,
                                              const LlamaConfig& config) {
  // Untrusted: a file that claims a million layers must not make us list the names of their
  // tensors.
  if (static_cast<size_t>(config.layers) >
      std::min<size_t>(folder.tensors().size(), static_cast<size_t>(kMaxLayers))) {
    return RefusePlace(folder.config().path(), ModelErrorCode::kFormat,
                       fmt::format("its {} is {}, but the folder has {} tensors; "
                                   "take all files from the same model",
                                   FamilySizes().front().ConfigKey(config.traits), config.layers,
                                   folder.tensors().size()));
  }
  auto kept = std::make_shared<Kept>(Kept{folder.shards(), FamilyTensors(config)});
  if (auto known = CheckAllKnown(folder, kept->names); !known) return tl::unexpected(known.error());
  std::vector<GgufTensor> tensors;
  for (const FamilyTensor& want : kept->names) {
    const bool head = want.hugging_face_name == kHead;
    if (want.hugging_face_name.empty() || (head && config.head_is_embedding)) continue;
    const HuggingFaceFolder::Tensor* found = folder.Find(want.hugging_face_name);
    if (!found) {
      return RefusePlace(
          folder.path(), ModelErrorCode::kFormat,
          fmt::format("tensor {} is missing{}; fetch the whole folder again",
                      want.hugging_face_name,
                      head ? ", and tie_word_embeddings of config.json is not on" : ""));
    }
    if (auto fits = CheckShape(want, *found); !fits) return tl::unexpected(fits.error());
    // The fastest-running dimension first.
    std::vector<uint64_t> dims(found->tensor->shape.rbegin(), found->tensor->shape.rend());
    tensors.push_back({want.gguf_name, found->tensor->type, std::move(dims), found->tensor->data});
  }
  return GgufFile::OfTensors(folder.path(), std::move(kept), std::move(tensors));
}

}  // namespace tenon::model
