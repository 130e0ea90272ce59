#include "constraint/mask/masker.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>
#include <utility>

#include "constraint/base/base.h"
#include "constraint/mask/token_trial.h"

namespace tenon::constraint {

namespace {
constexpr size_t kMaxBytes = 20u << 20;
// Of a lexeme that has ended within a token.
constexpr NameText kSomeText{NameText::Known::kEnd, {}};
// Lexemes that are looked at together, and the one that R ends.
constexpr uint32_t kMaxFurther = kMaxUnseparated + 1, kNoLimit = ~0u;
// So many units are asked about in less time than they are looked up.
constexpr size_t kFewUnits = 3;
// More tokens than this are not tried before closer masks are made.
constexpr size_t kManyTokens = 1000;
}  // namespace

Masker::Masker(std::shared_ptr<const MaskStore> store, const GapState& gap)
    : store_(std::move(store)),
      gap_(gap.shared()),
      lexer_(store_->language().lexer),
      futures_(*store_->language().futures[true]),
      whole_(store_->vocabulary().size()),
      memo_(store_->language().names != nullptr),
      named_(store_->vocabulary(), *gap_) {
  known_ends_.resize(lexer_.lexeme_count());
  known_blanks_.resize(store_->blanks_count());
  for (uint32_t t = 0; t < store_->vocabulary().size(); ++t)
    longest_token_ = std::max(longest_token_, store_->vocabulary().Bytes(TokenId{t}).size());
  assert(&gap_->language() == &store_->language() && gap_->policy().emit);
  Forget();
}

void Masker::Forget() {
  masks_.assign(1, TokenMask(store_->vocabulary().size()));  // [0]: nothing is allowed
  interned_.clear();
  for (Unions* unions : {&of_pieces_, &of_masks_, &of_lines_, &of_fitting_}) unions->clear();
  memo_.Forget();
  named_.Forget();
}

const TokenMask& Masker::Of(const GapState& state) {
  ++statistics_.asked;
  if (memory_bytes() > kMaxBytes) Forget();
  const std::vector<Branch>& branches = state.branches();
  if (branches.size() == 1) return masks_[Scoped(branches[0], OfBranch(branches[0]))];
  boost::container::small_vector<uint64_t, 8> masks;
  for (const Branch& branch : branches) {
    MaskIndex mask = Scoped(branch, OfBranch(branch));
    if (mask != 0) masks.push_back(mask);
  }
  if (masks.empty()) return masks_[0];
  if (masks.size() == 1) return masks_[masks[0]];
  return masks_[Remembered(of_masks_, masks, [&](TokenMask& made) {
    for (uint64_t mask : masks) {
      for (size_t w = 0; w < made.words().size(); ++w) made.words()[w] |= masks_[mask].words()[w];
    }
  })];
}

// Within a line no token that holds a line end: sequences know lexemes, not bytes.
Masker::MaskIndex Masker::Scoped(const Branch& branch, MaskIndex mask) {
  if (branch.context.scope.scope != Scope::kLine || mask == 0) return mask;
  const uint64_t within_line[] = {mask};
  return Remembered(of_lines_, within_line, [&](TokenMask& made) {
    store_->sets().JoinWithin(store_->holding_line_ends(), true, masks_[mask], made);
  });
}

Masker::MaskIndex Masker::OfBranch(const Branch& branch) {
  const Language& language = gap_->language();
  if (language.lexeme_rules->IsPressing(branch.q, branch.progress, longest_token_))
    return OfPressed(branch);
  if (language.refused_names_make_room) return OfPressed(branch);
  if (!branch.guards.empty()) return OfGuarded(branch);
  return language.names ? OfNames(branch) : OfLexemes(branch, false).ever;
}

// Most pieces read no declared name: one walk answers for both bounds.
Masker::Bounds Masker::OfLexemes(const Branch& branch, bool unknown) {
  using Filter = MaskStore::Piece::Filter;
  boost::container::small_vector<uint64_t, 8> ever, always;
  const auto add = [&](auto& pieces, const MaskStore::Piece& piece, uint32_t parts) {
    if (memo_.sets(parts).empty()) return;
    pieces.push_back(static_cast<uint64_t>(parts) << 32 |
                     (piece.filter == Filter::kNone
                          ? 0u
                          : piece.bytes.value << 2 | static_cast<uint32_t>(piece.filter)));
  };
  const auto ask = [&](const MaskStore::Piece& piece, const Between& place, bool opened) {
    if (piece.modes != kAnyMode && !Within(piece.modes, place)) return;
    Between at = gap_->Settled(place);
    PieceParts found = PieceAt(piece.root, at, opened);
    add(ever, piece, found.parts);
    if (found.reads_names) {
      at.context.names = Strict(at.context.names);
      found = PieceAt(piece.root, at, opened);
    }
    add(always, piece, found.parts);
  };
  Between here{branch.top, branch.context};
  if (unknown) here.context.names = kAnyNames;
  bool beginning = branch.context.layout.AtLineBegin();
  LineContext line = beginning ? LineContext::kBeginning : LineContext::kWithin;
  for (const MaskStore::Piece& piece : store_->pieces(branch.q, line)) {
    if (!piece.at_once) {
      ask(piece, here, branch.q == kStartState || branch.opened_in_middle);
      continue;
    }
    ended_.clear();
    gap_->mover().ForEachEnd({branch.top, branch.context}, lexer_.LexemeAt(branch.q),
                             branch.emitted, {NameText::Known::kWhole, branch.text},
                             [&](const Between& at) {
                               ended_.push_back(at);
                               if (unknown) ended_.back().context.names = kAnyNames;
                             });
    SortUnique(ended_);
    gap_->mover().Pack(ended_);
    for (const Between& at : ended_) ask(piece, at, true);
  }
  const MaskIndex of_ever = OfPieces(ever);
  return {ever == always ? of_ever : OfPieces(always), of_ever};
}

// Pieces: parts in the upper half, their filter in the lower one.
Masker::MaskIndex Masker::OfPieces(std::span<const uint64_t> pieces) {
  using Filter = MaskStore::Piece::Filter;
  if (pieces.empty()) return 0;
  return Remembered(of_pieces_, pieces, [&](TokenMask& made) {
    for (uint64_t piece : pieces) {
      auto filter = static_cast<uint32_t>(piece);
      std::span<const TokenSetId> sets = memo_.sets(static_cast<uint32_t>(piece >> 32));
      if (filter == 0) {
        store_->sets().JoinTo(sets, made);
        continue;
      }
      std::fill(whole_.words().begin(), whole_.words().end(), 0);
      store_->sets().JoinTo(sets, whole_);
      bool outside = static_cast<Filter>(filter & 3) == Filter::kOutside;
      store_->sets().JoinWithin(TokenSetId{filter >> 2}, outside, whole_, made);
    }
  });
}

// The mask kept under a list of numbers; `make` fills it the first time.
template <typename Make>
Masker::MaskIndex Masker::Remembered(Unions& known, std::span<const uint64_t> list, Make make) {
  auto& same = known[HashOf(list)];
  for (const auto& [other, mask] : same) {
    if (std::equal(other.begin(), other.end(), list.begin(), list.end())) return mask;
  }
  ++statistics_.made;
  TokenMask made(store_->vocabulary().size());
  make(made);
  same.emplace_back(std::vector<uint64_t>(list.begin(), list.end()), Keep(std::move(made)));
  return same.back().second;
}

Masker::MaskIndex Masker::Keep(TokenMask mask) {
  auto& same = interned_[HashOf(mask.words())];
  for (MaskIndex index : same) {
    if (masks_[index] == mask) return index;
  }
  same.push_back(static_cast<MaskIndex>(masks_.size()));
  masks_.push_back(std::move(mask));
  return same.back();
}

Masker::PieceParts Masker::PieceAt(SequenceNodeId root, const Between& at, bool opened) {
  WalkMemo::Places places = Find(root, at, opened);
  if (!places.all_decided) {
    ++statistics_.walked;
    Trial trial(*gap_);
    Decide(places, root, at, opened);
  }
  return {memo_.Parts(places), memo_.ReadsNames(places)};
}

WalkMemo::Places Masker::Find(SequenceNodeId root, const Between& at, bool opened) {
  return memo_.Follow(root, opened, UnitCount(store_->node(root)), gap_->mover().stacks(),
                      gap_->classes(), at, reads_);
}

void Masker::Decide(WalkMemo::Places& places, SequenceNodeId root, const Between& at, bool opened) {
  StackArena& stacks = gap_->mover().stacks();
  using Kind = WalkMemo::Place WalkMemo::Places::*;
  constexpr std::array<Kind, 3> kKinds{&WalkMemo::Places::plain, &WalkMemo::Places::special,
                                       &WalkMemo::Places::named};
  struct Decided {
    WalkMemo::Unit unit;
    size_t kind;          // in kKinds
    uint32_t level;       // depth of the lowest node read
    uint32_t begin, end;  // in allowed_
    WalkReads reads;
  };
  boost::container::small_vector<Decided, 32> decided;
  const auto begin = static_cast<uint32_t>(allowed_.size());
  const WalkReads reads_before = reads_;
  boost::container::small_vector<WalkMemo::Unit, 64> open;
  memo_.AppendOpen(places, open);
  const bool open_end = gap_->right().empty();
  const uint64_t walk = BeginWalk();
  for (WalkMemo::Unit unit : open) {
    ++statistics_.units;
    reads_ = {};
    const auto from = static_cast<uint32_t>(allowed_.size());
    const NoteScope looked(stacks.reads());
    const NoteScope tested(gap_->mover().names_read());
    WalkUnit(store_->node(root), unit, at, opened, walk);
    const StackReads& stack = looked.notes();
    reads_.context |= stack.context;
    reads_.names |= tested.notes().any;
    if (stack.lowest == 0 && !open_end) reads_ = {true, true, reads_.names, 0};  // R may be read
    const bool special =
        reads_.indents || reads_.context ||
        (at.context.layout.depth > 0 && reads_.least_depth < at.context.layout.depth);
    const size_t kind = reads_.names ? 2 : special ? 1 : 0;
    const uint32_t level = std::min(stack.lowest, stacks.node((places.*kKinds[kind]).level).depth);
    decided.push_back({unit, kind, level, from, static_cast<uint32_t>(allowed_.size()), reads_});
  }
  std::sort(decided.begin(), decided.end(), [](const Decided& a, const Decided& b) {
    return std::tuple(a.kind, b.level, a.unit) < std::tuple(b.kind, a.level, b.unit);
  });
  reads_ = reads_before;
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
    memo_.Add(place, stacks, gap_->classes(), at.context.layout, lowest, units, sets, reads);
  }
  allowed_.resize(begin);
}

