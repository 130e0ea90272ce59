#include "server/cli/gap_command.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/model/tiny_model.h"
#include "tests/server/cli/tenon.h"
#include "tests/server/cli/tiny_tokenizer.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(GapCommand, AnswersWhetherAGapCanBeClosedAndByWhat) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1, 2]");
  const auto ask = [&file](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"gap", file, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Tenon(arguments).Lines().at(0);
  };
  const json empty = ask({"--at", "4-5"});
  EXPECT_EQ(empty["viable"], true);
  EXPECT_EQ(empty["member"], false);
  EXPECT_TRUE(empty["expected"].is_array());
  EXPECT_FALSE(empty["expected"].empty());
  EXPECT_EQ(ask({"--at", "4-5", "--insert", "[true]"})["member"], true);
  EXPECT_EQ(ask({"--at", "4-5", "--insert", "-3"})["member"], true);
  EXPECT_EQ(ask({"--at", "6", "--insert="})["member"], true);
  EXPECT_EQ(ask({"--at", "4-5", "--insert", ","})["viable"], false);
  EXPECT_EQ(ask({"--at", "4-5", "--insert", ","})["expected"], json::array());
  EXPECT_TRUE(Has(ask({"--at", "4-50"})["error"], "6 bytes"));
  EXPECT_TRUE(Has(ask({"--at", "5-4"})["error"], "5-4"));
  EXPECT_TRUE(Has(Tenon({"gap", file, "--at", "4-5"}).out,
                  "viable\nthe empty text does not close the gap\nexpected: "));
}

TEST(GapCommand, AsksInTheRegionAroundTheGapOfABrokenFile) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", R"({"a": [1 2], "b": [3, 4]})");
  const auto ask = [&file](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"gap", file, "--at", "22-23", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Tenon(arguments).Lines().at(0);
  };
  EXPECT_EQ(ask({})["viable"], false);
  const json inside = ask({"--region", "--insert", "true", "--close"});
  EXPECT_EQ(inside["viable"], true);
  EXPECT_EQ(inside["member"], true);
  EXPECT_EQ(inside["region"]["at"][0], 11);
  EXPECT_EQ(inside["region"]["at"][1], 24);
  EXPECT_TRUE(Has(Tenon({"gap", file, "--at", "22-23", "--region"}).out, "in the region "));
  // A file that is valid around the gap has none.
  const std::string whole = folder.Write("b.json", "[1, 2]");
  EXPECT_FALSE(
      Tenon({"gap", whole, "--at", "4-5", "--region", "--json"}).Lines().at(0).contains("region"));
  // Braces of other blocks would close the gap of the whole file.
  const auto has_region = [](const char* language, const std::string& left, const char* right) {
    const json gap = {{"text", left + right},
                      {"language", language},
                      {"at", {left.size(), left.size()}},
                      {"emit", true},
                      {"region", true}};
    return Tenon({"gap", "--batch"}, gap.dump() + "\n").Lines().at(0).contains("region");
  };
  EXPECT_TRUE(has_region(
      "javascript", "function f() {\n  if (a) {\n    b();\n\nfunction g(c) {\n  c(", ", d);\n}\n"));
  EXPECT_TRUE(has_region("go", "package p\nfunc f() {\n\tgo func() {\n\t\t", "\n\t}\n}\n"));
}

TEST(GapCommand, TellsWhatFitsFromWhatTenonMayWrite) {
  json request = {{"text", "[1]"}, {"language", "jsonc"}, {"at", {2}}, {"insert", ","}};
  const auto member = [&request] {
    return Tenon({"gap", "--batch"}, request.dump() + "\n").Lines().at(0).at("member");
  };
  EXPECT_EQ(member(), true);
  request["emit"] = true;
  EXPECT_EQ(member(), false);
  request["insert"] = ", 2";
  EXPECT_EQ(member(), true);
  request["emit"] = 1;
  EXPECT_TRUE(Has(Tenon({"gap", "--batch"}, request.dump() + "\n").Lines().at(0).at("error"),
                  "\"emit\" must be true"));
  request["emit"] = true;
  request["inser"] = "3";
  EXPECT_EQ(Tenon({"gap", "--batch"}, request.dump() + "\n").Lines().at(0).at("error"),
            "\"inser\" is no member of a request; the nearest is 'insert'");
}

