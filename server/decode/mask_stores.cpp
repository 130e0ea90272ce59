#include "server/decode/mask_stores.h"

#include <algorithm>
#include <string>

namespace tenon::server {

Vocabulary VocabularyOf(const model::Tokenizer& tokenizer) {
  std::vector<std::string> texts;
  texts.reserve(tokenizer.size());
  for (uint32_t id = 0; id < tokenizer.size(); ++id) {
    const TokenId token{id};
    texts.emplace_back(tokenizer.IsControl(token) ? std::string_view() : tokenizer.Bytes(token));
  }
  return Vocabulary(texts);
}

MaskStores::MaskStores(const model::Tokenizer& tokenizer, Cache cache)
    : tokenizer_(tokenizer), cache_(std::move(cache)) {}

std::optional<MaskStore> MaskStores::Of(const Language& language) {
  std::lock_guard lock(mutex_);
  if (language.is_expression()) {
    if (vocabulary_) return MaskStore::Build(language, *vocabulary_);
    if (!std::exchange(vocabulary_wanted_, true))
      builders_.emplace_back([this] { ReadVocabulary(); });
    return std::nullopt;
  }
  for (const auto& [known, store] : stores_) {
    if (known == language) return store;
  }
  stores_.emplace_back(language, std::nullopt);
  builders_.emplace_back([this, language] { Build(language); });
  return std::nullopt;
}

void MaskStores::ReadVocabulary() {
  std::call_once(vocabulary_read_, [this] {
    Vocabulary read = VocabularyOf(tokenizer_);
    std::lock_guard lock(mutex_);
    vocabulary_ = std::move(read);
  });
}

void MaskStores::Build(const Language& language) {
  ReadVocabulary();
  MaskStore made = MaskStore::Build(language, *vocabulary_, cache_);
  std::lock_guard lock(mutex_);
  const auto at = std::find_if(stores_.begin(), stores_.end(),
                               [&](const auto& known) { return known.first == language; });
  at->second = std::move(made);
}

void MaskStores::Wait() {
  std::vector<std::jthread> building;
  {
    std::lock_guard lock(mutex_);
    building = std::exchange(builders_, {});
  }
}

}  // namespace tenon::server
