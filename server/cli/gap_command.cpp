#include "server/cli/gap_command.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/cli/cut_file.h"
#include "server/cli/gap_answer.h"
#include "server/cli/stage_dump.h"

namespace tenon::server {
namespace {

using nlohmann::json;

void PrintAnswer(const Invocation& invocation, const GapAnswer& answer, bool inserted) {
  const char* what = inserted ? "the text" : "the empty text";
  invocation.Print(fmt::format("{}{}\n",
                               answer.viable ? "viable" : "not viable: nothing can close this gap",
                               inserted ? " after the text" : ""));
  invocation.Print(
      fmt::format("{} {} the gap\n", what, answer.member ? "closes" : "does not close"));
  if (answer.region)
    invocation.Print(fmt::format("in the region {}-{} alone: the file is broken elsewhere\n",
                                 answer.region->begin, answer.region->end));
  if (answer.seam != Seam::kClosed)
    invocation.Print(fmt::format("the text begins a {} that the right side ends\n",
                                 answer.seam == Seam::kLine ? "string" : "string or comment"));
  if (answer.viable)
    invocation.Print(fmt::format("expected: {}\n", fmt::join(answer.expected, " ")));
  if (answer.closing) invocation.Print(fmt::format("closed by: [{}]\n", *answer.closing));
  if (answer.needs) invocation.Print(fmt::format("infeasible, needs {} tokens\n", *answer.needs));
  for (const std::string& sample : answer.samples.value_or(std::vector<std::string>{}))
    invocation.Print(fmt::format("[{}]\n", sample));
}

}  // namespace

int RunGap(const Invocation& invocation, const GapOptions& options) {
  if (options.explain || !options.dump.empty()) return DumpGapStage(invocation, options);
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  auto file = ReadCutFile(options.file, options.at);
  if (!file) return invocation.Fail(file.error());
  const auto scope = ScopeNamed(options.scope);
  if (!scope)
    return invocation.Fail("--scope must be argument, line, statement, block or free",
                           kExitWrongUsage);
  const GapQuestion question{.text = std::move(file->text),
                             .path = options.file,
                             .language = options.language,
                             .cut = file->cut,
                             .insert = options.insert.value_or(""),
                             .close = options.close,
                             .sample = options.sample,
                             .scope = *scope,
                             .region = options.region};
  const auto answer = GapAnswerer(invocation, *languages, options.tokenizer).Answer(question);
  if (!answer) return invocation.Fail(answer.error());
  if (invocation.json())
    invocation.PrintJson(ToJson(*answer));
  else
    PrintAnswer(invocation, *answer, options.insert.has_value());
  return kExitDone;
}

int RunGapBatch(const Invocation& invocation, const GapOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  GapAnswerer answerer(invocation, *languages, options.tokenizer);
  return invocation.AnswerLines([&answerer](const json& line) -> tl::expected<json, std::string> {
    const auto question = GapQuestionFrom(line);
    if (!question) return tl::unexpected(question.error());
    const auto answer = answerer.Answer(*question);
    if (!answer) return tl::unexpected(answer.error());
    return ToJson(*answer);
  });
}

}  // namespace tenon::server
