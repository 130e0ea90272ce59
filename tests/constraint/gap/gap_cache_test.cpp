// A gap opened from a cache against one opened from nothing, after random edits: nobody may tell
// which is which.
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/language/language.h"
#include "tests/constraint/names_language.h"
#include "tests/constraint/script_language.h"
#include "tests/constraint/version_language.h"
#include "tests/source_path.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const Language> CompileShipped(const std::string& name) {
  std::string path = SourcePath("grammars/") + name;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto compiled = Language::Compile(text, path);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

// A document with a cursor, edited as a person does.
struct Document {
  std::string text;
  size_t cursor = 0;
  std::string_view left() const { return std::string_view(text).substr(0, cursor); }
  std::string_view right() const { return std::string_view(text).substr(cursor); }
  void Insert(const std::string& what) {
    text.insert(cursor, what);
    cursor += what.size();
  }
};

void Edit(Document& document, const std::vector<std::string>& pieces, std::mt19937& random) {
  auto piece = [&] { return pieces[random() % pieces.size()]; };
  switch (random() % 9) {
    case 0:
    case 1:
    case 2:
      return document.Insert(piece());
    case 3:  // backspace
      if (document.cursor > 0) document.text.erase(--document.cursor, 1);
      return;
    case 4:  // delete, some
      document.text.erase(document.cursor, random() % 4);
      return;
    case 5:  // a bracket that the editor closes
      document.Insert("(");
      document.text.insert(document.cursor, ")");
      return;
    case 6: {  // some lines up or down
      size_t at = document.cursor + document.text.size() + random() % 200 - 100;
      document.cursor =
          std::min(at < document.text.size() ? 0 : at - document.text.size(), document.text.size());
      return;
    }
    case 7: {  // an edit elsewhere
      size_t at = random() % (document.text.size() + 1);
      std::string what = random() % 2 ? piece() : "";
      size_t gone = what.empty() ? std::min<size_t>(1, document.text.size() - at) : 0;
      document.text.replace(at, gone, what);
      if (at < document.cursor) document.cursor = document.cursor + what.size() - gone;
      return;
    }
    default:
      document.cursor = random() % (document.text.size() + 1);
  }
}

struct Tally {
  size_t viable = 0, members = 0;
};

void ExpectSame(GapState cached, GapState fresh, const std::vector<std::string>& pieces,
                Tally& tally) {
  ASSERT_EQ(cached.viable(), fresh.viable());
  tally.viable += fresh.viable();
  ASSERT_EQ(cached.Member(), fresh.Member());
  tally.members += fresh.Member();
  ASSERT_EQ(cached.Expected(), fresh.Expected());
  ASSERT_EQ(ClosingCost(cached), ClosingCost(fresh));
  for (const std::string& piece : pieces)
    ASSERT_EQ(cached.Check(piece), fresh.Check(piece)) << piece;
}

void RunScripts(const std::shared_ptr<const Language>& language, const std::string& text,
                const std::vector<std::string>& pieces, unsigned seed, int scripts, int edits) {
  ASSERT_TRUE(language);
  Tally tally;
  for (int s = 0; s < scripts; ++s) {
    std::mt19937 random(seed + static_cast<unsigned>(s));
    GapCache cache(language);
    Document document{text, random() % (text.size() + 1)};
    std::optional<GapState> held;  // a state of an older version, still in use
    std::string held_left, held_right;
    for (int e = 0; e < edits; ++e) {
      if (random() % 3 == 0) {  // undone, the cursor stays about where it is
        document.text = text;
        document.cursor = std::min(document.cursor, text.size());
      }
      Edit(document, pieces, random);
      GapPolicy policy;
      policy.emit = random() % 8 != 0;
      auto cached = cache.Open(document.left(), document.right(), policy, {});
      ASSERT_TRUE(cached);
      SCOPED_TRACE("seed " + std::to_string(seed + static_cast<unsigned>(s)) + ", edit " +
                   std::to_string(e) + "\n" + std::string(document.left()) + "<gap>" +
                   std::string(document.right()));
      ExpectSame(*cached, OpenGap(language, document.left(), document.right(), policy), pieces,
                 tally);
      if (testing::Test::HasFatalFailure()) return;
      if (held) {
        ExpectSame(*held, OpenGap(language, held_left, held_right, {}), pieces, tally);
        if (testing::Test::HasFatalFailure()) return;
        held.reset();
      } else if (policy.emit && random() % 6 == 0) {
        held = std::move(cached);
        held_left = document.left();
        held_right = document.right();
      }
    }
  }
  EXPECT_GT(tally.viable, static_cast<size_t>(scripts * edits) / 5);
  EXPECT_GT(tally.members, static_cast<size_t>(scripts * edits) / 20);
}

constexpr const char* kPython = R"(import os


class Shape(Base):
    """A shape."""
    sides: int = 0

    def area(self, *, scale=1.0):
        if self.sides == 3 and (scale > 0 or not self.fixed):
            return [x ** 2 for x in self.edges if x] + list(
                map(lambda e: e * scale, self.edges))
        elif scale:
            total = {"a": 1, **self.rest}["a"]
        else:
            for a, b in pairs:
                total += a[b:, ...]
        return total

def main():
    try:
        print(a, f"{b!r}", sep="\n")
    except OSError as error:
        pass
    return x if x else \
        y

if __name__ == "__main__":
    main()
)";

