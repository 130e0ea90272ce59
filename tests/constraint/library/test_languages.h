// Languages that the tests of the public classes use.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tenon/language.h"
#include "tests/source_path.h"

namespace tenon {

// Lists of digits: `[1, [2]]`. Written text has no blanks but one behind a comma.
inline constexpr char kLists[] = R"lark(
start: list
list: "[" [item ("," item)*] "]"
item: DIGIT | list
DIGIT: /[0-9]/
%ignore / +/
)lark";

// Statements, blocks in braces, and calls: `f(1); { g(); }`.
inline constexpr char kBlocks[] = R"lark(
start: statement*
statement: call ";" | "{" statement* "}"
call: NAME "(" [value ("," value)*] ")"
value: call | NAME | NUMBER
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore /[ \n]+/
)lark";

// `"m"` came with one level, `"n"` with a later one.
inline constexpr char kLevels[] = R"lark(
start: statement+
statement: NAME ";" | "m"#since_2 "!" ";" | "n"#since_3 "?" ";"
NAME: /[a-z]+/
%levels since_2 since_3
)lark";

// `break` is written in loops alone.
inline constexpr char kLoops[] = R"lark(
start: statement*
statement: NAME ";" | "break"#in_loop ";" | "loop" "{" statements#+in_loop "}"
         | "function" "{" statements#-in_loop "}"
statements: statement*
NAME: /[a-z]+/
%ignore /[ \n]+/
)lark";

inline Language Compiled(const char* grammar) {
  Result<Language> language = Language::Compile(grammar, "test.lark");
  if (!language) ADD_FAILURE() << language.error().ToString();
  return *std::move(language);
}

inline Language Json() {
  Result<Language> language = Language::FromFile(SourcePath("grammars/json.lark"));
  if (!language) ADD_FAILURE() << language.error().ToString();
  return *std::move(language);
}

}  // namespace tenon
