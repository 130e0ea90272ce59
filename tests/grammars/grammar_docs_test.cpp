// The grammars in docs/grammars.md and docs/grammar_directives.md work: those of the tutorial, with
// the answers that it shows, and that of each mechanism.

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/grammars/shipped_language.h"
#include "tests/source_path.h"

namespace tenon::grammars {
namespace {

std::string Documentation() {
  std::stringstream text;
  for (const char* path : {"docs/grammars.md", "docs/grammar_directives.md"})
    text << std::ifstream(SourcePath(path), std::ios::binary).rdbuf();
  return text.str();
}

// The first ```lark block after a heading that begins with `heading`.
std::string Example(const std::string& heading) {
  const std::string text = Documentation(), fence = "```lark\n";
  const size_t begin = text.find(fence, text.find("\n" + heading));
  if (begin == std::string::npos) return "";
  return text.substr(begin + fence.size(), text.find("\n```\n", begin) + 1 - begin - fence.size());
}

std::shared_ptr<const constraint::Language> CompileExample(const std::string& heading) {
  auto language = constraint::Language::Compile(Example(heading), "docs");
  EXPECT_TRUE(language) << heading << ": " << (language ? "" : language.error().ToString());
  return language ? *language : nullptr;
}

// A check of the tutorial as `tenon check` prints it: line, column, message.
std::string Told(const constraint::Language& language, const std::string& text) {
  const auto result = constraint::Check(language, text, constraint::Strength::kAccept);
  if (result.valid) return "";
  const std::string before = text.substr(0, result.offset_bytes);
  const size_t line = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t column = before.size() - (line == 0 ? 0 : before.rfind('\n') + 1);
  return std::to_string(line + 1) + ":" + std::to_string(column + 1) + ": " + result.message;
}

// Does the tutorial show this answer?
bool Shows(const std::string& answer) {
  return !answer.empty() && Documentation().find("settings:" + answer + "\n") != std::string::npos;
}

TEST(GrammarDocumentation, ItsFirstStepReadsLinesOfNumbers) {
  auto language = CompileExample("### Step 1:");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "width = 80\n\nheight = 25\n"));
  const std::string told = Told(*language, "width = 80\nheight = tall\n");
  EXPECT_TRUE(Shows(told)) << told;
}

TEST(GrammarDocumentation, ItsSecondStepReadsSectionsAndLists) {
  auto language = CompileExample("### Step 2:");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "[window]\nsize = [80, 25]   # characters\ntitle = \"notes\"\n"));
  EXPECT_TRUE(Accepts(*language, "[a]\nb = [\n  1,\n  [true]]\n[c]\n"));
  const std::string told = Told(*language, "[window]\ntitle = yes\n");
  EXPECT_TRUE(Shows(told)) << told;
  auto gap = constraint::OpenGap(language, "[window]\nsize = [80, ", "\n", constraint::GapPolicy{});
  EXPECT_TRUE(gap.viable());
  EXPECT_FALSE(gap.Member());
  EXPECT_TRUE(gap.Accept("0]"));
  EXPECT_TRUE(gap.Member());
}

TEST(GrammarDocumentation, ItsThirdStepSaysWhatIsWrittenAndSaid) {
  auto language = CompileExample("### Step 3:");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "[a]\n# c\nb = 1  # d\n\nc = \"e\"\n[f]\n"));
  EXPECT_TRUE(Accepts(*language, "[\na\n]\nb = true"));
  EXPECT_FALSE(Accepts(*language, "b = 1\n"));
  EXPECT_FALSE(Accepts(*language, "[a]\nb = \"c\n"));
  EXPECT_FALSE(Accepts(*language, "[a] b = 1\n"));
  EXPECT_FALSE(Accepts(*language, "[a]\nb = truely\n"));
  const std::string told = Told(*language, "[window]\ntitle = \"notes\nwidth = 010\n");
  EXPECT_TRUE(Shows(told)) << told;
  const std::string zero = "[window]\nwidth = 010\n";
  EXPECT_TRUE(Accepts(*language, zero));
  EXPECT_FALSE(constraint::Check(*language, zero, constraint::Strength::kEmit).valid);
}

