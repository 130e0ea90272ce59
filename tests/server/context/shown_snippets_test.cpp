#include "server/context/shown_snippets.h"

#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/context/filler_lines.h"

namespace tenon::server {
namespace {

CompletionRequest Request() {
  CompletionRequest request;
  request.document = "file:///client.py";
  request.other_files = true;
  request.other_texts = {
      {FillerLines("above", 400) + "_queue.put(None)\n_thread.join(timeout)\n", "worker.py"}};
  return request;
}

constexpr std::string_view kLeft = "timeout = 1\n_thread.join(timeout)\n_queue.";
constexpr std::string_view kRight = "\nclose()\n";

TEST(ShownSnippets, AreChosenAmongTheOtherTexts) {
  EXPECT_FALSE(ShownSnippets().For(Request(), kLeft, kRight, {}, {}).empty());
}

TEST(ShownSnippets, AreNoneUnlessTheRequestWantsThem) {
  CompletionRequest request = Request();
  request.other_files = false;
  EXPECT_TRUE(ShownSnippets().For(request, kLeft, kRight, {}, {}).empty());
}

TEST(ShownSnippets, AreChosenInTheHiddenPartsOfTheSameText) {
  CompletionRequest request = Request();
  request.other_files = false;
  request.name = "client.py";
  const std::string hidden = request.other_texts[0].text;
  for (const ShownSnippets::Hidden& where :
       {ShownSnippets::Hidden{hidden, ""}, ShownSnippets::Hidden{"", hidden}}) {
    const auto shown = ShownSnippets().For(request, kLeft, kRight, where, {});
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_EQ(shown[0].source.name, "client.py");
    EXPECT_NE(shown[0].text().find("_thread.join(timeout)\n"), std::string_view::npos);
  }
}

// A text is looked at for 256 KB: of what is above, the last ones.
TEST(ShownSnippets, AreOfTheNearestLinesOfALongText) {
  CompletionRequest request = Request();
  request.other_files = false;
  const std::string like = request.other_texts[0].text;
  const std::string far = FillerLines("far", 60'000);
  ASSERT_GT(far.size(), 2 * SnippetFinder::kMaxTextBytes);
  const auto above = ShownSnippets().For(request, kLeft, kRight, {far + like, ""}, {});
  ASSERT_EQ(above.size(), 1u);
  EXPECT_LE(above[0].source.text.size(), SnippetFinder::kMaxTextBytes);
  const auto below = ShownSnippets().For(request, kLeft, kRight, {"", like + far}, {});
  ASSERT_EQ(below.size(), 1u);
  EXPECT_LE(below[0].source.text.size(), SnippetFinder::kMaxTextBytes);
}

TEST(ShownSnippets, StayTheSameAtOnePlace) {
  ShownSnippets shown;
  CompletionRequest request = Request();
  const auto first = shown.For(request, kLeft, kRight, {}, {});
  request.other_texts = {{FillerLines("other", 400), "other.py"}};
  EXPECT_EQ(shown.For(request, "nothing in common", kRight, {}, {}), first);
  EXPECT_TRUE(shown.For(request, kLeft, "\nanother place\n", {}, {}).empty());
  request.document = "file:///another.py";
  EXPECT_TRUE(shown.For(request, kLeft, kRight, {}, {}).empty());
}

// Nothing is ever right of the cursor where a file is written from its top to its end.
TEST(ShownSnippets, AreChosenAnewAsAFileGrows) {
  ShownSnippets shown;
  CompletionRequest request = Request();
  EXPECT_TRUE(shown.For(request, "a", "", {}, {}).empty());
  request.offset_bytes = 10;
  EXPECT_TRUE(shown.For(request, kLeft, "", {}, {}).empty()) << "so soon";
  request.offset_bytes = 100;
  const auto first = shown.For(request, kLeft, "", {}, {});
  EXPECT_FALSE(first.empty());
  request.offset_bytes = 1000;
  EXPECT_EQ(shown.For(request, "nothing in common", "", {}, {}), first);
  request.offset_bytes = 1200;
  EXPECT_TRUE(shown.For(request, "nothing in common", "", {}, {}).empty());
}

TEST(ShownSnippets, AreChosenAnewWithTheFirstOtherFile) {
  ShownSnippets shown;
  const CompletionRequest with = Request();
  CompletionRequest without = with;
  without.other_texts.clear();
  EXPECT_TRUE(shown.For(without, kLeft, kRight, {}, {}).empty());
  EXPECT_FALSE(shown.For(with, kLeft, kRight, {}, {}).empty());
}

TEST(ShownSnippets, AreNeverOfFilesThatHoldSecrets) {
  CompletionRequest request = Request();
  request.other_texts[0].name = ".env";
  EXPECT_TRUE(ShownSnippets().For(request, kLeft, kRight, {}, {}).empty());
}

TEST(ShownSnippets, AreChosenAgainAfterASearchThatWasStopped) {
  std::stop_source stopped;
  stopped.request_stop();
  ShownSnippets shown;
  EXPECT_TRUE(shown.For(Request(), kLeft, kRight, {}, stopped.get_token()).empty());
  EXPECT_FALSE(shown.For(Request(), kLeft, kRight, {}, {}).empty());
}

}  // namespace
}  // namespace tenon::server
