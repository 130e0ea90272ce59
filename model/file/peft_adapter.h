// A LoRA adapter in the layout of Hugging Face PEFT, read: small changes to a base model's weights.
//
// An adapter is a folder of two files, adapter_config.json and adapter_model.safetensors. For a
// matrix W [rows, columns] of the base it holds A [rank, columns] and B [rows, rank]; the adapted
// model computes with
//
//   W + scale * B A,   scale = lora_alpha / r,   rank = r
//
// The names of the tensors say which matrix: layer 3's query projection is changed by
// base_model.model.model.layers.3.self_attn.q_proj.lora_A.weight and ....lora_B.weight.
// Example: an adapter with r = 16 and lora_alpha = 32 has the scale 2; Find(3, Projection::kQuery)
// has the A and B of that layer.
//
// Rows are in the order of Hugging Face's models. A GGUF file of architecture `llama` has the rows
// of the query and key projections in another order (tools/model/merge_adapter.py,
// interleave_rope_rows); the caller sees to that, and compares the shapes with the base model's.
//
// Two additions of ours (models/smollm2-135m-fim/README.md): the tensor
// input_embedding_delta.weight adds rows to the embeddings of the tokens
// `input_embedding_delta_token_ids`, and `fim_template` and `fim_end` are the prompt's template.
// PEFT does not know them.
//
// Source: Hu and others 2021, LoRA, https://arxiv.org/abs/2106.09685, section 4.1 (the formula);
// https://github.com/huggingface/peft, LoraConfig and docs/source/developer_guides/checkpoint.md.
// Where we differ: whatever computes otherwise (rsLoRA, DoRA, biases, ranks or scales by module,
// whole modules, changed base weights) is refused, and so is a module that is no projection.
//
// Trust: a file comes from anywhere; all that this header promises is checked, finite values too.
// Cost: reading and converting, about 1 GB/s of floats. Thread rule: immutable after Open.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/safetensors.h"
#include "model/model_error.h"
#include "tenon/token_id.h"

namespace tenon::model {

// The matrices of a layer that an adapter may change.
enum class Projection : uint8_t { kQuery, kKey, kValue, kOutput, kGate, kUp, kDown };
inline constexpr int kProjectionCount = 7;
// The name in Hugging Face's models: "q_proj".
std::string_view NameOf(Projection projection);

// The change of one matrix: scale * B A.
struct LowRankChange {
  uint32_t layer = 0;
  Projection projection = Projection::kQuery;
  uint64_t rank = 0;
  uint64_t rows = 0;
  uint64_t columns = 0;
  // [rank, columns], row by row.
  std::vector<float> a;
  // [rows, rank], row by row.
  std::vector<float> b;
};

// Rows that are added to the embedding: row i, of `columns` values, to that of tokens[i].
struct EmbeddingChange {
  std::vector<TokenId> tokens;
  uint64_t columns = 0;
  std::vector<float> rows;
};

struct PeftAdapter {
  // The folder.
  std::string path;
  // `base_model_name_or_path`; empty where the adapter does not say.
  std::string base_model;
  float scale = 0;
  // Sorted by layer, then projection; at least one. Equal projections of all layers have equal
  // shapes.
  std::vector<LowRankChange> changes;
  std::optional<EmbeddingChange> embedding;
  std::optional<std::string> fim_template;
  std::optional<std::string> fim_end;

  // nullptr where the adapter does not change that matrix.
  const LowRankChange* Find(uint32_t layer, Projection projection) const;

  // Errors: kFile, a file of the folder cannot be opened; kFormat, it is damaged, or the two do not
  // belong together; kUnsupported, the adapter computes otherwise.
  static tl::expected<PeftAdapter, ModelError> Open(const std::string& folder);
};

}  // namespace tenon::model
