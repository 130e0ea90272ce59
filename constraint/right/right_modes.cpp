#include "constraint/right/right_modes.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "constraint/base/base.h"

namespace tenon::constraint {

bool RightModes::Alive(size_t offset, ModeStackId modes) {
  if (lexer_.reads_apart()) return AliveApart(offset, modes);
  for (; lexer_.has_modes() && below(modes) != ModeArena::kUnknown; modes = below(modes)) {
    std::optional<size_t> end = lexemes_.EndOf(offset, top(modes));
    if (!end) return false;
    offset = *end;
  }
  return Alive(offset, top(modes));
}

// With `%apart` a mode may be popped at several offsets.
bool RightModes::AliveApart(size_t offset, ModeStackId modes) {
  std::vector<uint32_t> at{static_cast<uint32_t>(offset)};
  for (; below(modes) != ModeArena::kUnknown; modes = below(modes)) {
    std::vector<uint32_t> popped;
    for (const uint32_t from : at) {
      const RightLexemes::EndList& ends = lexemes_.EndsOf(from, top(modes));
      if (!ends) return true;
      popped.insert(popped.end(), ends->begin(), ends->end());
    }
    SortUnique(popped);
    at = std::move(popped);
  }
  return std::any_of(at.begin(), at.end(), [&](uint32_t from) { return Alive(from, top(modes)); });
}

std::span<const ModeStackId> RightModes::After(const Lexeme& lexeme, ModeStackId before,
                                               size_t end) {
  const ModeAction action = lexeme.action;
  after_.clear();
  switch (action.kind) {
    case ModeAction::Kind::kNone:
      after_.push_back(before);
      break;
    case ModeAction::Kind::kSwitch:
      after_.push_back(arena_.Push(below(before), action.mode));
      break;
    case ModeAction::Kind::kPush:
      AddPushed(action.mode, before, end);
      break;
    case ModeAction::Kind::kPop:
      AddPopped(before, end);
      break;
  }
  return after_;
}

// Forgets the modes below the pushed one where R finds them again: where `before` knows its top
// alone, and no other mode can lie below when the pushed one is popped.
void RightModes::AddPushed(ModeId pushed, ModeStackId before, size_t end) {
  const bool lowest = below(before) == ModeArena::kUnknown;
  const auto finds_again = [&](size_t popped) {
    return lexemes_.AliveBelow(popped, pushed) == MaskOf(top(before));
  };
  bool forgets = false;
  if (lexer_.reads_apart()) {
    const RightLexemes::EndList& ends = lexemes_.EndsOf(end, pushed);
    if (ends && ends->empty()) return;
    forgets = lowest && ends && std::all_of(ends->begin(), ends->end(), finds_again);
  } else {
    const std::optional<size_t> popped = lexemes_.EndOf(end, pushed);
    if (!popped) return;
    forgets = lowest && finds_again(*popped);
  }
  after_.push_back(arena_.Push(forgets ? ModeArena::kUnknown : before, pushed));
}

void RightModes::AddPopped(ModeStackId before, size_t end) {
  if (below(before) != ModeArena::kUnknown) {
    after_.push_back(below(before));
    return;
  }
  const ModeMask alive = lexemes_.AliveBelow(end, top(before));
  for (uint8_t m = 0; m < kMaxModes && alive >> m; ++m) {
    if (alive >> m & 1) after_.push_back(Over(ModeId{m}));
  }
}

}  // namespace tenon::constraint
