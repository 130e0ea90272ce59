// What a request is made into before the model computes: the kind of task, or the reason why there
// is none.
#include "server/complete/completion_task.h"

#include <filesystem>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "tests/model/tiny_model.h"
#include "tests/server/cursor_request.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class TaskMakerTest : public testing::Test {
 protected:
  TaskMakerTest() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
    const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
    maker_.emplace(*tokenizer_, languages,
                   std::make_shared<SyntaxRegistry>(
                       languages, std::vector<std::filesystem::path>{SyntaxesFolder()}));
  }

  // A request in JSON whose cursor stands at the first '|' of the text.
  static CompletionRequest At(std::string text) { return RequestAt(std::move(text), "json"); }

  static CompletionRequest Prompt(std::string text) {
    CompletionRequest request;
    request.text = std::move(text);
    request.language_id = "json";
    request.prompt = true;
    return request;
  }

  std::string Reason(const CompletionRequest& request) {
    const auto task = maker_->Prepare(request, {});
    return task ? "" : task.error().reason;
  }

  // Of the gap at the first '|' of a text.
  Guarantee GuaranteeAt(const std::string& text, const std::string& language_id) {
    const auto task = maker_->Prepare(RequestAt(text, language_id), {});
    EXPECT_TRUE(task) << text;
    return task ? std::get<GapTask>(*task).guarantee() : Guarantee::kNone;
  }

  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<TaskMaker> maker_;
};

TEST_F(TaskMakerTest, MakesAGapThatJoinsBothContexts) {
  const auto task = maker_->Prepare(At("[1, tr|, 2]"), {});
  ASSERT_TRUE(task) << task.error().reason;
  const auto* gap = std::get_if<GapTask>(&*task);
  ASSERT_NE(gap, nullptr);
  EXPECT_TRUE(gap->gap.feasible());
  EXPECT_EQ(gap->gap.tokens(), 96u);
  EXPECT_EQ(gap->filter.goal, Goal::kJoin);
  EXPECT_EQ(gap->filter.cursor.healed, " tr");
  EXPECT_EQ(gap->filter.cursor.right_line, ", 2]");
}

TEST_F(TaskMakerTest, TakesWhatTheEditorHasClosedAheadIntoTheRange) {
  const auto task = maker_->Prepare(At("{\"a\": [tr|]\n}"), {});
  ASSERT_TRUE(task) << task.error().reason;
  const auto* gap = std::get_if<GapTask>(&*task);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->filter.cursor.closed_ahead, "]");
  Gap opened = gap->opened;
  EXPECT_TRUE(opened.Accept("ue], \"b\": [1]") && opened.Member());
  CompletionRequest argument = At("{\"a\": [tr|]\n}");
  argument.scope = Scope::kArgument;
  const auto inside = maker_->Prepare(argument, {});
  ASSERT_TRUE(inside);
  EXPECT_EQ(std::get<GapTask>(*inside).filter.cursor.closed_ahead, "")
      << "the bracket shall not be closed";
}

TEST_F(TaskMakerTest, KnowsThatTheFileBeginsAtTheCursor) {
  const auto begins_file = [this](const char* text) {
    const auto task = maker_->Prepare(At(text), {});
    return task && std::get<GapTask>(*task).filter.cursor.begins_file;
  };
  EXPECT_TRUE(begins_file("\n |\n[1]"));
  EXPECT_FALSE(begins_file("|")) << "there is no code below";
  EXPECT_FALSE(begins_file("[|\n1]"));
}

