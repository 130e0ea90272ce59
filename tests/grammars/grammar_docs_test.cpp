// The whole small grammar in docs/grammars.md is one that works.

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

// The text of the first ```lark block.
std::string ExampleOfTheDocumentation() {
  std::ifstream in(std::string(TENON_SOURCE_DIR) + "/docs/grammars.md", std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const std::string fence = "```lark\n";
  const size_t begin = text.str().find(fence);
  if (begin == std::string::npos) return "";
  return text.str().substr(begin + fence.size(), text.str().find("\n```\n", begin) + 1 - begin - fence.size());
}

TEST(GrammarDocumentation, ItsExampleReadsSettings) {
  auto language = constraint::Language::Compile(ExampleOfTheDocumentation(), "docs/grammars.md");
  ASSERT_TRUE(language) << language.error().message;
  EXPECT_TRUE(Accepts(**language, "[a]\n# c\nb = 1  # d\n\nc = \"e\"\n[f]\n"));
  EXPECT_TRUE(Accepts(**language, "[\na\n]\nb = true"));
  EXPECT_FALSE(Accepts(**language, "b = 1\n"));
  EXPECT_FALSE(Accepts(**language, "[a]\nb = \"c\n"));
  EXPECT_FALSE(Accepts(**language, "[a] b = 1\n"));
  EXPECT_FALSE(Accepts(**language, "[a]\nb = truely\n"));
}

}  // namespace
}  // namespace tenon::grammars
