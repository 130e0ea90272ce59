#include "constraint/reading/branch.h"

#include <tuple>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

// Blank, or a line end that is shifted as a terminator at most.
bool LeavesNoTerminal(const Lexeme& lexeme, const LexicalContext& at) {
  return lexeme.kind == TerminalKind::kIgnored || lexeme.kind == TerminalKind::kLineEnd ||
         (lexeme.kind == TerminalKind::kParsed && lexeme.is_newline && at.layout.depth > 0);
}

// Strings with fields and the like. Tenon closes each one that it opens (the seam rule).
bool Seals(const Lexeme& lexeme, bool emitted) {
  return emitted && lexeme.delimited && lexeme.action.kind == ModeAction::Kind::kPush;
}

}  // namespace

template <typename At>
void BranchMover::Pack(std::vector<At>& alive) {
  if (alive.size() <= pack_above_ || language_.insertions) return;
  const auto kind = [&](const At& at) {
    const StackArena::Node& top = stacks_.node(at.top);
    return std::tuple(top.state, top.column, top.outer);
  };
  const auto rest = [](At at) {
    at.top = kBottomNode;
    return at;
  };
  std::sort(alive.begin(), alive.end(), [&](const At& a, const At& b) {
    return std::pair(kind(a), rest(a)) < std::pair(kind(b), rest(b));
  });
  std::vector<NodeId> tops;
  size_t kept = 0;
  for (size_t begin = 0, end = 0; begin < alive.size(); begin = end) {
    tops.clear();
    for (; end < alive.size() && kind(alive[end]) == kind(alive[begin]) &&
           rest(alive[end]) == rest(alive[begin]);
         ++end)
      tops.push_back(alive[end].top);
    alive[kept] = alive[begin];
    if (tops.size() > 1) alive[kept].top = stacks_.Pack(tops);
    ++kept;
  }
  alive.resize(kept);
  std::sort(alive.begin(), alive.end());
}
template void BranchMover::Pack(std::vector<Branch>& alive);
template void BranchMover::Pack(std::vector<Between>& alive);

bool BranchMover::Act(const Lexeme& lexeme, bool emitted, LexicalContext& context) {
  const LexemeOrigin origin = std::exchange(context.origin, {});
  const ModeMask open =
      modes_.all(context.modes) | (context.layout.line_begin ? kLineBeginning : 0);
  if (!MayBegin(lexeme, emitted, origin, open)) return false;
  return modes_.Apply(lexeme.action, context.modes, Seals(lexeme, emitted));
}

NameText BranchMover::Whole(LexemeId lexeme, std::string_view bytes, TextId before) {
  if (!language_.names || !language_.names->IsName(lexeme)) return {NameText::Known::kWhole, {}};
  return {NameText::Known::kWhole, names_.Append(before, bytes)};
}

bool BranchMover::Holds(SymbolId lr_terminal, NodeId top, const LexicalContext& at, bool emitted,
                        NameText text) {
  const LrTerminal& shifted = language_.grammar.lr_terminals[lr_terminal.value];
  if (shifted.name_use != NameUse::kNone) {
    const bool fits = language_.names->Fits(names_, shifted, at.names, text);
    const bool missed =
        !fits && shifted.name_use == NameUse::kIsEnclosing && text.known == NameText::Known::kWhole;
    names_read_.Note({IsCondition(shifted.name_use), missed ? text.text : TextId{}});
    return fits;
  }
  if (!shifted.predicate) return true;
  const PredicateBits own = PredicateBits{1} << shifted.predicate->value;
  if (emitted || (own & bound_) != 0) {
    stacks_.NoteContext();
    const bool on = ((stacks_.ContextAt(stacks_.node(top).below) | at.levels.on()) & own) != 0;
    if (!on && !emitted) refused_.Note({own});
    return on;
  }
  if (at.levels.Allows(shifted.levels)) return true;
  refused_.Note({own});
  return false;
}

