#include "server/complete/outline.h"

#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

const std::vector<std::string> kPython = {"import ", "from "};
const std::vector<std::string> kGo = {"package ", "import "};

TEST(Outline, ShowsImportsAndTheHeadsOfOpenBlocks) {
  const std::string hidden =
      "import json\n"
      "\n"
      "class Basket:\n"
      "    def weigh(self):\n"
      "        return 1\n"
      "\n"
      "    def price(self, tax):\n"
      "        for item in self.items:\n"
      "            pass\n";
  EXPECT_EQ(Outline(hidden, "        total = 0\n        return ", kPython, 600),
            "import json\nclass Basket:\n    def price(self, tax):\n");
}

TEST(Outline, ShowsAnImportUpToItsClosingBracket) {
  const std::string imports = "package main\nimport (\n\t\"fmt\"\n\n\t\"os\"\n)\n",
                    function = "func f() {\n\tg(\n\t)\n";
  EXPECT_EQ(Outline(imports + "var x = (\n1)\n" + function, "\tfmt.", kGo, 600),
            imports + "func f() {\n");
  EXPECT_EQ(Outline("from a import (\n    b,\n)\nc = (\n    1)\n", "d = ", kPython, 600),
            "from a import (\n    b,\n)\n");
}

TEST(Outline, ShowsTheBeginningOfAHeadThatClosesABracket) {
  EXPECT_EQ(
      Outline("func f(x int) {\n\tif x {\n\t\ta()\n\t} else {\n\t\tb()\n", "\t\tc()", kGo, 600),
      "func f(x int) {\n\tif x {\n\t} else {\n");
  EXPECT_EQ(Outline("def f(\n    a,\n) -> int:\n    b\n", "    c", kPython, 600),
            "def f(\n) -> int:\n");
}

TEST(Outline, PrefersTheInnermostHeadsWhereRoomIsShort) {
  const std::string hidden = "import a\nclass A:\n    def f():\n        x\n";
  EXPECT_EQ(Outline(hidden, "\n        y", kPython, 40), "import a\nclass A:\n    def f():\n");
  EXPECT_EQ(Outline(hidden, "\n        y", kPython, 25), "class A:\n    def f():\n");
  EXPECT_EQ(Outline(hidden, "\n        y", kPython, 13), "    def f():\n");
  EXPECT_EQ(Outline(hidden, "\n        y", kPython, 0), "");
}

TEST(Outline, KnowsTheIndentationOfALineThatTheWindowCuts) {
  EXPECT_EQ(Outline("def f():\n    value = [1, 2,", " 3, 4]", kPython, 600), "def f():\n");
}

TEST(Outline, IsEmptyWhereNothingIsHiddenOrNothingIsKnown) {
  EXPECT_EQ(Outline("", "import a\n", kPython, 600), "");
  EXPECT_EQ(Outline("x\n", "", kPython, 600), "");
  EXPECT_EQ(Outline("import a\n", "y", {}, 600), "");
}

}  // namespace
}  // namespace tenon::server
