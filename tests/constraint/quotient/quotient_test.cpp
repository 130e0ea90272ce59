// The printed grammar of a middle, read again, against membership: every short middle of small
// languages.
#include "constraint/quotient/quotient.h"
#include "constraint/language/language.h"

#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/constraint/byte_language.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/letter_language.h"
#include "tests/constraint/middle_words.h"
#include "tests/oracle/seed.h"

namespace tenon::constraint {
namespace {

using oracle::Lexemes;

MiddleGrammar Quotient(const std::shared_ptr<const Language>& language, const std::string& left,
                       const std::string& right, bool emit = false) {
  auto grammar = QuotientGrammar(language, left, right, emit);
  EXPECT_TRUE(grammar) << grammar.error();
  return grammar ? *grammar : MiddleGrammar{};
}

struct Tally {
  size_t gaps = 0, words = 0, members = 0, wrong = 0;
};

// Every gap of contexts up to `longest` and every middle up to `middle_length` of a language of
// letters.
void CompareLetters(const LetterLanguage& letters, size_t longest, size_t middle_length,
                    Tally& tally) {
  std::vector<std::string> contexts = letters.AllTexts(longest),
                           middles = letters.AllTexts(middle_length);
  std::vector<std::string> wrong;
  for (const std::string& left : contexts) {
    for (const std::string& right : contexts) {
      ++tally.gaps;
      const MiddleGrammar grammar = Quotient(letters.language(), left, right);
      const PrintedWords printed(grammar);
      ASSERT_EQ(printed.error(), "") << printed.printed();
      for (const std::string& middle : middles) {
        ++tally.words;
        bool member = letters.grammar().Member(letters.LexemesOf(left + middle + right));
        tally.members += member;
        if (printed.Contains(letters.LexemesOf(middle)) == member) continue;
        ++tally.wrong;
        wrong.push_back((member ? "missed " : "wrongly ") + Shown(left) + " + " + Shown(middle) +
                        " + " + Shown(right) + "\n" + printed.printed());
      }
    }
  }
  if (!wrong.empty())
    ADD_FAILURE() << letters.grammar().text() << "\n"
                  << wrong.size() << " wrong, the first: " << wrong[0];
}

// Terminals are named as in the grammar itself there: the letters' terminals have no parts.
TEST(Quotient, AgreesWithMembershipOnHandMadeGrammars) {
  Tally tally;
  for (const std::string& rules : kHandMadeGrammars) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << letters.refusal();
    CompareLetters(letters, letters.Longest() >= 5 ? 3 : 2, letters.Longest() >= 4 ? 4 : 3, tally);
  }
  std::cout << tally.gaps << " gaps, " << tally.words << " words, " << tally.members
            << " members\n";
  EXPECT_GT(tally.members, 3000u);
}

TEST(Quotient, AgreesWithMembershipOnRandomGrammars) {
  constexpr unsigned kSeed = 20240611;
  Tally tally;
  size_t used = 0;
  for (unsigned i = 0; i < 60; ++i) {
    std::mt19937 random(kSeed + i);
    LetterLanguage letters(oracle::RandomGrammar(random, {"T1", "T2"}));
    if (!letters.language()) continue;
    ++used;
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    CompareLetters(letters, 2, 4, tally);
  }
  std::cout << used << " grammars, " << tally.gaps << " gaps, " << tally.words << " words, "
            << tally.members << " members\n";
  EXPECT_GE(used, 50u);
  EXPECT_GT(tally.members, 3000u);
}

// A language of bytes, gap by gap: middles against membership of the whole text.
class ByteGaps {
 public:
  explicit ByteGaps(const ByteLanguage& bytes) : bytes_(bytes) {
    const auto& lr_terminals = bytes.language()->grammar.lr_terminals;
    asks_the_lexer_ = std::any_of(lr_terminals.begin(), lr_terminals.end(),
                                  [](const LrTerminal& c) { return c.reads_as.has_value(); });
  }

  // The grammar of the gap.
  MiddleGrammar Compare(const std::string& left, const std::string& right,
                        const std::vector<std::string>& middles) {
    MiddleGrammar grammar = Quotient(bytes_.language(), left, right);
    const PrintedWords printed(grammar);
    EXPECT_EQ(printed.error(), "") << printed.printed();
    MiddleWords words(grammar);
    for (const std::string& middle : middles) {
      bool member = bytes_.Valid(left + middle + right);
      auto word = words.Of(left, middle, right);
      ++tally_.words;
      tally_.members += member;
      // The empty word stands for no text and for ignorable text. Where a keyword counts as a name
      // is left to the lexer.
      if (!member && word && (word->empty() || asks_the_lexer_)) continue;
      if ((word && printed.Contains(*word)) == member) continue;
      std::string shown = word ? "" : " (no word)";
      for (const auto& names : word.value_or(Lexemes{}))
        shown += " " + (names.empty() ? "?" : names[0]);
      wrong_.push_back((member ? "missed " : "wrongly ") + Shown(left) + " + " + Shown(middle) +
                       " + " + Shown(right) + ":" + shown + "\n" + printed.printed());
    }
    return grammar;
  }

