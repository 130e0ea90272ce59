// The face of the room `cache`: compiled languages and mask stores, kept on disk.
//
//   LanguageCache    reads compiled languages, compiles missing ones and writes them
//   cache_bounds.h   keeps the folder within its size
#pragma once

#include "constraint/cache/cache_bounds.h"    // IWYU pragma: export
#include "constraint/cache/language_cache.h"  // IWYU pragma: export
