// What dialogues cannot show: the log, what the completer is asked, the client's process, and long
// random sessions.
#include "server/lsp/lsp_server.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/server/in_process_server.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(LspServer, AnUnknownLanguageIsLoggedOnce) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "klingon", "x");
  for (int id = 1; id < 5; ++id) server.Send(CompletionAt(id, 0, 1));
  EXPECT_EQ(server.Take().size(), 4U);
  EXPECT_EQ(Count(server.log(), "klingon"), 1U) << server.log();
}

TEST(LspServer, ALanguageThatTheEditorDoesNotKnowIsFoundByTheDocumentsName) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/bread.recipe", "plaintext", "recipe");
  json request = CompletionAt(1, 0, 1);
  request["params"]["textDocument"]["uri"] = "test:///dir/bread.recipe";
  server.Send(request);
  EXPECT_EQ(server.completer()->last_request().language_id, "recipe");
}

TEST(LspServer, TheCompleterIsAskedWithTheDocumentAndTheSettings) {
  Settings defaults;
  defaults.max_tokens = 5;
  InProcessServer server(defaults);
  server.Start(
      {{"initializationOptions", {{"seed", 3}, {"constraint", "off"}, {"temperature", 1}}}});
  server.Open("test:///dir/a%20b.py", "python", "x = '😀' + \ny");
  server.Send(CompletionAt(1, 0, 11));
  const CompletionRequest request = server.completer()->last_request();
  EXPECT_EQ(*request.text, "x = '😀' + \ny");
  EXPECT_EQ(request.offset_bytes, 13U);
  EXPECT_EQ(request.language_id, "python");
  EXPECT_EQ(request.name, "a b.py");
  EXPECT_EQ(request.max_tokens, 5);
  EXPECT_EQ(request.seed, 3U);
  EXPECT_EQ(request.constraint, ConstraintMode::kOff);
  EXPECT_FLOAT_EQ(request.temperature, 1.0F);
}

TEST(LspServer, APersonIsOfferedSeveralItemsAsTheDocumentWritesThem) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"candidates", 2}}}});
  server.Open("test:///dir/a%20b.py", "python", "x = \r\ny");
  server.Send(CompletionAt(1, 0, 4));
  const CompletionRequest request = server.completer()->last_request();
  EXPECT_EQ(request.candidates, 2);
  EXPECT_EQ(request.line_end, "\r\n");
  EXPECT_TRUE(request.unwanted.empty());
}

TEST(LspServer, OtherSettingsHoldForDocumentsThatAreOpen) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"maxTokens", 9}}}});
  server.Open("test:///dir/a%20b.py", "python", "x = ");
  server.Send({{"jsonrpc", "2.0"},
               {"method", "workspace/didChangeConfiguration"},
               {"params",
                {{"settings",
                  {{"tenon",
                    {{"maxTokens", 7},
                     {"scope", "line"},
                     {"temperature", 2},
                     {"constraint", "left"},
                     {"levels", {{"python", "since_3_12"}}},
                     {"completion", {{"invokedBudgetMs", 600000}}}}}}}}}});
  server.Send(CompletionAt(1, 0, 4));
  CompletionRequest request = server.completer()->last_request();
  EXPECT_EQ(request.max_tokens, 7);
  EXPECT_EQ(request.scope, Scope::kLine);
  EXPECT_FLOAT_EQ(request.temperature, 2);
  EXPECT_EQ(request.constraint, ConstraintMode::kLeft);
  EXPECT_EQ(request.level, "since_3_12");
  EXPECT_GT(*request.time_budget, std::chrono::seconds(10));
  server.Send({{"jsonrpc", "2.0"},
               {"method", "workspace/didChangeConfiguration"},
               {"params", {{"settings", nullptr}}}});
  server.Send(CompletionAt(2, 0, 4));
  EXPECT_EQ(server.completer()->last_request().max_tokens, 9);
}

// A question that runs was asked under settings that hold no more.
TEST(LspServer, OtherSettingsSupersedeWhatRuns) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "SLOW");
  server.Send(CompletionAt(1, 0, 4));
  EXPECT_TRUE(server.Take().empty());
  server.Send({{"jsonrpc", "2.0"},
               {"method", "workspace/didChangeConfiguration"},
               {"params", {{"settings", {{"seed", 1}}}}}});
  EXPECT_EQ(server.Take().size(), 1U);
}

