#include "server/syntax/syntax_middle.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/files/read_file.h"
#include "tests/oracle/seed.h"
#include "tests/server/syntax/shipped_syntax.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

struct Written {
  std::string offered = "(nothing)";
  bool completed = false;
  bool over = false;  // the middle ended by itself
};

// What is offered at the offset where a model writes `pieces`; it adds no error.
Written WriteAt(const char* language_id, const std::string& text, size_t offset,
                const std::vector<std::string>& pieces, bool word_ends, bool several_lines) {
  const TSLanguage* language = ShippedSyntax(language_id);
  SyntaxMiddle middle({language, *SyntaxTree::Parse(language, text), offset, false}, several_lines);
  Written written;
  for (const std::string& piece : pieces) {
    if (middle.Append(piece, {})) continue;
    written.over = true;
    break;
  }
  const auto fitting = middle.End(word_ends, {});
  if (!fitting) return written;
  written.offered = fitting->text;
  written.completed = fitting->completed;
  std::string whole = text;
  whole.insert(offset, fitting->text);
  EXPECT_LE(SyntaxTree::Parse(language, whole)->error_count(),
            SyntaxTree::Parse(language, text)->error_count())
      << whole;
  return written;
}

// The same at the '|' of `text`.
Written Write(const char* language_id, std::string text, const std::vector<std::string>& pieces,
              bool word_ends = true, bool several_lines = true) {
  const size_t offset = text.find('|');
  text.erase(offset, 1);
  return WriteAt(language_id, text, offset, pieces, word_ends, several_lines);
}

TEST(SyntaxMiddle, TheFirstLineThatFitsIsTheWholeMiddle) {
  const Written written =
      Write("c", "int f(int a) {\n  |\n}\n", {"return", " a", " +", " 1", ";", "\n", "}"});
  EXPECT_EQ(written.offered, "return a + 1;");
  EXPECT_TRUE(written.over);
  EXPECT_EQ(Write("c", "int f(int a) {|\n}\n", {"\n\n", "  return a;\n  x"}).offered,
            "\n\n  return a;");
}

TEST(SyntaxMiddle, ABracketThatTheEditorClosedIsNotWrittenTwice) {
  EXPECT_EQ(Write("javascript", "f(|)\n", {"a", ", b", ")", ";", "\n"}).offered, "a, b");
  EXPECT_EQ(Write("javascript", "f(|);\n", {"a", "(b)", ");\n"}).offered, "a(b)");
  EXPECT_EQ(Write("rust", "fn f() { let v = [|]; }\n", {"1, 2]", ";"}).offered, "1, 2");
}

TEST(SyntaxMiddle, WhatFollowsTheCursorIsNotRepeated) {
  EXPECT_EQ(Write("c", "int x = |;\n", {"1", ";", "\n"}).offered, "1");
  EXPECT_EQ(Write("css", "a { color: |; }\n", {"red", ";", " }"}).offered, "red");
  EXPECT_EQ(Write("javascript", "|\nlet b = 2;\n", {"let", " b = 2", ";", "\n"}).offered,
            "(nothing)");
  EXPECT_EQ(Write("javascript", "|\nlet b = 2;\n", {"let", " b = 2"}).offered, "let b = 2");
  EXPECT_EQ(
      Write("java", "class A {\n|\n  int f() { return 1; }\n}\n", {"  int f() { return 1; }", "\n"})
          .offered,
      "(nothing)");
}

TEST(SyntaxMiddle, WhereTheModelWritesTheRestOfTheLineItEnds) {
  const Written written = Write("c", "int x = add(1, |);\n", {"2", ");", "\n", "print(", "x"});
  EXPECT_EQ(written.offered, "2");
  EXPECT_TRUE(written.over);
  EXPECT_EQ(Write("c", "int x = add(1, |);\n", {"2", "); //", "\n", "print(", "x"}).offered, "2")
      << "no other line, though `2); // ⏎print(x);` has no error";
  EXPECT_EQ(Write("php", "<?php\nfunction f(private |)\n{\n}\n", {"int $a", ")\n", "{"}).offered,
            "int $a")
      << "though the file has an error without it";
}

