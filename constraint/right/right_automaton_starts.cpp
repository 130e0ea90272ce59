// The starts of the right automaton: at which nodes can R begin, and how does W meet R there?
//
// Example: in `foo(a, |bc)` the starts are
//
//   kEntryWithinLine  W ends between two lexemes: R begins with the name `bc`
//   kEntryLexeme      W ends in a name, and `bc` is the end of that name: R begins before `)`
//   kEntryInside      W holds terminals, the last of which comes before one of the starts above
//
// In a language with lines, kEntryLine is a W that ends at the beginning of a line. A seam has
// starts of its own, because it says which lexemes of W may end in R.
#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/right/right_automaton.h"

namespace tenon::constraint {

// A lexeme of W that R finishes at `end`, a shortest text of its part in W, and the modes in which
// W may have begun it.
struct RightAutomaton::Landing {
  LexemeId lexeme;
  size_t end = 0;
  std::string_view text;
  ModeMask modes = 0;
  bool ends_for_good = false;  // at Seam::kRest: from some states of the lexer
};

void RightAutomaton::MakeStarts(Seam seam) {
  Starts& starts = starts_[static_cast<size_t>(SeamOf(seam))];
  if (!options_.emit) seam = Seam::kOpen;  // the seam rule is one about emitted text
  AddStarts(seam, starts);
  AddInside(seam, starts);
  starts.made = true;
}

void RightAutomaton::AddStarts(Seam seam, Starts& out) {
  size_t begin = lexemes_.begin();
  bool any = false;
  for (uint8_t m = 0; m < lexer_.mode_count(); ++m) {
    if (!modes_.Alive(begin, ModeId{m})) continue;
    any = true;
    AddBetween(begin, modes_.Over(ModeId{m}), out);
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

// Adds the entries of a W that ends at `offset` after content or ignorable text: one for each state
// of the line.
void RightAutomaton::AddBetween(size_t offset, ModeStackId modes, Starts& out) {
  Key key;
  key.modes = modes;
  key.offset = static_cast<uint32_t>(offset);
  out.entries.push_back({Intern(key), kEntryWithinLine});
  if (!KeepsLine()) return;
  key.ends_phrase = layout_.line_ends().has_terminator();
  key.line_seen = layout_.line_ends().remembers();
  out.entries.push_back({Intern(key), kEntryLine});
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

// Does ignorable text other than blanks begin at `offset`?
bool RightAutomaton::IsIgnoredText(size_t offset) {
  std::string_view text = lexemes_.text();
  if (offset == text.size() || text[offset] == ' ' || text[offset] == '\t' || text[offset] == '\f')
    return false;
  LexemeId id = lexemes_.At(offset).lexeme;
  return id != kNoLexeme && lexer_.lexeme(id).kind == TerminalKind::kIgnored;
}

// For every state of the lexer that a lexeme of W can be in, R decides at which offset that lexeme
// ends, and as what. Thousands of states share a dozen such landings. Ascending by lexeme and end.
std::vector<RightAutomaton::Landing> RightAutomaton::Landings(Seam seam) {
  boost::unordered_flat_map<uint64_t, Landing> met;  // (end, lexeme)
  for (const Lexer::Beginning& beginning : lexer_.Beginnings(options_.emit)) {
    if (lexer_.IsStart(beginning.q)) continue;
    const Lexer::Match& match = lexemes_.LandingOf(beginning.q);
    if (match.lexeme == kNoLexeme || match.end <= lexemes_.begin()) continue;
    auto [at, fresh] = met.try_emplace(uint64_t{match.end} << 16 | match.lexeme.value);
    // Beginnings come nearest first, so each landing keeps a shortest text.
    if (fresh) at->second = {match.lexeme, match.end, beginning.text};
    Landing& landing = at->second;
    landing.modes |= lexer_.ModesOf(beginning.q);
    if (seam == Seam::kRest && !landing.ends_for_good && lexer_.lexeme(match.lexeme).delimited)
      landing.ends_for_good = EndsForGood(beginning.q, match.end);
  }
  std::vector<Landing> landings;
  for (const auto& [key, landing] : met) landings.push_back(landing);
  std::sort(landings.begin(), landings.end(), [](const Landing& a, const Landing& b) {
    return std::pair(a.lexeme, a.end) < std::pair(b.lexeme, b.end);
  });
  return landings;
}

// Adds the starts inside a lexeme.
void RightAutomaton::AddInLexemeStarts(Seam seam, Starts& out) {
  const size_t line = lexemes_.first_line_bytes();
  for (const Landing& landing : Landings(seam)) {
    const Lexeme& lexeme = lexer_.lexeme(landing.lexeme);
    if (lexeme.kind == TerminalKind::kPoison) continue;
    const size_t swallowed = landing.end - lexemes_.begin();
    const bool is_rest = landing.ends_for_good && !EndsOwnLexeme(landing.end);
    if (is_rest) out.rests.emplace_back(landing.lexeme, swallowed);
    if (!MayEndInRight(seam, lexeme, swallowed, line, is_rest)) continue;
    if (lexeme.is_newline) continue;  // a line end begun in W: as R's own
    bool landed = false, word = false;
    for (uint8_t m = 0; m < lexer_.mode_count(); ++m) {
      if (!(landing.modes >> m & 1)) continue;
      for (ModeStackId after : modes_.After(lexeme, modes_.Over(ModeId{m}), landing.end)) {
        if (!modes_.Alive(landing.end, after)) continue;
        landed = true;
        word |= AddLanding(landing, after, out);
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

// Does a `%delimited` lexeme of R end at `end`, where R is read as code from its beginning on? In
// `f(; /* text */` one does: a comment that W begins would hide `f(;`. Python's closing triple
// quote is none, although its last two quotes look like a string. Where nothing can be read, as in
// prose with an apostrophe, the next line is read.
bool RightAutomaton::EndsOwnLexeme(size_t end) {
  for (size_t at = lexemes_.begin(); at < end;) {
    const Lexer::Match match = lexemes_.At(at);
    if (match.lexeme == kNoLexeme) {
      at = lexemes_.text().find_first_of("\r\n", at);
      if (at == std::string_view::npos) return false;
      ++at;
      continue;
    }
    if (match.end == end && lexer_.lexeme(match.lexeme).delimited) return true;
    at = match.end;
  }
  return false;
}

bool RightAutomaton::IsRest(LexemeId lexeme, size_t bytes) const {
  const auto& rests = At(Seam::kRest).rests;
  return std::find(rests.begin(), rests.end(), std::pair(lexeme, bytes)) != rests.end();
}

// Adds the entries of a W whose last lexeme R finishes, with the modes `after` it. True: the parser
// sees the lexeme (it is no blank and no line end).
bool RightAutomaton::AddLanding(const Landing& landing, ModeStackId after, Starts& out) {
  switch (lexer_.lexeme(landing.lexeme).kind) {
    case TerminalKind::kIgnored:
      AddIgnoredLanding(landing, after, out);
      return false;
    case TerminalKind::kLineEnd:
      AddLineEndLanding(landing, after, out);
      return false;
    default:
      AddWordLanding(landing, after, out);
      return true;
  }
}

void RightAutomaton::AddIgnoredLanding(const Landing& landing, ModeStackId after, Starts& out) {
  AddBetween(landing.end, after, out);
  // Ignorable text of W on a line without content: a comment that R's line end closes, or a line
  // joining.
  std::string whole = std::string(landing.text) +
                      std::string(lexemes_.right().substr(0, landing.end - lexemes_.begin()));
  if (layout_.active() && whole.find_first_not_of(" \t\f") != std::string::npos)
    AddLineStart(landing.end, true, out);
}

void RightAutomaton::AddLineEndLanding(const Landing& landing, ModeStackId after, Starts& out) {
  Key key;
  key.offset = static_cast<uint32_t>(landing.end);
  key.modes = after;
  if (layout_.line_ends().remembers()) {
    key.line_seen = true;
    out.entries.push_back({Intern(key), kEntryLine});
    return;
  }
  out.entries.push_back({Intern(key), kEntryWithinLine});
  key.kind = Kind::kInLexeme;
  key.lexeme = landing.lexeme.value;
  out.entries.push_back({Intern(key), kEntryLine});
}

void RightAutomaton::AddWordLanding(const Landing& landing, ModeStackId after, Starts& out) {
  Key key;
  key.kind = Kind::kInLexeme;
  key.offset = static_cast<uint32_t>(landing.end);
  key.lexeme = landing.lexeme.value;
  key.modes = after;
  if (!labels_.DependsOnLineEnd(lexer_.lexeme(landing.lexeme))) {
    out.entries.push_back({Intern(key), kEntryLexeme});
    return;
  }
  out.entries.push_back({Intern(key), kEntryWithinLine});
  key.line_seen = true;  // W may hold a line end before the lexeme
  out.entries.push_back({Intern(key), kEntryLexeme});
  out.entries.push_back({Intern(key), kEntryLine});
}

// The terminals with content that may be W's last one.
std::vector<SymbolId> RightAutomaton::LastTerminals(Seam seam) const {
  const Grammar& grammar = grammar_;
  std::vector<SymbolId> content;
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    const Terminal& terminal = grammar.terminals[grammar.lr_terminals[c].terminal.value];
    SymbolId id{c};
    bool own = (layout_.active() && id == layout_.newline_terminal()) ||
               (layout_.has_columns() &&
                (id == layout_.indent_terminal() || id == layout_.dedent_terminal())) ||
               layout_.line_ends().IsInserted(id);
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
  return content;
}

// The node kInside. Its edges are the last terminal of W: a content terminal before a start in the
// middle of a line; NEWLINE, INDENT or DEDENT before a start at a line's beginning.
void RightAutomaton::AddInside(Seam seam, Starts& out) {
  std::vector<RightEdge> edges;
  const auto add = [&](uint32_t label, uint16_t lo, RightNodeId target) {
    edges.push_back({label, lo, kMaxColumn, RightEdge::Kind::kPlain, target});
  };
  const RightLabels::ByLineEnd content = labels_.Divided(LastTerminals(seam));
  for (const Entry& entry : out.entries) {
    if (entry.kind != kEntryLine || layout_.line_ends().remembers())
      add(content.plain, 0, entry.node);
    if (layout_.line_ends().has_terminator() && entry.kind != kEntryWithinLine)
      add(content.ends_phrase, 0, entry.node);
    if (entry.kind == kEntryWithinLine || !layout_.active()) continue;
    add(labels_.newline(), 0, entry.node);
    if (!layout_.has_columns()) continue;
    add(labels_.indent(), kMaxColumn, entry.node);
    add(labels_.dedent(), 0, entry.node);
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

}  // namespace tenon::constraint
