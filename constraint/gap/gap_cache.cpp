#include "constraint/gap/gap_cache.h"

#include <algorithm>

#include "constraint/gap/right_context.h"
#include "constraint/gap/session.h"

namespace tenon::constraint {

namespace {

constexpr size_t kBytesBetweenMarks = 4096;  // where no line ends
constexpr size_t kMaxMarkedBranches = 8;
constexpr size_t kRoomBytes = 64u << 10;  // that a document may grow by before its right context is read anew

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
std::optional<PredicateBits> RaisedLevels(const Grammar& grammar, PredicateBits levels, PredicateBits asked) {
  PredicateBits up_to = 0;
  for (PredicateId level : grammar.levels) {
    const PredicateBits own = PredicateBits{1} << level.value;
    up_to |= own;
    if (own & asked & ~levels) return up_to;
  }
  return std::nullopt;
}

// The newest level of those that a reading of L uses, as its own bit.
PredicateBits NewestLevel(const Grammar& grammar, PredicateBits used) {
  for (size_t i = grammar.levels.size(); i > 0; --i) {
    const PredicateBits own = PredicateBits{1} << grammar.levels[i - 1].value;
    if (used & own) return own;
  }
  return 0;
}

}  // namespace

std::optional<std::vector<Branch>> LeftContext::Read(std::string_view text, const std::stop_token& stop) {
  size_t common =
      static_cast<size_t>(std::mismatch(text.begin(), text.end(), text_.begin(), text_.end()).first - text.begin());
  while (!marks_.empty() && marks_.back().offset > common) marks_.pop_back();
  text_.resize(common);
  text_.append(text.substr(common));
  size_t at = 0;
  std::vector<Branch> branches{Branch{}};
  if (!marks_.empty()) {
    at = marks_.back().offset;
    branches = marks_.back().branches;
  }
  size_t marked = at;
  for (; at < text.size() && !branches.empty(); ++at) {
    if (at % kBytesBetweenMarks == 0 && stop.stop_requested()) return std::nullopt;
    bool line = text[at] == '\n' || at - marked >= kBytesBetweenMarks;
    branches = mover_->Read(branches, static_cast<uint8_t>(text[at]), false);
    if (!line || branches.empty() || branches.size() > kMaxMarkedBranches) continue;
    marked = at + 1;
    marks_.push_back({marked, branches});
  }
  return branches;
}

size_t LeftContext::memory_bytes() const {
  size_t marks = 0;
  for (const Mark& mark : marks_) marks += sizeof(Mark) + mark.branches.capacity() * sizeof(Branch);
  return text_.capacity() + marks;
}

GapCache::GapCache(std::shared_ptr<const Language> language, Use use) : language_(std::move(language)), use_(use) {
  Drop();
}

GapCache::~GapCache() = default;

void GapCache::Drop() {
  sessions_.clear();
  right_.reset();
  mover_ = std::make_shared<BranchMover>(*language_);
  left_.emplace(mover_);
}

size_t GapCache::node_bytes() const {
  return mover_->stacks().memory_bytes() + mover_->names().memory_bytes() + left_->memory_bytes() +
         (right_ ? right_->node_bytes() : 0);
}

size_t GapCache::memory_bytes() const { return node_bytes() + (right_ ? right_->text_bytes() : 0); }

void GapCache::ReadRight(std::string_view left, std::string_view right, bool emit) {
  if (right_ && right_->emit() == emit && right_->text() == right) return;
  sessions_.clear();
  bool ours = right_ && right_.use_count() == 1 && right_->emit() == emit;
  if (ours && right_->Reread(right)) return;
  size_t room = use_ == Use::kKept ? left.size() + kRoomBytes : 0;
  right_ = std::make_shared<RightContext>(language_, mover_, right, emit, room);
}

// The memos of a session hold for every policy of one strength and level; states still held keep theirs.
std::shared_ptr<GapSession> GapCache::SessionFor(RightDemand& demand, const std::string& line_end,
                                                 const GapPolicy& policy) {
  auto at = std::find_if(sessions_.begin(), sessions_.end(),
                         [&](const auto& session) { return &session->demand() == &demand; });
  if (at == sessions_.end()) at = sessions_.insert(at, nullptr);
  if (*at && at->use_count() == 1 && (*at)->line_end() == line_end)
    (*at)->SetPolicy(policy);
  else
    *at = std::make_shared<GapSession>(line_end, right_, demand, policy);
  return *at;
}

std::optional<GapState> GapCache::Open(std::string_view left, std::string_view right, GapPolicy policy,
                                       const std::stop_token& stop) {
  if (node_bytes() > kMaxNodeBytes) Drop();
  mover_->PackAbove(policy.pack_above.value_or(kPackAbove));
  const size_t given_up = mover_->given_up();
  auto branches = left_->Read(left, stop);
  if (!branches) return std::nullopt;
  const bool too_ambiguous = mover_->given_up() > given_up;
  bool whole =
      std::any_of(branches->begin(), branches->end(), [](const Branch& branch) { return branch.top == kBottomNode; });
  ReadRight(left, right, policy.emit);
  const std::string line_end = LineEndOf(left, right);
  if (!policy.emit) policy.levels = kAnyLevel;
  const Grammar& grammar = language_->grammar;
  PredicateBits asked = 0;  // levels that would let more of L and R be read
  for (const Branch& branch : *branches) asked |= NewestLevel(grammar, branch.layout.levels);
  const bool left_holds = std::any_of(branches->begin(), branches->end(), [&](const Branch& branch) {
    return (branch.layout.levels & ~policy.levels) == 0;
  });
  if (!left_holds) policy.levels = RaisedLevels(grammar, policy.levels, asked).value_or(policy.levels);
  for (;;) {
    RightDemand* demand = right_->Prepare(whole, policy.levels, stop);
    if (!demand) return std::nullopt;
    std::vector<Branch> held;  // none where R is given up
    if (!demand->too_ambiguous) held = *branches;
    if (policy.emit) HoldLevels(policy.levels, held);
    mover_->TakeBarred();
    GapState state(SessionFor(*demand, line_end, policy),
                   {std::move(held), false, too_ambiguous || demand->too_ambiguous});
    if (language_->encoding && !(policy.emit && language_->encoding->IsDecided(left)))
      state.undecided_left_ = std::make_shared<const std::string>(left);
    asked |= demand->barred | mover_->TakeBarred();
    const auto raised = RaisedLevels(grammar, policy.levels, asked);
    if (state.viable() || state.too_ambiguous() || branches->empty() || !raised)
      return policy.scope == Scope::kFree ? state : state.WithScope(policy.scope);
    policy.levels = *raised;
  }
}

}  // namespace tenon::constraint
