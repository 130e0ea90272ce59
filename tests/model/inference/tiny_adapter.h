// An adapter of random numbers for the tiny model, and the changes that it makes, multiplied out.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "tests/model/inference/naive_forward.h"

namespace tenon::model {

// Changes every projection of layer 1 that the family has, the query of layer 0, and the embedding
// of tokens 9 and 4.
inline PeftAdapter TinyAdapter(const LlamaConfig& config, uint64_t rank = 3) {
  uint32_t state = 99;
  const auto numbers = [&state](uint64_t n) {
    std::vector<float> values(n);
    for (float& value : values) {
      state = state * 1664525u + 1013904223u;
      // Sixteenths below 1: exact in 16 bits.
      value = static_cast<float>(static_cast<int>(state >> 27) - 16) / 16.0f;
    }
    return values;
  };
  const auto width = static_cast<uint64_t>(config.width);
  const auto feed_forward = static_cast<uint64_t>(config.feed_forward);
  const auto key = static_cast<uint64_t>(config.kv_heads * config.head_width);
  const std::pair<uint64_t, uint64_t> shapes[kProjectionCount] = {
      {width, width},        {key, width},          {key, width},         {width, width},
      {feed_forward, width}, {feed_forward, width}, {width, feed_forward}};
  PeftAdapter adapter;
  adapter.path = "adapter";
  adapter.base_model = "some/base";
  adapter.scale = 0.5f;
  for (uint32_t layer = 0; layer < 2; ++layer) {
    for (int i = 0; i < (layer == 0 ? 1 : kProjectionCount); ++i) {
      if (config.traits.has_no_gate && static_cast<Projection>(i) == Projection::kGate) continue;
      const auto [rows, columns] = shapes[i];
      adapter.changes.push_back({layer, static_cast<Projection>(i), rank, rows, columns,
                                 numbers(rank * columns), numbers(rows * rank)});
    }
  }
  adapter.embedding = EmbeddingChange{{{9}, {4}}, width, numbers(2 * width)};
  return adapter;
}

// The sums that the adapter adds to tensors of the file, in the order of the file's rows.
inline NaiveForward::Sums MultipliedOut(const PeftAdapter& adapter, const LlamaConfig& config) {
  constexpr const char* kTensors[kProjectionCount] = {
      "attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"};
  NaiveForward::Sums sums;
  for (const LowRankChange& change : adapter.changes) {
    std::vector<double>& sum = sums["blk." + std::to_string(change.layer) + "." +
                                    kTensors[static_cast<size_t>(change.projection)] + ".weight"];
    sum.resize(change.rows * change.columns);
    const bool interleaved = !config.rotates_halves && (change.projection == Projection::kQuery ||
                                                        change.projection == Projection::kKey);
    const auto half = static_cast<uint64_t>(config.head_width) / 2;
    for (uint64_t row = 0; row < change.rows; ++row) {
      // Row `i` of the half `h` of a head is row 2 i + h of it in the file.
      const uint64_t head = row / (2 * half), h = row / half % 2, i = row % half;
      const uint64_t place = interleaved ? head * 2 * half + 2 * i + h : row;
      for (uint64_t column = 0; column < change.columns; ++column) {
        for (uint64_t r = 0; r < change.rank; ++r) {
          sum[place * change.columns + column] += adapter.scale *
                                                  double{change.b[row * change.rank + r]} *
                                                  change.a[r * change.columns + column];
        }
      }
    }
  }
  if (adapter.embedding) {
    const auto width = adapter.embedding->columns;
    std::vector<double>& sum = sums[NaiveForward::kInput];
    sum.resize(static_cast<size_t>(config.vocabulary) * width);
    for (size_t i = 0; i < adapter.embedding->tokens.size(); ++i) {
      for (uint64_t column = 0; column < width; ++column)
        sum[adapter.embedding->tokens[i].value * width + column] +=
            adapter.embedding->rows[i * width + column];
    }
  }
  return sums;
}

}  // namespace tenon::model
