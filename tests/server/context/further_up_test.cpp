#include "server/context/further_up.h"

#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/context/filler_lines.h"

namespace tenon::server {
namespace {

const std::string kCheck = "assert len(graph) == 5, \"Should be a complete graph\"\n";
const std::string kHidden = FillerLines("above", 60) + kCheck + FillerLines("below", 60);
constexpr std::string_view kLeft =
    "graph = complete_graph(5)\nassert len(graph) == 5, \"Should be ";
constexpr std::string_view kRight = "\n";

CompletionRequest Request() {
  CompletionRequest request;
  request.document = "file:///graph_test.py";
  request.name = "graph_test.py";
  return request;
}

TEST(FurtherUp, IsTheStretchThatIsMostLikeTheCursorsLines) {
  const std::string found = FurtherUp().For(Request(), kHidden, kLeft, kRight, {});
  EXPECT_NE(found.find(kCheck), std::string::npos) << found;
  EXPECT_LE(found.size(), FurtherUp::kMaxBytes);
  EXPECT_NE(kHidden.find(found), std::string::npos) << "lines of the text as they are";
}

TEST(FurtherUp, IsEmptyWhereNothingIsLikeIt) {
  EXPECT_EQ(FurtherUp().For(Request(), FillerLines("above", 120), kLeft, kRight, {}), "");
  EXPECT_EQ(FurtherUp().For(Request(), "", kLeft, kRight, {}), "");
}

TEST(FurtherUp, StaysTheSameAtOnePlace) {
  FurtherUp further_up;
  const std::string found = further_up.For(Request(), kHidden, kLeft, kRight, {});
  EXPECT_EQ(further_up.For(Request(), kHidden, "another line", kRight, {}), found);
  EXPECT_EQ(further_up.For(Request(), kHidden, "another line", "\nanother place\n", {}), "");
}

TEST(FurtherUp, IsChosenAnewAsAFileGrows) {
  FurtherUp further_up;
  CompletionRequest request = Request();
  EXPECT_EQ(further_up.For(request, "", kLeft, "", {}), "");
  request.offset_bytes = 100;
  EXPECT_NE(further_up.For(request, kHidden, kLeft, "", {}), "");
  request.offset_bytes = 2000;
  EXPECT_EQ(further_up.For(request, kHidden, "another line", "", {}), "");
}

TEST(FurtherUp, IsChosenAgainAfterASearchThatWasStopped) {
  std::stop_source stopped;
  stopped.request_stop();
  FurtherUp further_up;
  EXPECT_EQ(further_up.For(Request(), kHidden, kLeft, kRight, stopped.get_token()), "");
  EXPECT_NE(further_up.For(Request(), kHidden, kLeft, kRight, {}), "");
}

}  // namespace
}  // namespace tenon::server
