#include "constraint/quotient/quotient.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/gap/gap.h"
#include "constraint/quotient/quotient_rules.h"

namespace tenon::constraint {

namespace {

using Role = MiddleGrammar::Role;

constexpr size_t kMaxLandings = 256;  // ends of lexemes in R that M may have begun

// Does a character of several bytes begin before the gap and end after it?
bool InsideCharacter(std::string_view left, std::string_view right) {
  if (!right.empty() && (right[0] & 0xc0) == 0x80) return true;
  size_t length = 1;  // of the last character's bytes before the gap
  while (length <= left.size() && length < 4 && (left[left.size() - length] & 0xc0) == 0x80)
    ++length;
  if (length > left.size()) return false;
  auto lead = static_cast<uint8_t>(left[left.size() - length]);
  return length < (lead >= 0xf0 ? 4u : lead >= 0xe0 ? 3u : lead >= 0xc0 ? 2u : 1u);
}

class QuotientBuilder {
 public:
  QuotientBuilder(std::shared_ptr<const Language> language, std::string_view left,
                  std::string_view right, bool emit)
      : language_(std::move(language)),
        lexer_(language_->lexer),
        left_(left),
        right_(right),
        emit_(emit) {
    GapPolicy policy;
    policy.emit = emit;
    const GapState state = OpenGap(language_, left, right, policy);
    levels_ = state.shared()->policy().levels;
    too_ambiguous_ = state.too_ambiguous();
    grammar_.language = language_;
    grammar_.nonterminals.push_back({"start", {}, false});
    for (const Lexer::Beginning& beginning : lexer_.Beginnings(false))
      texts_[beginning.q] = beginning.text;
  }

  tl::expected<MiddleGrammar, std::string> Build() {
    if (InsideCharacter(left_, right_))
      return tl::unexpected(std::string("the gap lies inside a character: move it by a byte"));
    if (too_ambiguous_)
      return tl::unexpected(
          std::string("the text around the gap can be read in too many ways: cut it"));
    QuotientRules rules(*language_, emit_, grammar_);
    std::map<size_t, std::vector<Landing>> landings = Landings();
    if (landings.size() > kMaxLandings) {
      return tl::unexpected(
          fmt::format("lexemes begun in the middle end at more than {} places of the right context",
                      kMaxLandings));
    }
    landings[0];
    GoThrough();
    for (const auto& [offset, ending_there] : landings) {
      sides_.push_back(std::make_unique<MiddleSide>(language_, left_, right_.substr(offset), emit_,
                                                    false, levels_));
      if (sides_.back()->right->context().automaton().truncated())
        return tl::unexpected(
            std::string("the right context is longer than what is read of one: cut it"));
      JoinAt(offset, ending_there, rules);
    }
    rules.Follow();
    for (const Candidate& candidate : candidates_) WriteCandidate(candidate, rules);
    grammar_.Simplify();
    return std::move(grammar_);
  }

 private:
  // A lexeme begun in M that ends in R.
  struct Landing {
    LexemeId lexeme;
    uint32_t terminal;  // of grammar_
  };
  // M begins with `first`, goes on as `middle`, ends with `last`.
  struct Candidate {
    std::optional<uint32_t> first, last;
    QuotientRules::Middle middle;
    bool picky = false;         // the empty word is not among the middle's own
    bool empty_allowed = true;  // ... but may stand here
  };
  struct Start {
    std::optional<uint32_t> first;
    Between at;
  };

  const Terminal& Winner(LexemeId id) const {
    return language_->grammar.terminals[lexer_.lexeme(id).terminals[0].value];
  }
  // The terminal's texts: where M writes them, the emitted ones.
  Regex Pattern(LexemeId id, bool written) const {
    const Terminal& terminal = Winner(id);
    bool emit = emit_ && written && !terminal.emit_pattern.empty();
    auto regex = emit ? ParseRegex(terminal.emit_pattern, terminal.emit_flags)
                      : ParseRegex(terminal.pattern, terminal.pattern_flags);
    return *regex;  // Lexer::Build has parsed it
  }
  bool IsIgnored(LexemeId id) const { return lexer_.lexeme(id).kind == TerminalKind::kIgnored; }
  bool IsLineEnd(LexemeId id) const { return lexer_.lexeme(id).kind == TerminalKind::kLineEnd; }
  bool IsPoison(LexemeId id) const { return lexer_.lexeme(id).kind == TerminalKind::kPoison; }

