#include "server/documents/document_status.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

ClientDocument Python() {
  return {
      {"python", protocol::TextDocument("", protocol::PositionEncoding::kUtf16)}, "a.py", "/a.py"};
}

TEST(DocumentStatus, SaysWhyADocumentIsNotCompletedAndWhatToDo) {
  Settings settings;
  settings.languages = {{"python", false}};
  EXPECT_EQ(StatusOf(Python(), settings, true).ToJson(),
            (nlohmann::json{{"state", "off"},
                            {"reason", "completion is switched off for 'python'"},
                            {"action", "set 'python' of 'languages' to true"}}));
  EXPECT_EQ(StatusOf(Python(), {}, false).reason, "no grammar for language 'python'");
  ClientDocument out_of_step = Python();
  out_of_step.in_step = false;
  EXPECT_EQ(StatusOf(out_of_step, {}, true).action, "close the document and open it again");
}

TEST(DocumentStatus, AnUnknownLanguageIsOnWhereAnyIs) {
  Settings settings;
  settings.any_language = true;
  EXPECT_FALSE(StatusOf(Python(), settings, false).is_off);
}

TEST(DocumentStatus, HasTheGuaranteeOfTheLastSuggestionAndTheReasonForNone) {
  ClientDocument document = Python();
  EXPECT_EQ(StatusOf(document, {}, true).ToJson(), (nlohmann::json{{"state", "ready"}}));
  document.last_answer = {Guarantee::kRegion, "nothing fits"};
  EXPECT_EQ(
      StatusOf(document, {}, true).ToJson(),
      (nlohmann::json{{"state", "ready"}, {"guarantee", "region"}, {"reason", "nothing fits"}}));
}

}  // namespace
}  // namespace tenon::server
