#include "constraint/right/right_automaton.h"

#include <algorithm>
#include <map>

#include "constraint/base/base.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"

namespace tenon::constraint {

RightAutomaton::RightAutomaton(const Grammar& grammar, const Lexer& lexer,
                               const LayoutRules& layout, RightLexemes& lexemes, Options options)
    : grammar_(grammar),
      lexer_(lexer),
      layout_(layout),
      lexemes_(lexemes),
      options_(options),
      heads_(lexemes.text().size() + 1, kNoNode) {
  for (size_t i = 0; i < lexer.lexeme_count(); ++i) {
    const std::vector<SymbolId>& lr_terminals =
        lexer.lexeme(LexemeId{static_cast<uint16_t>(i)}).given_terminals;
    for (bool line_seen : {false, true})
      lexeme_labels_[line_seen].push_back(LabelsOf(Standing(lr_terminals, line_seen)));
  }
  if (layout.active()) newline_label_ = LabelOf({layout.newline_terminal()});
  if (layout.has_columns()) {
    indent_label_ = LabelOf({layout.indent_terminal()});
    dedent_label_ = LabelOf({layout.dedent_terminal()});
  }
  MakeStarts(Seam::kClosed);
}

void RightAutomaton::MakeStarts(Seam seam) {
  Starts& starts = starts_[static_cast<size_t>(SeamOf(seam))];
  if (!options_.emit) seam = Seam::kOpen;  // the seam rule is one about emitted text
  AddStarts(seam, starts);
  AddInside(seam, starts);
  starts.made = true;
}

void RightAutomaton::Reread(size_t kept) {
  std::fill(heads_.begin(), heads_.begin() + static_cast<std::ptrdiff_t>(kept), kNoNode);
  starts_ = {};
  MakeStarts(Seam::kClosed);
}

uint32_t RightAutomaton::LabelOf(std::vector<SymbolId> lr_terminals) {
  std::sort(lr_terminals.begin(), lr_terminals.end());
  auto at = std::find(labels_.begin(), labels_.end(), lr_terminals);
  if (at != labels_.end()) return static_cast<uint32_t>(at - labels_.begin());
  labels_.push_back(std::move(lr_terminals));
  return static_cast<uint32_t>(labels_.size() - 1);
}

std::vector<SymbolId> RightAutomaton::Standing(std::vector<SymbolId> lr_terminals,
                                               bool line_seen) const {
  lr_terminals.erase(
      std::remove_if(lr_terminals.begin(), lr_terminals.end(),
                     [&](SymbolId c) { return !layout_.line_ends().Allows(c, line_seen); }),
      lr_terminals.end());
  return lr_terminals;
}

bool RightAutomaton::AsksForLine(const Lexeme& lexeme) const {
  const auto asks = [&](const std::vector<SymbolId>& lr_terminals) {
    return std::any_of(lr_terminals.begin(), lr_terminals.end(),
                       [&](SymbolId c) { return layout_.line_ends().HasCondition(c); });
  };
  return asks(lexeme.given_terminals) ||
         std::any_of(lexeme.splits.begin(), lexeme.splits.end(),
                     [&](const auto& parts) { return asks(parts[0].given); });
}

RightAutomaton::LexemeLabels RightAutomaton::LabelsOf(const std::vector<SymbolId>& lr_terminals) {
  std::vector<SymbolId> plain, ends_phrase;
  for (SymbolId c : lr_terminals)
    (layout_.line_ends().EndsPhrase(c) ? ends_phrase : plain).push_back(c);
  return {LabelOf(std::move(plain)), LabelOf(std::move(ends_phrase))};
}

bool RightAutomaton::Alive(size_t offset, ModeId mode) {
  return lexer_.has_modes() ? lexemes_.Alive(offset, mode) : lexemes_.DepthAt(offset).has_value();
}

// Alive, from the known part of the modes' stack: each known mode must be popped in turn.
bool RightAutomaton::AliveBehind(size_t offset, ModeStackId modes) {
  if (lexer_.reads_apart()) {
    std::vector<uint32_t> at{static_cast<uint32_t>(offset)};
    for (; modes_.below(modes) != ModeArena::kUnknown; modes = modes_.below(modes)) {
      std::vector<uint32_t> popped;
      for (const uint32_t from : at) {
        const std::optional<std::vector<uint32_t>>& ends = lexemes_.EndsOf(from, modes_.top(modes));
        if (!ends) return true;
        popped.insert(popped.end(), ends->begin(), ends->end());
      }
      SortUnique(popped);
      at = std::move(popped);
    }
    return std::any_of(at.begin(), at.end(),
                       [&](uint32_t from) { return Alive(from, modes_.top(modes)); });
  }
  for (; lexer_.has_modes() && modes_.below(modes) != ModeArena::kUnknown;
       modes = modes_.below(modes)) {
    std::optional<size_t> end = lexemes_.EndOf(offset, modes_.top(modes));
    if (!end) return false;
    offset = *end;
  }
  return Alive(offset, modes_.top(modes));
}

std::span<const ModeStackId> RightAutomaton::StacksBehind(const Lexeme& lexeme, ModeStackId before,
                                                          size_t end) {
  const ModeAction action = lexeme.action;
  ModeStackId below = modes_.below(before);
  stacks_behind_.clear();
  switch (action.kind) {
    case ModeAction::Kind::kNone:
      stacks_behind_.push_back(before);
      break;
    case ModeAction::Kind::kSwitch:
      stacks_behind_.push_back(modes_.Push(below, action.mode));
      break;
    case ModeAction::Kind::kPush: {
      if (lexer_.reads_apart()) {
        const std::optional<std::vector<uint32_t>>& ends = lexemes_.EndsOf(end, action.mode);
        if (ends && ends->empty()) break;
        const bool only =
            below == ModeArena::kUnknown && ends &&
            std::all_of(ends->begin(), ends->end(), [&](uint32_t popped) {
              return lexemes_.AliveBelow(popped, action.mode) == MaskOf(modes_.top(before));
            });
        stacks_behind_.push_back(modes_.Push(only ? ModeArena::kUnknown : before, action.mode));
        break;
      }
      std::optional<size_t> popped = lexemes_.EndOf(end, action.mode);
      if (!popped) break;
      bool obvious = below == ModeArena::kUnknown &&
                     lexemes_.AliveBelow(*popped, action.mode) == MaskOf(modes_.top(before));
      stacks_behind_.push_back(modes_.Push(obvious ? ModeArena::kUnknown : before, action.mode));
      break;
    }
    case ModeAction::Kind::kPop: {
      if (below != ModeArena::kUnknown) {
        stacks_behind_.push_back(below);
        break;
      }
      ModeMask alive = lexemes_.AliveBelow(end, modes_.top(before));
      for (uint8_t m = 0; m < kMaxModes && alive >> m; ++m) {
        if (alive >> m & 1) stacks_behind_.push_back(modes_.Push(ModeArena::kUnknown, ModeId{m}));
      }
      break;
    }
  }
  return stacks_behind_;
}

void RightAutomaton::AddLexemeEdges(LexemeLabels labels, Key behind, Expansion& out) {
  behind.line_seen = false;
  for (bool ends_phrase : {false, true}) {
    uint32_t label = ends_phrase ? labels.ends_phrase : labels.plain;
    if (labels_[label].empty()) continue;
    behind.ends_phrase = ends_phrase;
    out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(behind)});
  }
}

