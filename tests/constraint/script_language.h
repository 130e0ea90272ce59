// A small language whose semicolons may be left out as JavaScript's may: expressions, calls,
// blocks, headers, restricted returns.
#pragma once

namespace tenon::constraint {

inline constexpr const char* kScriptGrammar = R"lark(
start: statement*
statement: expression end | "return" [expression#no_newline] end | "{" statement* "}" | ";"
         | "for" "(" [expression] ";" [expression] ";" [expression] ")" statement
         | "if" "(" expression ")" statement ["else" statement]
end: ";" | SEMICOLON
expression: sum | NAME "=" expression
sum: step | sum "+" step
step: call | call "++"#no_newline | "++" call
call: NAME | "(" expression ")" | call "(" [expression] ")"
NAME: /[a-z]+/
NEWLINE: /\r\n|\n/
COMMENT: /\/\/[^\n]*/
%ignore /[ \t]+/
%ignore COMMENT
%delimited COMMENT
%line_ends NEWLINE
%declare SEMICOLON
%insert SEMICOLON before "}"
)lark";

}  // namespace tenon::constraint
