#include "constraint/closing/right_in_context.h"

#include <optional>

#include "constraint/closing/closer.h"

namespace tenon::constraint {
namespace {

// Where nothing is known to close the gap there is nothing to compare with: a file that has such
// an error counts.
bool ClosingTextKeepsContexts(const GapState& opened) {
  const auto closing = FindClosing(opened, kNoTokens);
  GapState closed = opened;
  return closing && (closing->text.empty() || closed.Accept(closing->text)) &&
         closed.MemberInContext();
}

}  // namespace

bool ClosesInContext(const GapState& opened, const GapState& state, std::string_view more) {
  if (!more.empty()) {
    GapState later = state;
    return later.Accept(more) && ClosesInContext(opened, later);
  }
  if (!opened.shared()->policy().emit) return state.Member();
  if (state.MemberInContext()) return true;
  if (!state.Member()) return false;
  std::optional<bool>& known = opened.shared()->right_in_context();
  if (!known) known = ClosingTextKeepsContexts(opened);
  return !*known;
}

}  // namespace tenon::constraint