bool RightAutomaton::MayInsert(const Key& key, LexemeId next) const {
  if (key.lexeme == 0) return false;
  return options_.insertions->MayStand(LexemeId{static_cast<uint16_t>(key.lexeme - 1)}, next,
                                       key.line_seen);
}

void RightAutomaton::AddInsertedEdge(const Key& key, LexemeId next, Expansion& out) {
  if (!MayInsert(key, next)) return;
  Key behind = key;
  behind.kind = Kind::kInserted;
  behind.lexeme = 0;
  out.edges.push_back({LabelOf({*layout_.line_ends().inserted()}), 0, kMaxColumn,
                       RightEdge::Kind::kPlain, Intern(behind)});
}

void RightAutomaton::AddSplitEdges(LexemeId id, bool line_seen, bool emitted, Key behind,
                                   Expansion& out) {
  const Lexeme& lexeme = lexer_.lexeme(id);
  behind.kind = Kind::kInSplit;
  behind.line_seen = behind.ends_phrase = false;
  for (size_t way = 0; way < lexeme.splits.size(); ++way) {
    const LexemeTerminals& first = lexeme.splits[way][0];
    const uint32_t label = LabelOf(Standing(emitted ? first.emit : first.given, line_seen));
    if (labels_[label].empty()) continue;
    behind.lexeme = SplitAt(id.value, way, 1, emitted);
    out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(behind)});
  }
}