// The selected text stands for a range of the text that was asked about.
TEST(LspServer, AnEditWhileASelectedSuggestionIsCompletedTakesItsRangeAway) {
  InProcessServer server;
  server.Start();
  server.Open("test:///a.py", "python", "x = SLOW");
  server.Send({{"jsonrpc", "2.0"},
               {"id", 7},
               {"method", "textDocument/inlineCompletion"},
               {"params",
                {{"textDocument", {{"uri", "test:///a.py"}}},
                 {"position", {{"line", 0}, {"character", 8}}},
                 {"context",
                  {{"triggerKind", 1},
                   {"selectedCompletionInfo",
                    {{"range",
                      {{"start", {{"line", 0}, {"character", 4}}},
                       {"end", {{"line", 0}, {"character", 8}}}}},
                     {"text", "SLOWLY"}}}}}}}});
  ASSERT_TRUE(server.Take().empty());
  server.Send({{"jsonrpc", "2.0"},
               {"method", "textDocument/didChange"},
               {"params",
                {{"textDocument", {{"uri", "test:///a.py"}, {"version", 2}}},
                 {"contentChanges", json::array({{{"text", "x"}}})}}}});
  const auto answers = server.Take();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0], json({{"jsonrpc", "2.0"}, {"id", 7}, {"result", nullptr}}));
}

TEST(LspServer, TheCompleterSeesTheCellsOfANotebookAsOneText) {
  InProcessServer server;
  server.Start();
  server.Send(json::parse(R"({"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": {
      "notebookDocument": {"uri": "n", "cells": [{"kind": 2, "document": "a"},
                           {"kind": 2, "document": "b"}, {"kind": 2, "document": "c"}]},
      "cellTextDocuments": [
        {"uri": "a", "languageId": "python", "version": 1, "text": "import os"},
        {"uri": "b", "languageId": "python", "version": 1, "text": "!ls\nos."},
        {"uri": "c", "languageId": "python", "version": 1, "text": "x = 1"}]}})"));
  json request = CompletionAt(1, 1, 3);
  request["params"]["textDocument"]["uri"] = "b";
  server.Send(request);
  const CompletionRequest asked = server.completer()->last_request();
  EXPECT_EQ(*asked.text, "import os\n   \nos.\nx = 1\n");
  EXPECT_EQ(asked.offset_bytes, 17U);
  const json answer = server.Take().at(0);
  EXPECT_EQ(answer["result"]["items"][0]["textEdit"]["range"]["start"],
            (json{{"line", 1}, {"character", 3}}));
  // What was offered goes on while it is typed, in the joined text, too.
  server.Send(json::parse(R"({"jsonrpc": "2.0", "method": "notebookDocument/didChange", "params": {
      "notebookDocument": {"uri": "n", "version": 2}, "change": {"cells": {"textContent": [{
        "document": {"uri": "b", "version": 2},
        "changes": [{"range": {"start": {"line": 1, "character": 3},
                               "end": {"line": 1, "character": 3}}, "text": "an"}]}]}}}})"));
  request["params"]["position"]["character"] = 5;
  request["method"] = "textDocument/inlineCompletion";
  request["id"] = 2;
  server.Send(request);
  EXPECT_EQ(server.Take().at(0)["result"]["items"][0]["insertText"], "swer");
  EXPECT_EQ(server.completer()->calls(), 1);
}

