// The face of the room `mask`: which tokens of a vocabulary may come next.
//
// In `foo(a, |)` the mask holds ` b`, `"x`, `not`, and lacks `)`, `}` and `return`: exactly the
// tokens that GapState::Check allows, found without trying each.
//
//   TokenVocabulary   the bytes of every token
//   MaskStore         what a language and a vocabulary settle before any text is known; built once
//   Masker            the masks of one gap
//   ExpressionMasks   the masks of a regular expression, which needs no store
//   Dump(MaskStore)   its pieces, sequences and sets as text, for a person
//   CountEntries      how many entries SynCode's store would have, for comparison
#pragma once

#include "constraint/mask/entry_count.h"         // IWYU pragma: export
#include "constraint/mask/expression_masks.h"    // IWYU pragma: export
#include "constraint/mask/mask_store.h"          // IWYU pragma: export
#include "constraint/mask/mask_store_builder.h"  // IWYU pragma: export
#include "constraint/mask/masker.h"              // IWYU pragma: export
#include "constraint/mask/store_dump.h"          // IWYU pragma: export
#include "constraint/mask/token_vocabulary.h"    // IWYU pragma: export
