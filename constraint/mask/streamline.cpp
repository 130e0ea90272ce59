#include "constraint/mask/streamline.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tenon::constraint {

namespace {

// [column] a number for the set of places in rules where it stands; columns that stand twice in one rule are alone.
std::vector<size_t> PlaceClasses(const Language& language) {
  const Grammar& grammar = language.grammar;
  constexpr SymbolId kHole{0xffff};
  using Place = std::pair<SymbolId, std::vector<SymbolId>>;
  std::vector<std::set<Place>> places(grammar.columns.size());
  std::vector<bool> alone(grammar.columns.size());
  for (const Rule& rule : grammar.rules) {
    for (size_t i = 0; i < rule.body.size(); ++i) {
      SymbolId symbol = rule.body[i];
      if (!grammar.IsColumn(symbol)) continue;
      if (std::count(rule.body.begin(), rule.body.end(), symbol) > 1) alone[symbol.value] = true;
      Place place{rule.head, rule.body};
      place.second[i] = kHole;
      places[symbol.value].insert(std::move(place));
    }
  }
  // One that is read as another stands where that does, one that asks for its line or its context is unlike any other.
  for (uint16_t c = 0; c < grammar.columns.size(); ++c) {
    if (grammar.columns[c].reads_as) places[c].insert({*grammar.columns[c].reads_as, {}});
    if (grammar.columns[c].line != LineCondition::kNone || grammar.columns[c].predicate) alone[c] = true;
  }
  std::map<std::pair<std::set<Place>, bool>, size_t> ids;  // with what a line end behind the column means
  std::vector<size_t> classes;
  for (size_t c = 0; c < grammar.columns.size(); ++c) {
    size_t next = grammar.columns.size() + ids.size();
    classes.push_back(
        alone[c] ? c
                 : ids.try_emplace({places[c], language.layout.EndsPhrase(SymbolId{static_cast<uint16_t>(c)})}, next)
                       .first->second);
  }
  return classes;
}

}  // namespace

std::vector<LexemeId> InterchangeableLexemes(const Language& language) {
  std::vector<size_t> classes = PlaceClasses(language);
  // One that is split is unlike any other: the last member is its own.
  using Behaviour = std::tuple<TerminalKind, bool, bool, int, ModeAction, bool, ModeMask, std::vector<size_t>, size_t>;
  std::map<Behaviour, LexemeId> first;
  std::vector<LexemeId> out;
  for (uint16_t l = 0; l < language.lexer.lexeme_count(); ++l) {
    const Lexeme& lexeme = language.lexer.lexeme(LexemeId{l});
    std::vector<size_t> columns;
    for (SymbolId c : lexeme.emit_columns) columns.push_back(classes[c.value]);
    std::sort(columns.begin(), columns.end());
    Behaviour behaviour{
        lexeme.kind,       lexeme.delimited,   lexeme.is_newline,
        lexeme.bracket,    lexeme.action,      lexeme.insert_before,
        lexeme.not_within, std::move(columns), lexeme.splits.empty() ? language.lexer.lexeme_count() : l};
    out.push_back(first.try_emplace(std::move(behaviour), LexemeId{l}).first->second);
  }
  return out;
}

namespace {

// States from which emitted text may not be able to go on: some item there owes what only given text can write.
std::vector<bool> DoubtfulStates(const Language& language) {
  const Yields& yields = *language.yields[true];
  std::vector<bool> doubtful(language.table.state_count());
  for (uint16_t s = 0; s < doubtful.size(); ++s) {
    std::span<const LrItem> items = language.table.items(LrStateId{s});
    for (size_t k = 0; k < language.table.kernel_size(LrStateId{s}); ++k)
      doubtful[s] =
          doubtful[s] || !yields.Productive(items[k].rule, items[k].dot, language.index->Length(items[k].rule));
  }
  return doubtful;
}

}  // namespace

Streamliner::Streamliner(MaskStore& store)
    : store_(store),
      language_(store.language()),
      look_(language_.grammar, language_.table, DoubtfulStates(language_)),
      newline_(language_.layout.active() ? language_.layout.newline_column() : SymbolId{}),
      possible_(store.nodes_.size()),
      open_(store.nodes_.size()) {}

