#include "constraint/reading/branch.h"

#include <algorithm>

namespace tenon::constraint {

namespace {

template <typename T>
void SortUnique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

}  // namespace

std::vector<NodeId> BranchMover::Shift(const std::vector<NodeId>& tops, SymbolId column,
                                       uint16_t indent_column) {
  std::vector<NodeId> shifted;
  for (NodeId top : tops) {
    std::span<const NodeId> to = stacks_.Shift(top, column, indent_column);
    shifted.insert(shifted.end(), to.begin(), to.end());
  }
  SortUnique(shifted);
  return shifted;
}

std::vector<NodeId> BranchMover::ShiftLine(const std::vector<NodeId>& tops,
                                           const LayoutEvent& event) {
  const LayoutRules& rules = language_.layout;
  if (event.kind == LayoutEvent::Kind::kNewline)
    return Shift(tops, rules.newline_column(), kNoColumn);
  if (event.kind == LayoutEvent::Kind::kIndent)
    return Shift(tops, rules.indent_column(), event.column);
  return Shift(tops, rules.dedent_column(), kNoColumn);
}

void BranchMover::ShiftAny(const std::vector<NodeId>& tops, LexicalContext context,
                           const std::vector<SymbolId>& columns, uint16_t column_kind, bool emitted,
                           NameText text, std::vector<Between>& out) {
  const LexicalContext before = context;
  const LineEndRules& line_ends = language_.layout.line_ends();
  context.line_ends.seen = false;
  for (SymbolId column : columns) {
    if (!line_ends.Allows(column, before.line_ends.seen)) continue;
    context.line_ends.ends_phrase = line_ends.EndsPhrase(column);
    context.levels = LevelsBehind(column, before.levels, emitted);
    bool fits = false;
    for (NodeId top : Shift(tops, column, column_kind)) {
      if (!Holds(column, top, before, emitted, text)) continue;
      if (!std::exchange(fits, true) && language_.names)
        context.names = language_.names->Behind(names_, language_.grammar.columns[column.value],
                                                before.names, text);
      out.push_back({top, context});
    }
  }
}

void BranchMover::ShiftLexeme(const std::vector<NodeId>& tops, const LexicalContext& context,
                              const Lexeme& lexeme, uint16_t column_kind, bool emitted,
                              NameText text, std::vector<Between>& out) {
  ShiftAny(tops, context, emitted ? lexeme.emit_columns : lexeme.given_columns, column_kind,
           emitted, text, out);
  for (const std::vector<LexemeColumns>& parts : lexeme.splits) {
    std::vector<Between> at, next;
    for (NodeId top : tops) at.push_back({top, context});
    for (const LexemeColumns& part : parts) {
      next.clear();
      for (const Between& b : at)
        ShiftAny({b.top}, b.context, emitted ? part.emit : part.given, kNoColumn, emitted, {},
                 next);
      at.swap(next);
    }
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
  uint16_t column_kind = Seals(lexeme, emitted) ? kSealedColumn : kNoColumn;
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
        ShiftAny(tops, context, language_.layout.line_ends().terminator_columns(emitted),
                 column_kind, emitted, {}, out);
        SortUnique(out);
        return out;
      case LayoutEvent::Kind::kLexeme:
        ShiftLexeme(tops, context, lexeme, column_kind, emitted, text, out);
        if (out.empty() && language_.layout.line_ends().inserted() &&
            (context.line_ends.seen || lexeme.insert_before)) {
          // The kill rule: nothing is inserted where the lexeme fits as it is, given or not, at
          // whatever level.
          LexicalContext any = context;
          any.levels = Levels::Added(any.levels.on());
          if (emitted || context.levels.hold())
            ShiftLexeme(tops, any, lexeme, column_kind, false, text, out);
          if (!out.empty()) return {};
          ShiftLexeme(Shift(tops, *language_.layout.line_ends().inserted(), kNoColumn), context,
                      lexeme, column_kind, emitted, text, out);
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
  const StackReads before = stacks_.TakeReads();
  LexicalContext context = from.context;
  events_.clear();
  std::vector<NodeId> tops;
  if (language_.layout.End(Lexeme{}, indents_, context, events_)) tops.push_back(from.top);
  for (const LayoutEvent& event : events_) {
    if (event.kind != LayoutEvent::Kind::kLexeme) tops = ShiftLine(tops, event);
  }
  for (NodeId top : tops) made.begun.push_back({top, context});
  made.reads = stacks_.reads();
  stacks_.NoteReads(before);
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
    for (SymbolId column : language_.layout.line_ends().terminator_columns(false)) {
      for (NodeId to : Shift(tops, column, kNoColumn)) {
        if (Holds(column, to, context, false)) shifted.push_back(to);
      }
    }
    tops = std::move(shifted);
  }
  const auto accepts = [&](NodeId top) { return stacks_.AcceptsEnd(top); };
  if (std::any_of(tops.begin(), tops.end(), accepts)) return true;
  if (!language_.layout.line_ends().inserted()) return false;
  tops = Shift(tops, *language_.layout.line_ends().inserted(), kNoColumn);
  return std::any_of(tops.begin(), tops.end(), accepts);
}

void HoldLevels(PredicateBits levels, std::vector<Branch>& branches) {
  std::erase_if(branches,
                [&](const Branch& branch) { return (branch.context.levels.on() & ~levels) != 0; });
  for (Branch& branch : branches) {
    branch.context.levels = Levels::Held(levels);
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
  std::array<Lexer::Step, 2> steps;
  for (const Branch& branch : branches) {
    if (emitted && !ScopeRules::MayWrite(byte, branch.context.scope)) continue;
    int n = language_.lexer.Advance(branch.q, branch.guards, byte, emitted, steps,
                                    BeginBehind(branch.q, branch.context));
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
        if (branch.q == kStartState) next.opened_in_middle = emitted;
        next.emitted |= emitted;
        language_.layout.ReadByte(byte, next.context.layout);
        out.push_back(next);
        continue;
      }
      next.emitted = next.opened_in_middle = emitted;
      const NameText text{NameText::Known::kWhole, branch.text};
      for (const Between& to :
           End({branch.top, branch.context}, step.ended, branch.emitted, text)) {
        next.top = to.top;
        next.context = to.context;
        language_.layout.ReadByte(byte, next.context.layout);
        out.push_back(next);
      }
    }
  }
  if (out.size() > 1) SortUnique(out);
  Pack(out);
  if (out.size() > kMaxBranches) {
    GiveUp();
    out.clear();
  }
  return out;
}

}  // namespace tenon::constraint
