// Modes: the lexer reads some parts of a text by other terminals than the rest. A *mode* is a set
// of terminals, and the mode on top of a stack is the one in use (`%mode`, `%push`, `%switch`,
// `%pop` in a grammar).
//
// Example: a string with fields holds text and code. Before the cursor in
//
//   f"a {b|
//
// the stack of modes is default, string, field. `b` is read as a name. In the mode `string` it
// would be text:
//
//   bytes   mode on top    lexeme               effect on the stack
//   f"      default        begins the string    pushes string
//   a       string         text                 none
//   {       string         begins a field       pushes field
//   b       field          a name               none
//   :       field          begins a format      switches field to specification
//
// The next lexeme is the longest match of the terminals of the mode on top. Other terminals do not
// count. A terminal changes the stack when its lexeme has ended:
//
//   push m:    s -> s m          switch m:  s x -> s m          pop:  s x -> s
//
// A text begins and ends with the default mode (ModeId 0) alone on the stack. No terminal pushes
// or pops the default mode.
//
// Stacks are persistent and hash-consed: equal stacks have equal ids, so a stack is compared and
// copied like a number. Complications, one at a time:
// - The lower part of a stack may be unknown where the right context is read without a left one:
//   in `|b}"` the mode below the field is not known yet. `kUnknown` is then below the known part.
// - `%most` may bound the number of some modes on a stack: 200 open brackets. An arena that knows
//   the limits refuses an action that exceeds one.
// - A mode that a completion pushes with a `%delimited` terminal is *sealed*: the completion has to
//   pop it again (the seam rule). Example: a completion that writes `f"` also writes the quote that
//   ends this string.
//
// Source: the start conditions of lex (Lesk and Schmidt, Lex - A Lexical Analyzer Generator, 1975,
// section 10), here with a stack. Cost: a look-up a push.
// Thread rule: ModeStackId and TopModes are values; an arena belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

// A set of modes: bit m is ModeId m.
using ModeMask = uint64_t;
inline constexpr ModeMask MaskOf(ModeId mode) { return ModeMask{1} << mode.value; }

struct ModeStackId {
  uint32_t value = 0;  // 0: the default mode alone
  auto operator<=>(const ModeStackId&) const = default;
};

class ModeArena {
 public:
  static constexpr ModeStackId kUnknown{0xffffffffu};

  // `limits`: the grammar's `%most`; without limits a stack may have any height.
  explicit ModeArena(std::span<const NestingLimit> limits = {})
      : limits_(limits.begin(), limits.end()) {
    Push(kUnknown, ModeId{});
  }
  ModeId top(ModeStackId id) const { return stacks_[id.value].mode; }
  // The stack below the top; kUnknown: it is unknown or empty.
  ModeStackId below(ModeStackId id) const { return stacks_[id.value].below; }
  // The set of the modes on the stack.
  ModeMask all(ModeStackId id) const { return stacks_[id.value].all; }
  // Is a mode on the stack sealed: pushed by a completion, which has to pop it?
  bool sealed(ModeStackId id) const { return stacks_[id.value].sealed; }
  // At least so many modes can be pushed before a limit is exceeded. Negative: the stack exceeds
  // one.
  int Room(ModeStackId id) const { return stacks_[id.value].room; }
  // The first limit that the stack exceeds; nullptr: none.
  const NestingLimit* Passed(ModeStackId id) const {
    for (size_t i = 0; i < limits_.size(); ++i) {
      if (stacks_[id.value].open[i] > limits_[i].most) return &limits_[i];
    }
    return nullptr;
  }
  ModeStackId Push(ModeStackId below, ModeId mode, bool sealed = false) {
    uint64_t key =
        static_cast<uint64_t>(below.value) << 9 | static_cast<uint64_t>(sealed) << 8 | mode.value;
    auto [at, fresh] = ids_.try_emplace(key, static_cast<uint32_t>(stacks_.size()));
    if (!fresh) return ModeStackId{at->second};
    Stack made{below, mode, sealed, MaskOf(mode)};
    if (below != kUnknown) {
      made.sealed |= this->sealed(below);
      made.all |= all(below);
      made.open = stacks_[below.value].open;
    }
    for (size_t i = 0; i < limits_.size(); ++i) {
      if (limits_[i].blocks) continue;
      made.open[i] = static_cast<uint16_t>(made.open[i] + (limits_[i].modes >> mode.value & 1));
      made.room = std::min(made.room, limits_[i].most - made.open[i]);
    }
    stacks_.push_back(made);
    return ModeStackId{at->second};
  }
  // Applies a terminal's action to the stack `id`. `seals`: a pushed mode is sealed. False: the
  // action pops the lowest mode, or exceeds a limit; in the second case `id` is then the stack that
  // exceeds it.
  bool Apply(ModeAction action, ModeStackId& id, bool seals = false) {
    if (action.kind == ModeAction::Kind::kNone) return true;
    if (action.kind == ModeAction::Kind::kPush) {
      id = Push(id, action.mode, seals);
      return Room(id) >= 0;
    }
    ModeStackId rest = below(id);
    if (action.kind == ModeAction::Kind::kPop && rest == kUnknown) return false;
    bool own = sealed(id) && (rest == kUnknown || !sealed(rest));
    id = action.kind == ModeAction::Kind::kPop ? rest : Push(rest, action.mode, own);
    return Room(id) >= 0;
  }

 private:
  struct Stack {
    ModeStackId below;
    ModeId mode;
    bool sealed = false;
    ModeMask all = 0;
    int room = kAnyRoom;
    std::array<uint16_t, kMaxNestingLimits> open{};  // [limit] number of its modes on the stack
  };
  static constexpr int kAnyRoom = 0x10000;  // above every limit
  std::vector<NestingLimit> limits_;
  std::vector<Stack> stacks_;
  std::unordered_map<uint64_t, uint32_t> ids_;
};

// The top modes of a stack packed into a number: a key for memos about lexemes that may pop.
class TopModes {
 public:
  static constexpr size_t kMaxModes = 8;
  TopModes() = default;
  // The top `count` modes of the stack, or fewer where fewer are known.
  // REQUIRES: count <= kMaxModes.
  TopModes(const ModeArena& arena, ModeStackId stack, size_t count) {
    for (size_t i = 0; i < count && stack != ModeArena::kUnknown; ++i, stack = arena.below(stack))
      packed_ |= static_cast<uint64_t>(arena.top(stack).value + 1u) << 8 * i;
  }
  // REQUIRES: !empty().
  ModeId top() const { return ModeId{static_cast<uint8_t>((packed_ & 0xff) - 1)}; }
  // Is no mode known, because all known modes were popped?
  bool empty() const { return packed_ == 0; }
  void Apply(ModeAction action) {
    if (action.kind == ModeAction::Kind::kPop || action.kind == ModeAction::Kind::kSwitch)
      packed_ >>= 8;
    if (action.kind == ModeAction::Kind::kPush || action.kind == ModeAction::Kind::kSwitch)
      packed_ = packed_ << 8 | (action.mode.value + 1u);
  }
  uint64_t Key() const { return packed_; }
  bool operator==(const TopModes&) const = default;

 private:
  uint64_t packed_ = 0;  // a byte a mode: its number + 1; the lowest byte is the top mode
};

}  // namespace tenon::constraint