MaskStore::Entries Streamliner::Count() const {
  MaskStore::Entries entries;
  for (size_t n = 0; n < possible_.size(); ++n) {
    if (store_.nodes_[n].groups_begin == store_.nodes_[n].groups_end) continue;
    ++entries.all;
    entries.possible += possible_[n];
    entries.open += open_[n];
  }
  return entries;
}

void Streamliner::Keep(SequenceNodeId id) {
  possible_[id.value] = open_[id.value] = true;
  const MaskStore::Node& node = store_.nodes_[id.value];
  for (uint32_t c = node.children_begin; c < node.children_end; ++c) Keep(store_.children_[c].node);
}

void Streamliner::Run() {
  std::set<uint32_t> visited;
  std::vector<SequenceNodeId> roots;
  for (const MaskStore::Piece& piece : store_.pieces_) roots.push_back(piece.root);
  for (SequenceNodeId root : roots) Visit(root, visited);
}

// First lexemes lie below a root, behind ignorable text at most.
void Streamliner::Visit(SequenceNodeId node, std::set<uint32_t>& visited) {
  if (!visited.insert(node.value).second) return;
  possible_[node.value] = open_[node.value] = true;
  for (uint32_t c = store_.nodes_[node.value].children_begin; c < store_.nodes_[node.value].children_end; ++c) {
    const MaskStore::Child child = store_.children_[c];
    const Lexeme& lexeme = language_.lexer.lexeme(child.lexeme);
    if (lexeme.kind == TerminalKind::kIgnored) {
      Visit(child.node, visited);
      continue;
    }
    if (lexeme.kind != TerminalKind::kToken || lexeme.is_newline) {
      Keep(child.node);
      continue;
    }
    States states;
    std::vector<SymbolId> last = lexeme.emit_columns;
    for (const std::vector<LexemeColumns>& parts : lexeme.splits)
      last.insert(last.end(), parts.back().emit.begin(), parts.back().emit.end());
    for (SymbolId column : last) {
      std::span<const LrStateId> to = look_.ShiftedTo(column);
      states.insert(states.end(), to.begin(), to.end());
    }
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    std::vector<MaskStore::Seen> seen;
    const bool lines = language_.layout.active();
    for (size_t i = 0; i < states.size() * (lines ? 2 : 1); ++i) {
      MaskStore::Seen made;
      made.state = states[lines ? i / 2 : i];
      made.in_brackets = lines && i % 2 == 1;
      Outcome outcome =
          Look(child.node, {made.state}, {made.in_brackets ? 1 : 0, lines && !made.in_brackets, false}, true);
      made.some = !outcome.always.empty();
      made.always = store_.sets_.Intern(outcome.always);
      made.rest = outcome.rest ? *outcome.rest : *Make({});
      made.possible = outcome.possible ? *outcome.possible : *Make({});
      seen.push_back(made);
    }
    store_.children_[c].seen_begin = static_cast<uint32_t>(store_.seen_.size());
    store_.seen_.insert(store_.seen_.end(), seen.begin(), seen.end());
    store_.children_[c].seen_end = static_cast<uint32_t>(store_.seen_.size());
  }
}

Streamliner::Verdict Streamliner::Of(LexemeId id, const States& states, const Place& place) const {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  // The modes of the place may forbid it.
  Verdict verdict = OfAllowed(lexeme, states, place);
  return verdict == Verdict::kAlways && lexeme.not_within != 0 ? Verdict::kOpen : verdict;
}

Streamliner::Verdict Streamliner::OfAllowed(const Lexeme& lexeme, const States& states, const Place& place) const {
  if (lexeme.kind == TerminalKind::kIgnored) return Verdict::kAlways;
  if (lexeme.is_newline) {
    if (place.depth > 0 || place.line_begin) return Verdict::kAlways;  // it means nothing
    return place.exact ? OfColumns(std::span(&newline_, 1), states) : Verdict::kOpen;
  }
  // The first lexeme of a line opens and closes blocks.
  if (lexeme.kind != TerminalKind::kToken || place.line_begin) return Verdict::kOpen;
  if (lexeme.bracket < 0 && place.exact && place.depth == 0) return Verdict::kNever;
  Verdict verdict = OfColumns(lexeme.emit_columns, states);
  const bool other_ways = !lexeme.splits.empty() || language_.layout.inserted();
  if (verdict == Verdict::kNever && other_ways && !BehindToken(lexeme, states).empty()) return Verdict::kOpen;
  // Whether a column stands there, the line ends before it say.
  if (verdict == Verdict::kAlways && language_.layout.remembers_line_ends()) return Verdict::kOpen;
  // A closer of a bracket that was open before needs the parser's word.
  if (verdict == Verdict::kAlways && lexeme.bracket < 0 && place.depth <= 0) return Verdict::kOpen;
  return verdict;
}

