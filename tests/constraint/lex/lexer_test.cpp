#include "constraint/lex/lexer.h"

#include <array>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {
namespace {

struct Built {
  Grammar grammar;
  Lexer lexer;
  std::string NameOf(LexemeId id) const {
    return id == kNoLexeme ? "none" : grammar.terminals[lexer.lexeme(id).terminals[0].value].name;
  }
  DfaStateId After(const std::string& text) const {
    DfaStateId q = kStartState;
    for (char c : text) q = lexer.Next(q, static_cast<uint8_t>(c));
    return q;
  }
  TerminalId Terminal(const std::string& name) const {
    for (uint16_t t = 0; t < grammar.terminals.size(); ++t) {
      if (grammar.terminals[t].name == name) return TerminalId{t};
    }
    ADD_FAILURE() << "no terminal " << name;
    return {};
  }
};

tl::expected<Built, GrammarError> TryBuild(const std::string& text) {
  auto grammar = ReadGrammar(text, "lexer.lark");
  if (!grammar) return tl::unexpected(grammar.error());
  auto lexer = Lexer::Build(*grammar);
  if (!lexer) return tl::unexpected(lexer.error());
  return Built{std::move(*grammar), std::move(*lexer)};
}

Built Build(const std::string& text) {
  auto built = TryBuild(text);
  if (!built) throw std::runtime_error(built.error().ToString());
  return std::move(*built);
}

const char* const kNumbers = R"lark(
start: (AB | A | DOT | B)*
AB: /a\.\.b/
A: /a/
DOT: /\./
B: /b/
WS: / +/
%ignore WS
)lark";

// What Advance gives for one byte, "goes on" or the lexeme that ended, with the number of guards.
std::vector<std::string> Steps(const Built& b, DfaStateId q, const Guards& guards, char byte) {
  Lexer::Steps out;
  int n = b.lexer.Advance(q, guards, static_cast<uint8_t>(byte), false, out);
  std::vector<std::string> shown;
  for (int i = 0; i < n; ++i) {
    int alive = 0;
    for (DfaStateId g : out[i].guards.states) alive += g != kDeadState;
    shown.push_back((out[i].ended == kNoLexeme ? "goes on" : "ended " + b.NameOf(out[i].ended)) +
                    ", guards " + std::to_string(alive));
  }
  return shown;
}

TEST(Lexer, ALexemeThatEndsWhileALongerOneIsPossibleLeavesAGuard) {
  Built b = Build(kNumbers);
  EXPECT_EQ(Steps(b, b.After("a"), {}, '.'),
            (std::vector<std::string>{"goes on, guards 0", "ended A, guards 1"}));
  EXPECT_EQ(Steps(b, b.After("a"), {}, ' '), (std::vector<std::string>{"ended A, guards 0"}));
  EXPECT_EQ(Steps(b, b.After("a."), {}, 'b'), std::vector<std::string>{});
  EXPECT_EQ(Steps(b, kStartState, {}, 'a'), (std::vector<std::string>{"goes on, guards 0"}));
}

TEST(Lexer, AGuardThatAcceptsKillsTheBranch) {
  Built b = Build(kNumbers);
  Guards guards;
  guards.Add(b.After("a.."));
  // a . . b would have been one lexeme.
  EXPECT_TRUE(Steps(b, b.After("."), guards, 'b').empty());
  EXPECT_EQ(Steps(b, b.After("."), guards, 'a'), (std::vector<std::string>{"ended DOT, guards 0"}));
}

TEST(Lexer, ALexemeDoesNotEndWhereEveryWayOnMakesItLonger) {
  const char half_a_letter = '\xc3';
  Built names = Build("start: NAME*\nNAME: /[a-zäö]+/\nWS: / /\n%ignore WS\n");
  EXPECT_EQ(Steps(names, names.After("a"), {}, half_a_letter),
            (std::vector<std::string>{"goes on, guards 0"}));
  Built signs = Build("start: (NAME | SIGN)*\nNAME: /[a-zä]+/\nSIGN: /ö/\nWS: / /\n%ignore WS\n");
  EXPECT_EQ(Steps(signs, signs.After("a"), {}, half_a_letter),
            (std::vector<std::string>{"goes on, guards 0", "ended NAME, guards 1"}))
      << "it may become the sign";
}

