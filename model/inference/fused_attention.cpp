#include "model/inference/fused_attention.h"

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/inference/model_family.h"

namespace tenon::model {

tl::expected<GgufFile, ModelError> SplitAttention(const GgufFile& file, const LlamaConfig& config) {
  const uint64_t head = static_cast<uint64_t>(config.head_width);
  const std::pair<const char*, uint64_t> parts[] = {{"attn_q", config.heads * head},
                                                    {"attn_k", config.kv_heads * head},
                                                    {"attn_v", config.kv_heads * head}};
  auto names = std::make_shared<std::deque<std::string>>();
  std::vector<GgufTensor> tensors;
  for (const GgufTensor& tensor : file.tensors()) {
    if (tensor.name.find(".attn_qkv.") == tensor.name.npos) tensors.push_back(tensor);
  }
  for (int layer = 0; layer < config.layers; ++layer) {
    for (const bool is_bias : {false, true}) {
      const char* const part = is_bias ? "bias" : "weight";
      const GgufTensor& fused = *file.FindTensor(GgufNameInLayer(layer, "attn_qkv", part));
      if (is_bias && LayoutOf(fused.type).block_elements != 1) {
        return Refuse(file, ModelErrorCode::kUnsupported,
                      fmt::format("tensor {} is stored in blocks; take a file whose biases are "
                                  "floats",
                                  fused.name));
      }
      const uint64_t row_bytes = is_bias ? LayoutOf(fused.type).block_bytes : fused.row_bytes();
      uint64_t first = 0;
      for (const auto& [name, rows] : parts) {
        GgufTensor view = fused;
        view.name = names->emplace_back(GgufNameInLayer(layer, name, part));
        view.dims = is_bias ? std::vector<uint64_t>{rows} : std::vector{fused.columns(), rows};
        view.data = fused.data.subspan(first * row_bytes, rows * row_bytes);
        tensors.push_back(std::move(view));
        first += rows;
      }
    }
  }
  return file.WithTensors(std::move(names), std::move(tensors));
}

}  // namespace tenon::model
