#include "server/bench/bench_command.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/cli/tiny_tokenizer.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(BenchCommand, RowsHaveNamesUnitsAndPercentiles) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  std::string text = "[\n";
  for (int i = 0; i < 40; ++i) text += "  {\"a\": [true, null, -1.5e3], \"b\": \"text\"},\n";
  const std::string file = folder.Write("a.json", text + "  []\n]\n");
  struct Case {
    std::string what;
    std::vector<std::pair<std::string, std::string>> rows;
  };
  const std::vector<Case> cases = {{"masks",
                                    {{"compile_cold", "ms"},
                                     {"check_token", "us"},
                                     {"accept_token", "us"},
                                     {"resident", "MB"},
                                     {"tokens", "count"}}},
                                   {"gap",
                                    {{"compile_cold", "ms"},
                                     {"gap_setup", "ms"},
                                     {"keystroke", "ms"},
                                     {"check_token", "us"},
                                     {"closing", "ms"}}}};
  for (const Case& c : cases) {
    const ProgramRun run =
        Tenon({"bench", c.what, "--json", "--file", file, "--tokenizer", tokenizer, "--gaps", "3"});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    const std::vector<json> rows = run.Lines();
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0]["name"], "machine");
    EXPECT_GE(rows[0]["cores"], 1);
    for (const auto& [name, unit] : c.rows) {
      const json* row = RowNamed(rows, name);
      ASSERT_NE(row, nullptr) << name << "\n" << run.out;
      EXPECT_EQ((*row)["unit"], unit) << name;
      EXPECT_TRUE((*row)["count"].is_number()) << name;
      if (unit == "count") continue;
      EXPECT_LE((*row)["p50"], (*row)["p90"]) << name;
      EXPECT_LE((*row)["p90"], (*row)["p99"]) << name;
      EXPECT_LE((*row)["p99"], (*row)["max"]) << name;
    }
  }
}

TEST(BenchCommand, StoreNeedsNoFile) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const ProgramRun run =
      Tenon({"bench", "store", "--json", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  for (const char* name :
       {"compile_cold", "compile_grammar", "compile_store", "resident", "vocabulary"})
    EXPECT_NE(RowNamed(run.Lines(), name), nullptr) << name;
  EXPECT_EQ(Tenon({"bench", "store", "--tokenizer", tokenizer}).status, 2);
}

TEST(BenchCommand, AmbiguousTextsNeedNoFile) {
  const ProgramRun run = Tenon({"bench", "ambiguity", "--json", "--levels", "2", "--terms", "3"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const std::vector<json> rows = run.Lines();
  for (const char* name : {"nested_2_check", "nested_2_gap", "flat_3_mask", "flat_3_closing"})
    EXPECT_NE(RowNamed(rows, name), nullptr) << name;
  ASSERT_NE(RowNamed(rows, "nested_2_gap"), nullptr);
  EXPECT_TRUE(RowNamed(rows, "nested_2_gap")->contains("cpu_p50")) << "a row in ms";
  EXPECT_FALSE(RowNamed(rows, "nested_2_mask")->contains("cpu_p50")) << "a row in us";
  EXPECT_EQ(Tenon({"bench", "ambiguity", "--file", "a.json"}).status, 2);
}

TEST(BenchCommand, ParsesAFileOfALanguageWithASyntaxAlone) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.c", "int a = 1;\nint b = 2;\n");
  const ProgramRun run = Tenon({"bench", "syntax", "--json", "--gaps", "3", "--file", file});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  for (const char* name : {"load_module", "parse_10000_lines", "tree", "parse_after_a_key"})
    EXPECT_NE(RowNamed(run.Lines(), name), nullptr) << name;
  EXPECT_EQ(Tenon({"bench", "syntax"}).status, 2);
  EXPECT_EQ(Tenon({"bench", "syntax", "--file", file, "--language", "klingon"}).status, 1);
}

TEST(BenchCommand, NamesTheModelThatIsNotThere) {
  const ProgramRun run = Tenon({"bench", "model", "--model", "no_such_model.gguf"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("no_such_model.gguf"), std::string::npos) << run.err;
  EXPECT_EQ(Tenon({"bench", "model", "--language", "json"}).status, 2);
}

TEST(BenchCommand, ReplaysEveryTokenOfTheFile) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const std::string file = folder.Write("a.json", "[true, null]\n");
  const std::vector<json> rows =
      Tenon({"bench", "masks", "--json", "--file", file, "--tokenizer", tokenizer}).Lines();
  ASSERT_NE(RowNamed(rows, "tokens"), nullptr);
  EXPECT_EQ((*RowNamed(rows, "tokens"))["count"], 11U);  // "tr" and "ue" are one token each
  for (const json& row : rows) {
    const std::string name = row["name"];
    if (name == "check_token" || name == "refused") {
      EXPECT_EQ(row["count"], name == "refused" ? 0U : 11U) << row;
    }
  }
}

TEST(BenchCommand, MeasuresTheMasksOfAnExpression) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const std::vector<std::string> command{"bench",    "masks",       "--json", "--regex",
                                         "[0-9]{3}", "--tokenizer", tokenizer};
  const ProgramRun run = Tenon(command);
  EXPECT_EQ(run.status, 0) << run.err;
  const std::vector<json> rows = run.Lines();
  for (const auto& [name, count] :
       std::vector<std::pair<std::string, size_t>>{{"states", 4},
                                                   {"vocabulary", 258},
                                                   {"mask_first", 4},
                                                   {"sets", 2},
                                                   {"accept_token", 150}}) {
    ASSERT_NE(RowNamed(rows, name), nullptr) << name;
    EXPECT_EQ((*RowNamed(rows, name))["count"], count) << name;
  }
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> all = command;
    all.insert(all.end(), more);
    return Tenon(all);
  };
  EXPECT_EQ(with({"--language", "json"}).status, 2);
  EXPECT_EQ(with({"--file", tokenizer}).status, 2);
  EXPECT_EQ(Tenon({"bench", "store", "--regex", "a", "--tokenizer", tokenizer}).status, 2);
  const ProgramRun wrong = Tenon({"bench", "masks", "--regex", "a(b", "--tokenizer", tokenizer});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(Has(wrong.err, "this '(' is never closed")) << wrong.err;
}

