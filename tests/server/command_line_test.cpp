// The commands as a user sees them: output, JSON members, exit status. The completer is a fake; the grammars are the shipped ones.
#include "server/cli/command_line.h"

#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/model/tiny_model.h"
#include "tests/server/fake_completer.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
  std::vector<json> Lines() const {
    std::vector<json> lines;
    std::istringstream in(out);
    for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
    return lines;
  }
};

Outcome Tenon(std::vector<std::string> arguments, const std::string& input = "",
              CompleterState model = CompleterState::kReady, bool in_is_terminal = false,
              const std::filesystem::path& cache_folder = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Surroundings surroundings{.in = in,
                            .out = out,
                            .err = err,
                            .executable = "/nowhere/bin/tenon",
                            .default_model = "/nowhere/model.gguf",
                            .cache_folder = cache_folder,
                            .version = "1.2.3",
                            .make_completer =
                                [model](const CompleterOptions&, const std::shared_ptr<const LanguageRegistry>&) {
                                  return std::make_unique<FakeCompleter>(model);
                                },
                            .end_process = [](int) {}};
  surroundings.in_is_terminal = in_is_terminal;
  arguments.insert(arguments.begin(), "tenon");
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  Outcome run;
  run.status = RunCommandLine(static_cast<int>(argv.size()), argv.data(), surroundings);
  run.out = out.str();
  run.err = err.str();
  return run;
}

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CommandLine, HelpAndVersionGoToOutAndEndWell) {
  EXPECT_EQ(Tenon({"--version"}).out, "tenon 1.2.3\n");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"complete", "--help"},
                                                    {"gap", "--help"},
                                                    {"check", "--help"},
                                                    {"grammar", "--help"},
                                                    {"model", "info", "--help"}}) {
    const Outcome run = Tenon(arguments);
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(Has(run.out, "Usage: ")) << run.out;
    EXPECT_EQ(run.err, "");
  }
}

TEST(CommandLine, WrongUsageIsStatusTwoAndSaidOnErr) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1]\n");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"bogus"},
                                                    {"--bogus"},
                                                    {"check"},
                                                    {"grammar"},
                                                    {"complete", file},
                                                    {"complete", "--prompt", "x"},
                                                    {"complete", "--prompt", "x", "--language", "json", "--regex", "a"},
                                                    {"complete", file, "--at", "1:1", "--prompt", "x"},
                                                    {"complete", file, "--at", "1:1", "--regex", "x"},
                                                    {"complete", file, "--at", "1"},
                                                    {"complete", file, "--at", "0:1"},
                                                    {"complete", file, "--at", "3:1"},
                                                    {"complete", file, "--at", "1:5"},
                                                    {"complete", file, "--at", "1:1", "--constraint", "right"},
                                                    {"complete", file, "--at", "1:1", "--max-tokens", "0"},
                                                    {"gap", file},
                                                    {"gap", file, "--at", "x"},
                                                    {"gap", file, "--at", "1-"},
                                                    {"gap", file, "--at", "-1"},
                                                    {"model"}}) {
    const Outcome run = Tenon(arguments);
    EXPECT_EQ(run.status, 2) << json(arguments);
    EXPECT_EQ(run.out, "") << json(arguments);
    EXPECT_NE(run.err, "") << json(arguments);
  }
}

TEST(CommandLine, OnATerminalItSaysWhatItIs) {
  const Outcome run = Tenon({}, "", CompleterState::kReady, true);
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(Has(run.out, "language server")) << run.out;
  EXPECT_TRUE(Has(run.out, "tenon doctor")) << run.out;
}

