// The steps of Lexer::Build that follow the paths of the finished DFA.
#include <algorithm>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "constraint/automata/automata.h"
#include "constraint/base/base.h"
#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// A byte begins a parsed lexeme, or a line end, where one can be reached over it.
void Lexer::BuildFirstBytes() {
  std::vector<std::vector<uint16_t>> before(dfa_.size());
  std::vector<uint16_t> ends;
  for (uint16_t s = 0; s < dfa_.size(); ++s) {
    DfaStateId previous = kDeadState;
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(DfaStateId{s}, b);
      if (to != kDeadState && to != previous) before[to.value].push_back(s);
      previous = to;
    }
    LexemeId id = lexeme_at_[s];
    TerminalKind kind = id == kNoLexeme ? TerminalKind::kIgnored : lexeme(id).kind;
    if (kind == TerminalKind::kParsed || kind == TerminalKind::kLineEnd) ends.push_back(s);
  }
  const std::vector<bool> reaches = ReachedFrom(std::move(ends), before);
  first_bytes_.assign(starts_.size(), {});
  for (size_t m = 0; m < starts_.size(); ++m) {
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(starts_[m], b);
      first_bytes_[m][b] = to != kDeadState && reaches[to.value];
    }
  }
}

tl::expected<void, GrammarError> Lexer::CheckBackUp(const Grammar& grammar) const {
  // deep[q]: from q on, q included, so many non-accepting states may follow each other as rounds
  // were made, and one more.
  std::vector<bool> deep(dfa_.size());
  for (size_t q = 0; q < dfa_.size(); ++q) deep[q] = lexeme_at_[q] == kNoLexeme;
  const auto leads_on = [&](size_t q) {
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(DfaStateId{static_cast<uint16_t>(q)}, static_cast<uint8_t>(b));
      if (to != kDeadState && deep[to.value]) return true;
    }
    return false;
  };
  for (int length = 1; length < kMaxBackUpBytes; ++length) {
    std::vector<bool> deeper(dfa_.size());
    for (size_t q = 0; q < dfa_.size(); ++q) deeper[q] = deep[q] && leads_on(q);
    deep = std::move(deeper);
  }
  for (size_t start = 0; start < dfa_.size(); ++start) {
    LexemeId from = lexeme_at_[start];
    if (from == kNoLexeme || lexeme(from).kind == TerminalKind::kPoison || !leads_on(start))
      continue;
    return tl::unexpected(GrammarError{
        GrammarErrorCode::kMechanism, grammar.path, 0, 0,
        fmt::format("after a lexeme of {} a longer one may begin and fail only {} or more bytes "
                    "later; add a %poison terminal that matches the unfinished form",
                    grammar.terminals[lexeme(from).terminals[0].value].name, kMaxBackUpBytes)});
  }
  return {};
}

// Half a letter after a name, for one: whichever letter it becomes, the name should have gone on
// with it.
void Lexer::BuildDoomed() {
  const auto ends = [this](DfaStateId q) {
    LexemeId here = LexemeAt(q);
    return here != kNoLexeme && lexeme(here).kind != TerminalKind::kPoison;
  };
  // pair -> the pairs from which one byte leads to it
  boost::unordered_flat_map<uint32_t, std::vector<uint32_t>> before;
  std::vector<uint32_t> pairs, work;
  const auto reach = [&](DfaStateId q, DfaStateId guard) {
    const uint32_t pair = static_cast<uint32_t>(q.value) << 16 | guard.value;
    if (before.try_emplace(pair).second) pairs.push_back(pair);
    return pair;
  };
  for (uint16_t s = 0; s < state_count(); ++s) {
    if (!ends(DfaStateId{s})) continue;
    for (int b = 0; b < 256; ++b) {
      DfaStateId guard = Next(DfaStateId{s}, static_cast<uint8_t>(b));
      if (guard == kDeadState || LexemeAt(guard) != kNoLexeme) continue;
      for (DfaStateId start : starts()) {
        DfaStateId q = Next(start, static_cast<uint8_t>(b));
        if (q != kDeadState) reach(q, guard);
      }
    }
  }
  boost::unordered_flat_set<uint32_t> hopeful;
  const auto hope = [&](uint32_t pair) {
    if (hopeful.insert(pair).second) work.push_back(pair);
  };
  for (size_t i = 0; i < pairs.size(); ++i) {
    const uint32_t pair = pairs[i];
    const DfaStateId q{static_cast<uint16_t>(pair >> 16)}, guard{static_cast<uint16_t>(pair)};
    bool hopes = ends(q);
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(q, static_cast<uint8_t>(b)), then = Next(guard, static_cast<uint8_t>(b));
      if (to == kDeadState) continue;
      if (then == kDeadState)
        hopes = true;
      else if (LexemeAt(then) == kNoLexeme)
        before[reach(to, then)].push_back(pair);
    }
    if (hopes) hope(pair);
  }
  while (!work.empty()) {
    const uint32_t pair = work.back();
    work.pop_back();
    for (uint32_t from : before[pair]) hope(from);
  }
  for (uint32_t pair : pairs) {
    if (!hopeful.contains(pair)) doomed_.push_back(pair);
  }
  std::sort(doomed_.begin(), doomed_.end());
}

