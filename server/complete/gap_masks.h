// The masks of one gap as the sampler wants them, made from the store of its language, or by the automaton of an expression.
//
// To the tokens that keep the gap viable (constraint/mask/masker.h, expression_masks.h) come those that a filter has to be asked about itself: the ends, and
// tokens that write into what stands right of the cursor (server/complete/gap_filter.h). While healed text is to be reproduced, a mask
// holds the tokens that begin it and those that it begins.
// Cost: a mask that was met before, a microsecond for the copy; once a gap a millisecond for the tokens that overlap.
// Thread rule: one thread at a time, that of the gap.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "constraint/gap/gap_state.h"
#include "constraint/mask/expression_masks.h"
#include "constraint/mask/masker.h"
#include "model/sampling/sampling.h"

namespace tenon::server {

// The store of the gap's language; nothing while there is none.
using StoreSource = std::function<std::shared_ptr<const constraint::MaskStore>()>;
// The tokens of the model, which are all that masks of an expression are made from; nothing while they are being read.
using VocabularySource = std::function<std::shared_ptr<const constraint::TokenVocabulary>()>;
// One of them, or none.
struct MaskSource {
  StoreSource store = {};
  VocabularySource vocabulary = {};  // of a gap whose language is one expression
  explicit operator bool() const { return store || vocabulary; }
};

class GapMasks {
 public:
  // `always`: which tokens a filter has to be asked about itself, by their bytes; asked once for each token.
  GapMasks(MaskSource source, std::vector<model::TokenId> ends, std::function<bool(std::string_view)> always)
      : source_(std::move(source)), ends_(std::move(ends)), always_(std::move(always)) {}

  // Empty: what masks are made from is not there yet. The span holds until the next call.
  model::TokenBits Of(const constraint::GapState& state, std::string_view healed);

 private:
  bool Begin(const constraint::GapState& state);
  // Tokens that begin `text`, and those that `text` begins.
  void AddAlong(std::string_view text);

  MaskSource source_;
  std::vector<model::TokenId> ends_;
  std::function<bool(std::string_view)> always_;
  std::shared_ptr<const constraint::TokenVocabulary> vocabulary_;
  std::optional<constraint::Masker> masker_;  // one of these, once what it is made from is there
  std::optional<constraint::ExpressionMasks> expression_;
  std::vector<uint64_t> kept_;  // in every mask
  std::vector<uint64_t> mask_;
};

}  // namespace tenon::server
