#include "constraint/closing/lexeme_distances.h"

#include <algorithm>
#include <utility>

#include "constraint/reading/reading.h"

namespace tenon::constraint {

namespace {
constexpr uint32_t kFar = 1u << 30;
}  // namespace

LexemeDistances::LexemeDistances(std::shared_ptr<const Language> language)
    : language_(std::move(language)) {
  const Lexer& lexer = language_->lexer;
  distance_.assign(lexer.state_count(), kFar);
  for (uint16_t q = 0; q < lexer.state_count(); ++q) {
    const LexemeId id = lexer.LexemeAt({q});
    if (id != kNoLexeme && lexer.lexeme(id).kind != TerminalKind::kPoison) distance_[q] = 0;
  }
  for (bool nearer = true; nearer;) {
    nearer = false;
    for (uint16_t q = 0; q < lexer.state_count(); ++q) {
      for (const DfaStateId to : lexer.Successors({q}, true)) {
        if (distance_[to.value] + 1 >= distance_[q]) continue;
        distance_[q] = distance_[to.value] + 1;
        nearer = true;
      }
    }
  }
}

std::vector<uint8_t> LexemeDistances::NearerBytes(const GapState& state) const {
  std::vector<uint8_t> found;
  for (size_t b = 0; b < 256; ++b) {
    const auto byte = static_cast<uint8_t>(b);
    const bool nearer =
        std::any_of(state.branches().begin(), state.branches().end(), [&](const Branch& branch) {
          if (branch.q == kStartState) return false;
          const DfaStateId to = language_->lexer.Next(branch.q, byte);
          return to == kDeadState || distance_[to.value] < distance_[branch.q.value];
        });
    if (nearer) found.push_back(byte);
  }
  return found;
}

}  // namespace tenon::constraint
