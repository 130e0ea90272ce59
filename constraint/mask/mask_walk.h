// The walk over a trie of the mask store with the parser: which of its tokens fit at a gap?
//
// Example: L = `foo(a`, R = `)`. The lexer is in a name, so the trie is the one of mask_store.h:
//
//   root              `b` `bc`      the name grows: allowed
//    +-- NAME         `,`           the parser takes NAME `,` and R can follow later: allowed
//         +-- ","     `, b` `,c`    allowed
//         +-- ")"     `):`          the parser takes `)`, and R's `)` closes nothing: not allowed
//         +-- "]"     `]:`          the parser refuses `]`: nothing below it is looked at
//
// A node has *units*: its groups of tokens, and its children with everything below them. The walk
// decides unit by unit:
//
//   group   its tokens leave the same lexeme in progress. They are allowed if that lexeme can end,
//           now or later, so that R follows it.
//   child   one more lexeme ends. If the parser takes the lexeme, the child's node is walked with
//           the stack after it.
//
// Each answer is kept with the part of the stack that the walk read (walk_memo.h). The same cursor
// in another function finds the answer again, and only the units that no entry decides are walked.
//
// Within one walk a lexeme is tried once: many tokens and children begin with the same lexeme
// (KnownEnd), and many lines with the same blanks (KnownBlanks).
//
// Source: Koo, Liu and He, Automata-based constraints for language model decoding (2024), for
// grouping by the effect of a token. Cost: a node met before, a few look-ups; a new one, a step of
// the parser for each lexeme. All functions of the walk are in one source, for the compiler to
// inline. Thread rule: one thread at a time; the store may be shared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "constraint/gap/gap.h"
#include "constraint/mask/mask_store.h"
#include "constraint/mask/walk_memo.h"

namespace tenon::constraint {

class MaskWalk {
 public:
  // REQUIRES: both outlive this, and the store's language is the gap's.
  MaskWalk(const MaskStore& store, SharedGap& gap);

  // The allowed tokens of a trie after the reading `at`, which is settled: a list of sets.
  // `opened`: the lexeme in progress began in the middle.
  struct Parts {
    uint32_t list = 0;
    bool reads_names = false;  // the list depends on the declared names
  };
  Parts PartsOf(SequenceNodeId root, const Between& at, bool opened);
  std::span<const TokenSetId> sets(uint32_t list) const { return memo_.sets(list); }
  // Is one of the modes on top of the reading's stack?
  bool Within(ModeMask modes, const Between& at) const {
    return (modes & MaskOf(gap_.ModeAt(at))) != 0;
  }
  void Forget() { memo_.Forget(); }

  size_t walked() const { return walked_; }  // tries that were walked, if only in part
  size_t units() const { return units_; }    // units that were walked
  size_t memory_bytes() const { return memo_.memory_bytes(); }

 private:
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
  // A unit that the walk has decided.
  struct Decided {
    WalkMemo::Unit unit;
    size_t kind;          // the entries that it belongs to: kPlain, kSpecial or kNamed
    uint32_t level;       // depth of the lowest stack node read
    uint32_t begin, end;  // in allowed_
    WalkReads reads;
  };
  using DecidedUnits = boost::container::small_vector<Decided, 32>;
  class Refusals;

  static size_t UnitCount(const MaskStore::Node& node) {
    return (node.groups_end - node.groups_begin) + (node.children_end - node.children_begin);
  }
  uint64_t BeginWalk() { return ++walk_; }
  WalkMemo::Places Find(SequenceNodeId root, const Between& at, bool opened);
  // Decides the open units, and moves the places below the entries that decide them.
  void Decide(WalkMemo::Places& places, SequenceNodeId root, const Between& at, bool opened);
  void WalkOpenUnits(const WalkMemo::Places& places, SequenceNodeId root, const Between& at,
                     bool opened, DecidedUnits& decided);
  void AddEntries(WalkMemo::Places& places, const Between& at, const DecidedUnits& decided);

  void WalkUnit(const MaskStore::Node& node, WalkMemo::Unit unit, const Between& at, bool opened,
                uint64_t walk);
  void WalkGroup(const MaskStore::Group& group, const Between& at, bool opened, uint64_t walk);
  void WalkChild(const MaskStore::Child& child, const Between& at, uint64_t walk);
  void WalkAfter(const MaskStore::Child& child, const Between& after);
  void WalkNode(SequenceNodeId id, const Between& at);
  bool MemberViable(const MaskStore::Member& member, const Between& at, bool opened, uint64_t walk);
  bool SomeLanding(const Between& at, DfaStateId q, bool opened);

  // May the lexeme end at `at`, the walk's position, after `blanks` have moved the column?
  bool Joins(const Between& at, BlanksId blanks, LexemeId lexeme, uint64_t walk);
  // SharedGap::EndingOf for the lexeme at the walk's position, remembered for the walk.
  SharedGap::Ending EndingOf(const Between& at, LexemeId lexeme, uint64_t walk);
  Between WithBlanks(const Between& at, BlanksId blanks) const {
    Between moved = at;
    for (char c : store_.blanks(blanks))
      gap_.mover().layout().ReadByte(static_cast<uint8_t>(c), moved.context.layout);
    return moved;
  }
  void NoteEnd(const Between& at, LexemeId lexeme);
  // Notes the facts that the next lexemes may read: each may close a bracket or begin a line.
  void NoteFurther(const Between& at, uint32_t lexemes) {
    const bool begins = at.context.layout.AtLineBegin();
    reads_.Note({begins || lexemes > 1, false, false,
                 at.context.layout.depth - std::min(at.context.layout.depth, lexemes)});
  }

  const MaskStore& store_;
  SharedGap& gap_;
  const Lexer& lexer_;
  const LexemeFutures& futures_;
  WalkMemo memo_;
  std::vector<TokenSetId> allowed_;        // by the walk in progress; the newest unit's last
  WalkReads reads_;                        // facts read by the walk in progress
  std::vector<KnownBlanks> known_blanks_;  // [BlanksId]
  std::vector<KnownEnd> known_ends_;       // [LexemeId]
  uint64_t walk_ = 0;                      // the newest walk's number
  size_t walked_ = 0, units_ = 0;
};

}  // namespace tenon::constraint
