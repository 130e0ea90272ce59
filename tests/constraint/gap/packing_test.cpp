// Packed stacks against the brute-force oracles: whatever is packed, viable, member, masks,
// closings and quotients stay what they are.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/shared_gap.h"
#include "constraint/mask/mask.h"
#include "constraint/quotient/quotient.h"
#include "constraint/reading/text_reader.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/letter_language.h"
#include "tests/constraint/mask_questions.h"
#include "tests/constraint/middle_words.h"

namespace tenon::constraint {
namespace {

using oracle::Lexemes;

constexpr unsigned kSeed = 20261122;

size_t Packed(const GapState& state) {
  const StackArena& stacks = state.shared()->mover().stacks();
  return static_cast<size_t>(
      std::count_if(state.branches().begin(), state.branches().end(),
                    [&](const Branch& branch) { return stacks.node(branch.top).over_packed; }));
}

void ExpectAgreementOnShortTexts(const LetterLanguage& letters, size_t longest, size_t& asked) {
  const std::vector<std::string> texts = letters.AllTexts(longest);
  for (const std::string& right : texts) {
    const GapQuestions questions(letters.language(), right, 0);
    const Lexemes after = letters.LexemesOf(right);
    for (const std::string& left : texts) {
      Lexemes whole = letters.LexemesOf(left);
      ++asked;
      ASSERT_EQ(questions.Viable(left), letters.grammar().Viable(whole, after))
          << letters.grammar().text() << "\n"
          << Shown(left) << " | " << Shown(right);
      whole.insert(whole.end(), after.begin(), after.end());
      ASSERT_EQ(questions.Member(left), letters.grammar().Member(whole))
          << letters.grammar().text() << "\n"
          << Shown(left) << " | " << Shown(right);
    }
  }
}

TEST(Packing, AgreesWithTheOracleOnAllShortContexts) {
  size_t asked = 0;
  for (const std::vector<std::string>* grammars : {&kVeryAmbiguous, &kHandMadeGrammars}) {
    for (const std::string& rules : *grammars) {
      LetterLanguage letters(rules);
      ASSERT_TRUE(letters.language()) << rules << "\n" << letters.refusal();
      ExpectAgreementOnShortTexts(letters, letters.Longest() - (grammars == &kHandMadeGrammars),
                                  asked);
    }
  }
  size_t used = 0;
  for (unsigned i = 0; i < 40; ++i) {
    std::mt19937 random(kSeed + i);
    LetterLanguage letters(oracle::RandomGrammar(random, {"T1", "T2"}));
    if (!letters.language()) continue;
    ++used;
    ExpectAgreementOnShortTexts(letters, 4, asked);
  }
  EXPECT_GE(used, 30u);
  EXPECT_GT(asked, 50000u);
}

// Long texts, where more branches than stay apart are alive: letter by letter, each checked before
// one is taken.
TEST(Packing, AgreesWithTheOracleOnRandomWalks) {
  size_t packed = 0, viable = 0, refused = 0, members = 0;
  for (const std::string& rules : kVeryAmbiguous) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << rules;
    std::vector<std::string> alphabet = letters.AllTexts(1);
    alphabet.erase(alphabet.begin());  // the empty text
    std::mt19937 random(kSeed);
    for (int walk = 0; walk < 40; ++walk) {
      const std::vector<std::string> rights = letters.AllTexts(letters.Longest());
      const std::string right = walk % 3 == 0 ? "" : rights[random() % rights.size()];
      const Lexemes after = letters.LexemesOf(right);
      GapPolicy policy{.emit = false};
      if (walk % 2 == 0) policy.pack_above = walk % 4;
      GapState state = OpenGap(letters.language(), "", right, policy);
      for (int step = 0; step < 16 && state.viable(); ++step) {
        packed += Packed(state);
        std::vector<std::string> allowed;
        for (const std::string& letter : alphabet) {
          const bool may =
              letters.grammar().Viable(letters.LexemesOf(state.middle() + letter), after);
          ASSERT_EQ(state.Check(letter), may) << rules << "\n"
                                              << state.middle() << letter << " | " << right;
          (may ? viable : refused) += 1;
          if (may) allowed.push_back(letter);
        }
        const bool member = letters.grammar().Member(letters.LexemesOf(state.middle() + right));
        ASSERT_EQ(state.Member(), member) << rules << "\n" << state.middle() << " | " << right;
        members += member;
        if (const auto closing = FindClosing(state)) {
          ASSERT_TRUE(
              letters.grammar().Member(letters.LexemesOf(state.middle() + closing->text + right)));
        } else {
          ADD_FAILURE() << "not closed: " << rules << "\n" << state.middle() << " | " << right;
        }
        if (allowed.empty()) break;
        ASSERT_TRUE(state.Accept(allowed[random() % allowed.size()]));
      }
    }
  }
  std::cout << packed << " packed branches met, " << viable << " letters viable, " << refused
            << " refused, " << members << " members\n";
  EXPECT_GT(packed, 500u);
  EXPECT_GT(viable, 3000u);
  EXPECT_GT(refused, 300u);
  EXPECT_GT(members, 300u);
}

TEST(Packing, MasksEqualTryingEveryToken) {
  std::mt19937 random(kSeed);
  MaskTally tally;
  for (const std::string& rules : {kVeryAmbiguous[0], kHandMadeGrammars[7]}) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << rules;
    std::string alphabet;
    for (const std::string& letter : letters.AllTexts(1)) alphabet += letter;
    const auto store = MaskStore::Build(letters.language(),
                                        std::make_shared<const TokenVocabulary>(SmallVocabulary(
                                            alphabet, alphabet.size() > 3 ? 3 : 4, 60, random)));
    const std::vector<std::string> texts = letters.AllTexts(letters.Longest());
    for (int i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(rules);
      const std::string right = i % 3 == 0 ? "" : texts[random() % texts.size()];
      FollowMasks(store, letters.language(), texts[random() % texts.size()], right, 6, random,
                  tally, Scope::kFree, i % 2 == 0 ? std::optional<size_t>(0) : std::nullopt);
    }
  }
  std::cout << "[ compared ] " << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
  EXPECT_GT(tally.masks, 80u);
  EXPECT_GT(tally.allowed, 300u);
}