TEST(SyntaxMiddle, WhereTheModelWritesTheRestOfTheWordItEnds) {
  const char* const text = "int f(int time) { return g(|me, 1); }\n";
  const Written written = Write("c", text, {"time", ",", " 2"});
  EXPECT_EQ(written.offered, "ti");
  EXPECT_TRUE(written.over);
  EXPECT_EQ(Write("c", text, {"time"}).offered, "ti") << "as the model ends it";
  EXPECT_EQ(Write("c", text, {"time\n", "x"}).offered, "ti") << "at a line end";
  EXPECT_EQ(Write("c", text, {"time"}, false).offered, "(nothing)") << "it may go on: `timeless`";
}

TEST(SyntaxMiddle, ALineThatOpensABlockGoesOnUntilTheBlockEnds) {
  const Written written = Write("javascript", "let a = 1;\n|\nlet b = 2;\n",
                                {"if (a) {", "\n", "  f();\n", "}", "\n", "g();\n"});
  EXPECT_EQ(written.offered, "if (a) {\n  f();\n}");
  EXPECT_TRUE(written.over);
  EXPECT_FALSE(written.completed);
  const Written lua =
      Write("lua", "local a = 1\n|\nlocal b = 2\n", {"if a then", "\n  f()\n", "end", "\n", "g()"});
  EXPECT_EQ(lua.offered, "if a then\n  f()\nend");
}

TEST(SyntaxMiddle, AHeadAloneGoesOn) {
  const std::string function = "int f(int a) {\n  |\n  return a;\n}\n";
  EXPECT_EQ(Write("c", function, {"while", " (a", ")\n", "    a--;", "\n", "}"}).offered,
            "while (a)\n    a--;");
  EXPECT_EQ(Write("c", function, {"while", " (a", ")"}).offered, "(nothing)");
  EXPECT_EQ(Write("c", "int f(int a) {\n  |\n    a--;\n}\n", {"while", " (a", ")\n"}).offered,
            "while (a)")
      << "the next statement is deeper";
  EXPECT_EQ(Write("c", function, {"g", "(a", ")", ";\n"}).offered, "g(a);");
  EXPECT_EQ(Write("c", "int f(int a) {\n  switch (a) {\n    |\n  }\n}\n",
                  {"case 1:\n", "      return", " 2;\n", "    case"})
                .offered,
            "case 1:\n      return 2;");
  EXPECT_EQ(
      Write("shellscript", "case $1 in\n  |\nesac\n", {"stop)\n", "    a\n", "    ;;\n"}).offered,
      "stop)\n    a\n    ;;");
  EXPECT_EQ(Write("c", "int a = f(\n    |\n;\n", {"b", ")\n"}).offered, "b)") << "that of f";
  EXPECT_EQ(Write("yaml", "a:\n  |\n", {"b:\n", "    - 1\n", "  c"}).offered, "b:\n    - 1")
      << "at the end of the file";
}

TEST(SyntaxMiddle, AHeadThatBeganLeftOfTheCursorGoesOn) {
  const std::vector<std::string> pieces = {"a > b)\n", "    c();", "\n"};
  EXPECT_EQ(Write("c", "int f(int a) {\n  if (|\n  return a;\n}\n", pieces).offered,
            "a > b)\n    c();");
  EXPECT_EQ(
      Write("c", "int f(int a) {\n  if (|\n  return a;\n}\n", {"a > b)\n", "    ] ]"}).offered,
      "a > b)")
      << "nothing longer fits";
  EXPECT_EQ(Write("c", "int f(int a) {\n  while (|\n  {\n    a++;\n  }\n}\n", pieces).offered,
            "a > b)")
      << "its block follows";
  EXPECT_EQ(Write("ruby", "def f\n  puts g(|\n  exit\nend\n", {"1)\n", "  h"}).offered, "1)")
      << "the next statement is no part of it";
  EXPECT_EQ(Write("shellscript", "a=$(|\necho b\n", {"date)\n", "c"}).offered, "date)");
}

