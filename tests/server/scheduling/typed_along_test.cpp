#include "server/scheduling/typed_along.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

CompletionRequest At(const std::string& left, const std::string& right) {
  CompletionRequest request;
  request.text = left + right;
  request.offset_bytes = left.size();
  return request;
}

// That replaces the first `replaced` bytes right of the cursor.
CompletionAnswer Answer(const CompletionRequest& request, const std::string& text,
                        size_t replaced = 0) {
  CompletionItem item;
  item.text = text;
  item.range_begin_bytes = request.offset_bytes;
  item.range_end_bytes = request.offset_bytes + replaced;
  CompletionAnswer answer;
  answer.items.push_back(item);
  answer.statistics = DecodeStatistics{.drawn = 3};
  return answer;
}

TEST(TypedAlong, IsStoppedWhileTheTextIsRead) {
  TypedAlong along;
  EXPECT_FALSE(along.Type(""));
  EXPECT_FALSE(along.Type("m"));
}

TEST(TypedAlong, GoesOnWhileBothAgree) {
  TypedAlong along;
  EXPECT_TRUE(along.Write(""));
  EXPECT_TRUE(along.Type("ma"));
  EXPECT_TRUE(along.Write("m"));
  EXPECT_TRUE(along.Type("max("));
  EXPECT_TRUE(along.Write("max(a"));
  EXPECT_TRUE(along.Type("ma")) << "a letter was deleted";
  EXPECT_FALSE(along.Type("mi"));
}

TEST(TypedAlong, IsNoLongerWhatIsTyped) {
  TypedAlong along;
  EXPECT_TRUE(along.Write("m"));
  EXPECT_TRUE(along.Type("max"));
  EXPECT_FALSE(along.Write("min"));
}

TEST(TypedSince, IsTheTextAtTheCursorAlone) {
  const CompletionRequest request = At("x = ", "\ny = 1\n");
  EXPECT_EQ(TypedSince(request, "x = max\ny = 1\n"), "max");
  EXPECT_EQ(TypedSince(request, "x = \ny = 1\n"), "");
  EXPECT_EQ(TypedSince(request, "x = max\ny = 2\n"), std::nullopt);
  EXPECT_EQ(TypedSince(request, "z = max\ny = 1\n"), std::nullopt);
  EXPECT_EQ(TypedSince(request, "x =\ny = 1\n"), std::nullopt);
  EXPECT_EQ(TypedSince(request, "x = \ny = 1\n# max"), std::nullopt);
}

TEST(MayGoOnFrom, NeedsTheSameTermsAndTheCursorAfterWhatWasTyped) {
  const CompletionRequest earlier = At("x = ", "\n"), next = At("x = m", "\n");
  EXPECT_TRUE(MayGoOnFrom(earlier, next));
  CompletionRequest other = next;
  other.offset_bytes = 2;
  EXPECT_FALSE(MayGoOnFrom(earlier, other));
  other = next;
  other.max_tokens = 7;
  EXPECT_FALSE(MayGoOnFrom(earlier, other));
  other = next;
  other.candidates = 3;
  EXPECT_FALSE(MayGoOnFrom(earlier, other)) << "a person asks for more than is computed";
  other = next;
  other.already_offered = {"max"};
  EXPECT_FALSE(MayGoOnFrom(earlier, other));
  other = next;
  other.adds_missing_sign = true;
  EXPECT_FALSE(MayGoOnFrom(earlier, other));
}

TEST(RestFor, IsWhatWasNotTyped) {
  const CompletionRequest earlier = At("x = ", "\n");
  const CompletionAnswer answer = Answer(earlier, "max(a, b)");
  const auto rest = RestFor(earlier, answer, At("x = max(", "\n"));
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->items.at(0).text, "a, b)");
  EXPECT_EQ(rest->items.at(0).range_begin_bytes, 8u);
  EXPECT_FALSE(rest->is_rest) << "so that it becomes known";
  EXPECT_EQ(rest->statistics->drawn, 3);
  EXPECT_FALSE(RestFor(earlier, answer, At("x = mi", "\n")));
  EXPECT_FALSE(RestFor(earlier, answer, At("x = max(a, b)", "\n")));
  EXPECT_FALSE(RestFor(earlier, CompletionAnswer::Cancelled(), At("x = m", "\n")));
}

TEST(RestFor, KeepsWhatTheItemReplaces) {
  const CompletionRequest earlier = At("f(", ")\n");
  const auto rest = RestFor(earlier, Answer(earlier, "a, b)", 1), At("f(a", ")\n"));
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->items.at(0).text, ", b)");
  EXPECT_EQ(rest->items.at(0).range_end_bytes, 4u);
}

}  // namespace
}  // namespace tenon::server
