#include "constraint/mask/mask_walk.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace tenon::constraint {

namespace {
// Of a lexeme that has ended within a token.
constexpr NameText kSomeText{NameText::Known::kEnd, {}};
// Lexemes that are looked at together, and the one that R ends.
constexpr uint32_t kMaxFurther = kMaxUnseparated + 1, kNoLimit = ~0u;
// So many units are walked in less time than they are looked up.
constexpr size_t kFewUnits = 3;
// The entries of the memo that a unit belongs to, by the facts that its answer depends on.
using PlaceOfKind = WalkMemo::Place WalkMemo::Places::*;
constexpr std::array<PlaceOfKind, 3> kKinds{&WalkMemo::Places::plain, &WalkMemo::Places::special,
                                            &WalkMemo::Places::named};
constexpr size_t kPlain = 0, kSpecial = 1, kNamed = 2;
}  // namespace

MaskWalk::MaskWalk(const MaskStore& store, SharedGap& gap)
    : store_(store),
      gap_(gap),
      lexer_(store.language().lexer),
      futures_(*store.language().futures[true]),
      memo_(store.language().names != nullptr) {
  known_ends_.resize(lexer_.lexeme_count());
  known_blanks_.resize(store.blanks_count());
}

MaskWalk::Parts MaskWalk::PartsOf(SequenceNodeId root, const Between& at, bool opened) {
  WalkMemo::Places places = Find(root, at, opened);
  if (!places.all_decided) {
    ++walked_;
    Trial trial(gap_);
    Decide(places, root, at, opened);
  }
  return {memo_.Parts(places), memo_.ReadsNames(places)};
}

WalkMemo::Places MaskWalk::Find(SequenceNodeId root, const Between& at, bool opened) {
  return memo_.Follow(root, opened, UnitCount(store_.node(root)), gap_.mover().stacks(),
                      gap_.classes(), at, reads_);
}

void MaskWalk::Decide(WalkMemo::Places& places, SequenceNodeId root, const Between& at,
                      bool opened) {
  const auto begin = allowed_.size();
  const WalkReads reads_before = reads_;
  DecidedUnits decided;
  WalkOpenUnits(places, root, at, opened, decided);
  std::sort(decided.begin(), decided.end(), [](const Decided& a, const Decided& b) {
    return std::tuple(a.kind, b.level, a.unit) < std::tuple(b.kind, a.level, b.unit);
  });
  reads_ = reads_before;
  AddEntries(places, at, decided);
  allowed_.resize(begin);
}

// Walks each open unit, and notes its allowed sets with all that the walk has read.
void MaskWalk::WalkOpenUnits(const WalkMemo::Places& places, SequenceNodeId root, const Between& at,
                             bool opened, DecidedUnits& decided) {
  StackArena& stacks = gap_.mover().stacks();
  boost::container::small_vector<WalkMemo::Unit, 64> open;
  memo_.AppendOpen(places, open);
  const bool open_end = gap_.right().empty();
  const uint64_t walk = BeginWalk();
  for (WalkMemo::Unit unit : open) {
    ++units_;
    reads_ = {};
    const auto from = static_cast<uint32_t>(allowed_.size());
    const NoteScope looked(stacks.reads());
    const NoteScope tested(gap_.mover().names_read());
    WalkUnit(store_.node(root), unit, at, opened, walk);
    const StackReads& stack = looked.notes();
    reads_.context |= stack.context;
    reads_.names |= tested.notes().any;
    if (stack.lowest == 0 && !open_end) reads_ = {true, true, reads_.names, 0};  // R may be read
    const bool special =
        reads_.indents || reads_.context ||
        (at.context.layout.depth > 0 && reads_.least_depth < at.context.layout.depth);
    const size_t kind = reads_.names ? kNamed : special ? kSpecial : kPlain;
    const uint32_t level = std::min(stack.lowest, stacks.node((places.*kKinds[kind]).level).depth);
    decided.push_back({unit, kind, level, from, static_cast<uint32_t>(allowed_.size()), reads_});
  }
}

