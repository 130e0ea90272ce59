// What is written obeys more than what is accepted: the seam rule, emit edges, columns for given
// text alone.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {
namespace {

constexpr char kCalls[] = R"lark(
start: statement*
statement: expression ";"
expression: NAME | STRING | call | old
call: NAME "(" [arguments] ")"
arguments: expression ("," expression)* [","#given]
old: "old"#given NAME
NAME: /[a-z]+/
STRING: /"([^"\\\n]|\\[nx])*"/
COMMENT: /#[^\n]*/
BLANKS: /[ \n]+/
OPEN: /"([^"\\\n]|\\[nx])*/
%ignore BLANKS
%ignore COMMENT
%delimited COMMENT STRING
%poison OPEN
%emit STRING /"[a-z ,()]*"/
)lark";

std::shared_ptr<const Language> Compile(const std::string& text) {
  auto compiled = Language::Compile(text, "calls.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

class GapEmit : public testing::Test {
 protected:
  GapState Open(const std::string& left, const std::string& right, bool emit = true) const {
    return OpenGap(language_, left, right, GapPolicy{.emit = emit});
  }
  // The middle is taken byte by byte and then closes the gap.
  bool Fits(const std::string& left, const std::string& middle, const std::string& right,
            bool emit = true) const {
    GapState state = Open(left, right, emit);
    for (char c : middle) {
      if (!state.Accept(std::string(1, c))) return false;
    }
    return state.Member();
  }
  std::shared_ptr<const Language> language_ = Compile(kCalls);
};

TEST_F(GapEmit, ACommentOpenedInTheMiddleMustNotSwallowTheRight) {
  // The text would be valid, but the user's code would be commented out.
  EXPECT_TRUE(Fits("foo(a, ", "b); #", "));", false));
  EXPECT_FALSE(Fits("foo(a, ", "b); #", "));"));
  // Nothing but a comment makes this right context readable.
  EXPECT_TRUE(Open("foo(a, ", "]);", false).viable());
  EXPECT_FALSE(Open("foo(a, ", "]);").viable());
}

TEST_F(GapEmit, ACommentThatClosesInTheMiddleIsAllowed) {
  EXPECT_TRUE(Fits("foo(a, ", "b # why\n", ");"));
  EXPECT_FALSE(Fits("foo(a, ", "b # why", ");"));
  // The line end of the right context closes it, no byte of the right is swallowed.
  EXPECT_TRUE(Fits("foo(a, ", "b # why", "\n);"));
}

TEST_F(GapEmit, AStringOpenedInTheMiddleClosesInTheMiddle) {
  EXPECT_TRUE(Fits("foo(", "\"", "b\");", false));
  EXPECT_FALSE(Fits("foo(", "\"", "b\");"));
  EXPECT_FALSE(Open("foo(", "b\");").viable());
  EXPECT_TRUE(Fits("foo(", "\"b\"", ");"));
}

TEST_F(GapEmit, AStringBegunOnTheLeftMayCloseInTheMiddleOrOnTheRight) {
  EXPECT_TRUE(Fits("foo(\"ab", "\"", ");"));
  EXPECT_TRUE(Fits("foo(\"ab", "c", "\");"));
  EXPECT_TRUE(Open("foo(\"ab", ");").viable());
  auto closing = FindClosing(Open("foo(\"ab", ");"));
  ASSERT_TRUE(closing);
  EXPECT_TRUE(Check(*language_, "foo(\"ab" + closing->text + ");", Strength::kAccept).valid);
}

TEST_F(GapEmit, AWordBegunInTheMiddleMayReachIntoTheRight) {
  EXPECT_TRUE(Fits("foo(", "b", "ar);"));
  EXPECT_TRUE(Open("foo(a ", "bar);").viable());
  EXPECT_TRUE(Fits("foo(a ", ", x", "bar);"));
}

TEST_F(GapEmit, ColumnsForGivenTextAreNeverWritten) {
  // A trailing comma and the old form stay legal where they are given.
  EXPECT_TRUE(Check(*language_, "foo(a,); old b;", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language_, "foo(a,);", Strength::kEmit).valid);
  EXPECT_FALSE(Check(*language_, "old b;", Strength::kEmit).valid);
  EXPECT_TRUE(Fits("foo(a", "", ",);"));
  EXPECT_TRUE(Fits("foo(a,", "", ");"));
  EXPECT_TRUE(Fits("foo(a", ",", ");", false));
  EXPECT_FALSE(Fits("foo(a", ",", ");"));
  EXPECT_TRUE(Fits("", "old ", "b;", false));
  EXPECT_FALSE(Fits("", "old ", "b;"));
  // Given on the left, it is open to go on from.
  EXPECT_TRUE(Fits("old ", "b", ";"));
}

TEST_F(GapEmit, BytesOfAStringGoByEmitEdgesEvenWhereTheLeftBeganIt) {
  EXPECT_TRUE(Fits("foo(\"a", "\\n", "\");", false));
  EXPECT_FALSE(Fits("foo(\"a", "\\n", "\");"));
  EXPECT_FALSE(Open("foo(\"a", "\");").Check("\\"));
  EXPECT_FALSE(Open("foo(\"a", "\");").Check("A"));
  EXPECT_TRUE(Open("foo(\"a", "\");").Check("b"));
  EXPECT_TRUE(Fits("foo(\"a\\n", "b", "\\x\");"));
  EXPECT_FALSE(Check(*language_, "foo(\"A\");", Strength::kEmit).valid);
}

TEST_F(GapEmit, WhatIsWrittenEndsAsAnEmitForm) {
  language_ = Compile(
      "start: (A \";\")+\nA: /a+/\nDOTS: /\\.+/\n%ignore DOTS\n%emit A /(aa)+/\n%emit DOTS "
      "/\\.\\./\n%delimited DOTS\n");
  EXPECT_TRUE(Fits("", "a;", "", false));
  EXPECT_TRUE(Fits("", "aa;", ""));
  EXPECT_FALSE(Fits("", "a;", ""));
  EXPECT_TRUE(Fits("a", "a;", ""));
  EXPECT_TRUE(Fits("a", "", ";")) << "given, it may stay as it is";
  EXPECT_FALSE(Fits("", "a", ";"));
  EXPECT_TRUE(Fits("aa;", "..", "aa;"));
  EXPECT_FALSE(Fits("aa;", ".", "aa;"));
  EXPECT_FALSE(Fits("aa;", "...", "aa;"));
  EXPECT_TRUE(Fits("aa;.", "aa;", ""));
  EXPECT_FALSE(Check(*language_, "aa;.aa;", Strength::kEmit).valid);
  EXPECT_TRUE(Check(*language_, "aa;..aaaa;", Strength::kEmit).valid);
  auto closing = FindClosing(Open("", ""));
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->text, "aa;");
}

TEST_F(GapEmit, TwoTerminalsDoNotLendEachOtherTheirEdges) {
  language_ = Compile(
      "start: P Q\nP: /p\"[a-z0-9]*\"/\nQ: /q\"[a-z0-9]*\"/\n%emit P /p\"[a-z]*\"/\n%emit Q "
      "/q\"[0-9]*\"/\n"
      "R: /[pq]\"[a-z0-9]*/\n%poison R\nW: / /\n%ignore W\n");
  EXPECT_TRUE(Fits("", "p\"a\" q\"1\"", ""));
  EXPECT_FALSE(Fits("", "p\"1\" q\"1\"", ""));
  EXPECT_FALSE(Fits("", "p\"a\" q\"a\"", ""));
  EXPECT_TRUE(Fits("p\"1", "a\" q\"1\"", "")) << "the given digit is no reason to stop";
  EXPECT_FALSE(Fits("p\"1", "2\" q\"1\"", ""));
  // Of one terminal too: behind the quote both its strings are accepted alike.
  language_ = Compile(
      "start: S\nS: /[pq]\"[a-z0-9]*\"/\n%emit S /p\"[a-z]*\"|q\"[0-9]*\"/\nR: "
      "/[pq]\"[a-z0-9]*/\n%poison R\n");
  EXPECT_TRUE(Fits("", "p\"a\"", ""));
  EXPECT_TRUE(Fits("q", "\"1\"", ""));
  EXPECT_FALSE(Fits("", "p\"1\"", ""));
  EXPECT_FALSE(Fits("q", "\"a\"", ""));
  EXPECT_TRUE(Fits("q\"a", "1\"", ""));
}

TEST_F(GapEmit, RefusedBytesLeaveTheStateAsItWas) {
  GapState state = Open("foo(a", ");");
  ASSERT_TRUE(state.Accept(", b"));
  GapState copy = state;
  EXPECT_FALSE(state.Accept(");;"));
  EXPECT_FALSE(state.Accept(std::string("\0", 1)));
  EXPECT_EQ(state.middle(), ", b");
  EXPECT_TRUE(state.Member());
  EXPECT_TRUE(state.Accept("c"));
  EXPECT_EQ(copy.middle(), ", b");
}

TEST_F(GapEmit, ClosingTextsObeyTheSameRules) {
  for (const auto& [left, right] : {std::pair<std::string, std::string>{"foo(", ""},
                                    {"foo(a, ", ");"},
                                    {"foo(bar(", "x);"},
                                    {"fo", ";"},
                                    {"foo(\"", ";"},
                                    {"foo(a # c", ");"},
                                    {"", "); b;"},
                                    {"a", "b; c;"}}) {
    GapState state = Open(left, right);
    ASSERT_TRUE(state.viable()) << left << " | " << right;
    auto closing = FindClosing(state);
    ASSERT_TRUE(closing) << left << " | " << right;
    EXPECT_TRUE(Fits(left, closing->text, right))
        << left << " + " << closing->text << " + " << right;
    EXPECT_TRUE(Check(*language_, left + closing->text + right, Strength::kAccept).valid);
  }
}

TEST_F(GapEmit, NothingFitsWhereAContextCannotBeRead) {
  for (const auto& [left, right] : {std::pair<std::string, std::string>{"foo(]", ");"},
                                    {"foo)", ";"},
                                    {"", "\x80;"},
                                    {"foo(\"\n", "\");"},
                                    {"a", "; )"}}) {
    GapState state = Open(left, right);
    EXPECT_FALSE(state.viable()) << left << " | " << right;
    EXPECT_FALSE(state.Member());
    EXPECT_FALSE(FindClosing(state));
    EXPECT_FALSE(state.Accept("a"));
  }
}

TEST_F(GapEmit, ExpectedNamesWhatMayComeNext) {
  auto names = Open("foo(a ", ");").Expected();
  EXPECT_NE(std::find(names.begin(), names.end(), "COMMA"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "SEMICOLON"), names.end());
}

}  // namespace
}  // namespace tenon::constraint
