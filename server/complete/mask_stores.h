// The mask stores of the languages that are being completed, for the vocabulary of one model.
//
// A store is built once for each language, or read from the cache, on a thread of its own. Building
// begins when the store is first asked for, and nobody waits for it but the destructor.
// Example: the first completion in a JSON file is decoded without masks, token by token. A second
// later the store is there, and the next completion uses it.
//
// Masks of an expression need the vocabulary alone, which is read in the same way.
//
// Cost: docs/measured.md, "Masks in the decode loop". Thread rule: any thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "constraint/mask/mask.h"
#include "model/text/text.h"

namespace tenon::constraint {
class LanguageCache;
}

namespace tenon::server {

// [token id] the bytes that it writes; empty for a control token, which stands for no text.
[[nodiscard]] std::vector<std::string> TokenTexts(const model::Tokenizer& tokenizer);
// The same as masks know them.
[[nodiscard]] std::shared_ptr<const constraint::TokenVocabulary> VocabularyOf(
    const model::Tokenizer& tokenizer);

class MaskStores {
 public:
  // `cache`, where given, keeps the stores. REQUIRES: the tokenizer outlives the mask stores.
  explicit MaskStores(const model::Tokenizer& tokenizer,
                      std::shared_ptr<const constraint::LanguageCache> cache = nullptr);
  MaskStores(const MaskStores&) = delete;

  // Nothing: the store is being built.
  std::shared_ptr<const constraint::MaskStore> Of(
      const std::shared_ptr<const constraint::Language>& language);
  // Nothing: the vocabulary is being read.
  std::shared_ptr<const constraint::TokenVocabulary> Vocabulary();
  // Returns when everything is there that is being built or read.
  void Wait();

 private:
  void Build(const std::shared_ptr<const constraint::Language>& language);
  void ReadVocabulary();

  const model::Tokenizer& tokenizer_;
  const std::shared_ptr<const constraint::LanguageCache> cache_;
  // Guards all below it, but for vocabulary_ after ReadVocabulary, which nobody writes any more.
  std::mutex mutex_;
  std::unordered_map<std::shared_ptr<const constraint::Language>,
                     std::shared_ptr<const constraint::MaskStore>>
      stores_;
  bool vocabulary_asked_ = false;
  std::once_flag vocabulary_read_;
  std::shared_ptr<const constraint::TokenVocabulary> vocabulary_;
  std::vector<std::jthread> builders_;  // last: they end before the stores do
};

}  // namespace tenon::server