TEST(GrammarDocumentation, ItsTerminatorsMayBeLineEnds) {
  auto language = CompileExample("## `%terminator");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "a = b\nc =\n  d; e =\nf"));
  EXPECT_TRUE(Accepts(*language, "a = b // c\nc = d /*\n*/ e = f"));
  EXPECT_TRUE(Accepts(*language, "a {\n  b\n  c; d }\n"));
  EXPECT_FALSE(Accepts(*language, "a\n= b"));
  EXPECT_FALSE(Accepts(*language, "a = b /* */ c = d"));
  EXPECT_FALSE(Accepts(*language, "a = b;\n;"));
  EXPECT_FALSE(Accepts(*language, "a {\n} b = c"));
}

TEST(GrammarDocumentation, ItsRegionsAreThoseOfTheText) {
  auto language = CompileExample("## `%region");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "p { x: y; } [a, b]"));
  ASSERT_EQ(language->grammar.regions.size(), 3u);
  const constraint::Region& block = language->grammar.regions[1];
  EXPECT_TRUE(Accepts(*language, block.before + "y: z;" + block.after));
  const constraint::Region& list = language->grammar.regions[2];
  EXPECT_TRUE(Accepts(*language, list.before + list.filler + ", c" + list.after));
}

TEST(GrammarDocumentation, ItsModesReadStringsWithFields) {
  auto language = CompileExample("## `%mode");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "\"{a:b {c}} {d}\""));
  EXPECT_TRUE(Accepts(*language, "{ a : \"{{x}} { {b : c}: \n}\" }"));
  EXPECT_TRUE(Accepts(*language, "\"{\"{a}\"}\""));
  EXPECT_FALSE(Accepts(*language, "\"{a b}\""));
  EXPECT_FALSE(Accepts(*language, "\"}\""));
  EXPECT_FALSE(Accepts(*language, "{a:b {c}}"));
  EXPECT_FALSE(Accepts(*language, "\"{a"));
}

TEST(GrammarDocumentation, ItsKeywordsFallBackToNames) {
  auto language = CompileExample("## `%fallback");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "select by, if as exists;"));
  EXPECT_TRUE(Accepts(*language, "SELECT a ORDER BY By; Drop Table If Exists IF;"));
  EXPECT_TRUE(Accepts(*language, "drop table exists;"));
  EXPECT_FALSE(Accepts(*language, "drop table if;"));
  EXPECT_FALSE(Accepts(*language, "select select;"));
  EXPECT_FALSE(Accepts(*language, "select a order by;"));
  auto gap = [&](const char* left, const char* right) {
    return constraint::OpenGap(language, left, right, constraint::GapPolicy{});
  };
  EXPECT_TRUE(gap("select a", "; select by;").viable());
  EXPECT_TRUE(gap("select a,", " by;").Member());
  EXPECT_TRUE(gap("drop table if ", " exists;").viable());
  EXPECT_FALSE(gap("drop table", " if;").Member());
}

TEST(GrammarDocumentation, ItsOperatorsAskForTheirLine) {
  auto language = CompileExample("## `%line_ends");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "a++; ++\na;\na as b;"));
  EXPECT_TRUE(Accepts(*language, "return a; return\n;"));
  EXPECT_FALSE(Accepts(*language, "a\n++;"));
  EXPECT_FALSE(Accepts(*language, "return\na;"));
  EXPECT_FALSE(Accepts(*language, "a as b\nas c;"));
}

TEST(GrammarDocumentation, ItsJoinedLinesStandInTheMiddleOfLines) {
  auto language = CompileExample("## `%not_last");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "a \\\nb\n\\\nc\n"));
  EXPECT_FALSE(Accepts(*language, "a \\\n"));
  EXPECT_TRUE(constraint::Check(*language, "a \\\nb\n", constraint::Strength::kEmit).valid);
  EXPECT_FALSE(constraint::Check(*language, "\\\na\n", constraint::Strength::kEmit).valid);
}

