#include "constraint/gap/left_context.h"

#include <algorithm>

namespace tenon::constraint {

namespace {

constexpr size_t kBytesBetweenMarks = 4096;  // where no line ends
constexpr size_t kMaxMarkedBranches = 8;

}  // namespace

std::optional<std::vector<Branch>> LeftContext::Read(std::string_view text,
                                                     const std::stop_token& stop) {
  size_t common = static_cast<size_t>(
      std::mismatch(text.begin(), text.end(), text_.begin(), text_.end()).first - text.begin());
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

}  // namespace tenon::constraint
