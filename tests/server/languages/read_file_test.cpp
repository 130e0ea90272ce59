#include "server/languages/read_file.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

TEST(ReadFile, GivesTheBytesOrNamesTheFile) {
  TemporaryFolder folder;
  EXPECT_EQ(ReadFile(folder.Write("a", "x\r\n")), "x\r\n");
  const std::string large(200'001, 'x');  // several pieces
  EXPECT_EQ(ReadFile(folder.Write("b", large)), large);
  EXPECT_EQ(ReadFile(folder.Write("c", "")), "");
  for (const std::string& wrong : {folder.path().string() + "/absent", folder.path().string()})
    EXPECT_NE(ReadFile(wrong).error().find(wrong), std::string::npos) << ReadFile(wrong).error();
}

}  // namespace
}  // namespace tenon::server
