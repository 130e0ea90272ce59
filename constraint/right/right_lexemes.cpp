#include "constraint/right/right_lexemes.h"

#include <algorithm>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {
constexpr int32_t kUnknownDepth = -2;
constexpr int32_t kDeadDepth = -1;

// [limit] how many of its modes are open (RightLexemes::Open).
using Open = std::array<uint8_t, kMaxNestingLimits>;

void Raise(Open& open, const Open& other) {
  for (size_t i = 0; i < open.size(); ++i) open[i] = std::max(open[i], other[i]);
}

// A mode that was pushed and is not yet popped, while the end of an outer one is searched for.
struct Level {
  ModeId mode;
  std::vector<uint64_t> waiting;  // keys whose answer is the level's end
  // For some of them the most open after the key, up to the next one: index in waiting, ascending.
  std::vector<std::pair<size_t, Open>> peaks{};

  // Calls answer(key, peak) for each key that waits. `peak`: the most open after the last key. Then
  // it is the most open in the whole level.
  template <typename Answer>
  void AnswerAll(Open& peak, Answer answer) {
    for (size_t i = waiting.size(); i-- > 0;) {
      if (!peaks.empty() && peaks.back().first == i) {
        Raise(peak, peaks.back().second);
        peaks.pop_back();
      }
      answer(waiting[i], peak);
    }
  }
};

}  // namespace

RightLexemes::RightLexemes(const Lexer& lexer, const LexemeRules& rules, std::string_view text,
                           size_t room, std::span<const NestingLimit> limits,
                           std::stop_token give_up)
    : lexer_(lexer),
      rules_(rules),
      buffer_(room + text.size(), ' '),
      begin_(room),
      known_begin_(room),
      matches_(room + text.size()),
      depths_(room + text.size() + 1, kUnknownDepth),
      limits_(limits.begin(), limits.end()),
      give_up_(std::move(give_up)) {
  std::copy(text.begin(), text.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(room));
  depths_.back() = 0;
}

