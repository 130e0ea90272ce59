// The readings of a left context L, kept at line starts while the document is edited.
//
// A keystroke changes the end of L: after `x = foo(|` comes `x = foo(a|`. The next L shares all
// bytes but the last with the one before, so reading goes on from the last mark, a line start,
// before the first byte that differs. Where no line ends for long, marks are set every 4 KB.
//
// Source: none. Cost: reading the text after the mark (docs/measured.md, keystroke); a mark is 32
// bytes and its branches. Thread rule: one thread at a time, with the mover.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/reading/reading.h"

namespace tenon::constraint {

class LeftContext {
 public:
  explicit LeftContext(std::shared_ptr<BranchMover> mover) : mover_(std::move(mover)) {}
  // The readings at the end of `text`; empty: it is not the beginning of a valid text. Nothing:
  // stopped.
  std::optional<std::vector<Branch>> Read(std::string_view text, const std::stop_token& stop);
  size_t memory_bytes() const;

 private:
  struct Mark {
    size_t offset = 0;
    std::vector<Branch> branches;
  };
  std::shared_ptr<BranchMover> mover_;
  std::string text_;
  std::vector<Mark> marks_;  // by offset
};

}  // namespace tenon::constraint
