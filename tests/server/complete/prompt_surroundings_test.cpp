#include "server/complete/prompt_surroundings.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/context/filler_lines.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class PromptSurroundingsTest : public testing::Test {
 protected:
  // What is beside the windows of a request whose cursor stands at the '|' of `text`.
  PromptSurroundings::Shown Beside(std::string text, bool shows_files = true) {
    CompletionRequest request;
    request.offset_bytes = text.find('|');
    request.text = text.erase(request.offset_bytes, 1);
    request.language_id = "python";
    request.name = request.document = "basket.py";
    const std::string_view whole = request.text;
    return PromptSurroundings(*LanguageRegistry::Load(SourcePath("grammars")))
        .For(request, whole.substr(0, request.offset_bytes), whole.substr(request.offset_bytes),
             shows_files, {});
  }

  const std::string like_ = "weighed = weigh_basket(basket, tax_rate)\n";
  const std::string at_cursor_ = "weighed = weigh_basket(basket, |)\n";
  const std::string far_ = FillerLines("far", 600);
};

TEST_F(PromptSurroundingsTest, ShowWhatIsLikeTheCursorsLinesAboveTheWindow) {
  const auto beside = Beside(like_ + far_ + at_cursor_);
  const auto shown = beside.snippets();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].name, "basket.py");
  EXPECT_NE(shown[0].text.find(like_), std::string_view::npos) << shown[0].text;
}

TEST_F(PromptSurroundingsTest, ShowWhatIsLikeTheCursorsLinesBelowTheWindow) {
  const auto beside = Beside(at_cursor_ + far_ + like_);
  const auto shown = beside.snippets();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_NE(shown[0].text.find(like_), std::string_view::npos) << shown[0].text;
}

TEST_F(PromptSurroundingsTest, ShowNothingTwice) {
  EXPECT_TRUE(Beside(far_ + like_ + FillerLines("near", 40) + at_cursor_).snippets().empty());
}

TEST_F(PromptSurroundingsTest, ShowNoStretchWhereTheFormatHasNoPlaceForOne) {
  EXPECT_TRUE(Beside(like_ + far_ + at_cursor_, false).snippets().empty());
}

}  // namespace
}  // namespace tenon::server