TEST(LspServer, WhatAPersonAsksForMayTakeLongerThanWhatAKeystrokeAsksFor) {
  using std::chrono::milliseconds;
  Settings defaults;
  defaults.automatic_budget = milliseconds(1000);
  defaults.invoked_budget = milliseconds(600'000);
  InProcessServer server(defaults);
  server.Start();
  int64_t id = 0;
  for (const char* method : {"textDocument/completion", "textDocument/inlineCompletion"}) {
    for (const int kind : {1, 2}) {
      server.Open("test:///dir/a%20b.py", "python", "x = y" + std::to_string(++id));
      json request = CompletionAt(id, 0, 4);
      request["method"] = method;
      request["params"]["context"] = {{"triggerKind", kind}};
      server.Send(request);
      const auto budget = server.completer()->last_request().time_budget;
      ASSERT_TRUE(budget);
      EXPECT_EQ(*budget > milliseconds(1000), kind == 1) << method << " " << budget->count();
      EXPECT_LE(*budget, milliseconds(600'000));
    }
  }
  server.Open("test:///dir/a%20b.py", "python", "x = y");
  server.Send(CompletionAt(++id, 0, 4));  // it does not say
  EXPECT_GT(*server.completer()->last_request().time_budget, milliseconds(1000));
}

json InsertionAt(uint32_t line, uint32_t character, const std::string& text) {
  const json position = {{"line", line}, {"character", character}};
  return {{"jsonrpc", "2.0"},
          {"method", "textDocument/didChange"},
          {"params",
           {{"textDocument", {{"uri", "test:///dir/a%20b.py"}, {"version", 2}}},
            {"contentChanges",
             {{{"range", {{"start", position}, {"end", position}}}, {"text", text}}}}}}};
}

TEST(LspServer, TheModelIsNotAskedWhileTheUserWritesWhatWasOffered) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "x = \ny");
  server.Send(CompletionAt(1, 0, 4));
  EXPECT_EQ(server.completer()->calls(), 1);
  server.Send(InsertionAt(0, 4, "ans"));
  server.Take();
  server.Send(CompletionAt(2, 0, 7));
  json answer = server.Take().at(0);
  EXPECT_EQ(answer["result"]["items"][0]["textEdit"]["newText"], "answer") << answer;
  EXPECT_EQ(server.completer()->calls(), 1);

  server.Send(InsertionAt(1, 1, "y"));
  server.Take();
  server.Send(CompletionAt(3, 0, 7));
  answer = server.Take().at(0);
  EXPECT_EQ(answer["result"]["items"][0]["textEdit"]["newText"], "ansanswer") << answer;
  EXPECT_EQ(server.completer()->calls(), 2);
}

// A server whose user types quicker than the model answers.
void TypeQuickly(InProcessServer& server) {
  server.Start({{"initializationOptions", {{"workAhead", false}}}});
  server.Open("test:///dir/a%20b.py", "python", "#  LATE");
  server.Send(CompletionAt(1, 0, 2));
  for (uint32_t key = 0; key < 7; ++key) {
    server.PassTime(std::chrono::milliseconds(100));
    server.Send(InsertionAt(0, 2 + key, "z"));
  }
  server.Take();
}

json InvokedAt(int64_t id, uint32_t line, uint32_t character) {
  json request = CompletionAt(id, line, character);
  request["params"]["context"] = {{"triggerKind", 1}};
  return request;
}

json AutomaticAt(int64_t id, uint32_t line, uint32_t character) {
  json request = CompletionAt(id, line, character);
  request["params"]["context"] = {{"triggerKind", 2}};
  return request;
}

std::vector<std::string> NewTexts(const json& answer) {
  std::vector<std::string> texts;
  for (const json& item : answer["result"]["items"]) texts.push_back(item["textEdit"]["newText"]);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(LspServer, APersonGetsWhatAKeystrokeGotAndOnlyTheOthersAreComputed) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"workAhead", false}}}});
  server.Open("test:///dir/a%20b.py", "python", "x = \ny");
  server.Send(AutomaticAt(1, 0, 4));
  EXPECT_EQ(NewTexts(server.Take().at(0)), Texts{"answer"});
  server.Send(CompletionAt(2, 0, 4));
  EXPECT_EQ(NewTexts(server.Take().at(0)), (Texts{"answer", "second", "third"}));
  const CompletionRequest asked = server.completer()->last_request();
  EXPECT_EQ(asked.already_offered, Texts{"answer"});
  EXPECT_EQ(asked.candidates, 2);
  EXPECT_EQ(server.completer()->calls(), 2);

  server.Send(CompletionAt(3, 0, 4));
  EXPECT_EQ(NewTexts(server.Take().at(0)).size(), 3U);
  EXPECT_EQ(server.completer()->calls(), 2) << "all of them are known now";
  server.Send(InsertionAt(0, 4, "an"));
  server.Take();
  server.Send(CompletionAt(4, 0, 6));
  EXPECT_EQ(NewTexts(server.Take().at(0)).front(), "answer") << "a list repeats the word";
  EXPECT_EQ(server.completer()->calls(), 2);
}