void RightAutomaton::ExpandSplit(const Key& key, Expansion& out) {
  const uint32_t lexeme = key.lexeme & 0xffff;
  const size_t way = key.lexeme >> 16 & 0x7f, read = key.lexeme >> 23 & 0x7f;
  const bool emitted = key.lexeme >> 31;
  const std::vector<LexemeTerminals>& parts =
      lexer_.lexeme(LexemeId{static_cast<uint16_t>(lexeme)}).splits[way];
  const LexemeLabels labels =
      LabelsOf(Standing(emitted ? parts[read].emit : parts[read].given, false));
  Key behind = key;
  if (read + 1 == parts.size()) {
    behind.kind = Kind::kCode;
    behind.lexeme =
        layout_.line_ends().inserted() ? Behind(LexemeId{static_cast<uint16_t>(lexeme)}) : 0;
    return AddLexemeEdges(labels, behind, out);
  }
  behind.lexeme = SplitAt(lexeme, way, read + 1, emitted);
  for (uint32_t label : {labels.plain, labels.ends_phrase}) {
    if (!labels_[label].empty())
      out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(behind)});
  }
}

void RightAutomaton::AddTerminatorEdge(bool emitted, Key behind, Expansion& out) {
  behind.ends_phrase = false;
  uint32_t label = LabelOf(layout_.line_ends().terminators(emitted));
  out.edges.push_back({label, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(behind)});
}

RightNodeId RightAutomaton::Intern(Key key) {
  // Skips blanks, comments and line ends without meaning, so that more readings meet in one node.
  if (key.kind == Kind::kCode) {
    while (key.offset < lexemes_.text().size()) {
      const Lexer::Match match = lexemes_.At(key.offset, lexer_.StartOf(modes_.top(key.modes)));
      if (match.lexeme == kNoLexeme) break;
      const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
      bool joined =
          lexeme.is_newline && (lexer_.has_modes() ? key.modes != ModeStackId{}
                                                   : lexemes_.DepthAt(match.end).value_or(0) > 0);
      bool blank_line_end = lexeme.kind == TerminalKind::kLineEnd && !key.ends_phrase;
      key.line_seen |= blank_line_end && layout_.line_ends().remembers();
      if (lexeme.kind == TerminalKind::kParsed) {
        key.ends_phrase = false;
        const LexemeId apart =
            lexemes_.Apart(key.offset, lexer_.StartOf(modes_.top(key.modes))).lexeme;
        const bool inserts =
            MayInsert(key, match.lexeme) || (apart != kNoLexeme && MayInsert(key, apart));
        if (!inserts) key.lexeme = 0;
        key.line_seen &= AsksForLine(lexeme) || key.lexeme != 0 ||
                         (apart != kNoLexeme && AsksForLine(lexer_.lexeme(apart)));
      }
      if (lexeme.kind != TerminalKind::kIgnored && !joined && !blank_line_end) break;
      key.offset = static_cast<uint32_t>(match.end);
    }
    if (key.offset == lexemes_.text().size()) {
      key.line_seen = false;
      if (!MayInsert(key, kNoLexeme)) key.lexeme = 0;
    }
  }
  uint32_t& head = heads_[key.offset];
  for (uint32_t n = head; n != kNoNode; n = nodes_[n].next) {
    if (keys_[n] == key) return RightNodeId{n};
  }
  Node node;
  node.next = head;
  head = static_cast<uint32_t>(nodes_.size());
  keys_.push_back(key);
  nodes_.push_back(node);
  return RightNodeId{head};
}

