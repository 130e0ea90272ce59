#include "constraint/mask/streamline.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

// [LR terminal] a number for the set of places in rules where it stands; LR terminals that stand
// twice in one rule are alone.
std::vector<size_t> PlaceClasses(const Language& language) {
  const Grammar& grammar = language.grammar;
  constexpr SymbolId kHole{0xffff};
  using Place = std::pair<SymbolId, std::vector<SymbolId>>;
  std::vector<std::set<Place>> places(grammar.lr_terminals.size());
  std::vector<bool> alone(grammar.lr_terminals.size());
  for (const Rule& rule : grammar.rules) {
    for (size_t i = 0; i < rule.body.size(); ++i) {
      SymbolId symbol = rule.body[i];
      if (!grammar.IsLrTerminal(symbol)) continue;
      if (std::count(rule.body.begin(), rule.body.end(), symbol) > 1) alone[symbol.value] = true;
      Place place{rule.head, rule.body};
      place.second[i] = kHole;
      places[symbol.value].insert(std::move(place));
    }
  }
  // One that is read as another stands where that does, one that asks for its line or its context
  // is unlike any other.
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    if (grammar.lr_terminals[c].reads_as) places[c].insert({*grammar.lr_terminals[c].reads_as, {}});
    if (grammar.lr_terminals[c].line != LineCondition::kNone || grammar.lr_terminals[c].predicate ||
        grammar.lr_terminals[c].name_use != NameUse::kNone)
      alone[c] = true;
  }
  std::map<std::pair<std::set<Place>, bool>, size_t>
      ids;  // with the meaning of a line end after the LR terminal
  std::vector<size_t> classes;
  for (size_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    size_t next = grammar.lr_terminals.size() + ids.size();
    classes.push_back(alone[c]
                          ? c
                          : ids.try_emplace({places[c], language.layout.line_ends().EndsPhrase(
                                                            SymbolId{static_cast<uint16_t>(c)})},
                                            next)
                                .first->second);
  }
  return classes;
}

}  // namespace

std::vector<LexemeId> InterchangeableLexemes(const Language& language) {
  std::vector<size_t> classes = PlaceClasses(language);
  // One that is split, or read beside a rival's, is unlike any other: the last member is its own.
  using Behaviour = std::tuple<TerminalKind, bool, bool, int, ModeAction, bool, ModeMask,
                               std::vector<size_t>, size_t>;
  std::map<Behaviour, LexemeId> first;
  std::vector<LexemeId> out;
  for (uint16_t l = 0; l < language.lexer.lexeme_count(); ++l) {
    const Lexeme& lexeme = language.lexer.lexeme(LexemeId{l});
    std::vector<size_t> lr_terminals;
    for (SymbolId c : lexeme.emit_terminals) lr_terminals.push_back(classes[c.value]);
    std::sort(lr_terminals.begin(), lr_terminals.end());
    const bool is_like_others = lexeme.splits.empty() && !lexeme.apart;
    Behaviour behaviour{lexeme.kind,
                        lexeme.delimited,
                        lexeme.is_newline,
                        lexeme.bracket,
                        lexeme.action,
                        lexeme.insert_before,
                        lexeme.not_within,
                        std::move(lr_terminals),
                        is_like_others ? language.lexer.lexeme_count() : l};
    out.push_back(first.try_emplace(std::move(behaviour), LexemeId{l}).first->second);
  }
  return out;
}

Streamliner::Streamliner(MaskStore& store)
    : store_(store),
      language_(store.language()),
      verdicts_(language_),
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

// First lexemes lie below a root, after ignorable text at most.
void Streamliner::Visit(SequenceNodeId node, std::set<uint32_t>& visited) {
  if (!visited.insert(node.value).second) return;
  possible_[node.value] = open_[node.value] = true;
  for (uint32_t c = store_.nodes_[node.value].children_begin;
       c < store_.nodes_[node.value].children_end; ++c) {
    const MaskStore::Child child = store_.children_[c];
    const Lexeme& lexeme = language_.lexer.lexeme(child.lexeme);
    if (lexeme.kind == TerminalKind::kIgnored) {
      Visit(child.node, visited);
      continue;
    }
    if (lexeme.kind != TerminalKind::kParsed || lexeme.is_newline) {
      Keep(child.node);
      continue;
    }
    States states;
    std::vector<SymbolId> last = lexeme.emit_terminals;
    for (const std::vector<LexemeTerminals>& parts : lexeme.splits)
      last.insert(last.end(), parts.back().emit.begin(), parts.back().emit.end());
    for (SymbolId lr_terminal : last) {
      std::span<const LrStateId> to = verdicts_.ShiftedTo(lr_terminal);
      states.insert(states.end(), to.begin(), to.end());
    }
    SortUnique(states);
    const std::vector<MaskStore::Seen> seen = SeenAfter(child.node, states);
    store_.children_[c].seen_begin = static_cast<uint32_t>(store_.seen_.size());
    store_.seen_.insert(store_.seen_.end(), seen.begin(), seen.end());
    store_.children_[c].seen_end = static_cast<uint32_t>(store_.seen_.size());
  }
}

