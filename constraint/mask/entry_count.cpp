#include "constraint/mask/entry_count.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "constraint/mask/sequence_trie.h"

namespace tenon::constraint {

namespace {

// The distinct sequences from each lexer state, without any sharing or merging.
class RawEntries {
 public:
  explicit RawEntries(const MaskStore& store)
      : lexer_(store.language().lexer),
        vocabulary_(store.vocabulary()),
        steps_(lexer_, *store.language().futures[false]),
        kinds_(vocabulary_, steps_),
        identity_(lexer_.lexeme_count()) {
    for (size_t l = 0; l < identity_.size(); ++l) identity_[l] = LexemeId{static_cast<uint16_t>(l)};
  }

  size_t Count() {
    size_t count = 0;
    for (size_t s = 0; s < lexer_.state_count(); ++s)
      count += From(DfaStateId{static_cast<uint16_t>(s)});
    return count;
  }

 private:
  using Sequence = std::vector<uint16_t>;
  using Ids = std::vector<uint32_t>;  // of sequences, ascending

  size_t From(DfaStateId q) {
    Ids all;
    Lexer::Steps steps;
    LexemeId here = lexer_.IsStart(q) ? kNoLexeme : lexer_.LexemeAt(q);
    ModeMask after_q =
        here == kNoLexeme ? lexer_.ModesOf(q) : lexer_.ModesAfter(here, lexer_.ModesOf(q));
    for (DfaStateId start : lexer_.starts()) {
      ModeMask modes = lexer_.ModesOf(start) & after_q;
      if (!modes || (lexer_.IsStart(q) && start != q)) continue;
      for (int b = 0; b < 256; ++b) {
        int n = lexer_.Advance(q, Guards{}, static_cast<uint8_t>(b), true, steps, start);
        for (int i = 0; i < n; ++i) {
          ModeMask then = steps[i].ended == kNoLexeme ? lexer_.ModesOf(q) : modes;
          const Ids& after =
              SequencesAfter(static_cast<uint8_t>(b), steps[i].q, steps[i].guards, then);
          for (uint32_t id : after)
            all.push_back(steps[i].ended == kNoLexeme ? id : Prefixed(steps[i].ended, id));
        }
      }
    }
    std::sort(all.begin(), all.end());
    return static_cast<size_t>(std::unique(all.begin(), all.end()) - all.begin());
  }

  // The sequences of the tokens that begin with `byte`, which has led to q; one of `on_top` is the
  // mode there.
  const Ids& SequencesAfter(uint8_t byte, DfaStateId q, const Guards& guards, ModeMask on_top) {
    auto [at, fresh] = sequences_after_.try_emplace({byte, q.value, guards.Key(), on_top});
    if (!fresh) return at->second;
    BlanksTable blanks;
    SequenceTrie trie(vocabulary_, lexer_, steps_, kinds_, blanks, identity_,
                      SequenceTrie::Lines::kRaw);
    std::array<SequenceTrie::Readings, 256> first;
    first[byte].push_back(trie.Begin(0, q, guards, false, true, byte, trie.OneOf(on_top)));
    trie.Grow(first);
    std::set<uint32_t> nodes;
    for (const SequenceTrie::Leaf& leaf : trie.leaves()) nodes.insert(leaf.node);
    for (uint32_t node : nodes) {
      Sequence sequence;
      for (uint32_t n = node; n != 0; n = trie.nodes()[n].parent)
        sequence.push_back(trie.nodes()[n].lexeme.value);
      std::reverse(sequence.begin(), sequence.end());
      at->second.push_back(IdOf(sequence));
    }
    return at->second;
  }

  uint32_t IdOf(const Sequence& sequence) {
    auto [at, fresh] = ids_.try_emplace(sequence, static_cast<uint32_t>(ids_.size()));
    if (fresh) sequences_.push_back(&at->first);
    return at->second;
  }

  uint32_t Prefixed(LexemeId lexeme, uint32_t id) {
    auto [at, fresh] = prefixed_.try_emplace({lexeme.value, id}, 0);
    if (fresh) {
      Sequence sequence{lexeme.value};
      sequence.insert(sequence.end(), sequences_[id]->begin(), sequences_[id]->end());
      at->second = IdOf(sequence);
    }
    return at->second;
  }

  const Lexer& lexer_;
  const TokenVocabulary& vocabulary_;
  LexemeSteps steps_;
  ByteKinds kinds_;
  std::vector<LexemeId> identity_;
  std::map<std::tuple<uint8_t, uint16_t, uint64_t, ModeMask>, Ids> sequences_after_;
  std::map<Sequence, uint32_t> ids_;
  std::vector<const Sequence*> sequences_;  // [id]
  std::map<std::pair<uint16_t, uint32_t>, uint32_t> prefixed_;
};

}  // namespace

std::vector<MaskStore::Count> CountEntries(const MaskStore& store) {
  auto with = [&](bool interchangeable) {
    MaskStoreOptions options;
    options.interchangeable = interchangeable;
    options.by_state = false;
    return MaskStore::Build(store.shared_language(), store.shared_vocabulary(), options)->entries();
  };
  MaskStore::Entries merged = with(true), streamlined = MaskStore::Build(store.shared_language(),
                                                                         store.shared_vocabulary())
                                                            ->entries();
  return {{"entries_before", RawEntries(store).Count()},
          {"shared_states", with(false).all},
          {"interchangeable", merged.all},
          {"never_legal", streamlined.possible},
          {"always_legal", streamlined.open},
          {"entries_after", streamlined.open}};
}

}  // namespace tenon::constraint