TEST(GrammarCommand, CountsAndShowsEachConflictWithAnExample) {
  TemporaryFolder folder;
  const std::string path = folder.Write("else.lark", "start: \"if\" start | \"if\" start \"else\" start | \"x\"\n");
  const json line = Tenon({"grammar", path, "--json"}).Lines().at(0);
  EXPECT_EQ(line["valid"], true);
  EXPECT_EQ(line["terminals"], 3);
  EXPECT_EQ(line["rules"], 3);
  EXPECT_EQ(line["nonterminals"], 1);
  EXPECT_EQ(line["lr_states"], 7);
  EXPECT_GT(line["lexer_states"], 3);
  EXPECT_EQ(line["conflicts"], 1);
  EXPECT_GE(line["compile_ms"], 0.0);
  EXPECT_EQ(line["examples"],
            json::parse(R"([{"next": "ELSE", "readings": [{"after": "IF IF X", "item": "start: IF start . ELSE start"},
                                                          {"after": "IF IF X", "item": "start: IF start ."}]}])"));
  const Outcome told = Tenon({"grammar", path});
  EXPECT_EQ(told.status, 0);
  EXPECT_TRUE(Has(told.out, "3 terminals (3 columns), 3 rules of 1 nonterminals\n7 LR states")) << told.out;
  EXPECT_TRUE(Has(told.out, "conflict: after IF IF X, with ELSE next\n  start: IF start . ELSE start\n")) << told.out;
  EXPECT_TRUE(
      Has(Tenon({"grammar", path, "--max-conflicts", "0"}).out, "1 more conflicts: --max-conflicts 1 shows all"));
}

TEST(GrammarCommand, NotesWhatIsTakenThoughSeldomMeant) {
  TemporaryFolder folder;
  const std::string path = folder.Write("odd.lark", "start: x | \"a\"\nx: y | \"b\"#given\ny: x\n");
  const json line = Tenon({"grammar", path, "--json"}).Lines().at(0);
  EXPECT_EQ(line["valid"], true);
  ASSERT_EQ(line["notes"].size(), 4u) << line;
  EXPECT_EQ(line["notes"][0]["line"], 2);
  EXPECT_EQ(line["notes"][0]["column"], 1);
  EXPECT_TRUE(Has(Tenon({"grammar", path}).out, "odd.lark:2:1: the rule 'x' derives itself and nothing more"));
}

TEST(GrammarCommand, SaysWhatItCannotTakeAndWhere) {
  TemporaryFolder folder;
  const std::string path = folder.Write("bad.lark", "start: A\nA: /a*/\n");
  const Outcome told = Tenon({"grammar", path});
  EXPECT_EQ(told.status, 1);
  EXPECT_EQ(told.out, "");
  EXPECT_TRUE(Has(told.err, "bad.lark:2:1: the terminal 'A' matches the empty text")) << told.err;
  const Outcome told_json = Tenon({"grammar", path, "--json"});
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
  const std::string grammar = folder.Write("list.lark", "start: \"[\" (X \",\")* X \"]\"\nX: \"x\"\n");
  const std::string file = folder.Write("a.list", "[x,??]");
  const std::vector<std::string> asked{"grammar", grammar, "--quotient", "--file", file, "--at", "3-5"};
  const Outcome lark = Tenon(asked);
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
  const Outcome closed = Tenon({"grammar", grammar, "--quotient", "--file", file, "--at", "0-1"});
  EXPECT_EQ(closed.status, 1);
  EXPECT_TRUE(Has(closed.err, "not viable, no text closes this gap")) << closed.err;
}

TEST(CheckCommand, SaysWhereAFileStopsBeingValid) {
  TemporaryFolder folder;
  const std::string good = folder.Write("good.json", "[1, 2]\n");
  const std::string bad = folder.Write("bad.json", "[\n  \"é\", ]\n");
  const std::string unknown = folder.Write("what.ever", "");
  EXPECT_EQ(Tenon({"check", good}).status, 0);
  EXPECT_EQ(Tenon({"check", good}).out, "");
  const Outcome text = Tenon({"check", good, bad});
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.out.rfind(bad + ":2:8: ", 0), 0U) << text.out;

  const Outcome run = Tenon({"check", "--json", good, bad, unknown, good + ".missing"});
  EXPECT_EQ(run.status, 1);
  const auto lines = run.Lines();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], (json{{"path", good}, {"valid", true}, {"line", nullptr}, {"column", nullptr}, {"message", ""}}));
  EXPECT_EQ(lines[1]["valid"], false);
  EXPECT_EQ(lines[1]["line"], 2);
  EXPECT_EQ(lines[1]["column"], 8);
  EXPECT_FALSE(lines[1]["message"].get<std::string>().empty());
  EXPECT_TRUE(Has(lines[2]["message"], "--language"));
  EXPECT_EQ(lines[3]["valid"], false);
  EXPECT_EQ(Tenon({"check", unknown, "--language", "json"}).status, 1);
}

