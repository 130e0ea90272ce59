// Semicolons that are inserted where the next token does not fit, on a small language: the examples
// of the ECMAScript specification.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/script_language.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const Language> Compiled(const char* rules) {
  auto compiled = Language::Compile(rules, "g.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

std::shared_ptr<const Language> Script() { return Compiled(kScriptGrammar); }

TEST(Insertion, StandsBehindALineEndBeforeABraceAndAtTheEnd) {
  auto language = Script();
  ASSERT_TRUE(language);
  for (const char* text :
       {"a", "a;", "{ a }", "{ a\nb } c", "a\nb", "a // c\nb", "return\na + b", "a = b\n++c",
        "i\n++\nj", "if (a) b\nelse c", "for (a; b; c) d", "for (a\n;\nb;) d", "{ return }",
        "a = b + c\n(d + e)", "a\n(b)\n{ }", ""}) {
    EXPECT_TRUE(Check(*language, text, Strength::kAccept).valid) << text;
    EXPECT_TRUE(Check(*language, text, Strength::kEmit).valid) << text;
  }
}

TEST(Insertion, StandsNowhereElse) {
  auto language = Script();
  ASSERT_TRUE(language);
  for (const char* text :
       {"{ a b } c", "a b", "a ++ b", "for (a; b\n) c", "for (a\nb\nc) d", "if (a)\nelse c",
        "if (a) b else c", "return a b", "if (a)", "for (a;;)\n", "a\n)", "a = \n"})
    EXPECT_FALSE(Check(*language, text, Strength::kAccept).valid) << text;
}

// A token that fits is never parted from what stands before it, whatever becomes of the text.
TEST(Insertion, IsKilledWhereTheNextTokenFits) {
  auto language = Script();
  ASSERT_TRUE(language);
  EXPECT_TRUE(Check(*language, "a; (b)\n{ }", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "a\n(b) c", Strength::kAccept).valid);
  EXPECT_TRUE(Check(*language, "a\n(b)\nc", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "a\n(b) { }", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "a = b\n(c) = d", Strength::kAccept).valid);
}

TEST(Insertion, HoldsOnBothSidesOfAGap) {
  auto language = Script();
  ASSERT_TRUE(language);
  EXPECT_TRUE(OpenGap(language, "a", "\nb", GapPolicy{}).Member());
  EXPECT_TRUE(OpenGap(language, "a\n", "b", GapPolicy{}).Member());
  EXPECT_TRUE(OpenGap(language, "{ a", "}", GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "{ a ", "b }", GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "a", "\n(b) c", GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "for (a; b", "\n) c", GapPolicy{}).Member());
  // R is read with its own insertions, and R's first token with those of L.
  GapState state = OpenGap(language, "{ a = ", "b\n++c\nd }", GapPolicy{});
  ASSERT_TRUE(state.viable());
  EXPECT_TRUE(state.Member());
  for (const char* fits : {"e +", "e\n", "e; ", "e("}) EXPECT_TRUE(state.Check(fits)) << fits;
  EXPECT_FALSE(state.Check("e )"));
  GapState header = OpenGap(language, "for (a; b", ") c", GapPolicy{});
  EXPECT_TRUE(header.Check(";"));
  EXPECT_FALSE(header.Check("\nd"));
  auto closing = FindClosing(OpenGap(language, "{ if (a) b", "else c }", GapPolicy{}));
  ASSERT_TRUE(closing);
  EXPECT_TRUE(Check(*language, "{ if (a) b" + closing->text + "else c }", Strength::kAccept).valid)
      << closing->text;
}

TEST(Insertion, DependsOnNothingThatACompletionCannotWrite) {
  auto refused = [](const std::string& rules) {
    auto compiled = Language::Compile(rules, "g.lark");
    return compiled ? "" : compiled.error().ToString();
  };
  const std::string lines = "N: \"n\"\n%line_ends N\n%declare END\n";
  EXPECT_EQ(refused("start: \"a\" (\";\" | END)\n" + lines + "%insert END\n"), "");
  EXPECT_NE(refused("start: \"a\" END\n" + lines + "%insert END\n")
                .find("something must be there to write"),
            std::string::npos);
  EXPECT_NE(
      refused("start: \"a\" (\";\" | END | END#newer)\n" + lines + "%insert END\n%levels newer\n")
          .find("takes no predicate but '#given'"),
      std::string::npos);
  EXPECT_NE(refused("start: \"a\" (\";\" | END) | \"b\" END#given\n" + lines + "%insert END\n")
                .find("something must be there to write"),
            std::string::npos);
  EXPECT_NE(refused("start: \"a\" (\";\" | END)\n%declare END\n%insert END\n")
                .find("'%insert' needs a '%line_ends'"),
            std::string::npos);
  EXPECT_NE(refused("start: \"a\" (\";\" | END)\n" + lines + "%insert \";\"\n")
                .find("must be '%declare'd"),
            std::string::npos);
  EXPECT_NE(refused("start: \"a\" (\";\" | END)\n" + lines + "%insert END at \"a\"\n")
                .find("expected a terminal, and"),
            std::string::npos);
  EXPECT_EQ(refused("start: x#no_newline (\";\" | END)\nx: \"a\"#given | \"b\"\n" + lines +
                    "%insert END\n"),
            "");
  EXPECT_NE(refused("start: x#no_newline (\";\" | END)\nx: \"a\"#newline_before\n" + lines +
                    "%insert END\n")
                .find("may begin with a terminal that has '#newline_before' already"),
            std::string::npos);
}

// A declaration without a value is read, and not written: `v a` on a line of its own.
constexpr const char* kGivenInsertionGrammar = R"lark(
start: statement*
statement: "v" NAME "=" NAME end | "v" NAME given_end | NAME end
end: ";" | SEMICOLON
given_end: ";"#given | SEMICOLON#given
NAME: /a+/
NEWLINE: /\n/
%ignore " "
%line_ends NEWLINE
%declare SEMICOLON
%insert SEMICOLON
)lark";

