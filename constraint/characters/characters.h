// The face of constraint/characters: from a file's bytes to characters, and characters by name.
//
//   encoding.h          which encoding a file declares: `# coding: latin-1`
//   decode.h            its bytes as UTF-8
//   character_names.h   the names in `"\N{GREEK SMALL LETTER ALPHA}"`
#pragma once

#include "constraint/characters/character_names.h"  // IWYU pragma: export
#include "constraint/characters/decode.h"           // IWYU pragma: export
#include "constraint/characters/encoding.h"         // IWYU pragma: export