TEST(CheckCommand, DecodesAFileThatDeclaresItsEncoding) {
  TemporaryFolder folder;
  const std::string good = folder.Write("good.py", "# coding: latin-1\n\xe9 = 1\n");
  const std::string bad = folder.Write("bad.py", "# coding: latin-1\n\xe9\xe9 = $\n");
  const std::string cut = folder.Write("cut.py", "# coding: cp1252\n\xe9\x81\n");
  EXPECT_EQ(Tenon({"check", good}).status, 0);
  const Outcome run = Tenon({"check", bad, cut});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.out, "bad.py:2:6: '$' cannot stand here")) << run.out;
  EXPECT_TRUE(Has(run.out, "cut.py:2:2: the byte 0x81 begins no character of the encoding 'cp1252'")) << run.out;
}

TEST(CheckCommand, AnswersRequestsLineByLine) {
  TemporaryFolder folder;
  const std::string bad = folder.Write("bad.json", "[\n  1 2]\n");
  const std::string input = json{{"path", bad}}.dump() + "\n\n" + json{{"text", "1"}, {"language", "json"}}.dump() +
                            "\n" + json{{"text", "\"\\ud041\""}, {"language", "json"}, {"emit", true}}.dump() + "\n" +
                            json{{"text", "1"}}.dump() + "\nno json\n" + json{{"emit", 1}}.dump() + "\n" +
                            json{{"language", "json"}}.dump() + "\n";
  const Outcome run = Tenon({"check", "--batch"}, input);
  EXPECT_EQ(run.status, 0);
  const auto lines = run.Lines();
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0]["valid"], false);
  EXPECT_EQ(lines[0]["line"], 2);
  EXPECT_EQ(lines[0]["column"], 5);
  EXPECT_EQ(lines[1], (json{{"valid", true}, {"line", nullptr}, {"column", nullptr}, {"message", ""}}));
  EXPECT_EQ(lines[2]["valid"], false);
  EXPECT_TRUE(Has(lines[3]["message"], "--language"));
  EXPECT_TRUE(lines[4].contains("error"));
  EXPECT_TRUE(Has(lines[5]["error"], "emit"));
  EXPECT_TRUE(Has(lines[6]["error"], "\"text\""));
  EXPECT_EQ(Tenon({"check", "--batch", bad}).status, 2);
}

// The example of docs/grammars.md, "A language of your own".
TEST(CommandLine, ReadsALanguageOfTheUsersOwn) {
  TemporaryFolder folder;
  folder.Write("languages.json", R"({"recipe": {"grammar": "recipe.lark", "suffixes": [".recipe"]}})");
  folder.Write("recipe.lark", R"lark(start: title step+
title: "recipe" NAME NEWLINE
step: "-" NUMBER UNIT? NAME NEWLINE
    | "repeat" NUMBER "{" NEWLINE step+ "}" NEWLINE
UNIT: "g" | "ml"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
NEWLINE: /\r?\n/
%ignore /[ \t]+/
%layout newline=NEWLINE
%describe NAME "a name"
%describe NUMBER "a number"
)lark");
  const std::string text = "recipe bread\n- 500 g flour\nrepeat 2 {\n- 5 ml oil\n}\n";
  const std::string file = folder.Write("bread.recipe", text);
  const std::string grammars = folder.path().string();
  const Outcome whole = Tenon({"--grammars", grammars, "check", file});
  EXPECT_EQ(whole.status, 0) << whole.out << whole.err;
  const std::string at = std::to_string(text.find("{\n") + 2) + "-" + std::to_string(text.size() - 2);
  const auto gap = [&](const std::string& insert) {
    return Tenon({"--grammars", grammars, "gap", file, "--json", "--at", at, "--close", "--insert=" + insert})
        .Lines()
        .at(0);
  };
  EXPECT_EQ(gap("")["viable"], true);
  EXPECT_EQ(gap("")["member"], false);  // a repetition has a step
  EXPECT_EQ(gap("- 1 egg\n")["member"], true);
  EXPECT_EQ(gap("- egg\n")["viable"], false);
  EXPECT_EQ(gap(gap("")["closing"])["member"], true);
  const Outcome bad = Tenon({"--grammars", grammars, "check", folder.Write("bad.recipe", "recipe bread\n- g\n")});
  EXPECT_TRUE(Has(bad.out, ":2:3: ") && Has(bad.out, "a number")) << bad.out;
}

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
  EXPECT_TRUE(
      Has(Tenon({"gap", file, "--at", "4-5"}).out, "viable\nthe empty text does not close the gap\nexpected: "));
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
  EXPECT_TRUE(Has(Tenon({"gap", "--batch"}, request.dump() + "\n").Lines().at(0).at("error"), "\"emit\" must be true"));
}

