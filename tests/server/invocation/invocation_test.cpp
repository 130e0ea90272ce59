#include "server/invocation/invocation.h"

#include <sstream>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

class InvocationTest : public testing::Test {
 protected:
  Invocation With(bool as_json) const {
    CommonOptions options;
    options.json = as_json;
    return {surroundings_, options};
  }

  std::istringstream in_;
  std::ostringstream out_, err_;
  Surroundings surroundings_{.in = in_,
                             .out = out_,
                             .err = err_,
                             .executable = {},
                             .models_folder = {},
                             .config_folder = {},
                             .cache_folder = {},
                             .version = "1.2.3",
                             .make_completer = {},
                             .end_process = {}};
};

TEST_F(InvocationTest, TellsAFailureOnErrOrAsJson) {
  EXPECT_EQ(With(false).Fail("no such file"), kExitFailed);
  EXPECT_EQ(err_.str(), "tenon: no such file\n");
  EXPECT_EQ(With(true).Fail("no such option", kExitWrongUsage), kExitWrongUsage);
  EXPECT_EQ(out_.str(), "{\"error\":\"no such option\"}\n");
}

TEST_F(InvocationTest, AnswersEachLineThatIsNotBlank) {
  in_.str("{\"n\": 1}\n \r\n[1]\n{\"n\": 0}\n{\n");
  With(true).AnswerLines([](const json& request) -> tl::expected<json, std::string> {
    if (request["n"] == 0) return tl::unexpected(std::string("nought"));
    return json{{"twice", 2 * request["n"].get<int>()}};
  });
  const std::string no_object = "{\"error\":\"a request is a JSON object on one line\"}\n";
  EXPECT_EQ(out_.str(), "{\"twice\":2}\n" + no_object + "{\"error\":\"nought\"}\n" + no_object);
}

TEST_F(InvocationTest, FindsTheLanguageOfAFileByItsSuffix) {
  const auto languages = *LanguageRegistry::Load(std::string(TENON_SOURCE_DIR) + "/grammars");
  EXPECT_EQ(Invocation::LanguageOf(*languages, std::nullopt, "a.py"), "python");
  EXPECT_EQ(Invocation::LanguageOf(*languages, "json", "a.py"), "json");
  const auto unknown = Invocation::LanguageOf(*languages, std::nullopt, "a.what");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("--language"), std::string::npos) << unknown.error();
}

}  // namespace
}  // namespace tenon::server