void Lexer::BuildBeginnings() {
  for (bool emitted : {false, true}) {
    std::vector<Beginning>& found = beginnings_[emitted];
    std::vector<bool> seen(dfa_.size());
    for (DfaStateId start : distinct_starts_) {
      found.push_back({start, ""});
      seen[start.value] = true;
    }
    // Breadth first: the first text to reach a state is a shortest one.
    for (size_t at = 0; at < found.size(); ++at) {
      DfaStateId q = found[at].q;
      for (int i = 0; i < 256; ++i) {
        // Letters before digits before controls, for texts that a person can read.
        uint8_t b = static_cast<uint8_t>(i + 'a');
        DfaStateId to = Next(q, b);
        if (to == kDeadState || seen[to.value] || (emitted && !IsEmitEdge(q, b))) continue;
        seen[to.value] = true;
        found.push_back({to, found[at].text + static_cast<char>(b)});
      }
    }
  }
}

void Lexer::BuildSpellings(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                           const StrictDfa& strict) {
  spellings_.resize(grammar.terminals.size());
  for (const Beginning& beginning : beginnings_[true]) {
    for (uint16_t pattern : strict.ends[beginning.q.value]) {
      std::string& spelling = spellings_[terminal_of[pattern]];
      if (spelling.empty()) spelling = beginning.text;
    }
  }
  for (size_t t = 0; t < spellings_.size(); ++t) {
    if (!grammar.terminals[t].spelling.empty()) spellings_[t] = grammar.terminals[t].spelling;
  }
}

void Lexer::BuildSuccessors() {
  FindSuccessors();
  for (bool emitted : {false, true}) {
    BlankOutcomes known;
    separable_[emitted].resize(dfa_.size());
    for (size_t i = 0; i < dfa_.size(); ++i) {
      DfaStateId q{static_cast<uint16_t>(i)};
      LexemeId here = LexemeAt(q);
      separable_[emitted][i] = here != kNoLexeme && lexeme(here).kind != TerminalKind::kPoison &&
                               ComputeSeparable(q, Guards{}, emitted, known);
    }
  }
}

void Lexer::FindSuccessors() {
  for (bool emitted : {false, true}) {
    successors_[emitted].resize(dfa_.size());
    // [to] the last state that was seen to lead there
    std::vector<size_t> seen(dfa_.size(), dfa_.size());
    for (size_t i = 0; i < dfa_.size(); ++i) {
      DfaStateId q{static_cast<uint16_t>(i)};
      std::vector<DfaStateId>& distinct = successors_[emitted][i];
      for (int b = 0; b < 256; ++b) {
        DfaStateId to = Next(q, b);
        if (to == kDeadState || seen[to.value] == i || (emitted && !IsEmitEdge(q, b))) continue;
        seen[to.value] = i;
        distinct.push_back(to);
      }
      std::sort(distinct.begin(), distinct.end());
    }
  }
  FindBlanks();
}

// The states from which an ignored lexeme can be reached, and the bytes that lead to one.
void Lexer::FindBlanks() {
  for (bool emitted : {false, true}) {
    std::vector<std::vector<uint16_t>> before(dfa_.size());
    std::vector<uint16_t> ends;
    for (uint16_t s = 0; s < dfa_.size(); ++s) {
      for (DfaStateId to : successors_[emitted][s]) before[to.value].push_back(s);
      const LexemeId id = lexeme_at_[s];
      if (id != kNoLexeme && lexeme(id).kind == TerminalKind::kIgnored) ends.push_back(s);
    }
    reaches_blank_[emitted] = ReachedFrom(std::move(ends), before);
    begins_blank_[emitted].assign(starts_.size(), {});
    for (size_t m = 0; m < starts_.size(); ++m) {
      for (const DfaStateId begin : {starts_[m], ApartOf(starts_[m])}) {
        for (int b = 0; b < 256 && begin != kDeadState; ++b) {
          const DfaStateId to = Next(begin, b);
          if (to != kDeadState && reaches_blank_[emitted][to.value])
            begins_blank_[emitted][m].set(b);
        }
      }
    }
  }
}

}  // namespace tenon::constraint
