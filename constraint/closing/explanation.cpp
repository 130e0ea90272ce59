#include "constraint/closing/explanation.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "constraint/closing/closer.h"
#include "constraint/gap/gap.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"
#include "constraint/lr/lr.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

namespace {

constexpr size_t kMaxLexemes = 8;  // shown of each side
constexpr size_t kMaxItems = 8;    // shown of the parser's state, and of R's demands

// +1: opens, -1: closes. Brackets that the grammar names, modes, and signs that are brackets in any
// language.
int BracketOf(const Lexeme& lexeme, std::string_view text) {
  if (lexeme.kind != TerminalKind::kParsed) return 0;
  if (lexeme.bracket != 0) return lexeme.bracket;
  if (lexeme.action.kind == ModeAction::Kind::kPush) return 1;
  if (lexeme.action.kind == ModeAction::Kind::kPop) return -1;
  if (text == "(" || text == "[" || text == "{") return 1;
  return text == ")" || text == "]" || text == "}" ? -1 : 0;
}

// Lexes a text by longest match, one lexeme a step, and keeps the open brackets and blocks.
class Reading {
 public:
  Reading(const Language& language, std::string_view text, ModeStackId modes, ModeArena* arena)
      : lexer_(language.lexer),
        grammar_(language.grammar),
        text_(text),
        arena_(*arena),
        modes_(modes) {}

  size_t offset() const { return offset_; }
  ModeStackId modes() const { return modes_; }
  const std::vector<OpenBracket>& brackets() const { return brackets_; }
  DfaStateId Start() const { return lexer_.StartOf(arena_.top(modes_)); }

  // The state at the text's end where the lexeme that begins here reaches it; the dead state
  // elsewhere.
  DfaStateId StateAtEnd() const {
    DfaStateId q = Start();
    for (size_t i = offset_; i < text_.size() && q != kDeadState; ++i)
      q = lexer_.Next(q, static_cast<uint8_t>(text_[i]));
    return q;
  }
  // Reads one lexeme, and shows it unless it shapes no parse. False: nothing matches, or the text
  // is malformed there.
  bool Step(std::vector<ShownLexeme>& shown) {
    const Lexer::Match match = lexer_.LongestMatch(text_, offset_, Start());
    if (match.lexeme == kNoLexeme || lexer_.lexeme(match.lexeme).kind == TerminalKind::kPoison) {
      const size_t end = match.lexeme == kNoLexeme ? offset_ + 1 : match.end;
      shown.push_back({"malformed", std::string(text_.substr(offset_, end - offset_))});
      return false;
    }
    Take(match.lexeme, match.end, shown);
    return true;
  }
  void Take(LexemeId id, size_t end, std::vector<ShownLexeme>& shown) {
    const Lexeme& lexeme = lexer_.lexeme(id);
    const std::string_view text = text_.substr(offset_, end - offset_);
    const bool blank =
        lexeme.kind == TerminalKind::kIgnored && text.find_first_not_of(" \t\r\n\f") == text.npos;
    if (!blank && !(lexeme.is_newline && !brackets_.empty()))
      shown.push_back({LexemeName(lexer_, grammar_, id), std::string(text)});
    const int bracket = BracketOf(lexeme, text);
    if (bracket > 0) brackets_.push_back({std::string(text), place_});
    if (bracket < 0 && !brackets_.empty()) brackets_.pop_back();
    ModeStackId after = modes_;
    if (arena_.Apply(lexeme.action, after)) modes_ = after;
    place_ = PlaceAfter(place_, text_, offset_, end);
    offset_ = end;
  }

