// Edits and messages that the server cannot read, and edits of cells.
#include "server/lsp/lsp_server.h"

#include <gtest/gtest.h>

#include "tests/server/in_process_server.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(LspServerEdits, ADocumentWhoseEditCannotBeReadIsToldToTheUserOnce) {
  InProcessServer server;
  server.Start();
  const auto change = [&server](const std::string& uri, json changes) {
    server.Send({{"jsonrpc", "2.0"},
                 {"method", "textDocument/didChange"},
                 {"params",
                  {{"textDocument", {{"uri", uri}, {"version", 2}}},
                   {"contentChanges", std::move(changes)}}}});
  };
  const json broken = {{{"range", {{"start", 1}}}, {"text", "y"}}};
  server.Open("test:///a.py", "python", "x");
  change("test:///not-open.py", broken);
  EXPECT_EQ(server.Take().size(), 0U);
  change("test:///a.py", broken);
  const auto told = server.Take();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["method"], "window/showMessage");
  const std::string message = told[0]["params"]["message"];
  EXPECT_EQ(Count(message, "'test:///a.py' gets no completions"), 1U) << message;
  EXPECT_EQ(Count(message, "Close the document and open it again"), 1U) << message;
  change("test:///a.py", broken);
  EXPECT_EQ(server.Take().size(), 0U) << "it is said once";
  change("test:///a.py", {{{"text", "whole"}}});
  change("test:///a.py", "no array");
  EXPECT_EQ(server.Take().size(), 1U) << "it was in step again";
  server.Open("test:///a.py", "python", "x");
  change("test:///a.py", broken);
  EXPECT_EQ(server.Take().size(), 1U) << "it was opened again";
}

TEST(LspServerEdits, AfterAMessageThatCannotBeReadNoTextIsTheEditors) {
  // A raw control character; a message that is too large; as the proxy tells of either.
  const std::string lost[] = {
      protocol::EncodeFrame("{\"jsonrpc\": \"2.0\", \"method\": \"\x01\"}"),
      "Content-Length: 99999999999\r\n\r\n",
      protocol::EncodeFrame(
          R"({"jsonrpc": "2.0", "method": "tenon/lostMessage", "params": {"fault": "x"}})")};
  for (const std::string& bytes : lost) {
    InProcessServer server;
    server.Start();
    server.Feed(bytes);
    for (const json& message : server.Take())
      EXPECT_FALSE(message.contains("method")) << "no document is open";
    server.Open("test:///dir/a%20b.py", "python", "x = ");
    server.Open("test:///other.py", "python", "x");
    server.Feed(bytes);
    server.Feed(bytes);
    int told = 0;
    for (const json& message : server.Take())
      told += message.value("method", "") == "window/showMessage";
    EXPECT_EQ(told, 1) << bytes;
    server.Send(CompletionAt(1, 0, 4));
    EXPECT_TRUE(server.Take().at(0)["result"]["items"].empty()) << bytes;
    server.Open("test:///dir/a%20b.py", "python", "x = ");
    server.Send(CompletionAt(2, 0, 4));
    EXPECT_FALSE(server.Take().at(0)["result"]["items"].empty()) << bytes;
  }
}

TEST(LspServerEdits, AnUnreadableRequestPutsNoDocumentOutOfStep) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "x = ");
  server.Feed(protocol::EncodeFrame(R"({"id": 7, "method": "textDocument/completion"})"));
  EXPECT_EQ(server.Take().size(), 1U);
  server.Send(CompletionAt(1, 0, 4));
  EXPECT_FALSE(server.Take().at(0)["result"]["items"].empty());
}

// What a user refuses or accepts in a cell counts as it does in a file.
TEST(LspServerEdits, ACellsTextThatTheUserWritesAwayFromIsNotOfferedAgain) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"workAhead", false}}}});
  server.Send(json::parse(R"({"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": {
      "notebookDocument": {"uri": "n", "cells": [{"kind": 2, "document": "a"}]},
      "cellTextDocuments": [
        {"uri": "a", "languageId": "python", "version": 1, "text": "x = "}]}})"));
  const auto edit = [&server](unsigned begin, unsigned end, const std::string& text) {
    const json range = {{"start", {{"line", 0U}, {"character", begin}}},
                        {"end", {{"line", 0U}, {"character", end}}}};
    const json content = {{"document", {{"uri", "a"}, {"version", 2}}},
                          {"changes", {{{"range", range}, {"text", text}}}}};
    server.Send({{"jsonrpc", "2.0"},
                 {"method", "notebookDocument/didChange"},
                 {"params",
                  {{"notebookDocument", {{"uri", "n"}, {"version", 2}}},
                   {"change", {{"cells", {{"textContent", {content}}}}}}}}});
    server.Take();
  };
  const auto offered = [&server](int64_t id) -> std::string {
    json request = CompletionAt(id, 0, 4);
    request["method"] = "textDocument/inlineCompletion";
    request["params"]["textDocument"]["uri"] = "a";
    request["params"]["context"] = {{"triggerKind", 2}};
    server.Send(request);
    return server.Take().at(0)["result"]["items"][0]["insertText"];
  };
  EXPECT_EQ(offered(1), "answer");
  edit(4, 4, "q");
  edit(4, 5, "");
  EXPECT_EQ(offered(2), "instead");
  edit(4, 4, "instead");
  server.Send({{"jsonrpc", "2.0"}, {"id", 3}, {"method", "tenon/status"}});
  EXPECT_EQ(server.Take().at(0)["result"]["accepted"], 1);
}

}  // namespace
}  // namespace tenon::server