TEST(Lexer, ALexemeDoesNotEndWhereOneByteMoreStillAccepts) {
  Built b = Build("start: ID IF\nIF: \"if\"\nID: /[a-z]+/\nWS: / /\n%ignore WS\n");
  EXPECT_EQ(Steps(b, b.After("i"), {}, 'f'), (std::vector<std::string>{"goes on, guards 0"}));
}

TEST(Lexer, PoisonNeverEnds) {
  Built b = Build(
      "start: NUM OR\nNUM: /0+/\nOR: \"or\"\nBAD: /0+[a-z]/\nWS: / /\n%ignore WS\n%poison BAD\n");
  EXPECT_TRUE(Steps(b, b.After("0o"), {}, 'r').empty());
  EXPECT_TRUE(Steps(b, b.After("0o"), {}, ' ').empty());
}

TEST(Lexer, LandsOnTheLongestMatchIntoTheRight) {
  Built b = Build(kNumbers);
  auto landed = [&](const std::string& from, const std::string& right) {
    Lexer::Match match = b.lexer.Land(b.After(from), {}, right);
    return b.NameOf(match.lexeme) + " " + std::to_string(match.end);
  };
  EXPECT_EQ(landed("a", "..b"), "AB 3");
  EXPECT_EQ(landed("a", "..a"), "A 0");
  EXPECT_EQ(landed("a.", ".b "), "AB 2");
  EXPECT_EQ(landed("a.", "a"), "none 0");
  Guards guards;
  guards.Add(b.After("a."));
  EXPECT_EQ(b.lexer.Land(b.After("."), guards, ".b").lexeme, kNoLexeme)
      << "the guard a. becomes a..b";
  EXPECT_EQ(b.NameOf(b.lexer.Land(b.After("."), guards, ".a").lexeme), "DOT");
}

TEST(Lexer, LandsFromEveryStateAtOnceAsFromEach) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {kNumbers, "a.b"},
      {"start: STR | ID\nSTR: /\"([^\"\\\\]|\\\\.)*\"|'[^']*'/\nID: /[a-c]+/\nBAD: "
       "/\"([^\"\\\\]|\\\\.)*|'[^']*/\n%poison BAD\n",
       "ab\"'\\c"},
      {"start: LONG | ID\nLONG: /abcabc|cab/\nID: /[ab]|c/\nREST: /abc?a?b?|ca/\n%poison REST\n",
       "abc"}};
  std::mt19937 random(11);
  for (const auto& [grammar, alphabet] : cases) {
    Built b = Build(grammar);
    for (int round = 0; round < 400; ++round) {
      std::string text(random() % 14, ' ');
      for (char& c : text) c = alphabet[random() % alphabet.size()];
      const auto all = b.lexer.LandAll(text);
      ASSERT_EQ(all.size(), b.lexer.state_count());
      for (uint16_t q = 0; q < all.size(); ++q) {
        const Lexer::Match one = b.lexer.Land(DfaStateId{q}, {}, text);
        ASSERT_EQ(b.NameOf(all[q].lexeme), b.NameOf(one.lexeme))
            << '[' << text << "] from state " << q;
        if (one.lexeme == kNoLexeme) continue;
        ASSERT_EQ(all[q].end, one.end) << '[' << text << "] from state " << q;
      }
    }
  }
}

TEST(Lexer, LongestMatchTakesTheWinnerOfEqualLengths) {
  Built b = Build(
      "start: IF | ID | NUM\nIF: \"if\"\nID: /[a-z]+/\nNUM.2: /[a-z]x/\nWS: / /\n%ignore WS\n");
  auto match = [&](const std::string& text) {
    return b.NameOf(b.lexer.LongestMatch(text, 0).lexeme);
  };
  EXPECT_EQ(match("if"), "IF") << "literal before regex";
  EXPECT_EQ(match("ifa"), "ID") << "longest first";
  EXPECT_EQ(match("ax"), "NUM") << "higher priority first";
  EXPECT_EQ(match("!"), "none");
}

