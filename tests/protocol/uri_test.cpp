#include "protocol/uri.h"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

TEST(Uri, BaseNameIsTheLastSegmentDecoded) {
  EXPECT_EQ(BaseName("file:///home/a/b%20c.py"), "b c.py");
  EXPECT_EQ(BaseName("file:///x/%C3%A9.py?query#fragment"), "é.py");
  EXPECT_EQ(BaseName("untitled:Untitled-1"), "Untitled-1");
  EXPECT_EQ(BaseName("file:///C%3A/x/main.py"), "main.py");
  EXPECT_EQ(BaseName(""), "");
  EXPECT_EQ(BaseName("file:///x/"), "");
}

TEST(Uri, FilePathIsThatOfAFileOnThisMachine) {
  EXPECT_EQ(FilePath("file:///home/a/b%20c.py?x#y"), "/home/a/b c.py");
  EXPECT_EQ(FilePath("file://localhost/a.py"), "/a.py");
  EXPECT_EQ(FilePath("file://elsewhere/a.py"), std::nullopt);
  EXPECT_EQ(FilePath("untitled:Untitled-1"), std::nullopt);
  EXPECT_EQ(FilePath("vscode-remote://ssh/a.py"), std::nullopt);
}

TEST(Uri, BrokenPercentEncodingStaysAsItIs) {
  EXPECT_EQ(BaseName("file:///100%"), "100%");
  EXPECT_EQ(BaseName("file:///a%4"), "a%4");
  EXPECT_EQ(BaseName("file:///a%zz.py"), "a%zz.py");
}

}  // namespace
}  // namespace tenon::protocol
