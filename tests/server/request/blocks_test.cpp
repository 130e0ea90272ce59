#include "server/request/blocks.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using Offsets = std::vector<size_t>;

TEST(Blocks, AreOpenedAtTheEndOfALine) {
  EXPECT_EQ(OpenBlocks("f(() => {\n  a(b"), Offsets({8}));
  EXPECT_EQ(OpenBlocks("f(() => {  "), Offsets({8})) << "the line may go on";
  EXPECT_EQ(OpenBlocks("[\n  {\n"), Offsets({0, 4}));
  EXPECT_EQ(OpenBlocks("{\n}"), Offsets());
  EXPECT_EQ(OpenBlocks("f(a,\n  b"), Offsets()) << "an argument stands behind the bracket";
  EXPECT_EQ(OpenBlocks(""), Offsets());
}

TEST(Blocks, AreEmptyButForTheCursorsLine) {
  EXPECT_EQ(EmptyBlockAt("it(() => {\n  ", "\n});\na"), EmptyBlock{});
  EXPECT_EQ(EmptyBlockAt("f(\r\n", "\r\n\r\n  )"), EmptyBlock{});
  EXPECT_FALSE(EmptyBlockAt("a {\n  b\n  ", "\n}")) << "there is more";
  EXPECT_FALSE(EmptyBlockAt("a {\n  ", "\n  b\n}"));
  EXPECT_FALSE(EmptyBlockAt("a {\n  ", "\n]"));
  EXPECT_FALSE(EmptyBlockAt("a {\n  ", "}")) << "the line holds the bracket";
  EXPECT_FALSE(EmptyBlockAt("a {", "\n}"));
  EXPECT_FALSE(EmptyBlockAt("a {\n  ", ""));
  EXPECT_FALSE(EmptyBlockAt("", "\n}"));
}

TEST(Blocks, AreEmptyWhereTheirBracketIsMissing) {
  EXPECT_FALSE(EmptyBlockAt("  a {\n    ", "\n  b"));
  EXPECT_EQ(EmptyBlockAt("  a {\n    ", "\n  b", true), EmptyBlock{2});
  EXPECT_EQ(EmptyBlockAt("  a {\n    ", "\n  }", true), EmptyBlock{}) << "it is not";
  EXPECT_FALSE(EmptyBlockAt("  a {\n    ", "\n    b", true)) << "there is more";
}

TEST(Blocks, ByIndentationBeginBelowAColonOrIndentedMore) {
  const auto in_column = [](size_t column) { return EmptyBlock{column}; };
  EXPECT_EQ(EmptyBlockAt("def f(a):\n    ", ""), in_column(0));
  EXPECT_EQ(EmptyBlockAt("x\n\tif a:\r\n\t\t", "\r\n\r\n\telse:"), in_column(8));
  EXPECT_EQ(EmptyBlockAt("  def f(\n      a,\n      b):\n    ", "\n  c"), in_column(2));
  EXPECT_EQ(EmptyBlockAt("class A:\n  \"\"\"One.\n\n  Two: 3.\n  \"\"\"\n\n  ", "\n\nb"),
            in_column(0));
  EXPECT_EQ(EmptyBlockAt("class A:\n  '''One.'''\n  ", ""), in_column(0));
  EXPECT_FALSE(EmptyBlockAt("def f(a):\n    ", "\n    b")) << "there is more";
  EXPECT_FALSE(EmptyBlockAt("def f(a):\n    b\n    ", ""));
  EXPECT_FALSE(EmptyBlockAt("def f(a):\n    b = \"\"\"c\"\"\"\n    ", ""));
  EXPECT_FALSE(EmptyBlockAt("if a: ", "\n")) << "the line is not blank";
  EXPECT_FALSE(EmptyBlockAt("b = {c:\n", "\n}")) << "the colon of an entry";
  EXPECT_FALSE(EmptyBlockAt("d):\n", "")) << "no head";
  EXPECT_EQ(EmptyBlockAt("def f(a)\n  ", "\nend"), in_column(0));
  EXPECT_EQ(EmptyBlockAt("\tif a; then\n\t\t", "\n\tfi"), in_column(8));
  EXPECT_FALSE(EmptyBlockAt("def f(a)\n  ", "\n  b\nend"));
  EXPECT_FALSE(EmptyBlockAt("def f(a)\n", "\nend"));
  EXPECT_FALSE(EmptyBlockAt("  a = b\n  ", "\nc"));
}

