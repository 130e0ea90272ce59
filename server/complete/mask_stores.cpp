#include "server/complete/mask_stores.h"

#include <filesystem>
#include <utility>

#include "constraint/cache/cache.h"

namespace tenon::server {

std::vector<std::string> TokenTexts(const model::Tokenizer& tokenizer) {
  std::vector<std::string> texts;
  texts.reserve(static_cast<size_t>(tokenizer.size()));
  for (model::TokenId id = 0; id < tokenizer.size(); ++id)
    texts.emplace_back(tokenizer.IsControl(id) ? std::string_view() : tokenizer.Bytes(id));
  return texts;
}

std::shared_ptr<const constraint::TokenVocabulary> VocabularyOf(const model::Tokenizer& tokenizer) {
  return std::make_shared<const constraint::TokenVocabulary>(TokenTexts(tokenizer));
}

MaskStores::MaskStores(const model::Tokenizer& tokenizer,
                       std::shared_ptr<const constraint::LanguageCache> cache)
    : tokenizer_(tokenizer),
      cache_(cache ? std::move(cache)
                   : std::make_shared<const constraint::LanguageCache>(std::filesystem::path())) {}

std::shared_ptr<const constraint::MaskStore> MaskStores::Of(
    const std::shared_ptr<const constraint::Language>& language) {
  std::lock_guard lock(mutex_);
  const auto [at, fresh] = stores_.try_emplace(language, nullptr);
  if (fresh) builders_.emplace_back([this, language] { Build(language); });
  return at->second;
}

std::shared_ptr<const constraint::TokenVocabulary> MaskStores::Vocabulary() {
  std::lock_guard lock(mutex_);
  if (!std::exchange(vocabulary_asked_, true)) builders_.emplace_back([this] { ReadVocabulary(); });
  return vocabulary_;
}

void MaskStores::ReadVocabulary() {
  std::call_once(vocabulary_read_, [this] {
    auto vocabulary = VocabularyOf(tokenizer_);
    std::lock_guard lock(mutex_);
    vocabulary_ = std::move(vocabulary);
  });
}

void MaskStores::Build(const std::shared_ptr<const constraint::Language>& language) {
  ReadVocabulary();
  auto store = cache_->Store(language, vocabulary_).value;
  std::lock_guard lock(mutex_);
  stores_[language] = std::move(store);
}

void MaskStores::Wait() {
  std::vector<std::jthread> building;
  {
    std::lock_guard lock(mutex_);
    building = std::exchange(builders_, {});
  }
}

}  // namespace tenon::server
