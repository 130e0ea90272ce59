// The right context R, with the memos that are keyed by parser stacks.
//
// RightContext knows no parser stack. A gap has to know whether a stack joins R. Example: in
// `foo(a, |)` the stack over `foo(a,` joins `)` only after another argument. The answer is a
// viability class (viability_class.h), computed once a stack node.
//
// A second memo belongs to stacks that read R to its end. They come to the same places with the
// same stacks again and again. So the memo holds, for a stack at a *checkpoint* of R, whether the
// rest of R is accepted. A checkpoint is the end of a line, or, since a file may be one line, one
// place in kCheckpointBytes.
//
// All stacks belong to one BranchMover. The memos hold its node ids.
//
// Cost: a class a stack node met, 48 bytes a remembered checkpoint.
// Thread rule: one thread at a time, with all gaps that share it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/gap/viability_class.h"
#include "constraint/reading/reading.h"
#include "constraint/right/right_context.h"

namespace tenon::constraint {

// R's demand at one level, and the viability classes of stacks for it.
struct SideDemand {
  const RightDemand& right;
  ViabilityClasses classes;
};

class RightSide {
 public:
  static constexpr size_t kCheckpointBytes = 16;

  // As RightContext; `mover` makes all stacks.
  RightSide(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover,
            std::string_view text, bool emit, size_t room, bool in_lexemes = true,
            const std::stop_token& stop = {});
  RightSide(const RightSide&) = delete;
  RightSide& operator=(const RightSide&) = delete;

  // Becomes the right context `text`, which shares an end with this one. REQUIRES: no gap uses this
  // object. False: it cannot become `text`; make a new object.
  [[nodiscard]] bool Reread(std::string_view text, const std::stop_token& stop);
  // R's demand at `levels` and `seam`; valid until the next Reread. nullptr: stopped; another call
  // continues (RightContext::Prepare).
  [[nodiscard]] SideDemand* Prepare(bool whole, PredicateBits levels, const std::stop_token& stop,
                                    Seam seam = Seam::kClosed);

  RightContext& context() { return context_; }
  const RightContext& context() const { return context_; }
  BranchMover& mover() { return *mover_; }

  // Does `offset`, which lies between two lexemes, end a line, or is it one in kCheckpointBytes?
  [[nodiscard]] bool IsCheckpoint(size_t offset) const;
  // A stack at a checkpoint, with its offset (RightContext::Place).
  struct Checkpoint {
    uint32_t node, place, indents, depth, modes, names;
    PredicateBits levels;  // the levels that hold
    PredicateBits bound;   // BranchMover::bound
    bool ends_phrase;
    InsertionPlace place_of_inserted;  // LineEnds::place
    bool operator==(const Checkpoint&) const = default;
  };
  Checkpoint CheckpointAt(const Between& at, size_t offset) const;
  // Does the stack accept the rest of R?
  struct Outcome {
    bool accepted = false;
    PredicateBits barred = 0;  // levels for which a lexeme of the rest was refused
    bool names = false;        // a condition on declared names may have been tested
  };
  std::optional<Outcome> Known(const Checkpoint& at) const;
  // Names for which R was refused: the construct around a place of R has to have them. The latest
  // ones; they are kept with the memo, which does not say again what R asked for.
  const std::vector<std::string>& asked_names() const { return asked_names_; }
  void RememberAskedName(std::string name);
  void Remember(const Checkpoint& at, Outcome outcome) { outcomes_.emplace(at, outcome); }

  size_t node_bytes() const;
  size_t text_bytes() const { return context_.text_bytes(); }

 private:
  struct CheckpointHash {
    size_t operator()(const Checkpoint& at) const;
  };

  RightContext context_;
  std::shared_ptr<BranchMover> mover_;
  std::vector<std::unique_ptr<SideDemand>> demands_;
  boost::unordered_flat_map<Checkpoint, Outcome, CheckpointHash> outcomes_;
  std::vector<std::string> asked_names_;
};

}  // namespace tenon::constraint
