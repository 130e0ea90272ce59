#include "tenon/masker.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "constraint/base/base.h"
#include "constraint/gap/gap.h"
#include "constraint/library/internals.h"
#include "constraint/mask/mask.h"

namespace tenon {

MaskStore MaskStore::Build(const Language& language, const Vocabulary& vocabulary,
                           const Cache& cache) {
  MaskStore store(language, vocabulary);
  if (language.is_expression()) return store;
  auto built = Internals::Of(cache).Store(Internals::Of(language), Internals::Of(vocabulary));
  store.store_ = std::move(built.value);
  store.from_cache_ = built.from_disk;
  if (built.file_bytes > 0) store.file_ = CacheFile{std::move(built.file), built.file_bytes};
  return store;
}

size_t MaskStore::memory_bytes() const { return store_ ? store_->memory_bytes() : 0; }

MaskStoreCounts MaskStore::Counts() const {
  MaskStoreCounts counts;
  if (!store_) return counts;
  for (constraint::MaskStore::Count& step : constraint::CountEntries(*store_))
    counts.steps.push_back({std::move(step.name), step.count});
  counts.token_sets = store_->sets().size();
  return counts;
}

struct Masker::State {
  explicit State(MaskStore built) : store(std::move(built)) {}

  MaskStore store;
  std::shared_ptr<const constraint::SharedGap> gap;  // that of the last mask
  std::optional<constraint::Masker> masker;          // one of these two, for the states of `gap`
  std::optional<constraint::ExpressionMasks> expression;
  std::vector<uint64_t> checked;  // a mask made without them

  const constraint::TokenVocabulary& vocabulary() const {
    return *Internals::Of(store.vocabulary());
  }

  void Begin(const constraint::GapState& state) {
    if (gap == state.shared()) return;
    masker.reset();
    expression.reset();
    gap = state.shared();
    if (Internals::Of(store))
      masker.emplace(Internals::Of(store), state);
    else
      expression.emplace(state, Internals::Of(store.vocabulary()));
  }

  // Adds the tokens that fit after `state`: a walk over the vocabulary's trie.
  void CheckEach(const constraint::GapState& state) {
    const std::span<const constraint::TokenVocabulary::Node> nodes = vocabulary().nodes();
    std::vector<constraint::GapState> path{state};  // [bytes read]
    for (uint32_t node = 0; node < vocabulary().node_count();) {
      while (path.size() > nodes[node].depth) path.pop_back();
      constraint::GapState next = path.back();
      const char byte = static_cast<char>(nodes[node].byte);
      if (!next.Accept(std::string_view(&byte, 1))) {
        node = nodes[node].end;
        continue;
      }
      path.push_back(std::move(next));
      const auto own = vocabulary().TokensOf(node).first(vocabulary().OwnTokens(node));
      for (const TokenId token : own) constraint::SetBit(checked, token.value);
      ++node;
    }
  }
};

Masker::Masker(MaskStore store) : state_(std::make_unique<State>(std::move(store))) {}
Masker::Masker(Masker&&) noexcept = default;
Masker& Masker::operator=(Masker&&) noexcept = default;
Masker::~Masker() = default;

std::span<const uint64_t> Masker::Of(const Gap& gap) {
  State& known = *state_;
  const constraint::GapState& state = Internals::Of(gap);
  const bool prepared =
      &state.shared()->language() == Internals::Of(known.store.language()).get() &&
      state.shared()->policy().emit;
  if (state.viable() && prepared) {
    known.Begin(state);
    return (known.masker ? known.masker->Of(state) : known.expression->Of(state)).words();
  }
  known.checked.assign(constraint::WordsFor(known.vocabulary().size()), 0);
  if (state.viable()) known.CheckEach(state);
  return known.checked;
}

const MaskStore& Masker::store() const { return state_->store; }

size_t Masker::memory_bytes() const {
  if (state_->masker) return state_->masker->memory_bytes();
  return state_->expression ? state_->expression->memory_bytes() : 0;
}

std::vector<TokenId> TokensIn(std::span<const uint64_t> mask) {
  std::vector<TokenId> tokens;
  for (size_t word = 0; word < mask.size(); ++word) {
    for (uint64_t left = mask[word]; left != 0; left &= left - 1)
      tokens.push_back(
          {static_cast<uint32_t>(64 * word + static_cast<size_t>(std::countr_zero(left)))});
  }
  return tokens;
}

void ApplyMask(std::span<const uint64_t> mask, std::span<float> logits) {
  for (uint32_t token = 0; token < logits.size(); ++token) {
    if (!Allows(mask, TokenId{token})) logits[token] = -std::numeric_limits<float>::infinity();
  }
}

}  // namespace tenon