  // Nothing: no text, or, where M can do without it (`replaceable`), one that is ignorable text by
  // itself.
  std::optional<uint32_t> AddSeam(Role role, LexemeId id, size_t offset,
                                  const std::optional<Regex>& regex, bool replaceable) {
    std::optional<Regex> strict = regex ? WithoutEmpty(*regex) : std::nullopt;
    if (!strict || (replaceable && IsIgnored(id) && IsPart(*strict, Pattern(id, false))))
      return std::nullopt;
    const char* prefix = role == Role::kLeft    ? "LEFT_"
                         : role == Role::kRight ? "RIGHT_"
                                                : "THROUGH_";
    auto key = std::tuple(role, lexer_.lexeme(id).terminals[0], offset,
                          RegexText(*strict, RegexStyle::kLark));
    auto [at, fresh] = seams_.try_emplace(key, static_cast<uint32_t>(grammar_.terminals.size()));
    if (fresh) {
      grammar_.terminals.push_back({prefix + Winner(id).name, role, lexer_.lexeme(id).terminals[0],
                                    static_cast<uint32_t>(offset), std::move(*strict)});
    }
    return at->second;
  }

  // Is R up to there ignorable text by itself? `lines`: or line ends.
  bool IsIgnorable(size_t offset, bool lines) const {
    size_t at = 0;
    while (at < offset) {
      Lexer::Match match = lexer_.LongestMatch(right_, at);
      if (match.lexeme == kNoLexeme) return false;
      if (!IsIgnored(match.lexeme) && !(lines && IsLineEnd(match.lexeme))) return false;
      at = match.end;
    }
    return at == offset;
  }

  // The lexemes that M can begin and R end, by where they end in R.
  std::map<size_t, std::vector<Landing>> Landings() {
    std::map<size_t, std::set<LexemeId>> found;
    std::vector<Lexer::Match> matches = lexer_.LandAll(right_);
    for (const Lexer::Beginning& beginning : lexer_.Beginnings(emit_)) {
      const Lexer::Match& match = matches[beginning.q.value];
      if (lexer_.IsStart(beginning.q) || match.lexeme == kNoLexeme || match.end == 0 ||
          IsPoison(match.lexeme))
        continue;
      const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
      // A line end begun in M is R's own; the seam rule.
      if (lexeme.is_newline || (emit_ && lexeme.delimited)) continue;
      if (IsLineEnd(match.lexeme) && IsIgnorable(match.end, true)) continue;
      found[match.end].insert(match.lexeme);
    }
    std::map<size_t, std::vector<Landing>> landings;
    for (const auto& [offset, lexemes] : found) {
      for (LexemeId id : lexemes) {
        auto regex = RightQuotient(Pattern(id, true), right_.substr(0, offset));
        if (auto terminal = AddSeam(Role::kRight, id, offset, regex, IsIgnorable(offset, false)))
          landings[offset].push_back({id, *terminal});
      }
    }
    return landings;
  }

  // States that a lexeme in progress can come to in M.
  std::vector<DfaStateId> Reachable(DfaStateId q) const {
    std::vector<DfaStateId> states{q};
    std::set<DfaStateId> seen{q};
    for (size_t i = 0; i < states.size(); ++i) {
      for (DfaStateId to : lexer_.Successors(states[i], emit_)) {
        if (seen.insert(to).second) states.push_back(to);
      }
    }
    return states;
  }

  // The places of the left context once M has ended its last lexeme.
  std::vector<Start> Starts(BranchMover& mover, const Branch& branch) {
    Between here{branch.top, branch.context};
    if (branch.q == kStartState) return {{std::nullopt, here}};
    std::vector<Start> starts;
    auto add = [&](std::optional<uint32_t> first, LexemeId lexeme, bool emitted) {
      for (const Between& at : mover.End(here, lexeme, emitted)) starts.push_back({first, at});
    };
    LexemeId as_it_stands = lexer_.LexemeAt(branch.q);
    if (as_it_stands != kNoLexeme) add(std::nullopt, as_it_stands, branch.emitted);
    std::set<LexemeId> lengthened;
    for (DfaStateId q : Reachable(branch.q)) {
      if (lexer_.LexemeAt(q) != kNoLexeme && !IsPoison(lexer_.LexemeAt(q)))
        lengthened.insert(lexer_.LexemeAt(q));
    }
    for (LexemeId id : lengthened) {
      auto first = AddSeam(Role::kLeft, id, 0, Lengthening(branch, id), id == as_it_stands);
      if (first) add(first, id, emit_);
    }
    return starts;
  }

