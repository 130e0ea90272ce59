// Masks at a gap: exactly the tokens that GapState::Check allows, found without checking each.
//
// Example: L = `foo(a, `, R = `)`. The mask holds ` b`, `"x`, `b,`; it lacks `)`, `}` and `return`.
//
// The tokens of a branch are in a few pieces of the store (mask_store.h). The trie of each piece is
// walked with the branch's parser stack. The walk turns back where the parser refuses a lexeme, so
// it visits little more than the allowed tokens. The mask is the union of the pieces:
//
//   mask(branch) = union over pieces p of  within(p, walk(p.root, stack))
//
// Each answer is kept with the part of the stack that the walk read (walk_memo.h). The same
// position in another function finds the answer again. Equal unions are kept once.
//
// Three kinds of branch need more:
//   - *A guard is alive* (lex/lexer.h), as in `1.|`, which may become `1.5`. A first byte on which
//     the guard dies changes nothing. Tokens that begin with another byte are tried one by one.
//   - *A lexeme rule may break* (lex/lexeme_rules.h), near a limit on digits or in the name of a
//     character: tokens are tried one by one.
//   - *Declared names* (lexical_context/declared_names.h). A mask has two bounds: the tokens that
//     every list of declarations allows, and the tokens that some list allows. What a walk finds
//     without a look at the names belongs to both, so only the rest is walked twice (walk_memo.h).
//     named_tokens.h decides about the tokens that are in one bound alone. Where these are many,
//     two closer bounds are found with the list itself, in which only the texts of names within a
//     token count as unknown. Where a refused name leaves room for another reading
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
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/gap/gap.h"
#include "constraint/mask/mask_store.h"
#include "constraint/mask/named_tokens.h"
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
    size_t asked = 0, made = 0;    // masks requested; of these, made anew
    size_t walked = 0, units = 0;  // pieces walked; units walked in them
  };
  Statistics statistics() const {
    Statistics all = statistics_;
    all.walked += named_.walked();
    return all;
  }
  size_t memory_bytes() const {
    return masks_.size() * store_->sets().token_count() / 8 + memo_.memory_bytes() +
           named_.memory_bytes();
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
  // The mask of a branch, in four cases.
  //   Without a guard: by the lexemes of tokens. `ever`: the tokens that fit under some texts of
  //   the names within them; `always`: under all. `unknown`: and under some, or all, lists of
  //   declarations.
  struct Bounds {
    MaskIndex always = 0, ever = 0;
  };
  Bounds OfLexemes(const Branch& branch, bool unknown);
  //   With a guard alive.
  MaskIndex OfGuarded(const Branch& branch);
  //   Near the limit of a rule of the lexeme in progress (lex/lexeme_rules.h).
  MaskIndex OfPressed(const Branch& branch);
  //   In a grammar whose LR terminals depend on declared names (lexical_context/declared_names.h).
  MaskIndex OfNames(const Branch& branch);
  // The allowed tokens of a trie after the reading `at`, which is settled: a list of sets
  // (WalkMemo::Parts). Does it depend on the declared names?
  struct PieceParts {
    uint32_t parts = 0;
    bool reads_names = false;
  };
  PieceParts PieceAt(SequenceNodeId root, const Between& at, bool opened);
  static size_t UnitCount(const MaskStore::Node& node) {
    return (node.groups_end - node.groups_begin) + (node.children_end - node.children_begin);
  }
  WalkMemo::Places Find(SequenceNodeId root, const Between& at, bool opened);
  // Decides the open units, and moves the places below the entries that decide them.
  void Decide(WalkMemo::Places& places, SequenceNodeId root, const Between& at, bool opened);
  // How a lexeme ends at the position of a walk. Valid in the walk of this number only: a walk
  // within another one has a number of its own.
  struct KnownEnd {
    uint64_t walk = 0;
    SharedGap::Ending ending = SharedGap::Ending::kRefused;
    StackReads stack;
    WalkReads reads;
  };
  // Does a line that begins with the blanks fit the open blocks? Valid in this walk only.
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
  void NoteEnd(const Between& at, LexemeId lexeme);
  void NoteFurther(const Between& at, uint32_t lexemes);
  // May the lexeme end at `at`, the walk's position, after `blanks` have moved the column?
  bool Joins(const Between& at, BlanksId blanks, LexemeId lexeme, uint64_t walk);
  // SharedGap::EndingOf for the lexeme at the walk's position, remembered for the walk.
  SharedGap::Ending EndingOf(const Between& at, LexemeId lexeme, uint64_t walk);
  class WalkRefusals;
  bool MemberViable(const MaskStore::Member& member, const Between& at, bool opened, uint64_t walk);
  bool Within(ModeMask modes, const Between& at) const;
  bool SomeLanding(const Between& at, DfaStateId q, bool opened);
  Between WithBlanks(const Between& at, BlanksId blanks) const;
  MaskIndex Keep(TokenMask mask);
  void Forget();

  std::shared_ptr<const MaskStore> store_;
  std::shared_ptr<SharedGap> gap_;
  const Lexer& lexer_;
  const LexemeFutures& futures_;
  TokenMask whole_;             // a piece's tokens before its filter
  std::vector<Between> ended_;  // the readings after the lexeme in progress
  std::vector<TokenMask> masks_;
  boost::unordered_flat_map<uint64_t, std::vector<MaskIndex>> interned_;  // hash of the content
  Unions of_pieces_, of_masks_, of_lines_;  // by pieces, by masks, by a mask within a line
  Unions of_fitting_;                       // by a mask and a list of named_
  WalkMemo memo_;
  NamedTokens named_;                      // in grammars with `%names`
  std::vector<TokenSetId> allowed_;        // by the walk in progress; the newest unit's last
  WalkReads reads_;                        // facts read by the walk in progress
  std::vector<KnownBlanks> known_blanks_;  // [BlanksId]
  std::vector<KnownEnd> known_ends_;       // [LexemeId]
  uint64_t walk_ = 0;
  size_t longest_token_ = 0;  // bytes
  Statistics statistics_;
};

}  // namespace tenon::constraint
