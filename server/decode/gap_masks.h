// The masks of one gap as the sampler needs them: sets of tokens outside of which every token is
// refused.
//
// A mask holds the tokens that keep the gap viable (tenon/masker.h).
// Example: in `[1, |]` the mask holds `2`, `"`, `[` and many others, and not `}`.
//
// Two kinds of token are in every mask, because only the filter can decide them
// (server/decode/gap_filter.h): the end tokens, and tokens that write into the text right of the
// cursor.
//
// While healed text is to be reproduced, the mask holds the tokens that begin it and those that it
// begins. Example: with `na` to be reproduced it holds `n`, `na` and `name`.
//
// Cost: for a mask that was met before a microsecond, for the copy; once a gap a millisecond, to
// find the tokens that write into the right context.
// Thread rule: one thread at a time, that of the gap.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "model/sampling/sampling.h"
#include "tenon/masker.h"

namespace tenon::server {

// The store of the gap's language; nothing while it is being made. An empty function: no masks.
using MaskSource = std::function<std::optional<MaskStore>()>;

class GapMasks {
 public:
  // `always`: is a token of these bytes in every mask? Called once for each token.
  GapMasks(MaskSource source, std::vector<TokenId> ends,
           std::function<bool(std::string_view)> always)
      : source_(std::move(source)), ends_(std::move(ends)), always_(std::move(always)) {}

  // Empty: the store is not there yet. The span is valid until the next call.
  model::TokenBits Of(const Gap& gap, std::string_view healed);

 private:
  bool Begin();

  MaskSource source_;
  std::vector<TokenId> ends_;
  std::function<bool(std::string_view)> always_;
  std::optional<Masker> masker_;  // once the store is there
  std::vector<uint64_t> kept_;    // in every mask
  std::vector<uint64_t> mask_;
};

}  // namespace tenon::server