  // What may follow the unfinished lexeme of L to make `id`; where L holds what we would not write,
  // of the accepted form.
  std::optional<Regex> Lengthening(const Branch& branch, LexemeId id) const {
    const std::string& text = texts_.at(branch.q);
    auto regex = LeftQuotient(Pattern(id, true), text);
    return regex ? regex : LeftQuotient(Pattern(id, false), text);
  }

  void JoinAt(size_t offset, const std::vector<Landing>& landings, QuotientRules& rules) {
    MiddleSide& side = *sides_.back();
    for (const Branch& branch : side.branches) {
      for (const Start& start : Starts(*side.mover, branch)) {
        if (offset == 0) EndBetween(side, start, std::nullopt, false, rules);
        for (const Landing& landing : landings) {
          if (lexer_.lexeme(landing.lexeme).kind == TerminalKind::kParsed)
            EndInside(side, start, landing, rules);
          else
            EndBetween(side, start, landing.terminal, IsLineEnd(landing.lexeme), rules);
        }
      }
    }
  }

  // M is a part of one lexeme from L to R, or empty.
  void GoThrough() {
    MiddleSide side(language_, left_, right_, emit_, true, levels_);
    GapPolicy policy;
    policy.emit = emit_;
    SharedGap gap("", side.right, *side.demand, policy);
    std::set<std::tuple<Branch, LexemeId, size_t>> seen;
    for (const Branch& branch : side.branches) {
      if (gap.Member(branch)) AddStartBody({});
      if (branch.q == kStartState) continue;
      for (DfaStateId q : Reachable(branch.q)) {
        Lexer::Match match = lexer_.Land(q, Guards{}, right_);
        if (match.lexeme == kNoLexeme || match.end == 0 || IsPoison(match.lexeme)) continue;
        if (!seen.emplace(branch, match.lexeme, match.end).second) continue;
        if (!gap.LandsAsMember(branch, match.lexeme, match.end, true)) continue;
        auto regex = Lengthening(branch, match.lexeme);
        if (regex) regex = RightQuotient(*regex, right_.substr(0, match.end));
        auto terminal = AddSeam(Role::kThrough, match.lexeme, match.end, regex, gap.Member(branch));
        if (terminal) AddStartBody({{true, *terminal}});
      }
    }
  }

  // Does a right context that begins a line, or before whose line end the terminator stands, follow
  // this terminal?
  bool LeadsToLine(uint16_t c) const {
    const LayoutRules& layout = language_->layout;
    SymbolId id{c};
    if (!layout.active()) return layout.line_ends().EndsPhrase(id);
    return id == layout.newline_terminal() ||
           (layout.has_columns() &&
            (id == layout.indent_terminal() || id == layout.dedent_terminal()));
  }

  // M ends between two lexemes, or in text without a terminal that R goes on with (`last`).
  // `line_end`: that text, a comment, ends a line, so the terminator stands in M before it where
  // one has to.
  void EndBetween(MiddleSide& side, const Start& start, std::optional<uint32_t> last, bool line_end,
                  QuotientRules& rules) {
    if (start.at.top == kBottomNode && language_->grammar.start_nullable &&
        IsBlank(side, start.at)) {
      MiddleGrammar::Body body;
      if (start.first) body.push_back({true, *start.first});
      if (last) body.push_back({true, *last});
      AddStartBody(std::move(body));
    }
    const LayoutRules& layout = language_->layout;
    if (!layout.active() && !layout.line_ends().has_terminator()) {
      if (!free_ending_)
        free_ending_ = rules.AddEnding({kEntryWithinLine, std::nullopt, std::nullopt});
      candidates_.push_back(
          {start.first, last, rules.After(side, start.at.top, *free_ending_), false, true});
      return;
    }
    const LexicalContext& at = start.at.context;
    bool line = layout.active() ? at.layout.AtLineBegin() : at.line_ends.ends_phrase;
    for (GapEntry entry : {kEntryWithinLine, kEntryLine}) {
      auto [found, fresh] = line_endings_.try_emplace(entry, 0);
      if (fresh) {
        std::vector<bool> ends(language_->grammar.lr_terminals.size());
        for (uint16_t c = 0; c < ends.size(); ++c)
          ends[c] = LeadsToLine(c) == (entry == kEntryLine);
        found->second = rules.AddEnding({entry, std::move(ends), std::nullopt});
      }
      if (line_end && entry == kEntryLine) continue;
      bool empty_allowed = line == (entry == kEntryLine);
      candidates_.push_back(
          {start.first, last, rules.After(side, start.at.top, found->second), true, empty_allowed});
    }
  }

