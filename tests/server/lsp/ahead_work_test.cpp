// Through a whole server: what is computed ahead, and what it is good for.
#include "server/lsp/ahead_work.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/in_process_server.h"

namespace tenon::server {
namespace {

using nlohmann::json;

json InsertionAt(uint32_t line, uint32_t character, const std::string& text) {
  const json position = {{"line", line}, {"character", character}};
  return {{"jsonrpc", "2.0"},
          {"method", "textDocument/didChange"},
          {"params",
           {{"textDocument", {{"uri", "test:///dir/a%20b.py"}, {"version", 2}}},
            {"contentChanges",
             {{{"range", {{"start", position}, {"end", position}}}, {"text", text}}}}}}};
}

json CursorAt(uint32_t line, uint32_t character) {
  return {{"jsonrpc", "2.0"},
          {"method", "tenon/didMoveCursor"},
          {"params",
           {{"textDocument", {{"uri", "test:///dir/a%20b.py"}}},
            {"position", {{"line", line}, {"character", character}}}}}};
}

// The first item's text of the only answer since the last one.
std::string Offered(InProcessServer& server) {
  const std::vector<json> sent = server.Take();
  if (sent.size() != 1 || sent[0]["result"]["items"].empty()) return "nothing";
  return sent[0]["result"]["items"][0]["textEdit"]["newText"];
}

TEST(AheadWork, TheNextCompletionIsComputedWhileThisOneIsRead) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "x = ");
  server.Send(CompletionAt(1, 0, 4));
  EXPECT_EQ(Offered(server), "answer");
  server.SettleAhead();
  EXPECT_EQ(server.completer()->ahead(), (std::vector<std::string>{"complete x = answer|"}));
  server.Send(InsertionAt(0, 4, "answer"));
  server.Send(CompletionAt(2, 0, 10));
  EXPECT_EQ(Offered(server), "answernext");
  EXPECT_EQ(server.completer()->calls(), 1);
  server.SettleAhead();
  EXPECT_EQ(server.completer()->ahead().back(), "complete x = answernext|") << "and so on";
}

TEST(AheadWork, TheNextCompletionComesAfterTheSignThatTheLineAboveLacks) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "COMMA\n");
  server.Send(CompletionAt(1, 1, 0));
  EXPECT_EQ(Offered(server), "answer");
  server.SettleAhead();
  EXPECT_EQ(server.completer()->ahead(), (std::vector<std::string>{"complete COMMA,\nanswer|"}));
}

TEST(AheadWork, TypingAlongDoesNotComputeTheNextCompletionAgain) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "x = ");
  server.Send(CompletionAt(1, 0, 4));
  for (uint32_t typed = 0; typed < 5; ++typed) {
    server.Send(InsertionAt(0, 4 + typed, std::string("answer").substr(typed, 1)));
    server.Send(CompletionAt(2 + typed, 0, 5 + typed));
    server.SettleAhead();
  }
  EXPECT_EQ(server.completer()->ahead(), (std::vector<std::string>{"complete x = answer|"}));
}

TEST(AheadWork, WhatTimeCutShortIsOfferedAtLengthOnceItIsComputed) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "x =  # CUT LONG");
  server.Send(CompletionAt(1, 0, 4));
  EXPECT_EQ(Offered(server), "answer");
  server.SettleAhead();
  server.Send(InsertionAt(0, 4, "answer"));
  server.Send(CompletionAt(2, 0, 10));
  EXPECT_EQ(Offered(server), "answered at length");
  EXPECT_EQ(server.completer()->calls(), 1);
}

TEST(AheadWork, ItReadsAheadWhereTheUserHasTyped) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "x = \ny");
  server.Send(InsertionAt(0, 4, "b"));
  server.SettleAhead();
  EXPECT_EQ(server.completer()->ahead(), (std::vector<std::string>{"read x = b|\ny"}));
  server.Send(CompletionAt(1, 0, 5));
  server.SettleAhead();
  server.Send(InsertionAt(0, 5, "a"));  // of "answer": there is nothing to read
  server.SettleAhead();
  EXPECT_EQ(server.completer()->ahead().back(), "complete x = banswer|\ny");
}

