// The masks of one gap as the sampler needs them: sets of tokens outside of which every token is
// refused.
//
// A mask holds the tokens that keep the gap viable. They come from the mask store of the gap's
// language (constraint/mask/masker.h), or from the automaton of an expression
// (constraint/mask/expression_masks.h).
// Example: in `[1, |]` the mask holds `2`, `"`, `[` and many others, and not `}`.
//
// Two kinds of token are in every mask, because only the filter can decide them
// (server/complete/gap_filter.h): the end tokens, and tokens that write into the text right of the
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
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "constraint/gap/gap.h"
#include "constraint/mask/mask.h"
#include "model/sampling/sampling.h"

namespace tenon::server {

// The store of the gap's language; nothing while there is none.
using StoreSource = std::function<std::shared_ptr<const constraint::MaskStore>()>;
// The tokens of the model: masks of an expression need no more. Nothing while they are being read.
using VocabularySource = std::function<std::shared_ptr<const constraint::TokenVocabulary>()>;
// One of them, or none.
struct MaskSource {
  StoreSource store = {};
  VocabularySource vocabulary = {};  // of a gap whose language is one expression
  explicit operator bool() const { return store || vocabulary; }
};

class GapMasks {
 public:
  // `always`: is a token of these bytes in every mask? Called once for each token.
  GapMasks(MaskSource source, std::vector<model::TokenId> ends,
           std::function<bool(std::string_view)> always)
      : source_(std::move(source)), ends_(std::move(ends)), always_(std::move(always)) {}

  // Empty: the store or the vocabulary is not there yet. The span is valid until the next call.
  model::TokenBits Of(const constraint::GapState& state, std::string_view healed);

 private:
  bool Begin(const constraint::GapState& state);
  // Adds the tokens that begin `text`, and those that `text` begins.
  void AddAlong(std::string_view text);

  MaskSource source_;
  std::vector<model::TokenId> ends_;
  std::function<bool(std::string_view)> always_;
  std::shared_ptr<const constraint::TokenVocabulary> vocabulary_;
  std::optional<constraint::Masker> masker_;  // one of these two, once its source is there
  std::optional<constraint::ExpressionMasks> expression_;
  std::vector<uint64_t> kept_;  // in every mask
  std::vector<uint64_t> mask_;
};

}  // namespace tenon::server