TEST_F(TaskMakerTest, BeginsAStringThatTheRightSideEnds) {
  const auto task = maker_->Prepare(At(R"({"name": |tenon", "b": [1]})"), {});
  ASSERT_TRUE(task) << task.error().reason;
  const auto* gap = std::get_if<GapTask>(&*task);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->guarantee(), Guarantee::kFile);
  EXPECT_TRUE(gap->gap.feasible());
  Gap opened = gap->opened;
  EXPECT_TRUE(opened.Accept("\"my ") && opened.Member());
  EXPECT_FALSE(gap->opened.Check("true}"));
  // Another error is beyond a string.
  EXPECT_NE(Reason(At(R"({"name": |tenon", "b": [1 2]})")), "");
  // A comment is begun where there is no region either.
  CompletionRequest comment = At("[1]|no code");
  comment.language_id = "jsonc";
  const auto region = maker_->Prepare(comment, {});
  ASSERT_TRUE(region) << region.error().reason;
  EXPECT_EQ(std::get<GapTask>(*region).guarantee(), Guarantee::kRegion);
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  TaskMaker no_parsers(
      *tokenizer_, languages,
      std::make_shared<SyntaxRegistry>(languages, std::vector<std::filesystem::path>{}));
  const auto last = no_parsers.Prepare(comment, {});
  ASSERT_TRUE(last) << last.error().reason;
  EXPECT_EQ(std::get<GapTask>(*last).guarantee(), Guarantee::kFile);
  opened = std::get<GapTask>(*last).opened;
  EXPECT_TRUE(opened.Accept(" // ") && opened.Member());
}

// The text behind the cursor is the rest of a comment. A region would leave that rest out, and a
// comment would hide the broken `[3 4` of the second file.
TEST_F(TaskMakerTest, BeginsACommentOfWhichTheRightSideIsTheRest) {
  const auto guarantee_at = [&](const std::string& text) { return GuaranteeAt(text, "jsonc"); };
  EXPECT_EQ(guarantee_at("[\n  1,\n  | the second\n  number */\n  2\n]\n"), Guarantee::kFile);
  EXPECT_EQ(guarantee_at("[\n  1,\n  |,\n  [3 4],\n  /* two */\n  2\n]\n"), Guarantee::kRegion);
  EXPECT_EQ(guarantee_at("[\n  // a\n  | b of a\n  // c\n  1\n]\n"), Guarantee::kFile);
}

// A region would take the docstring's end for the beginning of another one, up to the file's end.
TEST_F(TaskMakerTest, BeginsADocstringWhoseEndFollows) {
  EXPECT_EQ(GuaranteeAt("a = 1\n\n\n|\n    \"\"\"\n    return 1\n", "python"), Guarantee::kFile);
}

TEST_F(TaskMakerTest, MakesAGapInARegionOfAFileThatIsBrokenElsewhere) {
  const auto task = maker_->Prepare(At(R"({"a": [1 2], "b": [3, tr|]})"), {});
  ASSERT_TRUE(task) << task.error().reason;
  const auto* gap = std::get_if<GapTask>(&*task);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->guarantee(), Guarantee::kRegion);
  EXPECT_EQ(gap->filter.cursor.healed, " tr");
  EXPECT_EQ(gap->filter.cursor.most_closing, 1U) << "the brace is a stand-in's";
  Gap opened = gap->opened;
  EXPECT_TRUE(opened.Accept("ue") && opened.Member());
  // The left context alone is not valid, and a region needs both.
  CompletionRequest left = At(R"({"a": [1 2], "b": [3, tr|]})");
  left.constraint = ConstraintMode::kLeft;
  EXPECT_NE(Reason(left), "");
  // Repaired, the file is judged as a whole again.
  const auto repaired = maker_->Prepare(At(R"({"a": [1, 2], "b": [3, tr|]})"), {});
  ASSERT_TRUE(repaired);
  EXPECT_EQ(std::get<GapTask>(*repaired).guarantee(), Guarantee::kFile);
  EXPECT_EQ(std::get<GapTask>(*repaired).filter.cursor.most_closing, std::nullopt);
}

// SQLite takes a comment that the end of the text ends. `/*` would swallow the broken statement, so
// the whole file is viable, and yet tenon writes no such text.
TEST_F(TaskMakerTest, MakesAGapInARegionWhereOnlyAnOpenCommentWouldJoinTheFile) {
  EXPECT_EQ(GuaranteeAt("select f(1|);\n\ncreate table t (\n", "sql"), Guarantee::kRegion);
}

