// The shipped grammars through the cache.
#include <filesystem>

#include <gtest/gtest.h>

#include "constraint/cache/language_archive.h"
#include "tests/grammars/shipped_language.h"
#include "tests/source_path.h"

namespace tenon::grammars {
namespace {

// All of a language follows from the grammar, lexer, table and insertions that its bytes hold:
// equal bytes are equal languages.
TEST(ShippedGrammars, AreReadFromTheCacheAsTheyWereCompiled) {
  size_t grammars = 0;
  for (const auto& file : std::filesystem::directory_iterator(SourcePath("grammars"))) {
    if (file.path().extension() != ".lark") continue;
    ++grammars;
    const constraint::Language& compiled = ShippedLanguage(file.path().filename().string());
    const std::string bytes = BytesOf(compiled);
    const auto read = constraint::LanguageFrom(bytes, compiled.grammar.path, compiled.key);
    ASSERT_NE(read, nullptr) << file.path();
    EXPECT_TRUE(BytesOf(*read) == bytes) << file.path();
    EXPECT_EQ(read->open_ended, compiled.open_ended) << file.path();
    EXPECT_EQ(read->key, compiled.key) << file.path();
    for (const bool emit : {false, true})
      EXPECT_EQ(read->futures[emit]->size(), compiled.futures[emit]->size());
  }
  EXPECT_GE(grammars, 5u);
}

}  // namespace
}  // namespace tenon::grammars
