// The mask stores of the languages that are being completed, for the vocabulary of one model.
//
// A store is built once for each language, or read from the cache, on a thread of its own. Building
// begins when the store is first asked for, and nobody waits for it but the destructor.
// Example: the first completion in a JSON file is decoded without masks, token by token. A second
// later the store is there, and the next completion uses it.
//
// Cost: docs/measured.md, "Compile and caches". Thread rule: any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "model/text/text.h"
#include "tenon/masker.h"

namespace tenon::server {

// The tokens of a model. A control token has no bytes, because it is no text.
[[nodiscard]] Vocabulary VocabularyOf(const model::Tokenizer& tokenizer);

class MaskStores {
 public:
  // REQUIRES: the tokenizer outlives the mask stores.
  explicit MaskStores(const model::Tokenizer& tokenizer, Cache cache = Cache());
  MaskStores(const MaskStores&) = delete;

  // Nothing: the store is being built. The store of an expression is not kept: building one costs
  // no more than reading the vocabulary.
  std::optional<MaskStore> Of(const Language& language);
  // Returns when every store is there that is being built.
  void Wait();

 private:
  void Build(const Language& language);
  void ReadVocabulary();

  const model::Tokenizer& tokenizer_;
  const Cache cache_;
  std::once_flag vocabulary_read_;
  // Guards all below it, but for vocabulary_ after ReadVocabulary, which nobody writes any more.
  std::mutex mutex_;
  std::vector<std::pair<Language, std::optional<MaskStore>>> stores_;
  bool vocabulary_wanted_ = false;
  std::optional<Vocabulary> vocabulary_;
  std::vector<std::jthread> builders_;  // last: they end before the stores do
};

}  // namespace tenon::server
