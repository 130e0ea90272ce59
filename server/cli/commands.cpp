#include "server/cli/commands.h"

#include <array>
#include <string>

#include "server/cli/check_command.h"
#include "server/cli/complete_command.h"
#include "server/cli/doctor_command.h"
#include "server/cli/gap_command.h"
#include "server/cli/grammar_command.h"
#include "server/cli/model_command.h"
#include "server/cli/model_pull_command.h"
#include "server/cli/replay_command.h"

namespace tenon::server {
namespace {

constexpr std::array<const char*, 5> kScopes = {"argument", "line", "statement", "block", "free"};

// How a completion is made; where an option is absent a setting decides.
void AddTerms(CLI::App& command, CompleteOptions& options) {
  command
      .add_option("--constraint", options.constraint,
                  "which context the completion must fit; else by the setting, both unless told")
      ->check(CLI::IsMember(kConstraints));
  command
      .add_option("--max-tokens", options.max_tokens,
                  fmt::format("at most this many tokens from the model; else by the setting "
                              "maxTokens, {} unless told",
                              kUsualMaxTokens))
      ->check(CLI::Range(1, 4096));
  AddTimeBudget(command, options.budget_ms,
                "answer within so many milliseconds; else as long as it takes");
  command
      .add_option("--open", options.open,
                  "a further file, as if it were open in an editor: the model sees what is like "
                  "the text at the cursor; repeat it")
      ->allow_extra_args(false);
  command.add_flag("--stream", options.stream,
                   "with --json: a line for each step before the answer's line");
  command
      .add_option("--scope", options.scope,
                  "how far the completion may go, the next wider one where nothing closes it; "
                  "else by the setting, block unless told")
      ->check(CLI::IsMember(kScopes));
  command.add_option("--level", options.level,
                     "of the grammar's %levels: write also what is newer than every version takes; "
                     "else by the setting levels");
  command
      .add_option("--temperature", options.temperature,
                  "0: always the likeliest token; else by the setting, 0 unless told")
      ->check(NoNumber)
      ->check(CLI::Range(0.0, 5.0));
  command
      .add_option("--seed", options.seed,
                  "of the draws at a temperature above 0; else by the setting, 0 unless told")
      ->check(WrongSeed);
}

void AddComplete(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] = AddCommand(
      app, chosen, "complete", "complete once in a file and show it in its place", RunComplete);
  command.footer(
      R"(With --json: {"items": [{"text", "range": [A, B], "guarantee", "tokens", "ended"}],
"statistics": {"drawn", "refused", "masks", "forced", "passes"}, "timings_ms"};
the statistics of a remote engine also have "requests" and "wasted"; without an item there are
"reason", and "infeasible" and "needs" where the tokens are too few;
the text replaces the bytes A to B of the file.)");
  command.add_option("file", options.file, "the file");
  command.add_option("--at", options.at,
                     "the cursor, LINE:COL; both from 1, columns in characters");
  command.add_option("--prompt", options.prompt,
                     "in place of a file: write on after this text, which --language reads");
  command.add_option("--regex", options.regex,
                     "with --prompt: write what this expression matches as a whole");
  AddLanguage(command, options.language);
  AddTerms(command, options);
}

int RunCheckCommand(const Invocation& invocation, const CheckOptions& options) {
  if (!options.level.empty() && !options.emit && !options.batch) {
    return invocation.Fail("--level is of the grammar that tenon writes by: give --emit, too",
                           kExitWrongUsage);
  }
  if (options.batch) return RunCheckBatch(invocation, options);
  if (!options.files.empty()) return RunCheck(invocation, options);
  return invocation.Fail("check needs a FILE, or --batch", kExitWrongUsage);
}