// Adds an entry to the memo for all units of a kind and a level. `decided` is sorted by both.
void MaskWalk::AddEntries(WalkMemo::Places& places, const Between& at,
                          const DecidedUnits& decided) {
  StackArena& stacks = gap_.mover().stacks();
  boost::container::small_vector<WalkMemo::Unit, 32> units;
  boost::container::small_vector<TokenSetId, 64> sets;
  for (auto next = decided.begin(); next != decided.end();) {
    units.clear();
    sets.clear();
    WalkReads reads;
    const size_t kind = next->kind;
    WalkMemo::Place& place = places.*kKinds[kind];
    const NodeId lowest = WalkMemo::EndOfEntry(place, next->level, stacks);
    for (; next != decided.end() && next->kind == kind && next->level == stacks.node(lowest).depth;
         ++next) {
      units.push_back(next->unit);
      sets.insert(sets.end(), allowed_.begin() + next->begin, allowed_.begin() + next->end);
      reads.Note(next->reads);
    }
    reads_.Note(reads);
    stacks.NoteReads({stacks.node(lowest).depth, reads.context});
    memo_.Add(place, stacks, gap_.classes(), at.context.layout, lowest, units, sets, reads);
  }
}

void MaskWalk::WalkUnit(const MaskStore::Node& node, WalkMemo::Unit unit, const Between& at,
                        bool opened, uint64_t walk) {
  std::span<const MaskStore::Group> groups = store_.groups(node);
  if (unit < groups.size())
    WalkGroup(groups[unit], at, opened, walk);
  else
    WalkChild(store_.children(node)[unit - groups.size()], at, walk);
}

void MaskWalk::WalkGroup(const MaskStore::Group& group, const Between& at, bool opened,
                         uint64_t walk) {
  std::span<const MaskStore::Member> members = store_.members(group);
  if (!gap_.CanStartLexemeBeforeRight()) {  // nothing of the stack is read
    for (const MaskStore::Member& member : members) {
      if (member.whole && !opened && MemberViable(member, at, false, walk))
        allowed_.push_back(member.tokens);
    }
    return;
  }
  if (group.primary != kNoLexeme) {
    Between before = WithBlanks(at, members[0].blanks);
    if (Joins(before, members[0].blanks, group.primary, walk)) {
      allowed_.push_back(group.all);
      return;
    }
  }
  for (const MaskStore::Member& member : members) {
    if (MemberViable(member, at, member.whole ? opened : true, walk))
      allowed_.push_back(member.tokens);
  }
}

// One more lexeme ends, in as many readings as the parser has for it.
void MaskWalk::WalkChild(const MaskStore::Child& child, const Between& at, uint64_t walk) {
  if (!gap_.CanStartLexemeBeforeRight()) return;
  const bool tried = child.blanks == BlanksId{} && known_ends_[child.lexeme.value].walk == walk;
  if (tried && EndingOf(at, child.lexeme, walk) == SharedGap::Ending::kRefused) return;
  const Between before = WithBlanks(at, child.blanks);
  NoteEnd(before, child.lexeme);
  size_t met = 0;
  std::vector<Between> more;  // readings beyond the number that stay apart
  gap_.mover().ForEachEnd(before, child.lexeme, true, kSomeText, [&](const Between& after) {
    if (++met <= kPackAbove)
      WalkAfter(child, after);
    else
      more.push_back(after);
  });
  if (more.empty()) return;
  gap_.mover().Pack(more);
  for (const Between& after : more) WalkAfter(child, after);
}

// The child's lexeme has led to `after`. Where the parser state alone decides some of the tokens
// below (streamline.h), only the others are walked.
void MaskWalk::WalkAfter(const MaskStore::Child& child, const Between& after) {
  if (child.modes != kAnyMode && !Within(child.modes, after)) return;
  StackArena& stacks = gap_.mover().stacks();
  const MaskStore::Seen* seen =
      store_.seen(child, stacks.node(after.top).state, after.context.layout.depth > 0);
  // `always` knows no limits on nesting. Near a limit the walk tries each; the memo's start names
  // the modes.
  const bool near_limit = gap_.mover().modes().Room(after.context.modes) < store_.most_pushes();
  if (!seen || near_limit || after.context.scope.scope != Scope::kFree) {
    WalkNode(child.node, after);
  } else if (gap_.Unrestricted(after)) {
    if (seen->some) allowed_.push_back(seen->always);
    WalkNode(seen->rest, after);
  } else {
    WalkNode(seen->possible, after);
  }
}

// Walks a node below the root: by the memo, or anew where the memo costs more than the walk or may
// not keep the answer.
void MaskWalk::WalkNode(SequenceNodeId id, const Between& at) {
  const MaskStore::Node& node = store_.node(id);
  if (node.children_begin == node.children_end || UnitCount(node) <= kFewUnits ||
      !gap_.Lasts(at.top) || !gap_.mover().names().Lasts(at.context.names)) {
    const auto units = static_cast<WalkMemo::Unit>(UnitCount(node));
    const uint64_t own = BeginWalk();
    for (WalkMemo::Unit unit = 0; unit < units; ++unit) WalkUnit(node, unit, at, true, own);
    return;
  }
  const Between settled = gap_.Settled(at);
  WalkMemo::Places places = Find(id, settled, true);
  if (!places.all_decided) Decide(places, id, settled, true);
  memo_.AppendSets(places, allowed_);
}

