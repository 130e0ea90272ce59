#include "constraint/closing/right_in_context.h"

#include "constraint/closing/closer.h"

namespace tenon::constraint {
namespace {

// Does tenon's own closing text of the gap leave R in its contexts? No where no text is known to
// close the gap: there is nothing then to compare a middle with.
bool SearchClosingText(const GapState& opened) {
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
  if (!opened.shared()->policy().emit || opened.shared()->contexts() == 0) return state.Member();
  if (state.MemberInContext()) return true;
  if (!state.Member()) return false;
  return !opened.shared()->ClosingTextKeepsContexts([&] { return SearchClosingText(opened); });
}

}  // namespace tenon::constraint
