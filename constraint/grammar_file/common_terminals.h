// The terminals of Lark's own library: `%import common.NUMBER`.
//
// Grammars written for Lark import NUMBER, CNAME, ESCAPED_STRING or WS from `common`. Each of them
// is one regular expression here, so that an import brings no other terminal with it. They match
// the same texts as the library's definitions in a lexer, where a lazy repetition ends at its first
// end.
//
// Source: https://lark-parser.readthedocs.io/en/stable/grammar.html#import. Cost: none. Thread
// rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::constraint {

// The pattern of a terminal of the library. Nothing: the library has no such terminal.
std::optional<std::string_view> CommonTerminal(std::string_view name);
// All names, with commas, for messages.
std::string CommonTerminalNames();

}  // namespace tenon::constraint
