// The face of the room `cache`: compiled languages and mask stores, kept on disk.
//
//   LanguageCache    compiles what is missing, reads what is there, writes what was compiled
//   cache_bounds.h   keeps the folder within its size
#pragma once

#include "constraint/cache/cache_bounds.h"    // IWYU pragma: export
#include "constraint/cache/language_cache.h"  // IWYU pragma: export