void AddCheck(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] = AddCommand(
      app, chosen, "check", "is each file whole and valid for its grammar?", RunCheckCommand);
  command.footer(
      R"(With --batch: JSON lines {"path" or "text", "language", "emit"} on standard input, each answered
by one line {"valid", "line", "column", "message"}.)");
  CLI::Option* check_batch =
      command.add_flag("--batch", options.batch, "read requests as JSON lines from standard input");
  command.add_option("files", options.files, "the files")->excludes(check_batch);
  AddLanguage(command, options.language);
  command.add_flag("--emit", options.emit, "by the stricter grammar that completions obey");
  command.add_option("--level", options.level, "with --emit: a level of the grammar's %levels");
}

int RunGapCommand(const Invocation& invocation, const GapOptions& options) {
  if (options.batch) return RunGapBatch(invocation, options);
  if (!options.file.empty() && !options.at.empty()) return RunGap(invocation, options);
  return invocation.Fail("gap needs FILE --at A[-B], or --batch", kExitWrongUsage);
}

void AddGap(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] = AddCommand(
      app, chosen, "gap", "can the gap be closed, and does a text close it?", RunGapCommand);
  command.footer(
      R"(With --batch: JSON lines {"path" or "text", "language", "at": [A, B], "insert", "emit", "close", "region",
"scope", "sample", "max_tokens", "seed"} on standard input, each answered by one line {"viable", "member",
"expected"}, with "closing" and "samples", or "infeasible" and "needs", where they were asked for, and with
"region" or "seam" where the gap is that of a region or has another seam.)");
  CLI::Option* batch =
      command.add_flag("--batch", options.batch, "read requests as JSON lines from standard input");
  CLI::Option* file = command.add_option("file", options.file, "the file");
  command.add_option("--at", options.at, "A or A-B, byte offsets: the text A..B is cut out");
  command.add_option("--insert", options.insert, "the text asked about; else the empty text");
  command.add_flag("--region", options.region,
                   "where the file is broken elsewhere, in the region around the gap");
  command.add_flag("--close", options.close,
                   "say with which short text tenon would close the gap, too");
  AddLanguage(command, options.language);
  command
      .add_option("--scope", options.scope,
                  "of what may be written: viable and member then ask about that")
      ->check(CLI::IsMember(kScopes))
      ->capture_default_str();
  command.add_option("--sample", options.sample.count, "so many random texts that close the gap")
      ->check(CLI::Range(size_t{0}, kMaxSamples));
  command.add_option("--max-tokens", options.sample.max_tokens, "of each sample, at most")
      ->check(CLI::Range(uint32_t{0}, kMaxSampleTokens))
      ->capture_default_str();
  AddSeed(command, options.sample.seed, "of the samples");
  command.add_option(
      "--tokenizer", options.tokenizer,
      "the vocabulary that samples are drawn from, GGUF or tokenizer.json; else the model's");
  CLI::Option* dump =
      command.add_option("--dump", options.dump, "print this stage of the engine instead")
          ->check(CLI::IsMember({"lexer", "right", "demand", "classes", "plan"}));
  command
      .add_flag("--explain", options.explain,
                "show on one screen how both sides of the gap are read")
      ->excludes(dump)
      ->excludes(batch);
  file->excludes(batch);
}

void AddGrammar(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] =
      AddCommand(app, chosen, "grammar",
                 "what the engine makes of a grammar file, or why it cannot take it", RunGrammar);
  command.footer(
      R"(With --json: {"path", "valid", "terminals", "lr_terminals", "nonterminals", "rules", "lr_states",
"lr_states_split_off", "lexer_states", "conflicts", "examples", "notes", "compile_ms", "from_cache"}, or
{"path", "valid", "line", "column", "message"}.)");
  command.add_option("grammar", options.path, "the grammar file")->required();
  command.add_option("--max-conflicts", options.max_conflicts, "conflicts shown with an example")
      ->check(CLI::Range(0, kMaxCount))
      ->capture_default_str();
  CLI::Option* quotient =
      command.add_flag("--quotient", options.quotient,
                       "print the explicit grammar of the middle at the gap --at in --file");
  command.add_option("--file", options.file, "the text with the gap")->needs(quotient);
  command.add_option("--at", options.at, "A or A-B, byte offsets: the text A..B is cut out")
      ->needs(quotient);
  command.add_option("--format", options.format, "how the middle's grammar is written")
      ->check(CLI::IsMember({"lark", "gbnf"}))
      ->capture_default_str()
      ->needs(quotient);
  command.add_flag("--emit", options.emit, "of what completions may write, under the seam rule")
      ->needs(quotient);
  command.add_option("--dump", options.dump, "print this stage of the engine instead")
      ->check(CLI::IsMember({"lexer", "table", "store"}))
      ->excludes(quotient);
  command.add_option("--tokenizer", options.tokenizer,
                     "with --dump store: its vocabulary, GGUF or tokenizer.json; else the model's");
}

