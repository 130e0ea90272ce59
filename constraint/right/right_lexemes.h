// Lexing of the right context from any offset, memoised.
//
// Offsets count in a buffer at whose end R stands, with room before it: so they stay what they are while R grows and shrinks at its
// beginning, and what is known about a suffix of R is kept.
//
// Source: docs/architecture.md, "Lexing at a gap". Cost: each offset is lexed once for each start that it is asked for.
// Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/lex/lex.h"

namespace tenon::constraint {

class RightLexemes {
 public:
  // `room`: R may grow by so many bytes. `limits`: `%most`.
  RightLexemes(const Lexer& lexer, const LexemeRules& rules, std::string_view text, size_t room = 0,
               std::span<const NestingLimit> limits = {});
  // REQUIRES for all that follows: `start` is a start of the lexer.
  // The buffer; R is what begins at begin().
  std::string_view text() const { return buffer_; }
  size_t begin() const { return begin_; }
  std::string_view right() const { return std::string_view(buffer_).substr(begin_); }
  // Reads another right context. Returns the offset from which on all stays known; nothing where the room does not suffice.
  std::optional<size_t> Reread(std::string_view text);
  // kNoLexeme: nothing matches at `offset`, or what matches is poison or breaks a rule for lexemes. REQUIRES: begin() <= offset < size of the buffer.
  Lexer::Match At(size_t offset, DfaStateId start = kStartState);
  // Where a lexeme in progress ends in the buffer when its state is q (Lexer::Land without guards); begin(): not in R.
  const Lexer::Match& LandingOf(DfaStateId q);
  // Unmatched closing brackets from `offset` to the end; nothing where the rest cannot be lexed or leaves one open.
  std::optional<uint32_t> DepthAt(size_t offset);
  // Where the mode that is on top at `offset` has been popped; nothing where the rest cannot be lexed so far or does not pop it.
  // For the default mode: the end of the text, if it can be lexed to there with nothing left open.
  std::optional<size_t> EndOf(size_t offset, ModeId mode);
  // Can the rest be lexed to its end from `offset` in the mode, whatever lies below, and within the limits? What is open there is known from
  // the right: at the end of the text nothing is. Where several modes may lie below, the least of what they leave open counts.
  bool Alive(size_t offset, ModeId mode);
  // The modes below which `mode` may lie such that the rest can be lexed from `offset` once it is popped there.
  ModeMask AliveBelow(size_t offset, ModeId mode);
  size_t memory_bytes() const;

 private:
  using Open = std::array<uint8_t, kMaxNestingLimits>;  // [limit] how many of its modes; 255: or more
  Open OpenBy(ModeId mode) const;
  static uint8_t Sum(uint8_t a, uint8_t b) { return static_cast<uint8_t>(std::min(a + b, 255)); }
  // What is open at least at (offset, mode), that mode included, where the mode is popped over a stack with `below` open; nothing: beyond a limit.
  std::optional<Open> OpenAbove(size_t offset, ModeId mode, const Open& below) const;
  static uint64_t KeyOf(size_t offset, ModeId mode) { return static_cast<uint64_t>(offset) << 8 | mode.value; }
  struct Known {
    uint32_t length = 0;  // 0: not yet known
    LexemeId lexeme = kNoLexeme;
  };

  const Lexer& lexer_;
  const LexemeRules& rules_;
  std::string buffer_;
  size_t begin_;                        // of R
  size_t known_begin_;                  // of what has been read: not behind begin_
  std::vector<Known> matches_;          // [offset]
  std::vector<Lexer::Match> landings_;  // [DfaStateId], once asked for
  std::vector<int32_t> depths_;         // [offset]; kUnknownDepth, kDeadDepth or the depth
  static constexpr uint32_t kNever = 0xffffffffu;
  boost::unordered_flat_map<uint64_t, Known> mode_matches_;  // (offset, start), of starts but the first
  struct End {
    uint32_t offset;
    Open peak{};  // the most that is open up to there, this mode and what lies above it
  };
  boost::unordered_flat_map<uint64_t, End> ends_;  // (offset, mode); kNever: it is not popped
  std::vector<NestingLimit> limits_;
  boost::unordered_flat_map<uint64_t, std::optional<Open>> alive_;  // (offset, mode): what is open there at least
};

}  // namespace tenon::constraint