TEST(Blocks, LinesAreIndentedAsTheirTextWillBe) {
  for (const char* left : {"a {\n  ", "  a;\n\n  ", "\ta,\n        ", "  }\n  "})
    EXPECT_TRUE(IsIndented(left)) << left;
  for (const char* left : {"", "  ", "a {\n", "  a {\n  ", "  a\n  ", "    a;\n  ", "a {\n  b"})
    EXPECT_FALSE(IsIndented(left)) << left;
}

TEST(Blocks, LinesBelowABlockAreIndentedLess) {
  for (const char* left : {"    a;\n  ", "    a\n\n  ", "\t\ta\n\t"})
    EXPECT_TRUE(IsIndentedLess(left)) << left;
  for (const char* left :
       {"", "    a\n", "  a\n  ", "  a\n    ", "    a:\n  ", "    a(\n  ", "    a\n  b"})
    EXPECT_FALSE(IsIndentedLess(left)) << left;
}

TEST(Blocks, StatementsEndBehindWordsAndClosers) {
  for (const char* line : {"a", "a();", "}", "f(b)", "\"c\"", "</li>"})
    EXPECT_TRUE(MayEndStatement(line)) << line;
  for (const char* line : {"", " ", "f(", "a,", "a +", "x = "})
    EXPECT_FALSE(MayEndStatement(line)) << line;
  EXPECT_TRUE(EndsWithOpeningBracket("a => { "));
  EXPECT_FALSE(EndsWithOpeningBracket("a => {}"));
  EXPECT_FALSE(EndsWithOpeningBracket(" "));
}

TEST(Blocks, TheSignsThatJoinTheNextLineAreLeftOut) {
  EXPECT_EQ(WithoutJoiningSigns("add(a). "), "add(a)");
  EXPECT_EQ(WithoutJoiningSigns("a &&"), "a");
  EXPECT_EQ(WithoutJoiningSigns("a;"), "a;");
  EXPECT_EQ(WithoutJoiningSigns(" +"), "");
}

TEST(Blocks, AreClosedWithoutAWord) {
  for (const char* closing : {"", "})", "};", "</li>)", "</a-b></A.B>}"})
    EXPECT_TRUE(WritesNoWord(closing)) << closing;
  for (const char* closing : {"a)", ") b", "</a", "</a b>", "< a>", "?)"})
    EXPECT_FALSE(WritesNoWord(closing)) << closing;
}

TEST(Blocks, AreClosedAndNothingIsSaid) {
  for (const char* closing : {"", "})", "\n  };\n", "</li>)", " ]"})
    EXPECT_TRUE(OnlyCloses(closing)) << closing;
  for (const char* closing : {"++", "\")", "{}", "a)", ", )", "): }", "</a", "< a>"})
    EXPECT_FALSE(OnlyCloses(closing)) << closing;
}

TEST(Blocks, EndWithClosers) {
  EXPECT_EQ(ClosersAtEnd("f(() => {\n  a();} );"), 6u);
  EXPECT_EQ(ClosersAtEnd("<a>\n  b</a>)"), 5u);
  EXPECT_EQ(ClosersAtEnd("f({\n  a();\n  });"), 0u);
  EXPECT_EQ(ClosersAtEnd("a => b"), 0u);
  EXPECT_EQ(ClosersAtEnd("a</b> c>"), 0u);
  EXPECT_EQ(ClosersAtEnd(""), 0u);
}

