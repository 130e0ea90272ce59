#include "server/documents/editor_document.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;
using protocol::PositionEncoding;

EditorDocument Opened(const std::string& text) {
  return {"python", {text, PositionEncoding::kUtf8}};
}

json Inserts(unsigned character, const std::string& text) {
  const json at = {{"line", 0U}, {"character", character}};
  return {{{"range", {{"start", at}, {"end", at}}}, {"text", text}}};
}

bool Change(const json& list, EditorDocument& document) {
  return ApplyChange(protocol::ReadContentChanges(&list), document).has_value();
}

TEST(EditorDocument, IsReadFromTheParamsOfDidOpen) {
  const auto opened = ReadOpenedDocument(
      {{"textDocument",
        {{"uri", "file:///a.py"}, {"languageId", "python"}, {"version", 1}, {"text", "x = 1"}}}},
      PositionEncoding::kUtf8);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->uri, "file:///a.py");
  EXPECT_EQ(opened->document.language_id, "python");
  EXPECT_EQ(opened->document.text.text(), "x = 1");
  EXPECT_TRUE(opened->document.in_step);
  EXPECT_EQ(ReadOpenedDocument({{"textDocument", {{"uri", "a"}}}}, PositionEncoding::kUtf8).error(),
            "'textDocument/languageId' must be a string");
}

TEST(EditorDocument, IsOutOfStepFromAnEditThatCannotBeReadUntilAWholeText) {
  EditorDocument document = Opened("x = 1");
  const json without_text = {{{"range", 1}}};
  EXPECT_FALSE(Change(without_text, document));
  EXPECT_FALSE(document.in_step);
  EXPECT_TRUE(Change(Inserts(5, "0"), document));  // left out
  EXPECT_FALSE(document.in_step);
  EXPECT_EQ(document.text.text(), "x = 1");
  EXPECT_TRUE(Change({{{"text", "x = 20"}}}, document));
  EXPECT_TRUE(document.in_step);
  EXPECT_TRUE(Change(Inserts(6, "0"), document));
  EXPECT_EQ(document.text.text(), "x = 200");
}

TEST(EditorDocument, AMessageWithoutEditsPutsItOutOfStep) {
  EditorDocument document = Opened("x");
  EXPECT_FALSE(ApplyChange(protocol::ReadContentChanges(nullptr), document));
  EXPECT_FALSE(document.in_step);
}

}  // namespace
}  // namespace tenon::server
