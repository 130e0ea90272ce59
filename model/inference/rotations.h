// The rotations of positions: cosines and sines for the numbers of a head.
//
// Pair i of a head turns by `position * frequencies[i]` radians. Example: with the frequencies
// {1, 0.01} position 3 turns the first pair by 3 radians and the second by 0.03.
//
// Source: Su et al. 2021, "RoFormer", section 3.4. Cost: 20 ns a pair and position.
// Thread rule: a value.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/inference/tensor_memory.h"

namespace tenon::model {

struct Rotations {
  Rotations() = default;
  // The rotations of positions [0, n).
  Rotations(int n, const std::vector<double>& frequencies)
      : cosines({n, static_cast<int64_t>(frequencies.size())}),
        sines({n, static_cast<int64_t>(frequencies.size())}) {
    const size_t pairs = frequencies.size();
    for (size_t at = 0; at < static_cast<size_t>(n) * pairs; ++at) {
      const double angle = static_cast<double>(at / pairs) * frequencies[at % pairs];
      cosines.data()[at] = static_cast<float>(std::cos(angle));
      sines.data()[at] = static_cast<float>(std::sin(angle));
    }
  }

  Tensor<float> cosines, sines;  // [position, pairs]
};

}  // namespace tenon::model