TEST(GapCommand, APlaceOutsideOfTheFileIsWrongUsage) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1, 2]");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--explain"}, {"--dump", "plan"}}) {
    std::vector<std::string> arguments = {"gap", file, "--at", "99"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = Tenon(arguments);
    EXPECT_EQ(run.status, 2);
    EXPECT_TRUE(Has(run.err, file + ": --at 99 lies after the end")) << run.err;
  }
}

TEST(GapCommand, SaysWhichTextWouldCloseTheGap) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1, 2]");
  const json closing =
      Tenon({"gap", file, "--at", "4-5", "--close", "--json"}).Lines().at(0)["closing"];
  ASSERT_TRUE(closing.is_string());
  EXPECT_EQ(
      Tenon({"gap", file, "--at", "4-5", "--json", "--insert", closing}).Lines().at(0)["member"],
      true);
  EXPECT_FALSE(Tenon({"gap", file, "--at", "4-5", "--json"}).Lines().at(0).contains("closing"));
  const json wrong = {{"text", "[]"}, {"language", "json"}, {"at", {1, 1}}, {"close", 1}};
  EXPECT_TRUE(Tenon({"gap", "--batch"}, wrong.dump() + "\n").Lines().at(0).contains("error"));
}

TEST(GapCommand, SaysThatTheTextBeginsAStringThatTheRightSideEnds) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", R"({"name": "tenon"})");
  const std::string at = "9-10";  // the quote is taken out
  const json line = Tenon({"gap", file, "--at", at, "--close", "--json"}).Lines().at(0);
  EXPECT_EQ(line["closing"], "\"") << line;
  EXPECT_EQ(line["seam"], "line");
  EXPECT_TRUE(Has(Tenon({"gap", file, "--at", at, "--close"}).out,
                  "the text begins a string that the right side ends\n"));
  EXPECT_TRUE(
      Has(Tenon({"gap", file, "--at", at, "--explain"}).out, "begins a string or comment that"));
  const json plain = Tenon({"gap", file, "--at", "9-16", "--close", "--json"}).Lines().at(0);
  EXPECT_FALSE(plain.contains("seam")) << plain;
  // As completions are asked for: a string of the line comes before a region, others after it.
  const auto emitted = [](const std::string& text, size_t cut, const char* insert, bool region) {
    const json request = {{"text", text},    {"language", "jsonc"}, {"at", {cut, cut}},
                          {"close", true},   {"emit", true},        {"region", region},
                          {"insert", insert}};
    return Tenon({"gap", "--batch"}, request.dump() + "\n").Lines().at(0);
  };
  const json over = emitted("[1, a b\"]", 4, "\"my ", true);
  EXPECT_EQ(over["member"], true) << over;
  EXPECT_EQ(over["seam"], "line");
  EXPECT_EQ(over["closing"], "");
  const json comment = emitted("[1] words", 3, " //", false);
  EXPECT_EQ(comment["member"], true) << comment;
  EXPECT_EQ(comment["seam"], "open");
  EXPECT_FALSE(emitted("[1] words", 3, "", true).contains("seam"));
}

