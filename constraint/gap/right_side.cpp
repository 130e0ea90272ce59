#include "constraint/gap/right_side.h"

#include <algorithm>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

RightSide::RightSide(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover,
                     std::string_view text, bool emit, size_t room, bool in_lexemes,
                     const std::stop_token& stop)
    : context_(std::move(language), text, emit, room, in_lexemes, stop), mover_(std::move(mover)) {}

bool RightSide::Reread(std::string_view text, const std::stop_token& stop) {
  const std::optional<size_t> kept = context_.Reread(text, stop);
  if (!kept) return false;
  demands_.clear();
  boost::unordered::erase_if(outcomes_,
                             [&](const auto& entry) { return entry.first.place < *kept; });
  return true;
}

SideDemand* RightSide::Prepare(bool whole, PredicateBits levels, const std::stop_token& stop,
                               Seam seam) {
  const RightDemand* demand = context_.Prepare(whole, levels, mover_->pack_above(), stop, seam);
  if (!demand) return nullptr;
  const auto known = std::find_if(demands_.begin(), demands_.end(),
                                  [&](const auto& made) { return &made->right == demand; });
  if (known != demands_.end()) return known->get();
  const Language& language = context_.language();
  const LayoutRules& layout = language.layout;
  demands_.emplace_back(new SideDemand{
      *demand,
      ViabilityClasses(
          *language.index, language.table, demand->graph, language.YieldsAt(context_.emit(), seam),
          layout.has_columns() ? std::optional(layout.indent_terminal()) : std::nullopt,
          context_.text().empty() && language.open_ended, seam != Seam::kOpen)});
  return demands_.back().get();
}

bool RightSide::IsCheckpoint(size_t offset) const {
  const std::string_view rest = std::string_view(context_.text()).substr(offset);
  const size_t next = rest.find_first_not_of(" \t\r");
  return next == std::string_view::npos || rest[next] == '\n' ||
         rest.size() % kCheckpointBytes == 0;
}

RightSide::Checkpoint RightSide::CheckpointAt(const Between& at, size_t offset) const {
  return {at.top.value,
          static_cast<uint32_t>(context_.Place(offset)),
          at.context.layout.indents.value,
          at.context.layout.depth,
          at.context.modes.value,
          at.context.names.value,
          at.context.levels.hold() ? at.context.levels.on() : 0,
          mover_->bound(),
          at.context.line_ends.ends_phrase,
          at.context.line_ends.place};
}

size_t RightSide::CheckpointHash::operator()(const Checkpoint& at) const {
  return HashOf(at.node, at.place, at.indents, at.depth, at.modes, at.ends_phrase,
                static_cast<uint8_t>(at.place_of_inserted), at.levels, at.bound, at.names);
}

std::optional<RightSide::Outcome> RightSide::Known(const Checkpoint& at) const {
  const auto known = outcomes_.find(at);
  if (known == outcomes_.end()) return std::nullopt;
  return known->second;
}

void RightSide::RememberAskedName(std::string name) {
  constexpr size_t kMaxAskedNames = 32;
  if (std::find(asked_names_.begin(), asked_names_.end(), name) != asked_names_.end()) return;
  if (asked_names_.size() == kMaxAskedNames) asked_names_.erase(asked_names_.begin());
  asked_names_.push_back(std::move(name));
}

size_t RightSide::node_bytes() const {
  return context_.node_bytes() +
         outcomes_.bucket_count() * (sizeof(Checkpoint) + sizeof(Outcome) + 1);
}

}  // namespace tenon::constraint
