#include "constraint/language/construct_parsers.h"

#include <utility>

namespace tenon::constraint {

std::unique_ptr<ConstructParser> ConstructParsers::Take() const {
  const std::lock_guard lock(mutex_);
  if (kept_.empty()) return std::make_unique<ConstructParser>(index_);
  std::unique_ptr<ConstructParser> parser = std::move(kept_.back());
  kept_.pop_back();
  return parser;
}

void ConstructParsers::GiveBack(std::unique_ptr<ConstructParser> parser) const {
  if (parser->memory_bytes() > kMaxKeptBytes) return;
  const std::lock_guard lock(mutex_);
  if (kept_.size() < kMaxKept) kept_.push_back(std::move(parser));
}

}  // namespace tenon::constraint
