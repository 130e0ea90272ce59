// Attention's matrices that a file has in one tensor, seen as three.
//
// Files of GPT-BigCode have the rows of queries, keys and values in one matrix, and their biases in
// one vector. The rest of the room knows three of each. Rows lie one after the other, so the three
// are views of the one:
//
//   blk.3.attn_qkv.weight [2304, 2048]   rows 0 to 2047     blk.3.attn_q.weight
//                                        rows 2048 to 2175  blk.3.attn_k.weight
//                                        rows 2176 to 2303  blk.3.attn_v.weight
//
// (SantaCoder: 16 heads of 128 numbers, one key head.)
// Source: transformers, modeling_gpt_bigcode.py, with multi_query; llama.cpp, `starcoder`.
// Inside the room only. Cost: a copy of the file's metadata. Thread rule: a pure function.
#pragma once

#include <tl/expected.hpp>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "model/model_error.h"

namespace tenon::model {

// The same file with attn_q, attn_k and attn_v in the place of attn_qkv; messages name the file's
// path. Error: kUnsupported, a bias is stored in blocks. REQUIRES: CheckLlamaTensors, and
// FamilyTraits::has_fused_attention.
tl::expected<GgufFile, ModelError> SplitAttention(const GgufFile& file, const LlamaConfig& config);

}  // namespace tenon::model
