#include "tenon/token_model.h"

#include <algorithm>
#include <cassert>

namespace tenon {

Result<TokenModel::Logits> Prefill(TokenModel& model, std::span<const TokenId> prompt) {
  assert(!prompt.empty() && "there are no logits after no token");
  const std::span<const TokenId> held = model.tokens();
  const auto common = static_cast<size_t>(
      std::mismatch(held.begin(), held.end(), prompt.begin(), prompt.end()).first - held.begin());
  model.Rewind(std::min(common, prompt.size() - 1));
  return model.Append(prompt.subspan(model.tokens().size()));
}

}  // namespace tenon
