// Numbers of one type, read as another by one thread of a pool: in memory of that thread's slot
// where the types differ, and in place where they are the same.
//
// Example: the KV cache holds BFloat16, and a product takes floats. For slot 2 a
// ConvertedNumbers<BFloat16, float> gives the keys as floats, valid until its next call for slot
// 2.
//
// Inside the room only. Cost: a pass over the numbers where the types differ, else none.
// Thread rule: Reserve by one thread; Of by all slots at once.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "model/kernels/kernels.h"

namespace tenon::model {

// From, To: float or BFloat16.
template <typename From, typename To>
class ConvertedNumbers {
 public:
  // Makes room for n numbers of each slot.
  void Reserve(int slots, size_t n) {
    if constexpr (!std::is_same_v<From, To>) {
      room_ = n;
      numbers_.resize(static_cast<size_t>(slots) * n);
    }
  }
  // n numbers from x on. REQUIRES: at most as many as were reserved.
  const To* Of(const From* x, size_t n, int slot) {
    if constexpr (std::is_same_v<From, To>) {
      return x;
    } else {
      To* converted = numbers_.data() + static_cast<size_t>(slot) * room_;
      for (size_t i = 0; i < n; ++i) Round(ToFloat(x[i]), converted[i]);
      return converted;
    }
  }

 private:
  size_t room_ = 0;          // of a slot
  std::vector<To> numbers_;  // [slot, room_]
};

}  // namespace tenon::model
