// Masks: all tokens of a vocabulary that the middle of a gap may go on with, found at once.
//
//   mask(gap) = { token : gap.Check(bytes of token) }
//
// A decode loop takes the logits of all other tokens away before it draws. Example: in the JSON
// text `{"a": |}` the tokens `1`, `"` and `[` keep their logits, and `}` and `,` lose theirs.
//
//   const auto store = tenon::MaskStore::Build(json, vocabulary);  // once
//   tenon::Masker masker(store);                                   // one a thread
//   tenon::ApplyMask(masker.Of(gap), logits);
//
// The *mask store* holds the effect of every token on the lexer, from each of its states. It is
// built once for a language and a vocabulary, kept in a cache if there is one, and shared. A
// *masker* makes masks from it and remembers them.
//
// A mask has a bit a token: word i holds the tokens 64 i to 64 i + 63. Tokens without bytes are
// never allowed; a token that ends the text is allowed where gap.Member() holds, and the caller
// says so. A budget is no part of a mask: a drawn token is still offered to Budget::Accept.
//
// Source: Ugare et al., SynCode: LLM Generation with Grammar Augmentation, 2024; Willard and Louf,
// Efficient Guided Generation for Large Language Models, 2023.
// Cost: a store takes about a second for a large grammar and 50,000 tokens; a mask that was met
// before some hundred nanoseconds, a new one some tens or hundreds of microseconds.
// Thread rule: a store is immutable, any threads; a masker belongs to one thread at a time,
// together with the gaps that it is asked about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tenon/cache.h"
#include "tenon/export.h"
#include "tenon/gap.h"
#include "tenon/language.h"
#include "tenon/token_id.h"
#include "tenon/vocabulary.h"

namespace tenon {

namespace constraint {
class MaskStore;
}

// The entries of a store: pairs of a lexer state and a sequence of lexemes that some token writes.
// Streamlining leaves fewer of them, and no mask changes.
struct MaskStoreCounts {
  struct Step {
    std::string name;
    size_t entries = 0;  // left after it
  };
  std::vector<Step> steps;  // first "entries_before", last "entries_after"
  size_t token_sets = 0;    // distinct ones
};

class TENON_API MaskStore {
 public:
  // For a language of one regular expression nothing is built: its masks need the vocabulary alone.
  [[nodiscard]] static MaskStore Build(const Language& language, const Vocabulary& vocabulary,
                                       const Cache& cache = Cache());

  const Language& language() const { return language_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  bool from_cache() const { return from_cache_; }
  // The file that keeps it from run to run; nothing: it is not kept.
  const std::optional<CacheFile>& file() const { return file_; }
  [[nodiscard]] size_t memory_bytes() const;
  // None for a regular expression. Cost: seconds, stores are built without single steps.
  [[nodiscard]] MaskStoreCounts Counts() const;

 private:
  friend struct Internals;
  MaskStore(Language language, Vocabulary vocabulary)
      : language_(std::move(language)), vocabulary_(std::move(vocabulary)) {}
  Language language_;
  Vocabulary vocabulary_;
  std::shared_ptr<const constraint::MaskStore> store_;  // null for a regular expression
  bool from_cache_ = false;
  std::optional<CacheFile> file_;
};

class TENON_API Masker {
 public:
  explicit Masker(MaskStore store);
  Masker(Masker&&) noexcept;
  Masker& operator=(Masker&&) noexcept;
  ~Masker();

  // The tokens that may come next; no bit where the gap is not viable. Valid until the next call.
  // Remembered masks serve all forks of one gap; another gap is begun anew. A gap of another
  // language, or with GapOptions::emit off, has its tokens checked one after another: right, and
  // slow.
  [[nodiscard]] std::span<const uint64_t> Of(const Gap& gap);
  const MaskStore& store() const;
  // Of the masks that are remembered.
  [[nodiscard]] size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Does the mask hold the token? False for tokens beyond its end.
[[nodiscard]] inline bool Allows(std::span<const uint64_t> mask, TokenId token) {
  const uint32_t word = token.value / 64;
  return word < mask.size() && (mask[word] >> token.value % 64 & 1) != 0;
}
// The tokens of a mask, ascending.
TENON_API std::vector<TokenId> TokensIn(std::span<const uint64_t> mask);
// Sets the logits of all tokens outside the mask to minus infinity; [TokenId].
TENON_API void ApplyMask(std::span<const uint64_t> mask, std::span<float> logits);

}  // namespace tenon
