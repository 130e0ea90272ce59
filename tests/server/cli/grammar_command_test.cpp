#include "server/cli/grammar_command.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(GrammarCommand, CountsAndShowsEachConflictWithAnExample) {
  TemporaryFolder folder;
  const std::string path =
      folder.Write("else.lark", "start: \"if\" start | \"if\" start \"else\" start | \"x\"\n");
  const json line = Tenon({"grammar", path, "--json"}).Lines().at(0);
  EXPECT_EQ(line["valid"], true);
  EXPECT_EQ(line["terminals"], 3);
  EXPECT_EQ(line["rules"], 3);
  EXPECT_EQ(line["nonterminals"], 1);
  EXPECT_EQ(line["lr_states"], 7);
  EXPECT_GT(line["lexer_states"], 3);
  EXPECT_EQ(line["conflicts"], 1);
  EXPECT_GE(line["compile_ms"], 0.0);
  EXPECT_EQ(
      line["examples"],
      json::parse(
          R"([{"next": "ELSE", "readings": [{"after": "IF IF X", "item": "start: IF start . ELSE start"},
                                                          {"after": "IF IF X", "item": "start: IF start ."}]}])"));
  const ProgramRun told = Tenon({"grammar", path});
  EXPECT_EQ(told.status, 0);
  EXPECT_TRUE(Has(told.out, "3 terminals (3 LR terminals), 3 rules of 1 nonterminals\n7 LR states"))
      << told.out;
  EXPECT_TRUE(
      Has(told.out, "conflict: after IF IF X, with ELSE next\n  start: IF start . ELSE start\n"))
      << told.out;
  EXPECT_TRUE(Has(Tenon({"grammar", path, "--max-conflicts", "0"}).out,
                  "1 more conflicts: --max-conflicts 1 shows all"));
}

TEST(GrammarCommand, NotesWhatIsTakenThoughSeldomMeant) {
  TemporaryFolder folder;
  const std::string path = folder.Write("odd.lark", "start: x | \"a\"\nx: y | \"b\"#given\ny: x\n");
  const json line = Tenon({"grammar", path, "--json"}).Lines().at(0);
  EXPECT_EQ(line["valid"], true);
  ASSERT_EQ(line["notes"].size(), 4u) << line;
  EXPECT_EQ(line["notes"][0]["line"], 2);
  EXPECT_EQ(line["notes"][0]["column"], 1);
  EXPECT_TRUE(Has(Tenon({"grammar", path}).out,
                  "odd.lark:2:1: the rule 'x' derives itself and nothing more"));
}

TEST(GrammarCommand, SaysWhatItCannotTakeAndWhere) {
  TemporaryFolder folder;
  const std::string path = folder.Write("bad.lark", "start: A\nA: /a*/\n");
  const ProgramRun told = Tenon({"grammar", path});
  EXPECT_EQ(told.status, 1);
  EXPECT_EQ(told.out, "");
  EXPECT_TRUE(Has(told.err, "bad.lark:2:1: the terminal 'A' matches the empty text")) << told.err;
  const ProgramRun told_json = Tenon({"grammar", path, "--json"});
  EXPECT_EQ(told_json.status, 1);
  const json line = told_json.Lines().at(0);
  EXPECT_EQ(line["valid"], false);
  EXPECT_EQ(line["line"], 2);
  EXPECT_EQ(line["column"], 1);
  EXPECT_TRUE(Has(line["message"], "matches the empty text"));
  EXPECT_EQ(Tenon({"grammar", "/nowhere.lark"}).status, 1);
}

TEST(GrammarCommand, PrintsTheGrammarOfAMiddle) {
  TemporaryFolder folder;
  const std::string grammar =
      folder.Write("list.lark", "start: \"[\" (X \",\")* X \"]\"\nX: \"x\"\n");
  const std::string file = folder.Write("a.list", "[x,??]");
  const std::vector<std::string> asked{"grammar", grammar, "--quotient", "--file",
                                       file,      "--at",  "3-5"};
  const ProgramRun lark = Tenon(asked);
  EXPECT_EQ(lark.status, 0) << lark.err;
  EXPECT_TRUE(Has(lark.out, "a.list, bytes 3-5: every text that closes the gap")) << lark.out;
  EXPECT_TRUE(Has(lark.out, "\nX: \"x\"\n")) << lark.out;
  std::vector<std::string> as_gbnf = asked;
  as_gbnf.insert(as_gbnf.end(), {"--format", "gbnf", "--json"});
  const json line = Tenon(as_gbnf).Lines().at(0);
  EXPECT_EQ(line["format"], "gbnf");
  EXPECT_EQ(line["terminals"], 2);
  EXPECT_TRUE(Has(line["grammar"], "root ::= ")) << line;
  std::vector<std::string> without_place(asked.begin(), asked.end() - 2);
  EXPECT_EQ(Tenon(without_place).status, 2);
  const ProgramRun closed =
      Tenon({"grammar", grammar, "--quotient", "--file", file, "--at", "0-1"});
  EXPECT_EQ(closed.status, 1);
  EXPECT_TRUE(Has(closed.err, "not viable, no text closes this gap")) << closed.err;
}

}  // namespace
}  // namespace tenon::server
