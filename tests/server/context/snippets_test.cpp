#include "server/context/snippets.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/context/filler_lines.h"

namespace tenon::server {
namespace {

const std::string kQueue =
    "class Worker:\n"
    "    def close(self):\n"
    "        self._queue.put(None)\n"
    "        self._thread.join(timeout)\n";
const std::string kLeft = "class Client:\n    def stop(self, timeout):\n        self._queue.";
const std::string kRight = "\n        self._thread = None\n";

std::vector<std::string> Texts(const std::vector<Snippet>& snippets) {
  std::vector<std::string> texts;
  for (const Snippet& snippet : snippets) texts.emplace_back(snippet.text());
  return texts;
}

std::vector<Snippet> Find(const std::vector<OtherText>& others, size_t max_bytes = 4096) {
  return SnippetFinder().Find(kLeft, kRight, others, max_bytes, {});
}

TEST(Snippets, AreTheLinesThatShareTheRarestWords) {
  const std::string text = FillerLines("above", 40) + kQueue + FillerLines("below", 40);
  const auto found = Find({{text, "worker.py"}});
  ASSERT_FALSE(found.empty());
  for (const Snippet& snippet : found) {
    EXPECT_EQ(snippet.source.name, "worker.py");
    EXPECT_NE(snippet.text().find("_queue.put"), std::string_view::npos);
    EXPECT_TRUE(snippet.begin_bytes == 0 || text[snippet.begin_bytes - 1] == '\n');
    EXPECT_EQ(snippet.text().back(), '\n');
  }
}

TEST(Snippets, AreNoneWhereOnlyCommonWordsAreShared) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "self.timeout" + std::to_string(i) + " = None\n";
  EXPECT_TRUE(Find({{text, "a.py"}}).empty());
}

TEST(Snippets, DoNotOverlapAndHaveNoMoreBytesThanTheyMay) {
  const std::string text =
      FillerLines("above", 300) + kQueue + kQueue + FillerLines("below", 300) + kQueue;
  const auto found = Find({{text, "a.py"}, {FillerLines("other", 30) + kQueue, "b.py"}}, 700);
  size_t bytes = 0;
  for (const Snippet& a : found) {
    bytes += a.text().size();
    for (const Snippet& b : found) {
      const bool apart = a.source.name != b.source.name || a.end_bytes <= b.begin_bytes ||
                         b.end_bytes <= a.begin_bytes;
      EXPECT_TRUE(apart || a == b);
    }
  }
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, 700u);
}

TEST(Snippets, LeaveOutCopiesOfTheTextAtTheCursor) {
  const std::string copy = FillerLines("above", 40) +
                           "class Client:\n    def stop(self, timeout):\n" +
                           "        self._thread = None\n";
  EXPECT_TRUE(Find({{copy.substr(copy.find("class")), "a.py"}, {FillerLines("other", 60), "b.py"}})
                  .empty());
}

TEST(Snippets, LeaveOutWhatLooksLikeASecret) {
  const std::string secret = "    password = \"correcthorsebattery\"\n";
  EXPECT_FALSE(Find({{FillerLines("above", 40) + kQueue, "a.py"}}).empty());
  EXPECT_TRUE(Find({{FillerLines("above", 40) + kQueue + secret, "a.py"}}).empty());
}

TEST(Snippets, AreTheSameWithTheMemoryOfEarlierTexts) {
  const OtherText a{FillerLines("above", 40) + kQueue, "a.py"},
      b{FillerLines("more", 25) + kQueue, "b.py"};
  SnippetFinder finder;
  (void)finder.Find(kLeft, kRight, std::vector{a}, 4096, {});
  const auto both = finder.Find(kLeft, kRight, std::vector{b, a}, 4096, {});
  EXPECT_EQ(Texts(both), Texts(Find({b, a})));
  EXPECT_EQ(Texts(finder.Find(kLeft, kRight, std::vector{b}, 4096, {})), Texts(Find({b})));
}

TEST(Snippets, AreNoneWhereTheSearchIsStopped) {
  std::stop_source stopped;
  stopped.request_stop();
  const OtherText other{FillerLines("above", 40) + kQueue, "a.py"};
  SnippetFinder finder;
  EXPECT_TRUE(finder.Find(kLeft, kRight, std::vector{other}, 4096, stopped.get_token()).empty());
  EXPECT_FALSE(finder.Find(kLeft, kRight, std::vector{other}, 4096, {}).empty());
}

}  // namespace
}  // namespace tenon::server
