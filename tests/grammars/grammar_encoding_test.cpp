// Files of Python that declare their encoding: what CPython says of their bytes, and what may be
// written beside a declaration.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/reading/reading.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

using constraint::CheckFile;
using constraint::FileCheck;
using constraint::Strength;

// Answers of `ast.parse` to bytes, the same from CPython 3.9 to 3.13.
struct Probe {
  std::string bytes;
  bool valid;
};

std::vector<Probe> Probes() {
  std::vector<Probe> probes = {
      {"# \xe9\n# coding: latin-1\n", true},
      {"# coding: latin-1\n\xe9 = 1\n", true},
      {"# coding: iso-8859-15\n\xa4 = 1\n", false},  // the euro sign
      {"# coding: cp1252\nx = '\x80'\n", true},
      {"# coding: cp1252\nx = '\x81'\n", false},
      {"# coding: koi8-r\n\xc1 = '\xff'\n", true},
      {"# coding: euc-jp\nx = '\xa4\xa2'\n", true},
      {"# coding: shift_jis\nx = '\x83\\'\n",
       true},  // one character of two bytes, whose second is a backslash
      {"# coding: shift_jis\nx = '\\'\n", false},
      {"# coding: gbk\nx = '\xd6\xd0'\n", true},
      {"# coding: big5\nx = '\xa4\x40'\n", true},
      {"# coding: big5\nx = '\xa4\x40\xa4'\n", false},
      {"# coding: gb18030\nx = '\x81\x30\x81\x30'\n", true},
      {"# coding: utf-7\nx = '+AOk-'\n", true},
      {"# coding: ascii\nx = 1\n", true},
      {"# coding: ascii\n# \xc3\xa9\n", false},
      {"# coding: utf-8\nx = '\xe9'\n", false},
      {"\n# coding: foo\n", false},
      {"\r\n# coding: foo\r\n", false},
      {"\x0c # coding: foo\n", false},
      {"# coding: \n# coding: foo", false},
      {"# coding: coding: foo\n", false},
      {"# coding:: utf8 coding:foo\n", false},
      {"# coding: utf-8 coding: foo\n", true},
      {"# coding: utf-8\n# coding: foo\n", true},
      {"\n\n# coding: foo\n", true},
      {"x\n# coding: foo\n", true},
      {"x = 1 # coding: foo\n", true},
      {"\\\n# coding: foo\n", true},
      {"'''\n# coding: foo\n'''", true},
      {"# encoding \t= foo", true},
      {"# Coding: foo", true},
      {"# coding: 'foo'\n", true},
      {"# coding: f\xc3\xb6\n", false},
      {"# coding: latin-1\n# coding: utf-8\nx = '\xe9'\n", true},
      {"\xef\xbb\xbf# coding: utf-8\nx = '\xc3\xa9'\n", true},
      {"\xef\xbb\xbf# coding: utf-8-sig\n", true},
      {"\xef\xbb\xbf# coding: utf8\n", false},
      {"\xef\xbb\xbf# coding: latin-1\n", false},
      {"\xef\xbb\xbf\n# coding: foo\n", false},
      {"\xef\xbb\xbfx\n# coding: latin-1\n", true},
  };
  for (const char* name :
       {"utf-8",      "utf8",       "UTF_8",   "Utf-8",       "utf-8-foo",    "utf-8-sig",
        "U8",         "latin-1",    "LATIN_1", "latin--1",    "latin-1-unix", "iso-latin-1-dos",
        "iso-8859-1", "iso.8859.1", "L1",      "iso-8859-15", "cp1252",       "Windows-1252",
        "1252",       "koi8-r",     "euc-jp",  "shift_jis",   "SJIS",         "gbk",
        "big5",       "utf-7",      "ascii",   "us-ascii",    "646"})
    probes.push_back({std::string("# coding: ") + name + "\nx = 1\n", true});
  for (const char* name :
       {"utf-16", "utf-16-le", "utf-32", "cp037", "rot13", "hex", "base64", "mbcs", "oem",
        "undefined", "punycode", "utf8-foo", "cp-1252", "foo", "None", "-", "."})
    probes.push_back({std::string("# coding: ") + name + "\nx = 1\n", false});
  return probes;
}

TEST(PythonEncodings, AreThoseOfCPython) {
  for (const Probe& probe : Probes()) {
    const FileCheck check =
        CheckFile(ShippedLanguage("python.lark"), probe.bytes, Strength::kAccept);
    EXPECT_EQ(check.result.valid, probe.valid) << probe.bytes << ": " << check.result.message;
  }
}

