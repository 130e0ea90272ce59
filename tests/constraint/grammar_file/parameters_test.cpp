#include "constraint/grammar_file/parameters.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {
namespace {

std::string DumpOf(std::string_view text) {
  const auto grammar = ReadGrammar(text, "g.lark");
  return grammar ? grammar->Dump() : grammar.error().ToString();
}

// The rules of one head.
std::string RulesOf(std::string_view head, const std::string& dump) {
  std::string found;
  for (size_t at = 0; at < dump.size();) {
    const size_t end = dump.find('\n', at);
    const std::string line = dump.substr(at, end - at);
    if (line.starts_with(std::string(head) + " -> ")) found += line + "\n";
    at = end + 1;
  }
  return found;
}

constexpr std::string_view kSums =
    "%parameter first anywhere statement\n"
    "start: sum{statement} \";\" | \"return\" sum \";\"\n"
    "sum{first}: value{first} | sum{first} \"+\" value\n"
    "value{first}: NAME | {anywhere} \"{\" \"}\"\n"
    "NAME: /[a-z]+/\n";

TEST(Parameters, WriteRulesOutForTheWordsWithWhichTheyAreUsed) {
  EXPECT_EQ(DumpOf(kSums),
            "start: start\n"
            "start -> sum{statement} SEMICOLON\n"
            "start -> RETURN sum SEMICOLON\n"
            "sum -> value\n"
            "sum -> sum PLUS value\n"
            "sum{statement} -> value{statement}\n"
            "sum{statement} -> sum{statement} PLUS value\n"
            "value -> NAME\n"
            "value -> LBRACE RBRACE\n"
            "value{statement} -> NAME\n");
}

TEST(Parameters, GuardAsksEachParameterOfItsWords) {
  const std::string dump = DumpOf(
      "%parameter first anywhere statement body\n"
      "%parameter in with_in without_in\n"
      "start: a | a{statement} | a{body, without_in} | a{without_in}\n"
      "a{first, in}: \"x\" | {anywhere, body} \"y\" | {body, without_in} \"z\" | {with_in} b{in}\n"
      "b{in}: \"b\" | {without_in} \"c\"\n");
  EXPECT_EQ(RulesOf("a", dump), "a -> X\na -> Y\na -> b\n");
  EXPECT_EQ(RulesOf("a{statement}", dump), "a{statement} -> X\na{statement} -> b\n");
  EXPECT_EQ(RulesOf("a{body,without_in}", dump),
            "a{body,without_in} -> X\na{body,without_in} -> Y\na{body,without_in} -> Z\n");
  EXPECT_EQ(RulesOf("a{without_in}", dump), "a{without_in} -> X\na{without_in} -> Y\n");
  EXPECT_EQ(RulesOf("b", dump), "b -> B\n");
}

TEST(Parameters, GuardStandsBeforeAnAlternativeOfAGroup) {
  const std::string dump = DumpOf(
      "%parameter first anywhere statement\n"
      "start: a | a{statement}\n"
      "a{first}: \"x\" (\"y\" | {statement} \"z\")\n");
  EXPECT_EQ(RulesOf("a", dump), "a -> X Y\n");
  EXPECT_EQ(RulesOf("a{statement}", dump), "a{statement} -> X Y\na{statement} -> X Z\n");
}

TEST(Parameters, ChangesHaveTheParametersOfTheDefinition) {
  const std::string dump = DumpOf(std::string(kSums) +
                                  "%extend value{first}: {statement} \"!\" | \"?\"\n"
                                  "%override sum{first}: value{first} \"-\" sum{first}\n"
                                  "%extend sum{first}: value\n");
  EXPECT_EQ(RulesOf("value{statement}", dump),
            "value{statement} -> NAME\nvalue{statement} -> BANG\nvalue{statement} -> QMARK\n");
  EXPECT_EQ(RulesOf("sum{statement}", dump),
            "sum{statement} -> value{statement} MINUS sum{statement}\nsum{statement} -> value\n");
  EXPECT_EQ(DumpOf(std::string(kSums) + "%extend value: \"!\"\n"),
            "g.lark:6:9: 'value' has other parameters where it is defined: name the same ones "
            "here");
}

TEST(Parameters, StayWithSymbolsThatHaveConditionsAndMarks) {
  const std::string dump = DumpOf(
      "%parameter first anywhere statement\n"
      "start: \"r\" a{statement}#no_newline | a#+inside | \"s\" \"x\"#inside\n"
      "a{first}: \"x\" | {statement} \"y\"\nNEWLINE: /\\n/\n%line_ends NEWLINE\n");
  EXPECT_EQ(RulesOf("start", dump),
            "start -> R a{statement}:no_newline\nstart -> a+inside\nstart -> S X#inside\n");
}

TEST(Parameters, StandForABoundedNumberOfRules) {
  std::string text, parameters;
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::string("p") + static_cast<char>('a' + i);
    text += "%parameter " + name + " " + name + "_one " + name + "_two\n";
    parameters += (i > 0 ? ", " : "") + name;
  }
  // Each alternative turns one parameter over.
  text += "start: a\na{" + parameters + "}: \"x\"";
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::string("p") + static_cast<char>('a' + i);
    std::string others = parameters;
    others.replace(others.find(name), name.size(), name + "_two");
    text += " | \"x\" a{" + others + "}";
  }
  EXPECT_EQ(DumpOf(text + "\n"),
            "g.lark:22:1: the rules with parameters stand for more than 5000 rules: use fewer "
            "parameters, or fewer words");
}