// Editors call a list "invoked" that they ask for as an identifier is typed.
TEST(LspServer, AListThatComesWithAKeyHasOneItemAndAPersonGetsSeveral) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"workAhead", false}}}});
  server.Open("test:///dir/a%20b.py", "python", "x = \ny");
  server.Send(InsertionAt(0, 4, "z"));
  server.Take();
  server.Send(InvokedAt(1, 0, 5));
  EXPECT_EQ(NewTexts(server.Take().at(0)), Texts{"zanswer"});
  EXPECT_EQ(server.completer()->last_request().time_budget, Settings().automatic_budget);
  server.Send(InvokedAt(2, 0, 5));
  EXPECT_EQ(NewTexts(server.Take().at(0)).size(), 3U) << "asked for again at that place";
  server.Send(InsertionAt(0, 5, "z"));
  server.Take();
  server.PassTime(kKeystrokeAge);
  server.Send(InvokedAt(3, 0, 6));
  EXPECT_EQ(NewTexts(server.Take().at(0)).size(), 3U) << "after a pause";
}

TEST(LspServer, AListOfAClientThatKeepsEditsBackIsAPersons) {
  InProcessServer server;
  server.Start(
      {{"clientInfo", {{"name", "Eglot"}}}, {"initializationOptions", {{"workAhead", false}}}});
  server.Open("test:///dir/a%20b.py", "python", "x = \ny");
  server.Send(InsertionAt(0, 4, "z"));
  server.Take();
  server.Send(InvokedAt(1, 0, 5));
  EXPECT_EQ(NewTexts(server.Take().at(0)).size(), 3U);
}

TEST(LspServer, APersonGetsWhatWasWithheldFromAKeystroke) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"candidates", 1}}}});
  server.Open("test:///dir/a%20b.py", "python", "UNSURE\nx = ma + 1");
  server.Send(AutomaticAt(1, 1, 6));
  server.Send(AutomaticAt(2, 1, 6));
  for (const json& answer : server.Take()) EXPECT_TRUE(NewTexts(answer).empty());
  EXPECT_EQ(server.completer()->calls(), 1) << "the second time it is withheld again";
  server.Send(CompletionAt(3, 1, 6));
  EXPECT_EQ(NewTexts(server.Take().at(0)), Texts{"maanswer"});
  EXPECT_EQ(server.completer()->calls(), 1);
}

TEST(LspServer, WhereTheModelWouldWriteNothingItMustBeSureToBeShownUnasked) {
  const auto shown = [](const char* text) {
    InProcessServer server;
    server.Start();
    server.Open("test:///dir/a%20b.py", "python", text);
    server.Send(AutomaticAt(1, 1, 4));
    return !NewTexts(server.Take().at(0)).empty();
  };
  EXPECT_TRUE(shown("UNNEEDED\nx = "));
  EXPECT_TRUE(shown("UNSURE\nx = "));
  EXPECT_FALSE(shown("UNNEEDED, UNSURE\nx = "));
}

TEST(LspServer, WhatWasWithheldIsNoLongerKnownWhenTheUserTypesOn) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"workAhead", false}}}});
  server.Open("test:///dir/a%20b.py", "python", "UNSURE\nx = ma + 1");
  server.Send(AutomaticAt(1, 1, 6));
  server.Send(InsertionAt(1, 6, "a"));
  server.Send(AutomaticAt(2, 1, 7));
  EXPECT_EQ(server.completer()->calls(), 2) << "the model may be sure now";
}

json ProgressOf(const json& message) {
  return message["method"] == "$/progress" ? message["params"]["value"] : json();
}

