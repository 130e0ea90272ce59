#include "server/cli/wrong_usage.h"

#include <gtest/gtest.h>

#include "tests/server/cli/tenon.h"

namespace tenon::server {
namespace {

struct WrongLine {
  std::vector<std::string> arguments;
  std::string why;
};

TEST(WrongUsage, IsToldWithARemedy) {
  for (const auto& [arguments, why] : std::vector<WrongLine>{
           {{"chekc", "a.py"},
            "there is no command 'chekc'; the nearest is 'check'; 'tenon --help' lists what there "
            "is"},
           {{"xyz"}, "there is no command 'xyz'; 'tenon --help' lists what there is"},
           {{"check", "a.py", "--langauge", "go"},
            "there is no option '--langauge'; the nearest is '--language'; 'tenon check --help' "
            "lists what there is"},
           {{"check", "--langauge=go"},
            "there is no option '--langauge'; the nearest is '--language'; 'tenon check --help' "
            "lists what there is"},
           {{"doctor", "a"}, "'a' is one word too many; 'tenon doctor --help' lists what there is"},
           {{"model"},
            "tenon model needs one of its commands: list, pull, use, add, remove, info, check, "
            "convert, bench; 'tenon model --help' lists what there is"},
           {{"model", "lst"},
            "there is no command 'lst'; the nearest is 'list'; 'tenon model --help' lists what "
            "there is"},
           {{"model", "add"}, "file is required; 'tenon model add --help' lists what there is"},
           {{"complete", "a.py", "--at", "1:1", "--seed", "-1"},
            "--seed: '-1' is no whole number from 0 to 18446744073709551615; 'tenon complete "
            "--help' lists what there is"}}) {
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 2) << arguments[0];
    EXPECT_EQ(run.err, "tenon: " + why + "\n");
    EXPECT_EQ(run.out, "");
  }
}

TEST(WrongUsage, IsOneObjectWithJson) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"chekc", "--json"}, {"--json", "check", "--bogus"}}) {
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 2);
    ASSERT_EQ(run.Lines().size(), 1U);
    EXPECT_TRUE(Has(run.Lines()[0]["error"], "there is no")) << run.out;
    EXPECT_EQ(run.err, "");
  }
  // Here --json names a file.
  const ProgramRun run = Tenon({"eval", "gaps", ".", "--json", "a.json", "--bogus"});
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(Has(run.err, "there is no option '--bogus'")) << run.err;
}

TEST(WrongUsage, AnOptionWithoutEffectIsRefused) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--at", "3"},
                                               {"--file", "a.json"},
                                               {"--format", "gbnf"},
                                               {"--emit"},
                                               {"--quotient", "--dump", "lexer"}}) {
    std::vector<std::string> arguments = {"grammar", "a.lark"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 2) << more[0];
    EXPECT_TRUE(Has(run.err, "--quotient")) << run.err;
  }
}

}  // namespace
}  // namespace tenon::server