void BranchMover::AppendEnds(const Between& from, LexemeId id, bool emitted, NameText text,
                             Ends& ends) {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  const LayoutRules& rules = language_.layout;
  const bool plain = !(language_.names && language_.names->Concerns(id)) &&
                     (!emitted || from.context.scope.scope == Scope::kFree);
  Between to = from;
  if (plain && LeavesNoTerminal(lexeme, from.context)) {
    events_.clear();
    rules.End(lexeme, indents_, to.context, events_);
    if (!Act(lexeme, emitted, to.context)) return;
    if (events_.empty()) {
      ends.push_back(to);
    } else {
      AppendShifted(from.context, to, rules.line_ends().terminators(emitted), kNoColumn, emitted,
                    ends);
    }
    return;
  }
  bool ordinary = plain && lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline &&
                  lexeme.splits.empty() && !lexeme.apart;
  if (ordinary && rules.active() && from.context.layout.AtLineBegin()) {
    const std::vector<Between>& begun = BeginLine(from).begun;
    if (begun.empty()) return;
    ordinary = begun.size() == 1;
    if (ordinary) to = begun[0];
  }
  const auto append_all = [&] {
    const std::vector<Between> ended = End(from, id, emitted, text);
    ends.assign(ended.begin(), ended.end());
  };
  if (!ordinary) return append_all();
  if (!Act(lexeme, emitted, to.context)) return;
  if (rules.active()) {
    if (lexeme.bracket < 0 && to.context.layout.depth == 0) return;
    to.context.layout.depth += lexeme.bracket;
  }
  const uint16_t column = Seals(lexeme, emitted) ? kSealedColumn : kNoColumn;
  AppendShifted(from.context, to, emitted ? lexeme.emit_terminals : lexeme.given_terminals, column,
                emitted, ends);
  const bool may_insert =
      rules.line_ends().inserts() && (from.context.line_ends.seen || lexeme.insert_before);
  if (ends.empty() && may_insert) append_all();
}

void BranchMover::AppendShifted(const LexicalContext& before, const Between& to,
                                const std::vector<SymbolId>& lr_terminals, uint16_t column,
                                bool emitted, Ends& ends) {
  Between end = to;
  for (SymbolId lr_terminal : lr_terminals) {
    if (!language_.layout.line_ends().Allows(lr_terminal, before.line_ends.seen)) continue;
    end.context.levels = LevelsAfter(lr_terminal, before.levels, emitted);
    end.context.line_ends = to.context.line_ends;
    language_.layout.line_ends().ReadTerminal(lr_terminal, emitted, end.context.line_ends);
    for (NodeId top : stacks_.Shift(to.top, lr_terminal, column)) {
      if (!Holds(lr_terminal, top, before, emitted)) continue;
      end.top = top;
      if (std::find(ends.begin(), ends.end(), end) == ends.end()) ends.push_back(end);
    }
  }
}

std::vector<NodeId> BranchMover::Shift(const std::vector<NodeId>& tops, SymbolId lr_terminal,
                                       uint16_t indent_column) {
  std::vector<NodeId> shifted;
  for (NodeId top : tops) {
    std::span<const NodeId> to = stacks_.Shift(top, lr_terminal, indent_column);
    shifted.insert(shifted.end(), to.begin(), to.end());
  }
  SortUnique(shifted);
  return shifted;
}

std::vector<NodeId> BranchMover::ShiftInserted(const std::vector<NodeId>& tops,
                                               const LexicalContext& at) {
  std::vector<NodeId> shifted;
  for (SymbolId inserted : language_.layout.line_ends().inserted(at.line_ends.place)) {
    const std::vector<NodeId> to = Shift(tops, inserted, kNoColumn);
    shifted.insert(shifted.end(), to.begin(), to.end());
  }
  SortUnique(shifted);
  return shifted;
}

std::vector<NodeId> BranchMover::ShiftLine(const std::vector<NodeId>& tops,
                                           const LayoutEvent& event) {
  const LayoutRules& rules = language_.layout;
  if (event.kind == LayoutEvent::Kind::kNewline)
    return Shift(tops, rules.newline_terminal(), kNoColumn);
  if (event.kind == LayoutEvent::Kind::kIndent)
    return Shift(tops, rules.indent_terminal(), event.column);
  return Shift(tops, rules.dedent_terminal(), kNoColumn);
}

void BranchMover::ShiftAny(const std::vector<NodeId>& tops, LexicalContext context,
                           const std::vector<SymbolId>& lr_terminals, uint16_t column, bool emitted,
                           NameText text, std::vector<Between>& out) {
  const LexicalContext before = context;
  const LineEndRules& line_ends = language_.layout.line_ends();
  for (SymbolId lr_terminal : lr_terminals) {
    if (!line_ends.Allows(lr_terminal, before.line_ends.seen)) continue;
    context.line_ends = before.line_ends;
    line_ends.ReadTerminal(lr_terminal, emitted, context.line_ends);
    context.levels = LevelsAfter(lr_terminal, before.levels, emitted);
    bool fits = false;
    for (NodeId top : Shift(tops, lr_terminal, column)) {
      if (!Holds(lr_terminal, top, before, emitted, text)) continue;
      if (!std::exchange(fits, true) && language_.names)
        context.names = language_.names->ListAfter(
            names_, language_.grammar.lr_terminals[lr_terminal.value], before.names, text);
      out.push_back({top, context});
    }
  }
}

