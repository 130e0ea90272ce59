#include "server/eval/closed_ahead.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// What stands right of the cursor after each key, parted by bars.
std::string Closers(const std::string& text) {
  const ClosedAhead closed(text, 0, text.size());
  std::string all = closed.After(0);
  for (size_t typed = 1; typed <= text.size(); ++typed) all += "|" + closed.After(typed);
  return all;
}

TEST(ClosedAhead, IsWhatWillBeTypedOver) {
  EXPECT_EQ(Closers("f(a)"), "||)|)|");
  EXPECT_EQ(Closers("[f()]"), "|]|]|)]|]|");
  EXPECT_EQ(Closers("f(\"(\")"), "||)|\")|\")|)|");
  EXPECT_EQ(Closers("'\\''"), "|'|'|'|");
}

TEST(ClosedAhead, ComesIntoALineOfItsOwnWithEnter) {
  EXPECT_EQ(Closers("{\na\n}"), "|}|\n}|\n}|\n}|");
  const std::string text = "  if {\n    b\n  }\n";
  EXPECT_EQ(ClosedAhead(text, 2, text.size()).After(6), "\n  }");
  EXPECT_EQ(Closers("(a\n)"), "|)|)|)|") << "something follows on the line";
  EXPECT_EQ(Closers("{\r\n}"), "|}|\r\n}|\r\n}|");
}

TEST(ClosedAhead, IsNotWhatIsClosedElsewhereOrNoPair) {
  EXPECT_EQ(Closers("f(a"), "|||");
  EXPECT_EQ(Closers("a)"), "||");
  EXPECT_EQ(Closers("don't (')"), "|||||||)|)|");
  EXPECT_EQ(Closers("\"\"\"a\"\"\""), "|||||||");
}

}  // namespace
}  // namespace tenon::server
