#include "constraint/mask/masker.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {
constexpr size_t kMaxBytes = 20u << 20;
using Kind = KeptMasks::Kind;
using Filter = MaskStore::Piece::Filter;
}  // namespace

Masker::Masker(std::shared_ptr<const MaskStore> store, const GapState& gap)
    : store_(std::move(store)),
      gap_(gap.shared()),
      lexer_(store_->language().lexer),
      walk_(*store_, *gap_),
      named_(store_->vocabulary(), *gap_),
      kept_(store_->vocabulary().size()),
      whole_(store_->vocabulary().size()) {
  assert(&gap_->language() == &store_->language() && gap_->policy().emit);
}

void Masker::Forget() {
  kept_.Forget();
  walk_.Forget();
  named_.Forget();
}

const TokenMask& Masker::Of(const GapState& state) {
  ++asked_;
  if (memory_bytes() > kMaxBytes) Forget();
  const std::vector<Branch>& branches = state.branches();
  if (branches.size() == 1) return kept_[Scoped(branches[0], OfBranch(branches[0]))];
  boost::container::small_vector<uint64_t, 8> masks;
  for (const Branch& branch : branches) {
    MaskIndex mask = Scoped(branch, OfBranch(branch));
    if (mask != KeptMasks::kNothing) masks.push_back(mask);
  }
  if (masks.empty()) return kept_[KeptMasks::kNothing];
  if (masks.size() == 1) return kept_[static_cast<MaskIndex>(masks[0])];
  return kept_[kept_.Of(Kind::kMasks, masks, [&](TokenMask& made) {
    for (uint64_t mask : masks) {
      const TokenMask& one = kept_[static_cast<MaskIndex>(mask)];
      for (size_t w = 0; w < made.words().size(); ++w) made.words()[w] |= one.words()[w];
    }
  })];
}

// Within a line no token that holds a line end: sequences know lexemes, not bytes.
Masker::MaskIndex Masker::Scoped(const Branch& branch, MaskIndex mask) {
  if (branch.context.scope.scope != Scope::kLine || mask == KeptMasks::kNothing) return mask;
  const uint64_t within_line[] = {mask};
  return kept_.Of(Kind::kWithinLine, within_line, [&](TokenMask& made) {
    store_->sets().JoinWithin(store_->holding_line_ends(), true, kept_[mask], made);
  });
}

Masker::MaskIndex Masker::OfBranch(const Branch& branch) {
  const Language& language = gap_->language();
  if (language.lexeme_rules->IsPressing(branch.q, branch.progress,
                                        store_->vocabulary().longest_bytes()))
    return OfPressed(branch);
  if (language.refused_names_make_room) return OfPressed(branch);
  if (!branch.guards.empty()) return OfGuarded(branch);
  return language.names ? OfNames(branch) : OfLexemes(branch, false).ever;
}

Masker::Bounds Masker::OfLexemes(const Branch& branch, bool unknown) {
  PieceLists lists;
  Between here{branch.top, branch.context};
  if (unknown) here.context.names = kAnyNames;
  const bool beginning = branch.context.layout.AtLineBegin();
  const LineContext line = beginning ? LineContext::kBeginning : LineContext::kWithin;
  for (const MaskStore::Piece& piece : store_->pieces(branch.q, line)) {
    if (!piece.at_once) {
      AddPiece(piece, here, branch.q == kStartState || branch.opened_in_middle, lists);
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
    for (const Between& at : ended_) AddPiece(piece, at, true, lists);
  }
  const MaskIndex of_ever = OfPieces(lists.ever);
  return {lists.ever == lists.always ? of_ever : OfPieces(lists.always), of_ever};
}

// Most pieces read no declared name: one walk answers for both bounds.
void Masker::AddPiece(const MaskStore::Piece& piece, const Between& place, bool opened,
                      PieceLists& lists) {
  if (piece.modes != kAnyMode && !walk_.Within(piece.modes, place)) return;
  const auto add = [&](auto& pieces, uint32_t list) {
    if (walk_.sets(list).empty()) return;
    pieces.push_back(static_cast<uint64_t>(list) << 32 |
                     (piece.filter == Filter::kNone
                          ? 0u
                          : piece.bytes.value << 2 | static_cast<uint32_t>(piece.filter)));
  };
  Between at = gap_->Settled(place);
  MaskWalk::Parts found = walk_.PartsOf(piece.root, at, opened);
  add(lists.ever, found.list);
  if (found.reads_names) {
    at.context.names = Strict(at.context.names);
    found = walk_.PartsOf(piece.root, at, opened);
  }
  add(lists.always, found.list);
}

Masker::MaskIndex Masker::OfPieces(std::span<const uint64_t> pieces) {
  if (pieces.empty()) return KeptMasks::kNothing;
  return kept_.Of(Kind::kPieces, pieces, [&](TokenMask& made) {
    for (uint64_t piece : pieces) {
      auto filter = static_cast<uint32_t>(piece);
      std::span<const TokenSetId> sets = walk_.sets(static_cast<uint32_t>(piece >> 32));
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

}  // namespace tenon::constraint
