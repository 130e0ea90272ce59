// Middles that branch from the first one, against a model that is a table: the text so far gives
// the probabilities of the next characters.
#include "server/decode/candidates.h"

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/decode/tiny_engine.h"

namespace tenon::server {
namespace {

constexpr TokenId kEnd{0};
constexpr char kGrammar[] = "start: \"x=\" WORD /\\n/\nWORD: /[a-z]+/\n";

// Text so far -> tokens and their probabilities. After any other text the model ends.
using Table = std::map<std::string, std::vector<std::pair<std::string, double>>>;

class TableText : public DecodeText {
 public:
  TableText(const TinyEngine& engine, Table table)
      : engine_(engine), table_(std::move(table)), logits_(engine.tokenizer().size(), 0) {}

  std::span<const float> Next() {
    std::fill(logits_.begin(), logits_.end(), 0.0F);
    const auto row = table_.find(engine_.tokenizer().Decode(tokens_));
    if (row == table_.end()) {
      logits_[kEnd.value] = 30;
      return logits_;
    }
    for (const auto& [token, probability] : row->second)
      logits_[engine_.Token(token).value] = static_cast<float>(30 + std::log(probability));
    return logits_;
  }
  Logits Append(TokenId token) override { return Rewrite(tokens_.size(), {&token, 1}); }
  Logits Rewrite(size_t kept, std::span<const TokenId> tokens) override {
    ++decodes;
    time += std::chrono::milliseconds(10);
    tokens_.resize(kept);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    return Next();
  }

  int decodes = 0;
  std::chrono::steady_clock::time_point time;

 private:
  const TinyEngine& engine_;
  Table table_;
  std::vector<TokenId> tokens_;
  std::vector<float> logits_;
};

// Offers each middle that is wanted as it is, and counts.
class TestJudge : public CandidateJudge {
 public:
  using IsWanted = std::function<bool(const std::string& middle)>;
  explicit TestJudge(IsWanted is_wanted) : is_wanted_(std::move(is_wanted)) {}

  std::optional<VerifiedItem> Judge(const DecodeResult& result) override {
    ++judged[result.middle];
    if (is_wanted_ && !is_wanted_(result.middle)) return std::nullopt;
    CompletionItem item;
    item.text = result.middle;
    return Verified(std::move(item));
  }

  std::map<std::string, int> judged;  // middle -> times

 private:
  IsWanted is_wanted_;
};

class CandidatesTest : public testing::Test {
 protected:
  explicit CandidatesTest(const char* grammar = kGrammar, const model::TinyShape& shape = {})
      : engine_(grammar, shape) {}

  struct Wanted {
    size_t count = 1;
    TestJudge::IsWanted is_wanted = {};
    size_t already_offered = 0;
    std::string right_line = {};
  };
  Candidates Draw(const Table& table, const Wanted& wanted,
                  std::optional<std::chrono::milliseconds> time = {}, int max_tokens = 64) {
    TableText text(engine_, table);
    model::Sampler sampler(0, 0, TokensOf({1, 2}));
    FilterOptions options;
    options.masks = [this] { return std::optional(engine_.store()); };
    options.cursor.right_line = wanted.right_line;
    const GapFilter filter(
        engine_.tokenizer(), ends_,
        Budget(engine_.Open("x=", wanted.right_line + "\n"), static_cast<uint32_t>(max_tokens)),
        options);
    DecodeLimits limits;
    limits.max_tokens = max_tokens;
    limits.deadline = Deadline(time, [&text] { return text.time; });
    TestJudge judge(wanted.is_wanted);
    Candidates found = DecodeCandidates(filter, sampler, text.Next(), text, limits,
                                        {judge, wanted.count, wanted.already_offered}, {});
    decodes_ = text.decodes;
    judged_ = judge.judged;
    return found;
  }