RightAutomaton::Key RightAutomaton::LineAt(size_t offset, uint16_t lo, uint16_t hi, IndentId opened,
                                           bool* newline_before) {
  LexicalContext line;
  IndentArena unused;
  std::vector<LayoutEvent> events;
  std::string_view text = lexemes_.text();
  Key key;
  key.lo = lo;
  key.hi = hi;
  key.opened = opened;
  while (offset < text.size()) {
    const Lexer::Match match = lexemes_.At(offset);
    if (match.lexeme == kNoLexeme) break;
    const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
    if (lexeme.kind != TerminalKind::kIgnored && !lexeme.is_newline) break;
    for (size_t i = offset; i < match.end; ++i)
      layout_.ReadByte(static_cast<uint8_t>(text[i]), line.layout);
    layout_.End(lexeme, unused, line, events);
    if (lexeme.is_newline && newline_before) *newline_before = true;
    offset = match.end;
  }
  key.offset = static_cast<uint32_t>(offset);
  key.kind = offset == text.size() ? Kind::kEnd : Kind::kLine;
  if (key.kind == Kind::kLine) {
    key.column = line.layout.column;
    key.alt_column = line.layout.alt_column;
  }
  return key;
}

void RightAutomaton::AddLineStart(size_t offset, bool joined, Starts& out) {
  if (lexer_.has_modes() ? !lexemes_.Alive(offset, ModeId{}) : lexemes_.DepthAt(offset) != 0u)
    return;
  bool newline_before = false;
  Key key = LineAt(offset, 0, kMaxColumn, IndentId{}, &newline_before);
  if (key.kind == Kind::kLine) {
    // W may put blanks before R's own, so the first content line of R may have any column from its
    // own on; unless a line end of R comes first, which fixes the column.
    key.kind = Kind::kCode;
    key.lo = joined ? std::min<uint16_t>(key.column, 1) : key.column;
    if (newline_before) key.lo = key.hi = key.column;
    key.column = key.alt_column = 0;
  }
  out.entries.push_back({Intern(key), kEntryLine});
}

void RightAutomaton::AddStarts(Seam seam, Starts& out) {
  size_t begin = lexemes_.begin();
  bool any = false;
  for (uint8_t m = 0; m < lexer_.mode_count(); ++m) {
    if (!Alive(begin, ModeId{m})) continue;
    any = true;
    AddBetween(begin, modes_.Push(ModeArena::kUnknown, ModeId{m}), out);
  }
  // A line joining fixes the column if W puts blanks before it: to any column but 0.
  if (any && layout_.active()) AddLineStart(begin, IsIgnoredText(begin), out);
  if (options_.in_lexemes) AddInLexemeStarts(seam, out);
  std::vector<Entry>& entries = out.entries;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.node, a.kind) < std::pair(b.node, b.kind);
  });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const Entry& a, const Entry& b) {
                              return a.node == b.node && a.kind == b.kind;
                            }),
                entries.end());
}

// Does ignorable text other than blanks begin at `offset`?
bool RightAutomaton::IsIgnoredText(size_t offset) {
  std::string_view text = lexemes_.text();
  if (offset == text.size() || text[offset] == ' ' || text[offset] == '\t' || text[offset] == '\f')
    return false;
  LexemeId id = lexemes_.At(offset).lexeme;
  return id != kNoLexeme && lexer_.lexeme(id).kind == TerminalKind::kIgnored;
}

