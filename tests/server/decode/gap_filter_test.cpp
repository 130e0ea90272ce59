// Drawing through a gap's filter is drawing from the masked distribution: chi-square tests with
// fixed seeds, each beside draws that are wrong on purpose and must fail the same test. And what
// the filter's masks hold.
#include "server/decode/gap_filter.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "model/sampling/sampling.h"
#include "server/decode/gap_text.h"
#include "server/decode/mask_stores.h"
#include "server/decode/token_cost.h"
#include "tests/model/tiny_model.h"
#include "tests/server/decode/written.h"
#include "tests/token_ids.h"

namespace tenon::server {
namespace {

constexpr int kDraws = 20000;
constexpr float kTemperature = 0.8f;

class GapFilterTest : public testing::Test {
 protected:
  GapFilterTest() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
    Use(*Language::Compile(kSums, "sums.lark"));
    // Uneven, and none so unlikely that its draws could not be counted.
    logits_.resize(tokenizer_->size());
    for (size_t t = 0; t < logits_.size(); ++t)
      logits_[t] = 1.5f * std::sin(2.1f * static_cast<float>(t));
  }

  void Use(Language language) {
    language_ = std::move(language);
    store_ = MaskStore::Build(*language_, VocabularyOf(*tokenizer_));
  }

  GapFilter Filter(std::string_view left, std::string_view right, uint32_t budget,
                   FilterOptions options = {}, bool masked = true) const {
    GapOptions open;
    open.count = CanonicalCount(*tokenizer_);
    if (masked) options.masks = [this] { return store_; };
    return {*tokenizer_, ends_, Budget(Gap::Open(*language_, left, right, std::move(open)), budget),
            std::move(options)};
  }

  std::vector<TokenId> Allowed(GapFilter& filter) const {
    std::vector<TokenId> allowed;
    for (const TokenId t : AllTokens(tokenizer_->size())) {
      if (filter.Check(t)) allowed.push_back(t);
    }
    return allowed;
  }

  // Chi-square of kDraws against the distribution of the allowed tokens. Infinite: one that is not
  // allowed was drawn.
  template <typename Draw>
  double ChiSquare(const std::vector<TokenId>& allowed, Draw draw) const {
    std::vector<double> weights(logits_.size()), counts(logits_.size());
    double total = 0;
    for (TokenId t : allowed) total += weights[t.value] = std::exp(logits_[t.value] / kTemperature);
    for (int i = 0; i < kDraws; ++i) ++counts[draw().value];
    double chi_square = 0;
    for (size_t t = 0; t < weights.size(); ++t) {
      const double expected = kDraws * weights[t] / total;
      if (weights[t] > 0) chi_square += (counts[t] - expected) * (counts[t] - expected) / expected;
      if (weights[t] == 0 && counts[t] > 0) return INFINITY;
    }
    return chi_square;
  }

  // For k degrees of freedom: passed by chance with a probability below one in a million (Wilson
  // and Hilferty's approximation).
  static double Limit(size_t tokens) {
    const double k = static_cast<double>(tokens) - 1, z = 4.9, term = 2 / (9 * k);
    return k * std::pow(1 - term + z * std::sqrt(term), 3);
  }

  struct Place {
    const char* left;
    const char* right;
    uint32_t budget;
    FilterOptions options;
  };

  // With masks and without.
  void ExpectMaskedDraws(const Place& place) const {
    for (const bool masked : {true, false}) {
      GapFilter filter = Filter(place.left, place.right, place.budget, place.options, masked);
      GapFilter another = Filter(place.left, place.right, place.budget, place.options);
      const std::vector<TokenId> allowed = Allowed(another);
      ASSERT_GT(allowed.size(), 2u) << place.left;
      ASSERT_LT(allowed.size(), logits_.size());
      model::Sampler sampler(kTemperature, 20261121);
      const double chi_square = ChiSquare(allowed, [&] { return *sampler.Draw(logits_, filter); });
      EXPECT_LT(chi_square, Limit(allowed.size()))
          << place.left << '|' << place.right << ", " << allowed.size();
      EXPECT_EQ(filter.masks() > 0, masked);
    }
  }

