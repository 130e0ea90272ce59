// A text that is read with an array where it has one reading and with shared nodes where it has
// more is judged as by brute force.
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "constraint/reading/text_reader.h"
#include "tests/constraint/letter_language.h"

namespace tenon::constraint {
namespace {

// Grammars whose texts fork and join again, some of them more than once.
const char* const kForking[] = {
    "S -> A x | B y | S S\nA -> p A | p\nB -> p B | p",
    "S -> L x\nL -> L K | K\nK -> o D | o F\nD -> c\nF -> c | c c",
    "S -> i S | i S e S | x",
    "S -> a S a | a S b | a b | b",
    "S -> E\nE -> E p E | o E c | n",
    "S -> A | B | S z\nA -> o A c | x\nB -> o B c | x",
};

TEST(Reading, AgreesWithBruteForceWhereReadingsForkAndJoin) {
  size_t texts = 0, members = 0;
  for (const char* rules : kForking) {
    const LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << letters.refusal();
    for (const std::string& text : letters.AllTexts(letters.Longest() + 3)) {
      const bool member = letters.grammar().Member(letters.LexemesOf(text));
      TextReader reading(*letters.language(), text, Strength::kAccept);
      ASSERT_EQ(reading.Run() == TextReader::Stop::kAccepted, member) << rules << "\n" << text;
      ++texts;
      members += member;
    }
  }
  std::cout << texts << " texts, " << members << " members\n";
  EXPECT_GT(members, 150u);
}

TEST(Reading, PausesAndGoesOn) {
  const LetterLanguage letters("S -> T | S T\nT -> A x | B y\nA -> p A | p\nB -> p B | p");
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += std::string(static_cast<size_t>(i % 5 + 1), 'a') + (i % 2 ? "b" : "c");
  for (size_t limit = 0; limit <= text.size(); limit += 7) {
    TextReader reading(*letters.language(), text, Strength::kAccept);
    size_t seen = 0;
    const auto count = [&](size_t begin, const Lexer::Match& match) { seen += match.end - begin; };
    ASSERT_EQ(reading.Run(limit, count), TextReader::Stop::kPaused);
    EXPECT_EQ(seen, limit);
    EXPECT_EQ(reading.offset(), limit);
    EXPECT_FALSE(reading.Branches().empty());
    EXPECT_EQ(reading.Run(), TextReader::Stop::kAccepted);
  }
}

// Where all nodes are needed, room for others is made a few times, and not at each lexeme.
TEST(Reading, ForgetsNodesOfDeepTextsAFewTimes) {
  struct Case {
    const char* rules;
    std::string period, end;
    size_t bytes;
  };
  for (const Case& c : {
           // Two readings of each letter.
           Case{"S -> Q S | P S | Z\nQ -> X\nP -> X", "a", "b", 20000},
           // One reading from time to time.
           Case{"S -> A X X S | B X Y S | Z\nA -> P\nB -> P", "abb", "d", 300000},
       }) {
    const LetterLanguage letters(c.rules);
    ASSERT_TRUE(letters.language()) << letters.refusal();
    std::string text;
    while (text.size() < c.bytes) text += c.period;
    text += c.end;
    TextReader reading(*letters.language(), text, Strength::kAccept);
    EXPECT_EQ(reading.Run(), TextReader::Stop::kAccepted) << c.rules;
    EXPECT_LT(reading.mover().stacks().epoch(), 100u) << c.rules;
  }
}

}  // namespace
}  // namespace tenon::constraint