TEST(GapCommand, SaysWhichTextWouldCloseTheGap) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[1, 2]");
  const json closing = Tenon({"gap", file, "--at", "4-5", "--close", "--json"}).Lines().at(0)["closing"];
  ASSERT_TRUE(closing.is_string());
  EXPECT_EQ(Tenon({"gap", file, "--at", "4-5", "--json", "--insert", closing}).Lines().at(0)["member"], true);
  EXPECT_FALSE(Tenon({"gap", file, "--at", "4-5", "--json"}).Lines().at(0).contains("closing"));
  const json wrong = {{"text", "[]"}, {"language", "json"}, {"at", {1, 1}}, {"close", 1}};
  EXPECT_TRUE(Tenon({"gap", "--batch"}, wrong.dump() + "\n").Lines().at(0).contains("error"));
}

TEST(GapCommand, DrawsSamplesThatCloseTheGapWithinTheirTokens) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "[[1, 2]");
  model::GgufWriter writer;
  model::AddTinyTokenizer(writer, {});
  const std::vector<std::byte> bytes = writer.Bytes();
  const std::string tokenizer =
      folder.Write("tiny.gguf", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  const auto ask = [&](const std::string& most, const std::string& seed) {
    return Tenon({"gap", file, "--at", "5-6", "--json", "--sample", "20", "--max-tokens", most, "--seed", seed,
                  "--tokenizer", tokenizer})
        .Lines()
        .at(0);
  };
  const json drawn = ask("9", "1");
  ASSERT_EQ(drawn["samples"].size(), 20U) << drawn;
  std::set<std::string> different;
  for (const std::string sample : drawn["samples"]) {
    different.insert(sample);
    EXPECT_LE(sample.size(), 4 * 9U);
    EXPECT_EQ(Tenon({"gap", file, "--at", "5-6", "--json", "--insert=" + sample}).Lines().at(0)["member"], true)
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
  const std::string batch = json{{"path", file}, {"at", {5, 6}}, {"sample", 2}, {"max_tokens", 5}}.dump() + "\n" +
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
    return Tenon({"gap", path, "--at", at, "--json", "--scope", scope, "--insert=" + text}).Lines().at(0);
  };
  EXPECT_EQ(ask(file, "5-7", "argument", "[3], 4")["member"], true);
  EXPECT_EQ(ask(file, "5-7", "free", "3], [4")["member"], true);
  EXPECT_EQ(ask(file, "5-7", "argument", "3], [4")["viable"], false);
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
      json{{"text", "[1, 2]"}, {"language", "json"}, {"at", {4, 5}}, {"insert", "7"}}.dump() + "\n" + "{not json\n\n" +
      json{{"path", file}, {"at", {4, 5}}}.dump() + "\r\n" + json{{"path", file}, {"at", 6}}.dump() + "\n" +
      R"({"text": "[]", "at": [1, 1]})" + "\n" + R"({"text": "[]", "language": "json", "at": [1, 9]})" + "\n" +
      R"({"text": 3, "language": "json", "at": [1, 1]})" + "\n" + R"({"language": "json", "at": [1, 1]})" + "\n" +
      R"({"text": "[]", "language": "json", "at": [-1, 1]})" + "\n" + R"([1])" + "\n" +
      R"({"text": "[]", "language": "json"})";
  const Outcome run = Tenon({"gap", "--batch"}, input);
  EXPECT_EQ(run.status, 0);
  const auto lines = run.Lines();
  ASSERT_EQ(lines.size(), 11U);
  EXPECT_EQ(lines[0]["member"], true);
  EXPECT_EQ(lines[2]["viable"], true);
  EXPECT_EQ(lines[2]["member"], false);
  EXPECT_EQ(lines[3]["member"], true);
  for (const size_t wrong : {1, 4, 5, 6, 7, 8, 9, 10}) EXPECT_TRUE(lines[wrong].contains("error")) << lines[wrong];
}

TEST(CompleteCommand, ShowsTheCompletionInItsPlace) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "é = 1\ny = \nz = 3\n");
  const Outcome run = Tenon({"complete", file, "--at", "2:5"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out.rfind("é = 1\ny = ├answer┤\nz = 3\n", 0), 0U) << run.out;
  EXPECT_TRUE(Has(run.out, "guarantee file, ended by stop, 3 tokens")) << run.out;
}