  static std::vector<std::string> Middles(const Candidates& found) {
    std::vector<std::string> middles;
    for (const Candidate& candidate : found.wanted) {
      EXPECT_EQ(candidate.item.item().text, candidate.result.middle);
      middles.push_back(candidate.result.middle);
    }
    return middles;
  }

  const Table names_ = {{"", {{"m", .6}, {"k", .35}, {"7", .05}}},
                        {"m", {{"a", .7}, {"i", .3}}},
                        {"ma", {{"x", 1}}},
                        {"mi", {{"n", 1}}},
                        {"k", {{"o", 1}}}};
  TinyEngine engine_;
  std::vector<TokenId> ends_{kEnd};
  int decodes_ = 0;
  std::map<std::string, int> judged_;
};

using Names = std::vector<std::string>;

TEST_F(CandidatesTest, BranchFromTheFirstWhereItWasLeastSure) {
  const Candidates found = Draw(names_, {.count = 3});
  EXPECT_EQ(found.first.middle, "max");
  EXPECT_EQ(Middles(found), (Names{"max", "ko", "min"})) << "`7` is no word";
  EXPECT_EQ(found.wanted[2].result.ended, Ended::kStop);
}

TEST_F(CandidatesTest, KnowTheProbabilitiesOfTheirTokens) {
  const Candidates found = Draw(names_, {.count = 3});
  const std::vector<TokenNats>& nats = found.wanted[2].result.nats;
  ASSERT_EQ(nats.size(), 4U) << "m, i, n and the end";
  EXPECT_NEAR(nats[0].nats, -std::log(.6), 1e-3);
  EXPECT_NEAR(nats[1].nats, -std::log(.3), 1e-3);
  EXPECT_EQ(nats[1].end_bytes, 2U);
}

TEST_F(CandidatesTest, NeverChangeTheFirst) {
  const Candidates alone = Draw(names_, {.count = 1});
  EXPECT_EQ(Middles(alone), Names{"max"});
  EXPECT_EQ(decodes_, 3) << "and no token more is computed";
  const Candidates several = Draw(names_, {.count = 3});
  EXPECT_EQ(several.first.middle, alone.first.middle);
  EXPECT_EQ(several.first.tokens, alone.first.tokens);
  EXPECT_EQ(several.first.ended, alone.first.ended);
}

TEST_F(CandidatesTest, TakeThePlaceOfOneThatNobodyWants) {
  const auto is_wanted = [](const std::string& middle) { return middle != "max"; };
  EXPECT_EQ(Middles(Draw(names_, {1, is_wanted})), Names{"ko"});
  EXPECT_EQ(Middles(Draw(names_, {2, is_wanted})), (Names{"ko", "min"}));
  EXPECT_EQ(Middles(Draw(names_, {3, [](const std::string&) { return false; }})), Names{});
}

TEST_F(CandidatesTest, AreJudgedOnce) {
  EXPECT_EQ(Middles(Draw(names_, {.count = 3})).size(), 3U);
  EXPECT_EQ(judged_, (std::map<std::string, int>{{"ko", 1}, {"max", 1}, {"min", 1}}));
}

TEST_F(CandidatesTest, BesideThoseThatAreKnownAreThoseOfAll) {
  const auto is_new = [](const std::string& middle) { return middle != "max"; };
  EXPECT_EQ(Middles(Draw(names_, {.count = 2, .is_wanted = is_new, .already_offered = 1})),
            (Names{"ko", "min"}));
  const int beside = decodes_;
  Draw(names_, {.count = 3});
  EXPECT_EQ(beside, decodes_) << "the first was drawn once";
}

TEST_F(CandidatesTest, AreSeenToBeDistinct) {
  // `t` is a beginning of `the`, and leads there; `theq` begins with the first.
  const Table table = {{"", {{"the", .5}, {"t", .4}, {"q", .1}}},
                       {"t", {{"h", 1}}},
                       {"th", {{"e", 1}}},
                       {"the", {{"q", .001}}}};
  EXPECT_EQ(Middles(Draw(table, {.count = 3})).front(), "theq");
  const Candidates found =
      Draw({{"", {{"the", .5}, {"t", .4}, {"q", .1}}}, {"t", {{"h", 1}}}, {"th", {{"e", 1}}}},
           {.count = 3});
  ASSERT_GE(found.wanted.size(), 2U);
  EXPECT_EQ(found.wanted[0].result.middle, "the");
  EXPECT_EQ(found.wanted[1].result.middle, "q");
}

TEST_F(CandidatesTest, EndWithTheTime) {
  // Three decodes for the first, two for each branch.
  EXPECT_EQ(Middles(Draw(names_, {.count = 3}, std::chrono::milliseconds(200))).size(), 3U);
  EXPECT_EQ(Middles(Draw(names_, {.count = 3}, std::chrono::milliseconds(35))), Names{"max"})
      << "the branch that was begun is dropped";
  EXPECT_EQ(decodes_, 4);
}

TEST_F(CandidatesTest, AMiddleThatTheModelEndedComesBeforeOneThatWasCutShort) {
  Table endless = {{"", {{"m", .6}, {"k", .4}}}, {"k", {{"o", 1}}}};
  for (std::string text = "m"; text.size() < 10; text += "m") endless[text] = {{"m", 1}};
  const Candidates found = Draw(endless, {.count = 2}, {}, 8);
  EXPECT_EQ(found.first.middle, "mmmmmmmm");
  EXPECT_EQ(found.first.ended, Ended::kBudget);
  EXPECT_EQ(Middles(found), (Names{"ko", "mmmmmmmm"}));
}

// Lines up to a `q!`, of which the `!` stands right of the cursor, and a token `z⏎`.
class LinesTest : public CandidatesTest {
 protected:
  LinesTest()
      : CandidatesTest("start: \"x=\" (\"a\" | \"z\" /\\n/)* \"q\" \"!\" /\\n/\n",
                       {.pairs = {{"z", model::ByteAsText('\n')}}}) {}
};

TEST_F(LinesTest, ABranchThatEndsTheLineConverges) {
  const Table table = {{"", {{"q", .6}, {"z\n", .4}}},
                       {"z\n", {{"a", .9}, {"q", .1}}},
                       {"z\na", {{"a", 1}}},
                       {"z\naa", {{"q", 1}}}};
  EXPECT_EQ(Middles(Draw(table, {.count = 2, .right_line = "!"})), (Names{"q", "z\nq"}));
}

// Lists of lines, whose last element has no comma.
class ListsTest : public CandidatesTest {
 protected:
  ListsTest() : CandidatesTest("start: \"x=\" (\"m\" | (\"k\" \",\\n\")* \"q\") /\\n/\n") {}
};

TEST_F(ListsTest, ABranchHasNoTokenThatTheModelWouldNotDraw) {
  Table table = {{"", {{"m", .6}, {"k", .4}}}, {"k", {{",", 1}}}, {"k,", {{"\n", 1}}}};
  table["k,\n"] = {{"q", 1}};
  EXPECT_EQ(Middles(Draw(table, {.count = 2}, {}, 10)), (Names{"m", "k,\nq"}));
  for (std::string lines = "k,\n"; lines.size() < 20; lines += "k,\n") {
    table[lines] = {{"k", 1}};
    table[lines + "k"] = {{",", 1}};
    table[lines + "k,"] = {{"\n", 1}};
  }
  EXPECT_EQ(Middles(Draw(table, {.count = 2}, {}, 10)), Names{"m"}) << "`q` is a closing text";
  table[""] = {{"m", .4}, {"k", .6}};
  const Candidates found = Draw(table, {.count = 2}, {}, 10);
  EXPECT_EQ(found.first.ended, Ended::kWitness);
  EXPECT_EQ(Middles(found), Names{"m"}) << "nor the first one where there are others";
  EXPECT_EQ(Middles(Draw(table, {.count = 1}, {}, 10)).size(), 1u);
}

}  // namespace
}  // namespace tenon::server
