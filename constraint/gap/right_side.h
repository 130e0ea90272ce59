// The right context as stacks meet it: the demand of R, and the memos that are keyed by parser
// stacks.
//
// RightContext knows no parser stack. The questions of a gap do: "does this stack join R?" In
// `foo(a, |)` the stack over `foo(a,` joins `)` only after another argument; the answer is a
// viability class (viability_class.h), computed once a stack node. A stack that reads R to its end
// meets the same stacks at the same line ends again and again; whether these stacks accept the rest
// is remembered as well. All stacks are those of one BranchMover, whose node ids the memos hold.
//
// Cost: a class a stack node met, 48 bytes a remembered line end.
// Thread rule: one thread at a time, with all gaps that share it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/gap/viability_class.h"
#include "constraint/reading/reading.h"
#include "constraint/right/right_context.h"

namespace tenon::constraint {

// R's demand at one level, and the classes that stacks fall into before it.
struct SideDemand {
  const RightDemand& right;
  ViabilityClasses classes;
};

class RightSide {
 public:
  // As RightContext; `mover` makes all stacks that are asked about.
  RightSide(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover,
            std::string_view text, bool emit, size_t room, bool in_lexemes = true);
  RightSide(const RightSide&) = delete;
  RightSide& operator=(const RightSide&) = delete;

  // Becomes another right context that shares an end with this one. REQUIRES: no gap uses it.
  // False: it cannot, make a new one.
  [[nodiscard]] bool Reread(std::string_view text);
  // R's demand where nothing newer than `levels` holds; it lasts until the next Reread. nullptr:
  // stopped; calling it again goes on.
  [[nodiscard]] SideDemand* Prepare(bool whole, PredicateBits levels, const std::stop_token& stop);

  RightContext& context() { return context_; }
  const RightContext& context() const { return context_; }
  BranchMover& mover() { return *mover_; }

  // A stack between two lexemes of R at a line's end, with its place in R (RightContext::Place).
  struct LineEnd {
    uint32_t node, place, indents, depth, names;
    PredicateBits levels;  // where they hold
    bool ends_phrase;
    bool operator==(const LineEnd&) const = default;
  };
  LineEnd LineEndAt(const Between& at, size_t offset) const;
  // Whether the stack accepts the rest of R.
  struct Outcome {
    bool accepted = false;
    PredicateBits barred = 0;  // levels that something of the rest was refused for
  };
  std::optional<Outcome> Known(const LineEnd& at) const;
  void Remember(const LineEnd& at, Outcome outcome) { outcomes_.emplace(at, outcome); }

  size_t node_bytes() const;
  size_t text_bytes() const { return context_.text_bytes(); }

 private:
  struct LineEndHash {
    size_t operator()(const LineEnd& at) const;
  };

  RightContext context_;
  std::shared_ptr<BranchMover> mover_;
  std::vector<std::unique_ptr<SideDemand>> demands_;
  boost::unordered_flat_map<LineEnd, Outcome, LineEndHash> outcomes_;
};

}  // namespace tenon::constraint
