#include "server/context/ignored_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

namespace fs = std::filesystem;
using Verdict = IgnoreRules::Verdict;

TEST(IgnoreRules, APatternWithoutASlashHoldsInEachFolder) {
  const IgnoreRules rules("*.log\n");
  EXPECT_EQ(rules.Of("a.log", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("x/y/a.log", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("a.logs", false), Verdict::kNone);
}

TEST(IgnoreRules, APatternWithASlashHoldsFromItsFolderOn) {
  const IgnoreRules rules("/top\nsub/*.py\nany/**/deep\n**/low/x\n");
  EXPECT_EQ(rules.Of("top", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("x/top", false), Verdict::kNone);
  EXPECT_EQ(rules.Of("sub/a.py", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("sub/more/a.py", false), Verdict::kNone);
  EXPECT_EQ(rules.Of("any/deep", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("any/1/2/deep", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("1/low/x", false), Verdict::kIgnored);
}

TEST(IgnoreRules, TheLastPatternThatMatchesDecides) {
  const IgnoreRules rules("*.py\n!keep.py\n");
  EXPECT_EQ(rules.Of("a.py", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("keep.py", false), Verdict::kKept);
}

TEST(IgnoreRules, CommentsBlanksAndEscapesAreThoseOfGit) {
  const IgnoreRules rules("# a\n\n  \r\n\\#b\nc \nd\\ \n[ef].x\n[!g].y\nh?\n[\n");
  EXPECT_EQ(rules.Of("# a", false), Verdict::kNone);
  EXPECT_EQ(rules.Of("#b", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("c", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("d ", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("e.x", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("g.y", false), Verdict::kNone);
  EXPECT_EQ(rules.Of("i.y", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("hi", false), Verdict::kIgnored);
  EXPECT_EQ(rules.Of("[", false), Verdict::kNone);
}

class IgnoredFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (fs::temp_directory_path() / "tenon-ignored-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    root_ = fs::canonical(folder);
  }
  void TearDown() override { fs::remove_all(root_); }
  void Write(const fs::path& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_;
};

TEST_F(IgnoredFiles, AreThoseOfTheRepositoryAroundThem) {
  Write("r/.git/info/exclude", "private\n");
  Write("r/.gitignore", "build/\n*.tmp\n");
  Write("r/sub/.gitignore", "!kept.tmp\n");
  EXPECT_TRUE(IsIgnored(root_ / "r/build/a.py"));
  EXPECT_TRUE(IsIgnored(root_ / "r/sub/build/a.py"));
  EXPECT_TRUE(IsIgnored(root_ / "r/private"));
  EXPECT_TRUE(IsIgnored(root_ / "r/sub/a.tmp"));
  EXPECT_FALSE(IsIgnored(root_ / "r/sub/kept.tmp"));
  EXPECT_FALSE(IsIgnored(root_ / "r/build"));  // a file of that name
  EXPECT_FALSE(IsIgnored(root_ / "r/a.py"));
}

TEST_F(IgnoredFiles, MayHaveNamesThatBeginWithDots) {
  Write("r/.git/HEAD", "");
  Write("r/.gitignore", "..env\n");
  EXPECT_TRUE(IsIgnored(root_ / "r/..env"));
  EXPECT_TRUE(IsIgnored(root_ / "r/sub/..env"));
}

TEST_F(IgnoredFiles, AreNoneOutsideOfARepository) {
  Write(".gitignore", "*\n");
  EXPECT_FALSE(IsIgnored(root_ / "a.py"));
}

TEST_F(IgnoredFiles, AreThoseThatGitIgnores) {
  const std::string git = "git -C '" + root_.string() + "' ";
  if (std::system((git + "init -q 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no git";
  std::mt19937 random(7);
  const std::vector<std::string> folders = {"a", "b", "ab"}, files = {"a.py", "b.py", "ba"};
  const std::vector<std::string> pieces = {"a",   "b",    "*",    "?", "**",  "/",   "/",
                                           ".py", "[ab]", "[!a]", "!", "\\a", "**/", "/**"};
  const auto draw = [&](const auto& of) { return of[random() % of.size()]; };
  for (int round = 0; round < 12; ++round) {
    for (const std::string folder : {"", "a/", "a/b/"}) {
      std::string rules;
      for (int line = 0; line < 3; ++line) {
        const size_t length = 1 + random() % 4;
        for (size_t i = 0; i < length; ++i) rules += draw(pieces);
        rules += '\n';
      }
      Write(folder + ".gitignore", rules);
    }
    std::string ask = "cd '" + root_.string() + "' && printf '";
    std::vector<std::string> paths;
    for (int i = 0; i < 40; ++i) {
      std::string path;
      for (size_t depth = random() % 3; depth > 0; --depth) path += draw(folders) + "/";
      paths.push_back(path + draw(files));
      ask += paths.back() + "\\n";
    }
    ask += "' | git check-ignore --no-index --stdin";
    std::string answer = "\n";
    std::FILE* pipe = ::popen(ask.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) answer += static_cast<char>(c);
    ::pclose(pipe);
    for (const std::string& path : paths) {
      EXPECT_EQ(IsIgnored(root_ / path), answer.find("\n" + path + "\n") != std::string::npos)
          << path << " in round " << round;
    }
  }
}

}  // namespace
}  // namespace tenon::server
