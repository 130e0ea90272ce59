#include "server/documents/client_documents.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;
using protocol::PositionEncoding;

json Opened(const std::string& uri, const std::string& language_id, const std::string& text) {
  return {{"textDocument",
           {{"uri", uri}, {"languageId", language_id}, {"version", 1}, {"text", text}}}};
}

auto Change(ClientDocuments& documents, const std::string& uri, const json& list) {
  return documents.Change(uri, protocol::ReadContentChanges(&list));
}

TEST(ClientDocuments, AnUntitledDocumentIsRenamedByClosingAndOpeningIt) {
  ClientDocuments documents;
  ASSERT_TRUE(
      documents.Open(Opened("untitled:Untitled-1", "plaintext", "a"), PositionEncoding::kUtf16));
  EXPECT_EQ(documents.Find("untitled:Untitled-1")->name, "Untitled-1");
  ASSERT_TRUE(documents.Close(Opened("untitled:Untitled-1", "", "")));
  ASSERT_TRUE(documents.Open(Opened("file:///a%20b.py", "python", "a"), PositionEncoding::kUtf16));
  EXPECT_EQ(documents.Find("untitled:Untitled-1"), nullptr);
  EXPECT_EQ(documents.Find("file:///a%20b.py")->name, "a b.py");
}

TEST(ClientDocuments, OpenedAgainADocumentHasItsNewLanguageAndText) {
  ClientDocuments documents;
  ASSERT_TRUE(documents.Open(Opened("a", "plaintext", "old"), PositionEncoding::kUtf8));
  ASSERT_TRUE(documents.Open(Opened("a", "python", "new"), PositionEncoding::kUtf8));
  EXPECT_EQ(documents.Find("a")->language_id, "python");
  EXPECT_EQ(documents.Find("a")->text.text(), "new");
}

TEST(ClientDocuments, AfterAnEditThatCannotBeReadOnlyAWholeTextCounts) {
  ClientDocuments documents;
  ASSERT_TRUE(documents.Open(Opened("a", "python", "x"), PositionEncoding::kUtf8));
  const auto wrong = Change(documents, "a", {{{"range", 1}, {"text", "y"}}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().find("until its whole text comes again"), std::string::npos);
  EXPECT_FALSE(documents.Find("a")->in_step);
  const json at_begin = {{"line", 0}, {"character", 0}};
  EXPECT_TRUE(Change(documents, "a",
                     {{{"range", {{"start", at_begin}, {"end", at_begin}}}, {"text", "z"}}}));
  EXPECT_FALSE(documents.Find("a")->in_step);
  EXPECT_TRUE(Change(documents, "a", {{{"text", "whole"}}}));
  EXPECT_TRUE(documents.Find("a")->in_step);
  EXPECT_EQ(documents.Find("a")->text.text(), "whole");
}

TEST(ClientDocuments, WrongParamsAreNamed) {
  ClientDocuments documents;
  EXPECT_EQ(documents.Open(json::object(), PositionEncoding::kUtf8).error(),
            "'textDocument/uri' must be a string");
  EXPECT_EQ(documents.Close(json()).error(), "'textDocument/uri' must be a string");
  EXPECT_EQ(Change(documents, "a", json::array()).error(), "'a' is not open");
}

TEST(ClientDocuments, TheOtherTextsOfALanguageComeInTheOrderOfTheirLastEdits) {
  ClientDocuments documents;
  for (const char* uri : {"a", "b", "c", "d"})
    ASSERT_TRUE(documents.Open(Opened(uri, uri == std::string("c") ? "go" : "python", uri),
                               PositionEncoding::kUtf8));
  const auto others = [&documents](size_t most) {
    std::vector<std::string> texts;
    for (const auto& [text, name, path] : documents.OtherTexts(*documents.Find("a"), most))
      texts.push_back(*text);
    return texts;
  };
  EXPECT_EQ(others(4), (std::vector<std::string>{"d", "b"}));
  ASSERT_TRUE(Change(documents, "b", {{{"text", "B"}}}));
  EXPECT_EQ(others(4), (std::vector<std::string>{"B", "d"}));
  EXPECT_EQ(others(1), (std::vector<std::string>{"B"}));
}

TEST(ClientDocuments, TheOtherTextsAreThoseLatelyClosedToo) {
  ClientDocuments documents;
  ASSERT_TRUE(documents.Open(Opened("a", "python", "own"), PositionEncoding::kUtf8));
  ASSERT_TRUE(documents.Open(Opened("open", "python", "open"), PositionEncoding::kUtf8));
  const auto others = [&documents](size_t most) {
    std::vector<std::string> texts;
    for (const auto& [text, name, path] : documents.OtherTexts(*documents.Find("a"), most))
      texts.push_back(*text);
    return texts;
  };
  for (const char* uri : {"1", "2", "3", "4", "5"}) {
    ASSERT_TRUE(documents.Open(Opened(uri, "python", uri), PositionEncoding::kUtf8));
    ASSERT_TRUE(documents.Close({{"textDocument", {{"uri", uri}}}}));
  }
  EXPECT_EQ(others(9), (std::vector<std::string>{"open", "5", "4", "3", "2"}));
  EXPECT_EQ(others(2), (std::vector<std::string>{"open", "5"}));
  // Opened again it has its new text alone.
  ASSERT_TRUE(documents.Open(Opened("5", "python", "new"), PositionEncoding::kUtf8));
  EXPECT_EQ(others(9), (std::vector<std::string>{"new", "open", "4", "3", "2"}));
  // Texts that are large, or that the editor knows otherwise, are not remembered.
  ASSERT_TRUE(documents.Open(Opened("large", "python", std::string(300 << 10, 'x')),
                             PositionEncoding::kUtf8));
  ASSERT_TRUE(documents.Close({{"textDocument", {{"uri", "large"}}}}));
  ASSERT_FALSE(Change(documents, "5", {{{"range", 1}, {"text", "y"}}}));
  ASSERT_TRUE(documents.Close({{"textDocument", {{"uri", "5"}}}}));
  EXPECT_EQ(others(9), (std::vector<std::string>{"open", "4", "3", "2"}));
}

}  // namespace
}  // namespace tenon::server
