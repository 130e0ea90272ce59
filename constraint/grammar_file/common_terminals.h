// The terminals that Lark's own library offers to grammars: `%import common.NUMBER`.
//
// Each is one regular expression, so that an import brings nothing else with it. They match what the library's definitions match in
// a lexer, where a lazy repetition ends at its first end.
// Source: https://lark-parser.readthedocs.io/en/stable/grammar.html#import. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::constraint {

// Nothing where the library has no such terminal.
std::optional<std::string_view> CommonTerminal(std::string_view name);
// All names, with commas, for messages.
std::string CommonTerminalNames();

}  // namespace tenon::constraint
