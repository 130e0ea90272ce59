#include "constraint/reading/text_reader.h"

#include <algorithm>
#include <optional>
#include <span>

#include "constraint/base/base.h"

namespace tenon::constraint {

TextReader::TextReader(const Language& language, std::string_view text, Strength strength,
                       PredicateBits levels)
    : language_(language),
      text_(text),
      emit_(strength == Strength::kEmit),
      mover_(language),
      stack_(language.grammar, language.table) {
  context_.levels = Levels::Added(levels);
  if (emit_) language.layout.line_ends().EndGiven(false, context_.line_ends);
}

TextReader::Stop TextReader::Step() {
  const DfaStateId start = mover_.StartAfter(kStartState, alone_ ? context_ : branches_[0].context);
  const Lexer::Match match = language_.lexer.LongestMatch(text_, offset_, start);
  const DfaStateId apart = language_.lexer.ApartOf(start);
  if (apart == kDeadState || match.lexeme == kNoLexeme ||
      !language_.lexer.lexeme(match.lexeme).rival)
    return StepOver(match, start);
  const Lexer::Match other = language_.lexer.LongestMatch(text_, offset_, apart);
  if (other.lexeme == kNoLexeme) return StepOver(match, start);
  // Where the rival fits a single stack, the other one does not.
  const bool both = !alone_;
  if (both) {
    if (beside_.size() >= kMaxBranches) return Stop::kAmbiguous;
    beside_.push_back({offset_, match_, branches_});
  }
  const Stop stop = StepOver(match, start);
  if (stop == Stop::kPaused) {
    if (!both) return stop;
    Exchange(beside_.back());
    const Stop then = StepOver(other, apart);
    Exchange(beside_.back());
    if (then != Stop::kPaused) beside_.pop_back();
    return stop;
  }
  if (both) beside_.pop_back();
  const Stop then = StepOver(other, apart);
  if (then != Stop::kPaused) match_ = match;
  return then == Stop::kPaused ? then : stop;
}

void TextReader::Exchange(Reading& reading) {
  (void)Branches();
  alone_ = false;
  std::swap(offset_, reading.offset);
  std::swap(match_, reading.match);
  branches_.swap(reading.branches);
}

void TextReader::TakeLeastFar() {
  const auto hindmost =
      std::min_element(beside_.begin(), beside_.end(),
                       [](const Reading& a, const Reading& b) { return a.offset < b.offset; });
  if (hindmost->offset < offset_) Exchange(*hindmost);
  std::erase_if(beside_, [&](const Reading& reading) {
    if (reading.offset != offset_) return false;
    const LexicalContext& there = reading.branches[0].context;
    const LexicalContext& here = Branches()[0].context;
    if (there.modes != here.modes || there.layout != here.layout) return false;
    next_ = branches_;
    next_.insert(next_.end(), reading.branches.begin(), reading.branches.end());
    SortUnique(next_);
    mover_.Pack(next_);
    if (next_.size() > kMaxBranches) return false;
    branches_.swap(next_);
    alone_ = false;
    return true;
  });
}

void TextReader::TakeAnother(Stop stopped) {
  if (farthest_.branches.empty() || offset_ >= farthest_.offset) {
    farthest_ = {offset_, match_, Branches()};
    farthest_stopped_ = stopped;
  }
  Exchange(beside_.back());
  beside_.pop_back();
}

TextReader::Stop TextReader::TakeFarthest(Stop stopped) {
  if (farthest_.branches.empty() || offset_ >= farthest_.offset) return stopped;
  Exchange(farthest_);
  return farthest_stopped_;
}

void TextReader::CompactIfLarge() {
  if (mover_.stacks().size() <= compact_above_) return;
  std::vector<std::vector<Between>*> kept{&branches_, &farthest_.branches};
  for (Reading& reading : beside_) kept.push_back(&reading.branches);
  std::vector<Between> all;
  for (const std::vector<Between>* branches : kept)
    all.insert(all.end(), branches->begin(), branches->end());
  mover_.Compact(all);
  auto next = all.begin();
  for (std::vector<Between>* branches : kept) {
    std::copy_n(next, branches->size(), branches->begin());
    next += static_cast<std::ptrdiff_t>(branches->size());
  }
  nodes_.resize(1);
  const size_t needed = mover_.stacks().size() + stack_.states().size();
  compact_above_ = std::max(kCompactAbove, 2 * needed);
}

TextReader::Stop TextReader::StepOver(const Lexer::Match& match, DfaStateId start) {
  match_ = match;
  if (match_.lexeme == kNoLexeme) return Stop::kNoLexeme;
  if (language_.lexer.lexeme(match_.lexeme).kind == TerminalKind::kPoison) return Stop::kPoison;
  if (!language_.lexeme_rules->Keeps(match_.lexeme, text_.substr(offset_, match_.end - offset_)))
    return Stop::kBroken;
  if (emit_ && !Emittable(start, offset_, match_.end)) return Stop::kUnwritten;
  LexicalContext& first = alone_ ? context_ : branches_[0].context;
  if (language_.layout.active() && first.layout.line_begin) {
    for (size_t i = offset_; i < match_.end; ++i) {
      if (alone_) language_.layout.ReadByte(static_cast<uint8_t>(text_[i]), context_.layout);
      for (Between& b : branches_)
        language_.layout.ReadByte(static_cast<uint8_t>(text_[i]), b.context.layout);
    }
  }
  if (alone_) {
    const ArrayStack::Outcome outcome = StepAlone(match_.lexeme);
    if (outcome == ArrayStack::Outcome::kRefused) return Stop::kRefused;
    if (outcome == ArrayStack::Outcome::kShifted) {
      offset_ = match_.end;
      return Stop::kPaused;
    }
    (void)Branches();
    alone_ = false;
  }
  if (Stop stop = StepForked(match_.lexeme); stop != Stop::kPaused) return stop;
  offset_ = match_.end;
  return Stop::kPaused;
}

ArrayStack::Outcome TextReader::StepAlone(LexemeId id) {
  using Outcome = ArrayStack::Outcome;
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  LexicalContext context = context_;
  events_.clear();
  if (!language_.layout.End(lexeme, mover_.indents(), context, events_)) return Outcome::kRefused;
  if (!mover_.Act(lexeme, emit_, context)) return Outcome::kRefused;
  if (language_.names) context.names = language_.names->Scoped(mover_.names(), id, context.names);
  stack_.Mark();
  Outcome outcome = Outcome::kShifted;
  for (const LayoutEvent& event : events_) {
    switch (event.kind) {
      case LayoutEvent::Kind::kNewline:
        outcome = stack_.Shift(language_.layout.newline_terminal());
        break;
      case LayoutEvent::Kind::kIndent:
        outcome = stack_.Shift(language_.layout.indent_terminal());
        break;
      case LayoutEvent::Kind::kDedent:
        outcome = stack_.Shift(language_.layout.dedent_terminal());
        break;
      case LayoutEvent::Kind::kTerminator:
        outcome = ShiftAny(id, language_.layout.line_ends().terminators(emit_), context);
        break;
      case LayoutEvent::Kind::kLexeme:
        outcome =
            lexeme.splits.empty() && !lexeme.apart
                ? ShiftAny(id, emit_ ? lexeme.emit_terminals : lexeme.given_terminals, context)
                : Outcome::kForks;
        break;
    }
    if (outcome != Outcome::kShifted) {
      stack_.Undo();
      // Something may be inserted: branches see to it.
      const bool inserts = language_.layout.line_ends().inserts() &&
                           (context_.line_ends.seen || lexeme.insert_before);
      return outcome == Outcome::kRefused && inserts ? Outcome::kForks : outcome;
    }
  }
  context_ = context;
  return outcome;
}

ArrayStack::Outcome TextReader::ShiftAny(LexemeId id, const std::vector<SymbolId>& lr_terminals,
                                         LexicalContext& context) {
  const std::vector<LrTerminal>& all = language_.grammar.lr_terminals;
  std::optional<NameText> known;  // the lexeme's text, once a name is asked for
  const auto text = [&] {
    if (!known) known = mover_.Whole(id, text_.substr(offset_, match_.end - offset_));
    return *known;
  };
  const bool line_seen = context.line_ends.seen;
  const SymbolId* only = nullptr;
  for (const SymbolId& lr_terminal : lr_terminals) {
    if (!stack_.Allows(lr_terminal) || !language_.layout.line_ends().Allows(lr_terminal, line_seen))
      continue;
    if (IsCondition(all[lr_terminal.value].name_use) &&
        !language_.names->Fits(mover_.names(), all[lr_terminal.value], context.names, text()))
      continue;
    if (only != nullptr) return ArrayStack::Outcome::kForks;
    only = &lr_terminal;
  }
  if (only == nullptr) return ArrayStack::Outcome::kRefused;
  if (emit_ && all[only->value].predicate)
    return ArrayStack::Outcome::kForks;  // nodes know the context
  language_.layout.line_ends().ReadTerminal(*only, emit_, context.line_ends);
  if (all[only->value].name_use == NameUse::kDeclares)
    context.names =
        language_.names->ListAfter(mover_.names(), all[only->value], context.names, text());
  return stack_.Shift(*only);
}

const std::vector<Between>& TextReader::Branches() {
  if (alone_) {
    const std::span<const LrStateId> states = stack_.states();
    nodes_.resize(std::min(nodes_.size(), stack_.unchanged()));
    for (size_t i = nodes_.size(); i < states.size(); ++i)
      nodes_.push_back(mover_.stacks().Push(nodes_.back(), states[i], kNoColumn));
    stack_.Replace(states.size(), {});
    branches_.assign(1, {nodes_.back(), context_});
  }
  return branches_;
}

TextReader::Stop TextReader::StepForked(LexemeId id) {
  next_.clear();
  const NameText text = mover_.Whole(id, text_.substr(offset_, match_.end - offset_));
  for (const Between& branch : branches_) {
    mover_.ForEachEnd(branch, id, emit_, text, [&](const Between& to) { next_.push_back(to); });
  }
  SortUnique(next_);
  if (next_.empty()) return Stop::kRefused;
  mover_.Pack(next_);
  if (next_.size() > kMaxBranches) return Stop::kAmbiguous;
  branches_.swap(next_);
  if (branches_.size() == 1 && !mover_.stacks().node(branches_[0].top).over_packed)
    ToArray(branches_[0]);
  CompactIfLarge();
  return Stop::kPaused;
}

void TextReader::ToArray(const Between& last) {
  const StackArena& stacks = mover_.stacks();
  // Down to the node where the array's own stack stands already.
  const size_t size = stacks.node(last.top).depth + 1;
  NodeId node = last.top;
  size_t shared = size;
  while (shared > nodes_.size() || nodes_[shared - 1] != node) {
    node = stacks.node(node).below;
    --shared;
  }
  nodes_.resize(size);
  std::vector<LrStateId> above(size - shared);
  node = last.top;
  for (size_t i = size; i-- > shared; node = stacks.node(node).below) {
    nodes_[i] = node;
    above[i - shared] = stacks.node(node).state;
  }
  stack_.Replace(shared, above);
  context_ = last.context;
  alone_ = true;
  branches_.clear();
}

bool TextReader::AcceptsEnd() {
  if (offset_ > 0 && language_.lexer.lexeme(match_.lexeme).not_last) return false;
  const std::vector<Between>& branches = Branches();
  return std::any_of(branches.begin(), branches.end(),
                     [&](const Between& b) { return mover_.AcceptsEnd(b); });
}

bool TextReader::Emittable(DfaStateId q, size_t begin, size_t end) const {
  for (size_t i = begin; i < end; ++i) {
    const uint8_t byte = static_cast<uint8_t>(text_[i]);
    if (!language_.lexer.IsEmitEdge(q, byte)) return false;
    q = language_.lexer.Next(q, byte);
  }
  return true;
}

}  // namespace tenon::constraint