// `}}(a` would join the file, which lacks two braces further up.
TEST_F(TaskMakerTest, MakesAGapInARegionWhereOnlyBracesOfOtherBlocksWouldJoinTheFile) {
  const auto guarantee_at = [&](const std::string& text) {
    return GuaranteeAt(text, "javascript");
  };
  const std::string head = "function f() {\n  if (a) {\n    b();\n\nfunction g(c) {\n  return ";
  EXPECT_EQ(guarantee_at(head + "c.map(|);\n}\n"), Guarantee::kRegion) << "closed ahead";
  EXPECT_EQ(guarantee_at(head + "c.map(|, d);\n}\n"), Guarantee::kRegion);
  EXPECT_EQ(guarantee_at(head + "|;\n}\n}\n}\n"), Guarantee::kFile) << "nothing is missing";
  EXPECT_EQ(guarantee_at("if (a) {\n  b();\n|"), Guarantee::kFile) << "`}` is missing here";
  EXPECT_EQ(guarantee_at("f(() => {\n  a();\n\nf(() => {\n  |\n});\n"), Guarantee::kRegion)
      << "the first call lacks it";
}

TEST_F(TaskMakerTest, MakesAGapWithoutABudgetOfTheLeftContextAlone) {
  CompletionRequest request = At("[1, |]]]");
  request.constraint = ConstraintMode::kLeft;
  const auto task = maker_->Prepare(request, {});
  ASSERT_TRUE(task) << task.error().reason;
  const auto* gap = std::get_if<GapTask>(&*task);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->gap.tokens(), kUnlimitedTokens);
  EXPECT_EQ(gap->filter.goal, Goal::kLine);
}

TEST_F(TaskMakerTest, MakesASyntaxTaskWhereALanguageHasASyntaxAndNoGrammar) {
  CompletionRequest request = At("int f(void) { return val|; }\n");
  request.language_id = "c";
  for (const ConstraintMode constraint : {ConstraintMode::kBoth, ConstraintMode::kLeft}) {
    request.constraint = constraint;
    const auto task = maker_->Prepare(request, {});
    ASSERT_TRUE(task) << task.error().reason;
    const auto* syntax = std::get_if<SyntaxTask>(&*task);
    ASSERT_NE(syntax, nullptr);
    EXPECT_EQ(syntax->healed, " val");
  }
  request.constraint = ConstraintMode::kOff;
  EXPECT_TRUE(std::holds_alternative<UnconstrainedTask>(*maker_->Prepare(request, {})));
  std::stop_source stop;
  stop.request_stop();
  request.constraint = ConstraintMode::kBoth;
  EXPECT_TRUE(maker_->Prepare(request, stop.get_token()).error().cancelled);
}

TEST_F(TaskMakerTest, ClosesNoBracketOfAHalfTypedLineInALanguageWithASyntaxAlone) {
  CompletionRequest request = At("int f(void) {\n  g(a.\n  h(|);\n}\n");
  request.language_id = "c";
  const auto task = maker_->Prepare(request, {});
  ASSERT_TRUE(task) << task.error().reason;
  const auto* syntax = std::get_if<SyntaxTask>(&*task);
  ASSERT_NE(syntax, nullptr);
  EXPECT_FALSE(syntax->middle.MayWrite(")"));
  EXPECT_TRUE(syntax->middle.MayWrite("b"));
}