TEST(AheadWork, ItReadsAheadWhereTheCursorRests) {
  InProcessServer server;
  server.Start();
  server.Open("test:///dir/a%20b.py", "python", "x = \ny = \n");
  server.Send(CursorAt(1, 4));
  server.SettleAhead();
  EXPECT_EQ(server.completer()->ahead(), (std::vector<std::string>{"read x = \ny = |\n"}));
  server.Send(CursorAt(1, 4));
  server.SettleAhead();
  EXPECT_EQ(server.completer()->ahead().size(), 1u) << "once";
}

// A server whose model is loading, with "x = \ny = \n".
struct LoadingServer : InProcessServer {
  LoadingServer() {
    Start({{"initializationOptions", {{"model", "slow.gguf"}}}});
    Open("test:///dir/a%20b.py", "python", "x = \ny = \n");
  }
  std::vector<std::string> ReadOnceLoaded() {
    FinishLoading();
    SettleAhead();
    return completer()->ahead();
  }
};

TEST(AheadWork, WhereTheCursorWasLastIsReadOnceTheModelIsLoaded) {
  LoadingServer server;
  server.Send(CursorAt(0, 4));
  server.Send(CursorAt(1, 4));
  server.SettleAhead();
  EXPECT_TRUE(server.completer()->ahead().empty());
  EXPECT_EQ(server.ReadOnceLoaded(), (std::vector<std::string>{"read x = \ny = |\n"}));
}

TEST(AheadWork, WhereTheUserTypedOrAskedIsReadOnceTheModelIsLoaded) {
  LoadingServer typed;
  typed.Send(CursorAt(1, 4));
  typed.Send(InsertionAt(0, 4, "a"));
  EXPECT_EQ(typed.ReadOnceLoaded(), (std::vector<std::string>{"read x = a|\ny = \n"}));
  LoadingServer asked;
  asked.Send(CompletionAt(1, 1, 4));
  EXPECT_EQ(asked.ReadOnceLoaded(), (std::vector<std::string>{"read x = \ny = |\n"}));
}

TEST(AheadWork, NoPlaceOfATextThatIsGoneIsReadOnceTheModelIsLoaded) {
  LoadingServer closed;
  closed.Send(CursorAt(1, 4));
  closed.Send({{"jsonrpc", "2.0"},
               {"method", "textDocument/didClose"},
               {"params", {{"textDocument", {{"uri", "test:///dir/a%20b.py"}}}}}});
  closed.Open("test:///dir/a%20b.py", "python", "x = ");
  EXPECT_TRUE(closed.ReadOnceLoaded().empty());
  LoadingServer opened_again;
  opened_again.Send(CursorAt(1, 4));
  opened_again.Open("test:///dir/a%20b.py", "python", "x = ");
  EXPECT_TRUE(opened_again.ReadOnceLoaded().empty());
}

TEST(AheadWork, ACursorThatIsNowhereIsLoggedAndForgotten) {
  InProcessServer server;
  server.Start();
  server.Send(CursorAt(0, 0));
  server.Open("test:///dir/a%20b.py", "python", "x = ");
  server.Send({{"jsonrpc", "2.0"}, {"method", "tenon/didMoveCursor"}, {"params", nullptr}});
  server.SettleAhead();
  EXPECT_TRUE(server.completer()->ahead().empty());
  EXPECT_THAT(server.log(), testing::HasSubstr("tenon/didMoveCursor ignored"));
}

TEST(AheadWork, ItDoesNothingAheadWhereTheUserDoesNotWantThat) {
  InProcessServer server;
  server.Start({{"initializationOptions", {{"workAhead", false}}}});
  server.Open("test:///dir/a%20b.py", "python", "x = ");
  server.Send(CursorAt(0, 4));
  server.Send(InsertionAt(0, 4, "b"));
  server.Send(CompletionAt(1, 0, 5));
  server.SettleAhead();
  EXPECT_EQ(Offered(server), "banswer");
  EXPECT_TRUE(server.completer()->ahead().empty());
}

}  // namespace
}  // namespace tenon::server
