#include "constraint/mask/masker.h"

#include <algorithm>
#include <cassert>

#include <xxhash.h>

namespace tenon::constraint {

namespace {
constexpr size_t kMaxMaskBytes = 16u << 20;
}  // namespace

Masker::Masker(std::shared_ptr<const MaskStore> store, const GapState& gap)
    : store_(std::move(store)),
      session_(gap.session()),
      lexer_(store_->language().lexer),
      futures_(*store_->language().futures[true]) {
  assert(&session_->language() == &store_->language() && session_->policy().emit);
  Forget();
}

void Masker::Forget() {
  masks_.assign(1, TokenMask(store_->vocabulary().size()));  // [0]: nothing is allowed
  interned_.clear();
  unions_.clear();
  results_of_.clear();
  results_.clear();
  paths_.clear();
  starts_.clear();
}

const TokenMask& Masker::Of(const GapState& state) {
  ++statistics_.asked;
  if (memory_bytes() > kMaxMaskBytes) Forget();
  const std::vector<Branch>& branches = state.branches();
  if (branches.size() == 1) return masks_[Scoped(branches[0], OfBranch(branches[0]))];
  std::vector<uint64_t> parts;
  for (const Branch& branch : branches) {
    MaskIndex mask = Scoped(branch, OfBranch(branch));
    if (mask != 0) parts.push_back(static_cast<uint64_t>(mask) << 32);
  }
  return masks_[PutTogether(parts)];
}

// Within a line no token that holds a line end: sequences know lexemes, not bytes.
Masker::MaskIndex Masker::Scoped(const Branch& branch, MaskIndex mask) {
  if (branch.layout.scope.scope != Scope::kLine || mask == 0) return mask;
  return PutTogether({static_cast<uint64_t>(mask) << 32 | store_->holding_line_ends().value << 2 |
                      static_cast<uint32_t>(MaskStore::Piece::Filter::kOutside)});
}

Masker::MaskIndex Masker::OfBranch(const Branch& branch) {
  if (!branch.guards.empty()) return WalkGuarded(branch);
  Between here{branch.top, branch.layout};
  bool beginning = branch.layout.line_begin && branch.layout.depth == 0;
  LineContext line = beginning ? LineContext::kBeginning : LineContext::kWithin;
  using Filter = MaskStore::Piece::Filter;
  std::vector<uint64_t> parts;
  auto add = [&](const MaskStore::Piece& piece, MaskIndex mask) {
    if (mask == 0) return;
    parts.push_back(
        static_cast<uint64_t>(mask) << 32 |
        (piece.filter == Filter::kNone ? 0u : piece.bytes.value << 2 | static_cast<uint32_t>(piece.filter)));
  };
  for (const MaskStore::Piece& piece : store_->pieces(branch.q, line)) {
    if (!piece.at_once) {
      add(piece, PieceAt(piece.root, here, branch.q == kStartState || branch.opened_in_middle));
      continue;
    }
    for (const Between& at : session_->mover().End(here, lexer_.LexemeAt(branch.q), branch.emitted))
      add(piece, PieceAt(piece.root, at, true));
  }
  return PutTogether(parts);
}

// Parts: a mask in the upper half, its filter in the lower one.
Masker::MaskIndex Masker::PutTogether(const std::vector<uint64_t>& parts) {
  using Filter = MaskStore::Piece::Filter;
  if (parts.empty()) return 0;
  if (parts.size() == 1 && (parts[0] & 0xffffffffu) == 0) return static_cast<MaskIndex>(parts[0] >> 32);
  auto& same = unions_[XXH3_64bits(parts.data(), parts.size() * sizeof(uint64_t))];
  for (const auto& [other, mask] : same) {
    if (other == parts) return mask;
  }
  ++statistics_.made;
  TokenMask made(store_->vocabulary().size());
  for (uint64_t part : parts) {
    const TokenMask& from = masks_[part >> 32];
    uint32_t filter = static_cast<uint32_t>(part);
    if (filter == 0) {
      for (size_t w = 0; w < made.words().size(); ++w) made.words()[w] |= from.words()[w];
    } else {
      store_->sets().JoinWithin(TokenSetId{filter >> 2}, static_cast<Filter>(filter & 3) == Filter::kOutside, from,
                                made);
    }
  }
  MaskIndex index = Keep(std::move(made));
  same.emplace_back(parts, index);
  return index;
}

Masker::MaskIndex Masker::Keep(TokenMask mask) {
  auto& same = interned_[XXH3_64bits(mask.words().data(), mask.words().size_bytes())];
  for (MaskIndex index : same) {
    if (masks_[index] == mask) return index;
  }
  same.push_back(static_cast<MaskIndex>(masks_.size()));
  masks_.push_back(std::move(mask));
  return same.back();
}

Masker::MaskIndex Masker::PieceAt(SequenceNodeId root, const Between& at, bool opened) {
  StackArena& stacks = session_->mover().stacks();
  const LayoutState& layout = at.layout;
  struct StartKey {
    uint32_t root, depth;
    uint16_t column, alt_column;
    uint8_t flags, scope;
    uint16_t brackets, braces, blocks, closable, unused;
  } start_key{root.value,
              layout.depth,
              layout.column,
              layout.alt_column,
              static_cast<uint8_t>(layout.line_begin | layout.counting << 1 | opened << 2 | layout.ends_phrase << 3 |
                                   layout.line_seen << 4),
              static_cast<uint8_t>(static_cast<uint8_t>(layout.scope.scope) | layout.scope.line_ended << 4),
              layout.scope.brackets,
              layout.scope.braces,
              layout.scope.blocks,
              layout.scope.closable,
              0};
  uint64_t start = XXH3_64bits(&start_key, sizeof start_key);
  auto path_of = [&](auto& map, uint64_t key) {
    auto [at_key, fresh] = map.try_emplace(key, static_cast<uint32_t>(results_of_.size()));
    if (fresh) results_of_.push_back(kNone);
    return at_key->second;
  };
  auto longer = [](uint32_t path, const StackArena::Node& node) {
    return static_cast<uint64_t>(path) << 32 | static_cast<uint64_t>(node.state.value) << 16 | node.column;
  };
  if (auto first = starts_.find(start); first != starts_.end()) {
    uint32_t path = first->second;
    for (NodeId n = at.top;; n = stacks.node(n).below) {
      auto next = paths_.find(longer(path, stacks.node(n)));
      if (next == paths_.end()) break;
      path = next->second;
      for (uint32_t r = results_of_[path]; r != kNone; r = results_[r].next) {
        const Result& result = results_[r];
        if ((result.any_indents || result.indents == layout.indents.value) &&
            result.below == session_->classes().Of(stacks, n).value)
          return result.mask;
      }
      if (n == kBottomNode) break;
    }
  }
  ++statistics_.walked;
  uint32_t read_before = stacks.lowest_read();
  stacks.ForgetReads();
  read_indents_ = false;
  TokenMask made(store_->vocabulary().size());
  stacks.BeginTrial();
  stacks.NoteRead(stacks.node(at.top).depth);
  Walk(store_->node(root), at, opened, made);
  stacks.EndTrial();
  session_->classes().ForgetNodes(stacks.size());
  MaskIndex mask = Keep(std::move(made));
  uint32_t path = path_of(starts_, start);
  NodeId n = at.top;
  for (;; n = stacks.node(n).below) {
    path = path_of(paths_, longer(path, stacks.node(n)));
    if (n == kBottomNode || stacks.node(n).depth <= stacks.lowest_read()) break;
  }
  results_.push_back({session_->classes().Of(stacks, n).value, layout.indents.value,
                      !read_indents_ && stacks.lowest_read() > 0, mask, results_of_[path]});
  results_of_[path] = static_cast<uint32_t>(results_.size() - 1);
  stacks.NoteRead(read_before);
  return mask;
}

Between Masker::WithBlanks(const Between& at, BlanksId blanks) const {
  Between moved = at;
  for (char c : store_->blanks(blanks)) session_->mover().layout().ReadByte(static_cast<uint8_t>(c), moved.layout);
  return moved;
}

// The first lexeme of a line is compared with the columns of the open blocks.
void Masker::NoteEnd(const Between& at, LexemeId id) {
  const Lexeme& lexeme = lexer_.lexeme(id);
  read_indents_ |=
      at.layout.line_begin && at.layout.depth == 0 && lexeme.kind == TerminalKind::kToken && !lexeme.is_newline;
}

void Masker::Walk(const MaskStore::Node& node, const Between& at, bool opened, TokenMask& out) {
  ++statistics_.nodes;
  KnownEnds known(lexer_.lexeme_count(), 0);
  const TokenSetPool& sets = store_->sets();
  for (const MaskStore::Group& group : store_->groups(node)) {
    std::span<const MaskStore::Member> members = store_->members(group);
    if (group.primary != kNoLexeme) {
      Between before = WithBlanks(at, members[0].blanks);
      NoteEnd(before, group.primary);
      if (Joins(before, members[0].blanks, group.primary, known)) {
        sets.JoinTo(group.all, out);
        continue;
      }
    }
    for (const MaskStore::Member& member : members) {
      if (MemberViable(member, at, member.whole ? opened : true, known)) sets.JoinTo(member.tokens, out);
    }
  }
  for (const MaskStore::Child& child : store_->children(node)) {
    Between before = WithBlanks(at, child.blanks);
    NoteEnd(before, child.lexeme);
    session_->mover().ForEachEnd(before, child.lexeme, true, [&](const Between& behind) {
      StackArena& stacks = session_->mover().stacks();
      const MaskStore::Seen* seen = store_->seen(child, stacks.node(behind.top).state, behind.layout.depth > 0);
      if (!seen || behind.layout.scope.scope != Scope::kFree) {
        Walk(store_->node(child.node), behind, true, out);
      } else if (session_->classes().Unrestricted(stacks, behind.top)) {
        if (seen->some) sets.JoinTo(seen->always, out);
        Walk(store_->node(seen->rest), behind, true, out);
      } else {
        Walk(store_->node(seen->possible), behind, true, out);
      }
    });
  }
}

// Once for each lexeme and place, where no blanks have moved the column.
bool Masker::Joins(const Between& at, BlanksId blanks, LexemeId lexeme, KnownEnds& known) {
  if (blanks != BlanksId{}) return session_->JoinsBehind(at, lexeme, true);
  int8_t& answer = known[lexeme.value];
  if (answer == 0) answer = session_->JoinsBehind(at, lexeme, true) ? 1 : -1;
  return answer > 0;
}

bool Masker::MemberViable(const MaskStore::Member& member, const Between& at, bool opened, KnownEnds& known) {
  Between before = WithBlanks(at, member.blanks);
  if (member.guards == 0) {
    for (LexemeId lexeme : futures_.Ended(member.future)) {
      NoteEnd(before, lexeme);
      if (Joins(before, member.blanks, lexeme, known)) return true;
    }
    if (!futures_.More(member.future) && !SomeLanding(before, member.q, opened)) return false;
  }
  Branch branch;
  branch.top = before.top;
  branch.q = member.q;
  branch.guards = store_->guards(member.guards);
  branch.layout = before.layout;
  branch.emitted = true;
  branch.opened_in_middle = opened;
  session_->mover().stacks().NoteRead(0);  // R may be read to its end
  read_indents_ = true;
  return session_->Viable(branch);
}

// May some lexeme that R ends follow here? Then what is in progress is looked at in full.
bool Masker::SomeLanding(const Between& at, DfaStateId q, bool opened) {
  if (!session_->MayLand(q)) return false;
  for (const GapSession::Landing& landing : session_->landings()) {
    if (opened && landing.offset > 0 && lexer_.lexeme(landing.lexeme).delimited) continue;  // the seam rule
    if (!session_->mover().End(at, landing.lexeme, true).empty()) return true;
  }
  return false;
}

// A guard is alive where the text stops in the middle of a longer lexeme: too rare to be kept.
Masker::MaskIndex Masker::WalkGuarded(const Branch& branch) {
  ++statistics_.walked;
  std::vector<Branch> from{branch};
  TokenMask made(store_->vocabulary().size());
  const TokenVocabulary& vocabulary = store_->vocabulary();
  std::span<const TokenVocabulary::Node> nodes = vocabulary.nodes();
  std::vector<std::vector<Branch>> at_depth{from};
  for (uint32_t i = 0; i < vocabulary.node_count();) {
    at_depth.resize(std::max<size_t>(at_depth.size(), nodes[i].depth + 1u));
    std::vector<Branch>& here = at_depth[nodes[i].depth];
    here = session_->mover().Read(at_depth[nodes[i].depth - 1u], nodes[i].byte, true);
    if (here.empty()) {
      i = nodes[i].end;
      continue;
    }
    if (uint32_t own = vocabulary.OwnTokens(i)) {
      if (std::any_of(here.begin(), here.end(), [&](const Branch& b) { return session_->Viable(b); })) {
        for (uint32_t t = 0; t < own; ++t) made.Add(vocabulary.sorted()[nodes[i].tokens + t]);
      }
    }
    ++i;
  }
  return Keep(std::move(made));
}

}  // namespace tenon::constraint
