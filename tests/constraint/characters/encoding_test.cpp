// Which encoding a file declares, what changes it, and bytes to UTF-8.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "constraint/characters/decode.h"
#include "constraint/characters/encoding.h"
#include "constraint/grammar/grammar.h"

namespace tenon::constraint {
namespace {

// A comment in the first line, or in the second behind another one.
const EncodingDeclaration kDeclaration = {"(#[^\\n]*\\n)?#[^\\n]*coding[:=] *",
                                          "",
                                          "[-\\w]+",
                                          "",
                                          {{"UTF-8", {"utf_8", "utf_8_*"}, true},
                                           {"UTF-8", {"u8"}, false},
                                           {"ISO-8859-1", {"latin_1", "latin_1_*"}, false}}};

class EncodingRulesTest : public testing::Test {
 protected:
  // "NAME at OFFSET: CONVERTER", "?" for a name that is not known, "!" behind a mark that does not
  // suit it.
  std::string Find(std::initializer_list<std::string_view> parts) const {
    const auto declared = rules_.Find(parts);
    if (!declared) return "none";
    const std::string converter = declared->charset ? declared->charset->converter : "?";
    return declared->name + " at " + std::to_string(declared->offset_bytes) + ": " + converter +
           (declared->charset && !declared->sound() ? "!" : "");
  }
  bool Keeps(std::string_view before, std::string_view after) const {
    return EncodingRules::Keeps(rules_.Find({before}), rules_.Find({after}));
  }

