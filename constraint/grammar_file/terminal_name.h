// Names for terminals that are written as literals in rules: "(" is LPAR, "if" is IF.
//
// Messages and dumps need a name for each terminal. Letters and digits become a word in upper case,
// other characters their names, joined by '_': "->" is MINUS_MORETHAN, "@if" is AT_IF. A character
// without a name is its code point: "é" is U00E9.
//
// Source: the names of Lark's anonymous terminals. We differ: several characters join their names
// with '_', where Lark numbers such terminals.
// Cost: linear. Thread rule: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace tenon::constraint {

// A name in upper case letters, digits and '_' that begins with a letter; not unique: "if" and "IF"
// give the same.
std::string TerminalName(std::string_view literal);

}  // namespace tenon::constraint
