#include "server/region/open_tags.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// What closes the open parts of a text, innermost first.
std::string ClosersOf(std::string_view text) {
  std::string closers;
  for (const OpenPart& part : OpenPartsOf(text)) closers.insert(0, part.closer);
  return closers;
}

TEST(OpenParts, AreBracketsTagsAndElements) {
  EXPECT_EQ(ClosersOf("return (<ul a={b}>{c.map(d => (<li"), "/>))}</ul>)");
  EXPECT_EQ(ClosersOf("<a b=\"<c>\" d={e => f}/>"), "");
  EXPECT_EQ(ClosersOf("<a.b>don't (</a.b>"), "");
  EXPECT_EQ(ClosersOf("<>\n  <a-b>\n"), "</a-b></>");
  EXPECT_EQ(ClosersOf("<Tür a>"), "</Tür>");
  EXPECT_EQ(ClosersOf("f(\")\", g[1"), "])");
  EXPECT_EQ(ClosersOf(R"(a = "\"<b";)"), "") << "an escape in a string";
  EXPECT_EQ(ClosersOf(R"(<a b="\">)"), "</a>") << "none in an attribute";
}

TEST(OpenParts, AreNoComparisonsAndNoTypes) {
  EXPECT_EQ(ClosersOf("a < b && c<d && e() <f"), "/>") << "nobody knows";
  EXPECT_EQ(ClosersOf("new Map<string, T<U>>("), ")");
}

TEST(OpenParts, TellWhichElementsATextCloses) {
  const std::string left = "a = <a>\n  <b>\n";
  EXPECT_TRUE(ClosesElementBefore(left, "</b></a>", 7));
  EXPECT_FALSE(ClosesElementBefore(left, "</b>", 7));
  EXPECT_FALSE(ClosesElementBefore(left, "<c></c>", left.size()));
}

}  // namespace
}  // namespace tenon::server