TEST(BenchCommand, PrintsATableWithoutJson) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const std::string file = folder.Write("a.json", "[true, null]\n");
  const ProgramRun run = Tenon({"bench", "masks", "--file", file, "--tokenizer", tokenizer});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Has(run.out, "p99")) << run.out;
  EXPECT_TRUE(Has(run.out, "compile_cold")) << run.out;
}

TEST(BenchCommand, AFileThatIsTooShortIsNamed) {
  TemporaryFolder folder;
  const std::string empty = folder.Write("empty.py", "");
  const std::string line = folder.Write("line.py", "x = 1\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"bench", "syntax", "--file", empty, "--gaps", "1"},
        {"bench", "gap", "--file", empty},
        {"bench", "lsp", "--file", empty},
        {"bench", "lsp", "--file", line}}) {
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 1) << json(arguments);
    EXPECT_TRUE(Has(run.err, arguments[3] + ": too short")) << run.err;
  }
}

TEST(BenchCommand, NamesTheFileThatIsWrong) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const std::string good = folder.Write("a.json", "[true]\n");
  const std::string bad = folder.Write("bad.json", "[true, ]\n");
  const auto says = [&](const std::vector<std::string>& arguments, const std::string& part) {
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 1) << json(arguments);
    EXPECT_TRUE(Has(run.err, part)) << run.err;
  };
  says({"bench", "masks", "--file", "/nowhere/a.json", "--tokenizer", tokenizer},
       "/nowhere/a.json");
  says({"bench", "masks", "--file", good, "--tokenizer", "/nowhere/t.json"}, "/nowhere/t.json");
  says({"bench", "masks", "--file", good, "--tokenizer", good}, "no member 'model'");
  says({"bench", "masks", "--file", good}, "/nowhere/model.gguf");
  says({"bench", "masks", "--file", bad, "--tokenizer", tokenizer}, "not valid at byte 7");
  says({"bench", "gap", "--file", bad}, "not valid at byte 7");
  says({"bench", "gap", "--file", good, "--language", "klingon"}, "klingon");
  says({"bench", "gap", "--file", folder.path().string()}, "is a folder; name a file");
  EXPECT_EQ(Tenon({"bench"}).status, 2);
  EXPECT_EQ(Tenon({"bench", "bogus", "--file", good}).status, 2);
  EXPECT_EQ(Tenon({"bench", "gap"}).status, 2);
}

}  // namespace
}  // namespace tenon::server
