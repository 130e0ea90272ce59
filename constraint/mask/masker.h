// Masks at a gap: the tokens that the middle may go on with, exactly those that GapState::Check allows.
//
// Each branch's tokens are those of a few pieces of the store (mask_store.h). A piece's trie of lexemes is walked with the branch's
// parser stack; where a lexeme is refused the walk turns back, so what is visited is what is allowed, and a bit more. What a piece
// allows depends on the stack down to the lowest node that some reduction reached, and on that node's viability class. Results are
// therefore kept under the path of parser states down to there: the same place in another function, deeper or less deep in blocks,
// finds them again. A mask is a union of pieces, kept under their names.
//
//   mask(branch) = union over pieces p of  within(p, walk(p.root, stack))
//
// Source: Ugare et al., SynCode (2024), section 4.4, for the union of stored sets; Koo, Liu and He, Automata-based constraints for language model
// decoding (2024), for grouping by what a token does. Where we differ: both contexts, whole sequences, caches that look through the stack.
// Cost: a mask met before, some hundred nanoseconds; see docs/measured.md. Thread rule: one thread at a time; the store may be shared.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/gap/gap_state.h"
#include "constraint/gap/session.h"
#include "constraint/mask/mask_store.h"

namespace tenon::constraint {

class Masker {
 public:
  // For the states of one gap. REQUIRES: the store's language is the gap's, the gap's policy is to emit.
  Masker(std::shared_ptr<const MaskStore> store, const GapState& gap);

  // Tokens that may come next. The reference holds until the next call.
  const TokenMask& Of(const GapState& state);

  const std::shared_ptr<const MaskStore>& store() const { return store_; }

  struct Statistics {
    size_t asked = 0, made = 0, walked = 0, nodes = 0;  // masks asked for, put together; pieces walked, nodes visited
  };
  const Statistics& statistics() const { return statistics_; }
  size_t memory_bytes() const { return masks_.size() * store_->sets().token_count() / 8; }

 private:
  using MaskIndex = uint32_t;
  static constexpr MaskIndex kNoMask = 0xffffffffu;

  MaskIndex OfBranch(const Branch& branch);
  MaskIndex Scoped(const Branch& branch, MaskIndex mask);
  MaskIndex PutTogether(const std::vector<uint64_t>& parts);
  MaskIndex PieceAt(SequenceNodeId root, const Between& at, bool opened);
  MaskIndex WalkGuarded(const Branch& branch);
  void Walk(const MaskStore::Node& node, const Between& at, bool opened, TokenMask& out);
  void NoteEnd(const Between& at, LexemeId lexeme);
  // [LexemeId] 1: joins, -1: does not, 0: not yet asked.
  using KnownEnds = boost::container::small_vector<int8_t, 256>;
  bool Joins(const Between& at, BlanksId blanks, LexemeId lexeme, KnownEnds& known);
  bool MemberViable(const MaskStore::Member& member, const Between& at, bool opened, KnownEnds& known);
  bool SomeLanding(const Between& at, DfaStateId q, bool opened);
  Between WithBlanks(const Between& at, BlanksId blanks) const;
  MaskIndex Keep(TokenMask mask);
  void Forget();

  // Where a walk's answer is kept.
  struct Result {
    uint64_t below;  // viability class of the lowest node read
    uint32_t indents;
    bool any_indents;
    MaskIndex mask;
    uint32_t next;
  };
  static constexpr uint32_t kNone = 0xffffffffu;

  std::shared_ptr<const MaskStore> store_;
  std::shared_ptr<GapSession> session_;
  const Lexer& lexer_;
  const LexemeFutures& futures_;
  std::vector<TokenMask> masks_;
  boost::unordered_flat_map<uint64_t, std::vector<MaskIndex>> interned_;  // hash of the content
  boost::unordered_flat_map<uint64_t, std::vector<std::pair<std::vector<uint64_t>, MaskIndex>>> unions_;
  std::vector<uint32_t> results_of_;  // [path] head of a list in results_
  std::vector<Result> results_;
  boost::unordered_flat_map<uint64_t, uint32_t> paths_;   // (path, state, column) -> longer path
  boost::unordered_flat_map<uint64_t, uint32_t> starts_;  // (root, layout) -> path
  bool read_indents_ = false;                             // the walk in progress has compared columns of open blocks
  Statistics statistics_;
};

}  // namespace tenon::constraint
