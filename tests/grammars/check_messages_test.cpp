// What `tenon check` says about wrong texts in the shipped languages: sentences for a person, at
// the place where one would look.
#include <string>

#include <gtest/gtest.h>

#include "constraint/reading/reading.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

struct Wrong {
  const char* grammar;
  const char* text;
  size_t offset_bytes;
  const char* message;
};

const Wrong kWrong[] = {
    {"python.lark", "x = (1 + 2\ny = 3\n", 11,
     "the name 'y' cannot stand here; expected ')', ',', '.', an operator or 12 others; '(' of "
     "line 1, column 5 is "
     "still open"},
    {"python.lark", "foo(a b)\n", 6,
     "the name 'b' cannot stand here; expected ')', ',', '=', '.' or 14 others"},
    {"python.lark", "def class(): pass\n", 4,
     "the keyword 'class' cannot be used as a name; expected a name"},
    {"python.lark", "def f(:\n  pass\n", 6,
     "':' cannot stand here; expected ')', a name, '*' or '**'"},
    {"python.lark", "if x\n  y\n", 4,
     "the end of the line cannot stand here; expected ':', '.', an operator, '(' or 10 others"},
    {"python.lark", "if a:\n    if b:\n        x\n      y\n", 32,
     "line 4 is indented to column 6; open blocks are at columns 0, 4 and 8"},
    {"python.lark", "if a:\nb\n", 6,
     "expected an indented block behind line 1; line 2 is indented to column 0"},
    {"python.lark", "  x = 1\n", 2,
     "line 1 is indented to column 2; the open block is at column 0"},
    {"python.lark", "x = 'abc\ny\n", 4, "the string that begins here has no end on its line"},
    {"python.lark", "x = \"\"\"abc\n\n", 4, "the string that begins here has no end"},
    {"python.lark", "x = '\\x1'\n", 5, "'\\x1'' is no escape of a string"},
    {"python.lark", "0or 1\n", 0, "the number '0o' is not finished"},
    {"python.lark", "1as\n", 1, "'a' cannot follow the number '1'"},
    {"python.lark", "x = 1)\n", 5, "')' closes nothing: no bracket is open"},
    {"python.lark", "x = [1, 2)\n", 9,
     "')' does not close '[' of line 1, column 5; expected ']', ',', '.', an operator or 10 "
     "others"},
    {"python.lark", "print 'a'\n", 6,
     "the string \"'a'\" cannot stand here; expected the end of the line, ',', ';', ':' or 14 "
     "others"},
    {"python.lark", "f() = 1\n", 4,
     "'=' cannot stand here; expected the end of the line, ',', ';', '.' or 11 others"},
    {"python.lark", "x = 5 +\n", 7,
     "the end of the line cannot stand here; expected a name, a number, an imaginary number, a "
     "string or 11 others"},
    {"python.lark", "for x range(3):\n  pass\n", 6,
     "the name 'range' cannot stand here; expected ',', '.', '(', '[' or 'in'"},
    {"python.lark", "if a:\n\tx\n        y\n", 17,
     "the tabs and blanks that indent line 3 reach another column than those of the block around "
     "it where a tab is of "
     "another width; indent both alike"},
    {"python.lark", "x = $\n", 4,
     "'$' cannot stand here; expected a name, a number, an imaginary number, a string or 15 "
     "others"},
    {"python.lark",
     "x = a\xc2\xa0"
     "b\n",
     5,
     "'\xc2\xa0' (U+00A0) cannot stand here; expected the end of the line, ',', ';', '=' or 12 "
     "others"},
    {"python.lark", "try:\n  x\n", 9, "the file ends too early; expected 'except' or 'finally'"},
    {"python.lark", "import a.b as c.d\n", 15,
     "'.' cannot stand here; expected the end of the line, ',' or ';'"},
    {"python.lark", "from x import\n", 13,
     "the end of the line cannot stand here; expected a name, '(' or '*'"},
    {"python.lark", "x = \\ y\n", 4, "'\\' is a backslash that does not end its line"},
    {"python.lark", "(a, b\n", 6,
     "the file ends before '(' of line 1, column 1 is closed; expected ')', ',', '.', an operator "
     "or 11 others"},
    {"python.lark", "def f():\n    return [1,\n\ndef g():\n    pass\n", 25,
     "the keyword 'def' cannot stand here; expected ']', a name, a number, an imaginary number or "
     "15 others; '[' of "
     "line 2, column 12 is still open"},
    {"python.lark", "b'\xc3\xa9'\n", 2, "'\xc3\xa9' (U+00E9) cannot stand in a bytes literal"},
    {"python.lark", "global if\n", 7, "the keyword 'if' cannot be used as a name; expected a name"},
    {"go.lark", "package p\nfunc f()\n{\n}\n", 19,
     "'{' cannot begin a line here: the line end before it ends the phrase"},
    {"go.lark", "package p\nfunc f() {\n\tx := \n}\n", 28,
     "'}' cannot stand here; expected a name, a number, a character, a string or 13 others"},
    {"go.lark", "package p\nvar x = 'ab'\n", 20, "'b' cannot stand in a character"},
    {"go.lark", "package p\nvar x = \"ab\n", 18,
     "the string that begins here has no end on its line"},
    {"go.lark", "package p\nvar x = \"a\\q\"\n", 20, "'\\q' is no escape of a string"},
    {"go.lark", "package p\nfunc f() {\n\tif x {\n\t\ty()\n\n}\n", 38,
     "the file ends before '{' of line 2, column 10 is closed; expected '}', a name, a number, a "
     "character or 30 "
     "others"},
    {"go.lark", "package p\nvar func = 1\n", 14,
     "the keyword 'func' cannot be used as a name; expected a name or '('"},
    {"go.lark", "package p\nvar x = 1_\n", 18, "the number '1_' is not finished"},
    {"go.lark", "package p\nfunc f() { a b }\n", 23,
     "the name 'b' cannot stand here; expected '}', ',', the end of the statement, ':' or 13 "
     "others"},
    {"go.lark", "package p\n/* abc", 10, "the comment that begins here has no end"},
    {"go.lark", "package p\nimport fmt\n", 20,
     "the end of the line cannot stand here; expected a string"},
    {"go.lark", "package p\nvar x = [3]int{1,2\n}\n", 28,
     "the end of the line cannot stand here; expected '}', ',', ':', '.' or 5 others"},
    {"go.lark", "package p\nfunc f() { x = (1]; }\n", 27,
     "']' does not close '(' of line 2, column 16; expected ')', '.', an operator, '(' or 3 "
     "others"},
    {"go.lark", "package p\n}\n", 10, "'}' closes nothing: no bracket is open"},
    {"go.lark", "", 0, "the file ends too early; expected 'package'"},
    {"go.lark", "package p\nfunc f() {\n\tif x == 1 {\n\t}\n\telse {\n\t}\n}\n", 38,
     "the keyword 'else' cannot begin a line here: the line end before it ends the phrase"},
    {"sql.lark", "select a b c from t;\n", 11,
     "the name 'c' cannot stand here; expected ',', ';', 'from', 'union' or 9 others"},
    {"sql.lark", "create table t (a int, b int;\n", 28,
     "';' cannot stand here; expected ')', a name, a string, ',' or 12 others"},
    {"sql.lark", "select 'abc;\n", 7, "the string that begins here has no end"},
    {"sql.lark", "select 1a;\n", 8, "'a' cannot follow the number '1'"},
    {"sql.lark", "insert t values (1);\n", 7,
     "the name 't' cannot stand here; expected 'into' or 'or'"},
    {"sql.lark", "select * from t where;\n", 21,
     "';' cannot stand here; expected a blob, a name, a string, a number or 12 others"},
    {"sql.lark", "select * form t;\n", 9,
     "the name 'form' cannot stand here; expected ',', ';', 'from', 'union' or 9 others"},
    {"sql.lark", "select (1, 2;\nselect 3;\n", 12,
     "';' cannot stand here; expected ')', an operator, ',', '*' or 11 others"},
    {"json.lark", "{\"a\": 1,}", 8, "'}' cannot stand here; expected a string"},
    {"json.lark", "[1, 2", 5,
     "the file ends before '[' of line 1, column 1 is closed; expected ']' or ','"},
    {"json.lark", "{a: 1}", 1, "'a' cannot stand here; expected '}' or a string"},
    {"json.lark", "{\"a\" 1}", 5, "the number '1' cannot stand here; expected ':'"},
    {"json.lark", "\"abc", 0, "the string that begins here has no end"},
    {"json.lark", "\"a\\q\"", 2, "'\\q' is no escape of a string"},
    {"json.lark", "01", 1, "'1' cannot follow the number '0'"},
    {"json.lark", "nul", 0, "'nul' is not finished; expected 'null'"},
    {"json.lark", "[1,]", 3,
     "']' cannot stand here; expected a string, a number, '{', '[' or 3 others"},
    {"json.lark", "{} {}", 3, "'{' cannot stand here; expected the end of the file"},
    {"json.lark", "{\"a\": [1, 2}", 11,
     "'}' does not close '[' of line 1, column 7; expected ']' or ','"},
    {"json.lark", "1.", 0, "the number '1.' is not finished"},
    {"json.lark", "\"a\tb\"", 2, "a tab cannot stand in a string"},
    {"json.lark", "'a'", 0,
     "\"'\" cannot stand here; expected a string, a number, '{', '[' or 3 others"},
    {"jsonc.lark", "{\"a\": 1,,}", 8, "',' cannot stand here; expected '}' or a string"},
    {"jsonc.lark", "/* a", 0, "the comment that begins here has no end"},
    {"jsonc.lark", "[1 /", 3, "'/' is no comment: one begins with '//' or '/*'"},
};

TEST(CheckMessages, SayWhatIsWrongInWords) {
  for (const Wrong& wrong : kWrong) {
    const auto result = constraint::Check(ShippedLanguage(wrong.grammar), wrong.text,
                                          constraint::Strength::kAccept);
    EXPECT_FALSE(result.valid) << wrong.text;
    EXPECT_EQ(result.offset_bytes, wrong.offset_bytes) << wrong.text;
    EXPECT_EQ(result.message, wrong.message) << wrong.text;
  }
}

// A terminal's name in capital letters is no word: each that a rule uses is described, or a
// literal.
TEST(CheckMessages, HaveWordsForEveryTerminalOfTheShippedGrammars) {
  for (const char* file : {"python.lark", "go.lark", "sql.lark", "json.lark", "jsonc.lark"}) {
    for (const constraint::Terminal& terminal : ShippedLanguage(file).grammar.terminals) {
      if (terminal.kind == constraint::TerminalKind::kPoison ||
          terminal.kind == constraint::TerminalKind::kIgnored)
        continue;
      EXPECT_TRUE(terminal.literal || !terminal.description.empty())
          << file << ": " << terminal.name;
    }
  }
}

}  // namespace
}  // namespace tenon::grammars