TEST(Lexer, ASoftTerminalStandsForTheNextOneToo) {
  Built b = Build(
      "start: \"match\" NAME \":\" | NAME\nNAME: /[a-z]+/\nWS: / /\n%ignore WS\n%soft \"match\"\n");
  const Lexeme& soft = b.lexer.lexeme(b.lexer.LongestMatch("match", 0).lexeme);
  ASSERT_EQ(soft.terminals.size(), 2u);
  EXPECT_EQ(b.grammar.terminals[soft.terminals[0].value].name, "MATCH");
  EXPECT_EQ(b.grammar.terminals[soft.terminals[1].value].name, "NAME");
}

TEST(Lexer, SeparableIsWhatABlankPartsFromEverything) {
  Built b = Build(
      "start: (ID NL)*\nID: /[a-z]+/\nNL: /\\n/\nCOMMENT: /#[^\\n]*/\nWS: / +/\n%ignore "
      "WS\n%ignore COMMENT\n");
  EXPECT_TRUE(b.lexer.IsSeparable(b.After("ab"), {}, false));
  EXPECT_TRUE(b.lexer.IsSeparable(b.After("\n"), {}, false));
  EXPECT_FALSE(b.lexer.IsSeparable(b.After("#x"), {}, false))
      << "only a line end may follow a line comment";
}

TEST(Lexer, EmitEdgesAreASubsetThatTheEmitPatternsUse) {
  Built b = Build("start: STR\nSTR: /\"([^\"\\\\]|\\\\x)*\"/\n%emit STR /\"[a-z]*\"/\n");
  DfaStateId inside = b.After("\"");
  EXPECT_TRUE(b.lexer.IsEmitEdge(inside, 'a'));
  EXPECT_FALSE(b.lexer.IsEmitEdge(inside, 'A'));
  EXPECT_FALSE(b.lexer.IsEmitEdge(inside, '\\'));
  EXPECT_NE(b.lexer.Next(inside, 'A'), kDeadState);
  for (DfaStateId to : b.lexer.Successors(inside, true)) {
    bool accepted = false;
    for (DfaStateId other : b.lexer.Successors(inside, false)) accepted |= other == to;
    EXPECT_TRUE(accepted);
  }
}

TEST(Lexer, SpellsAShortestLexemeOrTheOneThatIsNamed) {
  Built b = Build(
      "start: ID NUM STR\nID: /[a-z]+/\nNUM: /[0-9][0-9]/\nSTR: /\"[a-z]*\"/\nWS: / /\n%ignore "
      "WS\n%spell ID \"value\"\n");
  EXPECT_EQ(b.lexer.Spelling(b.Terminal("ID")), "value");
  EXPECT_EQ(b.lexer.Spelling(b.Terminal("NUM")).size(), 2u);
  EXPECT_EQ(b.lexer.Spelling(b.Terminal("STR")), "\"\"");
}

TEST(Lexer, RefusesBackUpBeyondItsBoundAndNamesTheTerminal) {
  auto built =
      TryBuild("start: (DIV | BLOCK | ID)*\nDIV: /\\//\nBLOCK: /\\/\\*[^\\/]*\\//\nID: /[a-z]/\n");
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, GrammarErrorCode::kMechanism);
  EXPECT_NE(built.error().message.find("DIV"), std::string::npos);
  EXPECT_NE(built.error().message.find("%poison"), std::string::npos);
  EXPECT_TRUE(
      TryBuild("start: (DIV | BLOCK | ID)*\nDIV: /\\//\nBLOCK: /\\/\\*[^\\/]*\\//\nOPEN: "
               "/\\/\\*[^\\/]*/\nID: /[a-z]/\n%poison OPEN\n"));
}

TEST(Guards, AreASortedSet) {
  Guards guards;
  EXPECT_TRUE(guards.empty());
  guards.Add(DfaStateId{7});
  guards.Add(DfaStateId{3});
  guards.Add(DfaStateId{7});
  Guards other;
  other.Add(DfaStateId{3});
  other.Add(DfaStateId{7});
  EXPECT_EQ(guards, other);
  EXPECT_EQ(guards.Key(), other.Key());
  EXPECT_FALSE(guards.empty());
}

}  // namespace
}  // namespace tenon::constraint
