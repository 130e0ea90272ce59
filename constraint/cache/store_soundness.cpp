#include <algorithm>
#include <span>
#include <vector>

#include "constraint/cache/soundness.h"
#include "constraint/mask/mask.h"

namespace tenon::constraint {

class StoreInspector {
 public:
  explicit StoreInspector(const MaskStore& store)
      : store_(store), lexer_(store.language().lexer), futures_(*store.language().futures[true]) {}

  bool IsSound() const {
    return SetsExist() && PiecesExist() && GroupsExist() && ChildrenExist() && SeenExist() &&
           TriesAreFinite();
  }

 private:
  bool Exists(TokenSetId id) const { return id.value < store_.sets_.sets_.size(); }
  bool Exists(SequenceNodeId id) const { return id.value < store_.nodes_.size(); }
  bool Exists(BlanksId id) const { return id.value < store_.blanks_.size(); }
  bool Exists(LexemeId id) const { return id.value < lexer_.lexeme_count(); }
  bool Exists(DfaStateId q) const { return q.value < lexer_.state_count(); }
  template <typename T>
  static bool IsRange(uint32_t begin, uint32_t end, const std::vector<T>& of) {
    return begin <= end && end <= of.size();
  }
  template <typename T, typename Check>
  static bool All(const std::vector<T>& values, Check check) {
    return std::all_of(values.begin(), values.end(), check);
  }

  bool SetsExist() const {
    const TokenSetPool& pool = store_.sets_;
    const size_t tokens = store_.vocabulary().size();
    if (pool.tokens_ != tokens || pool.words_ != (tokens + 63) / 64 ||
        !Exists(store_.holding_line_ends_))
      return false;
    const auto set_exists = [&](const TokenSetPool::Set& set) {
      return set.dense
                 ? set.begin <= pool.bitmaps_.size() &&
                       pool.words_ <= pool.bitmaps_.size() - set.begin
                 : set.begin <= pool.lists_.size() && set.count <= pool.lists_.size() - set.begin;
    };
    // No bit after the last token's.
    const uint64_t beyond = tokens % 64 == 0 ? 0 : ~uint64_t{0} << tokens % 64;
    const auto bits_exist = [&](const TokenSetPool::Set& set) {
      return !set.dense || pool.words_ == 0 ||
             (pool.bitmaps_[set.begin + pool.words_ - 1] & beyond) == 0;
    };
    return All(pool.sets_, set_exists) && All(pool.sets_, bits_exist) &&
           All(pool.lists_, [&](TokenId id) { return id.value < tokens; });
  }

  bool PiecesExist() const {
    for (const auto& ranges : store_.ranges_) {
      if (ranges.size() != lexer_.state_count()) return false;
      if (!All(ranges,
               [&](const auto& range) { return IsRange(range.begin, range.end, store_.pieces_); }))
        return false;
    }
    return All(store_.pieces_, [&](const MaskStore::Piece& piece) {
      return Exists(piece.root) && Exists(piece.bytes);
    });
  }

  bool GroupsExist() const {
    const auto group_exists = [&](const MaskStore::Group& group) {
      return (group.primary == kNoLexeme || Exists(group.primary)) && Exists(group.all) &&
             group.members_begin < group.members_end &&
             IsRange(group.members_begin, group.members_end, store_.members_);
    };
    const auto member_exists = [&](const MaskStore::Member& member) {
      return Exists(member.q) && member.future.value < futures_.size() &&
             member.guards < store_.guards_.size() && Exists(member.blanks) &&
             Exists(member.tokens);
    };
    const auto guards_exist = [&](const Guards& guards) {
      return std::all_of(guards.states.begin(), guards.states.end(),
                         [&](DfaStateId q) { return q == kDeadState || Exists(q); });
    };
    return All(store_.groups_, group_exists) && All(store_.members_, member_exists) &&
           All(store_.guards_, guards_exist);
  }

  bool ChildrenExist() const {
    const auto node_exists = [&](const MaskStore::Node& node) {
      return IsRange(node.children_begin, node.children_end, store_.children_) &&
             IsRange(node.groups_begin, node.groups_end, store_.groups_);
    };
    const auto child_exists = [&](const MaskStore::Child& child) {
      return Exists(child.lexeme) && Exists(child.blanks) && Exists(child.node) &&
             IsRange(child.seen_begin, child.seen_end, store_.seen_);
    };
    return All(store_.nodes_, node_exists) && All(store_.children_, child_exists);
  }

  bool SeenExist() const {
    return All(store_.seen_, [&](const MaskStore::Seen& seen) {
      return Exists(seen.always) && Exists(seen.rest) && Exists(seen.possible);
    });
  }

  // Calls `visit` with each node that a walk goes on with from `id`.
  template <typename Visit>
  void ForEachBelow(uint32_t id, Visit visit) const {
    const MaskStore::Node& node = store_.nodes_[id];
    for (const MaskStore::Child& child : store_.children(node)) {
      visit(child.node.value);
      for (uint32_t s = child.seen_begin; s < child.seen_end; ++s) {
        visit(store_.seen_[s].rest.value);
        visit(store_.seen_[s].possible.value);
      }
    }
  }

  // No node lies below itself, and none deeper than a token can be long. Leaves are taken away
  // round by round.
  bool TriesAreFinite() const {
    const size_t nodes = store_.nodes_.size();
    std::vector<uint32_t> missing(nodes), above_end(nodes), depth(nodes);
    for (uint32_t n = 0; n < nodes; ++n) {
      ForEachBelow(n, [&](uint32_t below) {
        ++missing[n];
        ++above_end[below];
      });
    }
    for (size_t n = 1; n < nodes; ++n) above_end[n] += above_end[n - 1];
    std::vector<uint32_t> at(above_end), above(nodes == 0 ? 0 : above_end.back()), work;
    for (uint32_t n = 0; n < nodes; ++n) {
      ForEachBelow(n, [&](uint32_t below) { above[--at[below]] = n; });
      if (missing[n] == 0) work.push_back(n);
    }
    for (size_t done = 0; done < work.size(); ++done) {
      const uint32_t n = work[done];
      if (depth[n] > kMaxTokenBytes) return false;
      for (uint32_t a = at[n]; a < above_end[n]; ++a) {
        depth[above[a]] = std::max(depth[above[a]], depth[n] + 1);
        if (--missing[above[a]] == 0) work.push_back(above[a]);
      }
    }
    return work.size() == nodes;
  }

  const MaskStore& store_;
  const Lexer& lexer_;
  const LexemeFutures& futures_;
};

bool IsSound(const MaskStore& store) { return StoreInspector(store).IsSound(); }

}  // namespace tenon::constraint