TEST(CompleteCommand, JsonHasTheMembersOfTheManual) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "é = 1\ny = TAIL)\n");
  const Outcome run = Tenon({"complete", file, "--at", "2:9", "--json"});
  ASSERT_EQ(run.Lines().size(), 1U);
  const json line = run.Lines()[0];
  EXPECT_EQ(
      line["items"],
      json::parse(R"([{"text": "answer", "range": [15, 16], "guarantee": "file", "tokens": 3, "ended": "stop"}])"));
  EXPECT_TRUE(line["timings_ms"]["load"].is_number());
  EXPECT_EQ(line["statistics"], json::parse(R"({"drawn": 3, "refused": 2, "masks": 1, "forced": 1})"));
  const std::string nothing = folder.Write("b.py", "NOTHING = \n");
  const Outcome empty = Tenon({"complete", nothing, "--at", "1:11", "--json"});
  EXPECT_EQ(empty.status, 0);
  EXPECT_EQ(empty.Lines().at(0)["items"], json::array());
  EXPECT_TRUE(Has(empty.Lines().at(0)["reason"], "told to offer nothing"));
}

TEST(CompleteCommand, WhatIsMissingIsSaid) {
  TemporaryFolder folder;
  const std::string file = folder.Write("a.py", "x = \n");
  const Outcome no_model = Tenon({"complete", file, "--at", "1:5"}, "", CompleterState::kFailed);
  EXPECT_EQ(no_model.status, 1);
  EXPECT_TRUE(Has(no_model.err, "run tools/setup")) << no_model.err;
  EXPECT_TRUE(
      Has(Tenon({"complete", file, "--at", "1:5", "--json"}, "", CompleterState::kFailed).Lines().at(0)["error"],
          "tools/setup"));
  EXPECT_EQ(Tenon({"complete", file + ".missing", "--at", "1:1"}).status, 1);
  const std::string unknown = folder.Write("a.what", "x = \n");
  EXPECT_TRUE(Has(Tenon({"complete", unknown, "--at", "1:5"}).err, "--language"));
  EXPECT_EQ(Tenon({"complete", unknown, "--at", "1:5", "--constraint", "off"}).status, 0);
}

TEST(CommandLine, LanguagesAreKeptInTheCacheUnlessToldOtherwise) {
  TemporaryFolder folder;
  const auto cache = folder.path() / "cache";
  const std::string grammar = folder.Write("g.lark", "start: \"a\"\n");
  const auto run = [&](std::vector<std::string> arguments) {
    return Tenon(std::move(arguments), "", CompleterState::kReady, false, cache);
  };
  EXPECT_EQ(run({"grammar", grammar, "--json", "--no-cache"}).Lines().at(0)["from_cache"], false);
  EXPECT_FALSE(std::filesystem::exists(cache));
  EXPECT_EQ(run({"grammar", grammar, "--json"}).Lines().at(0)["from_cache"], false);
  EXPECT_EQ(run({"grammar", grammar, "--json"}).Lines().at(0)["from_cache"], true);
  EXPECT_TRUE(Has(run({"grammar", grammar}).out, "read from the cache in"));
  const std::string json_file = folder.Write("a.json", "[1]\n");
  EXPECT_EQ(run({"check", json_file}).status, 0);
  EXPECT_EQ(run({"check", json_file}).status, 0);
  const json doctor = run({"doctor", "--json"}).Lines().at(0);
  EXPECT_EQ(doctor["cache"]["path"], cache.string());
  EXPECT_GT(doctor["cache"]["files"], 1);
  EXPECT_GT(doctor["cache"]["bytes"], 1000);
  EXPECT_EQ(doctor["cache"]["most_bytes"], 512U << 20);
  EXPECT_EQ(doctor["cache"]["writable"], true);
  EXPECT_TRUE(Has(run({"doctor", "--cache-mb", "3"}).out, "of at most 3 MB")) << run({"doctor"}).out;
  for (const json& language : doctor["grammars"])
    EXPECT_EQ(language["from_cache"], language["language"] == "json") << language;
  EXPECT_EQ(run({"doctor", "--json", "--no-cache"}).Lines().at(0)["cache"]["path"], nullptr);
}

