#include "constraint/mask/mask_store_builder.h"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <numeric>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

// So many of a token's bytes may be the last one of a lexeme that pushes a mode, and one such
// lexeme may be in progress before or after it.
int MostPushes(const Language& language, const TokenVocabulary& vocabulary) {
  if (language.grammar.limits.empty()) return 0;
  const Lexer& lexer = language.lexer;
  std::bitset<256> ends;
  for (uint16_t q = 0; q < lexer.state_count(); ++q) {
    for (int byte = 0; byte < 256; ++byte) {
      const DfaStateId to = lexer.Next(DfaStateId{q}, static_cast<uint8_t>(byte));
      const LexemeId id = to == kDeadState ? kNoLexeme : lexer.LexemeAt(to);
      if (id != kNoLexeme && lexer.lexeme(id).action.kind == ModeAction::Kind::kPush)
        ends.set(byte);
    }
  }
  std::ptrdiff_t most = 0;
  for (uint32_t t = 0; t < vocabulary.size(); ++t) {
    const std::string_view bytes = vocabulary.Bytes(TokenId{t});
    most = std::max(
        most, std::count_if(bytes.begin(), bytes.end(), [&](char c) { return ends[uint8_t(c)]; }));
  }
  return static_cast<int>(most) + 1;
}

// The state that emitted text leads to.
DfaStateId EmitNext(const Lexer& lexer, DfaStateId q, int byte) {
  return lexer.IsEmitEdge(q, static_cast<uint8_t>(byte)) ? lexer.Next(q, static_cast<uint8_t>(byte))
                                                         : kDeadState;
}

// The first bytes of the tokens in each piece of a state q (mask_store.h).
struct FirstBytes {
  std::bitset<256> own;        // that continue the lexeme
  std::bitset<256> differing;  // for which q moves unlike its reference
  std::bitset<256> at_once;    // that end the lexeme
  std::bitset<256> guarded;    // that end the lexeme while a longer one is still possible
};

// `next`: the bytes before which the lexeme in progress in q may end, if they do not continue it.
FirstBytes FirstBytesOf(const Lexer& lexer, DfaStateId q, DfaStateId reference,
                        const std::bitset<256>& next) {
  FirstBytes bytes;
  for (int b = 0; b < 256; ++b) {
    const DfaStateId to = EmitNext(lexer, q, b);
    bytes.own[b] = to != kDeadState;
    bytes.differing[b] = to != EmitNext(lexer, reference, b);
    if (!next[b]) continue;
    const DfaStateId given = lexer.Next(q, static_cast<uint8_t>(b));
    bytes.at_once[b] = given == kDeadState;
    bytes.guarded[b] = given != kDeadState && lexer.LexemeAt(given) == kNoLexeme;
  }
  return bytes;
}

}  // namespace

MaskStoreBuilder::MaskStoreBuilder(std::shared_ptr<const Language> language,
                                   std::shared_ptr<const TokenVocabulary> vocabulary,
                                   MaskStoreOptions options)
    : store_(new MaskStore(std::move(language), std::move(vocabulary))),
      lexer_(store_->language().lexer),
      futures_(*store_->language().futures[true]),
      vocabulary_(store_->vocabulary()),
      options_(options),
      lines_(store_->language().layout.active()),
      steps_(lexer_, *store_->language().futures[false]),
      kinds_(vocabulary_, steps_) {
  const std::span<const TokenVocabulary::Node> nodes = vocabulary_.nodes();
  for (uint32_t i = 0; i < vocabulary_.node_count(); i = nodes[i].end) {
    by_first_byte_[nodes[i].byte] = vocabulary_.TokensOf(i);
  }
}

