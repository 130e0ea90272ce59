// Answers of walks, kept by the part of the parser stack that each answer depends on.
//
// Example: the masks after `foo(a|` in one function and after `bar(a|` in another, deeper function.
// The two stacks agree from the top down to the call; below it they differ. Most tokens (`,`, `)`,
// `.`) read the stack down to the call and no further, so the second mask takes their answers from
// the first. Only tokens like `)))` read further and are walked anew.
//
// A walk at a trie's node (mask_store.h) has *units*: the groups of tokens at the node, and its
// children with everything below them. Each unit reads the stack from the top down to some level.
// The memo is a tree of entries, each further down the stack:
//
//   start   (node of the trie, lexical context)          all units open
//     |  levels: state of NAME
//   entry   decides units 0, 2: their token sets         units 1, 3 open
//     |  levels: state of "(", state of foo
//   entry   decides unit 1                               unit 3 open: it holds `)))`
//     |  levels: ...                 |  levels: ... (the stack of the other function)
//   entry   decides unit 3          entry   decides unit 3
//
// Two stacks that agree down to some level share the entries down to it. Below that level only the
// units that are still open are walked anew.
//
// An answer may depend on more than the states of the levels:
//   - *The right context.* R restricts the stack below an entry's levels only through the viability
//     class of the lowest level. So the entry holds this class.
//   - *Columns of the open blocks, predicates, the number of open brackets.* A few units read them.
//     These units have entries of their own (*special*), so that the other units (*plain*) share
//     theirs. An entry holds the number of brackets only if a walk tested whether all brackets
//     were closed.
//   - *Declared names.* The units that tested a condition on them (BranchMover::names_read) have
//     entries of their own (*named*), under a start that holds the list of declarations. All other
//     units have one answer under every list, and under every assumption about it. So the two walks
//     of a mask with `%names` (masker.h) differ by the named units alone.
//   - *Packed nodes* (lr/stack.h). A packed node is the lowest level of a stack. An entry that
//     reaches it holds only for stacks over the same packed node.
//
// Source: none; a memo by the parts that were read, as in self-adjusting computation (Acar,
// Blelloch, Harper, Adaptive functional programming, POPL 2002). Cost: 64 bytes an entry with the
// table that finds it, 4 for each of its levels and token sets, a bit for each unit; a step reads
// its levels and looks up once for each length that is known. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/gap/gap.h"
#include "constraint/lexical_context/lexical_context.h"
#include "constraint/lr/lr.h"
#include "constraint/mask/mask_store.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

// The facts that a walk has read besides the stack's states.
struct WalkReads {
  bool indents = false;  // the columns of the open blocks
  bool context = false;  // which predicates hold
  bool names = false;    // a condition on declared names
  // The least number of open brackets that was compared with none.
  uint32_t least_depth = 0xffffffffu;
  void Note(const WalkReads& other) {
    indents |= other.indents;
    context |= other.context;
    names |= other.names;
    least_depth = std::min(least_depth, other.least_depth);
  }
};

class WalkMemo {
 public:
  using EntryId = uint32_t;
  static constexpr EntryId kNone = 0xffffffffu;
  using Unit = uint32_t;
  // How far a stack has been followed: to the end of `entry`, with `level` the first one below it.
  struct Place {
    EntryId entry = kNone;
    NodeId level;
  };
  // `plain`: by the entries of units that read the stack's states alone. `special`: by the entries
  // of units that read WalkReads too. `named`: by the entries of units that read declared names.
  struct Places {
    Place plain, special, named;
    bool all_decided = false;
  };

  // `names`: the language has declared names.
  explicit WalkMemo(bool names) : names_(names) { Forget(); }
  void Forget();

