// All of the library: languages, gaps, masks and budgets for text that is to fit into text.
//
//   language.h   a compiled grammar: checks texts   vocabulary.h      the tokens of a model
//   gap.h        the place to fill, byte by byte    masker.h          all allowed tokens at once
//   document.h   gaps of an edited text             lexeme_ends.h     bytes that end a lexeme
//   budget.h     a gap that closes in n tokens      middle_grammar.h  a gap as a grammar
//   cache.h      a folder of compiled languages     error.h           what is wrong, and where
//   token_id.h   the number of a token              token_model.h     a model of yours
//   complete.h   a middle that a model writes
//
// docs/library.md tells how they belong together; examples/ holds programs.
#pragma once

#include "tenon/budget.h"
#include "tenon/cache.h"
#include "tenon/complete.h"
#include "tenon/document.h"
#include "tenon/error.h"
#include "tenon/gap.h"
#include "tenon/language.h"
#include "tenon/lexeme_ends.h"
#include "tenon/masker.h"
#include "tenon/middle_grammar.h"
#include "tenon/token_id.h"
#include "tenon/token_model.h"
#include "tenon/vocabulary.h"