std::optional<size_t> RightLexemes::Reread(std::string_view text) {
  if (text.size() > buffer_.size()) return std::nullopt;
  std::string_view known = std::string_view(buffer_).substr(known_begin_);
  size_t common = static_cast<size_t>(
      std::mismatch(text.rbegin(), text.rend(), known.rbegin(), known.rend()).first -
      text.rbegin());
  begin_ = buffer_.size() - text.size();
  landings_.clear();
  if (common == text.size()) return known_begin_;
  size_t kept = buffer_.size() - common;
  const auto before_kept = [&](const auto& entry) { return entry.first >> 8 < kept; };
  boost::unordered::erase_if(ends_, before_kept);
  boost::unordered::erase_if(alive_, before_kept);
  boost::unordered::erase_if(list_of_, before_kept);
  if (end_lists_.size() > list_of_.size() + 2) {  // most are nobody's any more
    list_of_.clear();
    end_lists_.resize(2);
  }
  boost::unordered::erase_if(mode_matches_,
                             [&](const auto& entry) { return entry.first >> 16 < kept; });
  for (size_t i = known_begin_; i < kept; ++i) {
    matches_[i] = Known{};
    depths_[i] = kUnknownDepth;
  }
  std::copy(text.begin(), text.end() - static_cast<std::ptrdiff_t>(common),
            buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
  known_begin_ = begin_;
  return kept;
}

Lexer::Match RightLexemes::At(size_t offset, DfaStateId start) {
  Known& known = start == kStartState
                     ? matches_[offset]
                     : mode_matches_[static_cast<uint64_t>(offset) << 16 | start.value];
  if (known.length == 0) {
    Lexer::Match match = lexer_.LongestMatch(buffer_, offset, start);
    bool none =
        match.lexeme == kNoLexeme || lexer_.lexeme(match.lexeme).kind == TerminalKind::kPoison ||
        (match.end == buffer_.size() && lexer_.lexeme(match.lexeme).not_last) ||
        !rules_.Keeps(match.lexeme, std::string_view(buffer_).substr(offset, match.end - offset));
    known.lexeme = none ? kNoLexeme : match.lexeme;
    known.length = match.end > offset ? static_cast<uint32_t>(match.end - offset) : 1;
  }
  return {known.lexeme, offset + known.length};
}

const Lexer::Match& RightLexemes::LandingOf(DfaStateId q) {
  if (landings_.empty()) {
    landings_ = lexer_.LandAll(right());
    for (Lexer::Match& match : landings_) match.end += begin_;
  }
  return landings_[q.value];
}

size_t RightLexemes::memory_bytes() const {
  return buffer_.size() + matches_.size() * sizeof(Known) + depths_.size() * 4 +
         landings_.size() * sizeof(Lexer::Match) +
         (mode_matches_.size() + ends_.size() + list_of_.size() + alive_.size()) * 16 +
         end_lists_.size() * (sizeof(EndList) + 4);
}

// Reads lexemes from `offset` on and keeps a stack of the modes pushed. When a mode is popped, the
// end is known for all offsets read in it, and they are filled in together.
std::optional<size_t> RightLexemes::EndOf(size_t offset, ModeId mode) {
  std::vector<Level> levels{{mode, {}}};
  size_t at = offset;
  // Reads a lexeme in the level on top. The end of that level, where it is known now, with the most
  // open after the last key that waits.
  const auto read = [&]() -> std::optional<End> {
    Level& level = levels.back();
    const uint64_t key = KeyOf(at, level.mode);
    if (const auto known = ends_.find(key); known != ends_.end()) return known->second;
    const bool outermost = level.mode == ModeId{};
    if (at == buffer_.size()) return End{outermost ? static_cast<uint32_t>(at) : kNever};
    level.waiting.push_back(key);
    const Lexer::Match match = At(at, lexer_.StartOf(level.mode));
    if (match.lexeme == kNoLexeme) return End{kNever};
    const ModeAction action = lexer_.lexeme(match.lexeme).action;
    const bool pops = action.kind == ModeAction::Kind::kPop;
    if (pops && outermost) return End{kNever};
    at = match.end;
    if (pops) return End{static_cast<uint32_t>(at)};
    if (action.kind == ModeAction::Kind::kSwitch) level.mode = action.mode;
    if (action.kind == ModeAction::Kind::kPush) levels.push_back({action.mode, {}});
    return std::nullopt;
  };
  // Fills in the end of the level on top, and leaves the level.
  const auto leave = [&](const End& end) {
    Level& level = levels.back();
    Open peak = end.peak;
    if (!limits_.empty()) Raise(peak, OpenBy(level.mode));
    level.AnswerAll(peak, [&](uint64_t key, const Open& open) { ends_[key] = {end.offset, open}; });
    levels.pop_back();
    if (limits_.empty() || levels.empty()) return;
    Level& around = levels.back();
    const Open under = OpenBy(around.mode);
    for (size_t i = 0; i < peak.size(); ++i) peak[i] = Sum(peak[i], under[i]);
    around.peaks.emplace_back(around.waiting.size() - 1, peak);
  };
  while (!give_up_.stop_requested()) {
    const std::optional<End> end = read();
    if (!end) continue;
    leave(*end);
    if (end->offset == kNever) {  // then no mode below is popped either
      while (!levels.empty()) leave({kNever});
      return std::nullopt;
    }
    if (levels.empty()) return end->offset;
    at = end->offset;
  }
  return std::nullopt;
}

uint32_t RightLexemes::AddEndList(EndList ends) {
  if (!ends) return kTooManyEnds;
  if (ends->empty()) return kNoEnds;
  end_lists_.push_back(std::move(ends));
  return static_cast<uint32_t>(end_lists_.size() - 1);
}

std::optional<uint32_t> RightLexemes::ListOf(size_t offset, ModeId mode) const {
  const auto known = list_of_.find(KeyOf(offset, mode));
  return known == list_of_.end() ? std::nullopt : std::optional<uint32_t>(known->second);
}

// Moves the question on while its answer is that of one later offset: over a lexeme that leaves the
// modes alone, and over a bracket with one end. Nothing: the ends of `unknown` are needed first.
std::optional<uint32_t> RightLexemes::FollowOneReading(
    Question& question, std::vector<uint64_t>& waiting,
    std::vector<std::pair<size_t, ModeId>>& unknown) {
  for (;;) {
    auto& [at, mode, first_waiting] = question;
    if (const auto known = ListOf(at, mode)) return known;
    if (at == buffer_.size()) return JoinReadings(at, mode, unknown);
    const DfaStateId start = lexer_.StartOf(mode);
    const Lexer::Match match = At(at, start);
    if (match.lexeme == kNoLexeme) return kNoEnds;
    const Lexeme& lexeme = lexer_.lexeme(match.lexeme);
    if (lexeme.action.kind == ModeAction::Kind::kPop ||
        (lexeme.rival && Apart(at, start).lexeme != kNoLexeme))
      return JoinReadings(at, mode, unknown);
    size_t next = match.end;
    if (lexeme.action.kind == ModeAction::Kind::kPush) {
      const auto inner = ListOf(match.end, lexeme.action.mode);
      if (!inner || !end_lists_[*inner] || end_lists_[*inner]->size() != 1)
        return JoinReadings(at, mode, unknown);
      next = end_lists_[*inner]->front();
    }
    waiting.push_back(KeyOf(at, mode));
    at = next;
    if (lexeme.action.kind == ModeAction::Kind::kSwitch) mode = lexeme.action.mode;
  }
}

// The ends of all readings at an offset together. Nothing: the ends of `unknown` are needed first.
std::optional<uint32_t> RightLexemes::JoinReadings(
    size_t at, ModeId mode, std::vector<std::pair<size_t, ModeId>>& unknown) {
  EndList ends{std::in_place};
  // Adds the ends of (from, m).
  const auto add = [&](size_t from, ModeId m) {
    const auto known = ListOf(from, m);
    if (!known) return unknown.emplace_back(from, m), void();
    if (!end_lists_[*known]) ends.reset();
    if (ends) ends->insert(ends->end(), end_lists_[*known]->begin(), end_lists_[*known]->end());
  };
  if (at == buffer_.size())
    return mode == ModeId{} ? AddEndList(std::vector<uint32_t>{static_cast<uint32_t>(at)})
                            : kNoEnds;
  const DfaStateId start = lexer_.StartOf(mode);
  for (const Lexer::Match& match : {At(at, start), Apart(at, start)}) {
    if (match.lexeme == kNoLexeme || !ends) continue;
    const ModeAction action = lexer_.lexeme(match.lexeme).action;
    if (action.kind == ModeAction::Kind::kPop) {
      if (mode != ModeId{}) ends->push_back(static_cast<uint32_t>(match.end));
    } else if (action.kind != ModeAction::Kind::kPush) {
      add(match.end, action.kind == ModeAction::Kind::kSwitch ? action.mode : mode);
    } else if (const auto inner = ListOf(match.end, action.mode); !inner) {
      unknown.emplace_back(match.end, action.mode);
    } else if (!end_lists_[*inner]) {
      ends.reset();
    } else {
      for (size_t i = 0; i < end_lists_[*inner]->size() && ends && unknown.empty(); ++i)
        add((*end_lists_[*inner])[i], mode);
    }
  }
  if (!unknown.empty()) return std::nullopt;
  if (ends) {
    SortUnique(*ends);
    if (ends->size() > kMaxEnds) ends.reset();
  }
  return AddEndList(std::move(ends));
}

// Depth first without recursion, as for Alive: a question stays until the ends of all that its
// lexemes lead to are known.
const RightLexemes::EndList& RightLexemes::EndsOf(size_t offset, ModeId mode) {
  std::vector<Question> asked{{offset, mode, 0}};
  std::vector<uint64_t> waiting;
  std::vector<std::pair<size_t, ModeId>> unknown;
  while (!asked.empty() && !give_up_.stop_requested()) {
    unknown.clear();
    Question& question = asked.back();
    const auto list = FollowOneReading(question, waiting, unknown);
    if (!list) {
      for (const auto& [at, inner] : unknown) asked.push_back({at, inner, waiting.size()});
      continue;
    }
    list_of_.try_emplace(KeyOf(question.at, question.mode), *list);
    for (size_t i = question.first_waiting; i < waiting.size(); ++i) list_of_[waiting[i]] = *list;
    waiting.resize(question.first_waiting);
    asked.pop_back();
  }
  return end_lists_[ListOf(offset, mode).value_or(kTooManyEnds)];
}

RightLexemes::Open RightLexemes::OpenBy(ModeId mode) const {
  Open open{};
  for (size_t i = 0; i < limits_.size(); ++i) open[i] = limits_[i].modes >> mode.value & 1;
  return open;
}

std::optional<RightLexemes::Open> RightLexemes::OpenAbove(size_t offset, ModeId mode,
                                                          const Open& below) const {
  Open open = OpenBy(mode);
  const auto end = ends_.find(KeyOf(offset, mode));
  for (size_t i = 0; i < limits_.size(); ++i) {
    if (end != ends_.end() && !limits_[i].blocks &&
        below[i] + end->second.peak[i] > limits_[i].most)
      return std::nullopt;
    open[i] = Sum(open[i], below[i]);
  }
  return open;
}

// A depth-first search without recursion: (offset, mode) is alive if the mode is popped and some
// mode that may lie below is alive there. A key stays on the stack until its successors are known.
bool RightLexemes::Alive(size_t offset, ModeId mode) {
  std::vector<std::pair<size_t, ModeId>> asked{{offset, mode}};
  bool alive = false;
  while (!asked.empty()) {
    auto [at, top] = asked.back();
    if (auto known = alive_.find(KeyOf(at, top)); known != alive_.end()) {
      alive = known->second.has_value();
      asked.pop_back();
      continue;
    }
    if (lexer_.reads_apart()) {
      const EndList& ends = EndsOf(at, top);
      const ModeMask under = lexer_.Below(MaskOf(top));
      bool any = !ends || (top == ModeId{} && !ends->empty()), waits = false;
      for (size_t e = 0; !any && !waits && e < ends->size(); ++e) {
        for (uint8_t m = 0; under >> m && !any && !waits; ++m) {
          if (!(under >> m & 1)) continue;
          auto known = alive_.find(KeyOf((*ends)[e], ModeId{m}));
          waits = known == alive_.end();
          if (waits)
            asked.emplace_back((*ends)[e], ModeId{m});
          else
            any = known->second.has_value();
        }
      }
      if (!waits) alive_[KeyOf(at, top)] = any ? std::optional<Open>(Open{}) : std::nullopt;
      continue;
    }
    const std::optional<size_t> end = EndOf(at, top);
    std::optional<Open> least;  // open at its end
    if (end && top == ModeId{}) least = Open{};
    ModeMask below = end && !least ? lexer_.Below(MaskOf(top)) : 0;
    bool waits = false;
    for (uint8_t m = 0; below >> m && !waits && (!least || !limits_.empty()); ++m) {
      if (!(below >> m & 1)) continue;
      auto known = alive_.find(KeyOf(*end, ModeId{m}));
      if (known == alive_.end()) {
        asked.emplace_back(*end, ModeId{m});
        waits = true;
      } else if (known->second && !least) {
        least = known->second;
      } else if (known->second) {
        for (size_t i = 0; i < limits_.size(); ++i)
          (*least)[i] = std::min((*least)[i], (*known->second)[i]);
      }
    }
    if (waits) continue;
    alive_[KeyOf(at, top)] = least ? OpenAbove(at, top, *least) : std::nullopt;
  }
  return alive;
}

ModeMask RightLexemes::AliveBelow(size_t offset, ModeId mode) {
  ModeMask below = lexer_.Below(MaskOf(mode)), alive = 0;
  for (uint8_t m = 0; m < kMaxModes && below >> m; ++m) {
    if ((below >> m & 1) && Alive(offset, ModeId{m})) alive |= MaskOf(ModeId{m});
  }
  return alive;
}

// Reads lexemes until an offset of known depth, then fills in the path backwards: an offset's depth
// is that after its lexeme, one more where the lexeme closes a bracket and one less where it opens
// one.
std::optional<uint32_t> RightLexemes::DepthAt(size_t offset) {
  std::vector<size_t> path;
  size_t at = offset;
  while (depths_[at] == kUnknownDepth) {
    path.push_back(at);
    const Lexer::Match match = At(at);
    if (match.lexeme == kNoLexeme) {
      depths_[at] = kDeadDepth;
      break;
    }
    at = match.end;
  }
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    if (depths_[*it] != kUnknownDepth) continue;
    const Lexer::Match match = At(*it);
    int32_t after = depths_[match.end];
    int32_t depth = after == kDeadDepth ? kDeadDepth : after - lexer_.lexeme(match.lexeme).bracket;
    depths_[*it] = depth < 0 ? kDeadDepth : depth;
  }
  if (depths_[offset] == kDeadDepth) return std::nullopt;
  return static_cast<uint32_t>(depths_[offset]);
}

}  // namespace tenon::constraint