  // Within a budget a mask is an upper bound that the checks narrow; so is one of the tokens that
  // reproduce healed text.
  static std::vector<Place> Places() {
    return {{"ab + (th", ") + \"x\"", kUnlimitedTokens, {}},
            {"ab + ", ")", kUnlimitedTokens, {}},
            {"(ab + ", ")", 5, {}},
            {"ab + (th", "", kUnlimitedTokens, {.goal = Goal::kText}},
            {"ab + th", "+ ab", 9, {.cursor = {.healed = "th"}}},
            {"ab + (ab", ") + ab", 9, {.cursor = {.right_line = ") + ab"}}},
            {"ab + (", "b) + ab", 9, {.cursor = {.right_line = "b) + ab"}}}};
  }

  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
  std::vector<TokenId> ends_ = TokensOf({0});
  std::optional<Language> language_;
  std::optional<MaskStore> store_;
  std::vector<float> logits_;
};

TEST_F(GapFilterTest, DrawsFromTheMaskedDistribution) {
  for (const Place& place : Places()) ExpectMaskedDraws(place);
}

TEST_F(GapFilterTest, DrawsFromTheMaskedDistributionOfAnExpression) {
  Use(*Language::FromRegex("(ab|th)+[a-f]{2}(, [a-z]+)*"));
  ExpectMaskedDraws({"", "", kUnlimitedTokens, {.goal = Goal::kText}});
  ExpectMaskedDraws({"abcd, ", "", 4, {.goal = Goal::kText}});
  ExpectMaskedDraws({"ab", "d, q", kUnlimitedTokens, {}});
}

// The same test says no to draws that are nearly right.
TEST_F(GapFilterTest, TellsOtherDistributionsFromTheMaskedOne) {
  for (const Place& place : Places()) {
    GapFilter filter = Filter(place.left, place.right, place.budget, place.options);
    const std::vector<TokenId> allowed = Allowed(filter);
    const auto fits = [&](TokenId t) {
      return std::binary_search(allowed.begin(), allowed.end(), t);
    };
    model::Sampler sampler(kTemperature, 20261121), greedy(0, 1);
    // The share of what was refused goes to the likeliest, not to all.
    const TokenId likeliest = *greedy.Draw(logits_, filter);
    const auto unfair = [&] {
      const TokenId drawn = *sampler.Draw(logits_, [](TokenId) { return true; });
      return fits(drawn) ? drawn : likeliest;
    };
    EXPECT_GT(ChiSquare(allowed, unfair), Limit(allowed.size()))
        << place.left << '|' << place.right;
    // One token is missing from the mask.
    const auto missing = [&] {
      return *sampler.Draw(logits_, [&](TokenId t) { return t != likeliest && fits(t); });
    };
    EXPECT_GT(ChiSquare(allowed, missing), Limit(allowed.size()))
        << place.left << '|' << place.right;
    // A token that is not allowed is drawn.
    const auto stray = [&] {
      return *sampler.Draw(logits_, [&](TokenId t) { return t == TokenId{1} || fits(t); });
    };
    EXPECT_EQ(ChiSquare(allowed, stray), INFINITY) << place.left << '|' << place.right;
  }
}

// Every token that is allowed is in the mask; without a budget and healed text nothing else but
// what the filter is asked about anyway.
TEST_F(GapFilterTest, HasMasksThatHoldAllThatIsAllowed) {
  std::mt19937 random(20261121);
  size_t narrowed = 0;
  for (int round = 0; round < 60; ++round) {
    for (const Place& place : Places()) {
      GapFilter filter = Filter(place.left, place.right, place.budget, place.options);
      for (int step = 0; step < 6; ++step) {
        const model::TokenBits bits = filter.Mask();
        const std::vector<uint64_t> mask(bits.begin(), bits.end());
        std::vector<TokenId> now;
        for (const TokenId t : AllTokens(tokenizer_->size())) {
          // Asked first: behind a word what is refused before tells whether the word goes on.
          const bool fits = GapFilter(filter).Check(t);
          if (fits) now.push_back(t);
          ASSERT_TRUE(!fits || model::Holds(mask, t)) << place.left << filter.gap().middle() << '|'
                                                      << place.right << ": " << tokenizer_->Name(t);
          if (fits || !model::Holds(mask, t)) continue;
          ++narrowed;
          const bool upper =
              place.budget != kUnlimitedTokens || !place.options.cursor.healed.empty();
          EXPECT_TRUE(upper || filter.IsEnd(t))
              << place.left << '|' << place.right << ": " << tokenizer_->Name(t);
        }
        now.erase(
            std::remove_if(now.begin(), now.end(), [&](TokenId t) { return filter.IsEnd(t); }),
            now.end());
        if (now.empty() || !filter.Accept(now[random() % now.size()])) break;
      }
    }
  }
  EXPECT_GT(narrowed, 100u);
}

TEST_F(GapFilterTest, GoesOnWithoutAStore) {
  GapFilter filter =
      Filter("ab + ", "", kUnlimitedTokens, {.masks = [] { return std::nullopt; }}, false);
  EXPECT_TRUE(filter.Mask().empty());
  EXPECT_EQ(filter.masks(), 0);
  EXPECT_TRUE(filter.Check(tokenizer_->Encode("a", false)[0]));
}

TEST_F(GapFilterTest, MasksOfAnExpressionHoldWhatChecksAllow) {
  Use(*Language::FromRegex("(ab|th)+[a-f]{2}(, [a-z]+)*"));
  GapFilter filter = Filter("", "", kUnlimitedTokens, {.goal = Goal::kText});
  std::mt19937 random(1);
  for (int step = 0; step < 12; ++step) {
    const std::vector<TokenId> allowed = Allowed(filter);
    const model::TokenBits mask = filter.Mask();
    for (const TokenId t : AllTokens(tokenizer_->size())) {
      if (filter.IsEnd(t)) continue;
      ASSERT_EQ(model::Holds(mask, t), std::binary_search(allowed.begin(), allowed.end(), t))
          << tokenizer_->Bytes(t);
    }
    const TokenId next = allowed[random() % allowed.size()];
    if (filter.IsEnd(next)) break;
    ASSERT_TRUE(filter.Accept(next));
  }
}

// Tokens that a right context's bracket cuts: `")` and `)+`.
class JudgementTest : public GapFilterTest {
 protected:
  using Verdict = Judgement::Verdict;

