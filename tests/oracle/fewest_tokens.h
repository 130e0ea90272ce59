// The fewest tokens of a vocabulary that write a text.
//
//   n(0) = 0,   n(i) = 1 + min n(j) over the j < i for which text[j, i) is a token
//
// A model may write a text by other tokens; it can always write it by these. n(ab) <= n(a) + n(b),
// so counts of pieces add up to bounds.
// Source: shortest path in a word graph, Cormen et al., Introduction to Algorithms, chapter 24.
// Cost: length of the text times that of the longest token, one hash look-up each. Thread rule:
// immutable; refers to the vocabulary's bytes, which must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <boost/unordered/unordered_flat_set.hpp>

namespace tenon::constraint {

class FewestTokens {
 public:
  // Empty tokens (those that direct the model) write nothing and are left out.
  explicit FewestTokens(std::span<const std::string_view> vocabulary);
  // kNoTokens where no tokens write `text`.
  uint32_t operator()(std::string_view text) const;

 private:
  boost::unordered_flat_set<std::string_view> tokens_;
  size_t longest_ = 0;  // bytes of a token
};

}  // namespace tenon::constraint