TEST(GapCommand, DrawsSamplesThatCloseTheGapWithinTheirTokens) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[[1, 2]");
  model::GgufWriter writer;
  model::AddTinyTokenizer(writer, {});
  const std::vector<std::byte> bytes = writer.Bytes();
  const std::string tokenizer = folder.Write(
      "tiny.gguf", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  const auto ask = [&](const std::string& most, const std::string& seed) {
    return Tenon({"gap", file, "--at", "5-6", "--json", "--sample", "20", "--max-tokens", most,
                  "--seed", seed, "--tokenizer", tokenizer})
        .Lines()
        .at(0);
  };
  const json drawn = ask("9", "1");
  ASSERT_EQ(drawn["samples"].size(), 20U) << drawn;
  std::set<std::string> different;
  for (const std::string sample : drawn["samples"]) {
    different.insert(sample);
    EXPECT_LE(sample.size(), 4 * 9U);
    EXPECT_EQ(
        Tenon({"gap", file, "--at", "5-6", "--json", "--insert=" + sample}).Lines().at(0)["member"],
        true)
        << sample;
  }
  EXPECT_GT(different.size(), 10U);
  EXPECT_EQ(ask("9", "1"), drawn);
  EXPECT_NE(ask("9", "2")["samples"], drawn["samples"]);
  const json few = ask("1", "1");
  EXPECT_EQ(few["infeasible"], true) << few;
  EXPECT_EQ(few["needs"], 2) << few;
  EXPECT_EQ(few["samples"], json::array());
  EXPECT_EQ(ask("2", "1")["samples"].size(), 20U);
  const std::string batch =
      json{{"path", file}, {"at", {5, 6}}, {"sample", 2}, {"max_tokens", 5}}.dump() + "\n" +
      json{{"path", file}, {"at", {5, 6}}, {"sample", -2}}.dump() + "\n";
  const auto lines = Tenon({"gap", "--batch", "--tokenizer", tokenizer}, batch).Lines();
  EXPECT_EQ(lines.at(0)["samples"].size(), 2U);
  EXPECT_TRUE(Has(lines.at(1)["error"], "sample"));
  const json missing = Tenon({"gap", file, "--at", "5-6", "--json", "--sample", "1"}).Lines().at(0);
  EXPECT_TRUE(Has(missing["error"], "/nowhere/model.gguf")) << missing;
}

TEST(GapCommand, AsksAboutAScope) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[[1, (2]]");
  const std::string open = folder.Write("b.json", "[[1, 2");
  const auto ask = [](const std::string& path, const std::string& at, const std::string& scope,
                      const std::string& text) {
    return Tenon({"gap", path, "--at", at, "--json", "--scope", scope, "--insert=" + text})
        .Lines()
        .at(0);
  };
  EXPECT_EQ(ask(file, "5-7", "argument", "[3], 4")["member"], true);
  EXPECT_EQ(ask(file, "5-7", "free", "3], [4")["member"], true);
  EXPECT_EQ(ask(file, "5-7", "argument", "3], [4")["viable"], false);
  // A bracket of the inserted text may be closed, one of the given text may not.
  const json asked = {
      {"path", file}, {"at", {5, 7}}, {"scope", "argument"}, {"insert", "[3"}, {"close", true}};
  EXPECT_EQ(Tenon({"gap", "--batch"}, asked.dump() + "\n").Lines().at(0)["closing"], "]");
  // Nothing right of the gap closes the brackets: only what is written could.
  EXPECT_EQ(ask(open, "6", "free", "]]")["member"], true);
  EXPECT_EQ(ask(open, "6", "argument", "")["viable"], false);
  EXPECT_EQ(Tenon({"gap", file, "--at", "5-7", "--scope", "page"}).status, 2);
  const json wrong = {{"path", file}, {"at", {5, 7}}, {"scope", "page"}};
  EXPECT_TRUE(Has(Tenon({"gap", "--batch"}, wrong.dump() + "\n").Lines().at(0)["error"], "scope"));
}

TEST(GapCommand, ABatchAnswersEveryLineAndGoesOnAfterABadOne) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1, 2]");
  const std::string input =
      json{{"text", "[1, 2]"}, {"language", "json"}, {"at", {4, 5}}, {"insert", "7"}}.dump() +
      "\n" + "{not json\n\n" + json{{"path", file}, {"at", {4, 5}}}.dump() + "\r\n" +
      json{{"path", file}, {"at", 6}}.dump() + "\n" + R"({"text": "[]", "at": [1, 1]})" + "\n" +
      R"({"text": "[]", "language": "json", "at": [1, 9]})" + "\n" +
      R"({"text": 3, "language": "json", "at": [1, 1]})" + "\n" +
      R"({"language": "json", "at": [1, 1]})" + "\n" +
      R"({"text": "[]", "language": "json", "at": [-1, 1]})" + "\n" + R"([1])" + "\n" +
      R"({"text": "[]", "language": "json"})";
  const ProgramRun run = Tenon({"gap", "--batch"}, input);
  EXPECT_EQ(run.status, 0);
  const auto lines = run.Lines();
  ASSERT_EQ(lines.size(), 11U);
  EXPECT_EQ(lines[0]["member"], true);
  EXPECT_EQ(lines[2]["viable"], true);
  EXPECT_EQ(lines[2]["member"], false);
  EXPECT_EQ(lines[3]["member"], true);
  EXPECT_TRUE(Has(lines[4]["error"], "needs its \"language\"")) << lines[4];
  for (const size_t wrong : {1, 4, 5, 6, 7, 8, 9, 10})
    EXPECT_TRUE(lines[wrong].contains("error")) << lines[wrong];
}

}  // namespace
}  // namespace tenon::server
