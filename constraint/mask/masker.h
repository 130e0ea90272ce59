// Masks at a gap: the tokens that the middle may go on with, exactly those that GapState::Check
// allows.
//
// Each branch's tokens are those of a few pieces of the store (mask_store.h). A piece's trie of
// lexemes is walked with the branch's parser stack; where a lexeme is refused the walk turns back,
// so what is visited is what is allowed, and a bit more. What is found at a node of the trie is
// kept by how far down the stack it was read (walk_memo.h): the same place in another function,
// deeper or less deep in blocks, finds it again, and what differs further down is asked about
// alone. A mask is a union of pieces, kept under their names.
//
//   mask(branch) = union over pieces p of  within(p, walk(p.root, stack))
// A guard alive (lex/lexer.h) forbids what some first bytes begin and changes nothing for those on
// which it dies: only tokens that keep it alive are tried one by one. Where names that the text
// declares are asked for, a mask lies between two of lexemes: what is allowed whatever is declared,
// and what some declarations would allow; tokens between them are tried.
//
// Source: Ugare et al., SynCode (2024), section 4.4, for the union of stored sets; Koo, Liu and He,
// Automata-based constraints for language model decoding (2024), for grouping by what a token does.
// Where we differ: both contexts, whole sequences, caches that look through the stack.
// Cost: a mask met before, some hundred nanoseconds; see docs/measured.md. Thread rule: one thread
// at a time; the store may be shared.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/gap/gap.h"
#include "constraint/mask/mask_store.h"
#include "constraint/mask/walk_memo.h"

namespace tenon::constraint {

class Masker {
 public:
  // For the states of one gap. REQUIRES: the store's language is the gap's, the gap's policy is to
  // emit.
  Masker(std::shared_ptr<const MaskStore> store, const GapState& gap);

  // Tokens that may come next. The reference holds until the next call.
  const TokenMask& Of(const GapState& state);

  const std::shared_ptr<const MaskStore>& store() const { return store_; }

  struct Statistics {
    size_t asked = 0, made = 0, walked = 0,
           units = 0;  // masks asked for, put together; pieces walked, units of them
  };
  const Statistics& statistics() const { return statistics_; }
  size_t memory_bytes() const {
    return masks_.size() * store_->sets().token_count() / 8 + memo_.memory_bytes();
  }

 private:
  using MaskIndex = uint32_t;

  MaskIndex OfBranch(const Branch& branch);
  MaskIndex Scoped(const Branch& branch, MaskIndex mask);
  MaskIndex OfPieces(std::span<const uint64_t> pieces);
  // [hash of a list] the lists that have it, each with its mask
  using Unions =
      boost::unordered_flat_map<uint64_t, std::vector<std::pair<std::vector<uint64_t>, MaskIndex>>>;
  template <typename Make>
  MaskIndex Remembered(Unions& known, std::span<const uint64_t> list, Make make);
  // What a branch without a guard may go on with, by the lexemes of tokens. `names`: declared
  // behind the lexeme in progress.
  MaskIndex OfLexemes(const Branch& branch, NamesId names);
  // What `branch` may go on with: a guard of it is alive.
  MaskIndex OfGuarded(const Branch& branch);
  // The same where a token may break a rule that the lexeme in progress keeps to
  // (lex/lexeme_rules.h).
  MaskIndex OfPressed(const Branch& branch);
  // The same where some columns ask for names that are declared (lex/declared_names.h).
  MaskIndex OfNames(const Branch& branch);
  // As parts of the memo.
  uint32_t PieceAt(SequenceNodeId root, const Between& at, bool opened);
  static size_t UnitCount(const MaskStore::Node& node) {
    return (node.groups_end - node.groups_begin) + (node.children_end - node.children_begin);
  }
  // May what is found out about the stack be remembered by its nodes? Not where a packed node below
  // is the trial's own.
  bool Lasts(NodeId top) const;
  WalkMemo::Places Find(SequenceNodeId root, const Between& at, bool opened);
  // Decides what is open, and moves the places to where all is decided.
  void Decide(WalkMemo::Places& places, SequenceNodeId root, const Between& at, bool opened);
  // How a lexeme ends at one place. A walk's own are those of its number: a walk within it takes
  // what it has asked by then.
  struct KnownEnd {
    uint64_t walk = 0;
    SharedGap::Ending ending = SharedGap::Ending::kRefused;
    StackReads stack;
    WalkReads reads;
  };
  // Whether a line that begins with the blanks fits the open blocks, by the walk that has asked.
  struct KnownBlanks {
    uint64_t walk = 0;
    bool fit = false;
    StackReads stack;
  };
  uint64_t BeginWalk() { return ++walk_; }
  void WalkUnit(const MaskStore::Node& node, WalkMemo::Unit unit, const Between& at, bool opened,
                uint64_t walk);
  void WalkGroup(const MaskStore::Group& group, const Between& at, bool opened, uint64_t walk);
  void WalkChild(const MaskStore::Child& child, const Between& at, uint64_t walk);
  void WalkGuarded(const Branch& branch, const std::bitset<256>& first, TokenMask& out);
  template <typename Wanted>
  void TryTokens(const Branch& branch, bool prune, TokenMask& out, Wanted wanted);
  void NoteEnd(const Between& at, LexemeId lexeme);
  void NoteFurther(const Between& at, uint32_t lexemes);
  // May the lexeme end at the place of the walk, moved by the blanks?
  bool Joins(const Between& at, BlanksId blanks, LexemeId lexeme, uint64_t walk);
  // Of the lexeme at the place of the walk.
  SharedGap::Ending EndingOf(const Between& at, LexemeId lexeme, uint64_t walk);
  class WalkRefusals;
  bool MemberViable(const MaskStore::Member& member, const Between& at, bool opened, uint64_t walk);
  bool Within(ModeMask modes, const Between& at) const;
  bool SomeLanding(const Between& at, DfaStateId q, bool opened);
  // The place with what every look-ahead asks for reduced.
  Between Settled(Between at) const;
  Between WithBlanks(const Between& at, BlanksId blanks) const;
  MaskIndex Keep(TokenMask mask);
  void Forget();

  std::shared_ptr<const MaskStore> store_;
  std::shared_ptr<SharedGap> session_;
  const Lexer& lexer_;
  const LexemeFutures& futures_;
  TokenMask whole_;             // a piece's tokens before its filter
  std::vector<Between> ended_;  // behind the lexeme in progress
  std::vector<uint32_t>
      places_;  // [TokenId] in the vocabulary's order of bytes; empty: not yet asked for
  std::vector<TokenMask> masks_;
  boost::unordered_flat_map<uint64_t, std::vector<MaskIndex>> interned_;  // hash of the content
  Unions of_pieces_, of_masks_, of_lines_;  // by pieces, by masks, by a mask within a line
  WalkMemo memo_;
  std::vector<TokenSetId>
      allowed_;      // by the walk in progress: those of the unit in hand stand last
  WalkReads reads_;  // of the walk in progress
  std::vector<KnownBlanks> known_blanks_;  // [BlanksId]
  std::vector<KnownEnd> known_ends_;       // [LexemeId]
  uint64_t walk_ = 0;
  size_t longest_token_ = 0;  // bytes
  Statistics statistics_;
};

}  // namespace tenon::constraint
