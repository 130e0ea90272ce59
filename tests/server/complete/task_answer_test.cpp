// Middles that were drawn for a gap become items, each judged once.
#include "server/complete/task_answer.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "tests/model/tiny_model.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

// `a = = 1` breaks the file; the function around the cursor is a region.
constexpr char kBroken[] = "a = = 1\n\n\ndef g(x):\n    return |\n";
constexpr char kWhole[] = "a = 1\n\n\ndef g(x):\n    return |\n";

class TaskAnswerTest : public testing::Test {
 protected:
  TaskAnswerTest() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
    const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
    maker_.emplace(*tokenizer_, languages,
                   std::make_shared<SyntaxRegistry>(
                       languages, std::vector<std::filesystem::path>{SyntaxesFolder()}));
  }

  // The texts of the items that come of these middles, in this order.
  std::vector<std::string> Offered(std::string text, const std::vector<std::string>& middles,
                                   const std::string& language_id = "python") {
    std::vector<std::string> texts;
    for (const CompletionItem& item : Items(std::move(text), middles, language_id))
      texts.push_back(item.text);
    return texts;
  }

  std::vector<CompletionItem> Items(std::string text, const std::vector<std::string>& middles,
                                    const std::string& language_id = "python") {
    request_.offset_bytes = text.find('|');
    request_.text = text.erase(request_.offset_bytes, 1);
    request_.language_id = language_id;
    const auto task = maker_->Prepare(request_, {});
    if (!task) ADD_FAILURE() << task.error().reason;
    TaskJudge judge(request_, *task, {});
    Candidates candidates;
    for (const std::string& middle : middles) {
      DecodeResult result;
      result.middle = middle;
      result.closed = true;
      result.nats = nats_;
      if (auto item = judge.Judge(result))
        candidates.wanted.push_back({std::move(result), *std::move(item)});
    }
    parses_ = judge.parses();
    return AnswerOf(*task, candidates).items;
  }

  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<TaskMaker> maker_;
  CompletionRequest request_;
  std::vector<TokenNats> nats_;  // of each middle
  int parses_ = 0;
};

using Texts = std::vector<std::string>;

TEST_F(TaskAnswerTest, OffersNoCommentThatSaysNothing) {
  EXPECT_EQ(Offered("a = 1\n|\nb = 2\n", {"#", "# c"}), Texts{"# c"});
  EXPECT_EQ(Offered("{\n|\n}\n", {"//", "//\n  //", "// c"}, "javascript"), Texts{"// c"});
  EXPECT_EQ(Offered("/*\n|\n", {"*/"}, "javascript"), Texts{"*/"});
  EXPECT_EQ(Offered("|\n", {"////////"}, "javascript"), Texts{"////////"});
  EXPECT_EQ(Offered("a = b |\n", {"// c"}), Texts{"// c"});
  EXPECT_EQ(Offered("a = b | c\n", {"//"}), Texts{"//"}) << "an operator";
  EXPECT_EQ(Offered("// a\n| b of a\n// c\n", {"//"}, "javascript"), Texts{"//"})
      << "the rest of the line says something";
}

TEST_F(TaskAnswerTest, ALineIsNotWrittenASecondTime) {
  EXPECT_EQ(Offered("def f(a):\n    a.b(1)\n    |\n", {"a.b(1)", "a.b(2)"}), Texts{"a.b(2)"});
  EXPECT_EQ(Offered("def f(a):\n    a.b(1)\n    x = |\n", {"a.b(1)"}), Texts{"a.b(1)"});
}

TEST_F(TaskAnswerTest, ATextInPlaceOfRsLineIsUnneeded) {
  const auto unneeded = [&](std::string text) {
    const auto items = Items(std::move(text), {"return a", "a.b(2)"});
    return items.size() == 1 && items[0].unneeded;
  };
  EXPECT_TRUE(unneeded("def f(a):\n    a.b(1)\n    |\n    return a\n"));
  EXPECT_FALSE(unneeded("def f(a):\n    a.b(1)\n    # |\n    return a\n")) << "a comment";
}

