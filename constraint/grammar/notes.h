// Notes: constructions that a grammar may have, but that its author seldom means. The grammar is
// taken, and `tenon grammar` prints the notes.
//
// *Cyclic rules.* A rule that derives itself and nothing more (`x: y`, `y: x | NAME`; or `x: x z`,
// where z may be empty) gives each of its texts endlessly many parse trees. That is harmless here,
// because no trees are built and equal stacks are one.
//
// *Rules never written.* A rule without emitted text (`trailing: ","#given`) is accepted in given
// text and never part of a completion.
//
// Source: Sharir, A strong-connectivity algorithm and its applications in data flow analysis,
// Computers and Mathematics with Applications 7 (1981).
// Cost: linear in the rules, times how deep they nest where what may be empty is found.
// Thread rule: a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/grammar/definition.h"
#include "constraint/grammar/plain_rules.h"

namespace tenon::constraint {

struct GrammarNote {
  std::string path;     // of the file
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in characters
  std::string message;  // the finding and the remedy
};

// The notes, in the order of the file. `rules` still have their empty alternatives; `grammar` was
// made of them; `files` knows the paths.
std::vector<GrammarNote> NotesOn(const PlainRules& rules, const Grammar& grammar,
                                 const ErrorSink& files);

}  // namespace tenon::constraint
