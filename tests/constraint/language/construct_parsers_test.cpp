#include "constraint/language/construct_parsers.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "constraint/language/language.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const Language> Compile(std::string_view text) {
  auto language = Language::Compile(text, "constructs.lark");
  EXPECT_TRUE(language) << language.error().ToString();
  return *language;
}

constexpr std::string_view kList = R"g(
start: HEAD items | items
items: item | items item
item: N | "(" items ")"
HEAD: "#"
N: "n"
)g";

SymbolId Nonterminal(const Grammar& grammar, std::string_view name) {
  for (uint16_t s = 0; s < grammar.symbol_count(); ++s) {
    if (grammar.SymbolName(SymbolId{s}) == name) return SymbolId{s};
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(ConstructParsers, LendAgainWhatWasGivenBack) {
  const auto language = Compile(kList);
  const ConstructParsers parsers(*language->index);
  const ConstructParser* first = nullptr;
  {
    const ConstructParsers::Loan loan(parsers);
    first = &*loan;
    const ConstructParsers::Loan another(parsers);
    EXPECT_NE(&*another, first);  // one parser is lent once at a time
  }
  const ConstructParsers::Loan again(parsers), other(parsers);
  EXPECT_TRUE(&*again == first || &*other == first);
  EXPECT_NE(&*again, &*other);
}

TEST(GrammarIndex, FindsTheListThatAnotherNonterminalHolds) {
  const auto language = Compile(kList);
  const GrammarIndex& index = *language->index;
  const SymbolId start = Nonterminal(language->grammar, "start");
  const SymbolId items = Nonterminal(language->grammar, "items");
  EXPECT_EQ(index.ListIn(start), items);
  EXPECT_EQ(index.ListIn(items), std::nullopt);
  EXPECT_EQ(index.ListIn(Nonterminal(language->grammar, "item")), std::nullopt);
}

// With `start: items | items N` a second rule begins with the list, so where the list ends decides
// between them.
TEST(GrammarIndex, FindsNoListWhereTwoRulesBeginWithIt) {
  const auto language = Compile(R"(
start: items | items "." N
items: N | items N
N: "n"
)");
  EXPECT_EQ(language->index->ListIn(Nonterminal(language->grammar, "start")), std::nullopt);
}

TEST(ConstructParser, ReadsTheFirstElementOfAListThatAnotherHolds) {
  const auto language = Compile(kList);
  ConstructParser parser(*language->index);
  std::vector<SymbolId> expected{Nonterminal(language->grammar, "start"),
                                 Nonterminal(language->grammar, "items")};
  std::sort(expected.begin(), expected.end());
  const ConstructStackId begin = parser.Expect(expected);
  EXPECT_TRUE(parser.ReadsFirstElement(begin, Nonterminal(language->grammar, "items")));
  const SymbolId n = Nonterminal(language->grammar, "N");
  const auto shifted = parser.Move(begin, n).shifted;
  ASSERT_EQ(shifted.size(), 1u);
  const ConstructStackId item = shifted[0];
  const ConstructParser::Moves behind = parser.Move(item, n);
  EXPECT_EQ(behind.completed.size(), 1u);  // the list, after one element
  EXPECT_TRUE(behind.shifted.empty());
}

}  // namespace
}  // namespace tenon::constraint
