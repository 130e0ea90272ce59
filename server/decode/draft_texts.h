// The tokens of other texts, from which drafts are taken (ngram_drafts.h).
//
// Code is often written after the pattern of a file next to it. Example: `worker.py` is open, with
// `self._queue.put(task)` in it, and the user writes `self._queue` in `client.py`. The draft is
// `.put(task)`.
//
// Finding a text's tokens takes some milliseconds for 64 KB. So they are found once for a text, in
// steps between which the caller may stop; a text that is changed is another text.
//
// Memory: of kMaxTexts texts the first kMaxBytes each, with 4 bytes for each token, and the texts
// as long as they are shared. Thread rule: one thread at a time.
#pragma once

#include <list>
#include <span>
#include <stop_token>
#include <vector>

#include "model/text/text.h"
#include "server/request/completer.h"

namespace tenon::server {

class DraftTexts {
 public:
  static constexpr size_t kMaxTexts = 4;
  static constexpr size_t kMaxBytes = size_t{64} << 10;  // of each

  // REQUIRES: the tokenizer outlives this.
  explicit DraftTexts(const model::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // Knows the tokens of these texts, and of no others, when it is not stopped.
  void Learn(std::span<const OtherText> texts, const std::stop_token& stop);
  // Of the texts that were learnt last.
  [[nodiscard]] std::vector<std::span<const TokenId>> tokens() const;

 private:
  struct Text {
    SharedText text;
    size_t bytes = 0;  // whose tokens are known
    std::vector<TokenId> tokens;
  };

  const model::Tokenizer& tokenizer_;
  std::list<Text> texts_;
};

}  // namespace tenon::server
