#include "constraint/lexical_context/layout.h"
#include "constraint/lexical_context/lexical_context.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {
namespace {

const char* const kIndented = R"lark(
start: (statement)*
statement: X NL | X COLON NL INDENT statement+ DEDENT | X OPEN X CLOSE NL
X: /x+/
COLON: ":"
OPEN: "("
CLOSE: ")"
NL: /\r?\n/
JOIN: /\\\n/
COMMENT: /#[^\n]*/
WS: /[ \t\f]+/
%ignore WS
%ignore JOIN
%ignore COMMENT
%declare INDENT DEDENT
%layout newline=NL indent=INDENT dedent=DEDENT brackets="()"
)lark";

class LayoutRulesTest : public testing::Test {
 protected:
  LayoutRulesTest()
      : grammar_(*ReadGrammar(kIndented, "indented.lark")),
        lexer_(*Lexer::Build(grammar_)),
        rules_(grammar_) {}

  // The terminals of a whole text: x newline N, indent >column, dedent <; "error" where the layout
  // refuses it.
  std::string Read(const std::string& text) {
    std::string out;
    LexicalContext context;
    std::vector<LayoutEvent> events;
    auto show = [&] {
      for (const LayoutEvent& event : events) {
        switch (event.kind) {
          case LayoutEvent::Kind::kLexeme:
            out += 'x';
            break;
          case LayoutEvent::Kind::kNewline:
            out += 'N';
            break;
          case LayoutEvent::Kind::kIndent:
            out += '>' + std::to_string(event.column);
            break;
          case LayoutEvent::Kind::kDedent:
            out += '<';
            break;
          case LayoutEvent::Kind::kTerminator:
            out += ';';
            break;
        }
      }
      events.clear();
    };
    for (size_t at = 0; at < text.size();) {
      Lexer::Match match = lexer_.LongestMatch(text, at);
      if (match.lexeme == kNoLexeme) return out + " unreadable";
      for (; at < match.end; ++at) rules_.ReadByte(static_cast<uint8_t>(text[at]), context.layout);
      if (!rules_.End(lexer_.lexeme(match.lexeme), arena_, context, events)) return out + " error";
      show();
    }
    if (!rules_.EndOfText(arena_, context, events)) return out + " error";
    show();
    return out;
  }

  Grammar grammar_;
  Lexer lexer_;
  LayoutRules rules_;
  IndentArena arena_;
};

TEST_F(LayoutRulesTest, ColumnsOpenAndCloseBlocks) {
  EXPECT_EQ(Read("x:\n  x\nx\n"), "xxN>2xN<xN");
  EXPECT_EQ(Read("x:\n x:\n    x"), "xxN>1xxN>4xN<<");
  EXPECT_EQ(Read("x:\n    x\n  x\n"), "xxN>4xN error");
}

TEST_F(LayoutRulesTest, BlankLinesAndCommentLinesCountForNothing) {
  EXPECT_EQ(Read("x:\n\n      # why\n  x\n \n# end"), "xxN>2xN<");
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("\n  \n"), "");
}

TEST_F(LayoutRulesTest, AMissingLineEndIsSupplied) { EXPECT_EQ(Read("x:\n  x # c"), "xxN>2xN<"); }

TEST_F(LayoutRulesTest, BracketsSwallowLineEnds) {
  EXPECT_EQ(Read("x(\n   x\n)\n"), "xxxxN");
  EXPECT_EQ(Read("x(x\n"), "xxx error");
  EXPECT_EQ(Read("x)\n"), "x error");
}

TEST_F(LayoutRulesTest, TabsGoToStopsOfEightAndMustOrderAlike) {
  EXPECT_EQ(Read("x:\n\tx\n\tx\n"), "xxN>8xNxN<");
  EXPECT_EQ(Read("x:\n  \tx\n"), "xxN>8xN<");
  EXPECT_EQ(Read("x:\n        x\n\tx\n"), "xxN>8xN error") << "equal with stops of 8 alone";
  EXPECT_EQ(Read("x:\n  x:\n\tx\n"), "xxN>2xxN error") << "deeper with stops of 8 alone";
}

TEST_F(LayoutRulesTest, AFormFeedBeginsTheColumnAnew) {
  EXPECT_EQ(Read("x:\n    \f  x\n"), "xxN>2xN<");
}

TEST_F(LayoutRulesTest, AJoiningFixesTheColumnUnlessItIsZero) {
  EXPECT_EQ(Read("x:\n  \\\n      x\n"), "xxN>2xN<");
  EXPECT_EQ(Read("x:\n\\\n   x\n"), "xxN>3xN<");
  EXPECT_EQ(Read("x \\\n   x\n"), "xxN");
}

TEST_F(LayoutRulesTest, CarriageReturnsBelongToLineEnds) {
  EXPECT_EQ(Read("x:\r\n  x\r\n"), "xxN>2xN<");
}

TEST(IndentArena, GivesEqualStacksEqualIds) {
  IndentArena arena;
  IndentId a = arena.Push(IndentId{}, 4, 4), b = arena.Push(a, 8, 8);
  EXPECT_EQ(arena.Push(IndentId{}, 4, 4), a);
  EXPECT_EQ(arena.Push(a, 8, 8), b);
  EXPECT_NE(arena.Push(a, 8, 1), b);
  EXPECT_EQ(arena.top(b).below, a);
  EXPECT_EQ(arena.top(IndentId{}).column, 0);
}

TEST(NextColumn, SaturatesInsteadOfWrapping) {
  uint16_t column = 0;
  for (int i = 0; i < 20000; ++i) column = NextColumn(column, '\t', 8);
  EXPECT_EQ(column, 0xfff0);
}

}  // namespace
}  // namespace tenon::constraint
