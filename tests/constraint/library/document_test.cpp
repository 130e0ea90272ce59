// Documents as a user of the library meets them: gaps that are opened again and again.
#include "tenon/document.h"

#include <stop_token>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"

namespace tenon {
namespace {

TEST(PublicDocument, OpensTheGapsOfAnEditedText) {
  Document document(Compiled(kLists));
  const std::string left = "[1, [2", right = "], 3]";
  for (size_t length = 1; length <= left.size(); ++length) {
    const auto gap = document.Open(left.substr(0, length), right);
    const Gap fresh = Gap::Open(document.language(), left.substr(0, length), right);
    ASSERT_TRUE(gap);
    EXPECT_EQ(gap->viable(), fresh.viable()) << length;
    EXPECT_EQ(gap->Member(), fresh.Member()) << length;
    EXPECT_EQ(gap->Expected(), fresh.Expected()) << length;
  }
  EXPECT_GT(document.memory_bytes(), 0u);
}

// Whether R's words keep to their constructs hangs on the left context, too: the `r` of R is in an
// `f` behind the first one, and cannot be behind the second.
TEST(PublicDocument, KnowsNothingOfAnotherLeftContext) {
  Document document(Compiled(R"lark(
start: [first] other*
first: "f" body#+in_first
other: "o" body
body: "{" ("a" | "r"#in_first)* "}"
)lark"));
  for (const std::string left : {"f{", "o{"}) {
    for (const std::string middle : {"", "}o{"}) {
      auto gap = document.Open(left, "r}");
      Gap fresh = Gap::Open(document.language(), left, "r}");
      ASSERT_TRUE(gap && gap->Accept(middle) && fresh.Accept(middle));
      EXPECT_EQ(fresh.Member(), left == "o{" || middle.empty()) << left << middle;
      EXPECT_EQ(gap->Member(), fresh.Member()) << left << middle;
    }
  }
}

TEST(PublicDocument, LeavesGapsThatAreHeldAsTheyAre) {
  Document document(Compiled(kLists));
  auto first = document.Open("[", "]");
  const auto second = document.Open("[1", "]");
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(second->Check("["));
  EXPECT_TRUE(first->Accept("["));
  EXPECT_FALSE(first->Member());
}

TEST(PublicDocument, OpensNothingWhenStopped) {
  Document document(Compiled(kLists));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(document.Open("[1, 2", "]", {}, stop.get_token()));
  EXPECT_TRUE(document.Open("[1, 2", "]"));
}

TEST(PublicDocument, IsMoved) {
  Document document(Compiled(kLists));
  Document moved = std::move(document);
  EXPECT_TRUE(moved.Open("[", "]"));
}

}  // namespace
}  // namespace tenon