int RunModelListCommand(const Invocation& invocation, const ModelOptions& /*none*/) {
  return RunModelList(invocation);
}
int RunModelPullCommand(const Invocation& invocation, const ModelOptions& options) {
  return RunModelPull(invocation, options.name);
}

void AddModel(CLI::App& app, ChosenCommand& chosen) {
  CLI::App* model = app.add_subcommand("model", "the models that are installed, and which one runs")
                        ->require_subcommand(1)
                        ->fallthrough();
  const auto add = [&](const char* name, const char* about, auto run) {
    auto command = AddCommand(*model, chosen, name, about, run);
    command.app.fallthrough();
    return command;
  };
  // Commands about one model, which need no name.
  const auto add_about_one = [&](const char* name, const char* about, auto run) {
    auto command = add(name, about, run);
    command.app.add_option("model", command.options.what, "a name or path; else the one that runs");
    return command;
  };
  add("list", "what is installed, which one runs and why", RunModelListCommand);
  const auto pull = add("pull", "fetch a model by name, or list the names", RunModelPullCommand);
  pull.app.add_option("name", pull.options.name, "the model; without it: which there are");
  const auto use = add("use", "choose the model that runs from now on", RunModelUse);
  CLI::Option* name = use.app.add_option("name", use.options.name, "an installed model");
  use.app.add_flag("--default", use.options.use_default, "let tenon choose again")->excludes(name);
  const auto own = add("add", "install a file of your own under a name", RunModelAdd);
  own.app
      .add_option("file", own.options.file,
                  "a GGUF file, or a Hugging Face folder; it stays where it is")
      ->required();
  own.app.add_option("--name", own.options.as, "the name; else that of the file");
  const auto remove = add("remove", "delete an installed model", RunModelRemove);
  remove.app.add_option("name", remove.options.name, "the model")->required();
  add_about_one("info", "what a model file holds, and whether it runs", RunModelInfo);
  add_about_one("check", "read a model's file, and compare its hash with what it should be",
                RunModelCheck);
  add_about_one("convert",
                "keep a model's weights as they are computed with, so that it loads quickly",
                RunModelConvert);
  const auto bench = add_about_one("bench", "how fast a model is on this machine", RunModelBench);
  bench.app.add_option("--runs", bench.options.runs, "of the prompt")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

void AddReplay(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] = AddCommand(
      app, chosen, "replay",
      "play a session that --record wrote again: what differs, how long it takes", RunReplay);
  command.add_option("file", options.file, "the record")->required();
  command
      .add_option("--patience-s", options.patience_s,
                  "so many seconds until a message counts as missing")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
}

void AddDoctor(CLI::App& app, ChosenCommand& chosen) {
  app.add_subcommand("doctor", "one screen: version, model, grammars, what is wrong and what to do")
      ->callback([&chosen] { chosen = RunDoctor; });
}

}  // namespace

void AddCommands(CLI::App& app, ChosenCommand& chosen) {
  AddComplete(app, chosen);
  AddCheck(app, chosen);
  AddGap(app, chosen);
  AddGrammar(app, chosen);
  AddMeasuringCommands(app, chosen);
  AddModel(app, chosen);
  AddReplay(app, chosen);
  AddDoctor(app, chosen);
}

}  // namespace tenon::server
