// The face of the room `lr`: parser tables, and parser stacks over them.
//
//   LrTable         LALR(1) states and actions; a state is split where only LR(1) resolves a
//                   conflict
//   StackArena      stacks with shared tails (a graph-structured stack), for readings that fork
//   ArrayStack      one stack as an array, for text that has a single reading
//   LookThrough     the next terminals that a state allows, whatever lies below it
//   ConflictExample a shortest text for each conflict that the table keeps
#pragma once

#include "constraint/lr/array_stack.h"       // IWYU pragma: export
#include "constraint/lr/conflict_example.h"  // IWYU pragma: export
#include "constraint/lr/look_through.h"      // IWYU pragma: export
#include "constraint/lr/stack.h"             // IWYU pragma: export
#include "constraint/lr/state_splitter.h"    // IWYU pragma: export
#include "constraint/lr/table.h"             // IWYU pragma: export
