#include "server/bench/bench_command.h"
#include "server/cli/commands.h"
#include "server/cli/store_command.h"
#include "server/eval/eval_command.h"

namespace tenon::server {
namespace {

void AddBench(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] =
      AddCommand(app, chosen, "bench", "time and memory of each stage", RunBench);
  command.footer(
      "With --json: {\"name\", \"unit\", \"p50\", \"p90\", \"p99\", \"max\", \"count\", ...} a "
      "row; the first "
      "describes the machine.");
  command
      .add_option("what", options.what,
                  "masks: token by token through the file; gap: opening gaps; store: compiling; "
                  "ambiguity: very ambiguous texts; model: loading, prefill, decode; lsp: typing; "
                  "syntax: tree-sitter")
      ->required()
      ->check(CLI::IsMember({"masks", "gap", "store", "ambiguity", "model", "lsp", "syntax"}));
  command.add_option("--file", options.file,
                     "a valid file of the language; of masks, gap, lsp and syntax");
  command.add_option("--tokenizer", options.tokenizer,
                     "a tokenizer.json, tokenizer.model or GGUF file; else the model's");
  AddLanguage(command, options.language);
  command.add_option("--regex", options.regex,
                     "with masks: an expression in place of a file and its language");
  command.add_option("--gaps", options.gaps, "gaps that are opened")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  AddSeed(command, options.seed, "of the places of gaps");
  command.add_option("--levels", options.levels, "with ambiguity: how many brackets are nested")
      ->check(CLI::Range(1, kMaxCount))
      ->capture_default_str();
  command.add_option("--terms", options.terms, "with ambiguity: how many terms follow the gap")
      ->check(CLI::Range(1, kMaxCount))
      ->capture_default_str();
  command.add_option("--precision", options.precision, "with model: of the weights")
      ->check(CLI::IsMember({"auto", "f32", "bf16", "blocks"}))
      ->capture_default_str();
  command.add_option("--runs", options.runs, "with model: of each prompt")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--pause-ms", options.pause_ms, "with lsp: between a key and its question")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  command.add_flag("--busy", options.busy, "with model: one core is kept busy meanwhile");
}

void AddStore(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] =
      AddCommand(app, chosen, "store", "the mask store of a language and a vocabulary", RunStore);
  command.footer(
      "With --json: {\"name\", \"count\"} a row; the first is entries_before, the last "
      "entries_after.");
  command
      .add_option("what", options.what,
                  "show: its entries, step by step; build: what building takes, too")
      ->required()
      ->check(CLI::IsMember({"build", "show"}));
  command.add_option("--language", options.language, "an LSP language id")->required();
  command.add_option("--tokenizer", options.tokenizer,
                     "a tokenizer.json, tokenizer.model or GGUF file; else the model's");
}

// What is completed, and what is open beside it.
void AddEvalCorpus(CLI::App& command, EvalOptions& options) {
  command
      .add_option("what", options.what,
                  "gaps: pieces are cut out and completed; typing: lines are typed again, key by "
                  "key")
      ->required()
      ->check(CLI::IsMember({"gaps", "typing"}));
  command.add_option("folder", options.folder, "a folder of source files")->required();
  command.add_option("--gaps", options.gaps, "with gaps: so many of each language")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command
      .add_option("--kinds", options.kinds,
                  "with gaps: tail, inside, line, block, body, or several with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"tail", "inside", "line", "block", "body"}))
      ->capture_default_str();
  command.add_option("--regions", options.regions, "with typing: so many of each language")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command.add_option("--lines", options.lines, "with typing: lines of a region")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_flag("--auto-close", options.auto_close,
                   "with typing: brackets and quotes are closed as they are opened, as editors do");
  command
      .add_option("--open", options.open,
                  "so many files are open beside each one: its neighbours in the folder")
      ->check(CLI::Range(size_t{0}, size_t{16}))
      ->capture_default_str();
  command.add_flag("--other-files", options.other_files,
                   "with --open: the model sees stretches of them");
  AddSeed(command, options.seed, "of the choice of files and places");
  command
      .add_option("--languages", options.languages,
                  "LSP language ids, with commas between; else all that the folder holds")
      ->delimiter(',')
      ->allow_extra_args(false);
}

// How each completion is asked for.
void AddEvalRequests(CLI::App& command, EvalOptions& options) {
  command
      .add_option("--constraint", options.constraints,
                  "off, left, both, or several with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(kConstraints))
      ->capture_default_str();
  AddMaxTokens(command, options.max_tokens, "at most this many tokens a completion");
  AddTimeBudget(command, options.budget_ms,
                "answer each request within so many milliseconds; else as long as it takes");
  command
      .add_option("--pause-ms", options.pause_ms,
                  "with typing: so long after an answer comes the next key, and the model goes on "
                  "with what --budget-ms cut short")
      ->check(CLI::Range(1, 600'000));
  command
      .add_option("--candidates", options.candidates,
                  "ask for so many; the JSON tells whether one of them is exact")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  command
      .add_option("--sureness", options.sureness,
                  "withhold what the model is less sure of, in a word or before code on its line")
      ->check(NoNumber)
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

// Where the results are written.
void AddEvalFiles(CLI::App& command, EvalOptions& options) {
  command.add_option("--json", options.json_file, "write the whole result to this file");
  command.add_option("--html", options.html_file, "write a page with plots to this file");
  command.add_option("--resume", options.resume_file,
                     "keep each finished gap in this file, and go on from those it holds");
}

void AddEval(CLI::App& app, ChosenCommand& chosen) {
  auto [command, options] = AddCommand(
      app, chosen, "eval", "how good and how quick completions are on files of your own", RunEval);
  command.footer(
      "A run of an hour can be stopped: with --resume FILE the same command goes on where it was.\n"
      "'tenon --json eval ...' prints one JSON object a line: {\"language\", \"kind\", "
      "\"constraint\", \"count\", ...}.");
  AddEvalCorpus(command, options);
  AddEvalRequests(command, options);
  AddEvalFiles(command, options);
}

}  // namespace

void AddMeasuringCommands(CLI::App& app, ChosenCommand& chosen) {
  AddBench(app, chosen);
  AddStore(app, chosen);
  AddEval(app, chosen);
}

}  // namespace tenon::server