  EncodingRules rules_ = *EncodingRules::Build(kDeclaration);
};

TEST_F(EncodingRulesTest, FindTheFirstPlaceWhereANameBegins) {
  EXPECT_EQ(Find({"# coding: latin-1\na"}), "latin-1 at 10: ISO-8859-1");
  EXPECT_EQ(Find({"#!/bin/x\n# -*- encoding=utf-8 -*-"}), "utf-8 at 24: UTF-8");
  EXPECT_EQ(Find({"# coding: \n# coding:u8"}), "u8 at 20: UTF-8");
  EXPECT_EQ(Find({"# coding: coding: u8"}), "coding at 10: ?");
  EXPECT_EQ(Find({"# coding:: coding: u8"}), "u8 at 19: UTF-8");
  EXPECT_EQ(Find({"# a\n# b\n# coding: u8"}), "none");
  EXPECT_EQ(Find({"a # coding: u8"}), "none");
  EXPECT_EQ(Find({""}), "none");
}

TEST_F(EncodingRulesTest, ReadBytesBeforeTheyKnowWhatTheyMean) {
  EXPECT_EQ(Find({"# \xe9\xff\n# \xe9 coding: latin_1"}), "latin_1 at 17: ISO-8859-1");
  EXPECT_EQ(Find({"# coding: \xe9"}), "\xc3\xa9 at 10: ?");
}

TEST_F(EncodingRulesTest, ReadATextInParts) {
  EXPECT_EQ(Find({"# cod", "", "ing: la", "tin-1\n"}), "latin-1 at 10: ISO-8859-1");
  EXPECT_EQ(Find({"\xef", "\xbb", "\xbf# coding: latin-1\n"}), "latin-1 at 13: ISO-8859-1!");
}

TEST_F(EncodingRulesTest, CompareNamesByWhatTheyAreMadeOf) {
  EXPECT_EQ(PlainCharsetName("-Latin--1_"), "latin_1");
  EXPECT_EQ(PlainCharsetName("ISO 8859.15"), "iso_8859_15");
  EXPECT_EQ(PlainCharsetName("_"), "");
  EXPECT_EQ(Find({"# coding: LATIN-1-unix"}), "LATIN-1-unix at 10: ISO-8859-1");
  EXPECT_EQ(Find({"# coding: latin-15"}), "latin-15 at 10: ?");
}

TEST_F(EncodingRulesTest, AskWhetherTheEncodingSuitsAByteOrderMark) {
  EXPECT_EQ(Find({"\xef\xbb\xbf# coding: utf-8"}), "utf-8 at 13: UTF-8");
  EXPECT_EQ(Find({"\xef\xbb\xbf# coding: u8"}), "u8 at 13: UTF-8!");
  EXPECT_EQ(rules_.Find({"\xef\xbb\xbf# coding: u8"})->WhyNot(),
            "the file begins with the byte order mark of UTF-8 and cannot be declared as 'u8'");
  EXPECT_EQ(rules_.Find({"# coding: x"})->WhyNot(), "the encoding 'x' is not known");
}

TEST_F(EncodingRulesTest, KnowWhenNothingMoreCanBeDeclared) {
  for (const char* decided : {"a", "# a\n# b\n", "# a\nb", "# coding: u8 ",
                              "\xef\xbb\xbf"
                              "a",
                              "# coding: foo\n"})
    EXPECT_TRUE(rules_.IsDecided(decided)) << decided;
  for (const char* open :
       {"", "#", "# a\n", "# a\n# b", "# coding: u8", "\xef\xbb\xbf", "# coding:"})
    EXPECT_FALSE(rules_.IsDecided(open)) << open;
}

TEST_F(EncodingRulesTest, KeepATextInTheEncodingThatItIsIn) {
  EXPECT_TRUE(Keeps("a", "# coding: utf-8"));
  EXPECT_TRUE(Keeps("# coding: latin-1", "# coding: latin_1"));
  EXPECT_TRUE(Keeps("# coding: foo", "# x\n# coding: foo"));
  EXPECT_TRUE(Keeps("# coding: u", "# coding: u8"));
  EXPECT_FALSE(Keeps("a", "# coding: latin-1"));
  EXPECT_FALSE(Keeps("# coding: latin-1", "a\n# coding: latin-1"));
  EXPECT_FALSE(Keeps("a", "# coding: foo"));
  EXPECT_FALSE(Keeps("# coding: fo", "# coding: foo"));
  EXPECT_FALSE(Keeps("\xef\xbb\xbf", "\xef\xbb\xbf# coding: u8"));
}

TEST(EncodingRules, RefuseWhatIsNoPatternOrTooLarge) {
  EncodingDeclaration declaration = kDeclaration;
  declaration.name = "(";
  EXPECT_FALSE(EncodingRules::Build(declaration));
  declaration.name = "(a{40}){40}";
  EXPECT_FALSE(EncodingRules::Build(declaration));
}

TEST(DecodeToUtf8, GivesTheTextOrThePlaceOfWhatIsNone) {
  EXPECT_EQ(DecodeToUtf8("ISO-8859-15", "\xa4 \xe9")->text, "\xe2\x82\xac \xc3\xa9");
  EXPECT_EQ(DecodeToUtf8("KOI8-R", "\xc1")->text, "\xd0\xb0");
  const auto wrong = DecodeToUtf8("CP1252", "a\xe9\x81z");
  EXPECT_EQ(wrong->text, "a\xc3\xa9");
  EXPECT_EQ(wrong->wrong_at_bytes, 2u);
  const auto cut = DecodeToUtf8("GBK", "a\xd6\xd0\xce");
  EXPECT_EQ(cut->text, "a\xe4\xb8\xad");
  EXPECT_EQ(cut->wrong_at_bytes, 3u);
  EXPECT_EQ(DecodeToUtf8("UTF-7", "+AOk-")->text, "\xc3\xa9");
  EXPECT_FALSE(DecodeToUtf8("no such encoding", "a"));
}

// Longer than a piece, and every character grows.
TEST(DecodeToUtf8, ReadsTextsOfAnyLength) {
  for (size_t size : {size_t{0}, size_t{8191}, size_t{16384}, size_t{100003}}) {
    std::string expected;
    for (size_t i = 0; i < size; ++i) expected += "\xc3\xa9";
    EXPECT_EQ(DecodeToUtf8("ISO-8859-1", std::string(size, '\xe9'))->text, expected);
  }
}

}  // namespace
}  // namespace tenon::constraint
