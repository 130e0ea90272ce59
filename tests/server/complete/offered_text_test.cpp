#include "server/complete/offered_text.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

std::string Written(const WritingStyle& style, std::string_view middle) {
  return WriteAs(style, middle, 0, {}, [](std::string_view) { return true; }).text;
}

TEST(OfferedText, HasTheLineEndsOfTheFile) {
  EXPECT_EQ(Written({"\r\n", "", true}, "a\nb\r\nc\rd"), "a\r\nb\r\nc\r\nd");
  EXPECT_EQ(Written({"\n", "", true}, "a\r\nb"), "a\nb");
  EXPECT_EQ(Written({"\r", "", true}, "a\nb"), "a\rb");
}

TEST(OfferedText, HasTheIndentationOfTheFile) {
  EXPECT_EQ(Written({"\n", "\t", true}, "{\n    b\n}"), "{\n\tb\n}");
  EXPECT_EQ(Written({"\n", "  ", true}, "{\n\tb\n}"), "{\n  b\n}");
}

TEST(OfferedText, HasBlocksAsDeepAsThoseOfTheFile) {
  WritingStyle style{"\n", "  ", true, "  ", true};
  style.block_step = 2;
  EXPECT_EQ(Written(style, "if (a) {\n      b;\n  }\n  c"), "if (a) {\n    b;\n  }\n  c");
  EXPECT_EQ(Written(style, " => {\n      b;\n  }"), " => {\n    b;\n  }") << "in a line";
  EXPECT_EQ(Written(style, "f(a,\n    b)"), "f(a,\n    b)") << "no block";
  const OfferedText offered =
      WriteAs(style, "a {\n      b", 0, {{9, 0.1}, {11, 0.2}}, [](auto) { return true; });
  EXPECT_EQ(offered.nats[1].end_bytes, offered.text.size());
  style.indented = true;
  EXPECT_EQ(Written(style, "  a {\n        b\n    }"), "a {\n    b\n  }") << "behind blanks";
  style.block_step = 0;
  EXPECT_EQ(Written(style, "{\n      b;\n  }"), "{\n      b;\n  }") << "the file has no blocks";
}

TEST(OfferedText, HasNoBlanksAtTheEndOfALine) {
  EXPECT_EQ(Written({"\n", "", true}, "a \t "), "a");
  EXPECT_EQ(Written({"\n", "", true}, "a \n  \n  b"), "a\n\n  b");
  EXPECT_EQ(Written({"\n", "", false}, "a, "), "a, ") << "code follows";
  EXPECT_EQ(Written({"\n", "", true}, "// a\\ "), "// a\\ ")
      << "the next line would belong to the comment";
}

TEST(OfferedText, HasClosersThatNobodyWroteInLinesOfTheirOwn) {
  const std::string_view middle = "() => {\n      a();})";
  WritingStyle style{"\n", "  ", true, "    "};
  style.left = "a;\n    ";
  const auto written = [&](size_t closing_bytes, std::string_view needed) {
    return WriteAs(style, middle, closing_bytes, {},
                   [=](auto text) { return text.find(needed) != std::string_view::npos; })
        .text;
  };
  EXPECT_EQ(written(2, ""), "() => {\n      a();\n    })");
  EXPECT_EQ(written(2, ";})"), middle) << "only so it fits";
  EXPECT_EQ(written(0, ""), middle) << "the model wrote them";
  style.left = "enum A {\n  ";
  EXPECT_EQ(WriteAs(style, "B,}", 1, {}, [](auto) { return true; }).text, "B,\n}");
  EXPECT_EQ(WriteAs(style, "B,\n}", 0, {}, [](auto) { return true; }).text, "B,\n}");
  style.left = "  f(() => {\n    ";
  EXPECT_EQ(WriteAs(style, "a();\n});", 0, {}, [](auto) { return true; }).text, "a();\n  });");
}

TEST(OfferedText, EndsAListWithItsTerminator) {
  WritingStyle style{"\n", "  ", true, "  "};
  EXPECT_EQ(Written(style, "B(2),\n;"), "B(2);");
  EXPECT_EQ(WriteAs(style, "B(2),\n  ;", 3, {}, [](auto) { return true; }).text, "B(2);");
  EXPECT_EQ(Written(style, "B(2);\n;"), "B(2);\n;");
  EXPECT_EQ(WriteAs(style, "B(2),\n;", 1, {},
                    [](auto text) { return text.find("),\n;") != std::string_view::npos; })
                .text,
            "B(2),\n;")
      << "only so it fits";
}