bool MaskWalk::Joins(const Between& at, BlanksId blanks, LexemeId id, uint64_t walk) {
  constexpr SharedGap::Ending kJoins = SharedGap::Ending::kJoins;
  if (blanks == BlanksId{}) return EndingOf(at, id, walk) == kJoins;
  NoteEnd(at, id);
  const Lexeme& lexeme = lexer_.lexeme(id);
  const bool begins =
      at.context.layout.AtLineBegin() && lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline;
  if (!begins) return gap_.EndingOf(at, id, true) == kJoins;
  StackArena& stacks = gap_.mover().stacks();
  KnownBlanks& known = known_blanks_[blanks.value];
  if (known.walk != walk) {
    const NoteScope looked(stacks.reads());
    const bool fit = gap_.mover().BeginsLine(at);
    known = {walk, fit, looked.notes()};
  }
  stacks.NoteReads(known.stack);
  return known.fit && gap_.EndingOf(at, id, true) == kJoins;
}

// The lexeme is tried once in a walk.
SharedGap::Ending MaskWalk::EndingOf(const Between& at, LexemeId id, uint64_t walk) {
  StackArena& stacks = gap_.mover().stacks();
  KnownEnd& known = known_ends_[id.value];
  if (known.walk != walk) {
    const WalkReads reads_before = std::exchange(reads_, WalkReads{});
    const NoteScope looked(stacks.reads());
    const NoteScope tested(gap_.mover().names_read());
    NoteEnd(at, id);
    const SharedGap::Ending ending = gap_.EndingOf(at, id, true);
    reads_.names |= tested.notes().any;
    known = {walk, ending, looked.notes(), reads_};
    reads_ = reads_before;
  }
  reads_.Note(known.reads);
  stacks.NoteReads(known.stack);
  return known.ending;
}

// The refusals that a walk knows at its position.
class MaskWalk::Refusals final : public KnownRefusals {
 public:
  Refusals(MaskWalk& walker, const Between& at, uint64_t walk)
      : walker_(walker), at_(at), walk_(walk) {}
  bool Refused(LexemeId lexeme) override {
    return walker_.EndingOf(at_, lexeme, walk_) == SharedGap::Ending::kRefused;
  }

 private:
  MaskWalk& walker_;
  const Between& at_;
  uint64_t walk_;
};

bool MaskWalk::MemberViable(const MaskStore::Member& member, const Between& at, bool opened,
                            uint64_t walk) {
  Between before = WithBlanks(at, member.blanks);
  if (member.guards == 0) {
    for (LexemeId lexeme : futures_.Ended(member.future)) {
      if (Joins(before, member.blanks, lexeme, walk)) return true;
    }
    if (!futures_.More(member.future) && !SomeLanding(before, member.q, opened)) return false;
  }
  Branch branch;
  branch.top = before.top;
  branch.q = member.q;
  branch.guards = store_.guards(member.guards);
  branch.context = before.context;
  branch.emitted = true;
  branch.opened_in_middle = opened;
  NoteFurther(before, gap_.right().empty() ? kMaxFurther : kNoLimit);
  if (member.guards != 0) return gap_.Viable(branch);
  Refusals refusals(*this, before, walk);
  return gap_.ViableFurther(branch, refusals);
}

// May the lexeme in progress end in R, as a lexeme that the parser takes here? If it may, the
// member is tried in full.
bool MaskWalk::SomeLanding(const Between& at, DfaStateId q, bool opened) {
  if (!gap_.MayLand(q)) return false;
  NoteFurther(at, 1);
  return gap_.TakesSomeLanding(at, q, opened);
}

// Notes the facts that the end of a lexeme reads: the first lexeme of a line is compared with the
// columns of the open blocks, a closing bracket with the brackets that are open.
void MaskWalk::NoteEnd(const Between& at, LexemeId id) {
  const Lexeme& lexeme = lexer_.lexeme(id);
  reads_.Note({at.context.layout.AtLineBegin() && lexeme.kind == TerminalKind::kParsed &&
                   !lexeme.is_newline,
               false, false,
               lexeme.bracket < 0 && at.context.layout.depth > 0 ? at.context.layout.depth - 1
                                                                 : at.context.layout.depth});
}

}  // namespace tenon::constraint
