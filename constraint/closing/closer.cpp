#include "constraint/closing/closer.h"

#include <algorithm>
#include <map>
#include <set>
namespace tenon::constraint {

namespace {

constexpr size_t kMaxNamesTried = 8;   // that a name in progress may become
constexpr size_t kMaxCandidates = 64;  // plans tried
constexpr uint16_t kIndentStep = 4;
constexpr size_t kMaxRightColumns = 8;  // of R's lines tried as columns of new blocks

// A column with tab stops of 8, and with tab stops of 1.
using ColumnPairs = std::vector<std::pair<uint16_t, uint16_t>>;

// Blanks that reach a pair of columns: tabs first, then spaces. Nothing where no such text exists.
std::optional<std::string> Blanks(uint16_t column, uint16_t alt_column) {
  if (column < alt_column || (column - alt_column) % 7 != 0) return std::nullopt;
  size_t tabs = (column - alt_column) / 7;
  if (tabs > alt_column) return std::nullopt;
  return std::string(tabs, '\t') + std::string(alt_column - tabs, ' ');
}

}  // namespace

// One search for a closing text of one state.
class ClosingSearch {
 public:
  ClosingSearch(const GapState& state, Closer& closer)
      : state_(state),
        closer_(closer),
        gap_(*closer.gap_),
        lexer_(gap_.language().lexer),
        grammar_(gap_.language().grammar),
        right_columns_(ColumnsOf(gap_.right())) {}

  std::optional<Closing> Run(uint32_t enough) {
    if (state_.Member()) return Closing{};
    enough_ = enough;
    if (!GoOnIntoRight()) FollowPlans();
    return found_ ? std::optional(std::move(best_)) : std::nullopt;
  }

 private:
  // True: the search is over.
  bool Offer(std::optional<Closing> found) {
    if (!found) return false;
    found->tokens = state_.CountTokens(found->text);
    if (!found_ || found->tokens < best_.tokens) best_ = *std::move(found);
    found_ = true;
    return best_.tokens <= enough_;
  }

  std::optional<Closing> Verified(const GapState& from, const std::string& so_far,
                                  const std::string& piece) {
    GapState next = from;
    if (!piece.empty() && !next.Accept(piece)) return std::nullopt;
    if (!next.Member()) return std::nullopt;
    return Closing{so_far + piece};
  }

  bool GoOnIntoRight() {
    for (const Branch& branch : state_.branches()) {
      if (branch.q == kStartState) continue;
      for (const LexemePaths::Landing& landing : closer_.PathsOf(branch).landings) {
        if (Offer(Verified(state_, "", landing.text))) return true;
      }
    }
    return false;
  }

  void FollowPlans() {
    std::vector<Closer::Candidate> candidates = closer_.Candidates(state_);
    if (candidates.size() > kMaxCandidates) candidates.resize(kMaxCandidates);
    for (const Closer::Candidate& candidate : candidates) {
      if (candidate.cost > gap_.policy().max_closing_bytes) break;
      GapState begun = state_;
      if (!candidate.text.empty() && !begun.Accept(candidate.text)) continue;
      failed_.clear();
      if (Offer(Realise(begun, candidate.text, candidate.plan, 0))) return;
    }
  }

  bool IsLayoutTerminal(SymbolId terminal) const {
    const LayoutRules& layout = gap_.mover().layout();
    return (layout.active() && terminal == layout.newline_terminal()) ||
           (layout.has_columns() &&
            (terminal == layout.indent_terminal() || terminal == layout.dedent_terminal()));
  }

  // The lexical context once the lexeme in progress has ended.
  std::optional<LexicalContext> ContextOf(const GapState& state) const {
    for (const Branch& branch : state.branches()) {
      if (branch.q == kStartState) return branch.context;
      LexemeId here = lexer_.LexemeAt(branch.q);
      if (here == kNoLexeme) continue;
      std::vector<Between> ended =
          gap_.mover().End({branch.top, branch.context}, here, branch.emitted,
                           {NameText::Known::kWhole, branch.text});
      if (!ended.empty()) return ended[0].context;
    }
    return std::nullopt;
  }

  // Texts that bring a line's beginning to a column; a line that has gone too far is left blank and
  // a new one begun.
  std::vector<std::string> LineBeginnings(const LayoutState& layout, uint16_t column,
                                          uint16_t alt_column) const {
    std::vector<std::string> out;
    if (layout.line_begin && layout.column <= column && layout.alt_column <= alt_column) {
      if (auto rest = Blanks(column - layout.column, alt_column - layout.alt_column))
        out.push_back(*rest);
    }
    if (auto blanks = Blanks(column, alt_column)) out.push_back(gap_.line_end() + *blanks);
    return out;
  }

