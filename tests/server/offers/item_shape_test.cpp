#include "server/offers/item_shape.h"

#include <gtest/gtest.h>

#include "protocol/lsp_types.h"

namespace tenon::server {
namespace {

using nlohmann::json;

protocol::TextDocument Document(const char* text) {
  return {text, protocol::PositionEncoding::kUtf16};
}

AskedPlace At(size_t cursor) { return {cursor, cursor, cursor, ""}; }

CompletionItem Item(std::string text, size_t begin, size_t end) {
  CompletionItem item;
  item.text = std::move(text);
  item.range_begin_bytes = begin;
  item.range_end_bytes = end;
  item.guarantee = Guarantee::kFile;
  item.ended = Ended::kWitness;
  return item;
}

json RangeOf(uint32_t line, uint32_t begin, uint32_t end) {
  return protocol::ToJson(protocol::Range{{line, begin}, {line, end}});
}

TEST(ItemShape, AWordAtTheCursorIsPartOfTheItem) {
  const auto document = Document("é = foo.ba\n");
  const auto shaped = ShapeCompletionItem(document, At(11), Item("r(1)", 11, 11), {}, "python");
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ((*shaped)["textEdit"]["newText"], "bar(1)");
  EXPECT_EQ((*shaped)["textEdit"]["range"], RangeOf(0, 8, 10));
  EXPECT_EQ((*shaped)["filterText"], "ba");
  EXPECT_EQ((*shaped)["label"], "bar(1)");
  EXPECT_EQ((*shaped)["data"], (json{{"guarantee", "file"}, {"ended", "witness"}}));
  EXPECT_FALSE(shaped->contains("documentation"));
}

TEST(ItemShape, AnItemThatBeginsBeforeTheWordKeepsItsOwnRange) {
  const auto shaped =
      ShapeCompletionItem(Document("x = ab"), At(6), Item(" = abc", 1, 6), {}, "python");
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ((*shaped)["textEdit"]["range"], RangeOf(0, 1, 6));
  EXPECT_EQ((*shaped)["filterText"], " = ab");
  EXPECT_EQ((*shaped)["label"], "= abc");
}

TEST(ItemShape, WhatCannotBeToldIsNotOffered) {
  const auto document = Document("a\nbc\nd");
  ClientProfile one_line;
  one_line.multiline_items = false;
  EXPECT_FALSE(
      ShapeCompletionItem(document, At(3), Item("x\ny", 3, 3), one_line, "python").has_value());
  EXPECT_TRUE(ShapeCompletionItem(document, At(3), Item("x\ny", 3, 3), {}, "python").has_value());
  EXPECT_FALSE(ShapeCompletionItem(document, At(3), Item("x", 1, 3), {}, "python").has_value())
      << "begins a line above";
  EXPECT_FALSE(ShapeInlineItem(document, At(3), Item("x", 3, 5), {}).has_value())
      << "ends a line below";
  EXPECT_FALSE(ShapeInlineItem(document, At(3), Item("x", 4, 4), {}).has_value())
      << "not at the cursor";
  EXPECT_FALSE(ShapeInlineItem(document, At(3), Item("x", 3, 99), {}).has_value())
      << "beyond the text";
  EXPECT_FALSE(ShapeInlineItem(document, At(3), Item(" \n", 3, 3), {}).has_value()) << "blank";
}

TEST(ItemShape, TheSignThatTheLineAboveLacksIsAnEditOfItsOwn) {
  const auto document = Document("[\n  é\n  \n]");
  CompletionItem item = Item("b", 9, 9);
  item.missing_sign = MissingSign{6, ","};
  const auto shaped = ShapeCompletionItem(document, At(9), item, {}, "python");
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ((*shaped)["textEdit"]["newText"], "b");
  EXPECT_EQ((*shaped)["additionalTextEdits"],
            (json::array({{{"newText", ","}, {"range", RangeOf(1, 3, 3)}}})));
  EXPECT_FALSE(ShapeCompletionItem(document, At(9), Item("b", 9, 9), {}, "python")
                   ->contains("additionalTextEdits"));
  ClientProfile client;
  EXPECT_FALSE(ShapeInlineItem(document, At(9), item, client)->contains("additionalTextEdits"));
  client.writes_inline_edits = true;
  EXPECT_EQ((*ShapeInlineItem(document, At(9), item, client))["additionalTextEdits"],
            (*shaped)["additionalTextEdits"]);
}

TEST(ItemShape, SeveralLinesAreShownAsCodeInAFenceThatHolds) {
  ClientProfile client;
  client.markdown = true;
  const auto shaped =
      ShapeCompletionItem(Document("x"), At(1), Item(" = '''\n```\n'''", 1, 1), client, "python");
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ((*shaped)["documentation"]["value"], "````python\nx = '''\n```\n'''\n````");
}

TEST(ItemShape, TheRestOfTheLineIsRepeatedForClientsThatDrawOverIt) {
  ClientProfile client;
  client.repeat_rest_of_line = true;
  const auto shaped = ShapeInlineItem(Document("f(x) # c\ny"), At(2), Item("1, ", 2, 2), client);
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ((*shaped)["insertText"], "1, x) # c");
  EXPECT_EQ((*shaped)["range"], RangeOf(0, 2, 8));
}

TEST(ItemShape, ASelectedTextIsExtendedInItsOwnRange) {
  const auto document = Document("x = os.pa + 1\n");
  const AskedPlace place{9, 7, 9, "path"};
  EXPECT_EQ(*place.TextFor(document), "x = os.path + 1\n");
  EXPECT_EQ(place.CursorFor(), 11U);
  const auto shaped = ShapeInlineItem(document, place, Item(".sep", 11, 11), {});
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ((*shaped)["insertText"], "path.sep");
  EXPECT_EQ((*shaped)["range"], RangeOf(0, 7, 9));
  const auto with_tail = ShapeInlineItem(document, place, Item("th.sep", 9, 12), {});
  ASSERT_TRUE(with_tail.has_value());
  EXPECT_EQ((*with_tail)["insertText"], "path.sep");
  EXPECT_EQ((*with_tail)["range"], RangeOf(0, 7, 10));
}

TEST(ItemShape, ABracketThatTheEditorClosedAheadLiesInTheRangeWhereTheItemCoversIt) {
  const auto document = Document("f()\n");
  const auto shaped = ShapeCompletionItem(document, At(2), Item("a, b)", 2, 3), {}, "python");
  ASSERT_TRUE(shaped.has_value());
  EXPECT_EQ((*shaped)["textEdit"]["range"], RangeOf(0, 2, 3));
  EXPECT_EQ((*ShapeInlineItem(document, At(2), Item("a, b)", 2, 3), {}))["range"],
            RangeOf(0, 2, 3));
}

TEST(ItemShape, TheSecondRangeOfAnInsertReplaceEditIsNeverSent) {
  const auto shaped = ShapeCompletionItem(Document("ab"), At(1), Item("x", 1, 1), {}, "python");
  ASSERT_TRUE(shaped.has_value());
  EXPECT_TRUE((*shaped)["textEdit"].contains("range"));
  EXPECT_EQ((*shaped)["insertTextFormat"], 1);
}

TEST(ItemShape, ThePlaceBesideTheLabelCountsTheOtherLines) {
  ClientProfile client;
  client.label_details = true;
  const auto details = [&client](const char* text) {
    return (*ShapeCompletionItem(Document("x"), At(1), Item(text, 1, 1), client,
                                 "python"))["labelDetails"];
  };
  EXPECT_EQ(details("a"), (json{{"description", "tenon"}}));
  EXPECT_EQ(details("a\nb"), (json{{"description", "tenon"}, {"detail", " +1 line"}}));
  EXPECT_EQ(details("a\nb\nc"), (json{{"description", "tenon"}, {"detail", " +2 lines"}}));
}

TEST(ItemShape, DocumentationWaitsWhereTheClientAsksForItLater) {
  ClientProfile client;
  client.resolves_documentation = true;
  const auto shaped =
      ShapeCompletionItem(Document("x"), At(1), Item("a\nb", 1, 1), client, "python");
  ASSERT_TRUE(shaped.has_value());
  EXPECT_FALSE(shaped->contains("documentation"));
  EXPECT_EQ((*shaped)["data"]["language"], "python");
}

}  // namespace
}  // namespace tenon::server