  // The right context from the side's place on makes no terminal, and the text may end there.
  bool IsBlank(MiddleSide& side, Between at) const {
    size_t offset = 0;
    while (offset < side.right->context().text().size()) {
      const Lexer::Match match = side.right->context().At(offset);
      if (match.lexeme == kNoLexeme) return false;
      std::vector<Between> ended = side.mover->End(at, match.lexeme, false);
      if (ended.size() != 1 || ended[0].top != at.top) return false;
      at = ended[0];
      offset = match.end;
    }
    return side.mover->AcceptsEnd(at);
  }

  // M's last lexeme ends in R.
  void EndInside(MiddleSide& side, const Start& start, const Landing& landing,
                 QuotientRules& rules) {
    const Lexeme& lexeme = lexer_.lexeme(landing.lexeme);
    for (GapEntry entry : {kEntryWithinLine, kEntryLine}) {
      auto [at, fresh] = landing_endings_.try_emplace({landing.terminal, landing.lexeme, entry}, 0);
      if (fresh) {
        std::vector<bool> ends(language_->grammar.lr_terminals.size());
        for (SymbolId lr_terminal : emit_ ? lexeme.emit_terminals : lexeme.given_terminals) {
          if (emit_ && language_->grammar.lr_terminals[lr_terminal.value].predicate) continue;
          bool line = language_->layout.line_ends().EndsPhrase(lr_terminal);
          // A keyword that may count as a name stands in rules as the name.
          SymbolId read =
              language_->grammar.lr_terminals[lr_terminal.value].reads_as.value_or(lr_terminal);
          if (line == (entry == kEntryLine)) ends[read.value] = true;
        }
        at->second = rules.AddEnding({entry, std::move(ends), landing.terminal});
      }
      candidates_.push_back(
          {start.first, std::nullopt, rules.After(side, start.at.top, at->second), true, false});
    }
  }

  void WriteCandidate(const Candidate& candidate, const QuotientRules& rules) {
    MiddleGrammar::Body body;
    if (candidate.first) body.push_back({true, *candidate.first});
    size_t middle = body.size();
    body.push_back(rules.SymbolOf(candidate.middle));
    if (candidate.last) body.push_back({true, *candidate.last});
    AddStartBody(body);
    if (!candidate.picky || !candidate.empty_allowed || !rules.MayBeEmpty(candidate.middle)) return;
    body.erase(body.begin() + static_cast<ptrdiff_t>(middle));
    AddStartBody(body);
  }

  void AddStartBody(MiddleGrammar::Body body) {
    grammar_.nonterminals[0].bodies.push_back(std::move(body));
  }

  std::shared_ptr<const Language> language_;
  const Lexer& lexer_;
  std::string_view left_, right_;
  bool emit_;
  PredicateBits levels_;        // of the gap
  bool too_ambiguous_ = false;  // GapState::too_ambiguous
  MiddleGrammar grammar_;
  std::map<DfaStateId, std::string> texts_;  // a text that leads to a state
  std::map<std::tuple<Role, TerminalId, size_t, std::string>, uint32_t> seams_;
  std::vector<std::unique_ptr<MiddleSide>> sides_;  // one for each place where R may begin to count
  std::vector<Candidate> candidates_;
  std::optional<size_t> free_ending_;
  std::map<GapEntry, size_t> line_endings_;
  std::map<std::tuple<uint32_t, LexemeId, GapEntry>, size_t> landing_endings_;
};

}  // namespace

tl::expected<MiddleGrammar, std::string> QuotientGrammar(std::shared_ptr<const Language> language,
                                                         std::string_view left,
                                                         std::string_view right, bool emit) {
  if (language->grammar.remembers_line_ends)
    return tl::unexpected(std::string(
        "a grammar with %line_ends has no quotient over terminals alone: what may follow depends "
        "on line ends that are no terminals"));
  if (!language->grammar.splits.empty())
    return tl::unexpected(
        std::string("a grammar with %split has no quotient over terminals alone: one lexeme may be "
                    "several of them"));
  if (!language->grammar.apart.empty())
    return tl::unexpected(
        std::string("a grammar with %apart has no quotient: the parser chooses between lexemes"));
  if (language->names)
    return tl::unexpected(
        std::string("a grammar with %names has no quotient: which names are declared no "
                    "context-free grammar says"));
  return QuotientBuilder(std::move(language), left, right, emit).Build();
}

}  // namespace tenon::constraint