TEST(PythonEncodings, AreDecodedBeforeTheTextIsRead) {
  const FileCheck check = CheckFile(ShippedLanguage("python.lark"),
                                    "# coding: latin-1\n\xe9\xe8 = $\n", Strength::kAccept);
  EXPECT_EQ(check.text, "# coding: latin-1\n\xc3\xa9\xc3\xa8 = $\n");
  EXPECT_EQ(check.result.offset_bytes, check.text.find('$'));
  EXPECT_EQ(check.result.message.substr(0, 21), "'$' cannot stand here");
  EXPECT_TRUE(
      CheckFile(ShippedLanguage("python.lark"), "# coding: latin-1\nx = '\xe9'\n", Strength::kEmit)
          .result.valid);
}

TEST(PythonEncodings, AreToldWhereTheyAreWrong) {
  const auto say = [](const std::string& bytes) {
    const FileCheck check = CheckFile(ShippedLanguage("python.lark"), bytes, Strength::kAccept);
    return std::to_string(check.result.offset_bytes) + ": " + check.result.message;
  };
  EXPECT_EQ(say("# -*- coding: foo -*-\n"), "14: the encoding 'foo' is not known");
  EXPECT_EQ(
      say("\xef\xbb\xbf# coding: latin-1\n"),
      "13: the file begins with the byte order mark of UTF-8 and cannot be declared as 'latin-1'");
  EXPECT_EQ(say("# coding: ascii\n# \xc3\xa9\n"),
            "18: the byte 0xc3 begins no character of the encoding 'ascii'");
  EXPECT_EQ(say("# coding: cp1252\n# \xe9\x81\n"),
            "21: the byte 0x81 begins no character of the encoding 'cp1252'");
}

// A text is characters already.
TEST(PythonEncodings, OfATextAreOnlyLookedAt) {
  const constraint::Language& python = ShippedLanguage("python.lark");
  EXPECT_TRUE(Accepts(python, "# coding: ascii\nx = '\xc3\xa9'\n"));
  EXPECT_FALSE(Accepts(python, "# coding: foo\nx = 1\n"));
  EXPECT_TRUE(Accepts(ShippedLanguage("sql.lark"), "-- coding: foo\nselect 1;"));
}

// Every converter that the grammar names is there.
TEST(PythonEncodings, HaveConverters) {
  for (const constraint::Charset& charset :
       ShippedLanguage("python.lark").grammar.encoding->charsets) {
    const std::string bytes = "# coding: " + charset.names[0] + "\nx = 1\n";
    const FileCheck check = CheckFile(ShippedLanguage("python.lark"), bytes, Strength::kAccept);
    EXPECT_TRUE(check.result.valid) << charset.converter << ": " << check.result.message;
  }
}

struct Gap {
  const char *left, *middle, *right;
  bool emitted,
      accepted;  // is it a member, when the middle is written, and when everything is given?
};

TEST(PythonEncodings, AreNotChangedByWhatIsWritten) {
  const std::shared_ptr<const constraint::Language> python(std::shared_ptr<void>(),
                                                           &ShippedLanguage("python.lark"));
  for (const Gap& gap : {
           Gap{"", "# coding: utf-8\n", "x\n", true, true},
           Gap{"", "# coding: latin-1\n", "x\n", false, true},
           Gap{"", "# coding: foo\n", "x\n", false, false},
           Gap{"# cod", "ing: fo", "o\n", false, false},
           Gap{"# coding: latin", "-1", "\nx\n", true, true},
           Gap{"# coding: latin", "-9", "\nx\n", false, false},
           Gap{"", "x\n", "# coding: latin-1\n", false, true},
           Gap{"", "# x\n", "# coding: latin-1\n", true, true},
           Gap{"# coding: foo\n", "x", "\n", true, false},
           Gap{"x\n", "# coding: foo", "\n", true, true},
       }) {
    for (bool emit : {true, false}) {
      constraint::GapPolicy policy;
      policy.emit = emit;
      auto state = constraint::OpenGap(python, gap.left, gap.right, policy);
      ASSERT_TRUE(state.Accept(gap.middle)) << gap.left << "|" << gap.middle;
      EXPECT_EQ(state.Member(), emit ? gap.emitted : gap.accepted)
          << emit << gap.left << "|" << gap.middle << "|" << gap.right;
    }
    const std::string text = std::string(gap.left) + gap.middle + gap.right;
    EXPECT_EQ(Accepts(*python, text), gap.accepted) << text;
  }
}

// What closes such a gap is something else.
TEST(PythonEncodings, AreNotChangedByClosingTexts) {
  const std::shared_ptr<const constraint::Language> python(std::shared_ptr<void>(),
                                                           &ShippedLanguage("python.lark"));
  auto state = constraint::OpenGap(python, "# coding: latin", "\nx = 1\n", constraint::GapPolicy());
  ASSERT_TRUE(FindClosing(state));
  EXPECT_EQ(FindClosing(state)->text, "");
  ASSERT_TRUE(state.Accept("-"));
  ASSERT_TRUE(state.Accept("9"));
  EXPECT_FALSE(state.Member());
}

}  // namespace
}  // namespace tenon::grammars