  // Follows a stack as far as walks of this node are known. `opened`: the lexeme in progress began
  // in the middle. Adds to `reads` the facts that the entries on this path depend on.
  Places Follow(SequenceNodeId node, bool opened, size_t units, StackArena& stacks,
                ViabilityClasses& classes, const Between& at, WalkReads& reads);
  // Does an answer at the places depend on the declared names?
  bool ReadsNames(const Places& places) const { return entries_[places.named.entry].from != kNone; }
  // Adds an entry with the levels from the place's level to `lowest`, at most kMaxLevels, the units
  // that it decides, and their sets. Moves the place below the entry.
  void Add(Place& place, StackArena& stacks, ViabilityClasses& classes, const LayoutState& layout,
           NodeId lowest, std::span<const Unit> decided, std::span<const TokenSetId> sets,
           const WalkReads& reads);
  static constexpr size_t kMaxLevels = 63;
  // The node at which the next entry below the place ends that is to decide what was read down to
  // `depth`: there, or as far down as one entry reaches.
  static NodeId EndOfEntry(const Place& place, uint32_t depth, const StackArena& stacks);
  // Appends the units that no entry has decided, ascending.
  template <typename Units>
  void AppendOpen(const Places& places, Units& units) const {
    const Entry& plain = entries_[places.plain.entry];
    const uint64_t* special = &open_[entries_[places.special.entry].open];
    const uint64_t* named = &open_[entries_[places.named.entry].open];
    for (uint32_t w = 0; w < plain.open_words; ++w) {
      for (uint64_t bits = open_[plain.open + w] & special[w] & named[w]; bits != 0;
           bits &= bits - 1)
        units.push_back(w * 64 + static_cast<Unit>(std::countr_zero(bits)));
    }
  }
  // Appends the allowed sets, in any order; a set may occur twice.
  template <typename Sets>
  void AppendSets(const Places& places, Sets& sets) const {
    for (EntryId id : {places.plain.entry, places.special.entry, places.named.entry}) {
      for (; id != kNone; id = entries_[id].from) {
        const Entry& entry = entries_[id];
        sets.insert(sets.end(), sets_.begin() + entry.sets,
                    sets_.begin() + entry.sets + entry.set_count);
      }
    }
  }
  // A number for the list of allowed sets; equal lists have equal numbers.
  uint32_t Parts(const Places& places);
  std::span<const TokenSetId> sets(uint32_t parts) const { return parts_[parts]; }
  size_t memory_bytes() const {
    return entries_.size() * (sizeof(Entry) + 20) + levels_.size() * 4 + sets_.size() * 4 +
           open_.size() * 8;
  }

 private:
  struct Start {
    SequenceNodeId node;
    bool opened, named;
    LexicalContext context;  // without the facts that entries hold
    bool operator==(const Start&) const = default;
  };
  struct StartHash {
    size_t operator()(const Start& s) const;
  };
  struct Entry {
    uint64_t lengths = 0;  // bit n: some entry below this one has n levels
    EntryId from = kNone;
    uint32_t levels = 0;     // index of its first level in levels_
    uint32_t sets = 0;       // index of its first own set in sets_
    uint32_t set_count = 0;  // number of its own sets
    uint32_t open = 0;       // index in open_ of the first word of the units that are open
    // Into parts_: its own sets and the sets of the entries above; kNone: not made yet.
    uint32_t parts = kNone;
    ClassId below;            // in any context
    PredicateBits outer = 0;  // of the lowest level
    IndentId indents;
    uint32_t depth = 0;     // open brackets; at least so many, unless exact_depth
    EntryId alike = kNone;  // the next entry of the same key in next_
    uint16_t open_words = 0;
    uint8_t length = 0;
    bool all_decided = false;
    bool any_indents = true, any_context = true, exact_depth = false;
  };
  // Lists of token sets, equal ones once.
  class Lists {
   public:
    uint32_t Intern(std::vector<TokenSetId> list);
    std::span<const TokenSetId> operator[](uint32_t id) const { return lists_[id]; }

   private:
    std::vector<std::vector<TokenSetId>> lists_;
    IdsByHash<uint32_t> ids_;
  };
  static uint32_t Level(const StackArena::Node& node) {
    return static_cast<uint32_t>(node.state.value) << 16 | node.column;
  }
  // The first entry of the walks of a node: for plain units, or for named ones. The entry id after
  // that for plain units is the first one for special units.
  EntryId Begin(SequenceNodeId node, bool opened, bool named, const LexicalContext& context,
                size_t units);
  // Has an entry decided each unit?
  bool AllDecided(const Places& places) const;
  uint32_t PartsAfter(EntryId id);
  uint32_t PartsOfBoth(uint32_t a, uint32_t b);
  // Finds the entry below the place's that fits the stack from the place's level down, and moves
  // the place below it. False: none is known.
  bool Next(Place& place, StackArena& stacks, ViabilityClasses& classes, const LayoutState& layout,
            WalkReads& reads) const;
  bool Fits(const Entry& entry, EntryId from, size_t length, const StackArena& stacks,
            NodeId level) const;

  const bool names_;
  boost::unordered_flat_map<Start, EntryId, StartHash> starts_;
  boost::unordered_flat_map<uint64_t, EntryId>
      next_;                      // hash of (entry, levels) -> the first of a list by `alike`
  std::vector<uint32_t> levels_;  // states and columns of all entries, each from the top down
  std::vector<Entry> entries_;
  std::vector<TokenSetId> sets_;  // of all entries: the sets that each allows, some twice
  std::vector<uint64_t> open_;    // of all entries, a bit a unit
  std::vector<uint64_t> marks_;   // a bit a set, all 0 between calls: sorts a list of sets
  Lists parts_;
  boost::unordered_flat_map<uint64_t, uint32_t>
      parts_of_both_;  // (list, list) -> their union, in parts_
};

}  // namespace tenon::constraint
