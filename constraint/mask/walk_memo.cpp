#include "constraint/mask/walk_memo.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

// The part of the stack below a level, as its viability class. Where the levels end in a packed
// node, that node: all that lies below it is its own.
ClassId Below(const StackArena& stacks, ViabilityClasses& classes, NodeId lowest) {
  constexpr uint32_t kPacked = 0x80000000u, kFreeForm = 0x7fffffffu;
  if (classes.open() && classes.FreeForm(stacks, lowest)) return ClassId{kFreeForm};
  if (!stacks.IsPacked(lowest)) return classes.at(classes.Of(stacks, lowest)).in_any_context;
  assert(lowest.value < stacks.lasting_size() && "what is remembered must last");
  return ClassId{kPacked | lowest.value};
}

}  // namespace

uint32_t WalkMemo::Lists::Intern(std::vector<TokenSetId> list) {
  const auto is_same = [&](uint32_t id) { return lists_[id] == list; };
  return ids_.FindOrAdd(HashOf(std::span(list)), is_same, [&] {
    lists_.push_back(std::move(list));
    return static_cast<uint32_t>(lists_.size() - 1);
  });
}

size_t WalkMemo::StartHash::operator()(const Start& s) const {
  uint64_t flags =
      static_cast<uint64_t>(s.opened) | s.context.layout.depth << 1 |
      s.context.layout.line_begin << 2 | s.context.layout.counting << 3 |
      s.context.line_ends.seen << 4 | s.context.line_ends.ends_phrase << 5 |
      static_cast<uint64_t>(s.context.scope.scope) << 6 | s.context.scope.line_ended << 10 |
      static_cast<uint64_t>(s.context.line_ends.place) << 12 |
      static_cast<uint64_t>(s.named) << 11 | static_cast<uint64_t>(s.context.layout.column) << 16 |
      static_cast<uint64_t>(s.context.scope.owed_braces) << 32;
  uint64_t scope = static_cast<uint64_t>(s.context.scope.brackets) << 48 |
                   static_cast<uint64_t>(s.context.scope.braces) << 32 |
                   static_cast<uint64_t>(s.context.scope.blocks) << 16 | s.context.scope.closable;
  return HashOf(s.node.value, flags, s.context.modes.value, s.context.names.value, scope);
}

void WalkMemo::Forget() {
  starts_.clear();
  next_.clear();
  entries_.clear();
  levels_.clear();
  sets_.clear();
  open_.clear();
  parts_ = {};
  parts_.Intern({});
  parts_of_both_.clear();
}

WalkMemo::EntryId WalkMemo::Begin(SequenceNodeId node, bool opened, bool named,
                                  const LexicalContext& context, size_t units) {
  const LayoutState& layout = context.layout;
  Start start{node, opened, named, context};
  if (!named) start.context.names = NamesId{};
  start.context.layout.indents = IndentId{};
  start.context.layout.depth = layout.depth > 0;
  if (!layout.line_begin || layout.depth > 0) {  // the column is that of a line that has begun
    start.context.layout.column = start.context.layout.alt_column = 0;
    start.context.layout.counting = false;
  }
  auto [at, fresh] = starts_.try_emplace(start, static_cast<EntryId>(entries_.size()));
  if (fresh) {
    Entry begin;
    begin.open = static_cast<uint32_t>(open_.size());
    begin.open_words = static_cast<uint16_t>((units + 63) / 64);
    begin.all_decided = units == 0;
    open_.resize(open_.size() + begin.open_words, ~uint64_t{0});
    if (units % 64 != 0) open_.back() >>= 64 - units % 64;
    entries_.insert(entries_.end(), named ? 1 : 2, begin);
  }
  return at->second;
}

bool WalkMemo::Fits(const Entry& entry, EntryId from, size_t length, const StackArena& stacks,
                    NodeId level) const {
  if (entry.from != from || entry.length != length) return false;
  for (size_t i = 0; i < length; ++i, level = stacks.node(level).below) {
    if (levels_[entry.levels + i] != Level(stacks.node(level))) return false;
  }
  return true;
}

WalkMemo::Places WalkMemo::Follow(SequenceNodeId node, bool opened, size_t units,
                                  StackArena& stacks, ViabilityClasses& classes, const Between& at,
                                  WalkReads& reads) {
  const EntryId begin = Begin(node, opened, false, at.context, units);
  Places places{{begin, at.top}, {begin + 1, at.top}, {begin + 1, at.top}};
  for (Place* place : {&places.plain, &places.special}) {
    while (!entries_[place->entry].all_decided &&
           Next(*place, stacks, classes, at.context.layout, reads)) {
    }
    places.all_decided = entries_[place->entry].all_decided;
    if (places.all_decided) return places;
  }
  places.all_decided = AllDecided(places);
  if (places.all_decided || !names_) return places;
  places.named.entry = Begin(node, opened, true, at.context, units);
  while (!entries_[places.named.entry].all_decided &&
         Next(places.named, stacks, classes, at.context.layout, reads))
    reads.names = true;
  places.all_decided = AllDecided(places);
  return places;
}

bool WalkMemo::AllDecided(const Places& places) const {
  const Entry& plain = entries_[places.plain.entry];
  const Entry& special = entries_[places.special.entry];
  const Entry& named = entries_[places.named.entry];
  for (uint32_t w = 0; w < plain.open_words; ++w) {
    if ((open_[plain.open + w] & open_[special.open + w] & open_[named.open + w]) != 0)
      return false;
  }
  return true;
}

