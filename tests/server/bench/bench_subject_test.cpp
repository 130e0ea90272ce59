#include "server/bench/bench_subject.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/server/cli/tiny_tokenizer.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

TEST(BenchSubject, IsAGrammarAFileAndTheTokensOfTheFile) {
  TemporaryFolder folder;
  std::istringstream in;
  std::ostringstream out, err;
  const ProcessContext process{
      .in = in,
      .out = out,
      .err = err,
  };
  const Invocation invocation(process, {});
  BenchOptions options;
  options.what = "masks";
  options.file = folder.Write("a.json", "[true, \"é\"]\n");
  options.tokenizer = folder.Write("tokenizer.json", TinyTokenizer());
  const auto subject = BenchSubject::Read(invocation, options);
  ASSERT_TRUE(subject) << subject.error();
  EXPECT_TRUE(subject->Compile());
  std::string spelled;
  for (const TokenId token : subject->tokens) spelled += subject->vocabulary.Bytes(token);
  EXPECT_EQ(spelled, subject->text);
  EXPECT_EQ(subject->text, "[true, \"é\"]\n");

  options.file = folder.path().string() + "/absent.json";
  EXPECT_NE(BenchSubject::Read(invocation, options).error().find("absent.json"), std::string::npos);
}

}  // namespace
}  // namespace tenon::server
