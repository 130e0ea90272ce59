#include "tests/oracle/fewest_tokens.h"

#include <algorithm>
#include <vector>

#include "constraint/gap/gap.h"

namespace tenon::constraint {

FewestTokens::FewestTokens(std::span<const std::string_view> vocabulary) {
  tokens_.reserve(vocabulary.size());
  for (std::string_view bytes : vocabulary) {
    if (bytes.empty()) continue;
    tokens_.insert(bytes);
    longest_ = std::max(longest_, bytes.size());
  }
}

uint32_t FewestTokens::operator()(std::string_view text) const {
  std::vector<uint32_t> fewest(text.size() + 1, kNoTokens);
  fewest[0] = 0;
  for (size_t begin = 0; begin < text.size(); ++begin) {
    if (fewest[begin] == kNoTokens) continue;
    size_t most = std::min(longest_, text.size() - begin);
    for (size_t length = 1; length <= most; ++length) {
      if (!tokens_.contains(text.substr(begin, length))) continue;
      fewest[begin + length] = std::min(fewest[begin + length], fewest[begin] + 1);
    }
  }
  return fewest.back();
}

}  // namespace tenon::constraint
