#include "server/documents/notebooks.h"

#include <random>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;
using protocol::PositionEncoding;

json Cell(const std::string& uri, int kind = 2) { return {{"kind", kind}, {"document", uri}}; }

json Text(const std::string& uri, const std::string& text, const char* language = "python") {
  return {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}};
}

class NotebooksTest : public testing::Test {
 protected:
  void OpenThree() {
    const json params = {
        {"notebookDocument", {{"uri", "n"}, {"cells", {Cell("a"), Cell("b", 1), Cell("c")}}}},
        {"cellTextDocuments",
         {Text("a", "import os"), Text("b", "# Title", "markdown"), Text("c", "os.")}}};
    const auto cells = notebooks_.Open(params, PositionEncoding::kUtf16);
    ASSERT_TRUE(cells);
    EXPECT_EQ(*cells, (std::vector<std::string>{"a", "b", "c"}));
  }
  auto Change(json cells) {
    return notebooks_.Change(
        {{"notebookDocument", {{"uri", "n"}}}, {"change", {{"cells", std::move(cells)}}}},
        PositionEncoding::kUtf16);
  }
  std::string Around(const std::string& uri) {
    const auto around = notebooks_.Around(uri);
    return around ? around->before + "|" + around->after : "no cell";
  }

  ClientDocuments documents_;
  Notebooks notebooks_{documents_,
                       [this](const std::string& uri, const protocol::ContentChanges& changes) {
                         EXPECT_TRUE(documents_.Change(uri, changes));
                       }};
};

TEST_F(NotebooksTest, TheCodeCellsOfALanguageAreOneText) {
  OpenThree();
  EXPECT_EQ(Around("a"), "|\nos.\n");
  EXPECT_EQ(Around("c"), "import os\n|");
  EXPECT_EQ(Around("b"), "|");
  EXPECT_EQ(Around("d"), "no cell");
  ASSERT_TRUE(documents_.Open({{"textDocument", Text("d", "x")}}, PositionEncoding::kUtf16));
  EXPECT_EQ(Around("d"), "no cell");
  EXPECT_TRUE(notebooks_.IsCell("b"));
  EXPECT_FALSE(notebooks_.IsCell("d"));
}

TEST_F(NotebooksTest, CellsComeGoAndChange) {
  OpenThree();
  ASSERT_TRUE(Change(json::parse(R"({"structure": {
      "array": {"start": 1, "deleteCount": 1, "cells": [{"kind": 2, "document": "d"}]},
      "didOpen": [{"uri": "d", "languageId": "python", "version": 1,
                   "text": "%matplotlib inline\nx = 1\n"}],
      "didClose": [{"uri": "b"}]}})")));
  EXPECT_EQ(documents_.Find("b"), nullptr);
  EXPECT_EQ(Around("c"), "import os\n                  \nx = 1\n|");
  ASSERT_TRUE(Change(json::parse(R"({"textContent": [{
      "document": {"uri": "d", "version": 2},
      "changes": [{"range": {"start": {"line": 1, "character": 0},
                             "end": {"line": 1, "character": 0}}, "text": "y"}]}]})")));
  EXPECT_EQ(documents_.Find("d")->text.text(), "%matplotlib inline\nyx = 1\n");
  ASSERT_TRUE(Change(json::parse(R"({"data": [{"kind": 1, "document": "d"}]})")));
  EXPECT_EQ(Around("c"), "import os\n|");
  ASSERT_TRUE(notebooks_.Close(json::parse(R"({"notebookDocument": {"uri": "n"},
      "cellTextDocuments": [{"uri": "a"}, {"uri": "c"}]})")));
  EXPECT_EQ(documents_.Find("a"), nullptr);
  EXPECT_EQ(Around("d"), "no cell");
}

TEST_F(NotebooksTest, ACellThatBeginsWithACellMagicIsLeftOut) {
  OpenThree();
  ASSERT_TRUE(Change(json::parse(R"({"textContent": [{
      "document": {"uri": "a"}, "changes": [{"text": "%%bash\nls"}]}]})")));
  EXPECT_EQ(Around("c"), "|");
}

TEST_F(NotebooksTest, WhatIsWrongIsNamedAndTheRestIsDone) {
  OpenThree();
  EXPECT_FALSE(notebooks_.Open(nullptr, PositionEncoding::kUtf16));
  EXPECT_FALSE(notebooks_.Close(json::array()));
  EXPECT_EQ(
      notebooks_.Change({{"notebookDocument", {{"uri", "m"}}}}, PositionEncoding::kUtf16).error(),
      "the notebook 'm' is not open");
  const auto wrong = Change({{"structure",
                              {{"array", {{"start", -1}, {"deleteCount", 1}}},
                               {"didOpen", json::array({Text("e", "x")})}}}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(documents_.Find("e"), nullptr);
  ASSERT_FALSE(
      Change({{"structure",
               {{"array", {{"start", 9}, {"deleteCount", 9}, {"cells", json::array({1})}}}}}}));
  EXPECT_EQ(Around("c"), "import os\n|");
}

// Any splice leaves the order of the cells that a list of them has.
TEST_F(NotebooksTest, SplicesKeepTheOrderOfTheCells) {
  const unsigned seed = 11;
  std::mt19937 random(seed);
  ASSERT_TRUE(notebooks_.Open({{"notebookDocument", {{"uri", "n"}}}}, PositionEncoding::kUtf16));
  std::vector<std::string> naive;
  for (int i = 0; i < 200; ++i) {
    const size_t start = random() % (naive.size() + 1);
    const size_t removed = std::min<size_t>(random() % 3, naive.size() - start);
    const std::string name = "cell" + std::to_string(i);
    naive.erase(naive.begin() + start, naive.begin() + start + removed);
    naive.insert(naive.begin() + start, name);
    ASSERT_TRUE(Change(
        {{"structure",
          {{"array",
            {{"start", start}, {"deleteCount", removed}, {"cells", json::array({Cell(name)})}}},
           {"didOpen", json::array({Text(name, name)})}}}}));
    std::string before;
    std::string after;
    for (size_t j = 0; j < start; ++j) before += naive[j] + "\n";
    for (size_t j = start + 1; j < naive.size(); ++j)
      after += (after.empty() ? "\n" : "") + naive[j] + "\n";
    ASSERT_EQ(Around(name), before + "|" + after) << "seed " << seed << " step " << i;
  }
}

TEST(Magics, LinesThatAreNoCodeAreBlankedButForTheCursors) {
  EXPECT_EQ(WithoutMagics("x\r\n !ls\r\ny", 0), "x\r\n    \r\ny");
  EXPECT_EQ(WithoutMagics("%a\n%b", 4), "  \n%b");
  EXPECT_EQ(WithoutMagics("x % y\n", 0), "x % y\n");
  EXPECT_EQ(WithoutMagics("", 0), "");
}

}  // namespace
}  // namespace tenon::server