// Adds the entries of a W that ends at `offset` after content or ignorable text: one for each state
// of the line.
void RightAutomaton::AddBetween(size_t offset, ModeStackId modes, Starts& out) {
  Key key;
  key.modes = modes;
  key.offset = static_cast<uint32_t>(offset);
  out.entries.push_back({Intern(key), kEntryMid});
  if (!KeepsLine()) return;
  key.ends_phrase = layout_.line_ends().has_terminator();
  key.line_seen = layout_.line_ends().remembers();
  out.entries.push_back({Intern(key), kEntryLine});
}

// Adds the starts inside a lexeme: for every state of the lexer that a lexeme of W can be in, R
// decides at which offset that lexeme ends, and as what. Thousands of states share a dozen such
// landings.
void RightAutomaton::AddInLexemeStarts(Seam seam, Starts& out) {
  struct Landing {
    std::string_view text;       // Beginnings come nearest first, so it is a shortest one
    ModeMask modes = 0;          // of its states
    bool ends_for_good = false;  // at Seam::kRest: from some of them
  };
  std::map<std::pair<LexemeId, size_t>, Landing> landings;
  for (const Lexer::Beginning& beginning : lexer_.Beginnings(options_.emit)) {
    if (lexer_.IsStart(beginning.q)) continue;
    const Lexer::Match& match = lexemes_.LandingOf(beginning.q);
    if (match.lexeme == kNoLexeme || match.end <= lexemes_.begin()) continue;
    Landing& landing =
        landings.try_emplace({match.lexeme, match.end}, Landing{beginning.text}).first->second;
    landing.modes |= lexer_.ModesOf(beginning.q);
    if (seam == Seam::kRest && !landing.ends_for_good && lexer_.lexeme(match.lexeme).delimited)
      landing.ends_for_good = EndsForGood(beginning.q, match.end);
  }
  const size_t line = lexemes_.first_line_bytes();
  for (const auto& [place, landing] : landings) {
    const auto [id, end] = place;
    const Lexeme& lexeme = lexer_.lexeme(id);
    if (lexeme.kind == TerminalKind::kPoison) continue;
    const size_t swallowed = end - lexemes_.begin();
    const bool is_rest = landing.ends_for_good && !EndsOwnLexeme(end);
    if (is_rest) out.rests.emplace_back(id, swallowed);
    if (!MayEndInRight(seam, lexeme, swallowed, line, is_rest)) continue;
    if (lexeme.is_newline) continue;  // a line end begun in W: as R's own
    bool landed = false, word = false;
    for (uint8_t m = 0; m < lexer_.mode_count(); ++m) {
      if (!(landing.modes >> m & 1)) continue;
      ModeStackId before = modes_.Push(ModeArena::kUnknown, ModeId{m});
      for (ModeStackId behind : StacksBehind(lexeme, before, end)) {
        if (!AliveBehind(end, behind)) continue;
        landed = true;
        word |= AddLanding(id, end, landing.text, behind, out);
      }
    }
    if (word) out.lexeme_beginnings.emplace_back(landing.text);
    if (landed && lexeme.delimited && lexeme.kind != TerminalKind::kParsed)
      out.comment_beginnings.emplace_back(landing.text);
  }
}

// Can nothing be added to a lexeme that has the state q at R's beginning and ends at `end`? To a
// comment that its line ends, more can.
bool RightAutomaton::EndsForGood(DfaStateId q, size_t end) const {
  for (size_t at = lexemes_.begin(); at < end; ++at)
    q = lexer_.Next(q, static_cast<uint8_t>(lexemes_.text()[at]));
  for (int b = 0; b < 256; ++b) {
    if (lexer_.Next(q, static_cast<uint8_t>(b)) != kDeadState) return false;
  }
  return true;
}

// Does a `%delimited` lexeme that begins in R end at `end`? In `f(; /* text */` one does: a comment
// that W begins would hide `f(;`.
bool RightAutomaton::EndsOwnLexeme(size_t end) {
  for (size_t at = lexemes_.begin(); at < end; ++at) {
    const Lexer::Match match = lexemes_.At(at);
    if (match.end == end && match.lexeme != kNoLexeme && lexer_.lexeme(match.lexeme).delimited)
      return true;
  }
  return false;
}