std::vector<MaskStore::Seen> Streamliner::SeenAfter(SequenceNodeId node, const States& states) {
  const bool lines = language_.layout.active();
  const std::vector<SymbolId> asked = TerminalsAsked(node);
  // By the state's verdicts about these: [in brackets].
  std::map<std::vector<uint32_t>, std::array<MaskStore::Seen, 2>> alike;
  std::vector<MaskStore::Seen> seen;
  for (LrStateId state : states) {
    auto [at, fresh] = alike.try_emplace(verdicts_.KeyOf(state, asked));
    for (size_t in_brackets = 0; in_brackets < (lines ? 2 : 1); ++in_brackets) {
      MaskStore::Seen& made = at->second[in_brackets];
      if (fresh) {
        Outcome outcome =
            Look(node, verdicts_.Intern({state}),
                 {static_cast<int>(in_brackets), lines && in_brackets == 0, false}, true);
        made.in_brackets = in_brackets == 1;
        made.some = !outcome.always.empty();
        made.always = store_.sets_.Join(outcome.always);
        made.rest = outcome.rest ? *outcome.rest : Make({});
        made.possible = outcome.possible ? *outcome.possible : Make({});
      }
      seen.push_back(made);
      seen.back().state = state;
    }
  }
  return seen;
}

std::vector<SymbolId> Streamliner::TerminalsAsked(SequenceNodeId id) {
  const LexemeFutures& emitted = *language_.futures[true];
  const LexemeFutures& any = *language_.futures[false];
  std::set<std::pair<FutureId, FutureId>> futures;
  std::vector<SymbolId> asked;
  const MaskStore::Node& node = store_.nodes_[id.value];
  for (uint32_t g = node.groups_begin; g < node.groups_end; ++g) {
    for (uint32_t m = store_.groups_[g].members_begin; m < store_.groups_[g].members_end; ++m)
      futures.emplace(store_.members_[m].future, any.Of(store_.members_[m].q));
  }
  for (const auto& [future, given] : futures) {
    auto [at, fresh] = terminals_of_.try_emplace({future, given});
    if (fresh) {
      for (LexemeId lexeme : emitted.Ended(future)) verdicts_.AppendTerminals(lexeme, at->second);
      for (LexemeId lexeme : any.Ended(given)) verdicts_.AppendTerminals(lexeme, at->second);
    }
    asked.insert(asked.end(), at->second.begin(), at->second.end());
  }
  for (uint32_t c = node.children_begin; c < node.children_end; ++c) {
    const MaskStore::Child& child = store_.children_[c];
    const Lexeme& lexeme = language_.lexer.lexeme(child.lexeme);
    verdicts_.AppendTerminals(child.lexeme, asked);
    if (lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline) continue;
    const std::vector<SymbolId> after =
        TerminalsAsked(child.node);  // the parser may be where it was
    asked.insert(asked.end(), after.begin(), after.end());
  }
  SortUnique(asked);
  return asked;
}

