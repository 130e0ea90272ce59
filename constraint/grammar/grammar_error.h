// What is wrong with a grammar text, where, and what to do about it.
//
// Thread rule: a value.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::constraint {

enum class GrammarErrorCode : uint8_t {
  kSyntax,       // not in the Lark dialect that docs/grammars.md lists
  kUnsupported,  // Lark has it, tenon refuses it: templates, %extend, look-around, lazy quantifiers, back-references
  kUndefined,    // a name without definition
  kRedefined,
  kEmptyTerminal,  // a terminal that matches the empty text
  kUnproductive,   // a rule that derives no text (in the accepted or in the emitted language)
  kUnreachable,
  kMechanism,  // a pragma with wrong arguments
  kTooLarge,   // a limit on states or rules was reached
};

struct GrammarError {
  GrammarErrorCode code;
  std::string path;
  uint32_t line = 0;             // from 1; 0: the whole file
  uint32_t column = 0;           // from 1, in characters
  std::string message;           // what was found, what was expected, and the remedy
  std::string ToString() const;  // path:line:col: message
};

}  // namespace tenon::constraint