bool RightAutomaton::IsRest(LexemeId lexeme, size_t bytes) const {
  const auto& rests = At(Seam::kRest).rests;
  return std::find(rests.begin(), rests.end(), std::pair(lexeme, bytes)) != rests.end();
}

// Adds the entries of a W whose last lexeme R finishes at `end`, with `modes` after it. True: the
// parser sees the lexeme (it is no blank and no line end).
bool RightAutomaton::AddLanding(LexemeId id, size_t end, std::string_view text, ModeStackId modes,
                                Starts& out) {
  const Lexeme& lexeme = lexer_.lexeme(id);
  Key behind;
  behind.offset = static_cast<uint32_t>(end);
  behind.modes = modes;
  if (lexeme.kind == TerminalKind::kIgnored) {
    AddBetween(end, modes, out);
    // Ignorable text of W on a line without content: a comment that R's line end closes, or a line
    // joining.
    std::string whole =
        std::string(text) + std::string(lexemes_.right().substr(0, end - lexemes_.begin()));
    if (layout_.active() && whole.find_first_not_of(" \t\f") != std::string::npos)
      AddLineStart(end, true, out);
    return false;
  }
  std::vector<Entry>& entries = out.entries;
  if (lexeme.kind == TerminalKind::kLineEnd && layout_.line_ends().remembers()) {
    behind.line_seen = true;
    entries.push_back({Intern(behind), kEntryLine});
    return false;
  }
  if (lexeme.kind == TerminalKind::kLineEnd) entries.push_back({Intern(behind), kEntryMid});
  behind.kind = Kind::kInLexeme;
  behind.lexeme = id.value;
  entries.push_back(
      {Intern(behind), lexeme.kind == TerminalKind::kLineEnd ? kEntryLine : kEntryLexeme});
  if (lexeme.kind == TerminalKind::kLineEnd) return false;
  if (AsksForLine(lexeme)) {
    behind.line_seen = true;  // W may hold a line end before it
    entries.back().kind = kEntryMid;
    entries.push_back({Intern(behind), kEntryLexeme});
    entries.push_back({Intern(behind), kEntryLine});
  }
  return true;
}

// The edges of kInside, which are the last terminal of W: a content terminal before a start in the
// middle of a line; newline, indent or dedent before a start at a line's beginning.
void RightAutomaton::AddInside(Seam seam, Starts& out) {
  const Grammar& grammar = grammar_;
  std::vector<SymbolId> content;
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    const Terminal& terminal = grammar.terminals[grammar.lr_terminals[c].terminal.value];
    SymbolId id{c};
    bool own = (layout_.active() && id == layout_.newline_terminal()) ||
               (layout_.has_columns() &&
                (id == layout_.indent_terminal() || id == layout_.dedent_terminal())) ||
               layout_.line_ends().inserted() == id;
    if (own || grammar.lr_terminals[c].reads_as) continue;
    // The seam rule: W closes the mode that this terminal opens, so it is never W's last terminal.
    if (seam != Seam::kOpen && terminal.delimited &&
        terminal.action.kind == ModeAction::Kind::kPush)
      continue;
    bool made = layout_.line_ends().has_terminator() &&
                grammar.lr_terminals[c].terminal == grammar.terminator->terminal;
    if (!options_.emit || ((terminal.emitted || made) && !grammar.lr_terminals[c].predicate))
      content.push_back(id);
  }
  std::vector<RightEdge> edges;
  LexemeLabels content_labels = LabelsOf(content);
  for (const Entry& entry : out.entries) {
    if (entry.kind != kEntryLine || layout_.line_ends().remembers())
      edges.push_back({content_labels.plain, 0, kMaxColumn, RightEdge::Kind::kPlain, entry.node});
    if (layout_.line_ends().has_terminator() && entry.kind != kEntryMid)
      edges.push_back(
          {content_labels.ends_phrase, 0, kMaxColumn, RightEdge::Kind::kPlain, entry.node});
    if (entry.kind == kEntryMid || !layout_.active()) continue;
    edges.push_back({newline_label_, 0, kMaxColumn, RightEdge::Kind::kPlain, entry.node});
    if (!layout_.has_columns()) continue;
    edges.push_back({indent_label_, kMaxColumn, kMaxColumn, RightEdge::Kind::kPlain, entry.node});
    edges.push_back({dedent_label_, 0, kMaxColumn, RightEdge::Kind::kPlain, entry.node});
  }
  // Its offset is R's beginning, but heads_ does not list it: it belongs to these entries alone.
  Key key;
  key.kind = Kind::kInside;
  key.offset = static_cast<uint32_t>(lexemes_.begin());
  Node inside;
  inside.expanded = true;
  StoreEdges(inside, edges);
  out.entries.push_back({RightNodeId{static_cast<uint32_t>(nodes_.size())}, kEntryInside});
  keys_.push_back(key);
  nodes_.push_back(inside);
}