Streamliner::Verdict Streamliner::OfColumns(std::span<const SymbolId> columns, const States& states) const {
  bool never = true, always = true;
  for (LrStateId state : states) {
    bool one_never = true, one_always = false;
    for (SymbolId column : columns) {
      one_never = one_never && look_.Never(state, column);
      // What lies below decides whether a predicate holds.
      one_always = one_always || (!language_.grammar.columns[column.value].predicate && look_.Always(state, column));
    }
    never = never && one_never;
    always = always && one_always;
  }
  if (never) return Verdict::kNever;
  return always ? Verdict::kAlways : Verdict::kOpen;
}

Streamliner::Verdict Streamliner::OfMember(const MaskStore::Member& member, const States& states,
                                           const Place& place) const {
  if (member.guards) return Verdict::kOpen;
  const LexemeFutures& emitted = *language_.futures[true];
  const LexemeFutures& any = *language_.futures[false];
  for (LexemeId lexeme : emitted.Ended(member.future)) {
    if (Of(lexeme, states, place) == Verdict::kAlways) return Verdict::kAlways;
  }
  // The right context may go on with the lexeme by bytes that we do not write.
  FutureId future = any.Of(member.q);
  if (any.Unseparated(future)) return Verdict::kOpen;
  for (LexemeId lexeme : any.Ended(future)) {
    if (Of(lexeme, states, place) != Verdict::kNever) return Verdict::kOpen;
  }
  return Verdict::kNever;
}

// The states behind `id`, and the place there.
Streamliner::States Streamliner::Behind(LexemeId id, const States& states, Place& place) const {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  if (lexeme.is_newline) {
    if (place.depth > 0 || place.line_begin) return states;
    place.line_begin = true;
  } else if (lexeme.kind != TerminalKind::kToken) {
    return states;
  }
  place.depth = std::max(0, place.depth + (lexeme.is_newline ? 0 : lexeme.bracket));
  return lexeme.is_newline ? Through(std::span(&newline_, 1), states) : BehindToken(lexeme, states);
}

Streamliner::States Streamliner::BehindToken(const Lexeme& lexeme, const States& states) const {
  States from = states;
  if (const std::optional<SymbolId> inserted = language_.layout.inserted()) {
    // Whether it may be, line ends and the whole stack decide.
    const States behind = Through(std::span(&*inserted, 1), states);
    from.insert(from.end(), behind.begin(), behind.end());
  }
  States to = Through(lexeme.emit_columns, from);
  for (const std::vector<LexemeColumns>& parts : lexeme.splits) {
    States at = from;
    for (const LexemeColumns& part : parts) at = Through(part.emit, at);
    to.insert(to.end(), at.begin(), at.end());
  }
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
  return to;
}

Streamliner::States Streamliner::Through(std::span<const SymbolId> columns, const States& states) const {
  States to;
  for (LrStateId state : states) {
    for (SymbolId column : columns) {
      std::span<const LrStateId> targets = look_.Targets(state, column);
      to.insert(to.end(), targets.begin(), targets.end());
    }
  }
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
  return to;
}