  // Columns that a new block may have: one step deeper, as wide as the steps around it, then
  // others, then those of R's lines: it may stand in the block, or close it.
  ColumnPairs BlockColumns(const IndentArena::Block& top) const {
    std::vector<uint16_t> steps{kIndentStep, 2, 8, 1};
    if (top.column > 0) {
      uint16_t below = gap_.mover().indents().top(top.below).column;
      steps.insert(steps.begin(), static_cast<uint16_t>(top.column - below));
    }
    ColumnPairs columns;
    for (uint16_t step : steps) {
      columns.emplace_back(static_cast<uint16_t>(top.column + step),
                           static_cast<uint16_t>(top.alt_column + step));
    }
    for (auto [column, alt_column] : right_columns_) {
      if (column > top.column && alt_column > top.alt_column)
        columns.emplace_back(column, alt_column);
    }
    return columns;
  }

  // The columns of R's lines after the first one, in order of appearance.
  static ColumnPairs ColumnsOf(std::string_view right) {
    ColumnPairs columns;
    for (size_t at = right.find('\n');
         at != std::string_view::npos && columns.size() < kMaxRightColumns;
         at = right.find('\n', at)) {
      uint16_t column = 0, alt_column = 0;
      for (++at; at < right.size() && (right[at] == ' ' || right[at] == '\t' || right[at] == '\f');
           ++at) {
        column = NextColumn(column, static_cast<uint8_t>(right[at]), 8);
        alt_column = NextColumn(alt_column, static_cast<uint8_t>(right[at]), 1);
      }
      std::pair found{column, alt_column};
      if (std::find(columns.begin(), columns.end(), found) == columns.end())
        columns.push_back(found);
    }
    return columns;
  }

  // Texts for the plan's terminals from `at` on. Where several texts lead to the same branches,
  // what failed with the shortest of them fails with the others: so a plan that fails costs its
  // terminals times the branches they lead to, not the product of its choices.
  std::optional<Closing> Realise(const GapState& state, const std::string& so_far, const Plan& plan,
                                 size_t at) {
    if (so_far.size() > gap_.policy().max_closing_bytes || closer_.stop_.stop_requested())
      return std::nullopt;
    const std::pair place{at, state.branches()};
    if (const auto known = failed_.find(place);
        known != failed_.end() && known->second <= so_far.size())
      return std::nullopt;
    auto closing = RealiseFrom(state, so_far, plan, at);
    if (!closing) failed_[place] = so_far.size();
    return closing;
  }

  std::optional<Closing> RealiseFrom(const GapState& state, const std::string& so_far,
                                     const Plan& plan, size_t at) {
    size_t rest = at;
    while (rest < plan.terminals.size() && IsLayoutTerminal(plan.terminals[rest])) ++rest;
    bool last = rest == plan.terminals.size();
    if (last && plan.entry != kEntryLexeme) return Finish(state, so_far);
    const std::optional<LexicalContext> context = ContextOf(state);
    if (!context) return std::nullopt;
    const LayoutState& layout = context->layout;
    std::vector<std::string> leads = rest > at || layout.line_begin ? Leads(layout, plan, at, rest)
                                                                    : std::vector<std::string>{""};
    // After a line comment of L only a line end parts lexemes.
    if (!gap_.mover().layout().active() || layout.depth > 0) leads.push_back(gap_.line_end());
    std::span<const std::string> words = gap_.automaton().lexeme_beginnings(gap_.policy().seam);
    std::vector<std::string> chosen;
    if (!last) {
      chosen = Words(plan.terminals[rest], *context);
      words = chosen;
    }
    for (const std::string& lead : leads) {
      for (const std::string& word : words) {
        std::string piece = lead + (lead.empty() && RunsTogether(state, word) ? " " : "") + word;
        GapState next = state;
        if (!next.Accept(piece)) continue;
        if (last && next.Member()) return Closing{so_far + piece};
        if (last) continue;
        if (auto closing = Realise(next, so_far + piece, plan, rest + 1)) return closing;
      }
    }
    return std::nullopt;
  }

  // Texts for one terminal of a plan, the better first.
  std::vector<std::string> Words(SymbolId terminal, const LexicalContext& context) const {
    const LrTerminal& lr_terminal = grammar_.lr_terminals[terminal.value];
    const LineEnds& line_ends = context.line_ends;
    std::vector<std::string> words;
    if (lr_terminal.name_use == NameUse::kIsEnclosing) {
      const NameArena& names = gap_.mover().names();
      if (const auto name = gap_.language().names->Enclosing(names, lr_terminal, context.names))
        words.push_back(names.Text(*name));
      return words;
    }
    const std::vector<SymbolId>& ends = gap_.mover().layout().line_ends().terminators(true);
    if (line_ends.ends_phrase && std::find(ends.begin(), ends.end(), terminal) != ends.end())
      words.push_back(gap_.line_end());
    const std::string& spelling = lexer_.Spelling(lr_terminal.terminal);
    if (!spelling.empty()) words.push_back(spelling);
    return words;
  }

