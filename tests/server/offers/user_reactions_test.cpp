#include "server/offers/user_reactions.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

ClientDocument DocumentOf(const std::string& text) {
  return {{"python", {text, protocol::PositionEncoding::kUtf8}}, "a.py", ""};
}

json Replaces(unsigned begin, unsigned end, const std::string& text) {
  return {{{"range",
            {{"start", {{"line", 0U}, {"character", begin}}},
             {"end", {{"line", 0U}, {"character", end}}}}},
           {"text", text}}};
}

CompletionItem ItemAt(size_t at, const std::string& text) {
  CompletionItem item{text, at, at};
  item.guarantee = Guarantee::kFile;
  return item;
}

class UserReactionsTest : public testing::Test {
 protected:
  // Ghost text is shown at byte `at` of the text.
  void Show(const std::string& text, size_t at, const std::string& shown) {
    reactions_.OnOffered("a", at, shown, false, {});
    reactions_.OnShown("a", DocumentOf(text), at, ItemAt(at, shown), false, true);
  }
  void Edit(const std::string& before, const json& list, const std::string& after) {
    const protocol::ContentChanges changes = protocol::ReadContentChanges(&list);
    reactions_.BeforeEdit("a", DocumentOf(before), changes);
    reactions_.AfterEdit("a", DocumentOf(after), changes);
  }

  std::chrono::steady_clock::time_point now_;
  UserReactions reactions_{[this] { return now_; }};
};

TEST_F(UserReactionsTest, OneEditThatWritesAnItemAcceptsIt) {
  Show("x = ", 4, "max(a, b)");
  Edit("x = ", Replaces(4, 4, "max(a, b)"), "x = max(a, b)");
  const json statistics = reactions_.statistics().ToJson();
  EXPECT_EQ(statistics["shown"], 1);
  EXPECT_EQ(statistics["accepted"], 1);
  EXPECT_TRUE(reactions_.UnwantedAt("a", DocumentOf("x = "), 4).empty());
}

TEST_F(UserReactionsTest, ATextThatTheUserWritesAwayFromIsUnwanted) {
  Show("x = ", 4, "max(a, b)");
  Edit("x = ", Replaces(4, 4, "m"), "x = m");
  Edit("x = m", Replaces(5, 5, "i"), "x = mi");
  EXPECT_EQ(reactions_.UnwantedAt("a", DocumentOf("x = "), 4),
            std::vector<std::string>{"max(a, b)"});
  EXPECT_EQ(reactions_.statistics().ToJson()["accepted"], 0);
  reactions_.OnClose("a");
  EXPECT_TRUE(reactions_.UnwantedAt("a", DocumentOf("x = "), 4).empty());
}

TEST_F(UserReactionsTest, AnItemOfAListIsNotRefusedByTyping) {
  reactions_.OnShown("a", DocumentOf("x = "), 4, ItemAt(4, "max(a, b)"), false, false);
  Edit("x = ", Replaces(4, 4, "n"), "x = n");
  EXPECT_TRUE(reactions_.UnwantedAt("a", DocumentOf("x = "), 4).empty());
}

TEST_F(UserReactionsTest, AWholeNewTextForgetsRefusals) {
  Show("x = ", 4, "max(a, b)");
  Edit("x = ", Replaces(4, 4, "n"), "x = n");
  ASSERT_FALSE(reactions_.UnwantedAt("a", DocumentOf("x = "), 4).empty());
  Edit("x = n", {{{"text", "x = "}}}, "x = ");
  EXPECT_TRUE(reactions_.UnwantedAt("a", DocumentOf("x = "), 4).empty());
}

// A range of null is none; a reversed range is that of the swapped ends.
TEST_F(UserReactionsTest, ReadsRangesAsTheTextsDo) {
  Show("x = ", 4, "max(a, b)");
  const json whole = {{{"range", nullptr}, {"text", "x = max(a, b)"}}};
  Edit("x = ", whole, "x = max(a, b)");
  EXPECT_EQ(reactions_.statistics().ToJson()["accepted"], 0);
  Edit("x = max(a, b)", Replaces(13, 4, ""), "x = ");
  EXPECT_EQ(reactions_.UnwantedAt("a", DocumentOf("x = "), 4),
            std::vector<std::string>{"max(a, b)"});
}

TEST_F(UserReactionsTest, ACommandCountsOnce) {
  const int64_t number = reactions_.OnOffered("a", 4, "max(a, b)", false, {});
  reactions_.OnCommand(number);
  reactions_.OnCommand(number);
  EXPECT_EQ(reactions_.statistics().ToJson()["accepted"], 1);
}

}  // namespace
}  // namespace tenon::server