TEST(Blocks, AreClosedBelowTheLineThatOpenedThem) {
  const std::string_view laid_out = "f(() => {\n  a({\n    b\n  });\n})";
  EXPECT_EQ(WithClosersInLines("", laid_out, ClosersAtEnd(laid_out)), laid_out);
  EXPECT_EQ(WithClosersInLines("", "if (a) {\n  b()\n  } }", 6), "if (a) {\n  b()\n} }");
  EXPECT_EQ(WithClosersInLines("  ", "() => {\n    a();}", 1), "() => {\n    a();\n  }");
  EXPECT_EQ(WithClosersInLines("", "f(() => {\n  a({\n    b})})", 4),
            "f(() => {\n  a({\n    b\n  })\n})");
  EXPECT_EQ(WithClosersInLines("", "f(() => {\n  a(b)})", 3), "f(() => {\n  a(b)\n})");
  EXPECT_EQ(WithClosersInLines("\t", "(\n  <li>\n    {a}</li>)", 6),
            "(\n  <li>\n    {a}\n  </li>\n\t)");
  EXPECT_EQ(WithClosersInLines("  ", "f(a)", 1), "f(a)") << "in one line";
  EXPECT_EQ(WithClosersInLines("", "f(() => {\n  a();\n}, [b]);", 2),
            "f(() => {\n  a();\n}, [b]);");
  EXPECT_EQ(WithClosersInLines("", "g(\n  f(() => {\n  }, [b]))", 2),
            "g(\n  f(() => {\n  }, [b])\n)");
  EXPECT_EQ(WithClosersInLines("  ", "/**\n   * Of a*/", 2), "/**\n   * Of a\n   */");
  EXPECT_EQ(WithClosersInLines("  /* a\n  ", "b*/", 2), "b\n  */") << "begun above";
  EXPECT_EQ(WithClosersInLines("  ", "/* a */", 2), "/* a */") << "in one line";
  EXPECT_EQ(WithClosersInLines("def f():\n    \"\"\"Of a.\n\n      ", "b\"\"\"", 3),
            "b\n    \"\"\"");
  EXPECT_EQ(WithClosersInLines("  enum A {\n    ", "B,}", 1), "B,\n  }") << "of a line above";
  EXPECT_EQ(WithClosersInLines("a = f(b,\n      ", "c)", 1), "c)") << "not at a line's end";
  EXPECT_EQ(WithClosersInLines("f(() => {\n  ", "a();})", 2), "a();\n})");
  EXPECT_EQ(WithClosersInLines("f({\n  ", "a: b(() => {", 11), "a: b(() => {") << "of its own";
  EXPECT_EQ(WithClosersInLines("f(\n  a,\n  ", ")", 1), ")") << "the line is blank";
  EXPECT_EQ(WithClosersInLines("<li>\n  ", "a</li>", 5), "a</li>") << "a tag of a line above";
  EXPECT_EQ(WithClosersInLines("", "a;\n", 0), "a;\n");
  EXPECT_EQ(WithClosersInLines("", "}", 1), "}") << "of the text around";
}

TEST(Blocks, EndNoFurtherLeftThanTheyBegin) {
  EXPECT_EQ(WithLastCloserBelow("    ", "f() {\n      a();\n}"), "f() {\n      a();\n    }");
  EXPECT_EQ(WithLastCloserBelow("  enum A {\n    ", "B,\n};"), "B,\n  };");
  EXPECT_EQ(WithLastCloserBelow("", "a = {\n  b,\n  }"), "a = {\n  b,\n  }") << "deeper";
  EXPECT_EQ(WithLastCloserBelow("  ", "f(a,\n)"), "f(a,\n)") << "not at a line's end";
  EXPECT_EQ(WithLastCloserBelow("  } ", "else { // b\n}"), "else { // b\n  }");
  EXPECT_EQ(WithLastCloserBelow("  ", "a;\nb }"), "a;\nb }");
  EXPECT_EQ(WithLastCloserBelow("  void f()\n      throws A ", "{\n    a();\n  }"),
            "{\n    a();\n  }")
      << "below the head's first line";
  EXPECT_EQ(WithLastCloserBelow("", "}"), "}");
}

}  // namespace
}  // namespace tenon::server