void BranchMover::ShiftLexeme(const std::vector<NodeId>& tops, const LexicalContext& context,
                              const Lexeme& lexeme, uint16_t column, bool emitted, NameText text,
                              std::vector<Between>& out) {
  ShiftAny(tops, context, emitted ? lexeme.emit_terminals : lexeme.given_terminals, column, emitted,
           text, out);
  for (const std::vector<LexemeTerminals>& parts : lexeme.splits) {
    std::vector<Between> at, next;
    for (NodeId top : tops) at.push_back({top, context});
    for (const LexemeTerminals& part : parts) {
      next.clear();
      for (const Between& b : at)
        ShiftAny({b.top}, b.context, emitted ? part.emit : part.given, kNoColumn, emitted, {},
                 next);
      at.swap(next);
    }
    for (Between& b : at)
      b.context.line_ends.place =
          language_.layout.line_ends().PlaceAfter(context.line_ends.place, emitted);
    out.insert(out.end(), at.begin(), at.end());
  }
}

std::vector<Between> BranchMover::End(const Between& from, LexemeId id, bool emitted,
                                      NameText text) {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  if (lexeme.kind == TerminalKind::kPoison) return {};
  LexicalContext context = from.context;
  events_.clear();
  if (!language_.layout.End(lexeme, indents_, context, events_)) return {};
  if (!Act(lexeme, emitted, context)) return {};
  if (language_.names) context.names = language_.names->Scoped(names_, id, context.names);
  uint16_t column = Seals(lexeme, emitted) ? kSealedColumn : kNoColumn;
  if (emitted && context.scope.scope != Scope::kFree &&
      !language_.scopes->Written(id, events_, context.scope))
    return {};
  std::vector<NodeId> tops{from.top};
  std::vector<Between> out;
  for (const LayoutEvent& event : events_) {
    switch (event.kind) {
      case LayoutEvent::Kind::kNewline:
      case LayoutEvent::Kind::kIndent:
      case LayoutEvent::Kind::kDedent:
        tops = ShiftLine(tops, event);
        break;
      case LayoutEvent::Kind::kTerminator:  // these two are the last event
        ShiftAny(tops, context, language_.layout.line_ends().terminators(emitted), column, emitted,
                 {}, out);
        SortUnique(out);
        return out;
      case LayoutEvent::Kind::kLexeme:
        if (lexeme.apart) {
          // A rival that fits comes first, given or not, at whatever level.
          LexicalContext any = context;
          any.levels = Levels::Added(any.levels.on());
          ShiftAny(tops, any, lexeme.rival_terminals, column, false, text, out);
          if (!out.empty()) return {};
        }
        ShiftLexeme(tops, context, lexeme, column, emitted, text, out);
        if (out.empty() && language_.layout.line_ends().inserts() &&
            (context.line_ends.seen || lexeme.insert_before)) {
          // The kill rule: nothing is inserted where the lexeme fits as it is, given or not, at
          // whatever level.
          LexicalContext any = context;
          any.levels = Levels::Added(any.levels.on());
          if (emitted || context.levels.hold())
            ShiftLexeme(tops, any, lexeme, column, false, text, out);
          if (!out.empty()) return {};
          ShiftLexeme(ShiftInserted(tops, context), context, lexeme, column, emitted, text, out);
        }
        SortUnique(out);
        return out;
    }
    if (tops.empty()) return {};
  }
  for (NodeId top : tops) out.push_back({top, context});
  return out;
}

const BranchMover::LineBegin& BranchMover::BeginLine(const Between& from) {
  for (const LineBegin& known : lines_) {
    if (known.epoch != stacks_.epoch() || known.from != from) continue;
    stacks_.NoteReads(known.reads);
    return known;
  }
  LineBegin& made = lines_[next_line_++ % lines_.size()];
  made = {from, {}, {}, stacks_.epoch()};
  const NoteScope looked(stacks_.reads());
  LexicalContext context = from.context;
  events_.clear();
  std::vector<NodeId> tops;
  if (language_.layout.End(Lexeme{}, indents_, context, events_)) tops.push_back(from.top);
  for (const LayoutEvent& event : events_) {
    if (event.kind != LayoutEvent::Kind::kLexeme) tops = ShiftLine(tops, event);
  }
  for (NodeId top : tops) made.begun.push_back({top, context});
  made.reads = looked.notes();
  return made;
}

