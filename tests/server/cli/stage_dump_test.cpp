// `--dump` and `--explain`, against the golden files of tests/constraint/dump_test.cpp.
#include "server/cli/stage_dump.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/cli/tiny_tokenizer.h"
#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

using nlohmann::json;

const std::string kDumps = SourcePath("tests/data/dumps");

std::string Golden(const std::string& name) {
  std::ifstream in(kDumps + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

ProgramRun WithTinyLanguages(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--grammars", kDumps});
  return Tenon(arguments);
}

TEST(StageDump, PrintsTheStagesOfAGrammar) {
  const std::string grammar = kDumps + "/tiny.lark";
  EXPECT_EQ(Tenon({"grammar", grammar, "--dump", "lexer"}).out, Golden("tiny_lexer.txt"));
  EXPECT_EQ(Tenon({"grammar", grammar, "--dump", "table"}).out, Golden("tiny_table.txt"));
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const ProgramRun store = Tenon({"grammar", grammar, "--dump", "store", "--tokenizer", tokenizer});
  EXPECT_EQ(store.status, 0) << store.err;
  EXPECT_TRUE(store.out.starts_with("mask store: ")) << store.out;
  EXPECT_EQ(Tenon({"grammar", grammar, "--dump", "store", "--tokenizer", "/nowhere.json"}).status,
            1);
  EXPECT_EQ(Tenon({"grammar", grammar, "--dump", "plan"}).status, 2);
}

TEST(StageDump, PrintsTheStagesOfAGap) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.tiny", "f(a, , b)");
  for (const std::string stage : {"demand", "classes", "plan"}) {
    const ProgramRun run = WithTinyLanguages({"gap", file, "--at", "5", "--dump", stage});
    EXPECT_EQ(run.out, Golden("tiny_" + stage + ".txt")) << run.err;
  }
  const ProgramRun right = WithTinyLanguages({"gap", file, "--at", "5", "--dump", "right"});
  EXPECT_TRUE(right.out.starts_with("right context `, b)`\n")) << right.out;
  EXPECT_EQ(WithTinyLanguages({"gap", file, "--at", "5", "--dump", "lexer"}).out,
            Golden("tiny_lexer.txt"));
  const json line =
      WithTinyLanguages({"gap", file, "--at", "5", "--dump", "plan", "--json"}).Lines().at(0);
  EXPECT_EQ(line, (json{{"path", file}, {"stage", "plan"}, {"dump", Golden("tiny_plan.txt")}}));
  EXPECT_EQ(WithTinyLanguages({"gap", file, "--at", "50", "--dump", "plan"}).status, 2);
  EXPECT_EQ(WithTinyLanguages({"gap", file, "--at", "5", "--dump", "table"}).status, 2);
}

TEST(StageDump, ExplainsHowAGapIsRead) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.tiny", "foo(\"x\", bar)");
  const std::vector<std::string> arguments{"gap", file, "--at", "11", "--explain"};
  const ProgramRun run = WithTinyLanguages(arguments);
  EXPECT_TRUE(Has(Golden("explain.txt"), ": `foo(\"x\", ba` | `r)`\n" + run.out)) << run.out;
  std::vector<std::string> as_json = arguments;
  as_json.emplace_back("--json");
  EXPECT_EQ(WithTinyLanguages(as_json).Lines().at(0), json::parse(Golden("explain.json")));
  EXPECT_EQ(WithTinyLanguages({"gap", file, "--at", "11", "--explain", "--dump", "plan"}).status,
            2);
}

TEST(StageDump, ExplainsWhatWouldFollowAnInsertedText) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.tiny", "f()");
  const json line =
      WithTinyLanguages({"gap", file, "--at", "2", "--explain", "--json", "--insert", "a)"})
          .Lines()
          .at(0);
  EXPECT_EQ(line["viable"], false);
  EXPECT_EQ(line["why_not"], "each side is a part of some valid text, but no middle joins the two");
}

}  // namespace
}  // namespace tenon::server