TEST_F(TaskAnswerTest, InAWholeFileTheTreeIsNoWitness) {
  EXPECT_EQ(Offered(kWhole, {"x + 1", "x"}), (Texts{"x + 1"})) << "`x` is its beginning";
  EXPECT_EQ(parses_, 0);
}

TEST_F(TaskAnswerTest, NoItemDeclaresANameAgain) {
  const std::vector<std::string> middles{"const b = 2;\n  const a = 3;", "let a;", "a();"};
  EXPECT_EQ(Offered("function f() {\n  const a = 1;\n  |\n}\n", middles, "javascript"),
            (Texts{"const b = 2;", "a();"}));
  // Which scope a name of a broken file has is a guess.
  EXPECT_EQ(Offered("x = = 1;\nfunction f() {\n  const a = 1;\n  |\n}\n", middles, "javascript"),
            (Texts{middles[0], middles[1], middles[2]}));
}

TEST_F(TaskAnswerTest, AnItemThatIsCutHasTheTokenInWhichItEnds) {
  nats_ = {{11, 1}, {13, 2}, {27, 3}};  // `const b = 2`, `;⏎` and the rest
  const auto items = Items("function f() {\n  const a = 1;\n  |\n}\n",
                           {"const b = 2;\n  const a = 3;"}, "javascript");
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].text, "const b = 2;");
  ASSERT_EQ(items[0].nats.size(), 2u);
  EXPECT_EQ(items[0].nats[1].end_bytes, 12u);
  EXPECT_EQ(items[0].nats[1].nats, 2);
}

TEST_F(TaskAnswerTest, WithASyntaxAloneAnItemIsWrittenAsTheTextAroundIt) {
  EXPECT_EQ(Offered("int f(int a) {\n  |\n}\n", {"  a += 1;  \n    return a;"}, "c"),
            Texts{"a += 1;\n  return a;"});
  EXPECT_EQ(
      Offered("int f(int a) {\n\t|\n}\n/*\n  a\n  b\n*/\n", {"if (a) {\n        a--;\n    }"}, "c"),
      Texts{"if (a) {\n\t\ta--;\n\t}"})
      << "as the cursor's line";
  EXPECT_EQ(Offered("int f(int a) {\r\n  |\r\n}\r\n", {"a += 1;\n  return a;"}, "c"),
            Texts{"a += 1;\r\n  return a;"});
  request_.constraint = ConstraintMode::kLeft;
  EXPECT_EQ(Offered("int f(int a) {\r\n  |\r\n}\r\n", {"a += 1;\n  return a;"}, "c"),
            Texts{"a += 1;\r\n  return a;"});
}

TEST_F(TaskAnswerTest, InABrokenFileEachMiddleCostsOneParseBesideTheFilesOwn) {
  EXPECT_EQ(Offered(kBroken, {"x + 1", "y", "z"}), (Texts{"x + 1", "y", "z"}));
  EXPECT_EQ(parses_, 4);
}

TEST_F(TaskAnswerTest, WhatTheGuardLeavesIsNotOfferedTwice) {
  const std::string bad = "\n    y = = x";
  EXPECT_EQ(Offered(kBroken, {"x + 1", "x + 1" + bad}), Texts{"x + 1"});
  EXPECT_EQ(Offered(kBroken, {"x + 1\n    z = x", "x + 1" + bad}), Texts{"x + 1\n    z = x"})
      << "it is the beginning of the first";
  EXPECT_EQ(Offered(kBroken, {"x + 1", "y" + bad}), (Texts{"x + 1", "y"}));
}

TEST_F(TaskAnswerTest, WhatIsUnwantedOrKnownIsNotOffered) {
  request_.unwanted = {"y"};
  request_.already_offered = {"x + 1"};
  EXPECT_EQ(Offered(kWhole, {"x + 1", "y", "z"}), Texts{"z"});
}

}  // namespace
}  // namespace tenon::server