TEST(LspServer, TellsHowMuchOfTheModelIsLoadedTenTimesASecond) {
  InProcessServer server;
  server.Start({{"capabilities",
                 {{"window", {{"workDoneProgress", true}}},
                  {"experimental", {{"tenon", {{"status", true}}}}}}},
                {"initializationOptions", {{"model", "slow.gguf"}}}});
  server.Send({{"jsonrpc", "2.0"}, {"id", "tenon/model/create"}, {"result", nullptr}});
  EXPECT_EQ(ProgressOf(server.Take().back())["percentage"], 0);
  std::vector<int> shown, statuses;
  for (int percent = 1; percent <= 100; ++percent) {
    server.PassTime(std::chrono::milliseconds(20));
    server.LoadPercent(percent);
    for (const json& message : server.Take()) {
      if (const json value = ProgressOf(message); value.is_object())
        shown.push_back(value["percentage"]);
      else
        statuses.push_back(message["params"]["percent"]);
    }
  }
  std::vector<int> expected;
  for (int percent = 1; percent < 100; percent += 5) expected.push_back(percent);
  expected.push_back(100);
  EXPECT_EQ(shown, expected);
  EXPECT_EQ(statuses, expected);

  server.LoadPercent(100);
  EXPECT_TRUE(server.Take().empty());
  server.FinishLoading();
  const std::vector<json> last = server.Take();
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(ProgressOf(last[0])["kind"], "end");
  EXPECT_EQ(last[1]["params"]["state"], "ready");
  EXPECT_FALSE(last[1]["params"].contains("percent"));
}

TEST(LspServer, AClientThatComesWhileTheModelLoadsHearsHowFarItIs) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"model", "slow.gguf"}}}});
  server.LoadPercent(42);
  server.Send(
      {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tenon/status"}, {"params", json::object()}});
  const json status = server.Take().back()["result"];
  EXPECT_EQ(status["state"], "loading");
  EXPECT_EQ(status["percent"], 42);
}

// Where a cell and its neighbours together have no completion, the cell is asked about alone.
TEST(LspServer, ACellThatIsAskedAboutAgainHasTheTimeThatIsLeft) {
  InProcessServer server;
  TypeQuickly(server);
  server.Send(json::parse(R"({"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": {
      "notebookDocument": {"uri": "n", "cells": [{"kind": 2, "document": "a"},
                                                 {"kind": 2, "document": "b"}]},
      "cellTextDocuments": [
        {"uri": "a", "languageId": "python", "version": 1, "text": "NOTHING"},
        {"uri": "b", "languageId": "python", "version": 1, "text": "BUDGET"}]}})"));
  json request = AutomaticAt(9, 0, 6);
  request["params"]["textDocument"]["uri"] = "b";
  const int calls = server.completer()->calls();
  server.Send(request);
  server.PassTime(std::chrono::milliseconds(100));
  server.RunPutOff();
  EXPECT_EQ(server.completer()->calls(), calls + 2);
  const auto budget = server.completer()->last_request().time_budget;
  ASSERT_TRUE(budget);
  EXPECT_EQ(*budget, Settings().automatic_budget - std::chrono::milliseconds(100));
}

TEST(LspServer, ANotebookIsToldOfItsFaultAnewOnceItWasClosed) {
  InProcessServer server;
  server.Start();
  const auto open_wrong = [&](const std::string& uri) {
    server.Send({{"jsonrpc", "2.0"},
                 {"method", "notebookDocument/didOpen"},
                 {"params",
                  {{"notebookDocument", {{"uri", uri}, {"cells", {{{"kind", 2}}}}}},
                   {"cellTextDocuments", json::array()}}}});
    return server.Take().size();
  };
  EXPECT_EQ(open_wrong("n"), 1U);
  EXPECT_EQ(open_wrong("n"), 0U) << "it is told once";
  EXPECT_EQ(open_wrong("other"), 1U);
  server.Send(
      {{"jsonrpc", "2.0"},
       {"method", "notebookDocument/didClose"},
       {"params", {{"notebookDocument", {{"uri", "n"}}}, {"cellTextDocuments", json::array()}}}});
  EXPECT_EQ(open_wrong("n"), 1U);
}

TEST(LspServer, AKeystrokesQuestionWaitsForTheNextKeyWhereTheModelIsSlower) {
  InProcessServer server;
  TypeQuickly(server);
  server.Send(AutomaticAt(2, 0, 9));
  EXPECT_TRUE(server.Take().empty());
  server.Send(InsertionAt(0, 9, "z"));
  EXPECT_EQ(server.Take().size(), 1U) << "superseded at once";
  server.RunPutOff();
  EXPECT_EQ(server.completer()->calls(), 1) << "the superseded question was never computed";
  server.Send(AutomaticAt(3, 0, 10));
  server.RunPutOff();
  EXPECT_EQ(server.Take().size(), 1U);
  EXPECT_EQ(server.completer()->calls(), 2);
}