  void ExpectNoneWrong(const std::string& name) const {
    if (!wrong_.empty())
      ADD_FAILURE() << name << "\n"
                    << bytes_.Describe() << wrong_.size() << " wrong, the first: " << wrong_[0];
  }
  const Tally& tally() const { return tally_; }

 private:
  const ByteLanguage& bytes_;
  bool asks_the_lexer_ = false;
  Tally tally_;
  std::vector<std::string> wrong_;
};

// Lexemes cut by the gap: at bytes, with the terminals of both seams.
TEST(Quotient, AgreesWithMembershipOnLexemesThatTheGapCuts) {
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  size_t compared = 0, members = 0;
  std::map<MiddleGrammar::Role, size_t> roles;
  for (const ByteConfig& config : HandMadeConfigs()) {
    if (config.backs_up) continue;
    ByteLanguage bytes(config);
    ASSERT_TRUE(bytes.language()) << bytes.error().ToString();
    if (bytes.language()->grammar.remembers_line_ends || !config.splits.empty()) {
      EXPECT_FALSE(QuotientGrammar(bytes.language(), "", "", false));
      continue;
    }
    std::vector<std::string> lefts = bytes.lexer().AllTexts(3), rights = bytes.lexer().AllTexts(3),
                             middles = bytes.lexer().AllTexts(config.alphabet.size() > 4 ? 3 : 4);
    ByteGaps gaps(bytes);
    for (int round = 0; round < 60; ++round) {
      std::string left = lefts[random() % lefts.size()], right = rights[random() % rights.size()];
      const MiddleGrammar grammar = gaps.Compare(left, right, middles);
      for (const MiddleGrammar::Terminal& terminal : grammar.terminals) ++roles[terminal.role];
    }
    gaps.ExpectNoneWrong(config.name);
    compared += gaps.tally().words;
    members += gaps.tally().members;
  }
  std::cout << compared << " middles, " << members << " members\n";
  EXPECT_GT(members, 2000u);
  for (auto role :
       {MiddleGrammar::Role::kLeft, MiddleGrammar::Role::kRight, MiddleGrammar::Role::kThrough})
    EXPECT_GT(roles[role], 20u);
}

// A comment that holds a line end, cut by the gap, stands for the terminator behind an operand and
// for nothing elsewhere.
TEST(Quotient, KnowsCommentsThatEndALineAndTheGapCuts) {
  for (const ByteConfig& config : HandMadeConfigs()) {
    if (std::string(config.name) != "terminators and comments") continue;
    ByteLanguage bytes(config);
    ASSERT_TRUE(bytes.language()) << bytes.error().ToString();
    ByteGaps gaps(bytes);
    const std::vector<std::string> middles = bytes.lexer().AllTexts(4);
    for (const char* left : {"", "a", "\n\na", "a/", "a/*", "a\n", "/*\n", "a/*\n"}) {
      for (const char* right :
           {"", "/", "/a\n", "*/a\n", "*/", "\n*/a", "a*/a", "a*/\na", "*/*\n*/a", "/a/a"})
        gaps.Compare(left, right, middles);
    }
    gaps.ExpectNoneWrong(config.name);
    EXPECT_GT(gaps.tally().members, 300u);
    const MiddleGrammar grammar = Quotient(bytes.language(), "\n\na", "/a\n");
    MiddleWords words(grammar);
    const auto word = words.Of("\n\na", "/*\n*", "/a\n");
    ASSERT_TRUE(word);
    EXPECT_EQ(*word, (Lexemes{{"SC"}, {"RIGHT_BL"}}));
    EXPECT_TRUE(PrintedWords(grammar).Contains(*word));
    return;
  }
  FAIL() << "no such language";
}

std::shared_ptr<const Language> Compiled(const std::string& text) {
  auto language = Language::Compile(text, "q.lark");
  EXPECT_TRUE(language) << language.error().ToString();
  return language ? *language : nullptr;
}

const char* const kCall =
    "start: call\ncall: NAME \"(\" [arguments] \")\"\narguments: arguments \",\" call | call | "
    "NUMBER\nNAME: /[a-z]+/\n"
    "NUMBER: /[0-9]+/\n%ignore / +/\n%emit NUMBER never\n";

// Without the comment on top, which must be there.
std::string BelowLegend(const std::string& printed) {
  size_t at = 0;
  while (printed.compare(at, 2, "//") == 0 || printed[at] == '#') at = printed.find('\n', at) + 1;
  EXPECT_NE(printed.substr(0, at).find("The middle at f.x: every text that closes the gap"),
            std::string::npos);
  return printed.substr(at);
}

TEST(Quotient, PrintsLark) {
  const auto language = Compiled(kCall);
  const char* const expected = R"text(start:
    | middle
    | middle_2
    | THROUGH_NAME
    | LEFT_NAME middle
    | LEFT_NAME middle_2
middle: LPAR arguments RPAR after_arguments
    | LPAR RPAR after_arguments
middle_2: LPAR arguments RPAR after_arguments_2
    | LPAR RPAR after_arguments_2
arguments: arguments COMMA call
    | call
after_arguments: COMMA
    | COMMA call after_arguments
after_arguments_2: COMMA call after_arguments_2
    | COMMA RIGHT_NAME
call: NAME LPAR arguments RPAR
    | NAME LPAR RPAR

RIGHT_NAME: /[a-z]+/
THROUGH_NAME: /[a-z]+/
LEFT_NAME: /[a-z]+/
LPAR: "("
RPAR: ")"
COMMA: ","
NAME: /[a-z]+/
ANONYMOUS: / +/
%ignore ANONYMOUS
)text";
  EXPECT_EQ(BelowLegend(Print(Quotient(language, "f(a", "d())", true), MiddleFormat::kLark, "f.x")),
            expected);
}