TEST(CommandLine, ACacheThatCannotBeWrittenIsSaidInTheLogAndByTheDoctor) {
  TemporaryFolder folder;
  const auto cache = std::filesystem::path(folder.Write("file", "")) / "cache";
  const std::string json_file = folder.Write("a.json", "[1]\n");
  const auto run = [&](std::vector<std::string> arguments) {
    return Tenon(std::move(arguments), "", CompleterState::kReady, false, cache);
  };
  const Outcome quiet = run({"check", json_file});
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.err, "");
  const Outcome told = run({"check", json_file, "--log", "info"});
  EXPECT_EQ(told.status, 0);
  EXPECT_TRUE(Has(told.err, "compiled languages are not kept")) << told.err;
  EXPECT_TRUE(Has(run({"doctor"}).out, cache.string() + ": cannot be written")) << run({"doctor"}).out;
}

TEST(DoctorCommand, NamesWhatIsWrongAndWhatToDo) {
  const Outcome run = Tenon({"doctor"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.out, "tools/setup")) << run.out;
  EXPECT_TRUE(Has(run.out, "compiled in")) << run.out;
  TemporaryFolder folder;
  const json facts = Tenon({"doctor", "--json", "--grammars", folder.path().string()}).Lines().at(0);
  EXPECT_EQ(facts["version"], "1.2.3");
  EXPECT_EQ(facts["model"]["found"], false);
  EXPECT_EQ(facts["problems"].size(), 2U) << facts;
}

TEST(ModelCommand, AFileThatCannotBeReadIsNamed) {
  const Outcome run = Tenon({"model", "info", "/nowhere/at-all.gguf"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.err, "/nowhere/at-all.gguf")) << run.err;
  TemporaryFolder folder;
  EXPECT_TRUE(Has(Tenon({"model", "info", folder.Write("m.gguf", "GGUF"), "--json"}).Lines().at(0)["error"], "m.gguf"));
}

TEST(LogOptions, ALogFileThatCannotBeWrittenIsNamed) {
  TemporaryFolder folder;
  const std::string below_a_file = folder.Write("file", "") + "/all.log";
  const Outcome run = Tenon({"--stdio", "--log-file", below_a_file});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.err, below_a_file)) << run.err;
}

// A vocabulary of all bytes and a few words, as a tokenizer.json.
std::string TinyTokenizer() {
  json vocabulary = json::object();
  for (int byte = 0; byte < 256; ++byte) {
    // GPT-2's alphabet: printable bytes stand for themselves, the others for U+0100 and on.
    const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte != 173);
    const int code = printable ? byte : 256 + (byte < 33 ? byte : byte == 173 ? 67 : byte - 127 + 33);
    std::string text;
    if (code < 128) {
      text.push_back(static_cast<char>(code));
    } else {
      text.push_back(static_cast<char>(0xc0 | code >> 6));
      text.push_back(static_cast<char>(0x80 | (code & 63)));
    }
    vocabulary[text] = byte;
  }
  vocabulary["tr"] = 256;
  vocabulary["ue"] = 257;
  return json{{"pre_tokenizer", {{"type", "ByteLevel"}, {"use_regex", true}}},
              {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"t r", "u e"}}}}}
      .dump();
}