bool BranchMover::AcceptsEnd(const Between& from) {
  LexicalContext context = from.context;
  if (context.modes != ModeStackId{}) return false;
  events_.clear();
  if (!language_.layout.EndOfText(indents_, context, events_)) return false;
  std::vector<NodeId> tops{from.top};
  for (const LayoutEvent& event : events_) {
    if (event.kind != LayoutEvent::Kind::kTerminator) {
      tops = ShiftLine(tops, event);
      continue;
    }
    std::vector<NodeId> shifted;
    for (SymbolId lr_terminal : language_.layout.line_ends().terminators(false)) {
      for (NodeId to : Shift(tops, lr_terminal, kNoColumn)) {
        if (Holds(lr_terminal, to, context, false)) shifted.push_back(to);
      }
    }
    tops = std::move(shifted);
  }
  const auto accepts = [&](NodeId top) { return stacks_.AcceptsEnd(top); };
  if (std::any_of(tops.begin(), tops.end(), accepts)) return true;
  tops = ShiftInserted(tops, context);
  return std::any_of(tops.begin(), tops.end(), accepts);
}

void BranchMover::BeginWriting(PredicateBits levels, std::vector<Branch>& branches) const {
  std::erase_if(branches,
                [&](const Branch& branch) { return (branch.context.levels.on() & ~levels) != 0; });
  for (Branch& branch : branches) {
    branch.context.levels = Levels::Held(levels);
    language_.layout.line_ends().EndGiven(!language_.lexer.IsStart(branch.q),
                                          branch.context.line_ends);
  }
  SortUnique(branches);
}

void BranchMover::Compact(std::vector<Between>& live) {
  std::vector<NodeId*> tops;
  for (Between& at : live) tops.push_back(&at.top);
  stacks_.KeepOnly(tops);
}

std::vector<Branch> BranchMover::Read(const std::vector<Branch>& branches, uint8_t byte,
                                      bool emitted) {
  const LexemeRules& rules = *language_.lexeme_rules;
  std::vector<Branch> out;
  Lexer::Steps steps;
  const auto may_write = [&](const LexicalContext& at) {
    return !emitted || ScopeRules::MayWrite(byte, at.scope);
  };
  for (const Branch& branch : branches) {
    int n = language_.lexer.Advance(branch.q, branch.guards, byte, emitted, steps,
                                    StartAfter(branch.q, branch.context));
    for (int i = 0; i < n; ++i) {
      const Lexer::Step& step = steps[i];
      Branch next = branch;
      next.q = step.q;
      next.guards = step.guards;
      const LexemeProgress before = step.ended == kNoLexeme ? branch.progress : LexemeProgress{};
      next.progress = rules.Next(step.q, before, byte);
      if (language_.names) {
        const TextId begun = step.ended == kNoLexeme ? branch.text : TextId{};
        next.text = language_.names->Tracks(step.q) ? names_.Append(begun, byte) : TextId{};
      }
      if (rules.IsLost(step.q, next.progress) ||
          (step.ended != kNoLexeme && rules.Refuses(step.ended, branch.progress)))
        continue;
      if (step.ended == kNoLexeme) {
        if (!may_write(branch.context)) continue;
        if (branch.q == kStartState) next.opened_in_middle = emitted;
        next.emitted |= emitted;
        if (emitted) ScopeRules::Wrote(byte, next.context.scope);
        language_.layout.ReadByte(byte, next.context.layout);
        out.push_back(next);
        continue;
      }
      next.emitted = next.opened_in_middle = emitted;
      const NameText text{NameText::Known::kWhole, branch.text};
      for (const Between& to :
           End({branch.top, branch.context}, step.ended, branch.emitted, text)) {
        if (!may_write(to.context)) continue;
        next.top = to.top;
        next.context = to.context;
        if (emitted) ScopeRules::Wrote(byte, next.context.scope);
        language_.layout.ReadByte(byte, next.context.layout);
        out.push_back(next);
      }
    }
  }
  if (out.size() > 1) SortUnique(out);
  Pack(out);
  if (out.size() > kMaxBranches) {
    given_up_.Note({true});
    out.clear();
  }
  return out;
}

}  // namespace tenon::constraint
