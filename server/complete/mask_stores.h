// The mask stores of the languages that are being completed, for the vocabulary of one model.
//
// A store is built once for each language, or read from the cache, on a thread of its own, begun when it is first asked for; nobody waits
// for it but the destructor. Until it is there decoding goes on without masks, token by token. Masks of an expression need the vocabulary alone, which
// is read in the same way.
// Cost: docs/measured.md, "Masks in the decode loop". Thread rule: any thread.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "constraint/mask/mask_store.h"
#include "model/text/text.h"

namespace tenon::constraint {
class LanguageCache;
}

namespace tenon::server {

// The tokens that write something, as masks know them; control tokens stand for no text.
[[nodiscard]] std::shared_ptr<const constraint::TokenVocabulary> VocabularyOf(const model::Tokenizer& tokenizer);

class MaskStores {
 public:
  // `cache`, where given, keeps what is built. REQUIRES: the tokenizer outlives it.
  explicit MaskStores(const model::Tokenizer& tokenizer,
                      std::shared_ptr<const constraint::LanguageCache> cache = nullptr);
  MaskStores(const MaskStores&) = delete;

  // Nothing: it is being built.
  std::shared_ptr<const constraint::MaskStore> Of(const std::shared_ptr<const constraint::Language>& language);
  // Nothing: they are being read.
  std::shared_ptr<const constraint::TokenVocabulary> Vocabulary();
  // Returns when what is being built or read is there.
  void Wait();

 private:
  void Build(const std::shared_ptr<const constraint::Language>& language);
  void ReadVocabulary();

  const model::Tokenizer& tokenizer_;
  const std::shared_ptr<const constraint::LanguageCache> cache_;
  std::mutex mutex_;  // of what follows, but for vocabulary_ behind ReadVocabulary, which is not written any more
  std::unordered_map<std::shared_ptr<const constraint::Language>, std::shared_ptr<const constraint::MaskStore>> stores_;
  bool vocabulary_asked_ = false;
  std::once_flag vocabulary_read_;
  std::shared_ptr<const constraint::TokenVocabulary> vocabulary_;
  std::vector<std::jthread> builders_;  // last: they end before what they write does
};

}  // namespace tenon::server
