#include "server/cli/check_command.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(CheckCommand, SaysWhereAFileStopsBeingValid) {
  TemporaryFolder folder;
  const std::string good = folder.Write("good.json", "[1, 2]\n");
  const std::string bad = folder.Write("bad.json", "[\n  \"é\", ]\n");
  const std::string unknown = folder.Write("what.ever", "");
  EXPECT_EQ(Tenon({"check", good}).status, 0);
  EXPECT_EQ(Tenon({"check", good}).out, "");
  const ProgramRun text = Tenon({"check", good, bad});
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.out.rfind(bad + ":2:8: ", 0), 0U) << text.out;

  const ProgramRun run = Tenon({"check", "--json", good, bad, unknown, good + ".missing"});
  EXPECT_EQ(run.status, 1);
  const auto lines = run.Lines();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], (json{{"path", good},
                            {"valid", true},
                            {"line", nullptr},
                            {"column", nullptr},
                            {"message", ""}}));
  EXPECT_EQ(lines[1]["valid"], false);
  EXPECT_EQ(lines[1]["line"], 2);
  EXPECT_EQ(lines[1]["column"], 8);
  EXPECT_FALSE(lines[1]["message"].get<std::string>().empty());
  EXPECT_TRUE(Has(lines[2]["message"], "--language"));
  EXPECT_EQ(lines[3]["valid"], false);
  EXPECT_EQ(Tenon({"check", unknown, "--language", "json"}).status, 1);
  EXPECT_TRUE(Has(Tenon({"check", folder.path().string()}).err, "is a folder; name a file"));
  const ProgramRun level = Tenon({"check", good, "--level", "since_3_12"});
  EXPECT_EQ(level.status, 2);
  EXPECT_TRUE(Has(level.err, "give --emit, too")) << level.err;
}

TEST(CheckCommand, DecodesAFileThatDeclaresItsEncoding) {
  TemporaryFolder folder;
  const std::string good = folder.Write("good.py", "# coding: latin-1\n\xe9 = 1\n");
  const std::string bad = folder.Write("bad.py", "# coding: latin-1\n\xe9\xe9 = $\n");
  const std::string cut = folder.Write("cut.py", "# coding: cp1252\n\xe9\x81\n");
  EXPECT_EQ(Tenon({"check", good}).status, 0);
  const ProgramRun run = Tenon({"check", bad, cut});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.out, "bad.py:2:6: '$' cannot stand here")) << run.out;
  EXPECT_TRUE(
      Has(run.out, "cut.py:2:2: the byte 0x81 begins no character of the encoding 'cp1252'"))
      << run.out;
}

TEST(CheckCommand, NamesTheFileWhoseLanguageHasNoGrammar) {
  TemporaryFolder folder;
  const std::string c = folder.Write("a.c", "int x;");
  const std::string good = folder.Write("a.json", "[1]");
  EXPECT_TRUE(Has(Tenon({"check", good, c}).err, c + ": language 'c' has no grammar"));
  EXPECT_TRUE(Has(Tenon({"check", good, "--emit", "--level", "x"}).err, good + ": "));
  EXPECT_TRUE(Has(Tenon({"gap", c, "--at", "1"}).err, c + ": language 'c' has no grammar"));
  const std::string unknown = folder.Write("a.what", "x");
  for (const ProgramRun& run : {Tenon({"check", unknown}), Tenon({"gap", unknown, "--at", "0"})})
    EXPECT_TRUE(run.err.starts_with("tenon: " + unknown + ": no language")) << run.err;
}

TEST(CheckCommand, AnswersRequestsLineByLine) {
  TemporaryFolder folder;
  const std::string bad = folder.Write("bad.json", "[\n  1 2]\n");
  const std::string input =
      json{{"path", bad}}.dump() + "\n\n" + json{{"text", "1"}, {"language", "json"}}.dump() +
      "\n" + json{{"text", "\"\\ud041\""}, {"language", "json"}, {"emit", true}}.dump() + "\n" +
      json{{"text", "1"}}.dump() + "\nno json\n" + json{{"emit", 1}}.dump() + "\n" +
      json{{"language", "json"}}.dump() + "\n";
  const ProgramRun run = Tenon({"check", "--batch"}, input);
  EXPECT_EQ(run.status, 0);
  const auto lines = run.Lines();
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0]["valid"], false);
  EXPECT_EQ(lines[0]["line"], 2);
  EXPECT_EQ(lines[0]["column"], 5);
  EXPECT_EQ(lines[1],
            (json{{"valid", true}, {"line", nullptr}, {"column", nullptr}, {"message", ""}}));
  EXPECT_EQ(lines[2]["valid"], false);
  EXPECT_TRUE(Has(lines[3]["message"], "needs its \"language\""));
  EXPECT_TRUE(lines[4].contains("error"));
  EXPECT_TRUE(Has(lines[5]["error"], "emit"));
  EXPECT_TRUE(Has(lines[6]["error"], "\"text\""));
  EXPECT_EQ(Tenon({"check", "--batch", bad}).status, 2);
}

}  // namespace
}  // namespace tenon::server
