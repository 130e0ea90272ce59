// What a prompt shows, with a model whose tokens are bytes.
#include "server/complete/prompt_maker.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/model/inference/loaded_model.h"
#include "tests/server/context/filler_lines.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class PromptMakerTest : public testing::Test {
 protected:
  // The text of the prompt of a request whose cursor stands at the '|' of `text`.
  std::string Shown(std::string text, PromptExtent extent) {
    CompletionRequest request;
    request.offset_bytes = text.find('|');
    request.text = text.erase(request.offset_bytes, 1);
    request.language_id = "python";
    request.name = request.document = "basket.py";
    PromptMaker prompts(model_, languages_);
    return model_->tokenizer().Decode(prompts.AtCursor(request, extent, {}).tokens);
  }

  std::shared_ptr<const model::LlamaModel> model_ = model::Tiny();
  std::shared_ptr<const LanguageRegistry> languages_ =
      *LanguageRegistry::Load(SourcePath("grammars"));
};

TEST_F(PromptMakerTest, ShowsImportsAndMoreLinesInAWholePrompt) {
  const std::string text =
      "import json\n" + FillerLines("far", 80) + FillerLines("near", 90) + "print(|)\n";
  const std::string all = Shown(text, PromptExtent::kAll), near = Shown(text, PromptExtent::kNear);
  EXPECT_NE(all.find("import json"), std::string::npos) << all;
  EXPECT_EQ(near.find("import json"), std::string::npos) << near;
  EXPECT_GT(all.size(), near.size());
  for (const std::string& shown : {all, near})
    EXPECT_NE(shown.find("near89 = 1\nprint("), std::string::npos) << shown;
}

TEST_F(PromptMakerTest, ShowsInAHurryWhatIsLikeTheLinesAtTheCursor) {
  const std::string like = "weighed = weigh_basket(basket, tax_rate)\n";
  const std::string at_cursor = FillerLines("near", 120) + "weighed = weigh_basket(basket, |)\n";
  const std::string shown = Shown(
      FillerLines("far", 90) + like + FillerLines("far", 90) + at_cursor, PromptExtent::kNear);
  EXPECT_NE(shown.find(like), std::string::npos) << shown;
  const std::string without = Shown(FillerLines("far", 120) + at_cursor, PromptExtent::kNear);
  EXPECT_EQ(without.find("far"), std::string::npos) << without;
}

}  // namespace
}  // namespace tenon::server
