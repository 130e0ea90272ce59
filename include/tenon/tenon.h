// All of the library: languages, gaps, masks and budgets for text that is to fit into text.
//
//   language.h    a compiled grammar: checks texts         document.h    gaps of an edited text
//   gap.h         the place to fill, judged byte by byte   vocabulary.h  the tokens of a model
//   budget.h      a gap that closes within n tokens        masker.h      all allowed tokens at once
//   cache.h       a folder of compiled languages           error.h       what is wrong, and where
//
// docs/library.md tells how they belong together; examples/ holds three programs.
#pragma once

#include "tenon/budget.h"
#include "tenon/cache.h"
#include "tenon/document.h"
#include "tenon/error.h"
#include "tenon/gap.h"
#include "tenon/language.h"
#include "tenon/masker.h"
#include "tenon/vocabulary.h"
