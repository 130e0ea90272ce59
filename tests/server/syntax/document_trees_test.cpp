#include "server/syntax/document_trees.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/syntax/shipped_syntax.h"

namespace tenon::server {
namespace {

TEST(DocumentTrees, EachDocumentHasTheTreeOfItsLatestText) {
  DocumentTrees trees;
  const TSLanguage* json = ShippedSyntax("json");
  for (int round = 0; round < 3; ++round) {
    for (int document = 0; document < 20; ++document) {
      const std::string text = "[" + std::to_string(document) + ", " + std::to_string(round) + "]";
      const auto tree = trees.Parse("document " + std::to_string(document), json, text, {});
      ASSERT_TRUE(tree.has_value());
      EXPECT_EQ(tree->text(), text);
      EXPECT_EQ(tree->error_count(), 0U);
    }
  }
}

TEST(DocumentTrees, ADocumentThatChangesItsLanguageIsReadAnew) {
  DocumentTrees trees;
  EXPECT_EQ(trees.Parse("a", ShippedSyntax("json"), "[1]", {})->error_count(), 0U);
  EXPECT_EQ(trees.Parse("a", ShippedSyntax("go"), "package p\n", {})->error_count(), 0U);
  EXPECT_GT(trees.Parse("a", ShippedSyntax("go"), "[1]", {})->error_count(), 0U);
  EXPECT_EQ(trees.Parse("", ShippedSyntax("json"), "[1]", {})->error_count(), 0U);
}

TEST(DocumentTrees, AStoppedParseGivesNothing) {
  DocumentTrees trees;
  std::stop_source stop;
  stop.request_stop();
  const std::string text(10'000, '[');
  EXPECT_FALSE(trees.Parse("a", ShippedSyntax("json"), text, stop.get_token()).has_value());
}

}  // namespace
}  // namespace tenon::server