  // Texts for the layout's terminals plan.terminals[at, rest) before a word.
  std::vector<std::string> Leads(const LayoutState& layout, const Plan& plan, size_t at,
                                 size_t rest) const {
    const LayoutRules& rules = gap_.mover().layout();
    if (!rules.active() || layout.depth > 0) return {""};
    IndentArena::Block top = gap_.mover().indents().top(layout.indents);
    bool opens = false;
    for (size_t i = at; i < rest; ++i) {
      opens |= rules.has_columns() && plan.terminals[i] == rules.indent_terminal();
      if (rules.has_columns() && plan.terminals[i] == rules.dedent_terminal())
        top = gap_.mover().indents().top(top.below);
    }
    std::vector<std::string> out;
    if (!opens) return LineBeginnings(layout, top.column, top.alt_column);
    for (auto [column, alt_column] : BlockColumns(top)) {
      // Deeper by spaces, or by a tab where the block below is indented by tabs alone.
      auto texts = LineBeginnings(layout, column, alt_column);
      out.insert(out.end(), texts.begin(), texts.end());
    }
    auto tab = LineBeginnings(layout, static_cast<uint16_t>(top.column + 8),
                              static_cast<uint16_t>(top.alt_column + 1));
    out.insert(top.column != top.alt_column ? out.begin() : out.end(), tab.begin(), tab.end());
    return out;
  }

  // Would the lexeme in progress swallow the first byte of `word`?
  bool RunsTogether(const GapState& state, const std::string& word) const {
    return std::any_of(state.branches().begin(), state.branches().end(), [&](const Branch& branch) {
      return branch.q != kStartState &&
             lexer_.Next(branch.q, static_cast<uint8_t>(word[0])) != kDeadState;
    });
  }

  // The plan's words are written: the ends that R can follow are tried.
  std::optional<Closing> Finish(const GapState& state, const std::string& so_far) {
    std::vector<std::string> ends{"", " "};
    if (!gap_.mover().layout().active()) ends.push_back(gap_.line_end());
    const std::optional<LexicalContext> context = ContextOf(state);
    if (gap_.mover().layout().active() && context && context->layout.depth == 0) {
      ends.push_back(gap_.line_end());
      std::vector<IndentArena::Block> blocks;
      const LayoutState& layout = context->layout;
      for (IndentId id = layout.indents;; id = gap_.mover().indents().top(id).below) {
        blocks.push_back(gap_.mover().indents().top(id));
        if (id == IndentId{}) break;
      }
      uint16_t r_column = 0, r_alt = 0;  // blanks that R itself brings
      for (char c : gap_.right()) {
        if (c != ' ' && c != '\t' && c != '\f') break;
        r_column = NextColumn(r_column, static_cast<uint8_t>(c), 8);
        r_alt = NextColumn(r_alt, static_cast<uint8_t>(c), 1);
      }
      ColumnPairs wanted = BlockColumns(blocks[0]);
      for (const IndentArena::Block& block : blocks)
        wanted.emplace_back(block.column, block.alt_column);
      for (auto [column, alt] : wanted) {
        if (column < r_column || alt < r_alt) continue;
        for (std::string& text : LineBeginnings(layout, static_cast<uint16_t>(column - r_column),
                                                static_cast<uint16_t>(alt - r_alt))) {
          ends.push_back(std::move(text));
        }
      }
    }
    for (const std::string& comment : gap_.automaton().comment_beginnings(gap_.policy().seam)) {
      ends.push_back(comment);
      ends.push_back(" " + comment);
    }
    for (const std::string& end : ends) {
      if (auto closing = Verified(state, so_far, end)) return closing;
    }
    return std::nullopt;
  }