// JSX in a file that ends in `.js`: the grammar reads none.
TEST_F(TaskMakerTest, LetsTheSyntaxJudgeWhereTheGrammarProvesNothingAndTheLanguageSaysSo) {
  CompletionRequest request = At("f(a);\nconst x = <p>{val|}</p>;\n");
  request.language_id = "javascript";
  auto task = maker_->Prepare(request, {});
  ASSERT_TRUE(task) << task.error().reason;
  EXPECT_TRUE(std::holds_alternative<SyntaxTask>(*task));
  request = At("f(val|);\nconst x = <p>{a}</p>;\n");
  request.language_id = "javascript";
  task = maker_->Prepare(request, {});
  ASSERT_TRUE(task) << task.error().reason;
  ASSERT_TRUE(std::holds_alternative<GapTask>(*task));
  EXPECT_EQ(std::get<GapTask>(*task).guarantee(), Guarantee::kRegion);
  // JSON's entry says nothing of the kind.
  EXPECT_NE(Reason(At("}] |")), "");
}

TEST_F(TaskMakerTest, AnyLanguageIsCompletedOnlyWhereTheRequestSaysSo) {
  CompletionRequest request = At("MOVE A TO |.");
  request.language_id = "cobol";
  EXPECT_EQ(Reason(request), "no grammar for language 'cobol', and no syntax");
  request.any_language = true;
  EXPECT_TRUE(std::holds_alternative<UnconstrainedTask>(*maker_->Prepare(request, {})));
  request.language_id = "c";
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  TaskMaker no_parsers(
      *tokenizer_, languages,
      std::make_shared<SyntaxRegistry>(languages, std::vector<std::filesystem::path>()));
  EXPECT_EQ(no_parsers.Prepare(request, {}).error().reason,
            "the syntax 'c' is not installed: there is no c.so");
}

TEST_F(TaskMakerTest, MakesAPromptAnExpressionOrNoConstraint) {
  const auto prompt = maker_->Prepare(Prompt("[1,"), {});
  ASSERT_TRUE(prompt) << prompt.error().reason;
  ASSERT_TRUE(std::holds_alternative<PromptTask>(*prompt));
  EXPECT_EQ(std::get<PromptTask>(*prompt).gap.tokens(), kUnlimitedTokens);

  CompletionRequest matched = Prompt("Phone: ");
  matched.regex = "[0-9]{3}";
  const auto expression = maker_->Prepare(matched, {});
  ASSERT_TRUE(expression) << expression.error().reason;
  ASSERT_TRUE(std::holds_alternative<ExpressionTask>(*expression));
  EXPECT_EQ(std::get<ExpressionTask>(*expression).gap.tokens(), 96u);

  CompletionRequest unconstrained = At("MOVE A TO |.");
  unconstrained.language_id = "cobol";
  unconstrained.constraint = ConstraintMode::kOff;
  const auto off = maker_->Prepare(unconstrained, {});
  ASSERT_TRUE(off) << off.error().reason;
  EXPECT_TRUE(std::holds_alternative<UnconstrainedTask>(*off));
}

TEST_F(TaskMakerTest, SaysWhyThereIsNoTask) {
  CompletionRequest cobol = At("MOVE A TO |.");
  cobol.language_id = "cobol";
  EXPECT_NE(Reason(cobol).find("no grammar for language 'cobol'"), std::string::npos)
      << Reason(cobol);
  EXPECT_EQ(Reason(At("]|")),
            "the text around the cursor is not valid, or nothing can be written there");
  EXPECT_EQ(Reason(Prompt("]")), "the prompt is not the beginning of a valid text");
  CompletionRequest long_match = Prompt("");
  long_match.regex = "[0-9]{30}";
  long_match.max_tokens = 10;
  EXPECT_EQ(Reason(long_match), "infeasible, needs 30 tokens");
  CompletionRequest wrong = Prompt("");
  wrong.regex = "(";
  EXPECT_NE(Reason(wrong), "");
}

TEST_F(TaskMakerTest, MakesNothingOfACancelledRequest) {
  std::stop_source stop;
  stop.request_stop();
  const auto task = maker_->Prepare(At("[|]"), stop.get_token());
  ASSERT_FALSE(task);
  EXPECT_TRUE(task.error().cancelled);
}

}  // namespace
}  // namespace tenon::server