TEST(OfferedText, BeginsInTheCursorsLine) {
  const WritingStyle blank_line{"\n", "  ", true, "    ", true};
  EXPECT_EQ(Written(blank_line, "\n\n    a\n    b"), "a\n    b");
  EXPECT_EQ(Written(blank_line, "\n  a"), "\n  a") << "of another block";
  EXPECT_EQ(Written({"\n", "  ", true, "    "}, "\n    a"), "\n    a") << "text stands before it";
  EXPECT_EQ(Written(blank_line, "a\n    b\n  \n"), "a\n    b") << "in front of a line end";
  const OfferedText offered = WriteAs(blank_line, "\n    a b", 0, {{5, 0.1}, {6, 0.2}, {8, 0.3}},
                                      [](auto) { return true; });
  EXPECT_EQ(offered.nats[0].end_bytes, 0U);
  EXPECT_EQ(offered.nats[1].end_bytes, 1U);
  EXPECT_EQ(offered.nats[2].end_bytes, 3U);
}

TEST(OfferedText, HasNoFirstBlanksWhereTheLineIsIndented) {
  WritingStyle style{"\n", "  ", true, "  ", true};
  style.indented = true;
  EXPECT_EQ(Written(style, "  a {\n      b\n    }\n  c"), "a {\n    b\n  }\n  c");
  EXPECT_EQ(Written(style, "\n  a"), "a");
  const OfferedText offered =
      WriteAs(style, "  a\n    b", 0, {{2, 0.1}, {3, 0.2}, {9, 0.3}}, [](auto) { return true; });
  EXPECT_EQ(offered.text, "a\n  b");
  EXPECT_EQ(offered.nats[0].end_bytes, 0U);
  EXPECT_EQ(offered.nats[1].end_bytes, 1U);
  EXPECT_EQ(offered.nats[2].end_bytes, 5U);
  style.indented = false;
  EXPECT_EQ(Written(style, "  a\n    b"), "  a\n    b");
}

TEST(OfferedText, EndsItsLastLineBetweenBrackets) {
  const WritingStyle between{"\n", "  ", false, "  ", false, true};
  EXPECT_EQ(Written(between, "\n    a,\n    b"), "\n    a,\n    b\n  ");
  EXPECT_EQ(Written(between, "\n    a\n  "), "\n    a\n  ");
  EXPECT_EQ(Written(between, "a"), "a") << "of one line";
}

TEST(OfferedText, LeavesOutWhatDoesNotFit) {
  const auto fits_with = [](std::string_view what) {
    return [what](std::string_view text) { return text.find(what) != std::string_view::npos; };
  };
  const WritingStyle style{"\r\n", "\t", true};
  EXPECT_EQ(WriteAs(style, "a \n    b ", 0, {}, fits_with("\n\tb")).text, "a\r\n\tb");
  EXPECT_EQ(WriteAs(style, "a \n    b ", 0, {}, fits_with("    b")).text, "a\r\n    b");
  EXPECT_EQ(WriteAs(style, "a \n    b ", 0, {}, fits_with("a \r\n")).text, "a \r\n    b ");
  EXPECT_EQ(WriteAs(style, "a \n    b ", 0, {}, [](auto) { return false; }).text, "a \n    b ")
      << "as it was verified";
  EXPECT_EQ(WriteAs(style, "  ", 0, {}, [](auto) { return true; }).text, "  ")
      << "nothing is no text";
}

TEST(OfferedText, KeepsTheEndsOfTheTokens) {
  const OfferedText offered =
      WriteAs({"\r\n", "", true}, "a\nb \n", 0, {{1, 0.1}, {3, 0.2}, {5, 0.3}},
              [](std::string_view) { return true; });
  EXPECT_EQ(offered.text, "a\r\nb\r\n");
  ASSERT_EQ(offered.nats.size(), 3U);
  EXPECT_EQ(offered.nats[0].end_bytes, 1U);
  EXPECT_EQ(offered.nats[1].end_bytes, 4U);
  EXPECT_EQ(offered.nats[2].end_bytes, 6U);
}

}  // namespace
}  // namespace tenon::server
