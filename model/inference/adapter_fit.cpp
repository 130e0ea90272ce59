#include "model/inference/adapter_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tenon::model {
namespace {

struct Shape {
  uint64_t rows = 0;
  uint64_t columns = 0;
};

Shape ShapeOf(Projection projection, const LlamaConfig& config) {
  const auto width = static_cast<uint64_t>(config.width);
  const auto feed_forward = static_cast<uint64_t>(config.feed_forward);
  const auto head_width = static_cast<uint64_t>(config.head_width);
  const uint64_t query = config.heads * head_width, key = config.kv_heads * head_width;
  switch (projection) {
    case Projection::kQuery:
      return {query, width};
    case Projection::kKey:
    case Projection::kValue:
      return {key, width};
    case Projection::kOutput:
      return {width, query};
    case Projection::kGate:
    case Projection::kUp:
      return {feed_forward, width};
    case Projection::kDown:
      break;
  }
  return {width, feed_forward};
}

// True where the file has the rows of the matrix in another order than Hugging Face.
bool HasPairsSideBySide(Projection projection, const LlamaConfig& config) {
  return !config.rotates_halves &&
         (projection == Projection::kQuery || projection == Projection::kKey);
}

}  // namespace

const char* MatrixOf(Projection projection) {
  constexpr const char* kMatrices[kProjectionCount] = {
      "attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"};
  return kMatrices[static_cast<size_t>(projection)];
}

tl::expected<void, ModelError> CheckAdapter(const PeftAdapter& adapter, const LlamaConfig& config) {
  const auto refuse = [&](const std::string& what) {
    return tl::unexpected(ModelError{
        ModelErrorCode::kFormat,
        fmt::format("{}: the adapter does not fit this model: {}; it was made for {}: take that "
                    "model, or leave the adapter out",
                    adapter.path, what,
                    adapter.base_model.empty() ? "another one" : adapter.base_model)});
  };
  for (const LowRankChange& change : adapter.changes) {
    if (change.layer >= static_cast<uint64_t>(config.layers)) {
      return refuse(fmt::format("it changes layer {}, and the model has {} layers", change.layer,
                                config.layers));
    }
    if (config.traits.has_no_gate && change.projection == Projection::kGate) {
      return refuse(fmt::format("layer {}, {}: the model has no such matrix", change.layer,
                                NameOf(change.projection)));
    }
    const Shape shape = ShapeOf(change.projection, config);
    if (change.rows != shape.rows || change.columns != shape.columns) {
      return refuse(fmt::format("layer {}, {}: {} x {}, but the model's is {} x {}", change.layer,
                                NameOf(change.projection), change.rows, change.columns, shape.rows,
                                shape.columns));
    }
    const auto is_finite = [&](float value) { return std::isfinite(adapter.scale * value); };
    if (!std::all_of(change.b.begin(), change.b.end(), is_finite)) {
      return refuse(fmt::format("layer {}, {}: its numbers times its scale of {} are too large",
                                change.layer, NameOf(change.projection), adapter.scale));
    }
  }
  if (!adapter.embedding) return {};
  if (adapter.embedding->columns != static_cast<uint64_t>(config.width)) {
    return refuse(fmt::format("its rows of the embedding have {} numbers, the model's have {}",
                              adapter.embedding->columns, config.width));
  }
  for (const TokenId token : adapter.embedding->tokens) {
    if (token.value >= static_cast<uint64_t>(config.vocabulary)) {
      return refuse(fmt::format("it changes token {}, and the vocabulary has {} tokens",
                                token.value, config.vocabulary));
    }
  }
  return {};
}

std::vector<MatrixChange> ChangesOf(const PeftAdapter& adapter, const LlamaConfig& config,
                                    int layer, const std::vector<Projection>& projections) {
  std::vector<MatrixChange> changes;
  for (size_t matrix = 0; matrix < projections.size(); ++matrix) {
    const LowRankChange* found = adapter.Find(static_cast<uint32_t>(layer), projections[matrix]);
    if (!found) continue;
    MatrixChange& change = changes.emplace_back(
        MatrixChange{static_cast<int>(matrix), static_cast<int>(found->rank), found->a, found->b});
    const size_t rank = found->rank, head = static_cast<size_t>(config.head_width);
    for (size_t row = 0; row < found->rows; ++row) {
      size_t from = row;
      if (HasPairsSideBySide(projections[matrix], config)) {
        const size_t in_head = row % head;
        from = row - in_head + in_head / 2 + in_head % 2 * (head / 2);
      }
      for (size_t i = 0; i < rank; ++i)
        change.b[row * rank + i] = adapter.scale * found->b[from * rank + i];
    }
  }
  return changes;
}

}  // namespace tenon::model