TEST(Quotient, PrintsGbnf) {
  const auto language = Compiled(kCall);
  const char* const expected =
      R"text(root ::= ignored | ignored r-middle | ignored r-middle-2 | THROUGH-NAME | LEFT-NAME r-middle | LEFT-NAME r-middle-2
r-middle ::= LPAR r-arguments RPAR r-after-arguments | LPAR RPAR r-after-arguments
r-middle-2 ::= LPAR r-arguments RPAR r-after-arguments-2 | LPAR RPAR r-after-arguments-2
r-arguments ::= (r-call) (COMMA r-call)*
r-after-arguments ::= COMMA | COMMA r-call r-after-arguments
r-after-arguments-2 ::= COMMA r-call r-after-arguments-2 | COMMA RIGHT-NAME
r-call ::= NAME LPAR r-arguments RPAR | NAME LPAR RPAR

LPAR ::= "(" ignored
RPAR ::= ")" ignored
COMMA ::= "," ignored
NAME ::= ([a-z]+) ignored
RIGHT-NAME ::= ([a-z]+)
THROUGH-NAME ::= ([a-z]+)
LEFT-NAME ::= ([a-z]+) ignored
ignored ::= (([ ]+))*
)text";
  EXPECT_EQ(BelowLegend(Print(Quotient(language, "f(a", "d())", true), MiddleFormat::kGbnf, "f.x")),
            expected);
}

TEST(Quotient, NamesWhatGbnfEnginesMayRefuse) {
  const auto language = Compiled("start: a \"x\"\na: start \"y\" | \"z\"\n");
  const std::string printed = Print(Quotient(language, "", ""), MiddleFormat::kGbnf, "f.x");
  EXPECT_NE(printed.find("# Left-recursive by way of others, which some engines refuse: "),
            std::string::npos)
      << printed;
}

TEST(Quotient, HasNoWordWhereNothingClosesTheGap) {
  const auto language = Compiled(kCall);
  EXPECT_TRUE(Quotient(language, "(", ")").nonterminals[0].bodies.empty());
}

TEST(Quotient, SaysWhereAGapLiesInsideACharacter) {
  for (const auto& [left, right] :
       {std::pair("\xc3", "\xa9"), std::pair("\xe2\x82", ""), std::pair("", "\xa9")}) {
    const auto grammar = QuotientGrammar(Compiled(kCall), left, right, false);
    ASSERT_FALSE(grammar);
    EXPECT_EQ(grammar.error(), "the gap lies inside a character: move it by a byte");
  }
  EXPECT_TRUE(QuotientGrammar(Compiled(kCall), "\xe2\x82\xac", "", false));
}

}  // namespace
}  // namespace tenon::constraint