 private:
  const Lexer& lexer_;
  const Grammar& grammar_;
  std::string_view text_;
  ModeArena& arena_;
  ModeStackId modes_;
  size_t offset_ = 0;
  TextPlace place_;  // of offset_
  std::vector<OpenBracket> brackets_;
};

bool GoesOn(const Lexer& lexer, DfaStateId q) {
  for (int byte = 0; byte < 256; ++byte) {
    if (lexer.Next(q, static_cast<uint8_t>(byte)) != kDeadState) return true;
  }
  return false;
}

// The few lexemes from the reading's offset on. True: the text goes on after them.
bool ReadSome(Reading& reading, size_t size, std::vector<ShownLexeme>& shown) {
  while (reading.offset() < size && shown.size() < kMaxLexemes) {
    if (!reading.Step(shown)) return false;
  }
  return reading.offset() < size;
}

void ReadBothSides(const Language& language, std::string_view left, std::string_view right,
                   GapExplanation& out) {
  const Lexer& lexer = language.lexer;
  ModeArena arena;
  Reading before(language, left, {}, &arena);
  DfaStateId q = kDeadState;  // of the lexeme in progress
  while (before.offset() < left.size()) {
    q = before.StateAtEnd();
    if (q != kDeadState) break;
    if (!before.Step(out.left)) return;
  }
  ModeStackId modes = before.modes();  // after the lexeme in progress
  if (before.offset() < left.size()) {
    const LexemeId here = lexer.LexemeAt(q);
    const bool poison = here != kNoLexeme && lexer.lexeme(here).kind == TerminalKind::kPoison;
    const bool blank = here != kNoLexeme && lexer.lexeme(here).kind == TerminalKind::kIgnored;
    const std::string text(left.substr(before.offset()));
    if (!poison && !blank && here != kNoLexeme && !GoesOn(lexer, q)) {
      before.Take(here, left.size(), out.left);
      modes = before.modes();
      q = kDeadState;
    } else {
      const Lexer::Match landed = lexer.Land(q, Guards{}, right);
      if (!blank || landed.end > 0) {
        out.in_progress = {
            here == kNoLexeme || poison ? "unfinished" : LexemeName(lexer, language.grammar, here),
            text};
      }
      if (landed.lexeme != kNoLexeme && landed.end > 0 &&
          lexer.lexeme(landed.lexeme).kind != TerminalKind::kPoison) {
        // L's part of the lexeme stands before R, so that the whole is one text.
        const std::string whole = text + std::string(right);
        Reading joined(language, whole, modes, &arena);
        joined.Take(landed.lexeme, text.size() + landed.end, out.joined);
        out.right_cut |= ReadSome(joined, whole.size(), out.joined);
      }
      if (here != kNoLexeme) (void)arena.Apply(lexer.lexeme(here).action, modes);
    }
  }
  out.brackets = before.brackets();
  if (out.left.size() > kMaxLexemes) {
    out.left_cut = true;
    out.left.erase(out.left.begin(), out.left.end() - kMaxLexemes);
  }
  Reading after(language, right, modes, &arena);
  out.right_cut |= ReadSome(after, right.size(), out.apart);
}

// A reading between two lexemes: before the one in progress, or after it where no byte lengthens
// it. Nothing: that lexeme has no place there.
std::optional<Between> BetweenLexemes(const GapState& gap, const Branch& branch) {
  const Lexer& lexer = gap.shared()->language().lexer;
  const Between here{branch.top, branch.context};
  const LexemeId lexeme = branch.q == kStartState ? kNoLexeme : lexer.LexemeAt(branch.q);
  if (lexeme == kNoLexeme || GoesOn(lexer, branch.q)) return here;
  const auto ended = gap.shared()->mover().End(here, lexeme, branch.emitted,
                                               {NameText::Known::kWhole, branch.text});
  return ended.empty() ? std::nullopt : std::optional(ended[0]);
}

// Of the first reading that has one.
std::optional<Between> BetweenLexemes(const GapState& gap) {
  for (const Branch& branch : gap.branches()) {
    if (auto place = BetweenLexemes(gap, branch)) return place;
  }
  return std::nullopt;
}

void ShowStack(const GapState& gap, const Between& at, GapExplanation& out) {
  SharedGap& shared = *gap.shared();
  const Language& language = shared.language();
  if (language.layout.has_columns()) {
    const IndentArena& indents = shared.mover().indents();
    for (IndentId id = at.context.layout.indents;; id = indents.top(id).below) {
      out.blocks.insert(out.blocks.begin(), indents.top(id).column);
      if (id == IndentId{}) break;
    }
  }
  const LrStateId state = shared.mover().stacks().node(at.top).state;
  const auto items = language.table.items(state);
  const size_t shown = std::min(language.table.kernel_size(state), kMaxItems);
  for (size_t i = 0; i < shown; ++i) out.inside.push_back(ItemText(language.grammar, items[i]));
}

void ShowDemands(const GapState& gap, GapExplanation& out) {
  const DemandGraph& graph = gap.shared()->graph();
  for (uint32_t i = 0; i < graph.size() && out.demands.size() < kMaxItems; ++i) {
    const DemandNode& node = graph.node(DemandNodeId{i});
    if (node.mid) continue;
    std::string item = ItemText(gap.shared()->language().grammar, {node.rule, node.dot});
    if (std::find(out.demands.begin(), out.demands.end(), item) == out.demands.end())
      out.demands.push_back(std::move(item));
  }
}

std::string WhyNot(const GapState& gap, std::string_view left, bool left_read) {
  const Language& language = gap.shared()->language();
  if (!left_read && !gap.too_ambiguous()) {
    const CheckResult check = Check(language, left, Strength::kAccept);
    const TextPlace at = PlaceOf(left, std::min(check.offset_bytes, left.size()));
    return fmt::format(
        "the left context is not the beginning of a valid text: line {}, column {}: {}", at.line,
        at.column, check.message);
  }
  if (gap.too_ambiguous()) return "more readings were alive at once than are followed";
  if (gap.right_too_long()) return "the right context is longer than what is read of one";
  if (gap.shared()->graph().roots().empty())
    return "the right context is the end of no valid text, whatever stands before it";
  return "each side is a part of some valid text, but no middle joins the two";
}

std::string Names(const std::vector<ShownLexeme>& lexemes, bool cut_before, bool cut_after) {
  std::string out = cut_before ? "… " : "";
  for (const ShownLexeme& lexeme : lexemes)
    out += fmt::format("{}{} {}", &lexeme == lexemes.data() ? "" : "  ", lexeme.terminal,
                       ShownBeginning(lexeme.text));
  return out + (cut_after ? " …" : "");
}

void AddLine(std::string_view name, const std::string& text, std::string& out) {
  out += fmt::format("  {:<15}{}\n", name, text.empty() ? "none" : text);
}

void AddItems(std::string_view name, const std::vector<std::string>& items, std::string& out) {
  if (items.empty()) AddLine(name, "", out);
  for (size_t i = 0; i < items.size(); ++i) AddLine(i == 0 ? name : "", items[i], out);
}

}  // namespace