const json* RowNamed(const std::vector<json>& rows, const std::string& name) {
  for (const json& row : rows) {
    if (row["name"] == name) return &row;
  }
  return nullptr;
}

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
  const std::vector<Case> cases = {
      {"masks",
       {{"compile_cold", "ms"},
        {"check_token", "us"},
        {"accept_token", "us"},
        {"resident", "MB"},
        {"tokens", "count"}}},
      {"gap",
       {{"compile_cold", "ms"}, {"gap_setup", "ms"}, {"keystroke", "ms"}, {"check_token", "us"}, {"closing", "ms"}}}};
  for (const Case& c : cases) {
    const Outcome run = Tenon({"bench", c.what, "--json", "--file", file, "--tokenizer", tokenizer, "--gaps", "3"});
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
  const Outcome run = Tenon({"bench", "store", "--json", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  for (const char* name : {"compile_cold", "compile_grammar", "compile_store", "resident", "vocabulary"})
    EXPECT_NE(RowNamed(run.Lines(), name), nullptr) << name;
  EXPECT_EQ(Tenon({"bench", "store", "--tokenizer", tokenizer}).status, 2);
}

TEST(StoreCommand, DescribesAStoreByItsCounts) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const Outcome run = Tenon({"store", "show", "--json", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const std::vector<json> rows = run.Lines();
  for (const json& row : rows) EXPECT_TRUE(row["count"].is_number_unsigned()) << row;
  ASSERT_NE(RowNamed(rows, "vocabulary"), nullptr);
  EXPECT_EQ((*RowNamed(rows, "vocabulary"))["count"], 258U);
  ASSERT_NE(RowNamed(rows, "lexer_states"), nullptr);
  EXPECT_GT((*RowNamed(rows, "lexer_states"))["count"], 10U);
  const Outcome built = Tenon({"store", "build", "--json", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_EQ(built.status, 0) << built.err;
  ASSERT_NE(RowNamed(built.Lines(), "compile_store"), nullptr);
  const Outcome table = Tenon({"store", "show", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_TRUE(Has(table.out, "lexer_states")) << table.out;
  EXPECT_EQ(table.err, "");
}

TEST(StoreCommand, NamesWhatIsWrong) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  EXPECT_EQ(Tenon({"store", "show", "--tokenizer", tokenizer}).status, 2);
  EXPECT_EQ(Tenon({"store", "bogus", "--language", "json"}).status, 2);
  const Outcome language = Tenon({"store", "show", "--language", "klingon", "--tokenizer", tokenizer});
  EXPECT_EQ(language.status, 1);
  EXPECT_TRUE(Has(language.err, "klingon")) << language.err;
  const Outcome missing = Tenon({"store", "show", "--language", "json", "--tokenizer", "/nowhere/t.json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(Has(missing.err, "/nowhere/t.json")) << missing.err;
}

TEST(BenchCommand, ReplaysEveryTokenOfTheFile) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const std::string file = folder.Write("a.json", "[true, null]\n");
  const std::vector<json> rows = Tenon({"bench", "masks", "--json", "--file", file, "--tokenizer", tokenizer}).Lines();
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
  const std::vector<std::string> command{"bench", "masks", "--json", "--regex", "[0-9]{3}", "--tokenizer", tokenizer};
  const Outcome run = Tenon(command);
  EXPECT_EQ(run.status, 0) << run.err;
  const std::vector<json> rows = run.Lines();
  for (const auto& [name, count] : std::vector<std::pair<std::string, size_t>>{
           {"states", 4}, {"vocabulary", 258}, {"mask_first", 4}, {"sets", 2}, {"accept_token", 150}}) {
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
  const Outcome wrong = Tenon({"bench", "masks", "--regex", "a(b", "--tokenizer", tokenizer});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(Has(wrong.err, "this '(' is never closed")) << wrong.err;
}

TEST(BenchCommand, PrintsATableWithoutJson) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const std::string file = folder.Write("a.json", "[true, null]\n");
  const Outcome run = Tenon({"bench", "masks", "--file", file, "--tokenizer", tokenizer});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Has(run.out, "p99")) << run.out;
  EXPECT_TRUE(Has(run.out, "compile_cold")) << run.out;
}

TEST(BenchCommand, NamesTheFileThatIsWrong) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const std::string good = folder.Write("a.json", "[true]\n");
  const std::string bad = folder.Write("bad.json", "[true, ]\n");
  const auto says = [&](const std::vector<std::string>& arguments, const std::string& part) {
    const Outcome run = Tenon(arguments);
    EXPECT_EQ(run.status, 1) << json(arguments);
    EXPECT_TRUE(Has(run.err, part)) << run.err;
  };
  says({"bench", "masks", "--file", "/nowhere/a.json", "--tokenizer", tokenizer}, "/nowhere/a.json");
  says({"bench", "masks", "--file", good, "--tokenizer", "/nowhere/t.json"}, "/nowhere/t.json");
  says({"bench", "masks", "--file", good, "--tokenizer", good}, "no member 'model'");
  says({"bench", "masks", "--file", good}, "/nowhere/model.gguf");
  says({"bench", "masks", "--file", bad, "--tokenizer", tokenizer}, "not valid at byte 7");
  says({"bench", "gap", "--file", bad}, "not valid at byte 7");
  says({"bench", "gap", "--file", good, "--language", "klingon"}, "klingon");
  EXPECT_EQ(Tenon({"bench"}).status, 2);
  EXPECT_EQ(Tenon({"bench", "bogus", "--file", good}).status, 2);
  EXPECT_EQ(Tenon({"bench", "gap"}).status, 2);
}

}  // namespace
}  // namespace tenon::server
