// The way from a public class to the object of the engine that it holds, and back.
//
// A tenon::Gap holds a constraint::GapState that users cannot name. Sources of this room take it by
// `Internals::Of(gap)` and wrap a new one by `Internals::Wrap(state)`. Thread rule: none of its
// own.
#pragma once

#include <memory>
#include <utility>

#include "constraint/cache/cache.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask.h"
#include "tenon/tenon.h"

namespace tenon {

struct Internals {
  static const std::shared_ptr<const constraint::Language>& Of(const Language& language) {
    return language.compiled_;
  }
  static Language Wrap(std::shared_ptr<const constraint::Language> compiled, bool from_cache) {
    return {std::move(compiled), from_cache};
  }
  static const constraint::LanguageCache& Of(const Cache& cache) { return *cache.cache_; }
  static const constraint::GapState& Of(const Gap& gap) { return *gap.state_; }
  // REQUIRES: nothing has been written.
  static Gap Wrap(constraint::GapState opened) {
    return Gap(std::make_shared<const constraint::GapState>(std::move(opened)));
  }
  // `gap` in a later state.
  static Gap With(const Gap& gap, constraint::GapState state) {
    Gap later = gap;
    later.state_ = std::make_shared<const constraint::GapState>(std::move(state));
    return later;
  }
  static const constraint::GapState& OpenedOf(const Gap& gap) { return *gap.opened_; }
  static const std::shared_ptr<const constraint::TokenVocabulary>& Of(
      const Vocabulary& vocabulary) {
    return vocabulary.tokens_;
  }
  // Null for a regular expression.
  static const std::shared_ptr<const constraint::MaskStore>& Of(const MaskStore& store) {
    return store.store_;
  }
};

// The predicates that hold at `level`. Levels beyond the last one count as the last.
constraint::PredicateBits BitsOf(const constraint::Language& language, Level level);
constraint::GapPolicy PolicyOf(const constraint::Language& language, GapOptions options);

}  // namespace tenon