TEST(GapCache, OpensPythonAsFromNothing) {
  RunScripts(CompileShipped("python.lark"), kPython, {"x",
                                                      " = ",
                                                      "(",
                                                      ")",
                                                      "[",
                                                      "]",
                                                      "\n",
                                                      "\n    ",
                                                      "\n        ",
                                                      ":",
                                                      "\"",
                                                      "'",
                                                      "\"\"\"",
                                                      "# c",
                                                      "if x:\n",
                                                      "return ",
                                                      ", ",
                                                      ".",
                                                      "def f():\n    pass\n",
                                                      "else:",
                                                      "1",
                                                      "\\\n"},
             77, 6, 60);
}

TEST(GapCache, OpensJsonAsFromNothing) {
  RunScripts(
      CompileShipped("json.lark"),
      "{\"a\": [1, 2, {\"b\": null, \"c\": [[], {}, [true]]}, \"x\"],\n \"d\": {\"e\": -1.5e3}}",
      {"1", ",", "[", "]", "{", "}", "\"", "\"k\": ", "null", ":", "\n", " ", "e", "-"}, 99, 20,
      60);
}

TEST(GapCache, FindsTheLevelOfAGapAsFromNothing) {
  auto compiled = Language::Compile(kVersions, "versions.lark");
  ASSERT_TRUE(compiled);
  RunScripts(*compiled, "a; [*a, a]; m a: a[*a]; (a, [*a], *m); n a; m[a]; [*n];",
             {"a", "m", "n", " ", ";", "[", "]", "(", ")", "*", "[*", ",", ": ", "m a: ", "n a; "},
             55, 20, 60);
}

// The right context asks for a name. A memo of what it refused does not say which.
TEST(GapCache, FindsANameThatTheRightContextAsksForAgainAndAgain) {
  const auto language = Compile(kClasses);
  ASSERT_NE(language, nullptr);
  GapCache cache(language);
  for (int i = 0; i < 3; ++i) {
    const auto state = cache.Open("class b {}\n", "; ; int c = new {}; abc(); }", {}, {});
    ASSERT_TRUE(state);
    const auto closing = FindClosing(*state);
    ASSERT_TRUE(closing) << i;
    EXPECT_EQ(closing->text, "class abc{");
  }
}

TEST(GapCache, StopsWhenAskedToAndGoesOnAfterwards) {
  auto language = CompileShipped("python.lark");
  GapCache cache(language);
  std::stop_source stop;
  stop.request_stop();
  std::string left = "def f():\n    return (";
  EXPECT_FALSE(cache.Open(left, ")\n", {}, stop.get_token()));
  auto state = cache.Open(left, ")\n", {}, {});
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->viable());
  EXPECT_TRUE(state->Check("1"));
  EXPECT_FALSE(state->Check("]"));
}

TEST(GapCache, StopsWhileARightContextIsReadAndReadsItAnewAfterwards) {
  auto language = CompileShipped("python.lark");
  GapCache cache(language);
  std::stop_source stop;
  stop.request_stop();
  for (const std::string right : {"(1))\n", "f(1))\n", "g(f(1)))\n"}) {
    EXPECT_FALSE(cache.Open("", right, {}, stop.get_token()));
    auto state = cache.Open("", right, {}, {});
    ASSERT_TRUE(state);
    EXPECT_EQ(state->viable(), OpenGap(language, "", right, {}).viable());
    EXPECT_TRUE(state->Check("x = (")) << right;
    EXPECT_FALSE(state->Check(")")) << right;
  }
}

TEST(GapCache, ReadsNoMoreNodesForWhatItKnows) {
  auto language = CompileShipped("python.lark");
  std::string text;
  for (int i = 0; i < 400; ++i) text += "x = f(a, [1, 2])\n";
  GapCache cache(language);
  size_t middle = text.size() / 2 + 4;
  ASSERT_TRUE(cache.Open(text.substr(0, middle), text.substr(middle), {}, {}));
  size_t before = cache.node_bytes();
  // 30 keystrokes, then a cursor that goes up and down again by a few lines.
  std::string left = text.substr(0, middle);
  for (int i = 0; i < 30; ++i) {
    left += 'y';
    ASSERT_TRUE(cache.Open(left, text.substr(middle), {}, {}));
  }
  for (size_t at : {middle - 34, middle, middle + 34, middle})
    ASSERT_TRUE(cache.Open(text.substr(0, at), text.substr(at), {}, {}));
  EXPECT_LT(cache.node_bytes(), before * 3);
}

TEST(GapCache, ForgetsWhatGrowsBeyondItsBound) {
  auto language = CompileShipped("json.lark");
  GapCache cache(language);
  std::mt19937 random(5);
  std::string deep;
  for (int i = 0; i < 60; ++i) {
    deep = "[";
    for (int n = 0; n < 20000; ++n) deep += random() % 2 ? "[" : "1,";
    auto state = cache.Open(deep, "", {}, {});
    ASSERT_TRUE(state);
    EXPECT_TRUE(state->viable());
  }
  EXPECT_LT(cache.node_bytes(), 2 * GapCache::kMaxNodeBytes);
}

TEST(GapCache, IsTheSameAsFreshWhereSemicolonsAreInserted) {
  auto compiled = Language::Compile(kScriptGrammar, "script.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  RunScripts(*compiled,
             "a = b\n++c\n{ d(e)\nif (a) b\nelse c\nfor (a; b; c++) {\n  return\n  "
             "d\n}\n}\nf(g)\n(h + i)\nreturn a\n",
             {"a", "\n", ";", "++", "(", ")", "{ ", " }", "return ", "for (;;) ", "\n(", " = "}, 7,
             6, 60);
}

}  // namespace
}  // namespace tenon::constraint