bool Masker::Within(ModeMask modes, const Between& at) const {
  return (modes & MaskOf(gap_->ModeAt(at))) != 0;
}

Between Masker::WithBlanks(const Between& at, BlanksId blanks) const {
  Between moved = at;
  for (char c : store_->blanks(blanks))
    gap_->mover().layout().ReadByte(static_cast<uint8_t>(c), moved.context.layout);
  return moved;
}

// The first lexeme of a line is compared with the columns of the open blocks, a closing bracket
// with the brackets that are open.
void Masker::NoteEnd(const Between& at, LexemeId id) {
  const Lexeme& lexeme = lexer_.lexeme(id);
  reads_.Note({at.context.layout.AtLineBegin() && lexeme.kind == TerminalKind::kParsed &&
                   !lexeme.is_newline,
               false, false,
               lexeme.bracket < 0 && at.context.layout.depth > 0 ? at.context.layout.depth - 1
                                                                 : at.context.layout.depth});
}

void Masker::WalkUnit(const MaskStore::Node& node, WalkMemo::Unit unit, const Between& at,
                      bool opened, uint64_t walk) {
  std::span<const MaskStore::Group> groups = store_->groups(node);
  if (unit < groups.size())
    WalkGroup(groups[unit], at, opened, walk);
  else
    WalkChild(store_->children(node)[unit - groups.size()], at, walk);
}