TEST(SyntaxMiddle, ALineThatNeedsAnEndGoesOnToIt) {
  EXPECT_EQ(Write("lua", "function A:|\n", {"f()\n", "  g()\n", "end\n", "b"}).offered,
            "f()\n  g()\nend");
  const std::string ruby = "class A\n  def |\nend\n";
  EXPECT_EQ(Write("ruby", ruby, {"f\n", "    1\n", "  end\n", "  def"}).offered, "f\n    1\n  end");
  EXPECT_EQ(Write("ruby", ruby, {"f\n", "    1\n", "  end"}).offered, "f\n    1\n  end");
  EXPECT_EQ(Write("ruby", ruby, {"f\n", "    1\n", "    2"}, false).offered, "f")
      << "the tokens end before";
  EXPECT_EQ(Write("lua", "if x then\nfunction |\nend\n", {"f()\n", " g()\n", "end\n"}).offered,
            "f()\n g()\nend")
      << "its own, though the next line is the same";
  EXPECT_EQ(Write("ruby", "class A\n  a = |\n", {"f\n", "  b\n"}).offered, "f")
      << "the error lies elsewhere";
}

TEST(SyntaxMiddle, ALineThatClosesABlockOfTheFileIsWrittenWhereItIsMissing) {
  const std::vector<std::string> pieces = {"exit 1\n", "fi", "\necho b"};
  EXPECT_EQ(Write("shellscript", "if a; then\n  |\necho b\n", pieces).offered, "exit 1\nfi");
  EXPECT_EQ(Write("shellscript", "if a; then\n  |\necho b\n", {"exit 1\n", "fi"}).offered,
            "exit 1\nfi")
      << "where the model ends";
  EXPECT_EQ(Write("shellscript", "if a; then\n  |\nfi\necho b\n", pieces).offered, "exit 1");
  EXPECT_EQ(Write("shellscript", "if a; then\n  |\necho b\n", {"exit 1\n", "c\n"}).offered,
            "exit 1")
      << "another line";
  EXPECT_EQ(Write("c", "int f(int a) {\n  while (a) {\n    |\n  return a;\n}\n",
                  {"a--;\n", "  }\n", "  a"})
                .offered,
            "a--;\n  }");
}

TEST(SyntaxMiddle, ABlockThatHasItsEndGetsNoOtherWhereABlockAboveLacksOne) {
  EXPECT_EQ(Write("c",
                  "int f(int a) {\n  if (a) {\n    a++;\n  return a;\n}\n\n"
                  "int g(int b) {\n  |\n}\n",
                  {"return b;\n", "}\n", "int c"})
                .offered,
            "return b;");
}

TEST(SyntaxMiddle, ABlockThatIsNotFinishedIsClosed) {
  const Written written = Write("javascript", "function f() {\n  |\n}\n",
                                {"if", " (a) {", "\n    f();", "\n    if (b"}, false);
  // `if (b)` would take the bracket for its statement.
  EXPECT_EQ(written.offered, "if (a) {\n    f();\n  }");
  EXPECT_TRUE(written.completed);
}

