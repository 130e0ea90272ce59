// The building of a mask store (mask_store.h). Example: the builder finds that the state of `whil`
// moves like the state of a plain name but for `e`, so it grows a new trie for `e` alone.
//
//   1. Each state chooses a reference state that moves alike (ChooseReferences).
//   2. Each state gets its pieces (AddState); a trie is grown when a piece first needs it
//      (sequence_trie.h) and adopted into the store's arrays (Adopt).
//   3. The tokens of a node are put into groups that can end as the same lexeme (AddGroups).
//   4. Sequences that a parser state decides alone are decided (streamline.h).
//
// Source and cost: mask_store.h. Thread rule: one thread.
#pragma once

#include <array>
#include <bitset>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/mask/mask_store.h"
#include "constraint/mask/sequence_trie.h"
#include "constraint/mask/streamline.h"

namespace tenon::constraint {

class MaskStoreBuilder {
 public:
  MaskStoreBuilder(std::shared_ptr<const Language> language,
                   std::shared_ptr<const TokenVocabulary> vocabulary, MaskStoreOptions options);
  std::shared_ptr<const MaskStore> Build();

 private:
  using Bytes = std::bitset<256>;

  SequenceTrie::Lines Lines() const {
    if (lines_) return SequenceTrie::Lines::kCount;
    return options_.interchangeable ? SequenceTrie::Lines::kIgnored : SequenceTrie::Lines::kRaw;
  }
  void ChooseReferences();
  void FindBlankStates();
  void AddState(DfaStateId q, LineContext line);
  // The trie of the first bytes `bytes`, which continue q's lexeme; one of `modes` is on top.
  SequenceNodeId OwnTrie(DfaStateId q, LineContext line, const Bytes& bytes, ModeMask modes);
  // `start`: the state in which the lexeme after q's begins.
  SequenceNodeId GuardedTrie(DfaStateId q, DfaStateId start, const Bytes& bytes);
  void ChooseSharing();
  SequenceNodeId StartTrie(DfaStateId start, LineContext line, const Bytes& bytes, ModeMask modes);
  // A piece for each state that a lexeme may begin in where one of `modes` is on top.
  void AddStarts(ModeMask modes, LineContext line, const MaskStore::Piece& like,
                 std::vector<MaskStore::Piece>& pieces);
  SequenceNodeId Adopt(const SequenceTrie& trie);
  void AddGroups(std::span<MaskStore::Member> members);  // puts them in another order
  bool MayEver(DfaStateId q, const Guards& guards) const {
    return !guards.empty() || futures_.Reaches(q);
  }
  TokenSetId TokensBeginning(const Bytes& bytes);
  DfaStateId GoesTo(DfaStateId q, int byte) const;

  std::shared_ptr<MaskStore> store_;
  const Lexer& lexer_;
  const LexemeFutures& futures_;  // of emitted text
  const TokenVocabulary& vocabulary_;
  MaskStoreOptions options_;
  bool lines_;
  LexemeSteps steps_;
  ByteKinds kinds_;
  std::vector<LexemeId> representative_;  // [LexemeId]
  BlanksTable blanks_;
  std::vector<bool> blank_;            // [DfaStateId] may end as ignorable text
  std::vector<DfaStateId> reference_;  // [DfaStateId] itself where it has a trie of its own
  std::map<std::pair<uint16_t, LineContext>, SequenceNodeId> own_tries_;
  std::map<std::tuple<uint16_t, LineContext, std::string>, SequenceNodeId> start_tries_;
  boost::unordered_flat_map<uint16_t, Bytes>
      live_;                   // [a start's DfaStateId] first bytes of emitted lexemes there
  std::vector<bool> sharing_;  // [start] with the default mode's
  Bytes common_;               // for which they all move alike
  ModeMask sharing_modes_ = 0;
  std::unordered_map<Bytes, TokenSetId> first_byte_sets_;
  std::map<uint64_t, uint32_t> guard_ids_;
  std::array<std::span<const TokenId>, 256> by_first_byte_;
  // Members only so that their memory is reused.
  std::vector<std::span<const TokenId>> parts_;
  boost::unordered_flat_map<uint32_t, size_t>
      weights_;  // (lexeme, blanks) -> tokens that may end as it
};

}  // namespace tenon::constraint
