// Does a middle leave the right context where it belongs?
//
// Given text is bound to no context: a `break` outside of loops, in a file that somebody is
// editing, is no error of ours. Nor may a middle make one. Example:
//
//   async function f() {
//     |
//     await g();
//   }
//
// The middle `}\nfunction h() {` parses, and moves `await` into a function that is not
// asynchronous. So a middle counts only if each word of the right context stands in a context that
// the word may be written in, as with tenon's own closing text, which is searched for such
// constructs (closer.h). Where that text does not manage, no middle is refused for it: the file may
// have such an error already.
//
// Cost: of a member, one reading of the right context up to a stack that was met before; of a
// middle that moves words, two, and once for the gap a closing text.
// Thread rule: as GapState.
#pragma once

#include <string_view>

#include "constraint/gap/gap.h"

namespace tenon::constraint {

// Is the middle of `state`, with `more` after it, a member that leaves the right context in its
// contexts? `opened`: the gap before anything was written.
bool ClosesInContext(const GapState& opened, const GapState& state, std::string_view more = {});

}  // namespace tenon::constraint
