#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"
#include "tests/constraint/grammar_questions.h"
#include "tests/oracle/seed.h"

namespace tenon::constraint {
namespace {

Grammar Read(std::string_view text) {
  auto grammar = ReadGrammar(text, "g.lark");
  EXPECT_TRUE(grammar.has_value()) << (grammar ? "" : grammar.error().ToString());
  return grammar ? *grammar : Grammar{};
}

struct ErrorCase {
  std::string_view text;
  GrammarErrorCode code;
  std::string_view says;  // how path:line:col: message begins
};

void PrintTo(const ErrorCase& c, std::ostream* out) { *out << c.text; }

class GrammarErrorTable : public testing::TestWithParam<ErrorCase> {};

TEST_P(GrammarErrorTable, NamesPlaceAndRemedy) {
  const ErrorCase& c = GetParam();
  const auto grammar = ReadGrammar(c.text, "g.lark");
  ASSERT_FALSE(grammar.has_value());
  EXPECT_EQ(grammar.error().ToString().substr(0, c.says.size()), c.says);
  EXPECT_EQ(grammar.error().code, c.code) << grammar.error().ToString();
}

using Code = GrammarErrorCode;
INSTANTIATE_TEST_SUITE_P(
    Syntax, GrammarErrorTable,
    testing::Values(
        ErrorCase{"start \"a\"\n", Code::kSyntax,
                  "g.lark:1:7: expected ':' behind the name 'start', found a literal"},
        ErrorCase{"start: (\"a\"\nb: \"b\"\n", Code::kSyntax,
                  "g.lark:2:2: expected ')' for the '(' in line 1, column 8, found ':'"},
        ErrorCase{"start: [\"a\")\n", Code::kSyntax,
                  "g.lark:1:12: expected ']' for the '[' in line 1, column 8, found ')'"},
        ErrorCase{"start: \"a\" )\n", Code::kSyntax,
                  "g.lark:1:12: expected a symbol, '|' or the end of the line, found ')'"},
        ErrorCase{"start: \"a\n", Code::kSyntax, "g.lark:1:8: this literal is not closed"},
        ErrorCase{"start: /a\n", Code::kSyntax,
                  "g.lark:1:8: this regular expression is not closed"},
        ErrorCase{"start: 'a'\n", Code::kSyntax, "g.lark:1:8: a literal stands in double quotes"},
        ErrorCase{"start: \"a\\q\"\n", Code::kSyntax, "g.lark:1:10: unknown escape"},
        ErrorCase{"start: \"\\x4\"\n", Code::kSyntax, "g.lark:1:9: this escape needs 2"},
        ErrorCase{"start: \"\\ud800\"\n", Code::kSyntax, "g.lark:1:9: this escape is no Unicode"},
        ErrorCase{"start: a&b\n", Code::kSyntax, "g.lark:1:9: unexpected character '&'"},
        ErrorCase{"start: \xc3\xa9\n", Code::kSyntax,
                  "g.lark:1:8: unexpected character '\xc3\xa9'"},
        ErrorCase{"// \xc3\xa9\nstart: \"\xc3\xa9\" \xff\n", Code::kSyntax,
                  "g.lark:2:12: unexpected character"},
        ErrorCase{"start: \"\xff\"\n", Code::kSyntax, "g.lark:1:9: the text is not valid UTF-8"},
        ErrorCase{"start: Ab\n", Code::kSyntax, "g.lark:1:8: the name 'Ab' is neither"},
        ErrorCase{"start: \"a\" # note\n", Code::kSyntax, "g.lark:1:12: unexpected '#'"},
        ErrorCase{"start: \"a\"+?\n", Code::kSyntax, "g.lark:1:12: two repetition operators"},
        ErrorCase{"start: \"a\"~\n", Code::kSyntax, "g.lark:1:12: expected a number behind '~'"},
        ErrorCase{"start: \"a\"~3..2\n", Code::kSyntax, "g.lark:1:11: expected 0 <= n <= m"},
        ErrorCase{"start: \"a\"~9999999\n", Code::kSyntax, "g.lark:1:12: this number is above"},
        ErrorCase{"start: \"a\" -> \"b\"\n", Code::kSyntax, "g.lark:1:15: expected the alias"},
        ErrorCase{"start: \"a\"..\"b\"\n", Code::kSyntax,
                  "g.lark:1:8: a range of characters stands in terminals"},
        ErrorCase{"start: x#given\nx: \"a\"\n", Code::kSyntax,
                  "g.lark:1:10: there is no '%context given' further up; behind a rule stand"},
        ErrorCase{"start: \"x\"#given#other\n", Code::kSyntax,
                  "g.lark:1:17: a second predicate: 'x' has '#given' already"},
        ErrorCase{"start: \"a\" (\"b\" | \"c\")#given\n", Code::kSyntax, "g.lark:1:23: expected"},
        ErrorCase{"start: \"a\"#GIVEN\n", Code::kSyntax,
                  "g.lark:1:12: expected the predicate's lower case name"},
        ErrorCase{"start: A\nA: \"a\"#given \"b\"\n", Code::kSyntax,
                  "g.lark:2:4: predicates stand in rules"},
        ErrorCase{"start: A\nA: \"b\"..\"a\"\n", Code::kSyntax, "g.lark:2:4: a range goes from"},
        ErrorCase{"start: A\nA: start\n", Code::kSyntax,
                  "g.lark:2:4: a terminal cannot contain the rule 'start'"},
        ErrorCase{"start: A\nA.x: \"a\"\n", Code::kSyntax,
                  "g.lark:2:3: expected the priority, a number"},
        ErrorCase{"%nope A\nstart: \"a\"\n", Code::kSyntax,
                  "g.lark:1:1: unknown directive '%nope'"},
        ErrorCase{"start: /a(/\n", Code::kSyntax,
                  "g.lark:1:10: in the regular expression: this '(' is never closed"},
        ErrorCase{"start: /a/q\n", Code::kSyntax,
                  "g.lark:1:9: in the regular expression: unknown flag 'q'"},
        ErrorCase{"| \"a\"\n", Code::kSyntax,
                  "g.lark:1:1: expected a rule, a terminal or a directive"}));

INSTANTIATE_TEST_SUITE_P(
    Refused, GrammarErrorTable,
    testing::Values(
        ErrorCase{"%import python.NAME\n", Code::kUnsupported,
                  "g.lark:1:9: only Lark's library 'common'"},
        ErrorCase{"%import common.NAME\n", Code::kUndefined,
                  "g.lark:1:16: 'common' has no terminal 'NAME'"},
        ErrorCase{"%import common.ws\n", Code::kSyntax,
                  "g.lark:1:16: expected the name of a terminal"},
        ErrorCase{"%import common\n", Code::kSyntax, "g.lark:1:15: expected '.' or '('"},
        ErrorCase{"%import common (WS INT)\n", Code::kSyntax, "g.lark:1:20: expected ',' or ')'"},
        ErrorCase{"%import common.WS INT\n", Code::kSyntax,
                  "g.lark:1:19: expected the end of the line"},
        ErrorCase{"%import common.WS -> ws\n", Code::kSyntax,
                  "g.lark:1:22: expected the terminal's name"},
        ErrorCase{"%import common.WS\nstart: \"a\"\nWS: \" \"\n", Code::kRedefined,
                  "g.lark:3:1: 'WS' is already"},
        ErrorCase{"\n %extend x: \"a\"\n", Code::kUndefined,
                  "g.lark:2:10: there is no rule 'x' to extend"},
        ErrorCase{"%override X: \"a\"\n", Code::kUndefined,
                  "g.lark:1:11: there is no terminal 'X' to override"},
        ErrorCase{"%extend\n", Code::kSyntax,
                  "g.lark:1:8: expected a rule or a terminal behind '%extend'"},
        ErrorCase{"%import \"/etc/passwd\"\n", Code::kMechanism,
                  "g.lark:1:9: '/etc/passwd' does not lie in the folder of this file"},
        ErrorCase{"%import \"a/../../b.lark\"\n", Code::kMechanism,
                  "g.lark:1:9: 'a/../../b.lark' does not lie in the folder of this file"},
        ErrorCase{"%import \"g.lark\"\n", Code::kUnsupported,
                  "g.lark:1:9: 'g.lark' is being read already"},
        ErrorCase{"start.x: \"a\"\n", Code::kSyntax, "g.lark:1:7: expected the priority, a number"},
        ErrorCase{"start: A\nA: \"a\" /b\xc3\xa9(?=c)/\n", Code::kUnsupported,
                  "g.lark:2:11: in the regular expression: '(?=' is not supported (look-ahead)"},
        ErrorCase{"start: /a*?b+/\n", Code::kUnsupported,
                  "g.lark:1:10: in the regular expression: what follows the lazy repetition"},
        ErrorCase{"start: /x(a*)\\1/\n", Code::kUnsupported,
                  "g.lark:1:10: in the regular expression: the group that \\1 names has more than "
                  "256 texts: bound it"},
        ErrorCase{"start: A\nA: /(a)/ /\\1/\n", Code::kSyntax,
                  "g.lark:2:11: in the regular expression: no group 1 has been opened"},
        ErrorCase{"start: A\nA: /a*?/ \"b\" /b*/\n", Code::kUnsupported,
                  "g.lark:2:1: in 'A', with its parts inlined: what follows the lazy repetition"},
        ErrorCase{"start: A\nA: (/a*?/ \"b\")~2\n", Code::kUnsupported,
                  "g.lark:2:1: in 'A', with its parts inlined: a lazy repetition stands inside of "
                  "a repetition"},
        ErrorCase{"start: A\nA: /<.*?>/\n%unfinished A /x/\n", Code::kMechanism,
                  "g.lark:3:15: no lexeme of 'A' goes on behind such a beginning"},
        ErrorCase{"start: \"a\"\n%encoding /#/\n", Code::kMechanism,
                  "g.lark:2:14: expected what stands before the name of an encoding, and the name, "
                  "as in '%encoding"},
        ErrorCase{"start: \"a\"\n%encoding /#/ /(/\n", Code::kSyntax,
                  "g.lark:2:16: in the regular expression"},
        ErrorCase{
            "start: \"a\"\n%encoding /#/ /a*/\n", Code::kMechanism,
            "g.lark:2:15: the name of an encoding matches the empty text: replace '*' by '+'"},
        ErrorCase{"start: \"a\"\n%encoding /#/ /a/\n%encoding /#/ /b/\n", Code::kMechanism,
                  "g.lark:3:1: there is already a '%encoding'"},
        ErrorCase{"start: \"a\"\n%encoding /#/ /a/\n", Code::kMechanism,
                  "g.lark:2:1: no encoding has a name: write '%charset \"UTF-8\" \"utf_8 utf8\"' "
                  "for each"},
        ErrorCase{"start: \"a\"\n%charset \"UTF-8\" \"u8\"\n", Code::kMechanism,
                  "g.lark:2:1: '%charset' needs an '%encoding' that says where"},
        ErrorCase{"start: \"a\"\n%charset \"UTF-8\" u8\n", Code::kMechanism,
                  "g.lark:2:20: expected what iconv calls the encoding, its names, and perhaps "
                  "'with_mark', as in"},
        ErrorCase{"start: \"a\"\n%charset \"UTF-8\" \"u8\" mark\n", Code::kMechanism,
                  "g.lark:2:27: expected what iconv calls the encoding"},
        ErrorCase{"start: \"a\"\n%charset \"UTF-8\" \" \"\n", Code::kMechanism,
                  "g.lark:2:18: expected at least one name of the encoding"},
        ErrorCase{"start: \"a\"\n%charset \"UTF-8\" \"utf-8\"\n", Code::kMechanism,
                  "g.lark:2:18: the name 'utf-8' is not of small letters and digits, parted by "
                  "single '_'"},
        ErrorCase{"start: \"a\"\n%charset \"UTF-8\" \"u8\"\n%charset \"A\" \"a u8\"\n",
                  Code::kMechanism, "g.lark:3:14: the name 'u8' stands for an encoding already"},
        ErrorCase{
            "start: A\nA: /<.*?>/\n%unfinished A \"<\"\n", Code::kMechanism,
            "g.lark:3:15: expected a regular expression behind '%unfinished A', found a literal"},
        ErrorCase{"start: A\nA: \"a\" B\nB: \"b\" A\n", Code::kUnsupported,
                  "g.lark:3:8: the terminal 'A' contains itself"},
        ErrorCase{"start: A\nA: \"a\"i..\"b\"\n", Code::kUnsupported,
                  "g.lark:2:4: a range of characters takes no 'i'"}));

INSTANTIATE_TEST_SUITE_P(
    Meaning, GrammarErrorTable,
    testing::Values(
        ErrorCase{"", Code::kUndefined, "g.lark: the start rule 'start' is not defined"},
        ErrorCase{"%start main\nx: \"a\"\n", Code::kUndefined,
                  "g.lark:1:8: the start rule 'main' is not defined"},
        ErrorCase{"start: x\n", Code::kUndefined, "g.lark:1:8: the rule 'x' is not defined"},
        ErrorCase{"start: X\n", Code::kUndefined, "g.lark:1:8: the terminal 'X' is not defined"},
        ErrorCase{"start: A\nA: B \"a\"\n", Code::kUndefined,
                  "g.lark:2:4: the terminal 'B' is not defined"},
        ErrorCase{"start: \"a\"\n%ignore WS\n", Code::kUndefined,
                  "g.lark:2:9: the terminal 'WS' is not defined"},
        ErrorCase{"start: \"a\"\n%soft \"b\"\n", Code::kUndefined,
                  "g.lark:2:7: no rule has the literal \"b\""},
        ErrorCase{"start: \"a\"\nstart: \"b\"\n", Code::kRedefined,
                  "g.lark:2:1: 'start' is already defined in line 1"},
        ErrorCase{"start: A\nA: \"a\"\nA: \"b\"\n", Code::kRedefined,
                  "g.lark:3:1: 'A' is already defined in line 2"},
        ErrorCase{"start: A\nA: \"a\"\n%declare A\n", Code::kRedefined,
                  "g.lark:3:10: 'A' is already defined in line 2"},
        ErrorCase{"start: \"\"\n", Code::kEmptyTerminal, "g.lark:1:8: an empty literal"},
        ErrorCase{"start: A\nA: /a*/\n", Code::kEmptyTerminal,
                  "g.lark:2:1: the terminal 'A' matches the empty text"},
        ErrorCase{"start: \"x\" /a?/\n", Code::kEmptyTerminal,
                  "g.lark:1:12: the terminal 'ANONYMOUS' matches the empty text"},
        ErrorCase{"start: A\nA: /[^\\s\\S]/\n", Code::kUnproductive,
                  "g.lark:2:1: the terminal 'A' matches no text"},
        ErrorCase{"start: \"a\" | x\nx: x \"b\"\n", Code::kUnproductive,
                  "g.lark:2:1: the rule 'x' derives no text"},
        ErrorCase{"start: \"a\" | x*\nx: y\ny: x\n", Code::kUnproductive,
                  "g.lark:2:1: the rule 'x' derives no text"},
        ErrorCase{"start:\n", Code::kUnproductive,
                  "g.lark:1:1: the start rule 'start' derives the empty text only"},
        ErrorCase{"start: \"a\"\nx: \"b\"\n", Code::kUnreachable,
                  "g.lark:2:1: the rule 'x' cannot be reached from 'start'"},
        ErrorCase{"start: \"a\"\nB: \"b\"\n", Code::kUnreachable,
                  "g.lark:2:1: the terminal 'B' is used nowhere"},
        ErrorCase{"start: \"a\"\n%declare INDENT\n", Code::kUnreachable,
                  "g.lark:2:10: the terminal 'INDENT' is used nowhere"},
        ErrorCase{"start: \"a\"#given | A\nA: \"b\"\n%emit A never\n", Code::kUnproductive,
                  "g.lark:1:1: the start rule 'start' derives no text that may be emitted"}));

INSTANTIATE_TEST_SUITE_P(
    Directives, GrammarErrorTable,
    testing::Values(
        ErrorCase{"start: \"a\"\n%region\n", Code::kMechanism,
                  "g.lark:2:8: expected the kind of a node, as in"},
        ErrorCase{"start: \"a\"\n%region block in before \"x\"\n", Code::kMechanism,
                  "g.lark:2:15: expected kinds of nodes behind 'in'"},
        ErrorCase{"start: \"a\"\n%region block before\n", Code::kMechanism,
                  "g.lark:2:15: expected a text in double quotes behind 'before'"},
        ErrorCase{
            "start: \"a\"\n%region block after \"x\" before \"y\"\n", Code::kMechanism,
            "g.lark:2:25: expected 'in', 'has', 'before', 'after' and 'filler' in this order"},
        ErrorCase{"start: \"a\"\n%region block has \"async\"\n", Code::kMechanism,
                  "g.lark:2:1: 'has' names a token of the node that 'in' names"},
        ErrorCase{"start: \"a\"\n%ignore\n", Code::kMechanism,
                  "g.lark:2:8: expected '%ignore TERMINAL'"},
        ErrorCase{"start: A\nA: \"a\"\n%ignore A\n", Code::kMechanism,
                  "g.lark:3:9: 'A' stands in a rule"},
        ErrorCase{"start: A\nA: \"a\"\n%poison A\n", Code::kMechanism,
                  "g.lark:3:9: 'A' stands in a rule"},
        ErrorCase{"start: \"a\"\nB: \"b\"\n%ignore B\n%poison B\n", Code::kMechanism,
                  "g.lark:4:9: 'B' is already ignored"},
        ErrorCase{"start: \"a\"\n%poison\n", Code::kMechanism,
                  "g.lark:2:8: expected at least one terminal behind '%poison'"},
        ErrorCase{"start: \"a\"#no_newline\n", Code::kMechanism,
                  "g.lark:1:1: '#no_newline' and '#newline_before' need"},
        ErrorCase{"start: \"a\"\nN: \"n\"\n%line_ends N\n%emit N never\n", Code::kMechanism,
                  "g.lark:1:1: no terminal of '%line_ends' may be written"},
        ErrorCase{"start: \"a\"\nN: \"n\"\n%line_ends N\n%terminator \"a\" at N after \"a\"\n",
                  Code::kMechanism, "g.lark:4:28: behind the terminator"},
        ErrorCase{"start: \"a\" \"b\"\n%split \"a\" \"b\"\n", Code::kMechanism,
                  "g.lark:2:15: expected a terminal and what it is made of"},
        ErrorCase{"start: \"ab\" \"a\" \"b\"\n%split \"ab\" \"b\" \"a\"\n", Code::kMechanism,
                  "g.lark:2:1: 'AB' is not what its parts make together"},
        ErrorCase{"start: \"((\" \"(\"\n%split \"((\" \"(\" \"(\"\n", Code::kMechanism,
                  "g.lark:2:1: 'LPAR' is a bracket"},
        ErrorCase{"start: \"a\"\nN: \"aa\"\n%ignore N\n%split N \"a\" \"a\"\n", Code::kMechanism,
                  "g.lark:4:1: 'N' must be a terminal of rules"},
        ErrorCase{"start: \"a\"\n%line_ends \"a\"\n", Code::kMechanism,
                  "g.lark:2:12: 'A' stands in a rule"},
        ErrorCase{"start: \"a\"\n%not_last \"a\"\n", Code::kMechanism,
                  "g.lark:2:11: '%not_last' takes ignored terminals"},
        ErrorCase{"start: \"a\"\n%ignore / /\nB: \"b\"\n%ignore B\n%forbid line_beginning B\n",
                  Code::kMechanism,
                  "g.lark:5:24: '%forbid line_beginning' takes ignored terminals of a grammar with "
                  "'%layout'"},
        ErrorCase{"start: \"a\"\n%mode line_beginning \"a\"\n", Code::kMechanism,
                  "g.lark:2:7: 'line_beginning' is what '%forbid' calls the beginning of a line"},
        ErrorCase{
            "start: \"a\"\n%most \"brackets\" inside\n", Code::kMechanism,
            "g.lark:2:24: expected a number, what is counted, and modes or the indent terminal"},
        ErrorCase{"start: \"a\"\n%most 0 \"brackets\" inside\n", Code::kMechanism,
                  "g.lark:2:7: the number is one from 1 to 250"},
        ErrorCase{"start: \"a\"\n%most 2 \"brackets\" inside\n", Code::kMechanism,
                  "g.lark:2:20: expected the name of a mode behind '%most'"},
        ErrorCase{"start: \"a\"\n%declare I\n%most 2 \"blocks\" I\n", Code::kMechanism,
                  "g.lark:3:1: what '%most' counts are modes, or blocks by the terminal of "
                  "'%layout indent='"},
        ErrorCase{"start: \"a\"\n%declare I\n%most 2 \"blocks\" I\n%most 3 \"blocks\" I\n",
                  Code::kMechanism, "g.lark:4:1: blocks are already counted by another '%most'"},
        ErrorCase{"start: \"a\" \"b\"\n%mode m default\n%push \"a\" m\n%pop \"b\"\n%most 1 \"x\" "
                  "m\n%most 1 \"x\" m\n"
                  "%most 1 \"x\" m\n%most 1 \"x\" m\n%most 1 \"x\" m\n",
                  Code::kMechanism, "g.lark:9:1: there are more than 4 lines '%most'"},
        ErrorCase{"start: \"a\"\n%not_before \"a\"\n", Code::kMechanism,
                  "g.lark:2:16: expected '%not_before TERMINAL"},
        ErrorCase{"start: \"a\"\n%not_before \"a\" \"b\"\n", Code::kMechanism,
                  "g.lark:2:17: expected a regular expression behind '%not_before A'"},
        ErrorCase{"start: \"a\"\n%not_before \"a\" /b(/\n", Code::kSyntax, "g.lark:2:"},
        ErrorCase{"start: \"a\" \"b\"\n%fallback \"a\"\n", Code::kMechanism,
                  "g.lark:2:14: expected a terminal and those that fall back"},
        ErrorCase{"start: \"a\" \"b\"\n%fallback \"a\" \"b\" \"b\"\n", Code::kMechanism,
                  "g.lark:2:19: 'B' already falls back to 'A'"},
        ErrorCase{"start: \"a\" \"b\" \"c\"\n%fallback \"a\" \"b\"\n%fallback \"b\" \"c\"\n",
                  Code::kMechanism,
                  "g.lark:3:15: what is fallen back to does not itself fall back"},
        ErrorCase{"start: \"a\"\nN: \"n\"\n%ignore N\n%fallback \"a\" N\n", Code::kMechanism,
                  "g.lark:4:15: a terminal that falls back"},
        ErrorCase{"start: \"a\"\n%terminator \"a\"\n", Code::kMechanism,
                  "g.lark:2:1: expected the terminator, 'at'"},
        ErrorCase{"start: \"a\"\nN: \"n\"\n%terminator \"a\" at N after\n", Code::kMechanism,
                  "g.lark:3:1: expected the terminator, 'at' and 'after'"},
        ErrorCase{"start: \"a\" \"b\"\n%terminator \"a\" at \"b\" after \"b\"\n", Code::kMechanism,
                  "g.lark:2:20: 'B' stands in a rule"},
        ErrorCase{"start: \"a\" \"b\"\nN: \"n\"\n%terminator \"a\" at N N after after\n",
                  Code::kMechanism, "g.lark:3:30: expected a terminal's name or literal"},
        ErrorCase{"start: \"a\"\nN: \"n\"\n%terminator \"a\" at N after \"a\"\n", Code::kMechanism,
                  "g.lark:3:28: behind the terminator a line end is blank"},
        ErrorCase{"start: \"a\"\nN: \"n\"\n%terminator N at N after \"a\"\n", Code::kMechanism,
                  "g.lark:3:1: the terminator 'N' stands in no rule"},
        ErrorCase{"start: \"a\" M\nM: \"m\"\nN: \"n\"\n%layout newline=M\n%terminator M at N after "
                  "\"a\"\n",
                  Code::kMechanism, "g.lark:5:1: '%terminator', '%line_ends' and"},
        ErrorCase{"start: \"a\"\n%soft start\n", Code::kMechanism,
                  "g.lark:2:7: expected a terminal's name or literal behind '%soft'"},
        ErrorCase{"start: \"a\"\n%declare\n", Code::kMechanism,
                  "g.lark:2:9: expected at least one terminal name"},
        ErrorCase{"start: \"a\"\n%declare x\n", Code::kMechanism,
                  "g.lark:2:10: expected a terminal name"},
        ErrorCase{"start: \"a\"\n%start\n", Code::kMechanism, "g.lark:2:7: expected one rule name"},
        ErrorCase{"%start start\n%start start\nstart: \"a\"\n", Code::kMechanism,
                  "g.lark:2:1: there is already a '%start' in line 1"},
        ErrorCase{"start: A\nA: \"a\"\n%emit A\n", Code::kMechanism,
                  "g.lark:3:8: expected '%emit TERMINAL never'"},
        ErrorCase{"start: A\nA: \"a\"\n%emit A always\n", Code::kMechanism,
                  "g.lark:3:9: expected 'never' or a regular expression"},
        ErrorCase{"start: A\nA: \"a\"\n%emit A never\n%emit A never\n", Code::kMechanism,
                  "g.lark:4:1: '%emit' is already said of 'A'"},
        ErrorCase{"start: A\nA: /[ab]/\n%emit A /[bc]/\n", Code::kMechanism,
                  "g.lark:3:7: the emit pattern of 'A' matches \"c\""},
        ErrorCase{"start: A\nA: /a+/\n%emit A /a*/\n", Code::kMechanism,
                  "g.lark:3:7: the emit pattern of 'A' matches the empty text"},
        ErrorCase{"start: A\nA: /a+/\n%emit A /(/\n", Code::kSyntax,
                  "g.lark:3:10: in the regular expression"},
        ErrorCase{"start: A\nA: /a+/\n%spell A \"b\"\n", Code::kMechanism,
                  "g.lark:3:8: the spelling \"b\" of 'A' is not matched by its pattern"},
        ErrorCase{"start: A\nA: /a+/\n%emit A /aa/\n%spell A \"a\"\n", Code::kMechanism,
                  "g.lark:4:8: the spelling \"a\" of 'A' is not matched by its emit pattern"},
        ErrorCase{"start: A\nA: /a+/\n%spell A a\n", Code::kMechanism,
                  "g.lark:3:10: expected a text in double quotes"},
        ErrorCase{"start: A\nA: /a+/\n%describe A\n", Code::kMechanism,
                  "g.lark:3:12: expected '%describe TERMINAL"},
        ErrorCase{"start: A\nA: B B\nB: \"b\"\n%delimited B\n", Code::kMechanism,
                  "g.lark:4:12: 'B' is only a part of other terminals"}));

INSTANTIATE_TEST_SUITE_P(
    LayoutLine, GrammarErrorTable,
    testing::Values(
        ErrorCase{"start: NL\nNL: \"\\n\"\n%layout indent=NL\n", Code::kMechanism,
                  "g.lark:3:18: expected 'newline='"},
        ErrorCase{"start: NL\nNL: \"\\n\"\n%layout newline NL\n", Code::kMechanism,
                  "g.lark:3:9: expected pairs as in"},
        ErrorCase{"start: NL\nNL: \"\\n\"\n%layout newline=NL newline=NL\n", Code::kMechanism,
                  "g.lark:3:20: 'newline=' stands twice"},
        ErrorCase{"start: NL\nNL: \"\\n\"\n%layout newline=NL tabs=NL\n", Code::kMechanism,
                  "g.lark:3:20: unknown key 'tabs='"},
        ErrorCase{"start: NL IN\nNL: \"\\n\"\n%declare IN\n%layout newline=NL indent=IN\n",
                  Code::kMechanism, "g.lark:4:1: 'indent=' and 'dedent=' go together"},
        ErrorCase{
            "start: NL IN\nNL: \"\\n\"\n%declare IN\n%layout newline=NL indent=IN dedent=IN\n",
            Code::kMechanism, "g.lark:4:1: 'indent=' and 'dedent=' name the same"},
        ErrorCase{"start: NL IN DE\nNL: \"\\n\"\nIN: \"a\"\n%declare DE\n%layout newline=NL "
                  "indent=IN dedent=DE\n",
                  Code::kMechanism, "g.lark:5:1: 'IN' has a definition"},
        ErrorCase{"start: \"a\"\nNL: \"\\n\"\n%ignore NL\n%layout newline=NL\n", Code::kMechanism,
                  "g.lark:4:1: the newline terminal 'NL' must have"},
        ErrorCase{"start: NL\nNL: \"\\n\"\n%layout newline=NL brackets=\"()\"\n", Code::kUndefined,
                  "g.lark:3:29: no rule has the bracket \"(\""},
        ErrorCase{"start: NL \"(\"\nNL: \"\\n\"\n%layout newline=NL brackets=\"(\"\n",
                  Code::kMechanism, "g.lark:3:29: expected pairs of different brackets"},
        ErrorCase{"start: NL\nNL: \"\\n\"\n%layout newline=NL\n%layout newline=NL\n",
                  Code::kMechanism, "g.lark:4:1: there is already a '%layout'"}));

TEST(GrammarReader, ReadsEveryDirective) {
  const Grammar grammar = Read(
      "// A file with everything\n"
      "# an old comment\n"
      "%start file\n"
      "?file: (stmt NEWLINE INDENT stmt DEDENT)+ -> lines\n"
      "!stmt: \"match\" NAME | \"(\" [NAME] \")\" | NAME#since_2\n"
      "    // a comment between alternatives\n"
      "    | STRING#given \",\"#given STRING\n"
      "\n"
      "NAME: /[a-z]+/i\n"
      "STRING.2: \"'\" /[^']/* \"'\"\n"
      "NEWLINE: /\\r?\\n/\n"
      "COMMENT: \"//\" /.*/\n"
      "BAD_NUMBER: /[0-9]+[a-z]+/\n"
      "%declare INDENT DEDENT\n"
      "%ignore COMMENT\n"
      "%ignore /[ \\t]+/\n"
      "%ignore \"\\f\"\n"
      "%poison BAD_NUMBER\n"
      "%soft \"match\"\n"
      "%delimited STRING COMMENT\n"
      "%emit COMMENT never\n"
      "%emit NAME /[a-z]+/\n"
      "%spell NAME \"x\"\n"
      "%levels since_2\n"
      "%describe NAME \"a name\"\n"
      "%layout newline=NEWLINE indent=INDENT dedent=DEDENT brackets=\"()\"\n");
  // Priority first, then literals, then the order of definition.
  EXPECT_EQ(
      Names(grammar),
      "STRING MATCH LPAR RPAR COMMA U000C NAME NEWLINE COMMENT BAD_NUMBER INDENT DEDENT ANONYMOUS");
  EXPECT_EQ(grammar.path, "g.lark");
  EXPECT_EQ(grammar.predicates, (std::vector<std::string>{"given", "since_2"}));
  EXPECT_EQ(grammar.SymbolName(grammar.start), "file");
  EXPECT_FALSE(grammar.start_nullable);

  const Terminal& string = *Find(grammar, "STRING");
  EXPECT_EQ(string.priority, 2);
  EXPECT_FALSE(string.literal);
  EXPECT_TRUE(string.delimited);
  EXPECT_TRUE(string.emitted);
  const Terminal& match = *Find(grammar, "MATCH");
  EXPECT_TRUE(match.literal);
  EXPECT_TRUE(match.soft);
  EXPECT_EQ(match.kind, TerminalKind::kParsed);
  const Terminal& name = *Find(grammar, "NAME");
  EXPECT_EQ(name.pattern + "/" + name.pattern_flags, "[a-z]+/i");
  EXPECT_EQ(name.emit_pattern + "/" + name.emit_flags, "[a-z]+/");
  EXPECT_EQ(name.spelling, "x");
  EXPECT_EQ(name.description, "a name");
  EXPECT_FALSE(name.soft);
  const Terminal& comment = *Find(grammar, "COMMENT");
  EXPECT_EQ(comment.kind, TerminalKind::kIgnored);
  EXPECT_FALSE(comment.emitted);
  EXPECT_TRUE(comment.delimited);
  EXPECT_EQ(Find(grammar, "ANONYMOUS")->kind, TerminalKind::kIgnored);
  EXPECT_EQ(Find(grammar, "U000C")->kind, TerminalKind::kIgnored);
  EXPECT_EQ(Find(grammar, "BAD_NUMBER")->kind, TerminalKind::kPoison);
  EXPECT_EQ(Find(grammar, "INDENT")->kind, TerminalKind::kDeclared);
  EXPECT_EQ(Find(grammar, "INDENT")->pattern, "");

  ASSERT_TRUE(grammar.layout.has_value());
  EXPECT_EQ(NameOf(grammar, grammar.layout->newline), "NEWLINE");
  EXPECT_EQ(NameOf(grammar, grammar.layout->indent.value()), "INDENT");
  EXPECT_EQ(NameOf(grammar, grammar.layout->dedent.value()), "DEDENT");
  ASSERT_EQ(grammar.layout->brackets.size(), 1u);
  EXPECT_EQ(NameOf(grammar, grammar.layout->brackets[0].first), "LPAR");
  EXPECT_EQ(NameOf(grammar, grammar.layout->brackets[0].second), "RPAR");
  EXPECT_EQ(grammar.Dump(),
            "start: file\n"
            "file -> __plus_1\n"
            "stmt -> MATCH NAME\n"
            "stmt -> LPAR NAME RPAR\n"
            "stmt -> LPAR RPAR\n"
            "stmt -> NAME#since_2\n"
            "stmt -> STRING#given COMMA#given STRING\n"
            "__plus_1 -> stmt NEWLINE INDENT stmt DEDENT\n"
            "__plus_1 -> __plus_1 stmt NEWLINE INDENT stmt DEDENT\n");
}

TEST(GrammarReader, ImportsWhatLarksLibraryHas) {
  struct Import {
    std::string_view name, matches, does_not;
  };
  const Import imports[] = {{"ESCAPED_STRING", R"("a\\\"b")", R"("a\")"},
                            {"NUMBER", "1.5e-3", "-1"},
                            {"SIGNED_NUMBER", "-.5", "-"},
                            {"FLOAT", "1e9", "19"},
                            {"SIGNED_FLOAT", "+1.", "+1"},
                            {"DECIMAL", "1.", "1.5e1"},
                            {"SIGNED_INT", "-12", "1.2"},
                            {"INT", "012", ""},
                            {"CNAME", "_a9", "9a"},
                            {"WORD", "aZ", "a1"},
                            {"C_COMMENT", "/* a **/", "/* a */ */"},
                            {"CPP_COMMENT", "// x", "/ x"},
                            {"SH_COMMENT", "# x", "# x\n"},
                            {"SQL_COMMENT", "-- x", "- x"},
                            {"NEWLINE", "\r\n\n", "\r"},
                            {"WS", " \t\f\r\n", "x"},
                            {"WS_INLINE", " \t", "\n"},
                            {"CR", "\r", "\n"},
                            {"LF", "\n", "\r"},
                            {"DIGIT", "7", "77"},
                            {"HEXDIGIT", "F", "G"},
                            {"LETTER", "q", "1"},
                            {"LCASE_LETTER", "q", "Q"},
                            {"UCASE_LETTER", "Q", "q"}};
  for (const Import& import : imports) {
    const std::string name(import.name);
    const Grammar grammar = Read("%import common." + name + " -> X\nstart: X\n");
    ASSERT_NE(Find(grammar, "X"), nullptr) << name;
    EXPECT_TRUE(Matches(*Find(grammar, "X"), import.matches)) << name;
    EXPECT_FALSE(Matches(*Find(grammar, "X"), import.does_not)) << name;
  }
  const Grammar grammar = Read("%import common (INT, WS)\n%ignore WS\nstart: INT\n");
  EXPECT_EQ(Names(grammar), "INT WS");
}

TEST(GrammarReader, TakesNoNoticeOfARulesPriority) {
  EXPECT_EQ(Read("start.3: A\nA.2: \"a\"\n").rules.size(),
            Read("start: A\nA.2: \"a\"\n").rules.size());
}

TEST(GrammarReader, LayoutMayCountLinesOnly) {
  const Grammar grammar = Read("start: (\"a\" NL)+\nNL: /\\n/\n%layout newline=NL\n");
  ASSERT_TRUE(grammar.layout.has_value());
  EXPECT_FALSE(grammar.layout->indent.has_value());
  EXPECT_TRUE(grammar.layout->brackets.empty());
}

TEST(GrammarReader, OrdersTerminalsByPriorityThenLiteralThenDefinition) {
  EXPECT_EQ(
      Names(Read("start: A B C D \"e\" /f/ \"g\"\nA: /a/\nB: \"b\"\nC.5: /c/\nD.-1: \"d\"\n")),
      "C B E G A ANONYMOUS D");
}

TEST(GrammarReader, TakesALiteralInARuleForTheTerminalThatIsDefinedAsIt) {
  const Grammar grammar =
      Read("start: \"and\" \"or\" \"and\"i /[0-9]+/\nWORD_AND: \"and\"\nNUMBER: /[0-9]+/\n");
  EXPECT_EQ(grammar.Dump(), "start: start\nstart -> WORD_AND OR AND NUMBER\n");
  EXPECT_TRUE(Matches(*Find(grammar, "AND"), "aNd"));
  EXPECT_FALSE(Matches(*Find(grammar, "WORD_AND"), "aNd"));
}

TEST(GrammarReader, GivesAnonymousTerminalsNamesOfTheirOwn) {
  // IF is taken by a name, and the case-insensitive literal is another terminal.
  const Grammar grammar = Read("start: \"if\" \"if\"i IF \"->\" \"_\" \"0x\"\nIF: /i+f/\n");
  EXPECT_EQ(grammar.Dump(),
            "start: start\nstart -> IF_1 IF_2 IF MINUS_MORETHAN UNDERSCORE LITERAL_0X\n");
}

struct PatternCase {
  std::string_view definitions, text;
  bool matches;
};

void PrintTo(const PatternCase& c, std::ostream* out) { *out << c.definitions << " on " << c.text; }

class TerminalPattern : public testing::TestWithParam<PatternCase> {};

TEST_P(TerminalPattern, IsComposedOfItsParts) {
  const Grammar grammar = Read("start: A\n" + std::string(GetParam().definitions));
  ASSERT_NE(Find(grammar, "A"), nullptr);
  EXPECT_EQ(Matches(*Find(grammar, "A"), GetParam().text), GetParam().matches)
      << Find(grammar, "A")->pattern;
  EXPECT_EQ(grammar.terminals.size(), 1u) << "parts are not tokens";
}

INSTANTIATE_TEST_SUITE_P(
    Table, TerminalPattern,
    testing::Values(
        PatternCase{"A: \"a.\"\n", "a.", true}, PatternCase{"A: \"a.\"\n", "ab", false},
        PatternCase{"A: \"ab\"i\n", "aB", true}, PatternCase{"A: \"k\"i\n", "\u212a", false},
        PatternCase{"A: \"a\"i \"b\"\n", "Ab", true}, PatternCase{"A: \"a\"i \"b\"\n", "AB", false},
        PatternCase{"A: /a/i \"b\"\n", "Ab", true}, PatternCase{"A: /a/i \"b\"\n", "aB", false},
        PatternCase{"A: /(?i)a/ \"b\"\n", "Ab", true},
        PatternCase{"A: /(?i)a/ \"b\"\n", "AB", false}, PatternCase{"A: /(?i)ab/\n", "AB", true},
        PatternCase{"A: /a # x/x \"b\"\n", "ab", true}, PatternCase{"A: /./s \"b\"\n", "\nb", true},
        PatternCase{"A: /a|b/ \"c\"\n", "bc", true}, PatternCase{"A: /a|b/ \"c\"\n", "a", false},
        PatternCase{"A: \"ab\"+\n", "abab", true}, PatternCase{"A: \"ab\"+\n", "abb", false},
        PatternCase{"A: \"a\" [\"b\"] \"c\"?\n", "ac", true},
        PatternCase{"A: (\"a\" | \"b\" \"c\")~2\n", "abc", true},
        PatternCase{"A: (\"a\" | \"b\" \"c\")~2\n", "bc", false},
        PatternCase{"A: \"a\"~2..3\n", "aaa", true}, PatternCase{"A: \"a\"~2..3\n", "aaaa", false},
        PatternCase{"A: \"a\"..\"f\"\n", "c", true}, PatternCase{"A: \"a\"..\"f\"\n", "g", false},
        PatternCase{"A: \"\\u00e9\"..\"\\U0001f600\"\n", "\xe2\x82\xac", true},
        PatternCase{"A: B* \"x\"\nB: \"0\"..\"9\" | C\nC: \"_\"i\n", "1_2x", true},
        PatternCase{"A: B\nB: \"+\"\n", "+", true},
        PatternCase{"A: \"x\" | B\n  | C\nB: /b|c/\nC: \"d\"\n", "d", true},
        PatternCase{"A: \"\\t\\n\\\\\\\"\\x41\\/\"\n", "\t\n\\\"A/", true},
        PatternCase{"A: /\\/[^\\/]*\\//\n", "/x/", true},
        // Groups are those of the part that names them; a lazy repetition ends where what follows
        // its part ends.
        PatternCase{"A: /(a|b)/ /(c|d)\\1/ \"-\" B\nB: /(a|b)(c|d)\\2\\1/\n", "acc-bddb", true},
        PatternCase{"A: /(a|b)/ /(c|d)\\1/ \"-\" B\nB: /(a|b)(c|d)\\2\\1/\n", "aca-bddb", false},
        PatternCase{"A: \"/*\" /(.|\\n)*?/ \"*/\"\n", "/*\n*a/*/", true},
        PatternCase{"A: \"/*\" /(.|\\n)*?/ \"*/\"\n", "/**/*/", false},
        PatternCase{"A: \"r\" B\nB: /(#{0,3})<.*?>\\1/s\n", "r#<>a>#", true},
        PatternCase{"A: \"r\" B\nB: /(#{0,3})<.*?>\\1/s\n", "r#<>#>#", false}));

TEST(GrammarReader, WhatIsLeftUnfinishedIsPoison) {
  const Grammar grammar = Read("start: A\nA: /(#{0,1})<.*?>\\1/s\n%unfinished A /#*</\n");
  const Terminal* unfinished = Find(grammar, "A_UNFINISHED");
  ASSERT_NE(unfinished, nullptr);
  EXPECT_EQ(unfinished->kind, TerminalKind::kPoison);
  EXPECT_TRUE(Matches(*unfinished, "#<a>"));
  EXPECT_TRUE(Matches(*unfinished, "<"));
  for (const std::string_view text : {"#", "#<>#", "<>", "#<>#a", "##<"})
    EXPECT_FALSE(Matches(*unfinished, text)) << text;
}

TEST(GrammarReader, WhatRunsOnBelongsToNoLazyRepetition) {
  const Grammar grammar =
      Read("start: A B\nA: /(#{0,1})<.*?>\\1/\nB: /[a-z]/\n%not_before A /(b)\\1/\n");
  const Terminal* run_on = Find(grammar, "A_RUN_ON");
  ASSERT_NE(run_on, nullptr);
  EXPECT_TRUE(Matches(*run_on, "#<a>#bb"));
  EXPECT_FALSE(Matches(*run_on, "#<a>#<>#bb"));
  EXPECT_FALSE(Matches(*run_on, "<a>#bb"));
}

TEST(GrammarReader, ReadsWhatStandsInForBrokenText) {
  const Grammar grammar = Read(
      "start: \"a\"\n"
      "%region module\n"
      "%region block in function_definition lambda has \"async\" before \"async def f():\\n\"\n"
      "%region list before \"[\" after \"]\" filler \"0\"\n");
  ASSERT_EQ(grammar.regions.size(), 3u);
  EXPECT_EQ(grammar.regions[0].node, "module");
  EXPECT_EQ(grammar.regions[0].before, "");
  const Region& block = grammar.regions[1];
  EXPECT_EQ(block.parents, (std::vector<std::string>{"function_definition", "lambda"}));
  EXPECT_EQ(block.token, "async");
  EXPECT_EQ(block.before, "async def f():\n");
  EXPECT_EQ(grammar.regions[2].after, "]");
  EXPECT_EQ(grammar.regions[2].filler, "0");
}

TEST(GrammarReader, ReadsLineEndsWithCarriageReturnAndAByteOrderMark) {
  EXPECT_EQ(Read("\xef\xbb\xbfstart: \"a\"\r\n  | \"b\"\r\n\r\n%ignore \" \"\r\n").Dump(),
            "start: start\nstart -> A\nstart -> B\n");
}

TEST(GrammarReader, LetsALineBreakInsideParentheses) {
  EXPECT_EQ(Read("start: (\n  \"a\" // one\n  \"b\"\n)").Dump(), "start: start\nstart -> A B\n");
}

TEST(GrammarReader, NeverCrashesOnCutOrDamagedText) {
  const std::string text =
      "%start file\nfile: (stmt NL IN stmt DE)+ | \"a\"~2..3 -> x\nstmt: \"m\" [A] | A#p "
      "\",\"#given\nA.2: "
      "/[a-z]+(?i:x)/i \"q\"..\"z\" B\n"
      "B: (\"b\"i | C)*\nC: \"\\u00e9\"\nNL: /\\n/\n%declare IN DE\n%ignore /[ \\t]/\n%soft "
      "\"m\"\n%emit NL "
      "/\\n/\n%layout newline=NL indent=IN dedent=DE\n%levels p\n";
  ASSERT_TRUE(ReadGrammar(text, "g.lark").has_value())
      << ReadGrammar(text, "g.lark").error().ToString();
  int refused = 0;
  const auto read = [&](const std::string& damaged) {
    const auto grammar = ReadGrammar(damaged, "g.lark");
    if (grammar) return;
    ++refused;
    EXPECT_FALSE(grammar.error().message.empty());
  };
  for (size_t length = 0; length < text.size(); ++length) read(text.substr(0, length));
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (size_t n = 1 + random() % 3; n > 0; --n) {
      const size_t at = random() % damaged.size();
      if (random() % 2 == 0)
        damaged.erase(at, 1 + random() % 4);
      else
        damaged[at] = static_cast<char>(random());
    }
    read(damaged);
  }
  EXPECT_GT(refused, 1000);
}

TEST(GrammarReader, RefusesDeepNestingAndPatternsThatDouble) {
  const auto deep = ReadGrammar("start: " + std::string(100000, '(') + "\n", "g.lark");
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().code, GrammarErrorCode::kTooLarge);
  std::string doubling = "start: A\nA: \"a\"\n";
  std::string name = "A";
  for (int i = 0; i < 40; ++i) {
    doubling += name + "A: " + name + " " + name + "\n";
    name += "A";
  }
  const auto doubled = ReadGrammar(doubling, "g.lark");
  ASSERT_FALSE(doubled.has_value());
  EXPECT_EQ(doubled.error().code, GrammarErrorCode::kTooLarge) << doubled.error().ToString();
}

}  // namespace
}  // namespace tenon::constraint