std::shared_ptr<const MaskStore> MaskStoreBuilder::Build() {
  store_->guards_.emplace_back();
  const std::span<const TokenVocabulary::Node> nodes = vocabulary_.nodes();
  for (uint32_t i = 0; i < vocabulary_.node_count();) {
    const bool line_end = nodes[i].byte == '\r' || nodes[i].byte == '\n';
    if (line_end) parts_.push_back(vocabulary_.TokensOf(i));
    i = line_end ? nodes[i].end : i + 1;
  }
  store_->holding_line_ends_ = store_->sets_.Intern(parts_);
  representative_ = InterchangeableLexemes(store_->language());
  if (!options_.interchangeable) {
    for (size_t l = 0; l < representative_.size(); ++l)
      representative_[l] = LexemeId{static_cast<uint16_t>(l)};
  }
  ChooseReferences();
  ChooseSharing();
  FindBlankStates();
  for (LineContext line : {LineContext::kWithin, LineContext::kBeginning}) {
    store_->ranges_[static_cast<size_t>(line)].resize(lexer_.state_count());
    for (size_t q = 0; q < lexer_.state_count(); ++q)
      AddState(DfaStateId{static_cast<uint16_t>(q)}, line);
  }
  store_->blanks_ = blanks_.Take();
  store_->most_pushes_ = MostPushes(store_->language(), store_->vocabulary());
  Streamliner streamliner(*store_);
  if (options_.by_state) streamliner.Run();
  store_->entries_ = streamliner.Count();
  return std::move(store_);
}

DfaStateId MaskStoreBuilder::GoesTo(DfaStateId q, int byte) const {
  return EmitNext(lexer_, q, byte);
}

void MaskStoreBuilder::ChooseReferences() {
  for (size_t s = 0; s < lexer_.state_count(); ++s) {
    DfaStateId q{static_cast<uint16_t>(s)};
    reference_.push_back(q);
    if (lexer_.IsStart(q)) continue;
    std::map<DfaStateId, int> targets;
    for (int b = 0; b < 256; ++b) {
      if (DfaStateId to = GoesTo(q, b); to != kDeadState) ++targets[to];
    }
    if (targets.empty()) continue;
    DfaStateId likeliest =
        std::max_element(targets.begin(), targets.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
    int alike = 0, own = 0;
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = GoesTo(q, b);
      own += to != kDeadState;
      alike += to != kDeadState && to == GoesTo(likeliest, b);
    }
    if (2 * alike > own) reference_.back() = likeliest;
  }
  // A reference stands for itself: chains are cut where they begin.
  std::vector<bool> is_reference(reference_.size());
  for (size_t s = 0; s < reference_.size(); ++s) {
    if (reference_[s].value != s) is_reference[reference_[s].value] = true;
  }
  for (size_t s = 0; s < reference_.size(); ++s) {
    if (is_reference[s]) reference_[s] = DfaStateId{static_cast<uint16_t>(s)};
  }
}

// States whose lexeme may end as ignorable text: after it the line may still be without content.
void MaskStoreBuilder::FindBlankStates() {
  blank_.assign(lexer_.state_count(), false);
  if (!lines_) return;
  std::vector<std::vector<uint16_t>> before(lexer_.state_count());
  std::vector<uint16_t> ends;
  for (uint16_t s = 0; s < lexer_.state_count(); ++s) {
    DfaStateId q{s};
    for (DfaStateId to : lexer_.Successors(q, false)) before[to.value].push_back(s);
    LexemeId here = lexer_.LexemeAt(q);
    bool ignored = here != kNoLexeme && lexer_.lexeme(here).kind == TerminalKind::kIgnored;
    if (ignored || q == kStartState) ends.push_back(s);
  }
  blank_ = ReachedFrom(std::move(ends), before);
}

TokenSetId MaskStoreBuilder::TokensBeginning(const Bytes& bytes) {
  auto [at, fresh] = first_byte_sets_.try_emplace(bytes);
  if (fresh) {
    parts_.clear();
    for (int b = 0; b < 256; ++b) {
      if (bytes[b]) parts_.push_back(by_first_byte_[b]);
    }
    at->second = store_->sets_.Intern(parts_);
  }
  return at->second;
}

