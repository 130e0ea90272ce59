#include "server/remote/event_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using testing::ElementsAre;

constexpr std::string_view kStream =
    ": ping\n\nevent: token\ndata: {\"a\": 1}\r\n\r\ndata:{\"b\": 2}\n\n{\"c\": 3}\nid: 7\n"
    "error: {\"message\": \"full\"}\n\ndata: [DONE]";

std::vector<std::string> EventsOf(std::string_view stream, size_t piece) {
  EventLines lines;
  std::vector<std::string> events;
  const auto take = [&] {
    while (auto event = lines.Next()) events.push_back(*event);
  };
  for (size_t at = 0; at < stream.size(); at += piece) {
    EXPECT_TRUE(lines.Append(stream.substr(at, piece)));
    take();
  }
  lines.End();
  take();
  return events;
}

TEST(EventLines, AreTheSameInPiecesOfAnySize) {
  for (const size_t piece : {1, 2, 3, 7, 1000}) {
    EXPECT_THAT(EventsOf(kStream, piece), ElementsAre(R"({"a": 1})", R"({"b": 2})", R"({"c": 3})",
                                                      R"({"message": "full"})", "[DONE]"))
        << piece;
  }
}

TEST(EventLines, EndWhereALineNeverDoes) {
  EventLines lines;
  const std::string kilobyte(1024, 'x');
  size_t sent = 0;
  while (lines.Append(kilobyte)) {
    sent += kilobyte.size();
    ASSERT_LE(sent, EventLines::kMaxLineBytes);
    EXPECT_FALSE(lines.Next());
  }
}

TEST(EventLines, MayBeManyTogether) {
  EventLines lines;
  std::string many;
  while (many.size() < 2 * EventLines::kMaxLineBytes) many += "data: {}\n\n";
  EXPECT_TRUE(lines.Append(many));
  size_t events = 0;
  while (lines.Next()) ++events;
  EXPECT_EQ(events, many.size() / 10);
}

}  // namespace
}  // namespace tenon::server