void Masker::WalkGroup(const MaskStore::Group& group, const Between& at, bool opened,
                       uint64_t walk) {
  std::span<const MaskStore::Member> members = store_->members(group);
  if (!gap_->JoinsOpened()) {  // nothing of the stack is asked
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

void Masker::WalkChild(const MaskStore::Child& child, const Between& at, uint64_t walk) {
  if (!gap_->JoinsOpened()) return;
  const bool asked = child.blanks == BlanksId{} && known_ends_[child.lexeme.value].walk == walk;
  if (asked && EndingOf(at, child.lexeme, walk) == SharedGap::Ending::kRefused) return;
  auto walk_node = [&](SequenceNodeId id, const Between& from) {
    const MaskStore::Node& node = store_->node(id);
    if (node.children_begin == node.children_end || UnitCount(node) <= kFewUnits ||
        !gap_->Lasts(from.top) || !gap_->mover().names().Lasts(from.context.names)) {
      const auto units = static_cast<WalkMemo::Unit>(UnitCount(node));
      const uint64_t own = BeginWalk();
      for (WalkMemo::Unit unit = 0; unit < units; ++unit) WalkUnit(node, unit, from, true, own);
      return;
    }
    const Between settled = gap_->Settled(from);
    WalkMemo::Places places = Find(id, settled, true);
    if (!places.all_decided) Decide(places, id, settled, true);
    memo_.AppendSets(places, allowed_);
  };
  const auto walk_behind = [&](const Between& behind) {
    if (child.modes != kAnyMode && !Within(child.modes, behind)) return;
    StackArena& stacks = gap_->mover().stacks();
    const MaskStore::Seen* seen =
        store_->seen(child, stacks.node(behind.top).state, behind.context.layout.depth > 0);
    // `always` knows no limits on nesting. Near one the walk asks; the memo's start names the
    // modes.
    const bool near_limit =
        gap_->mover().modes().Room(behind.context.modes) < store_->most_pushes();
    if (!seen || near_limit || behind.context.scope.scope != Scope::kFree) {
      walk_node(child.node, behind);
    } else if (gap_->Unrestricted(behind)) {
      if (seen->some) allowed_.push_back(seen->always);
      walk_node(seen->rest, behind);
    } else {
      walk_node(seen->possible, behind);
    }
  };
  Between before = WithBlanks(at, child.blanks);
  NoteEnd(before, child.lexeme);
  size_t met = 0;
  std::vector<Between> more;  // than stay apart
  gap_->mover().ForEachEnd(before, child.lexeme, true, kSomeText, [&](const Between& behind) {
    if (++met <= kPackAbove)
      walk_behind(behind);
    else
      more.push_back(behind);
  });
  if (more.empty()) return;
  gap_->mover().Pack(more);
  for (const Between& behind : more) walk_behind(behind);
}

bool Masker::Joins(const Between& at, BlanksId blanks, LexemeId id, uint64_t walk) {
  constexpr SharedGap::Ending kJoins = SharedGap::Ending::kJoins;
  if (blanks == BlanksId{}) return EndingOf(at, id, walk) == kJoins;
  NoteEnd(at, id);
  const Lexeme& lexeme = lexer_.lexeme(id);
  const bool begins =
      at.context.layout.AtLineBegin() && lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline;
  if (!begins) return gap_->EndingOf(at, id, true) == kJoins;
  StackArena& stacks = gap_->mover().stacks();
  KnownBlanks& known = known_blanks_[blanks.value];
  if (known.walk != walk) {
    const NoteScope looked(stacks.reads());
    const bool fit = gap_->mover().BeginsLine(at);
    known = {walk, fit, looked.notes()};
  }
  stacks.NoteReads(known.stack);
  return known.fit && gap_->EndingOf(at, id, true) == kJoins;
}

// Once for each lexeme and walk.
SharedGap::Ending Masker::EndingOf(const Between& at, LexemeId id, uint64_t walk) {
  StackArena& stacks = gap_->mover().stacks();
  KnownEnd& known = known_ends_[id.value];
  if (known.walk != walk) {
    const WalkReads reads_before = std::exchange(reads_, WalkReads{});
    const NoteScope looked(stacks.reads());
    const NoteScope tested(gap_->mover().names_read());
    NoteEnd(at, id);
    const SharedGap::Ending ending = gap_->EndingOf(at, id, true);
    reads_.names |= tested.notes().any;
    known = {walk, ending, looked.notes(), reads_};
    reads_ = reads_before;
  }
  reads_.Note(known.reads);
  stacks.NoteReads(known.stack);
  return known.ending;
}

// At the place of a walk.
class Masker::WalkRefusals final : public KnownRefusals {
 public:
  WalkRefusals(Masker& masker, const Between& at, uint64_t walk)
      : masker_(masker), at_(at), walk_(walk) {}
  bool Refused(LexemeId lexeme) override {
    return masker_.EndingOf(at_, lexeme, walk_) == SharedGap::Ending::kRefused;
  }

 private:
  Masker& masker_;
  const Between& at_;
  uint64_t walk_;
};

// So many lexemes may follow, each of which may close a bracket or begin a line.
void Masker::NoteFurther(const Between& at, uint32_t lexemes) {
  const bool begins = at.context.layout.AtLineBegin();
  reads_.Note({begins || lexemes > 1, false, false,
               at.context.layout.depth - std::min(at.context.layout.depth, lexemes)});
}

bool Masker::MemberViable(const MaskStore::Member& member, const Between& at, bool opened,
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
  branch.guards = store_->guards(member.guards);
  branch.context = before.context;
  branch.emitted = true;
  branch.opened_in_middle = opened;
  NoteFurther(before, gap_->right().empty() ? kMaxFurther : kNoLimit);
  if (member.guards != 0) return gap_->Viable(branch);
  WalkRefusals refusals(*this, before, walk);
  return gap_->ViableFurther(branch, refusals);
}

// May the lexeme in progress end in R, as one that the parser takes here? If so it is looked at in
// full.
bool Masker::SomeLanding(const Between& at, DfaStateId q, bool opened) {
  if (!gap_->MayLand(q)) return false;
  NoteFurther(at, 1);
  return gap_->TakesSomeLanding(at, q, opened);
}

Masker::MaskIndex Masker::OfGuarded(const Branch& branch) {
  std::bitset<256> kept_alive, changed;
  for (int b = 0; b < 256; ++b) {
    bool alive = false, kills = false;
    for (DfaStateId guard : branch.guards.states) {
      if (guard == kDeadState) break;
      DfaStateId to = lexer_.Next(guard, static_cast<uint8_t>(b));
      alive = alive || to != kDeadState;
      kills = kills || (to != kDeadState && lexer_.LexemeAt(to) != kNoLexeme);
    }
    kept_alive[b] = alive && !kills;
    changed[b] = alive;
  }
  Branch unguarded = branch;
  unguarded.guards = Guards{};
  TokenMask made = masks_[OfBranch(unguarded)];
  const TokenVocabulary& vocabulary = store_->vocabulary();
  std::span<const TokenVocabulary::Node> nodes = vocabulary.nodes();
  for (uint32_t i = 0; i < vocabulary.node_count(); i = nodes[i].end) {
    if (!changed[nodes[i].byte]) continue;
    for (uint32_t t = nodes[i].tokens; t < nodes[nodes[i].end].tokens; ++t)
      made.Remove(vocabulary.sorted()[t]);
  }
  WalkGuarded(branch, kept_alive, made);
  return Keep(std::move(made));
}

// Tries of lexemes do not know the rules that lexemes keep to. Few tokens go on with a name, and
// few numbers are so long.
Masker::MaskIndex Masker::OfPressed(const Branch& branch) {
  TokenMask made(store_->vocabulary().size());
  WalkGuarded(branch, std::bitset<256>().set(), made);
  return Keep(std::move(made));
}

// Tries of lexemes know no texts but that of the lexeme in progress. Tokens are allowed whatever is
// declared, or with no names at all, or they are tried.
Masker::MaskIndex Masker::OfNames(const Branch& branch) {
  Bounds bounds = OfLexemes(branch, true);
  if (bounds.always == bounds.ever) return bounds.ever;
  const auto between = [&] {
    return named_.UnsureBetween(uint64_t{bounds.always} << 32 | bounds.ever, masks_[bounds.always],
                                masks_[bounds.ever]);
  };
  UnsureTokens::SetId unsure = between();
  if (named_.Count(unsure) > kManyTokens && IsKnown(branch.context.names)) {
    bounds = OfLexemes(branch, false);
    if (bounds.always == bounds.ever) return bounds.ever;
    unsure = between();
  }
  const TokenListId fitting = named_.FittingOf(branch, unsure);
  if (fitting == kEmptyTokenList) return bounds.always;
  const uint64_t parts[] = {bounds.always, fitting.value};
  return Remembered(of_fitting_, parts, [&](TokenMask& made) {
    made = masks_[bounds.always];
    for (const TokenId token : named_.tokens(fitting)) made.Add(token);
  });
}

// Few tokens keep a guard alive: the answers are not kept.
void Masker::WalkGuarded(const Branch& branch, const std::bitset<256>& first, TokenMask& out) {
  if (first.none()) return;
  const std::span<const TokenVocabulary::Node> nodes = store_->vocabulary().nodes();
  ++statistics_.walked;
  TryTokens(
      *gap_, store_->vocabulary(), branch,
      [&](uint32_t node) -> size_t { return nodes[node].depth > 1 || first[nodes[node].byte]; },
      [&](TokenId token) { out.Add(token); });
}

}  // namespace tenon::constraint