void MaskStoreBuilder::AddState(DfaStateId q, LineContext line) {
  MaskStore::PieceRange& range = store_->ranges_[static_cast<size_t>(line)][q.value];
  if (line == LineContext::kBeginning && !blank_[q.value]) {
    range = store_->ranges_[0][q.value];
    return;
  }
  using Filter = MaskStore::Piece::Filter;
  std::vector<MaskStore::Piece> pieces;
  if (q == kStartState) {
    AddStarts(kAnyMode, line, {{}, Filter::kNone, {}, false}, pieces);
  } else if (!lexer_.IsStart(q)) {  // a branch is never in the others
    const DfaStateId reference = reference_[q.value];
    const LexemeId here = lexer_.LexemeAt(q);
    const bool may_end = here != kNoLexeme && lexer_.lexeme(here).kind != TerminalKind::kPoison;
    const ModeMask after = may_end ? lexer_.ModesAfter(here, lexer_.ModesOf(q)) : 0;
    Bytes next;  // first bytes of the lexemes after
    for (DfaStateId start : lexer_.starts()) {
      if (lexer_.ModesOf(start) & after) next |= live_.at(start.value);
    }
    const auto [own, differing, at_once, guarded] = FirstBytesOf(lexer_, q, reference, next);
    if (at_once.any()) {
      // After a lexeme that is no blank the column stands still; what follows a line end is the
      // parser's to say.
      bool matters =
          lines_ &&
          (lexer_.lexeme(here).is_newline ||
           (lexer_.lexeme(here).kind == TerminalKind::kIgnored && line == LineContext::kBeginning));
      AddStarts(after, matters ? LineContext::kBeginning : LineContext::kWithin,
                {{}, Filter::kWithin, TokensBeginning(at_once), true}, pieces);
    }
    if ((own & ~differing).any()) {
      auto [at, fresh] = own_tries_.try_emplace({reference.value, line});
      if (fresh) at->second = OwnTrie(reference, line, Bytes().set(), lexer_.ModesOf(reference));
      pieces.push_back({at->second, differing.any() ? Filter::kOutside : Filter::kNone,
                        differing.any() ? TokensBeginning(differing) : TokenSetId{}, false});
    }
    if ((own & differing).any())
      pieces.push_back(
          {OwnTrie(q, line, own & differing, lexer_.ModesOf(q)), Filter::kNone, {}, false});
    for (DfaStateId start : lexer_.starts()) {
      if (!guarded.any() || !(lexer_.ModesOf(start) & after)) continue;
      ModeMask modes = lexer_.has_modes() ? lexer_.ModesOf(start) : kAnyMode;
      pieces.push_back({GuardedTrie(q, start, guarded), Filter::kNone, {}, true, modes});
    }
  }
  range.begin = static_cast<uint32_t>(store_->pieces_.size());
  store_->pieces_.insert(store_->pieces_.end(), pieces.begin(), pieces.end());
  range.end = static_cast<uint32_t>(store_->pieces_.size());
}

// The starts that move like the default mode's for most of their first bytes share a trie for the
// bytes for which all of them do.
void MaskStoreBuilder::ChooseSharing() {
  common_.set();
  sharing_modes_ = lexer_.has_modes() ? lexer_.ModesOf(kStartState) : kAnyMode;
  for (DfaStateId start : lexer_.starts()) {
    Bytes alike;
    int own = 0, shared = 0;
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = GoesTo(start, b);
      alike[b] = to == GoesTo(kStartState, b);
      live_[start.value][b] = to != kDeadState;
      own += to != kDeadState;
      shared += to != kDeadState && alike[b];
    }
    sharing_.push_back(2 * shared > own);
    if (!sharing_.back()) continue;
    common_ &= alike;
    if (lexer_.has_modes()) sharing_modes_ |= lexer_.ModesOf(start);
  }
}

SequenceNodeId MaskStoreBuilder::StartTrie(DfaStateId start, LineContext line, const Bytes& bytes,
                                           ModeMask modes) {
  auto [at, fresh] = start_tries_.try_emplace({start.value, line, bytes.to_string()});
  if (fresh) at->second = OwnTrie(start, line, bytes, modes);
  return at->second;
}

void MaskStoreBuilder::AddStarts(ModeMask modes, LineContext line, const MaskStore::Piece& like,
                                 std::vector<MaskStore::Piece>& pieces) {
  const auto add = [&](DfaStateId start, LineContext at, const Bytes& bytes, ModeMask known,
                       ModeMask of) {
    if (!(modes & of) || (bytes & live_.at(start.value)).none()) return;
    MaskStore::Piece piece = like;
    piece.modes = of;
    piece.root = StartTrie(start, at, bytes, known);
    pieces.push_back(piece);
  };
  // Lines begin in the default mode alone.
  ModeMask apart = 0;
  if (line == LineContext::kBeginning) {
    apart = lexer_.has_modes() ? lexer_.ModesOf(kStartState) : kAnyMode;
    add(kStartState, line, Bytes().set(), lexer_.ModesOf(kStartState), apart);
  }
  if (sharing_modes_ & ~apart)
    add(kStartState, LineContext::kWithin, common_, sharing_modes_, sharing_modes_ & ~apart);
  for (size_t i = 0; i < lexer_.starts().size(); ++i) {
    const DfaStateId start = lexer_.starts()[i];
    const ModeMask of = lexer_.has_modes() ? lexer_.ModesOf(start) : kAnyMode;
    if (of & ~apart)
      add(start, LineContext::kWithin, sharing_[i] ? ~common_ : Bytes().set(), of, of);
  }
}