void RightAutomaton::StoreEdges(Node& node, const std::vector<RightEdge>& edges) {
  constexpr size_t kEdgeBlock = 1024;
  if (edges.size() > edges_left_) {
    edges_left_ = std::max(kEdgeBlock, edges.size());
    edge_blocks_.push_back(std::make_unique<RightEdge[]>(edges_left_));
    edge_count_ += edges_left_;
    next_edge_ = edge_blocks_.back().get();
  }
  std::copy(edges.begin(), edges.end(), next_edge_);
  node.edges = next_edge_;
  node.edge_count = static_cast<uint32_t>(edges.size());
  next_edge_ += edges.size();
  edges_left_ -= edges.size();
}

void RightAutomaton::ExpandNode(RightNodeId id) {
  Expansion out;
  truncated_ |= nodes_.size() > options_.max_nodes;
  Key key = keys_[id.value];
  if (!truncated_) Expand(key, out);
  Node& node = nodes_[id.value];
  StoreEdges(node, out.edges);
  node.final = out.final;
  node.expanded = true;
}

size_t RightAutomaton::memory_bytes() const {
  return nodes_.size() * (sizeof(Key) + sizeof(Node)) + heads_.size() * 4 +
         edge_count_ * sizeof(RightEdge);
}

void RightAutomaton::Expand(const Key& key, Expansion& out) {
  switch (key.kind) {
    case Kind::kInside:  // made with its edges
      return;
    case Kind::kCode:
    case Kind::kInserted:
      return ExpandCode(key, out);
    case Kind::kLine:
    case Kind::kEnd:
      return ExpandLine(key, out);
    case Kind::kInLexeme: {  // the modes are those after it
      Key behind = key;
      const LexemeId id{static_cast<uint16_t>(key.lexeme)};
      behind.kind = Kind::kCode;
      behind.lexeme = layout_.line_ends().inserted() ? Behind(id) : 0;
      const Lexeme& lexeme = lexer_.lexeme(id);
      if (lexeme.kind == TerminalKind::kLineEnd)
        return AddTerminatorEdge(options_.emit, behind, out);
      const std::vector<SymbolId>& lr_terminals =
          options_.emit ? lexeme.emit_terminals : lexeme.given_terminals;
      AddLexemeEdges(LabelsOf(Standing(lr_terminals, key.line_seen)), behind, out);
      return AddSplitEdges(id, key.line_seen, options_.emit, behind, out);
    }
    case Kind::kInSplit:
      return ExpandSplit(key, out);
  }
}

