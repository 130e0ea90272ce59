// The face of the room `reading`: readings of a text, and checks of whole texts.
//
// A text is read lexeme by lexeme, from its beginning. Where the grammar leaves a choice the
// reading forks: after `a < b` in a language with templates one branch has opened an argument list,
// another has compared. A branch (branch.h) is a parser stack with its lexeme in progress;
// BranchMover reads bytes and lexemes on branches. It has two users:
//
//   check.h       is a whole text valid? with a message about the lexeme at which no branch is left
//   a gap         reads L and the middle with the same mover (constraint/gap)
//
// text_place.h says where an offset is, for messages about places.
// text_reader.h, error_message.h, expected.h and malformed_lexeme.h are the room's own.
#pragma once

#include "constraint/reading/branch.h"      // IWYU pragma: export
#include "constraint/reading/check.h"       // IWYU pragma: export
#include "constraint/reading/text_place.h"  // IWYU pragma: export