SequenceNodeId MaskStoreBuilder::OwnTrie(DfaStateId q, LineContext line, const Bytes& bytes,
                                         ModeMask modes) {
  SequenceTrie trie(vocabulary_, lexer_, steps_, kinds_, blanks_, representative_, Lines());
  std::array<SequenceTrie::Readings, 256> first;
  bool matter = line == LineContext::kBeginning && lines_;
  for (int b = 0; b < 256; ++b) {
    DfaStateId to = GoesTo(q, b);
    if (!bytes[b] || to == kDeadState) continue;
    first[b].push_back(
        trie.Begin(0, to, Guards{}, matter, true, static_cast<uint8_t>(b), trie.OneOf(modes)));
  }
  trie.Grow(first);
  return Adopt(trie);
}

SequenceNodeId MaskStoreBuilder::GuardedTrie(DfaStateId q, DfaStateId start, const Bytes& bytes) {
  SequenceTrie trie(vocabulary_, lexer_, steps_, kinds_, blanks_, representative_, Lines());
  std::array<SequenceTrie::Readings, 256> first;
  Lexer::Steps steps;
  const Lexeme& lexeme = lexer_.lexeme(lexer_.LexemeAt(q));
  for (int b = 0; b < 256; ++b) {
    if (!bytes[b]) continue;
    int n = lexer_.Advance(q, Guards{}, static_cast<uint8_t>(b), true, steps, start);
    for (int i = 0; i < n; ++i) {
      if (steps[i].ended == kNoLexeme) continue;
      first[b].push_back(trie.Begin(0, steps[i].q, steps[i].guards, lexeme.is_newline && lines_,
                                    false, static_cast<uint8_t>(b),
                                    trie.OneOf(lexer_.ModesOf(start))));
    }
  }
  trie.Grow(first);
  return Adopt(trie);
}

SequenceNodeId MaskStoreBuilder::Adopt(const SequenceTrie& trie) {
  std::span<const SequenceTrie::Node> nodes = trie.nodes();
  std::vector<std::vector<MaskStore::Member>> members(nodes.size());
  for (const SequenceTrie::Leaf& leaf : trie.leaves()) {
    if (!MayEver(leaf.q, leaf.guards)) continue;
    parts_.clear();
    for (auto [begin, end] : leaf.tokens)
      parts_.push_back(vocabulary_.sorted().subspan(begin, end - begin));
    MaskStore::Member member;
    member.q = leaf.q;
    member.future = futures_.Of(leaf.q);
    member.blanks = leaf.blanks;
    member.whole = leaf.own;
    member.tokens = store_->sets_.Intern(parts_);
    if (!leaf.guards.empty()) {
      auto [at, fresh] =
          guard_ids_.try_emplace(leaf.guards.Key(), static_cast<uint32_t>(store_->guards_.size()));
      if (fresh) store_->guards_.push_back(leaf.guards);
      member.guards = at->second;
    }
    members[leaf.node].push_back(member);
  }
  // A node without tokens below it is left out. Children come after parents: from the last one
  // down.
  std::vector<bool> useful(nodes.size());
  useful[0] = true;
  for (size_t n = nodes.size(); n-- > 1;) {
    useful[n] = useful[n] || !members[n].empty();
    if (useful[n]) useful[nodes[n].parent] = true;
  }
  std::vector<std::vector<uint32_t>> children(nodes.size());
  std::vector<SequenceNodeId> id(nodes.size());
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (!useful[n]) continue;
    id[n] = SequenceNodeId{static_cast<uint32_t>(store_->nodes_.size())};
    store_->nodes_.emplace_back();
    if (n > 0) children[nodes[n].parent].push_back(n);
  }
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (!useful[n]) continue;
    MaskStore::Node& node = store_->nodes_[id[n].value];
    node.children_begin = static_cast<uint32_t>(store_->children_.size());
    for (uint32_t c : children[n])
      store_->children_.push_back({nodes[c].lexeme, nodes[c].blanks, id[c], 0, 0, nodes[c].modes});
    node.children_end = static_cast<uint32_t>(store_->children_.size());
    node.groups_begin = static_cast<uint32_t>(store_->groups_.size());
    AddGroups(members[n]);
    store_->nodes_[id[n].value].groups_end = static_cast<uint32_t>(store_->groups_.size());
  }
  return id[0];
}