struct Mistake {
  std::string_view text, message;
};

class ParameterMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ParameterMistakes, NameTheirPlace) {
  EXPECT_EQ(DumpOf(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ParameterMistakes,
    testing::Values(
        Mistake{"%parameter a b\nstart: \"x\"\n",
                "g.lark:1:15: expected a name and two words at least behind '%parameter'"},
        Mistake{"%parameter a b B\nstart: \"x\"\n",
                "g.lark:1:16: expected a lower case name, found the terminal name 'B'"},
        Mistake{"%parameter a b c\n%parameter d e b\nstart: \"x\"\n",
                "g.lark:2:16: 'b' is a parameter already, or one of its words: each has a name of "
                "its own"},
        Mistake{"start{a}: \"x\"\n",
                "g.lark:1:7: there is no parameter 'a': name its words, '%parameter a WORD WORD'. "
                "A template with symbols for parameters is written out for each of its uses"},
        Mistake{
            "%parameter a b c\nstart: x{c}\nx{a}: \"x\"\n",
            "g.lark:3:3: the parameter 'a' makes no difference to the rule 'x': pass it on, ask "
            "for its words, or leave it out"},
        Mistake{"%parameter a b c\nstart: x{c}\nx{a, a}: \"x\" | {c} \"y\"\n",
                "g.lark:3:3: a parameter is named twice"},
        Mistake{"%parameter a b c\nstart: x{c}\nx{a}: {b} \"x\"\n",
                "g.lark:3:1: no alternative is left of 'x{c}': give it one without a guard, or use "
                "it with other words"},
        Mistake{"%parameter a b c\nstart: x{c, b}\nx{a}: {b} \"x\" | \"y\"\n",
                "g.lark:2:13: the parameter 'a' is given twice"},
        Mistake{
            "%parameter a b c\nstart: x{a}\nx{a}: {b} \"x\" | \"y\"\n",
            "g.lark:2:10: the rule 'start' has no parameter 'a' to pass on: write it behind the "
            "rule's name"},
        Mistake{"%parameter a b c\nstart: x{d}\nx{a}: {b} \"x\" | \"y\"\n",
                "g.lark:2:10: 'd' is no parameter and none of a parameter's words"},
        Mistake{"%parameter a b c\nstart: x{c} | y\nx: \"x\"\ny{a}: \"y\" | {c} \"z\"\n",
                "g.lark:2:10: the rule 'x' has no parameter 'a'"},
        Mistake{"%parameter a b c\nstart: \"x\"\n",
                "g.lark:1:12: no rule has the parameter 'a': use it or remove it"},
        Mistake{"%parameter a b c\nstart: y | {b} \"y\"\ny{a}: \"y\" | {c} \"z\"\n",
                "g.lark:2:13: no parameter of the rule 'start' has the word 'b'"},
        Mistake{"%parameter a b c\nstart: A{b}\nA: \"x\"\n",
                "g.lark:2:9: a rule alone has parameters, and the terminal name 'A' has none"},
        Mistake{"start: A\nA: {b} \"x\"\n",
                "g.lark:2:4: a rule alone has parameters, and the terminal name 'A' has none"},
        Mistake{"start: a{}\n",
                "g.lark:1:10: expected a parameter, or one of its words, found '}'"},
        Mistake{"start: a{b\n",
                "g.lark:1:11: expected ',' or '}' in the braces, found the end of the line"}));

}  // namespace
}  // namespace tenon::constraint
