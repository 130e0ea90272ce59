#include "server/cli/store_command.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/cli/tenon.h"
#include "tests/server/cli/tiny_tokenizer.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(StoreCommand, DescribesAStoreByItsCounts) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const ProgramRun run =
      Tenon({"store", "show", "--json", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const std::vector<json> rows = run.Lines();
  for (const json& row : rows) EXPECT_TRUE(row["count"].is_number_unsigned()) << row;
  ASSERT_NE(RowNamed(rows, "vocabulary"), nullptr);
  EXPECT_EQ((*RowNamed(rows, "vocabulary"))["count"], 258U);
  ASSERT_NE(RowNamed(rows, "lexer_states"), nullptr);
  EXPECT_GT((*RowNamed(rows, "lexer_states"))["count"], 10U);
  const ProgramRun built =
      Tenon({"store", "build", "--json", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_EQ(built.status, 0) << built.err;
  ASSERT_NE(RowNamed(built.Lines(), "compile_store"), nullptr);
  const ProgramRun table = Tenon({"store", "show", "--language", "json", "--tokenizer", tokenizer});
  EXPECT_TRUE(Has(table.out, "lexer_states")) << table.out;
  EXPECT_EQ(table.err, "");
}

TEST(StoreCommand, NamesWhatIsWrong) {
  TemporaryFolder folder;
  const std::string tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  EXPECT_EQ(Tenon({"store", "show", "--tokenizer", tokenizer}).status, 2);
  EXPECT_EQ(Tenon({"store", "bogus", "--language", "json"}).status, 2);
  const ProgramRun language =
      Tenon({"store", "show", "--language", "klingon", "--tokenizer", tokenizer});
  EXPECT_EQ(language.status, 1);
  EXPECT_TRUE(Has(language.err, "klingon")) << language.err;
  const ProgramRun missing =
      Tenon({"store", "show", "--language", "json", "--tokenizer", "/nowhere/t.json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(Has(missing.err, "/nowhere/t.json")) << missing.err;
}

}  // namespace
}  // namespace tenon::server