TEST(GrammarDocumentation, ItsFilesDeclareTheirEncoding) {
  auto language = CompileExample("## `%encoding");
  ASSERT_TRUE(language);
  const auto valid = [&](const char* bytes) {
    return constraint::CheckFile(*language, bytes, constraint::Strength::kAccept).result.valid;
  };
  EXPECT_TRUE(valid("a = \"\xc3\xa9\";"));
  EXPECT_FALSE(valid("a = \"\xe9\";"));
  EXPECT_TRUE(valid("# encoding: Latin-1\na = \"\xe9\";"));
  EXPECT_TRUE(valid("\xef\xbb\xbf# encoding: utf-8\na = \"\xc3\xa9\";"));
  EXPECT_FALSE(valid("\xef\xbb\xbf# encoding: latin-1\na = \"b\";"));
  EXPECT_FALSE(valid("# encoding: latin-2\na = \"b\";"));
}

TEST(GrammarDocumentation, ItsNumbersDoNotRunOn) {
  auto language = CompileExample("## `%not_before");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "3 a b4"));
  EXPECT_FALSE(Accepts(*language, "3in"));
  EXPECT_FALSE(Accepts(*language, "a 3b"));
}

TEST(GrammarDocumentation, ItsIntegersHaveSoManyDigits) {
  auto language = CompileExample("## `%most N \"things\" /");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "12_345; 123456.; 1234567.8;"));
  EXPECT_FALSE(Accepts(*language, "123456;"));
}

TEST(GrammarDocumentation, ItsStringsNameCharacters) {
  auto language = CompileExample("## `%character_names");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, R"("\N{bullet}"; "\\N{bulletin}";)"));
  EXPECT_FALSE(Accepts(*language, R"("\N{bulletin}";)"));
}

TEST(GrammarDocumentation, ItsDelimitersMatch) {
  auto language = CompileExample("## Matching delimiters");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "a = r#\"b\" c\"#; r = r; s = r\"\n\";"));
  EXPECT_TRUE(Accepts(*language, "a = [=[ ]] ]=]; b = [[ [=[ ]]; c = [========[]========];"));
  EXPECT_TRUE(Accepts(*language, "a = $body$ $func$ $body$; b = $$ $body$ $$;"));
  EXPECT_TRUE(Accepts(*language, "a = b; /***/ c = /* d = /* */ e;"));
  EXPECT_TRUE(Accepts(*language, "a = r################\"\"################;"));
  EXPECT_FALSE(Accepts(*language, "a = r#################\"\"#################;"));
  EXPECT_FALSE(Accepts(*language, "a = r#\"b\"##;"));
  EXPECT_FALSE(Accepts(*language, "a = r##\"b\"#;"));
  EXPECT_FALSE(Accepts(*language, "a = [=[ ]]; b = c;"));
  EXPECT_FALSE(Accepts(*language, "a = $tag$ $tag$;"));
  EXPECT_FALSE(Accepts(*language, "a = b; /* /* */ */"));
  auto gap = [&](const char* left, const char* right) {
    return constraint::OpenGap(language, left, right, constraint::GapPolicy{});
  };
  EXPECT_TRUE(gap("a = r##\"b\"#", "\"##;").viable());
  EXPECT_TRUE(gap("a = r##\"b\"", "#;").viable());
  EXPECT_FALSE(gap("a = r\"b\"", "#;").viable());
  EXPECT_TRUE(gap("a = r", "\"#;").viable());
  EXPECT_TRUE(gap("a = [=[ ]", "=]; b = c;").Member());
}

TEST(GrammarDocumentation, ItsCommentsNest) {
  auto language = CompileExample("## Nested comments");
  ASSERT_TRUE(language);
  EXPECT_TRUE(Accepts(*language, "a; /* b /* c */ d */ e;"));
  EXPECT_TRUE(Accepts(*language, "/**//***//*/**/*/"));
  EXPECT_FALSE(Accepts(*language, "/* /* */"));
  EXPECT_FALSE(Accepts(*language, "/* */ */"));
  auto gap = constraint::OpenGap(language, "/* /* ", "\na;", constraint::GapPolicy{});
  ASSERT_TRUE(gap.viable());
  EXPECT_TRUE(gap.Accept("*/ b */"));
  EXPECT_TRUE(gap.Member());
}

TEST(GrammarDocumentation, MessagesNameWhatIsExpectedWithoutFallbacks) {
  auto language = CompileExample("## `%fallback");
  ASSERT_TRUE(language);
  auto result = constraint::Check(*language, "select ;", constraint::Strength::kAccept);
  EXPECT_EQ(result.message, "';' cannot stand here; expected a name");
}

}  // namespace
}  // namespace tenon::grammars