TEST(LspServer, APersonsQuestionDoesNotWaitForAKey) {
  InProcessServer server;
  TypeQuickly(server);
  server.Send(CompletionAt(2, 0, 9));
  EXPECT_EQ(server.Take().size(), 1U);
}

TEST(LspServer, WhyNothingIsOfferedIsLogged) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "NOTHING");
  server.Send(CompletionAt(1, 0, 1));
  EXPECT_EQ(Count(server.log(), "told to offer nothing"), 1U) << server.log();
}

TEST(LspServer, TheServerEndsWithItsClientsProcess) {
  InProcessServer server;
  server.Start({{"processId", 4711}});
  EXPECT_EQ(server.watched_process(), 4711);
  server.EndWatchedProcess();
  EXPECT_EQ(server.exit_code(), 1);
}

TEST(LspServer, NoPositionAndNoEditCanHarmIt) {
  const unsigned seed = 77;
  std::mt19937 random(seed);
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "a\r\n😀b\rc");
  const auto number = [&random]() -> json {
    switch (random() % 6) {
      case 0:
        return -1;
      case 1:
        return 1.5;
      case 2:
        return "1";
      case 3:
        return 4294967296;
      default:
        return random() % 5;
    }
  };
  const auto position = [&number] { return json{{"line", number()}, {"character", number()}}; };
  for (int64_t id = 1; id <= 500; ++id) {
    json change = {{"text", random() % 2 == 0 ? "x\r\n😀" : ""}};
    if (random() % 8 != 0) change["range"] = {{"start", position()}, {"end", position()}};
    server.Send({{"jsonrpc", "2.0"},
                 {"method", "textDocument/didChange"},
                 {"params",
                  {{"textDocument", {{"uri", "test:///dir/a%20b.py"}}},
                   {"contentChanges", json::array({change})}}}});
    (void)server.Take();  // that an edit could not be read is told once
    json question = CompletionAt(id, 0, 0);
    question["params"]["position"] = position();
    server.Send(question);
    const auto answers = server.Take();
    ASSERT_EQ(answers.size(), 1U) << "seed " << seed << " id " << id;
    EXPECT_EQ(answers[0]["id"], id);
    EXPECT_TRUE(answers[0].contains("result") || answers[0]["error"]["code"] == -32602)
        << answers[0];
  }
}

TEST(LspServer, FedOneByteAtATimeItAnswersTheSame) {
  InProcessServer whole;
  InProcessServer bytes;
  for (auto* server : {&whole, &bytes}) {
    server->Start();
    server->Open("test:///dir/a%20b.py", "python", "x = ");
  }
  const json open = {{"jsonrpc", "2.0"},
                     {"method", "textDocument/didOpen"},
                     {"params",
                      {{"textDocument",
                        {{"uri", "test:///dir/a%20b.py"},
                         {"languageId", "python"},
                         {"version", 1},
                         {"text", "x = "}}}}}};
  const std::string stream = protocol::EncodeFrame(CompletionAt(1, 0, 4).dump()) +
                             "Content-Length: x\r\n\r\n" + protocol::EncodeFrame("{") +
                             protocol::EncodeFrame(open.dump()) +
                             protocol::EncodeFrame(CompletionAt(2, 0, 2).dump());
  whole.Feed(stream);
  for (const char c : stream) bytes.Feed(std::string_view(&c, 1));
  // Fed as a whole, both questions are there before the first is answered, and the second
  // supersedes it.
  const auto answers = bytes.Take();
  ASSERT_EQ(answers.size(), 5U) << "two answers, two faults, and what they mean";
  const auto at_once = whole.Take();
  ASSERT_EQ(at_once.size(), 5U);
  EXPECT_EQ(answers[4], at_once[4]);
  EXPECT_EQ(answers[0]["result"]["items"].size(), 3U);
}

}  // namespace
}  // namespace tenon::server
