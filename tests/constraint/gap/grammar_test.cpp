// Viability at the level of terminals: one letter a lexeme, every W is possible, so the oracle's
// answer is exact.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/letter_language.h"
#include "tests/constraint/sampled.h"
#include "tests/oracle/toy_grammar.h"

namespace tenon::constraint {
namespace {

using oracle::Lexemes;

struct Tally {
  size_t pairs = 0, viable = 0, wrong_viable = 0, wrong_member = 0;
};

void Compare(const LetterLanguage& letters, Tally& tally, std::vector<std::string>& wrong) {
  std::vector<std::string> texts = letters.AllTexts(letters.Longest());
  for (const std::string& right : texts) {
    GapQuestions questions(letters.language(), right);
    Lexemes after = letters.LexemesOf(right);
    for (const std::string& left : texts) {
      ++tally.pairs;
      Lexemes before = letters.LexemesOf(left);
      bool viable = letters.grammar().Viable(before, after);
      tally.viable += viable;
      if (questions.Viable(left) != viable) {
        ++tally.wrong_viable;
        wrong.push_back((viable ? "missed viable " : "wrongly viable ") + Shown(left) + " | " +
                        Shown(right));
      }
      before.insert(before.end(), after.begin(), after.end());
      if (questions.Member(left) != letters.grammar().Member(before)) {
        ++tally.wrong_member;
        wrong.push_back("member wrong " + Shown(left) + " | " + Shown(right));
      }
    }
  }
}

void ExpectAgreement(const LetterLanguage& letters, Tally& tally) {
  std::vector<std::string> wrong;
  Compare(letters, tally, wrong);
  if (!wrong.empty())
    ADD_FAILURE() << letters.grammar().text() << "\n"
                  << wrong.size() << " disagreements, the first: " << wrong[0];
}

TEST(GapGrammar, HandMadeGrammarsAgreeWithTheOracleOnAllShortContexts) {
  Tally tally;
  for (const std::string& rules : kHandMadeGrammars) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << rules << "\n" << letters.refusal();
    ExpectAgreement(letters, tally);
  }
  EXPECT_GT(tally.viable, 4000u);
  EXPECT_GT(tally.pairs, 2 * tally.viable);
  std::cout << tally.pairs << " pairs, " << tally.viable << " viable\n";
}

constexpr unsigned kSeed = 20240611;
constexpr size_t kRandomGrammars = 100;

TEST(GapGrammar, RandomGrammarsAgreeWithTheOracleOnAllShortContexts) {
  Tally tally;
  size_t used = 0;
  for (unsigned i = 0; i < kRandomGrammars; i += kEvery) {
    std::mt19937 random(kSeed + i);
    std::vector<std::string> terminals{"T1", "T2", "T3"};
    terminals.resize(2 + random() % 2);
    LetterLanguage letters(oracle::RandomGrammar(random, terminals));
    if (!letters.language()) continue;
    ++used;
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    ExpectAgreement(letters, tally);
  }
  EXPECT_GE(used, 90u / kEvery);
  EXPECT_GT(tally.viable, 10000u / kEvery / 2);
  std::cout << used << " grammars, " << tally.pairs << " pairs, " << tally.viable << " viable\n";
}

// One byte more by Check or Accept is the same question as a gap opened behind it.
TEST(GapGrammar, CheckAndAcceptAgreeWithGapsOpenedBehindTheByte) {
  std::mt19937 random(kSeed);
  size_t refused = 0, accepted = 0;
  for (const std::string& rules : kHandMadeGrammars) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language());
    std::vector<std::string> texts = letters.AllTexts(3);
    for (int round = 0; round < 100; ++round) {
      std::string right = texts[random() % texts.size()];
      std::string left = texts[random() % texts.size()];
      GapState state = OpenExact(letters.language(), left, right);
      for (int step = 0; step < 6 && state.viable(); ++step) {
        std::string byte = letters.AllTexts(1)[1 + random() % (letters.AllTexts(1).size() - 1)];
        GapState before = state;
        GapState fresh = OpenExact(letters.language(), left + state.middle() + byte, right);
        ASSERT_EQ(state.Check(byte), fresh.viable())
            << rules << "\n"
            << Shown(left + state.middle() + byte) << " | " << Shown(right);
        ASSERT_EQ(state.Accept(byte), fresh.viable());
        if (fresh.viable()) {
          ++accepted;
          ASSERT_EQ(state.Member(), fresh.Member());
        } else {
          ++refused;
          ASSERT_EQ(state.middle(), before.middle());
          ASSERT_EQ(state.Member(), before.Member());
        }
        // The copy kept the state of before.
        ASSERT_EQ(before.Check(byte), fresh.viable());
      }
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(accepted, 100u);
}

TEST(GapGrammar, ClosingTextsCloseEveryViableGap) {
  ClosingTally tally;
  for (const std::string& rules : kHandMadeGrammars) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language());
    std::vector<std::string> texts = letters.AllTexts(3);
    std::mt19937 random(kSeed);
    for (int round = 0; round < 300; ++round) {
      std::string left = texts[random() % texts.size()], right = texts[random() % texts.size()];
      GapState state = OpenGap(letters.language(), left, right, GapPolicy{.emit = true});
      if (!state.viable()) {
        ASSERT_FALSE(FindClosing(state));
        continue;
      }
      ++tally.viable;
      auto closing = FindClosing(state);
      if (!closing) continue;
      ++tally.closed;
      ASSERT_TRUE(letters.grammar().Member(letters.LexemesOf(left + closing->text + right)))
          << rules << "\n"
          << Shown(left) << " + " << Shown(closing->text) << " + " << Shown(right);
    }
  }
  std::cout << tally.viable << " viable gaps, closed " << tally.share() << "\n";
  EXPECT_GT(tally.viable, 400u);
  EXPECT_GE(tally.share(), 1.0);
}

}  // namespace
}  // namespace tenon::constraint
