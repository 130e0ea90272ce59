#include "server/offers/completion_list.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

json Item(int begin, const char* text) {
  return {{"label", text},
          {"insertTextFormat", 1},
          {"data", {{"guarantee", "file"}}},
          {"textEdit", {{"range", {{"start", begin}, {"end", 9}}}, {"newText", text}}}};
}

TEST(CompletionList, ItemsAreWholeUnlessTheClientTakesDefaults) {
  const json items = {Item(1, "a"), Item(1, "b")};
  EXPECT_EQ(ShapeCompletionList(items, {}), (json{{"isIncomplete", true}, {"items", items}}));
  ClientProfile client;
  client.item_defaults = {"commitCharacters"};
  EXPECT_EQ(ShapeCompletionList(items, client)["items"], items);
}

TEST(CompletionList, WhatAllItemsShareIsSaidOnce) {
  ClientProfile client;
  client.item_defaults = {"editRange", "insertTextFormat", "insertTextMode", "data"};
  const json list = ShapeCompletionList({Item(1, "a"), Item(1, "b")}, client);
  EXPECT_EQ(list["itemDefaults"], (json{{"editRange", {{"start", 1}, {"end", 9}}},
                                        {"insertTextFormat", 1},
                                        {"data", {{"guarantee", "file"}}}}));
  EXPECT_EQ(list["items"], (json{{{"label", "a"}, {"textEditText", "a"}},
                                 {{"label", "b"}, {"textEditText", "b"}}}));
}

TEST(CompletionList, ItemsWithDifferentRangesKeepTheirEdits) {
  ClientProfile client;
  client.item_defaults = {"editRange"};
  const json items = {Item(1, "a"), Item(2, "b")};
  const json list = ShapeCompletionList(items, client);
  EXPECT_EQ(list["items"], items);
  EXPECT_FALSE(list.contains("itemDefaults"));
}

TEST(CompletionList, AnEmptyListIsJustThat) {
  ClientProfile client;
  client.item_defaults = {"editRange"};
  EXPECT_EQ(ShapeCompletionList(json::array(), client),
            (json{{"isIncomplete", true}, {"items", json::array()}}));
}

TEST(CompletionList, DocumentationIsFencedLongerThanTheCodesOwnBackquotes) {
  EXPECT_EQ(Documentation("x", false, "python"), "x");
  EXPECT_EQ(Documentation("a ```` b", true, "sh")["value"], "`````sh\na ```` b\n`````");
}

TEST(CompletionList, AnItemIsResolvedFromWhatItHolds) {
  ClientProfile client;
  client.resolves_documentation = true;
  json item = Item(1, "a\nb");
  item["data"]["language"] = "python";
  EXPECT_EQ((*ResolveItem(item, client))["documentation"], "a\nb");
  client.markdown = true;
  EXPECT_EQ((*ResolveItem(item, client))["documentation"]["value"], "```python\na\nb\n```");
  EXPECT_EQ((*ResolveItem({{"textEditText", "a\nb"}}, client))["documentation"]["value"],
            "```\na\nb\n```");
  // One line says all itself; another server's item has no text of ours.
  EXPECT_EQ(*ResolveItem(Item(1, "a"), client), Item(1, "a"));
  EXPECT_EQ(*ResolveItem({{"label", 1}}, client), (json{{"label", 1}}));
  EXPECT_FALSE(ResolveItem(json::array(), client));
}

}  // namespace
}  // namespace tenon::server