bool WalkMemo::Next(Place& place, StackArena& stacks, ViabilityClasses& classes,
                    const LayoutState& layout, WalkReads& reads) const {
  const EntryId from = place.entry;
  uint64_t hash = from;
  NodeId at = place.level;
  size_t length = 1;
  for (uint64_t left = entries_[from].lengths >> 1; left != 0; left >>= 1, ++length) {
    const StackArena::Node& node = stacks.node(at);
    hash = HashWith(hash, Level(node));
    if (left & 1) {
      auto first = next_.find(hash);
      for (EntryId id = first == next_.end() ? kNone : first->second; id != kNone;
           id = entries_[id].alike) {
        const Entry& entry = entries_[id];
        if ((!entry.any_indents && entry.indents != layout.indents) ||
            (!entry.any_context && entry.outer != node.outer) ||
            (entry.exact_depth ? entry.depth != layout.depth : entry.depth > layout.depth) ||
            !Fits(entry, from, length, stacks, place.level) ||
            entry.below != Below(stacks, classes, at))
          continue;
        reads.Note({!entry.any_indents, !entry.any_context, false,
                    entry.exact_depth ? 0 : layout.depth - entry.depth + 1});
        stacks.NoteReads({node.depth, !entry.any_context});
        place = {id, node.below};
        return true;
      }
    }
    if (node.depth == 0) break;
    at = node.below;
  }
  return false;
}

uint32_t WalkMemo::PartsAfter(EntryId id) {
  if (entries_[id].parts != kNone) return entries_[id].parts;
  size_t count = 0;
  const auto mark = [&](std::span<const TokenSetId> sets) {
    count += sets.size();
    for (const TokenSetId set : sets) {
      if (set.value / 64 >= marks_.size()) marks_.resize(set.value / 64 + 1);
      marks_[set.value / 64] |= uint64_t{1} << set.value % 64;
    }
  };
  for (EntryId at = id; at != kNone; at = entries_[at].from) {
    const Entry& entry = entries_[at];
    if (entry.parts != kNone) {
      mark(parts_[entry.parts]);
      break;
    }
    mark(std::span(sets_).subspan(entry.sets, entry.set_count));
  }
  std::vector<TokenSetId> all;
  all.reserve(count);
  for (uint32_t w = 0; w < marks_.size(); ++w) {
    for (uint64_t bits = std::exchange(marks_[w], 0); bits != 0; bits &= bits - 1)
      all.push_back({w * 64 + static_cast<uint32_t>(std::countr_zero(bits))});
  }
  return entries_[id].parts = parts_.Intern(std::move(all));
}

uint32_t WalkMemo::Parts(const Places& places) {
  return PartsOfBoth(PartsOfBoth(PartsAfter(places.plain.entry), PartsAfter(places.special.entry)),
                     PartsAfter(places.named.entry));
}

uint32_t WalkMemo::PartsOfBoth(uint32_t a, uint32_t b) {
  if (a == 0 || b == 0 || a == b) return a | b;
  auto [at, fresh] = parts_of_both_.try_emplace(static_cast<uint64_t>(a) << 32 | b);
  if (fresh) {
    std::vector<TokenSetId> both;
    std::set_union(parts_[a].begin(), parts_[a].end(), parts_[b].begin(), parts_[b].end(),
                   std::back_inserter(both));
    at->second = parts_.Intern(std::move(both));
  }
  return at->second;
}

void WalkMemo::Add(Place& place, StackArena& stacks, ViabilityClasses& classes,
                   const LayoutState& layout, NodeId lowest, std::span<const Unit> decided,
                   std::span<const TokenSetId> sets, const WalkReads& reads) {
  const EntryId from = place.entry;
  auto id = static_cast<EntryId>(entries_.size());
  Entry made;
  made.from = from;
  made.sets = static_cast<uint32_t>(sets_.size());
  made.set_count = static_cast<uint32_t>(sets.size());
  sets_.insert(sets_.end(), sets.begin(), sets.end());
  made.open = static_cast<uint32_t>(open_.size());
  made.open_words = entries_[from].open_words;
  open_.resize(open_.size() + made.open_words);
  std::copy_n(open_.begin() + entries_[from].open, made.open_words, open_.begin() + made.open);
  for (Unit unit : decided) open_[made.open + unit / 64] &= ~(uint64_t{1} << unit % 64);
  made.all_decided =
      std::all_of(open_.begin() + made.open, open_.end(), [](uint64_t word) { return word == 0; });
  made.below = Below(stacks, classes, lowest);
  made.outer = stacks.node(lowest).outer;
  made.any_context = !reads.context;
  made.indents = layout.indents;
  made.any_indents = !reads.indents;
  if (reads.least_depth == 0) {
    made.depth = layout.depth;
    made.exact_depth = true;
  } else if (reads.least_depth <= layout.depth) {
    made.depth = layout.depth - reads.least_depth + 1;
  }
  made.levels = static_cast<uint32_t>(levels_.size());
  uint64_t hash = from;
  NodeId level = place.level;
  for (const uint32_t end = stacks.node(lowest).depth; stacks.node(level).depth >= end;
       level = stacks.node(level).below) {
    levels_.push_back(Level(stacks.node(level)));
    hash = HashWith(hash, levels_.back());
    if (stacks.node(level).depth == 0) break;
  }
  made.length = static_cast<uint8_t>(levels_.size() - made.levels);
  entries_[from].lengths |= uint64_t{1} << made.length;
  auto [at, fresh] = next_.try_emplace(hash, id);
  if (!fresh) made.alike = std::exchange(at->second, id);
  entries_.push_back(made);
  place = {id, level};
}

NodeId WalkMemo::EndOfEntry(const Place& place, uint32_t depth, const StackArena& stacks) {
  NodeId end = place.level;
  for (size_t n = 1; n < kMaxLevels && stacks.node(end).depth > depth; ++n)
    end = stacks.node(end).below;
  return end;
}

}  // namespace tenon::constraint
