#include "tenon/lexeme_ends.h"

#include "constraint/closing/closing.h"
#include "constraint/library/internals.h"

namespace tenon {

LexemeEnds::LexemeEnds(const Language& language)
    : distances_(std::make_shared<const constraint::LexemeDistances>(Internals::Of(language))) {}

std::vector<uint8_t> LexemeEnds::Of(const Gap& gap) const {
  return distances_->NearerBytes(Internals::Of(gap));
}

}  // namespace tenon
