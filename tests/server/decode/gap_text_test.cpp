// What a piece does with a middle: the parts together, as decoders ask them.
#include "server/decode/gap_text.h"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/server/decode/written.h"

namespace tenon::server {
namespace {

class GapTextTest : public testing::Test {
 protected:
  void Use(Language language) { language_ = std::move(language); }

  std::optional<Language> language_ = *Language::Compile(kSums, "sums.lark");
};

// `ab + ti|me + b`: the middle that a model writes is `time`, and then a blank.
TEST_F(GapTextTest, AWordThatTheRightContextEndsIsCutBeforeItsRest) {
  GapText text(Budget(Gap::Open(*language_, "ab + ", "me + b"), 20), Goal::kJoin,
               {.left_line = "ab + ", .right_line = "me + b"});
  for (const std::string_view piece : {"t", "ime"})
    EXPECT_EQ(text.Judge(piece).verdict, Judgement::Verdict::kAccepted);
  for (const Judgement& judged : {text.Judge(" "), text.Judge(" +"), text.JudgeEnd()}) {
    EXPECT_EQ(judged.verdict, Judgement::Verdict::kEndsInside);
    ASSERT_TRUE(judged.head);
    EXPECT_EQ(judged.head->middle(), "ti");
  }
  GapText longer = text;
  EXPECT_EQ(longer.Judge("s").verdict, Judgement::Verdict::kAccepted) << "another word";
  EXPECT_EQ(longer.JudgeEnd().verdict, Judgement::Verdict::kEndsBefore);
}

// `(` before a word that stands right of the cursor comes with the word, as one piece.
TEST_F(GapTextTest, AMiddleEndsBeforeAWordInsideAPiece) {
  const auto judge = [this](std::string_view right, std::string_view piece) {
    const std::string line = std::string(right) + ") + b";
    GapText text(Budget(Gap::Open(*language_, "ab + ", line), 20), Goal::kJoin,
                 {.left_line = "ab + ", .right_line = line});
    return text.Judge(piece);
  };
  const Judgement whole = judge("ef", "(ef");
  EXPECT_EQ(whole.verdict, Judgement::Verdict::kEndsInside);
  ASSERT_TRUE(whole.head);
  EXPECT_EQ(whole.head->middle(), "(");
  EXPECT_EQ(judge("ef", "(e").verdict, Judgement::Verdict::kAccepted) << "a part of the word";
  EXPECT_EQ(judge("ef", "(gef").verdict, Judgement::Verdict::kAccepted) << "between letters";
}

// Behind a quote the rest would leave the string open.
TEST_F(GapTextTest, AWordIsNotCutWhereTheMiddleCannotEnd) {
  GapText text(Budget(Gap::Open(*language_, "ab + ", "me + b"), 20), Goal::kJoin,
               {.left_line = "ab + ", .right_line = "me + b"});
  ASSERT_TRUE(text.Accept("\"time"));
  EXPECT_EQ(text.Judge(" ").verdict, Judgement::Verdict::kAccepted);
  EXPECT_EQ(text.JudgeEnd().verdict, Judgement::Verdict::kRefused);
}

TEST_F(GapTextTest, AWordIsNotCutBeforeTheHealedTextIsThere) {
  GapText text(Budget(Gap::Open(*language_, "ab +(", "me + b)"), 20), Goal::kJoin,
               {.healed = "(", .left_line = "ab +(", .right_line = "me + b)"});
  EXPECT_FALSE(text.Try("time "));
  const Judgement healed = text.Judge("(time ");
  EXPECT_EQ(healed.verdict, Judgement::Verdict::kEndsInside);
  ASSERT_TRUE(healed.head);
  EXPECT_EQ(healed.head->middle(), "ti");
}

TEST(GapText, APieceWritesOnWithMoreThanTheHealedText) {
  EXPECT_TRUE(WritesOn(" price", " pri"));
  EXPECT_TRUE(WritesOn("a", ""));
  EXPECT_FALSE(WritesOn(" pri", " pri"));
  EXPECT_FALSE(WritesOn("", ""));
  EXPECT_FALSE(WritesOn(" not", " pri"));
}

// The words `if b` of the cursor's line belong to its statement, and to none of a second line.
TEST_F(GapTextTest, ALineEndsBeforeItsSignsWhereWordsFollow) {
  Use(
      *Language::Compile("start: (WORD \"=\" WORD [\"if\" WORD] \";\")+\n"
                         "WORD: /[a-z]+/\nSPACE: /[ \\n]+/\n%ignore SPACE\n",
                         "lines.lark"));
  const auto judge_at = [this](const std::string& written, CursorText cursor,
                               const char* piece = "\nd") {
    const std::string right =
        cursor.right_line.empty() ? "\n" + cursor.next_text : cursor.right_line;
    GapText text(Budget(Gap::Open(*language_, "a = ", right), 20), Goal::kJoin, std::move(cursor));
    EXPECT_TRUE(text.Accept(written));
    const Judgement judged = text.Judge(piece);
    return judged.head ? judged.head->middle() : "(none)";
  };
  const auto judge = [&](const std::string& written, const std::string& right) {
    return judge_at(written, {.left_line = "a = ", .right_line = right});
  };
  EXPECT_EQ(judge("c;", " if b;"), "c");
  EXPECT_EQ(judge("c ;", " if b;"), "c");
  EXPECT_EQ(judge("c; e = f;", " if b;"), "c; e = f");
  EXPECT_EQ(judge("c;", " = b;"), "(none)") << "it may not end before the sign";
  EXPECT_EQ(judge_at("c; e", {.left_line = "a = ", .right_line = " if b;"}, "\n="), "(none)")
      << "no word is left out";
  EXPECT_EQ(judge("c;", ";"), "(none)") << "no words follow";
  EXPECT_EQ(judge_at("c;", {.left_line = "", .next_text = "if b;", .empty_block = EmptyBlock{}}),
            "(none)")
      << "they follow in the line that ends the block";
}

// A writer that is not shown the brackets which the editor has closed ahead ends before them.
TEST_F(GapTextTest, AMiddleEndsBeforeWhatTheEditorHasClosedAhead) {
  const auto end_after = [this](const std::string& written, const std::string& closed_ahead) {
    GapText text(Budget(Gap::Open(*language_, "((a + ", ""), 20), Goal::kJoin,
                 {.left_line = "((a + ", .closed_ahead = closed_ahead});
    EXPECT_TRUE(written.empty() || text.Accept(written));
    const Judgement judged = text.JudgeEnd();
    return judged.head ? judged.head->middle() : "(none)";
  };
  EXPECT_EQ(end_after("b", "))"), "b))");
  EXPECT_EQ(end_after("b)", "))"), "b))") << "the middle has closed one of them";
  EXPECT_EQ(end_after("b", ")"), "(none)") << "they do not close the middle";
  EXPECT_EQ(end_after("b", ""), "(none)");
}

TEST_F(GapTextTest, AMiddleJoinsByNoMoreBracketsThanItMayClose) {
  const auto joins = [this](std::optional<size_t> most_closing) {
    GapText text(Budget(Gap::Open(*language_, "((a + ", ""), 20), Goal::kJoin,
                 {.left_line = "((a + ", .most_closing = most_closing});
    return text.Accept("b") && text.Joins("))");
  };
  EXPECT_TRUE(joins(std::nullopt));
  EXPECT_TRUE(joins(2));
  EXPECT_FALSE(joins(1)) << "the other one is of stand-ins";
}

}  // namespace
}  // namespace tenon::server