Streamliner::Outcome Streamliner::Look(SequenceNodeId id, StatesId states, const Place& place,
                                       bool sure) {
  Outcome outcome;
  Draft rest, possible;
  const MaskStore::Node node = store_.nodes_[id.value];
  for (uint32_t g = node.groups_begin; g < node.groups_end; ++g) {
    const MaskStore::Group group = store_.groups_[g];
    for (uint32_t m = group.members_begin; m < group.members_end; ++m) {
      const MaskStore::Member& member = store_.members_[m];
      Verdict verdict = member.guards
                            ? Verdict::kOpen
                            : verdicts_.OfProgress(member.q, member.future, states, place);
      if (verdict == Verdict::kNever) continue;
      possible.members.push_back(member);
      if (verdict == Verdict::kAlways && sure)
        outcome.always.push_back(member.tokens);
      else
        rest.members.push_back(member);
    }
    rest.CloseGroup(group.primary);
    possible.CloseGroup(group.primary);
  }
  if (!possible.groups.empty()) possible_[id.value] = true;
  if (!rest.groups.empty()) open_[id.value] = true;
  for (uint32_t c = node.children_begin; c < node.children_end; ++c) {
    const MaskStore::Child child = store_.children_[c];
    const Lexeme& lexeme = language_.lexer.lexeme(child.lexeme);
    Verdict verdict = verdicts_.Of(child.lexeme, states, place);
    if (verdict == Verdict::kNever) continue;
    bool settled = verdict == Verdict::kAlways;
    // Only the layout's state can tell which terminals it becomes.
    bool unclear =
        !settled && (lexeme.is_newline ? !place.exact
                                       : lexeme.kind != TerminalKind::kParsed || place.line_begin);
    if (unclear) {
      Keep(child.node);
      rest.children.push_back(child);
      possible.children.push_back(child);
      continue;
    }
    Place inner_place = place;
    const StatesId inner_states = verdicts_.StatesAfter(child.lexeme, states, inner_place);
    Outcome inner =
        Look(child.node, inner_states, inner_place, sure && settled && child.modes == kAnyMode);
    outcome.always.insert(outcome.always.end(), inner.always.begin(), inner.always.end());
    if (inner.rest)
      rest.children.push_back({child.lexeme, child.blanks, *inner.rest, 0, 0, child.modes});
    if (inner.possible)
      possible.children.push_back({child.lexeme, child.blanks, *inner.possible, 0, 0, child.modes});
  }
  if (!rest.groups.empty() || !rest.children.empty()) outcome.rest = Make(rest);
  if (!possible.groups.empty() || !possible.children.empty()) outcome.possible = Make(possible);
  return outcome;
}

void Streamliner::Draft::CloseGroup(LexemeId primary) {
  if (members.size() > (groups.empty() ? 0 : groups.back().second))
    groups.emplace_back(primary, members.size());
}

size_t Streamliner::ContentHash::operator()(const std::vector<uint32_t>& content) const {
  return HashOf(std::span(content));
}

SequenceNodeId Streamliner::Make(const Draft& draft) {
  content_.clear();
  size_t m = 0;
  for (const auto& [primary, end] : draft.groups) {
    content_.push_back(primary.value | 0x80000000u);
    for (; m < end; ++m) {
      const MaskStore::Member& member = draft.members[m];
      content_.push_back(static_cast<uint32_t>(member.q.value) << 16 | member.blanks.value);
      content_.push_back(member.whole);
      content_.push_back(member.guards);
      content_.push_back(member.tokens.value);
    }
  }
  content_.push_back(0xffffffffu);
  for (const MaskStore::Child& c : draft.children) {
    content_.push_back(static_cast<uint32_t>(c.lexeme.value) << 16 | c.blanks.value);
    content_.push_back(c.node.value);
    content_.push_back(static_cast<uint32_t>(c.modes));
    content_.push_back(static_cast<uint32_t>(c.modes >> 32));
  }
  if (auto known = made_.find(content_); known != made_.end()) return known->second;
  MaskStore::Node node;
  node.children_begin = static_cast<uint32_t>(store_.children_.size());
  store_.children_.insert(store_.children_.end(), draft.children.begin(), draft.children.end());
  node.children_end = static_cast<uint32_t>(store_.children_.size());
  node.groups_begin = static_cast<uint32_t>(store_.groups_.size());
  std::vector<TokenSetId> all;
  m = 0;
  for (const auto& [primary, end] : draft.groups) {
    MaskStore::Group group;
    group.primary = primary;
    group.members_begin = static_cast<uint32_t>(store_.members_.size());
    all.clear();
    for (; m < end; ++m) {
      all.push_back(draft.members[m].tokens);
      store_.members_.push_back(draft.members[m]);
    }
    group.all = store_.sets_.Join(all);
    group.members_end = static_cast<uint32_t>(store_.members_.size());
    store_.groups_.push_back(group);
  }
  node.groups_end = static_cast<uint32_t>(store_.groups_.size());
  const SequenceNodeId id{static_cast<uint32_t>(store_.nodes_.size())};
  store_.nodes_.push_back(node);
  made_.emplace(content_, id);
  return id;
}

}  // namespace tenon::constraint
