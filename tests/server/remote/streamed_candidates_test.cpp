// Several middles of scripted streams.
#include "server/remote/streamed_candidates.h"

#include <set>

#include <gmock/gmock.h>

#include "tests/server/remote/scripted_source.h"

namespace tenon::server {
namespace {

using testing::ElementsAre;

// Takes all middles but those that are named.
class TestJudge final : public CandidateJudge {
 public:
  explicit TestJudge(std::set<std::string> unwanted = {}) : unwanted_(std::move(unwanted)) {}
  std::optional<VerifiedItem> Judge(const DecodeResult& result) override {
    judged.push_back(result.middle);
    if (unwanted_.contains(result.middle)) return std::nullopt;
    return Verified({result.middle});
  }
  std::vector<std::string> judged;

 private:
  std::set<std::string> unwanted_;
};

class StreamedCandidatesTest : public SumsTest {
 protected:
  // Of the gap `f(a, |)`.
  Candidates Decode(ScriptedSource& source, TestJudge& judge, size_t count, bool branches = true) {
    auto found = DecodeStreamedCandidates(Open("f(a, ", ")"), source, limits_, {judge, count},
                                          branches, std::stop_token());
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    return *std::move(found);
  }
  static std::vector<std::string> Texts(const Candidates& found) {
    std::vector<std::string> texts;
    for (const Candidate& candidate : found.wanted) texts.push_back(candidate.item.item().text);
    return texts;
  }
};

TEST_F(StreamedCandidatesTest, BranchWhereTheServerHasShownAnotherToken) {
  // Both tokens of the first middle show others; the earlier ones are likelier.
  ScriptedSource source({{Piece("b", {"c", "be"}), Piece(" + d", {" + e"}), End()},
                         {Piece(" + x"), End()},
                         {Piece("(y)"), End()}});
  TestJudge judge;
  const Candidates found = Decode(source, judge, 3);
  EXPECT_THAT(source.asked, ElementsAre("", "c", "be"));
  EXPECT_THAT(Texts(found), ElementsAre("b + d", "c + x", "be(y)"));
  EXPECT_EQ(found.first.middle, "b + d");
  EXPECT_EQ(found.first.statistics.requests, 3);
  EXPECT_EQ(found.first.statistics.wasted, 0);
}

TEST_F(StreamedCandidatesTest, AskOnceWhereOneIsWanted) {
  ScriptedSource source({{Piece("b", {"c"}), End()}, {Piece("never asked for")}});
  TestJudge judge;
  EXPECT_THAT(Texts(Decode(source, judge, 1)), ElementsAre("b"));
  ScriptedSource hurried({{Piece("b", {"c"}), End()}, {Piece("never asked for")}});
  TestJudge refusing({"b"});
  EXPECT_TRUE(Texts(Decode(hurried, refusing, 1, false)).empty());
  EXPECT_THAT(source.asked, ElementsAre(""));
  EXPECT_THAT(hurried.asked, ElementsAre(""));
}

TEST_F(StreamedCandidatesTest, TakeThePlaceOfAnUnwantedOne) {
  ScriptedSource source({{Piece("b", {"c"}), End()}, {Piece("d"), End()}});
  TestJudge judge({"b"});
  EXPECT_THAT(Texts(Decode(source, judge, 1)), ElementsAre("cd"));
}

TEST_F(StreamedCandidatesTest, AreDistinctAndFit) {
  // `]` fits nowhere, and costs no request; `b ` begins as the first middle, and `c + d` as the
  // second one.
  ScriptedSource source({{Piece("b", {"]", "b ", "c", "c + d"}), End()},
                         {Piece(" + d"), End()},
                         {Piece("(e)"), End()}});
  TestJudge judge;
  const Candidates found = Decode(source, judge, 3);
  EXPECT_THAT(source.asked, ElementsAre("", "c"));
  EXPECT_THAT(Texts(found), ElementsAre("b", "c + d"));
}

TEST_F(StreamedCandidatesTest, HaveNoTokenThatTheServerWouldNotWrite) {
  TextPiece unlikely = Piece("x");
  unlikely.text.nats = 12;
  ScriptedSource source({{Piece("b", {"c", "d"}), End()}, {unlikely, End()}, {Piece("y"), End()}});
  TestJudge judge;
  EXPECT_THAT(Texts(Decode(source, judge, 2)), ElementsAre("b", "dy"));
  EXPECT_THAT(source.asked, ElementsAre("", "c", "d"));
}

TEST_F(StreamedCandidatesTest, EndWhereTheServerFails) {
  ScriptedSource source({{Piece("b", {"c", "d"}), End()}, {Piece("x"), End()}});
  TestJudge judge;
  EXPECT_THAT(Texts(Decode(source, judge, 3)), ElementsAre("b", "cx"));
  ScriptedSource failing({});
  EXPECT_FALSE(DecodeStreamedCandidates(Open("f(a, ", ")"), failing, limits_, {judge, 3}, true,
                                        std::stop_token()));
}

TEST_F(StreamedCandidatesTest, TryTwoBranchesForEachThatIsWanted) {
  std::vector<Script> scripts = {{Piece("b", {"c", "d", "e", "g"}), End()}};
  for (int branch = 0; branch < 4; ++branch) scripts.push_back({Piece("x"), End()});
  ScriptedSource source(std::move(scripts));
  TestJudge judge({"b", "cx", "dx", "ex", "gx"});
  const Candidates found = Decode(source, judge, 1);
  EXPECT_TRUE(found.wanted.empty());
  EXPECT_EQ(source.asked.size(), 1 + kBranchesACandidate);
  EXPECT_EQ(found.first.statistics.wasted, 2);
}

}  // namespace
}  // namespace tenon::server
