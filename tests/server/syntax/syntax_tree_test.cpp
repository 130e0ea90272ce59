#include "server/syntax/syntax_tree.h"

#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/oracle/seed.h"
#include "tests/server/syntax/shipped_syntax.h"

namespace tenon::server {
namespace {

SyntaxTree Parsed(const char* id, std::string_view text, const SyntaxTree* before = nullptr) {
  auto tree = SyntaxTree::Parse(ShippedSyntax(id), text, before);
  EXPECT_TRUE(tree.has_value());
  return *std::move(tree);
}

std::string TextOf(const SyntaxTree& tree) {
  char* const text = ts_node_string(tree.root());
  std::string copy = text;
  free(text);
  return copy;
}

TEST(SyntaxTree, AWholeTextHasNoError) {
  for (const auto& [id, text] : std::vector<std::pair<const char*, const char*>>{
           {"python", "def f(a):\n    return [a, 1]\n"},
           {"go", "package p\n\nfunc f() int { return 1 }\n"},
           {"json", "{\"a\": [1, 2]}\n"},
           {"sql", "SELECT a FROM t WHERE b = 1;\n"},
           {"python", ""}}) {
    const SyntaxTree tree = Parsed(id, text);
    EXPECT_EQ(tree.error_count(), 0U) << id << ": " << TextOf(tree);
    EXPECT_TRUE(tree.errors().empty());
    EXPECT_EQ(tree.text(), text);
  }
}

TEST(SyntaxTree, WhatIsBrokenOrMissingIsCountedWithItsPlace) {
  // A closing bracket that nothing opened is an error; one that is needed is missing.
  const SyntaxTree more = Parsed("json", "[1, 2]]");
  EXPECT_EQ(more.errors(), (std::vector<SyntaxError>{{6, 7}}));
  EXPECT_EQ(more.error_count(), 1U);
  const SyntaxTree less = Parsed("json", "[1, 2");
  EXPECT_EQ(less.errors(), (std::vector<SyntaxError>{{5, 5}}));
  const SyntaxTree two = Parsed("python", "a = = 1\nb = 2\nc = = 3\n");
  EXPECT_EQ(two.error_count(), 2U) << TextOf(two);
}

TEST(SyntaxTree, ATreeOfAnEarlierTextChangesNothingButTheTime) {
  std::mt19937_64 random(oracle::TestSeed());
  const std::string pieces[] = {"f(", ")", "\n", "    ", "def g(x):", "a",
                                "\"", "é", "[",  "]",    ","};
  std::string text;
  for (int i = 0; i < 30; ++i) text += "def f(a):\n    return [a, f(1)]\n";
  SyntaxTree tree = Parsed("python", text);
  for (int step = 0; step < 300; ++step) {
    const size_t begin = random() % (text.size() + 1);
    const size_t length = random() % std::min<size_t>(8, text.size() - begin + 1);
    text.replace(begin, length, pieces[random() % std::size(pieces)]);
    SyntaxTree next = Parsed("python", text, &tree);
    const SyntaxTree anew = Parsed("python", text);
    // After errors tree-sitter may recover in another way than it would from scratch; where one has
    // no error the other has none.
    EXPECT_EQ(next.error_count() == 0, anew.error_count() == 0) << text;
    tree = std::move(next);
  }
}

TEST(SyntaxTree, TheEarlierTreeStaysAsItIs) {
  const SyntaxTree before = Parsed("json", "[1, 2]");
  const std::string was = TextOf(before);
  const SyntaxTree after = Parsed("json", "[1, 22, [3]]", &before);
  EXPECT_EQ(TextOf(before), was);
  EXPECT_EQ(before.text(), "[1, 2]");
  EXPECT_EQ(TextOf(after), TextOf(Parsed("json", "[1, 22, [3]]")));
  EXPECT_EQ(TextOf(Parsed("json", "[1, 2]", &before)), was);
}

TEST(SyntaxTree, AParseThatWasStoppedHasNoTree) {
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i) text += "1, ";
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(SyntaxTree::Parse(ShippedSyntax("json"), text, nullptr, stop.get_token()));
}

TEST(SyntaxTree, ATextThatIsNestedAHundredThousandDeepIsReadOrGivenUp) {
  for (const char* piece : {"[", "{\"a\":", "]", "[1,"}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    const auto tree = SyntaxTree::Parse(ShippedSyntax("json"), text);
    if (tree) {
      EXPECT_GT(tree->error_count(), 0U) << piece;
    }
  }
  std::string closed = std::string(100'000, '[') + std::string(100'000, ']');
  if (const auto tree = SyntaxTree::Parse(ShippedSyntax("json"), closed)) {
    EXPECT_EQ(tree->error_count(), 0U);
    closed.insert(100'000, "1");
    const auto next = SyntaxTree::Parse(ShippedSyntax("json"), closed, &*tree);
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(next->error_count(), 0U);
  }
}

TEST(SyntaxTree, BytesThatAreNoTextAreRead) {
  const std::string bytes("\xff\xfe\x00\x80[1\xc3", 7);
  const auto tree = SyntaxTree::Parse(ShippedSyntax("json"), bytes);
  ASSERT_TRUE(tree.has_value());
  EXPECT_GT(tree->error_count(), 0U);
}

TEST(SyntaxTree, TreesOfOneTextAreReparsedByManyThreads) {
  const SyntaxTree before = Parsed("json", "[1, 2, 3]");
  std::vector<size_t> counts(8, 1);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < counts.size(); ++i) {
      threads.emplace_back([&, i] {
        const std::string text = "[1, " + std::to_string(i) + ", 3]";
        counts[i] = SyntaxTree::Parse(ShippedSyntax("json"), text, &before)->error_count();
      });
    }
  }
  EXPECT_EQ(counts, std::vector<size_t>(8, 0));
}

}  // namespace
}  // namespace tenon::server