// Members that share a possible end become a group: the end that most of their tokens share first.
void MaskStoreBuilder::AddGroups(std::span<MaskStore::Member> members) {
  // The parser takes ignorable text whatever blanks it begins with.
  const auto blanks_that_count = [&](LexemeId l, BlanksId blanks) {
    return lexer_.lexeme(l).kind == TerminalKind::kIgnored ? BlanksId{} : blanks;
  };
  const auto end_as = [](LexemeId l, BlanksId blanks) {
    return static_cast<uint32_t>(l.value) << 16 | blanks.value;
  };
  std::vector<TokenSetId> sets;
  while (!members.empty()) {
    weights_.clear();
    for (const MaskStore::Member& member : members) {
      if (member.guards) continue;
      const size_t count = store_->sets_.Count(member.tokens);
      for (LexemeId l : futures_.Ended(member.future))
        weights_[end_as(l, blanks_that_count(l, member.blanks))] += count;
    }
    MaskStore::Group group;
    auto taken = members.end();
    if (!weights_.empty()) {
      const uint32_t best =
          std::min_element(weights_.begin(), weights_.end(), [](const auto& a, const auto& b) {
            return std::pair(b.second, a.first) < std::pair(a.second, b.first);
          })->first;
      group.primary = LexemeId{static_cast<uint16_t>(best >> 16)};
      taken = std::stable_partition(
          members.begin(), members.end(), [&](const MaskStore::Member& member) {
            return !member.guards && futures_.CanEnd(member.future, group.primary) &&
                   end_as(group.primary, blanks_that_count(group.primary, member.blanks)) == best;
          });
    }
    group.members_begin = static_cast<uint32_t>(store_->members_.size());
    store_->members_.insert(store_->members_.end(), members.begin(), taken);
    group.members_end = static_cast<uint32_t>(store_->members_.size());
    sets.clear();
    for (auto member = members.begin(); member != taken; ++member) sets.push_back(member->tokens);
    group.all = store_->sets_.Join(sets);
    store_->groups_.push_back(group);
    members = std::span(taken, members.end());
  }
}

MaskStore::MaskStore(std::shared_ptr<const Language> language,
                     std::shared_ptr<const TokenVocabulary> vocabulary)
    : language_(std::move(language)),
      vocabulary_(std::move(vocabulary)),
      sets_(vocabulary_->size()) {}

std::shared_ptr<const MaskStore> MaskStore::Build(std::shared_ptr<const Language> language,
                                                  std::shared_ptr<const TokenVocabulary> vocabulary,
                                                  MaskStoreOptions options) {
  return MaskStoreBuilder(std::move(language), std::move(vocabulary), options).Build();
}

const MaskStore::Seen* MaskStore::seen(const Child& child, LrStateId state,
                                       bool in_brackets) const {
  auto begin = seen_.begin() + child.seen_begin, end = seen_.begin() + child.seen_end;
  std::pair wanted{state, in_brackets};
  auto at =
      std::lower_bound(begin, end, wanted, [](const Seen& s, const std::pair<LrStateId, bool>& w) {
        return std::pair(s.state, s.in_brackets) < w;
      });
  return at != end && std::pair(at->state, at->in_brackets) == wanted ? &*at : nullptr;
}

size_t MaskStore::memory_bytes() const {
  return sets_.memory_bytes() + pieces_.size() * sizeof(Piece) + nodes_.size() * sizeof(Node) +
         children_.size() * sizeof(Child) + seen_.size() * sizeof(Seen) +
         groups_.size() * sizeof(Group) + members_.size() * sizeof(Member) +
         (ranges_[0].size() + ranges_[1].size()) * sizeof(PieceRange);
}

}  // namespace tenon::constraint
