#include "server/eval/corpus.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class CorpusTest : public testing::Test {
 protected:
  void SetUp() override { languages_ = *LanguageRegistry::Load(SourcePath("grammars")); }
  // A valid JSON file of so many bytes.
  static std::string Json(size_t bytes) { return "[" + std::string(bytes - 3, ' ') + "]\n"; }

  tl::expected<Corpus, std::string> Open(uint64_t seed = 1,
                                         const std::vector<std::string>& wanted = {}) const {
    return Corpus::In(folder_.path(), languages_, wanted, seed);
  }
  static std::vector<std::string> Paths(Corpus corpus, size_t count) {
    std::vector<std::string> paths;
    for (size_t i = 0; i < count; ++i) paths.push_back((*corpus.Next("json"))->path);
    return paths;
  }

  TemporaryFolder folder_;
  std::shared_ptr<const LanguageRegistry> languages_;
};

TEST_F(CorpusTest, TakesValidFilesOfAKnownLanguageAndOfSomeSize) {
  folder_.Write("least.json", Json(500));
  folder_.Write("below/most.json", Json(60'000));
  folder_.Write("small.json", Json(499));
  folder_.Write("large.json", Json(60'001));
  folder_.Write("wrong.json", std::string(600, '['));
  folder_.Write("bytes.json", "[\"" + std::string(600, '\xFF') + "\"]\n");
  folder_.Write("unknown.what", Json(600));
  const auto corpus = Open();
  ASSERT_TRUE(corpus) << corpus.error();
  EXPECT_EQ(corpus->languages(), std::vector<std::string>{"json"});
  const std::vector<std::string> paths = Paths(*corpus, 4);
  EXPECT_EQ(std::set(paths.begin(), paths.end()),
            (std::set<std::string>{"below/most.json", "least.json"}));
  EXPECT_NE(paths[0], paths[1]) << "each file before one comes again";
  EXPECT_EQ(paths[2], paths[0]);
  EXPECT_EQ(paths[3], paths[1]);
}

TEST_F(CorpusTest, TheSeedDecidesTheOrder) {
  for (char c = 'a'; c <= 'z'; ++c) folder_.Write(std::string(1, c) + ".json", Json(600));
  EXPECT_EQ(Paths(*Open(1), 26), Paths(*Open(1), 26));
  EXPECT_NE(Paths(*Open(1), 26), Paths(*Open(2), 26));
}

TEST_F(CorpusTest, HasNothingOfALanguageWithoutValidFiles) {
  folder_.Write("wrong.json", std::string(600, '['));
  auto corpus = Open();
  EXPECT_EQ(*corpus->Next("json"), nullptr);
  EXPECT_EQ(*corpus->Next("python"), nullptr);
}

TEST_F(CorpusTest, NamesWhatIsWrong) {
  const auto nowhere = Corpus::In(folder_.path() / "nowhere", languages_, {}, 1);
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().find("nowhere: not a folder"), std::string::npos);
  const auto unknown = Open(1, {"json", "klingon"});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("'klingon'"), std::string::npos);
  EXPECT_TRUE(Open(1, {"json"}));
}

TEST_F(CorpusTest, BesideAFileAreItsNeighboursInTheOrderOfPaths) {
  for (const char* path : {"a.json", "b/1.json", "b/2.json", "b/3.json", "c.json"})
    folder_.Write(path, Json(500));
  folder_.Write("b/2.py", std::string(500, '#'));
  const Corpus corpus = *Open();
  const auto names = [&](const char* path, size_t count) {
    std::vector<std::string> names;
    for (const OtherText& other : corpus.Beside({path, "json", ""}, count)) {
      EXPECT_EQ(other.text.size(), 500u);
      names.push_back(other.name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("b/2.json", 3), Names({"3.json", "1.json", "c.json"}));
  EXPECT_EQ(names("a.json", 2), Names({"1.json", "2.json"}));
  EXPECT_EQ(names("c.json", 9), Names({"3.json", "2.json", "1.json", "a.json"}));
  EXPECT_EQ(names("c.json", 0), Names());
}

}  // namespace
}  // namespace tenon::server
