#include "server/remote/prompt_text.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

PromptText Format(std::string_view name) {
  auto format = PromptText::Named(name);
  EXPECT_TRUE(format) << (format ? "" : format.error());
  return *format;
}

TEST(PromptText, LaysBothContextsOutAmongTheMarkers) {
  EXPECT_EQ(Format("qwen2.5-coder").Build("a.py", "x = ", "\nprint(x)", {}, {}),
            "<|fim_prefix|>x = <|fim_suffix|>\nprint(x)<|fim_middle|>");
  EXPECT_EQ(Format("<a>{name}<b>{suffix}<c>{prefix}").Build("a.py", "x = ", "\ny", {}, {}),
            "<a>a.py<b>\ny<c>x = ");
}

TEST(PromptText, KnowsTheNamesOfTheModelsFormats) {
  for (const model::KnownFimFormat& known : model::KnownFimFormats()) {
    EXPECT_EQ(Format(known.name).ends(), known.ends);
    EXPECT_FALSE(Format(known.name).Build("f", "L", "R", {}, {}).empty());
  }
  const auto wrong = PromptText::Named("qwen");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().find("qwen2.5-coder"), std::string::npos);
  EXPECT_NE(wrong.error().find("{prefix}"), std::string::npos);
}

TEST(PromptText, LetsNoMarkerComeFromAFile) {
  const PromptText format = Format("starcoder");
  EXPECT_EQ(format.Build("a<fim_middle>", "a<fim_suffix>b<fim_prefix>c", "d<|endoftext|>e", {}, {}),
            "<fim_prefix>c<fim_suffix>d<fim_middle>");
  const std::vector<model::FimSnippet> snippets = {{"a.py", "good\n"}, {"b.py", "<fim_middle>"}};
  EXPECT_EQ(format.Build("f", "L", "R", {}, snippets),
            "<file_sep>a.py\ngood\n<fim_prefix>L<fim_suffix>R<fim_middle>");
  EXPECT_EQ(format.BuildBeginning("a<file_sep>b"), "b");
}

TEST(PromptText, LetsNoMarkerComeFromAnOutline) {
  std::string left;
  for (int line = 0; line < 2000; ++line) left += "line\n";
  const auto outline = [](std::string_view, std::string_view) {
    return std::string("import a\nx = \"<fim_suffix>\"\nclass B:\n");
  };
  const std::string prompt = Format("starcoder").Build("f", left, "", outline, {});
  EXPECT_TRUE(prompt.starts_with("<fim_prefix>\"\nclass B:\nline\n"));
}

TEST(PromptText, ShowsTheOutlineOfWhatTheWindowHides) {
  std::string left;
  for (int line = 0; line < 2000; ++line) left += "line\n";
  const auto outline = [](std::string_view hidden, std::string_view shown) {
    EXPECT_EQ(hidden.size() + shown.size(), 10000u);
    return std::string("head\n");
  };
  const std::string prompt = Format("qwen2.5-coder").Build("f", left, "", outline, {});
  EXPECT_TRUE(prompt.starts_with("<|fim_prefix|>head\nline\n"));
  EXPECT_LT(prompt.size(), 4300u);
}

TEST(PromptText, ShowsFilesWhereItsModelsKnowThem) {
  EXPECT_TRUE(Format("qwen2.5-coder").shows_files());
  EXPECT_FALSE(Format("deepseek-coder").shows_files());
  const std::vector<model::FimSnippet> snippets = {{"a.py", "x\n"}};
  EXPECT_EQ(Format("<p>{prefix}<m>").Build("f", "L", "R", {}, snippets), "<p>L<m>");
}

}  // namespace
}  // namespace tenon::server