TEST(Packing, ReadingATextOnceDecidesAsTheOracle) {
  size_t valid = 0, invalid = 0;
  for (const std::string& rules : kVeryAmbiguous) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << rules;
    for (const std::string& text : letters.AllTexts(letters.Longest() + 3)) {
      TextReader reading(*letters.language(), text, Strength::kAccept);
      reading.mover().PackAbove(0);
      const bool member = letters.grammar().Member(letters.LexemesOf(text));
      ASSERT_EQ(reading.Run() == TextReader::Stop::kAccepted, member) << rules << "\n" << text;
      (member ? valid : invalid) += 1;
    }
  }
  EXPECT_GT(valid, 500u);
  EXPECT_GT(invalid, 500u);
}

// Behind so long a left context its stacks are packed: the explicit grammar of the middle knows
// what they stand for.
TEST(Packing, TheQuotientGrammarFollowsEachAlternative) {
  LetterLanguage letters(kVeryAmbiguous[0]);
  ASSERT_TRUE(letters.language());
  std::string left, right;
  const auto& names = letters.grammar().terminals();
  const auto letter = [&](const char* name) {
    return std::string(1, static_cast<char>('a' + std::distance(names.begin(), names.find(name))));
  };
  for (int level = 0; level < 5; ++level) {
    left += letter("L") + letter("X") + letter("PLUS") + letter("X") + letter("X");
    right += letter("X") + letter("R");
  }
  ASSERT_GT(Packed(OpenExact(letters.language(), left, right)), 0u);
  size_t members = 0, others = 0;
  for (const std::string& end : {right, right.substr(2)}) {
    const auto grammar = QuotientGrammar(letters.language(), left, end, false);
    ASSERT_TRUE(grammar) << grammar.error();
    const PrintedWords printed(*grammar);
    ASSERT_EQ(printed.error(), "") << printed.printed();
    for (const std::string& middle : letters.AllTexts(4)) {
      const bool member = letters.grammar().Member(letters.LexemesOf(left + middle + end));
      ASSERT_EQ(printed.Contains(letters.LexemesOf(middle)), member) << middle;
      (member ? members : others) += 1;
    }
  }
  EXPECT_GT(members, 20u);
  EXPECT_GT(others, 20u);
}

}  // namespace
}  // namespace tenon::constraint
