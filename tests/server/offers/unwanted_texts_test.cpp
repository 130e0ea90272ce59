#include "server/offers/unwanted_texts.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using Texts = std::vector<std::string>;

// A document "a" that is edited at its cursor "|".
class UnwantedTextsTest : public testing::Test {
 protected:
  void Begin(const std::string& text_with_cursor) {
    cursor_ = text_with_cursor.find('|');
    text_ = text_with_cursor;
    text_.erase(cursor_, 1);
  }
  void Show(std::string_view text) { unwanted_.OnShown("a", text_, cursor_, text); }
  void Replace(size_t begin, size_t removed, const std::string& inserted) {
    unwanted_.OnEdit("a", text_, {begin, text_.substr(begin, removed), inserted}, now_);
    text_.replace(begin, removed, inserted);
    cursor_ = begin + inserted.size();
  }
  void Type(const std::string& keys) {
    for (const char key : keys) Replace(cursor_, 0, std::string(1, key));
  }
  void Insert(const std::string& text) { Replace(cursor_, 0, text); }
  void Delete(size_t bytes) { Replace(cursor_ - bytes, bytes, ""); }
  void Backspace(int times) {
    for (int i = 0; i < times; ++i) Delete(1);
  }
  Texts Unwanted() const { return unwanted_.At("a", text_, cursor_, now_); }

  UnwantedTexts unwanted_;
  std::string text_;
  size_t cursor_ = 0;
  UnwantedTexts::Time now_;
};

TEST_F(UnwantedTextsTest, WhatWasShownIsDismissedByTypingSomethingElse) {
  Begin("a\nx = |\n");
  Show("max(a, b)");
  Type("m");
  EXPECT_EQ(Unwanted(), Texts()) << "it is written along";
  Type("i");
  EXPECT_EQ(Unwanted(), Texts()) << "another text stands there";
  Backspace(1);
  EXPECT_EQ(Unwanted(), Texts{"ax(a, b)"});
  Backspace(1);
  EXPECT_EQ(Unwanted(), (Texts{"mi", "max(a, b)"})) << "what was deleted is unwanted, too";
}

TEST_F(UnwantedTextsTest, FarToTheRightOfALineNothingIsRemembered) {
  for (const size_t before : {UnwantedTexts::kMaxBytes - 2, UnwantedTexts::kMaxBytes + 1}) {
    Begin(std::string(before, 'a') + "|\n");
    Show("max(a, b)");
    Type("q");
    Backspace(1);
    EXPECT_EQ(Unwanted().empty(), before > UnwantedTexts::kMaxBytes) << before;
    Insert("min(c, d)");
    Delete(9);
    EXPECT_EQ(Unwanted().empty(), before > UnwantedTexts::kMaxBytes) << before;
  }
}

TEST_F(UnwantedTextsTest, LettersThatAreTakenBackWhileWritingAlongAreNoRefusal) {
  Begin("x = |\n");
  Show("max(a, b)");
  Type("max");
  Backspace(3);
  EXPECT_EQ(Unwanted(), Texts());
}

TEST_F(UnwantedTextsTest, WhatWasAcceptedAndTakenBackIsUnwanted) {
  Begin("x = |\n");
  Show("max(a, b)");
  Insert("max(a, b)");
  EXPECT_EQ(Unwanted(), Texts());
  Delete(9);
  EXPECT_EQ(Unwanted(), Texts{"max(a, b)"});
}

TEST_F(UnwantedTextsTest, OfAnAcceptedTextTheDeletedRestIsUnwanted) {
  Begin("x = |\n");
  Show("max(a, b)");
  Insert("max(a, b)");
  Backspace(3);
  EXPECT_EQ(Unwanted(), Texts{" b)"});
}

TEST_F(UnwantedTextsTest, WhatWasDeletedIsUnwantedWhereItWas) {
  Begin("x = max(a)|\n");
  Delete(6);
  EXPECT_EQ(Unwanted(), Texts{"max(a)"});
  Type("m");
  EXPECT_EQ(Unwanted(), Texts{"ax(a)"});
  Type("a");
  EXPECT_EQ(Unwanted(), Texts()) << "two characters of it were typed again: it is wanted";
}

TEST_F(UnwantedTextsTest, KeyByKeyItGrows) {
  Begin("x = max(a)|\n");
  Backspace(1);
  EXPECT_EQ(Unwanted(), Texts()) << "one character is no refusal";
  Backspace(5);
  EXPECT_EQ(Unwanted(), Texts{"max(a)"});
}

TEST_F(UnwantedTextsTest, OfAReplacementTheLostPartIsUnwanted) {
  Begin("x = max(a)|\n");
  Replace(4, 6, "min(a)");
  cursor_ = 5;
  text_.erase(5, 5);
  EXPECT_EQ(Unwanted(), Texts{"ax"});
}

TEST_F(UnwantedTextsTest, ABracketThatTheEditorClosesIsNoDismissal) {
  Begin("x = |\n");
  Show("f(a)");
  Type("f");
  Insert("()");
  EXPECT_EQ(Unwanted(), Texts());
  Delete(3);
  EXPECT_EQ(Unwanted(), Texts{"f()"}) << "this was the user's own";
}

TEST_F(UnwantedTextsTest, AnEditElsewhereForgetsAll) {
  Begin("a\nx = max(a)|\n");
  Delete(6);
  const size_t place = cursor_;
  Replace(0, 0, "b");
  cursor_ = place + 1;
  EXPECT_EQ(Unwanted(), Texts());
}

TEST_F(UnwantedTextsTest, CharactersAreCountedAndNoBytes) {
  Begin("x = été|\n");
  Delete(std::string("été").size());
  Insert("é");
  EXPECT_EQ(Unwanted(), Texts{"té"}) << "one character was written along it";
  Insert("t");
  EXPECT_EQ(Unwanted(), Texts()) << "two";
}

TEST_F(UnwantedTextsTest, TimeForgetsAll) {
  Begin("x = max(a)|\n");
  Delete(6);
  now_ += UnwantedTexts::kMemory;
  EXPECT_EQ(Unwanted(), Texts{"max(a)"});
  now_ += std::chrono::milliseconds(1);
  EXPECT_EQ(Unwanted(), Texts());
}

TEST_F(UnwantedTextsTest, KeepsAFewTextsOfBoundedSize) {
  Begin("|\n");
  for (size_t i = 0; i < 2 * UnwantedTexts::kMaxTexts; ++i) {
    Insert(std::string(2, static_cast<char>('a' + i)) + std::string(UnwantedTexts::kMaxBytes, 'x'));
    Delete(text_.size() - 1);
  }
  const Texts unwanted = Unwanted();
  EXPECT_EQ(unwanted.size(), UnwantedTexts::kMaxTexts);
  for (const std::string& text : unwanted) EXPECT_EQ(text.size(), UnwantedTexts::kMaxBytes);
}

TEST_F(UnwantedTextsTest, ADocumentKnowsNothingOfAnother) {
  Begin("x = max(a)|\n");
  Delete(6);
  EXPECT_EQ(unwanted_.At("b", text_, cursor_, now_), Texts());
  unwanted_.Forget("a");
  EXPECT_EQ(Unwanted(), Texts());
}

}  // namespace
}  // namespace tenon::server
