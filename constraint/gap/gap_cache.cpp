#include "constraint/gap/gap_cache.h"

#include <algorithm>

#include "constraint/base/base.h"
#include "constraint/gap/right_side.h"
#include "constraint/gap/shared_gap.h"

namespace tenon::constraint {

namespace {

constexpr size_t kRoomBytes =
    64u << 10;  // that a document may grow by before its right context is read anew

std::string LineEndOf(std::string_view left, std::string_view right) {
  for (std::string_view text : {left, right}) {
    size_t at = text.find_first_of("\r\n");
    if (at == std::string_view::npos) continue;
    if (text[at] == '\n') return "\n";
    return text.substr(at, 2) == "\r\n" ? "\r\n" : "\r";
  }
  return "\n";
}

// The levels up to the first of `asked` that does not hold yet. Nothing: all of them do.
std::optional<PredicateBits> RaisedLevels(const Grammar& grammar, PredicateBits levels,
                                          PredicateBits asked) {
  PredicateBits up_to = 0;
  for (PredicateId level : grammar.levels) {
    const PredicateBits own = PredicateBits{1} << level.value;
    up_to |= own;
    if (own & asked & ~levels) return up_to;
  }
  return std::nullopt;
}

// The newest level that a reading of L uses, as its own bit.
PredicateBits NewestLevel(const Grammar& grammar, PredicateBits used) {
  for (size_t i = grammar.levels.size(); i > 0; --i) {
    const PredicateBits own = PredicateBits{1} << grammar.levels[i - 1].value;
    if (used & own) return own;
  }
  return 0;
}

}  // namespace

GapCache::GapCache(std::shared_ptr<const Language> language, Use use)
    : language_(std::move(language)), use_(use) {
  Drop();
}

GapCache::~GapCache() = default;

void GapCache::DropRight() {
  gaps_.clear();
  right_.reset();
}

void GapCache::Drop() {
  DropRight();
  mover_ = std::make_shared<BranchMover>(*language_);
  left_.emplace(mover_);
}

size_t GapCache::node_bytes() const {
  return mover_->stacks().memory_bytes() + mover_->names().memory_bytes() + left_->memory_bytes() +
         (right_ ? right_->node_bytes() : 0);
}

size_t GapCache::memory_bytes() const { return node_bytes() + (right_ ? right_->text_bytes() : 0); }

bool GapCache::ReadRight(std::string_view left, std::string_view right, bool emit,
                         const std::stop_token& stop) {
  if (right_ && right_->context().emit() == emit && right_->context().text() == right) return true;
  gaps_.clear();
  bool ours = right_ && right_.use_count() == 1 && right_->context().emit() == emit;
  if (!ours || !right_->Reread(right, stop)) {
    const size_t room = use_ == Use::kKept ? left.size() + kRoomBytes : 0;
    right_ = std::make_shared<RightSide>(language_, mover_, right, emit, room, true, stop);
  }
  // What was read when the stop came is not known.
  if (stop.stop_requested()) DropRight();
  return right_ != nullptr;
}

// The memos of a shared gap hold for every policy of one strength and level; states still held keep
// theirs.
std::shared_ptr<SharedGap> GapCache::SharedGapFor(SideDemand& demand, const std::string& line_end,
                                                  const GapPolicy& policy) {
  auto at = std::find_if(gaps_.begin(), gaps_.end(),
                         [&](const auto& gap) { return &gap->demand() == &demand; });
  if (at == gaps_.end()) at = gaps_.insert(at, nullptr);
  if (*at && at->use_count() == 1 && (*at)->line_end() == line_end)
    (*at)->BeginGap(policy);
  else
    *at = std::make_shared<SharedGap>(line_end, right_, demand, policy);
  return *at;
}

std::optional<GapState> GapCache::Open(std::string_view left, std::string_view right,
                                       GapPolicy policy, const std::stop_token& stop) {
  if (node_bytes() > kMaxNodeBytes) Drop();
  mover_->PackAbove(policy.pack_above.value_or(kPackAbove));
  const NoteScope given_up(mover_->given_up());
  auto branches = left_->Read(left, stop);
  if (!branches) return std::nullopt;
  const bool too_ambiguous = given_up.notes().any;
  bool whole = std::any_of(branches->begin(), branches->end(),
                           [](const Branch& branch) { return branch.top == kBottomNode; });
  if (!ReadRight(left, right, policy.emit, stop)) return std::nullopt;
  const std::string line_end = LineEndOf(left, right);
  if (!policy.emit) {
    policy.levels = kAnyLevel;
    policy.seam = Seam::kOpen;
  }
  const Grammar& grammar = language_->grammar;
  PredicateBits asked = 0;  // levels that would let more of L and R be read
  for (const Branch& branch : *branches) asked |= NewestLevel(grammar, branch.context.levels.on());
  const bool left_holds = std::any_of(
      branches->begin(), branches->end(),
      [&](const Branch& branch) { return (branch.context.levels.on() & ~policy.levels) == 0; });
  if (!left_holds)
    policy.levels = RaisedLevels(grammar, policy.levels, asked).value_or(policy.levels);
  for (;;) {
    SideDemand* demand = right_->Prepare(whole, policy.levels, stop, policy.seam);
    if (!demand) {
      if (policy.seam != Seam::kClosed) DropRight();  // what was read is not known
      return std::nullopt;
    }
    std::vector<Branch> held;  // none where R is given up
    if (!demand->right.too_ambiguous) held = *branches;
    if (policy.emit) mover_->BeginWriting(policy.levels, held);
    const NoteScope refused(mover_->refused());
    GapState state(SharedGapFor(*demand, line_end, policy),
                   {std::move(held), false, too_ambiguous || demand->right.too_ambiguous});
    if (language_->encoding && !(policy.emit && language_->encoding->IsDecided(left)))
      state.undecided_left_ = std::make_shared<const std::string>(left);
    asked |= demand->right.barred | refused.notes().bits;
    const auto raised = RaisedLevels(grammar, policy.levels, asked);
    if (state.viable() || state.too_ambiguous() || branches->empty() || !raised)
      return policy.scope == Scope::kFree ? state : state.WithScope(policy.scope);
    policy.levels = *raised;
  }
}

GapState OpenGap(std::shared_ptr<const Language> language, std::string_view left,
                 std::string_view right, GapPolicy policy) {
  return *GapCache(std::move(language), GapCache::Use::kOnce)
              .Open(left, right, std::move(policy), std::stop_token());
}

}  // namespace tenon::constraint
