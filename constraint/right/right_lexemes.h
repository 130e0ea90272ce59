// The lexemes of the right context from any offset, memoised, and the brackets and modes open at
// each offset.
//
// R can be read from many offsets: in `foo(a, |bc)` from `b`, and from `)` where the middle ends in
// a name that `bc` finishes. A lexeme from an offset is always the same, so it is lexed once and
// remembered. Brackets and modes are counted from the end of R: after `bc` one bracket is open,
// because R holds a `)` that it does not open itself.
//
// Offsets count in a buffer at whose end R lies, with room before it. When R grows or shrinks at
// its beginning the offsets of the rest stay the same, so all facts about a suffix of R are
// kept.
//
//   buffer   [ . . . . . . . b c ) \n ]
//             room          ^ begin()   end: offset of the buffer's size, depth 0
//
// Source: docs/design/lexing.md. Cost: an offset is lexed once for each start state of the lexer.
// Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/lex/lex.h"

namespace tenon::constraint {

class RightLexemes {
 public:
  // `room`: the number of bytes that R may grow by. `limits`: `%most`. `give_up`: as
  // GiveUpAt.
  RightLexemes(const Lexer& lexer, const LexemeRules& rules, std::string_view text, size_t room = 0,
               std::span<const NestingLimit> limits = {}, std::stop_token give_up = {});
  // REQUIRES for all functions below: `start` is a start state of the lexer.
  // The buffer; R begins at begin().
  std::string_view text() const { return buffer_; }
  size_t begin() const { return begin_; }
  std::string_view right() const { return std::string_view(buffer_).substr(begin_); }
  // The bytes of R's first line, without its line end.
  size_t first_line_bytes() const {
    return std::min(right().find_first_of("\r\n"), right().size());
  }
  // Reads another right context. Returns the offset from which everything known stays valid;
  // nothing where the room does not suffice.
  std::optional<size_t> Reread(std::string_view text);
  // The longest match. kNoLexeme: nothing matches at `offset`, or the match is poison or breaks a
  // rule for lexemes. REQUIRES: begin() <= offset < size of the buffer.
  Lexer::Match At(size_t offset, DfaStateId start = kStartState);
  // Where a lexeme in progress ends in the buffer when its state is q (Lexer::Land without guards);
  // begin(): not in R.
  const Lexer::Match& LandingOf(DfaStateId q);
  // Unmatched closing brackets from `offset` to the end; nothing where the rest cannot be lexed or
  // leaves one open.
  std::optional<uint32_t> DepthAt(size_t offset);
  // The offset after the lexeme that pops the mode on top at `offset`. Nothing where the rest
  // cannot be lexed so far or does not pop it. For the default mode: the end of the text, if the
  // rest can be lexed to there with no other mode left open.
  std::optional<size_t> EndOf(size_t offset, ModeId mode);
  // The match of a lexeme that is read apart, beside one of a rival at `offset`. kNoLexeme: none.
  // REQUIRES: as for At.
  Lexer::Match Apart(size_t offset, DfaStateId start) {
    const DfaStateId apart = lexer_.ApartOf(start);
    if (apart == kDeadState) return {};
    const Lexer::Match match = At(offset, start);
    if (match.lexeme == kNoLexeme || !lexer_.lexeme(match.lexeme).rival) return {};
    return At(offset, apart);
  }
  // Can the rest be lexed to its end from `offset` in the mode, whatever lies below, and within the
  // limits? In a grammar with `%apart`: in any of its readings, whatever the limits. The modes open
  // there are counted from the right: at the end of the text none is. Where several modes may lie
  // below, the one that leaves the fewest open counts.
  bool Alive(size_t offset, ModeId mode);
  // In a grammar with `%apart`: every offset after a lexeme that may pop the mode on top at
  // `offset`, ascending; for the default mode the end of the text. Nothing: there are too many.
  // The reference stays valid until the text is read anew.
  using EndList = std::optional<std::vector<uint32_t>>;
  const EndList& EndsOf(size_t offset, ModeId mode);
  // Until the next call Alive and EndOf give up once `stop` is requested: their answers then mean
  // nothing, and everything here is to be thrown away.
  void GiveUpAt(std::stop_token stop) { give_up_ = std::move(stop); }
  // The modes that may lie below `mode` where it is popped at `offset`: in each of them the rest
  // can be lexed from there.
  ModeMask AliveBelow(size_t offset, ModeId mode);
  size_t memory_bytes() const;

 private:
  // [limit] how many of its modes are open; 255: or more.
  using Open = std::array<uint8_t, kMaxNestingLimits>;
  Open OpenBy(ModeId mode) const;
  static uint8_t Sum(uint8_t a, uint8_t b) { return static_cast<uint8_t>(std::min(a + b, 255)); }
  // The least number open at (offset, mode), that mode included, where the mode is popped over a
  // stack with `below` open. Nothing: a limit is passed.
  std::optional<Open> OpenAbove(size_t offset, ModeId mode, const Open& below) const;
  // A question of EndsOf: the ends of (at, mode). The answer is also that of keys which wait for
  // it: those of EndsOf's `waiting` from `first_waiting` on.
  struct Question {
    size_t at;
    ModeId mode;
    size_t first_waiting;
  };
  static constexpr uint32_t kNoEnds = 0, kTooManyEnds = 1;  // of end_lists_
  uint32_t AddEndList(EndList ends);
  std::optional<uint32_t> ListOf(size_t offset, ModeId mode) const;
  std::optional<uint32_t> FollowOneReading(Question& question, std::vector<uint64_t>& waiting,
                                           std::vector<std::pair<size_t, ModeId>>& unknown);
  std::optional<uint32_t> JoinReadings(size_t at, ModeId mode,
                                       std::vector<std::pair<size_t, ModeId>>& unknown);
  static uint64_t KeyOf(size_t offset, ModeId mode) {
    return static_cast<uint64_t>(offset) << 8 | mode.value;
  }
  struct Known {
    uint32_t length = 0;  // 0: not yet known
    LexemeId lexeme = kNoLexeme;
  };

  const Lexer& lexer_;
  const LexemeRules& rules_;
  std::string buffer_;
  size_t begin_;                        // of R
  size_t known_begin_;                  // of the part that was read: not after begin_
  std::vector<Known> matches_;          // [offset]
  std::vector<Lexer::Match> landings_;  // [DfaStateId]; empty: not computed
  std::vector<int32_t> depths_;         // [offset]; kUnknownDepth, kDeadDepth or the depth
  static constexpr uint32_t kNever = 0xffffffffu;
  // (offset, start), of starts other than kStartState.
  boost::unordered_flat_map<uint64_t, Known> mode_matches_;
  struct End {
    uint32_t offset;
    Open peak{};  // the most open up to there: this mode and the modes above it
  };
  boost::unordered_flat_map<uint64_t, End> ends_;  // (offset, mode); kNever: it is not popped
  static constexpr size_t kMaxEnds = 8;
  // (offset, mode) -> end_lists_. Offsets of one mode share a list up to where it is popped.
  boost::unordered_flat_map<uint64_t, uint32_t> list_of_;
  std::deque<EndList> end_lists_{EndList(std::in_place), std::nullopt};
  std::vector<NestingLimit> limits_;
  std::stop_token give_up_;
  // (offset, mode): the least number open there; nothing: the rest cannot be lexed.
  boost::unordered_flat_map<uint64_t, std::optional<Open>> alive_;
};

}  // namespace tenon::constraint
