#include "constraint/grammar_file/contexts.h"

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

// Rules with marks written out, and the same with names for them, have the same nonterminals.
TEST(Contexts, StandForTheirMarks) {
  constexpr std::string_view kBodies = "a: \"x\"#p | \"y\"#q | \"z\"#r | \"w\"\n";
  const std::string named = DumpOf(
      "%context function#+p#-q\n%context method#function#+r\n"
      "start: \"1\" a#function | \"2\" a#method#+q | \"3\" a#method | \"4\" a#+q\n" +
      std::string(kBodies));
  EXPECT_EQ(named, DumpOf("start: \"1\" a#+p#-q | \"2\" a#+p#+q#+r | \"3\" a#+p#-q#+r | \"4\" "
                          "a#+q\n" +
                          std::string(kBodies)));
  EXPECT_NE(named.find("start -> LITERAL_1 a+p-q\n"), std::string::npos) << named;
}

TEST(Contexts, AreAddedToByALaterLine) {
  EXPECT_EQ(DumpOf("%context body#+p#-q\n%context body#+q\n"
                   "start: a#body | \"!\" a\na: \"x\"#p | \"y\"#q | \"z\"\n"),
            DumpOf("start: a#+p#+q | \"!\" a\na: \"x\"#p | \"y\"#q | \"z\"\n"));
}

struct Mistake {
  std::string_view text, message;
};

class ContextMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ContextMistakes, NameTheirPlace) { EXPECT_EQ(DumpOf(GetParam().text), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    All, ContextMistakes,
    testing::Values(
        Mistake{"start: a#body\na: \"x\"\n",
                "g.lark:1:10: there is no context 'body': name it by '%context', before others "
                "build on it; behind a rule stand contexts, '#no_newline' and '#newline_before', "
                "and other predicates behind a terminal's name or a literal only"},
        Mistake{"%context a#b\nstart: \"x\"\n",
                "g.lark:1:12: there is no context 'b': name it by '%context', before others build "
                "on it; behind a rule stand contexts, '#no_newline' and '#newline_before', and "
                "other predicates behind a terminal's name or a literal only"},
        Mistake{"%context a\nstart: \"x\"\n",
                "g.lark:1:11: expected '#+', '#-' or '#' in '%context NAME#+predicate#-predicate'"},
        Mistake{"%context A#+p\nstart: \"x\"\n",
                "g.lark:1:10: expected the context's lower case name in '%context "
                "NAME#+predicate#-predicate'"},
        Mistake{"%context a#+P\nstart: \"x\"\n",
                "g.lark:1:13: expected a lower case name in '%context NAME#+predicate#-predicate'"},
        Mistake{"%context a#+p\nstart: \"x\"#p\n",
                "g.lark:1:1: no rule has the context '#a': use it or remove it"}));

}  // namespace
}  // namespace tenon::constraint
