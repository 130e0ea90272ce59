// Masks at a gap: exactly the tokens that GapState::Check allows, found without checking each.
//
// Example: L = `foo(a, `, R = `)`. The mask holds ` b`, `"x`, `b,`; it lacks `)`, `}` and `return`.
//
// A state of the gap has a branch for each reading of L and the middle. The tokens of a branch are
// in a few pieces of the store (mask_store.h). The trie of each piece is walked with the branch's
// parser stack (mask_walk.h), and the mask is the union of the pieces:
//
//   mask(branch) = union over pieces p of  within(p, walk(p.root, stack))
//   mask(state)  = union over branches b of  mask(b)
//
// Each union is made once (kept_masks.h).
//
// Three kinds of branch need more (masker_tried_tokens.cpp):
//   - *A guard is alive* (lex/lexer.h). Example: `1.|` may still become `1.5`. A first byte on
//     which the guard dies changes nothing. Tokens that begin with another byte are tried one by
//     one.
//   - *A lexeme rule may break* (lex/lexeme_rules.h). Example: a number has almost as many digits
//     as it may have. All tokens are tried one by one.
//   - *Names are declared* (lexical_context/declared_names.h). Example: in JSX, after `<b>text`,
//     only the closing tag `</b>` fits. The walk does not know the texts of names, so it bounds the
//     mask: by the tokens that every list of declarations allows, and by the tokens that some list
//     allows. A walk that reads no names belongs to both bounds, so only the rest is walked twice
//     (walk_memo.h). named_tokens.h decides about the tokens in one bound alone. Where they are
//     many, two closer bounds are found with the list itself, in which only the texts of names
//     within a token are unknown. Where a refused name leaves room for another reading
//     (Language::refused_names_make_room), no two masks bound the tokens: all are tried one by one.
//
// Source: Ugare et al., SynCode (2024), section 4.4, for the union of stored sets; Koo, Liu and He,
// Automata-based constraints for language model decoding (2024), for grouping by the effect of a
// token. Where we differ: both contexts, whole sequences, memos that look through the stack.
// Cost: a mask met before, some hundred nanoseconds; docs/measured.md, masks.
// Thread rule: one thread at a time; the store may be shared.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "constraint/gap/gap.h"
#include "constraint/mask/kept_masks.h"
#include "constraint/mask/mask_store.h"
#include "constraint/mask/mask_walk.h"
#include "constraint/mask/named_tokens.h"

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
    size_t asked = 0, made = 0;    // masks requested; of these, made anew
    size_t walked = 0, units = 0;  // pieces walked; units walked in them
  };
  Statistics statistics() const {
    return {asked_, kept_.made(), tried_ + walk_.walked() + named_.walked(), walk_.units()};
  }
  size_t memory_bytes() const {
    return kept_.memory_bytes() + walk_.memory_bytes() + named_.memory_bytes();
  }

 private:
  using MaskIndex = KeptMasks::Index;

  MaskIndex OfBranch(const Branch& branch);
  MaskIndex Scoped(const Branch& branch, MaskIndex mask);
  // Two bounds of a branch's mask. `ever`: the tokens that fit under some texts of the names within
  // them; `always`: under all texts. With `unknown`: and under some, or all, lists of declarations.
  struct Bounds {
    MaskIndex always = 0, ever = 0;
  };
  // By the lexemes of tokens, where no guard is alive.
  Bounds OfLexemes(const Branch& branch, bool unknown);
  // The pieces of both bounds: each a list of sets in the upper half, its filter in the lower one.
  struct PieceLists {
    boost::container::small_vector<uint64_t, 8> ever, always;
  };
  void AddPiece(const MaskStore::Piece& piece, const Between& at, bool opened, PieceLists& lists);
  MaskIndex OfPieces(std::span<const uint64_t> pieces);

  // With a guard alive.
  MaskIndex OfGuarded(const Branch& branch);
  // Near the limit of a rule of the lexeme in progress.
  MaskIndex OfPressed(const Branch& branch);
  // In a grammar whose LR terminals depend on declared names.
  MaskIndex OfNames(const Branch& branch);
  // Adds the tokens that begin with one of the bytes and fit, each tried by itself.
  void TryTokensOf(const Branch& branch, const std::bitset<256>& first, TokenMask& out);
  void Forget();

  std::shared_ptr<const MaskStore> store_;
  std::shared_ptr<SharedGap> gap_;
  const Lexer& lexer_;
  MaskWalk walk_;
  NamedTokens named_;  // in grammars with `%names`
  KeptMasks kept_;
  TokenMask whole_;             // a piece's tokens before its filter
  std::vector<Between> ended_;  // the readings after the lexeme in progress
  size_t asked_ = 0, tried_ = 0;
};

}  // namespace tenon::constraint