TEST(SyntaxMiddle, ABlockThatIsEmptyIsFilledUpToItsEnd) {
  const char* const text = "int f(int a) {\n  |\n}\n";
  const std::vector<std::string> pieces = {"a += 1;", "\n  return", " a;\n", "}", "\nint b;"};
  const Written written = Write("c", text, pieces);
  EXPECT_EQ(written.offered, "a += 1;\n  return a;");
  EXPECT_TRUE(written.over);
  EXPECT_EQ(Write("c", text, {"a += 1;\n  return", " a"}, false).offered, "a += 1;")
      << "whole lines alone";
  EXPECT_EQ(Write("c", text, pieces, true, false).offered, "a += 1;");
  EXPECT_EQ(Write("c", text, {"a++;\n", "  b++;\n", "  b++;\n", "  b++;\n  b++;\n"}).offered,
            "a++;\n  b++;")
      << "before lines that come again";
  EXPECT_EQ(Write("ruby", "def f(a)\n  |\nend\n", {"b = a\n", "  b + 1\n", "end\nf(1)"}).offered,
            "b = a\n  b + 1");
  EXPECT_EQ(Write("lua", "local function f(l)\n  |\nend\n",
                  {"  local s = 0\n    for _, v in l do\n", "      s = v\n    end\n    return s",
                   "\nend"})
                .offered,
            "  local s = 0\n    for _, v in l do\n      s = v\n    end\n    return s");
  EXPECT_EQ(
      Write("shellscript", "case $1 in\n  |\nesac\n", {"stop)\n", "    a\n", "    ;;\n"}).offered,
      "stop)\n    a\n    ;;");
  EXPECT_EQ(Write("c", "int a = f(\n    |\n;\n", {"b", ")\n"}).offered, "b)") << "that of f";
  EXPECT_EQ(Write("yaml", "a:\n  |\nb: 1\n", {"c: 1\n  d:", " 2\n", "e: 3"}).offered,
            "c: 1\n  d: 2");
}

TEST(SyntaxMiddle, OpenBracketsOfALineAreClosed) {
  const Written written = Write("javascript", "let a = |\nlet b = 2;\n", {"f(", "x", ", y"});
  EXPECT_EQ(written.offered, "f(x, y)");
  EXPECT_TRUE(written.completed);
}

TEST(SyntaxMiddle, EndsWhereItStutters) {
  std::vector<std::string> pieces = {"f(", "1"};
  pieces.insert(pieces.end(), 20, ", 0");
  const Written written = Write("c", "int x = |;\n", pieces);
  EXPECT_EQ(written.offered, "f(1, 0)");
  EXPECT_TRUE(written.over);
}

TEST(SyntaxMiddle, WithOneLineAloneABlockIsClosedAtOnce) {
  EXPECT_EQ(Write("javascript", "|\nlet b = 2;\n", {"if (a) {", "\n  f();"}, true, false).offered,
            "if (a) {}");
}

TEST(SyntaxMiddle, AnOpenBlockIsClosedInABrokenFile) {
  EXPECT_EQ(Write("c", "int f(int a) {\n  switch (|\n  return 1;\n}\n",
                  {"a) {\n", "  case 0: return 2;\n", "  case 1: return 3;"}, false)
                .offered,
            "a) {\n  case 0: return 2;\n  case 1: return 3;\n  }");
  EXPECT_EQ(Write("c", "int f(int a) {\n  switch (|\n  return 1;\n}\n",
                  {"a) {\n", "  case 0: return 2;\n", "  def"}, false)
                .offered,
            "a) {\n  case 0: return 2;\n  }")
      << "at the best beginning";
}

TEST(SyntaxMiddle, NoTextIsCutWithinItsQuotes) {
  const std::string broken = "<?php\nfunction f($a) {\n  $b = $a[\n  echo |\n}\n";
  EXPECT_EQ(Write("php", broken, {"\"Hello,", " $a"}, false).offered, "(nothing)");
  EXPECT_EQ(Write("shellscript", "f() {|\n", {"\n  echo \"[-a] [-"}, false).offered, "\n  echo");
}

TEST(SyntaxMiddle, ALineOfAnotherDepthRepeatsNone) {
  EXPECT_EQ(Write("rust", "fn f() -> i32 {\n    if let |\n    0\n}\n",
                  {"Some(b) = c {\n", "        b\n", "    } else {\n", "        0\n", "    }\n"})
                .offered,
            "Some(b) = c {\n        b\n    } else {\n        0\n    }");
}

TEST(SyntaxMiddle, AnUnfinishedWordIsNotOffered) {
  EXPECT_EQ(Write("c", "int x = |;\n", {"count", " +", " tot"}, false).offered, "count");
  EXPECT_EQ(Write("c", "int x = |;\n", {"count", " +", " total"}, true).offered, "count + total");
}

