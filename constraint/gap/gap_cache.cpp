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
  session_.reset();
  right_.reset();
  mover_ = std::make_shared<BranchMover>(*language_);
  left_.emplace(mover_);
}

size_t GapCache::node_bytes() const {
  return mover_->stacks().memory_bytes() + left_->memory_bytes() + (right_ ? right_->node_bytes() : 0);
}

size_t GapCache::memory_bytes() const { return node_bytes() + (right_ ? right_->text_bytes() : 0); }

void GapCache::ReadRight(std::string_view left, std::string_view right, bool emit) {
  if (right_ && right_->emit() == emit && right_->text() == right) return;
  session_.reset();
  bool ours = right_ && right_.use_count() == 1 && right_->emit() == emit;
  if (ours && right_->Reread(right)) return;
  size_t room = use_ == Use::kKept ? left.size() + kRoomBytes : 0;
  right_ = std::make_shared<RightContext>(language_, mover_, right, emit, room);
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
  std::string line_end = LineEndOf(left, right);
  // The memos of a session hold for every policy of one strength; states still held keep theirs.
  if (session_ && session_.use_count() == 1 && session_->whole() == whole && session_->line_end() == line_end) {
    session_->SetPolicy(policy);
  } else {
    if (!right_->Prepare(whole, stop)) return std::nullopt;
    session_ = std::make_shared<GapSession>(std::move(line_end), right_, whole, policy);
  }
  return GapState(session_, {std::move(*branches), false, too_ambiguous});
}

}  // namespace tenon::constraint
