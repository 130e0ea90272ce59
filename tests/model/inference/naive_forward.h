// The forward pass as the papers have it: in double, all positions at once, without a cache.
//
// An oracle for small models. It reads the tensors of a file by name and shares the dequantizer and
// the metadata with the code under test, and nothing else.
// Example: NaiveForward(file, config).Logits({5, 9}) are the logits after the tokens 5 and 9.
// Source: Touvron et al. 2023, "LLaMA"; Su et al. 2021 (rotary positions); the biases of queries,
// keys and values and the pairs (i, i + width / 2) of a rotation: Qwen2 (Yang et al. 2024); the
// norms of heads: Qwen3 (Yang et al. 2025); layer norms, the window and the feed-forward without a
// gate: StarCoder2 (Lozhkov et al. 2024); the scaled embedding and the gate of gelu: Gemma (Gemma
// Team 2024); norms of what is added, layers that see all: Gemma 3 (Gemma Team 2025); learned
// positions and one matrix for q, k and v: SantaCoder (Ben Allal et al. 2023).
// Cost: quadratic in the tokens. Thread rule: pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "tenon/token_id.h"

namespace tenon::model {

class NaiveForward {
 public:
  using Vector = std::vector<double>;

  // Tensor -> numbers that are added to it, row by row. Those of kInput are added to the embedding
  // of the tokens that are read, and not to a head of the same tensor.
  static constexpr const char* kInput = "input";
  using Sums = std::map<std::string, std::vector<double>>;

  NaiveForward(const GgufFile& file, const LlamaConfig& config, Sums added = {})
      : file_(file), config_(config), added_(std::move(added)) {}

  Vector Logits(const std::vector<TokenId>& tokens) const {
    std::vector<Vector> x;
    for (const TokenId token : tokens) {
      const uint64_t position = x.size();
      x.push_back(Row("token_embd.weight", token.value));
      AddRow(kInput, token.value, x.back());
      if (config_.traits.scales_embedding) {
        for (double& value : x.back()) value *= std::sqrt(static_cast<double>(config_.width));
      }
      if (Has("position_embd.weight")) Add(Row("position_embd.weight", position), x.back());
    }
    for (int layer = 0; layer < config_.layers; ++layer) {
      const std::string blk = "blk." + std::to_string(layer) + ".";
      Attend(layer, x);
      for (Vector& at : x) {
        const Vector n = Norm(at, blk + "ffn_norm");
        Vector up = Linear(blk + "ffn_up", n);
        if (Has(blk + "ffn_gate.weight")) {
          const Vector gate = Linear(blk + "ffn_gate", n);
          for (size_t i = 0; i < gate.size(); ++i) {
            up[i] *=
                config_.traits.has_gelu_gate ? Gelu(gate[i]) : gate[i] / (1 + std::exp(-gate[i]));
          }
        } else {
          for (double& value : up) value = Gelu(value);
        }
        Add(NormIfThere(Linear(blk + "ffn_down", up), blk + "post_ffw_norm"), at);
      }
    }
    const bool tied = !Has("output.weight");
    return Times(tied ? "token_embd.weight" : "output.weight", Norm(x.back(), "output_norm"));
  }

 private:
  // A matrix, or a part of a fused one: queries, then keys, then values.
  struct Stored {
    const GgufTensor* tensor = nullptr;
    uint64_t first = 0, rows = 0;
  };
  Stored Find(const std::string& name) const {
    if (const GgufTensor* own = file_.FindTensor(name)) return {own, 0, own->rows()};
    const auto head = static_cast<uint64_t>(config_.head_width);
    const uint64_t query = config_.heads * head, key = config_.kv_heads * head;
    const std::pair<const char*, Stored> parts[] = {{"attn_q.", {nullptr, 0, query}},
                                                    {"attn_k.", {nullptr, query, key}},
                                                    {"attn_v.", {nullptr, query + key, key}}};
    for (const auto& [part, rows] : parts) {
      const size_t at = name.find(part);
      if (at == name.npos) continue;
      const std::string fused = name.substr(0, at) + "attn_qkv." + name.substr(at + 7);
      return {file_.FindTensor(fused), rows.first, rows.rows};
    }
    return {};
  }
  bool Has(const std::string& name) const { return Find(name).tensor != nullptr; }

  Vector Row(const std::string& tensor, uint64_t row) const {
    const Stored stored = Find(tensor);
    std::vector<float> values(stored.tensor->columns());
    DequantizeRows(*stored.tensor, stored.first + row, values);
    Vector sum(values.begin(), values.end());
    AddRow(tensor, row, sum);
    return sum;
  }
  // All of a vector.
  Vector Numbers(const std::string& tensor) const {
    const Stored stored = Find(tensor);
    std::vector<float> values(stored.tensor->columns());
    DequantizeRows(*stored.tensor, 0, values);
    const auto first = values.begin() + static_cast<ptrdiff_t>(stored.first);
    return stored.rows > 1 ? Vector(first, first + static_cast<ptrdiff_t>(stored.rows))
                           : Vector(values.begin(), values.end());
  }