Streamliner::Outcome Streamliner::Look(SequenceNodeId id, const States& states, const Place& place, bool sure) {
  Outcome outcome;
  Draft rest, possible;
  const MaskStore::Node node = store_.nodes_[id.value];
  for (uint32_t g = node.groups_begin; g < node.groups_end; ++g) {
    const MaskStore::Group group = store_.groups_[g];
    std::pair<LexemeId, std::vector<MaskStore::Member>> open{group.primary, {}}, left{group.primary, {}};
    for (uint32_t m = group.members_begin; m < group.members_end; ++m) {
      const MaskStore::Member& member = store_.members_[m];
      Verdict verdict = OfMember(member, states, place);
      if (verdict == Verdict::kNever) continue;
      left.second.push_back(member);
      if (verdict == Verdict::kAlways && sure)
        store_.sets_.AppendTo(member.tokens, outcome.always);
      else
        open.second.push_back(member);
    }
    if (!open.second.empty()) rest.groups.push_back(std::move(open));
    if (!left.second.empty()) possible.groups.push_back(std::move(left));
  }
  if (!possible.groups.empty()) possible_[id.value] = true;
  if (!rest.groups.empty()) open_[id.value] = true;
  for (uint32_t c = node.children_begin; c < node.children_end; ++c) {
    const MaskStore::Child child = store_.children_[c];
    const Lexeme& lexeme = language_.lexer.lexeme(child.lexeme);
    Verdict verdict = Of(child.lexeme, states, place);
    if (verdict == Verdict::kNever) continue;
    bool settled = verdict == Verdict::kAlways;
    // What the layout makes of it, only the layout's state can tell.
    bool unclear =
        !settled && (lexeme.is_newline ? !place.exact : lexeme.kind != TerminalKind::kToken || place.line_begin);
    if (unclear) {
      Keep(child.node);
      rest.children.push_back(child);
      possible.children.push_back(child);
      continue;
    }
    Place inner_place = place;
    States inner_states = Behind(child.lexeme, states, inner_place);
    Outcome inner = Look(child.node, inner_states, inner_place, sure && settled && child.modes == kAnyMode);
    outcome.always.insert(outcome.always.end(), inner.always.begin(), inner.always.end());
    if (inner.rest) rest.children.push_back({child.lexeme, child.blanks, *inner.rest, 0, 0, child.modes});
    if (inner.possible) possible.children.push_back({child.lexeme, child.blanks, *inner.possible, 0, 0, child.modes});
  }
  if (!rest.groups.empty() || !rest.children.empty()) outcome.rest = Make(rest);
  if (!possible.groups.empty() || !possible.children.empty()) outcome.possible = Make(possible);
  return outcome;
}

std::optional<SequenceNodeId> Streamliner::Make(const Draft& draft) {
  std::vector<uint32_t> content;
  for (const auto& [primary, members] : draft.groups) {
    content.push_back(primary.value | 0x80000000u);
    for (const MaskStore::Member& m : members) {
      content.push_back(static_cast<uint32_t>(m.q.value) << 16 | static_cast<uint32_t>(m.blanks.value) << 1 | m.whole);
      content.push_back(m.guards);
      content.push_back(m.tokens.value);
    }
  }
  content.push_back(0xffffffffu);
  for (const MaskStore::Child& c : draft.children) {
    content.push_back(static_cast<uint32_t>(c.lexeme.value) << 16 | c.blanks.value);
    content.push_back(c.node.value);
    content.push_back(static_cast<uint32_t>(c.modes));
    content.push_back(static_cast<uint32_t>(c.modes >> 32));
  }
  auto [at, fresh] = made_.try_emplace(std::move(content));
  if (!fresh) return at->second;
  MaskStore::Node node;
  node.children_begin = static_cast<uint32_t>(store_.children_.size());
  store_.children_.insert(store_.children_.end(), draft.children.begin(), draft.children.end());
  node.children_end = static_cast<uint32_t>(store_.children_.size());
  node.groups_begin = static_cast<uint32_t>(store_.groups_.size());
  std::vector<TokenId> all;
  for (const auto& [primary, members] : draft.groups) {
    MaskStore::Group group;
    group.primary = primary;
    group.members_begin = static_cast<uint32_t>(store_.members_.size());
    all.clear();
    for (const MaskStore::Member& m : members) {
      store_.sets_.AppendTo(m.tokens, all);
      store_.members_.push_back(m);
    }
    group.all = store_.sets_.Intern(all);
    group.members_end = static_cast<uint32_t>(store_.members_.size());
    store_.groups_.push_back(group);
  }
  node.groups_end = static_cast<uint32_t>(store_.groups_.size());
  at->second = SequenceNodeId{static_cast<uint32_t>(store_.nodes_.size())};
  store_.nodes_.push_back(node);
  return at->second;
}

}  // namespace tenon::constraint
