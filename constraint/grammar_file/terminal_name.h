// Names for terminals that are written as literals in rules: "(" is LPAR, "if" is IF, "->" is MINUS_MORETHAN.
//
// Source: the names of Lark's anonymous tokens. We differ: several characters join their names with '_', where Lark numbers
// such tokens. Thread rule: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace tenon::constraint {

// A name in upper case letters, digits and '_' that begins with a letter; not unique: "if" and "IF" give the same.
std::string TerminalName(std::string_view literal);

}  // namespace tenon::constraint
