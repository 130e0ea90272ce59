// Contexts by name: `%context` gives several changes of context one name.
//
// A rule's context is changed by marks after its name (`statements#+in_function`). Where many
// rules change the same, the changes have a name. Example:
//
//   %context function#+in_function#-in_loop
//   %context method#function#+in_method
//   function: "function" NAME "{" statements#function "}"
//   generator: "function" "*" NAME "{" statements#function#+in_generator "}"
//
// The last one stands for `statements#+in_function#-in_loop#+in_generator`. A context may build on
// those further up, as `method` does. Of two marks of one predicate the last one counts. A second
// line for a name adds to it, so that a grammar may add to a context of a grammar that it imports.
//
// Cost: linear in the file. Thread rule: a pure function.
#pragma once

#include "constraint/grammar_file/syntax.h"

namespace tenon::constraint {

// Replaces the names of contexts by their marks, and takes the lines of `%context` out. Errors: a
// name without a line, a line that names no mark, a context that no rule uses.
void ApplyContexts(GrammarSyntax& syntax, ErrorSink& errors);

}  // namespace tenon::constraint