TEST(SyntaxMiddle, NothingIsOfferedWhereNoBeginningFits) {
  EXPECT_EQ(Write("c", "int x = 1|;\n", {")", "]", "\n"}).offered, "(nothing)");
  EXPECT_EQ(Write("toml", "a = 1\n|\n", {"= = [", "\n"}).offered, "(nothing)");
  EXPECT_EQ(Write("toml", "a = 1\n|\n", {" ", "\n", "\n"}).offered, "(nothing)");
  EXPECT_EQ(Write("toml", "a = 1\n|\n", {}).offered, "(nothing)");
}

TEST(SyntaxMiddle, InABrokenFileNoErrorIsAddedAndOneAtTheCursorMayBeMended) {
  // An error elsewhere stays, and does not hide one of the middle.
  const char* broken = "int f( {\n}\nint g(void) {\n  return |;\n}\n";
  EXPECT_EQ(Write("c", broken, {"1", " + 2", ")", ";", "\n"}).offered, "1 + 2");
  EXPECT_EQ(Write("c", "int f(void) {\n  g(|\n  return 1;\n}\n", {"a", ", b", ");", "\n"}).offered,
            "a, b);");
}

// Real files, gaps of up to 60 bytes, and a model that writes what stood there and what follows, or
// text of another place.
TEST(SyntaxMiddle, InRealFilesMostGapsAreAnsweredAndNoErrorIsEverAdded) {
  std::mt19937_64 random(oracle::TestSeed());
  const std::pair<const char*, const char*> files[] = {
      {"cpp", "server/syntax/syntax_middle.cpp"},
      {"shellscript", "tools/setup_sources"},
      {"lua", "editors/neovim/lua/tenon/init.lua"},
      {"markdown", "docs/grammars.md"},
      {"python", "tests/repository/include_rule.py"},
      {"c", "tests/server/syntax/future.c"},
      {"json", "models/registry.json"}};
  int answered = 0, gaps = 0;
  for (const auto& [language, path] : files) {
    const std::string whole = *ReadFile(SourcePath(path));
    for (int i = 0; i < 30; ++i) {
      const size_t begin = random() % whole.size();
      const size_t end = std::min(whole.size(), begin + 1 + random() % 60);
      std::string text = whole;
      text.erase(begin, end - begin);
      const bool elsewhere = i % 3 == 2;
      const size_t from = elsewhere ? random() % whole.size() : begin;
      std::vector<std::string> pieces;
      for (size_t at = from; at < std::min(whole.size(), from + 160); at += 4)
        pieces.push_back(whole.substr(at, 4));
      const Written written = WriteAt(language, text, begin, pieces, false, true);
      if (elsewhere) continue;
      ++gaps;
      answered += written.offered != "(nothing)";
    }
  }
  EXPECT_GT(answered * 10, gaps * 8) << answered << " of " << gaps;
}

// Whoever offers it gives it the file's line ends (server/complete/offered_text.h).
TEST(SyntaxMiddle, LineEndsAreAsTheyWereWritten) {
  EXPECT_EQ(
      Write("javascript", "let a = 1;\r\n|\r\n", {"if (a) {", "\n  f();\n", "}", "\n"}).offered,
      "if (a) {\n  f();\n}");
}

TEST(SyntaxMiddle, AStoppedRequestOffersWhatWasJudgedBefore) {
  const TSLanguage* language = ShippedSyntax("c");
  SyntaxMiddle middle({language, *SyntaxTree::Parse(language, "int x = ;\n"), 8, false}, true);
  std::stop_source stop;
  EXPECT_TRUE(middle.Append("a + b", {}));
  EXPECT_TRUE(middle.Append(" + ", {}));
  stop.request_stop();
  const auto fitting = middle.End(false, stop.get_token());
  ASSERT_TRUE(fitting.has_value());
  EXPECT_EQ(fitting->text, "a + b");
}

}  // namespace
}  // namespace tenon::server