  void AddRow(const std::string& of, uint64_t row, Vector& sum) const {
    const auto added = added_.find(of);
    if (added == added_.end()) return;
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += added->second[row * sum.size() + i];
  }

  Vector Times(const std::string& tensor, const Vector& x) const {
    Vector y;
    for (uint64_t row = 0; row < Find(tensor).rows; ++row) {
      const Vector w = Row(tensor, row);
      double sum = 0;
      for (size_t i = 0; i < w.size(); ++i) sum += w[i] * x[i];
      y.push_back(sum);
    }
    return y;
  }

  static void Add(const Vector& x, Vector& out) {
    for (size_t i = 0; i < out.size(); ++i) out[i] += x[i];
  }

  // A matrix with its bias, if the file has one.
  Vector Linear(const std::string& name, const Vector& x) const {
    Vector y = Times(name + ".weight", x);
    if (Has(name + ".bias")) Add(Numbers(name + ".bias"), y);
    return y;
  }

  static double Gelu(double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  }

  // With a bias a layer norm.
  Vector Norm(Vector x, const std::string& name) const {
    const bool has_bias = Has(name + ".bias");
    const auto n = static_cast<double>(x.size());
    const double mean = has_bias ? std::accumulate(x.begin(), x.end(), 0.0) / n : 0;
    double squares = 0;
    for (double& value : x) {
      value -= mean;
      squares += value * value;
    }
    const Vector w = Row(name + ".weight", 0);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] *= w[i] / std::sqrt(squares / n + config_.norm_epsilon);
    if (has_bias) Add(Row(name + ".bias", 0), x);
    return x;
  }

  Vector NormIfThere(const Vector& x, const std::string& name) const {
    return Has(name + ".weight") ? Norm(x, name) : x;
  }

  // A projection of q, k or v with its bias; where `rotated`, its heads normed, if the file has
  // such norms, and rotated for their position.
  Vector Project(const std::string& name, const Vector& n, int position, bool rotated,
                 double base) const {
    Vector y = Linear(name, n);
    if (!rotated) return y;
    const int pairs = config_.rope_width / 2;
    for (size_t head = 0; head < y.size(); head += static_cast<size_t>(config_.head_width)) {
      const auto begin = y.begin() + static_cast<ptrdiff_t>(head);
      const Vector normed = NormIfThere({begin, begin + config_.head_width}, name + "_norm");
      std::copy(normed.begin(), normed.end(), begin);
      for (int i = 0; i < pairs; ++i) {
        double& a = y[head + (config_.rotates_halves ? i : 2 * i)];
        double& b = y[head + (config_.rotates_halves ? i + pairs : 2 * i + 1)];
        const double angle = position * std::pow(base, -1.0 * i / pairs);
        const double turned = a * std::cos(angle) - b * std::sin(angle);
        b = a * std::sin(angle) + b * std::cos(angle);
        a = turned;
      }
    }
    return y;
  }

  void Attend(int layer, std::vector<Vector>& x) const {
    const std::string blk = "blk." + std::to_string(layer) + ".";
    const bool sees_all = !config_.sees_all.empty() && config_.sees_all[layer];
    const size_t window = sees_all ? 0 : static_cast<size_t>(config_.window);
    const double base =
        window > 0 && config_.window_rope_base > 0 ? config_.window_rope_base : config_.rope_base;
    std::vector<Vector> q, k, v;
    for (size_t p = 0; p < x.size(); ++p) {
      const Vector n = Norm(x[p], blk + "attn_norm");
      q.push_back(Project(blk + "attn_q", n, static_cast<int>(p), true, base));
      k.push_back(Project(blk + "attn_k", n, static_cast<int>(p), true, base));
      v.push_back(Project(blk + "attn_v", n, static_cast<int>(p), false, base));
    }
    const int width = config_.head_width, group = config_.heads / config_.kv_heads;
    for (size_t p = 0; p < x.size(); ++p) {
      Vector all(q[p].size());
      for (int head = 0; head < config_.heads; ++head) {
        const int from = head * width, of = head / group * width;
        Vector weights;
        double total = 0;
        const size_t first = window > 0 && p >= window ? p + 1 - window : 0;
        for (size_t before = first; before <= p; ++before) {
          double score = 0;
          for (int i = 0; i < width; ++i) score += q[p][from + i] * k[before][of + i];
          weights.push_back(std::exp(score / std::sqrt(static_cast<double>(width))));
          total += weights.back();
        }
        for (size_t before = first; before <= p; ++before) {
          for (int i = 0; i < width; ++i)
            all[from + i] += weights[before - first] / total * v[before][of + i];
        }
      }
      Add(NormIfThere(Linear(blk + "attn_output", all), blk + "post_attention_norm"), x[p]);
    }
  }

  const GgufFile& file_;
  const LlamaConfig& config_;
  const Sums added_;
};

}  // namespace tenon::model