std::shared_ptr<const Language> GivenInsertions() { return Compiled(kGivenInsertionGrammar); }

TEST(GivenInsertion, StandsInGivenTextAlone) {
  auto language = GivenInsertions();
  ASSERT_TRUE(language);
  for (const char* text : {"va", "va\na", "va;", "va\nva=a", "a\nva\n"}) {
    EXPECT_TRUE(Check(*language, text, Strength::kAccept).valid) << text;
    EXPECT_FALSE(Check(*language, text, Strength::kEmit).valid) << text;
  }
  EXPECT_TRUE(Check(*language, "va\n=a\na", Strength::kEmit).valid);
  EXPECT_FALSE(Check(*language, "vaa a", Strength::kAccept).valid);
}

TEST(GivenInsertion, IsMadeLeftAndRightOfTheCursorAndNotAtIt) {
  auto language = GivenInsertions();
  ASSERT_TRUE(language);
  // In R, and in L where the lexeme at the cursor began on another line.
  EXPECT_TRUE(OpenGap(language, "", "va\na", GapPolicy{}).Check("a;"));
  EXPECT_TRUE(OpenGap(language, "va\na", "", GapPolicy{}).Check("a"));
  // On the line below it.
  EXPECT_TRUE(OpenGap(language, "va\n", "\na", GapPolicy{}).Member());
  EXPECT_TRUE(OpenGap(language, "va\n ", "", GapPolicy{}).Check("a"));
  // On its own line a value is to be written.
  const GapState state = OpenGap(language, "va", "\na", GapPolicy{});
  EXPECT_FALSE(state.Member());
  EXPECT_FALSE(state.Check("\na"));
  const auto closing = FindClosing(state, kNoTokens);
  ASSERT_TRUE(closing);
  EXPECT_NE(closing->text.find('='), std::string::npos) << closing->text;
  // The name is R's, and written text begins it.
  GapState named = OpenGap(language, "v", "a\na", GapPolicy{});
  EXPECT_TRUE(named.Member());
  ASSERT_TRUE(named.Accept("a"));
  EXPECT_FALSE(named.Member());
}