  JudgementTest() {
    model::GgufWriter writer;
    model::TinyShape shape;
    shape.pairs = {{"\"", ")"}, {")", "+"}};
    model::AddTinyTokenizer(writer, shape);
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
    store_ = MaskStore::Build(*language_, VocabularyOf(*tokenizer_));
  }

  TokenId Token(std::string_view bytes) const {
    for (const TokenId t : AllTokens(tokenizer_->size())) {
      if (tokenizer_->Bytes(t) == bytes) return t;
    }
    ADD_FAILURE() << "no token writes " << bytes;
    return {};
  }

  // The filter in `(|) + ab` after the middle has been written token by token.
  GapFilter After(std::vector<std::string_view> middle) const {
    GapFilter filter = Filter("(", ") + ab", 20, {.cursor = {.right_line = ") + ab"}});
    for (std::string_view bytes : middle)
      EXPECT_EQ(filter.Judge(Token(bytes)).verdict, Verdict::kAccepted) << bytes;
    return filter;
  }
};

TEST_F(JudgementTest, AcceptsATokenThatKeepsTheGapViableAndAppendsIt) {
  GapFilter filter = After({"a"});
  EXPECT_EQ(filter.gap().middle(), "a");
  EXPECT_EQ(filter.text().written().budget().drawn(), 1u);
}

TEST_F(JudgementTest, RefusesATokenThatTheGapHasNoPlaceFor) {
  GapFilter filter = After({});
  EXPECT_EQ(filter.Judge(Token("+")).verdict, Verdict::kRefused);
  EXPECT_EQ(filter.Judge(ends_[0]).verdict, Verdict::kRefused);  // the middle is blank
  EXPECT_EQ(filter.gap().middle(), "");
}

TEST_F(JudgementTest, EndsTheMiddleBeforeAnEndTokenAndBeforeWhatStandsRightOfIt) {
  for (const TokenId token : {ends_[0], Token(")")}) {
    GapFilter filter = After({"a"});
    EXPECT_EQ(filter.Judge(token).verdict, Verdict::kEndsBefore);
    EXPECT_EQ(filter.gap().middle(), "a");
  }
}

TEST_F(JudgementTest, EndsTheMiddleInsideATokenThatGoesOnWithTheRightContext) {
  GapFilter filter = After({"\"", "a"});
  const Judgement judged = filter.Judge(Token("\")"));
  EXPECT_EQ(judged.verdict, Verdict::kEndsInside);
  ASSERT_TRUE(judged.head);
  EXPECT_EQ(judged.head->middle(), "\"a\"");
  EXPECT_EQ(filter.gap().middle(), "\"a");
}

// What the check before it found out changes no judgement.
TEST_F(JudgementTest, IsTheSameWithACheckBeforeIt) {
  for (const std::vector<std::string_view>& middle :
       std::vector<std::vector<std::string_view>>{{}, {"a"}, {"\"", "a"}, {"(", "a"}, {"a", "+"}}) {
    for (const TokenId t : AllTokens(tokenizer_->size())) {
      GapFilter checked = After(middle), other = After(middle), unchecked = After(middle);
      const bool allowed = checked.Check(t);
      other.Check(Token("a"));
      const Judgement judged = checked.Judge(t), fresh = unchecked.Judge(t);
      EXPECT_EQ(judged.verdict != Verdict::kRefused, allowed) << tokenizer_->Name(t);
      EXPECT_EQ(judged.verdict, fresh.verdict) << tokenizer_->Name(t);
      EXPECT_EQ(judged.verdict, other.Judge(t).verdict) << tokenizer_->Name(t);
      EXPECT_EQ(checked.gap().middle(), unchecked.gap().middle()) << tokenizer_->Name(t);
    }
  }
}

}  // namespace
}  // namespace tenon::server