  const GapState& state_;
  Closer& closer_;
  SharedGap& gap_;
  const Lexer& lexer_;
  const Grammar& grammar_;
  ColumnPairs right_columns_;
  uint32_t enough_ = 0;
  bool found_ = false;
  // (terminals of the plan that are written, branches then) -> the least bytes with which the rest
  // could not be
  std::map<std::pair<size_t, std::vector<Branch>>, size_t> failed_;
  Closing best_;
};

Closer::Closer(const GapState& gap, const std::stop_token& stop)
    : gap_(gap.shared()), stop_(stop), planner_(*gap_, stop) {}

const LexemePaths& Closer::PathsOf(const Branch& branch) {
  const ModeStackId modes = branch.context.modes;
  auto [at, fresh] = paths_.try_emplace(gap_->KeyOf(branch.q, branch.guards, modes), nullptr);
  if (fresh) {
    at->second = std::make_unique<LexemePaths>(
        FindLexemePaths(gap_->language().lexer, gap_->mover().modes(), modes, branch.q,
                        branch.guards, gap_->right(), gap_->policy().emit, kMaxUnseparated));
  }
  return *at->second;
}

template <typename Visit>
void Closer::ForEachPlan(const std::vector<Branch>& branches, Visit visit) {
  auto plan_from = [&](const Between& at, const std::string& text) {
    for (GapEntry entry : {kEntryMid, kEntryLine, kEntryLexeme}) {
      if (auto plan = planner_.Find(at.top, entry)) visit(text, *plan);
    }
  };
  for (const Branch& branch : branches) {
    Between here{branch.top, branch.context};
    if (branch.q == kStartState) {
      plan_from(here, "");
      continue;
    }
    for (const auto& [lexemes, text] : PathsOf(branch).ended) {
      bool emitted = branch.emitted || (gap_->policy().emit && !text.empty());
      const NameText ended = lexemes.size() == 1
                                 ? gap_->mover().Whole(lexemes[0], text, branch.text)
                                 : NameText{NameText::Known::kBeginning, branch.text};
      for (const Between& at : gap_->EndAll({here}, lexemes, emitted, ended)) {
        if (gap_->Joins(at)) plan_from(at, text);
      }
    }
  }
}

std::vector<Closer::Candidate> Closer::Candidates(const GapState& state) {
  std::vector<Candidate> candidates;
  ForEachPlan(state.branches(), [&](const std::string& text, const Plan& plan) {
    candidates.push_back({static_cast<uint32_t>(text.size()) + plan.cost, text, plan});
  });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  return candidates;
}

std::optional<Closing> Closer::FindByPlans(const GapState& state, uint32_t enough) {
  return ClosingSearch(state, *this).Run(enough);
}

std::optional<Closing> Closer::Find(const GapState& state, uint32_t enough) {
  if (!state.viable() || stop_.stop_requested()) return std::nullopt;
  // Texts that finish a name in progress: paths of lexemes know no names.
  const auto finished = [&](const std::string& rest) -> std::optional<Closing> {
    GapState named = state;
    if (rest.empty() || !named.Accept(rest)) return std::nullopt;
    auto closing = FindByPlans(named, enough);
    if (closing) *closing = {rest + closing->text, state.CountTokens(rest + closing->text)};
    return closing;
  };
  const Language& language = gap_->language();
  const std::vector<Branch>& branches = state.branches();
  if (branches.size() == 1) {
    const std::string rest = language.lexeme_rules->NameRest(branches[0].q, branches[0].progress);
    if (auto closing = finished(rest)) return closing;
  }
  auto closing = FindByPlans(state, enough);
  if (closing || !language.names) return closing;
  for (const Branch& branch : branches) {
    if (branch.text == TextId{}) continue;
    for (const std::string& rest : language.names->Rests(
             gap_->mover().names(), branch.context.names, branch.text, kMaxNamesTried)) {
      if ((closing = finished(rest))) return closing;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> Closer::Cost(const GapState& state) {
  if (!state.viable()) return std::nullopt;
  std::optional<uint32_t> best;
  auto offer = [&](uint32_t cost) { best = std::min(best.value_or(cost), cost); };
  for (const Branch& branch : state.branches()) {
    if (gap_->Member(branch)) return 0;
    if (branch.q == kStartState) continue;
    for (const LexemePaths::Landing& landing : PathsOf(branch).landings) {
      if (best && landing.text.size() >= *best) continue;
      if (gap_->LandsAsMember(branch, landing.lexeme, landing.offset, !landing.text.empty()))
        offer(static_cast<uint32_t>(landing.text.size()));
    }
  }
  ForEachPlan(state.branches(), [&](const std::string& text, const Plan& plan) {
    offer(static_cast<uint32_t>(text.size()) + plan.cost + 1);
  });
  return best;
}

std::optional<Closing> FindClosing(const GapState& state, uint32_t enough) {
  if (!state.viable()) return std::nullopt;
  return Closer(state).Find(state, enough);
}

std::optional<uint32_t> ClosingCost(const GapState& state) {
  if (!state.viable()) return std::nullopt;
  return Closer(state).Cost(state);
}

}  // namespace tenon::constraint