// By definition: which texts of three parts are texts of kGivenInsertionGrammar, if the parts
// around the middle are given.
class GivenInsertionOracle {
 public:
  GivenInsertionOracle(std::string_view left, std::string_view middle, std::string_view right)
      : text_(std::string(left) + std::string(middle) + std::string(right)),
        begin_(left.size()),
        end_(left.size() + middle.size()) {
    for (size_t at = 0; at < text_.size();) {
      size_t end = at + 1;
      while (text_[at] == 'a' && end < text_.size() && text_[end] == 'a') ++end;
      if (text_[at] != ' ') tokens_.push_back({text_[at], at, end});
      at = end;
    }
  }

  bool Member() const {
    size_t at = 0;
    for (;;) {
      while (Sign(at) == '\n') ++at;
      if (at == tokens_.size()) return true;
      if (Sign(at) == 'a') {
        if (!EndsStatement(++at, false)) return false;
        continue;
      }
      if (Sign(at++) != 'v' || Next(at) != 'a') return false;
      if (Peek(at) != '=') {
        if (!EndsStatement(at, true)) return false;
        continue;
      }
      if (Next(at) != '=' || Next(at) != 'a' || !EndsStatement(at, false)) return false;
    }
  }

 private:
  struct Token {
    char sign;
    size_t begin, end;
  };
  char Sign(size_t at) const { return at < tokens_.size() ? tokens_[at].sign : '\0'; }
  size_t Skipped(size_t at) const {
    while (Sign(at) == '\n') ++at;
    return at;
  }
  char Peek(size_t at) const { return Sign(Skipped(at)); }
  char Next(size_t& at) const {
    at = Skipped(at);
    return Sign(at++);
  }
  bool IsWritten(const Token& token) const { return token.begin < end_ && begin_ < token.end; }

  // Steps over `;`, or inserts it before the next token. `given`: it has to be given.
  bool EndsStatement(size_t& at, bool given) const {
    const size_t next = Skipped(at);
    const Token& before = tokens_[at - 1];
    if (Sign(next) == ';') {
      at = next + 1;
      return !given || !IsWritten(tokens_[next]);
    }
    if (next < tokens_.size() && next == at) return false;  // on one line
    const size_t place = next < tokens_.size() ? tokens_[next].begin : text_.size();
    at = next;
    if (!given || before.begin >= end_) return true;
    // Left of the cursor lies the next token's beginning, or a line end before it.
    const bool line_ended = text_.substr(0, begin_).find('\n', before.end) != std::string::npos;
    return before.end < begin_ && (place < begin_ || line_ended);
  }

  std::string text_;
  size_t begin_, end_;
  std::vector<Token> tokens_;
};

// All texts of these signs, up to `longest`.
std::vector<std::string> Texts(size_t longest) {
  std::vector<std::string> made{""};
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i].size() == longest) continue;
    for (char sign : std::string_view("va=;\n ")) made.push_back(made[i] + sign);
  }
  return made;
}

TEST(GivenInsertion, AgreesWithItsDefinitionInShortTexts) {
  auto language = GivenInsertions();
  ASSERT_TRUE(language);
  size_t viable = 0;
  const std::vector<std::string> lefts = Texts(3), rights = Texts(2), middles = Texts(4);
  for (const std::string& left : lefts) {
    for (const std::string& right : rights) {
      const GapState opened = OpenGap(language, left, right, GapPolicy{});
      bool closable = false;
      for (const std::string& middle : middles) {
        if (middle.size() == 4 && closable) break;
        const bool wanted = GivenInsertionOracle(left, middle, right).Member();
        closable |= wanted;
        GapState state = opened;
        const bool member = (middle.empty() || state.Accept(middle)) && state.Member();
        ASSERT_EQ(member, wanted) << left << "|" << middle << "|" << right;
      }
      ASSERT_EQ(opened.viable(), closable) << left << "|" << right;
      viable += closable;
    }
  }
  EXPECT_GT(viable, 800u);
}

}  // namespace
}  // namespace tenon::constraint
