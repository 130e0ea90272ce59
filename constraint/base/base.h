// The face of constraint/base: tools that every room of the engine uses and that know nothing of
// grammars.
//
//   bits.h          sets of small numbers
//   hash.h          hashes of a few numbers and of arrays
//   hex.h           hexadecimal digits
//   ids_by_hash.h   ids of things of which each is kept once
//   reached.h       the nodes of a graph that a search meets
//   sort_unique.h   a list as a set
//   note_scope.h    facts collected beside an answer
#pragma once

#include "constraint/base/bits.h"         // IWYU pragma: export
#include "constraint/base/hash.h"         // IWYU pragma: export
#include "constraint/base/hex.h"          // IWYU pragma: export
#include "constraint/base/ids_by_hash.h"  // IWYU pragma: export
#include "constraint/base/note_scope.h"   // IWYU pragma: export
#include "constraint/base/reached.h"      // IWYU pragma: export
#include "constraint/base/sort_unique.h"  // IWYU pragma: export