void RightAutomaton::ExpandCode(const Key& key, Expansion& out) {
  if (key.offset == lexemes_.text().size()) {
    if (key.modes != ModeStackId{}) return;
    if (key.ends_phrase) return AddTerminatorEdge(false, key, out);
    if (!layout_.active()) {
      out.final = true;
      return AddInsertedEdge(key, kNoLexeme, out);
    }
    Key end = key;
    end.kind = Kind::kEnd;
    out.edges.push_back({newline_label_, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(end)});
    return;
  }
  const DfaStateId start = lexer_.StartOf(modes_.top(key.modes));
  ExpandMatch(key, lexemes_.At(key.offset, start), out);
  ExpandMatch(key, lexemes_.Apart(key.offset, start), out);
}

void RightAutomaton::ExpandMatch(const Key& key, const Lexer::Match& match, Expansion& out) {
  if (match.lexeme == kNoLexeme) return;
  const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
  if (lexeme.is_newline) {  // at depth 0: the others were skipped
    Key line = LineAt(match.end, key.lo, key.hi, key.opened, nullptr);
    out.edges.push_back({newline_label_, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(line)});
    return;
  }
  Key next = key;
  next.kind = Kind::kCode;
  next.offset = static_cast<uint32_t>(match.end);
  next.lexeme = layout_.line_ends().inserted() ? Behind(match.lexeme) : 0;
  // A blank line end was skipped when the node was made.
  if (lexeme.kind == TerminalKind::kLineEnd) return AddTerminatorEdge(false, next, out);
  for (ModeStackId modes : StacksBehind(lexeme, key.modes, match.end)) {
    next.modes = modes;
    AddLexemeEdges(lexeme_labels_[key.line_seen][match.lexeme.value], next, out);
    AddSplitEdges(match.lexeme, key.line_seen, false, next, out);
  }
  AddInsertedEdge(key, match.lexeme, out);
}

// The columns of a content line, or of the end of the text, decide about blocks: see the header.
void RightAutomaton::ExpandLine(const Key& key, Expansion& out) {
  bool content = key.kind == Kind::kLine;
  uint16_t column = key.column;  // 0 at the end
  Key code = key;
  code.kind = Kind::kCode;
  code.closed = false;
  code.column = code.alt_column = 0;
  if (!layout_.has_columns()) {
    if (content) return ExpandCode(code, out);
    out.final = true;
    return;
  }
  if (key.opened != IndentId{}) {
    IndentArena::Block top = indents_.top(key.opened);
    if (column > top.column) {
      if (key.closed || !content || key.alt_column <= top.alt_column || layout_.IsLast(top)) return;
      code.opened = indents_.Push(key.opened, column, key.alt_column);
      out.edges.push_back({indent_label_, column, column, RightEdge::Kind::kIndent, Intern(code)});
    } else if (column == top.column) {
      if (key.alt_column == top.alt_column) ExpandCode(code, out);
    } else {
      Key closed = key;
      closed.opened = top.below;
      closed.closed = true;
      out.edges.push_back({dedent_label_, 0, kMaxColumn, RightEdge::Kind::kPlain, Intern(closed)});
    }
    return;
  }
  if (content && !key.closed && key.lo < column) {
    Key opened = code;
    opened.hi = std::min<uint16_t>(key.hi, column - 1);
    opened.opened = indents_.Push(IndentId{}, column, key.alt_column);
    out.edges.push_back({indent_label_, column, column, RightEdge::Kind::kIndent, Intern(opened)});
  }
  if (key.lo <= column && column <= key.hi) {
    if (content) {
      code.lo = code.hi = column;
      ExpandCode(code, out);
    } else {
      out.final = true;
    }
  }
  uint16_t lowest = std::max<uint16_t>(key.lo, column + 1);
  if (lowest <= key.hi) {
    Key closed = key;
    closed.lo = column;
    closed.hi = key.hi == kMaxColumn ? kMaxColumn : static_cast<uint16_t>(key.hi - 1);
    closed.closed = true;
    if (closed.hi >= closed.lo) {
      out.edges.push_back(
          {dedent_label_, lowest, key.hi, RightEdge::Kind::kDedent, Intern(closed)});
    }
  }
}

}  // namespace tenon::constraint