GapExplanation ExplainGap(const std::shared_ptr<const Language>& language, std::string_view left,
                          std::string_view right) {
  const GapState gap = OpenGap(language, left, right, GapPolicy{.emit = false});
  GapExplanation out;
  ReadBothSides(*language, left, right, out);
  const std::optional<Between> place = BetweenLexemes(gap);
  if (place) ShowStack(gap, *place, out);
  ShowDemands(gap, out);
  out.viable = gap.viable();
  if (!out.viable) {
    out.why_not = WhyNot(gap, left, place.has_value());
    return out;
  }
  out.closed = gap.Member();
  out.expected = gap.Expected();
  for (const Seam seam : {Seam::kClosed, Seam::kLine, Seam::kRest, Seam::kOpen}) {
    const auto closing = FindClosing(OpenGap(language, left, right, GapPolicy{.seam = seam}));
    if (!closing) continue;
    out.closing = closing->text;
    out.opens_string = seam != Seam::kClosed;
    break;
  }
  return out;
}

std::string ToText(const GapExplanation& of) {
  std::string out = of.viable ? "viable\n" : fmt::format("not viable: {}\n", of.why_not);
  out += "left of the gap\n";
  AddLine("lexemes", Names(of.left, of.left_cut, false), out);
  AddLine("in progress", of.in_progress ? Names({*of.in_progress}, false, false) : "", out);
  std::vector<std::string> open;
  for (const OpenBracket& bracket : of.brackets)
    open.push_back(fmt::format("{} at {}:{}", ShownBytes(bracket.text), bracket.place.line,
                               bracket.place.column));
  AddLine("open brackets", fmt::format("{}", fmt::join(open, "  ")), out);
  if (!of.blocks.empty())
    AddLine("open blocks", fmt::format("at columns {}", fmt::join(of.blocks, " ")), out);
  AddItems("inside", of.inside, out);
  out += "right of the gap\n";
  if (!of.joined.empty()) AddLine("joined", Names(of.joined, false, of.right_cut), out);
  AddLine("apart", Names(of.apart, false, of.right_cut), out);
  AddItems("goes on in", of.demands, out);
  if (!of.viable) return out;
  out += "the middle\n";
  AddLine(of.in_progress ? "may become" : "may begin",
          fmt::format("{}", fmt::join(of.expected, " ")), out);
  AddLine("empty", of.closed ? "closes the gap" : "does not close the gap", out);
  AddLine("cheapest",
          of.closing ? ShownBytes(*of.closing) : "no text that tenon would write was found", out);
  if (of.opens_string) AddLine("", "begins a string or comment that the right side ends", out);
  return out;
}

}  // namespace tenon::constraint
