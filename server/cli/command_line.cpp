#include "server/cli/command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model/inference/inference.h"
#include "server/bench/bench_command.h"
#include "server/cli/check_command.h"
#include "server/cli/complete_command.h"
#include "server/cli/doctor_command.h"
#include "server/cli/gap_command.h"
#include "server/cli/grammar_command.h"
#include "server/cli/model_command.h"
#include "server/cli/model_pull_command.h"
#include "server/cli/replay_command.h"
#include "server/cli/serve_command.h"
#include "server/cli/store_command.h"
#include "server/eval/eval_command.h"

namespace tenon::server {
namespace {

constexpr const char* kAbout =
    "tenon completes code at the cursor with a local model, and what it offers fits:\n"
    "left context + completion + right context parses.";

constexpr const char* kOnTerminal =
    "{}\n\n"
    "It is a language server: an editor starts it as 'tenon --stdio' and talks to it through the "
    "Language Server "
    "Protocol.\n"
    "On a terminal try\n"
    "  tenon complete FILE --at LINE:COL   a completion, shown in its place\n"
    "  tenon doctor                        what is installed, what is wrong and what to do\n"
    "  tenon --help                        everything else\n";

constexpr std::array<const char*, 5> kScopes = {"argument", "line", "statement", "block", "free"};

constexpr int kMaxCount = 1'000'000;

// A seed. CLI11 would wrap "-1" around and cut what is too large.
std::string WrongSeed(const std::string& text) {
  uint64_t seed = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && stop == text.data() + text.size()) return {};
  return fmt::format("'{}' is no whole number from 0 to {}", text, UINT64_MAX);
}

// CLI11's ranges hold "nan".
std::string NoNumber(const std::string& text) {
  return text.find_first_of("nN") == std::string::npos ? std::string()
                                                       : fmt::format("'{}' is no number", text);
}

// The parsed command line: which command, and the options of each.
struct Parsed {
  CommonOptions common;
  bool stdio = false;
  ServeOptions serve;
  CheckOptions check;
  CompleteOptions complete;
  GapOptions gap;
  bool check_batch = false;
  bool gap_batch = false;
  GrammarOptions grammar;
  BenchOptions bench;
  StoreOptions store;
  EvalOptions eval;
  ModelOptions model;
  ReplayOptions replay;
};

struct Commands {
  CLI::App* check = nullptr;
  CLI::App* complete = nullptr;
  CLI::App* gap = nullptr;
  CLI::App* grammar = nullptr;
  CLI::App* bench = nullptr;
  CLI::App* store = nullptr;
  CLI::App* eval = nullptr;
  CLI::App* model_list = nullptr;
  CLI::App* model_pull = nullptr;
  CLI::App* model_use = nullptr;
  CLI::App* model_add = nullptr;
  CLI::App* model_remove = nullptr;
  CLI::App* model_info = nullptr;
  CLI::App* model_check = nullptr;
  CLI::App* model_convert = nullptr;
  CLI::App* model_bench = nullptr;
  CLI::App* doctor = nullptr;
  CLI::App* replay = nullptr;
};

void AddCommon(CLI::App& app, Parsed& parsed) {
  app.add_flag("--json", parsed.common.json, "print one JSON object a line and nothing else");
  app.add_option("--log", parsed.common.log_level,
                 "what is logged, to standard error or --log-file")
      ->check(CLI::IsMember({"off", "error", "warn", "info", "debug"}));
  app.add_option("--log-file", parsed.common.log_file,
                 "a file that the log is appended to; a new one every 5 MiB");
  app.add_option("--grammars", parsed.common.grammars, "a folder with languages.json and grammars");
  app.add_option(
      "--model", parsed.common.model,
      "a model by name ('tenon model list'), or the path of a GGUF file or of a Hugging Face "
      "folder; else the one "
      "that 'tenon model use' chose, or a default");
  app.add_option(
      "--adapter", parsed.common.adapter,
      "the folder of a PEFT adapter, used beside the model's weights; '': none; else the "
      "one that belongs to the model by name");
  app.add_option("--threads", parsed.common.threads, "threads for the model; 0: as it sees fit")
      ->check(CLI::Range(0, 256));
  app.add_option("--engine", parsed.common.engine,
                 "what computes the model: tenon's own kernels, or libtorch's operators")
      ->check(CLI::IsMember(
          std::vector<std::string>(model::kEngineNames.begin(), model::kEngineNames.end())));
  app.add_option("--device", parsed.common.device,
                 "where libtorch computes; auto: a GPU that it can use, else the processor")
      ->check(CLI::IsMember(
          std::vector<std::string>(model::kDeviceNames.begin(), model::kDeviceNames.end())));
  app.add_flag("--no-cache", parsed.common.no_cache,
               "compile languages and lay weights out anew, and keep nothing");
  app.add_option("--cache-mb", parsed.common.cache_mb,
                 "so many MiB of compiled languages are kept at most; 512 unless told")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--config", parsed.common.config,
                 "the file of settings; else config.toml in the folder of tenon's configuration");
  app.add_option("--set", parsed.common.set,
                 "a setting, NAME=VALUE, above all that a file or an editor says")
      ->allow_extra_args(false);
}

void AddServe(CLI::App& app, Parsed& parsed) {
  ServeOptions& options = parsed.serve;
  app.add_flag("--no-daemon", options.no_daemon,
               "serve in this process, with a model of its own, and not by the user's daemon");
  CLI::Option* port =
      app.add_option("--port", options.port,
                     "serve clients of this machine at this port of 127.0.0.1; 0: one that is free")
          ->check(CLI::Range(0, 65535));
  app.add_option("--pipe", options.pipe,
                 "serve at this Unix socket; where somebody listens there, that client")
      ->excludes(port);
  app.add_option("--idle-minutes", options.idle_minutes,
                 "a daemon that is started ends after so many minutes without a client")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--daemon", options.daemon, "be the daemon at this socket")->group("");
}

void AddComplete(CLI::App& app, Parsed& parsed, Commands& commands) {
  commands.complete =
      app.add_subcommand("complete", "complete once in a file and show it in its place");
  commands.complete->footer(
      "With --json: {\"items\": [{\"text\", \"range\": [A, B], \"guarantee\", \"tokens\", "
      "\"ended\"}], "
      "\"statistics\": {\"drawn\", \"refused\", \"masks\", \"forced\", \"passes\"}, "
      "\"timings_ms\"};\n"
      "the statistics of a remote engine also have \"requests\" and \"wasted\";\n"
      "the text replaces the bytes A to B of the file.");
  CompleteOptions& options = parsed.complete;
  commands.complete->add_option("file", options.file, "the file");
  commands.complete->add_option("--at", options.at,
                                "the cursor, LINE:COL; both from 1, columns in characters");
  commands.complete->add_option(
      "--prompt", options.prompt,
      "in place of a file: write on behind this text, which --language reads");
  commands.complete->add_option("--regex", options.regex,
                                "with --prompt: write what this expression matches as a whole");
  commands.complete->add_option("--language", options.language,
                                "an LSP language id; else by the file's suffix");
  commands.complete
      ->add_option("--constraint", options.constraint, "which context the completion must fit")
      ->check(CLI::IsMember({"off", "left", "both"}))
      ->capture_default_str();
  commands.complete
      ->add_option("--max-tokens", options.max_tokens, "at most this many tokens from the model")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  commands.complete
      ->add_option("--budget-ms", options.budget_ms,
                   "answer within so many milliseconds; else as long as it takes")
      ->check(CLI::Range(1, 600'000));
  commands.complete
      ->add_option("--open", options.open,
                   "a further file, as if it were open in an editor: the model sees what is like "
                   "the text at the cursor; repeat it")
      ->allow_extra_args(false);
  commands.complete->add_flag("--stream", options.stream,
                              "with --json: a line for each step before the answer's line");
  commands.complete
      ->add_option("--scope", options.scope,
                   "how far the completion may go; the next wider one where nothing closes it")
      ->check(CLI::IsMember(kScopes))
      ->capture_default_str();
  commands.complete->add_option(
      "--level", options.level,
      "of the grammar's %levels: write also what is newer than every version takes");
  commands.complete
      ->add_option("--temperature", options.temperature, "0: always the likeliest token")
      ->check(NoNumber)
      ->check(CLI::Range(0.0, 5.0))
      ->capture_default_str();
  commands.complete->add_option("--seed", options.seed, "of the draws at a temperature above 0")
      ->check(WrongSeed)
      ->capture_default_str();
}

void AddCheckAndGap(CLI::App& app, Parsed& parsed, Commands& commands) {
  commands.check = app.add_subcommand("check", "is each file whole and valid for its grammar?");
  commands.check->footer(
      "With --batch: JSON lines {\"path\" or \"text\", \"language\", \"emit\"} on standard input, "
      "each answered\n"
      "by one line {\"valid\", \"line\", \"column\", \"message\"}.");
  CLI::Option* check_batch = commands.check->add_flag(
      "--batch", parsed.check_batch, "read requests as JSON lines from standard input");
  commands.check->add_option("files", parsed.check.files, "the files")->excludes(check_batch);
  commands.check->add_option("--language", parsed.check.language,
                             "an LSP language id; else by the file's suffix");
  commands.check->add_flag("--emit", parsed.check.emit,
                           "by the stricter grammar that completions obey");
  commands.check->add_option("--level", parsed.check.level,
                             "with --emit: a level of the grammar's %levels");

  commands.gap = app.add_subcommand("gap", "can the gap be closed, and does a text close it?");
  commands.gap->footer(
      "With --batch: JSON lines {\"path\" or \"text\", \"language\", \"at\": [A, B], \"insert\", "
      "\"emit\", \"close\", \"region\",\n"
      "\"scope\", \"sample\", \"max_tokens\", \"seed\"} on standard input, each answered by one "
      "line {\"viable\", "
      "\"member\", "
      "\"expected\"},\n"
      "with \"closing\" and \"samples\", or \"infeasible\" and \"needs\", where they were asked "
      "for.");
  CLI::Option* batch = commands.gap->add_flag("--batch", parsed.gap_batch,
                                              "read requests as JSON lines from standard input");
  CLI::Option* file = commands.gap->add_option("file", parsed.gap.file, "the file");
  commands.gap->add_option("--at", parsed.gap.at,
                           "A or A-B, byte offsets: the text A..B is cut out");
  commands.gap->add_option("--insert", parsed.gap.insert,
                           "the text asked about; else the empty text");
  commands.gap->add_flag("--region", parsed.gap.region,
                         "where the file is broken elsewhere, in the region around the gap");
  commands.gap->add_flag("--close", parsed.gap.close,
                         "say with which short text tenon would close the gap, too");
  commands.gap->add_option("--language", parsed.gap.language,
                           "an LSP language id; else by the file's suffix");
  commands.gap
      ->add_option("--scope", parsed.gap.scope,
                   "of what may be written: viable and member then ask about that")
      ->check(CLI::IsMember(kScopes))
      ->capture_default_str();
  commands.gap
      ->add_option("--sample", parsed.gap.sample.count, "so many random texts that close the gap")
      ->check(CLI::Range(size_t{0}, kMaxSamples));
  commands.gap->add_option("--max-tokens", parsed.gap.sample.max_tokens, "of each sample, at most")
      ->check(CLI::Range(uint32_t{0}, kMaxSampleTokens))
      ->capture_default_str();
  commands.gap->add_option("--seed", parsed.gap.sample.seed, "of the samples")
      ->check(WrongSeed)
      ->capture_default_str();
  commands.gap->add_option(
      "--tokenizer", parsed.gap.tokenizer,
      "the vocabulary that samples are drawn from, GGUF or tokenizer.json; else the model's");
  CLI::Option* dump =
      commands.gap->add_option("--dump", parsed.gap.dump, "print this stage of the engine instead")
          ->check(CLI::IsMember({"lexer", "right", "demand", "classes", "plan"}));
  commands.gap
      ->add_flag("--explain", parsed.gap.explain,
                 "show on one screen how both sides of the gap are read")
      ->excludes(dump)
      ->excludes(batch);
  file->excludes(batch);
}

void AddGrammar(CLI::App& app, Parsed& parsed, Commands& commands) {
  commands.grammar = app.add_subcommand(
      "grammar", "what the engine makes of a grammar file, or why it cannot take it");
  commands.grammar->footer(
      "With --json: {\"path\", \"valid\", \"terminals\", \"lr_terminals\", \"nonterminals\", "
      "\"rules\", "
      "\"lr_states\",\n"
      "\"lexer_states\", \"conflicts\", \"examples\", \"notes\", \"compile_ms\"}, or {\"path\", "
      "\"valid\", \"line\", "
      "\"column\", "
      "\"message\"}.");
  commands.grammar->add_option("grammar", parsed.grammar.path, "the grammar file")->required();
  commands.grammar
      ->add_option("--max-conflicts", parsed.grammar.max_conflicts,
                   "conflicts shown with an example")
      ->check(CLI::Range(0, kMaxCount))
      ->capture_default_str();
  commands.grammar->add_flag("--quotient", parsed.grammar.quotient,
                             "print the explicit grammar of the middle at the gap --at in --file");
  commands.grammar->add_option("--file", parsed.grammar.file, "the text with the gap");
  commands.grammar->add_option("--at", parsed.grammar.at,
                               "A or A-B, byte offsets: the text A..B is cut out");
  commands.grammar
      ->add_option("--format", parsed.grammar.format, "how the middle's grammar is written")
      ->check(CLI::IsMember({"lark", "gbnf"}))
      ->capture_default_str();
  commands.grammar->add_flag("--emit", parsed.grammar.emit,
                             "of what completions may write, under the seam rule");
  commands.grammar
      ->add_option("--dump", parsed.grammar.dump, "print this stage of the engine instead")
      ->check(CLI::IsMember({"lexer", "table", "store"}));
  commands.grammar->add_option(
      "--tokenizer", parsed.grammar.tokenizer,
      "with --dump store: its vocabulary, GGUF or tokenizer.json; else the model's");
}

void AddBenchAndStore(CLI::App& app, Parsed& parsed, Commands& commands) {
  commands.bench = app.add_subcommand("bench", "time and memory of each stage");
  commands.bench->footer(
      "With --json: {\"name\", \"unit\", \"p50\", \"p90\", \"p99\", \"max\", \"count\", ...} a "
      "row; the first "
      "describes the machine.");
  BenchOptions& options = parsed.bench;
  commands.bench
      ->add_option("what", options.what,
                   "masks: token by token through the file; gap: opening gaps; store: compiling; "
                   "ambiguity: very ambiguous texts; model: loading, prefill, decode; lsp: typing; "
                   "syntax: tree-sitter")
      ->required()
      ->check(CLI::IsMember({"masks", "gap", "store", "ambiguity", "model", "lsp", "syntax"}));
  commands.bench->add_option("--file", options.file,
                             "a valid file of the language; of masks, gap, lsp and syntax");
  commands.bench->add_option("--tokenizer", options.tokenizer,
                             "a tokenizer.json, tokenizer.model or GGUF file; else the model's");
  commands.bench->add_option("--language", options.language,
                             "an LSP language id; else by the file's suffix");
  commands.bench->add_option("--regex", options.regex,
                             "with masks: an expression in place of a file and its language");
  commands.bench->add_option("--gaps", options.gaps, "gaps that are opened")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  commands.bench->add_option("--seed", options.seed, "of the places of gaps")
      ->check(WrongSeed)
      ->capture_default_str();
  commands.bench
      ->add_option("--levels", options.levels, "with ambiguity: how many brackets are nested")
      ->check(CLI::Range(1, kMaxCount))
      ->capture_default_str();
  commands.bench
      ->add_option("--terms", options.terms, "with ambiguity: how many terms follow the gap")
      ->check(CLI::Range(1, kMaxCount))
      ->capture_default_str();
  commands.bench->add_option("--precision", options.precision, "with model: of the weights")
      ->check(CLI::IsMember({"auto", "f32", "bf16", "blocks"}))
      ->capture_default_str();
  commands.bench->add_option("--runs", options.runs, "with model: of each prompt")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  commands.bench
      ->add_option("--pause-ms", options.pause_ms, "with lsp: between a key and its question")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  commands.bench->add_flag("--busy", options.busy, "with model: one core is kept busy meanwhile");

  commands.store = app.add_subcommand("store", "the mask store of a language and a vocabulary");
  commands.store->footer(
      "With --json: {\"name\", \"count\"} a row; the first is entries_before, the last "
      "entries_after.");
  commands.store
      ->add_option("what", parsed.store.what,
                   "show: its entries, step by step; build: what building takes, too")
      ->required()
      ->check(CLI::IsMember({"build", "show"}));
  commands.store->add_option("--language", parsed.store.language, "an LSP language id")->required();
  commands.store->add_option("--tokenizer", parsed.store.tokenizer,
                             "a tokenizer.json, tokenizer.model or GGUF file; else the model's");
}

void AddEval(CLI::App& app, Parsed& parsed, Commands& commands) {
  commands.eval =
      app.add_subcommand("eval", "how good and how quick completions are on files of your own");
  commands.eval->footer(
      "A run of an hour can be stopped: with --resume FILE the same command goes on where it was.\n"
      "'tenon --json eval ...' prints one JSON object a line: {\"language\", \"kind\", "
      "\"constraint\", \"count\", ...}.");
  EvalOptions& options = parsed.eval;
  commands.eval
      ->add_option("what", options.what,
                   "gaps: pieces are cut out and completed; typing: lines are typed again, key by "
                   "key")
      ->required()
      ->check(CLI::IsMember({"gaps", "typing"}));
  commands.eval->add_option("folder", options.folder, "a folder of source files")->required();
  commands.eval->add_option("--gaps", options.gaps, "with gaps: so many of each language")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  commands.eval->add_option("--regions", options.regions, "with typing: so many of each language")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  commands.eval->add_option("--lines", options.lines, "with typing: lines of a region")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  commands.eval
      ->add_option("--open", options.open,
                   "so many files are open beside each one: its neighbours in the folder")
      ->check(CLI::Range(size_t{0}, size_t{16}))
      ->capture_default_str();
  commands.eval->add_flag("--other-files", options.other_files,
                          "with --open: the model sees stretches of them");
  commands.eval->add_option("--seed", options.seed, "of the choice of files and places")
      ->check(WrongSeed)
      ->capture_default_str();
  commands.eval
      ->add_option("--languages", options.languages,
                   "LSP language ids, with commas between; else all that the folder holds")
      ->delimiter(',')
      ->allow_extra_args(false);
  commands.eval
      ->add_option("--constraint", options.constraints,
                   "off, left, both, or several with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"off", "left", "both"}))
      ->capture_default_str();
  commands.eval
      ->add_option("--max-tokens", options.max_tokens, "at most this many tokens a completion")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  commands.eval
      ->add_option("--budget-ms", options.budget_ms,
                   "answer each request within so many milliseconds; else as long as it takes")
      ->check(CLI::Range(1, 600'000));
  commands.eval
      ->add_option("--pause-ms", options.pause_ms,
                   "with typing: so long after an answer comes the next key, and the model goes on "
                   "with what --budget-ms cut short")
      ->check(CLI::Range(1, 600'000));
  commands.eval
      ->add_option("--candidates", options.candidates,
                   "ask for so many; the JSON tells whether one of them is exact")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  commands.eval
      ->add_option("--sureness", options.sureness,
                   "withhold what the model is less sure of, in a word or before code on its line")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  commands.eval->add_option("--json", options.json_file, "write the whole result to this file");
  commands.eval->add_option("--html", options.html_file, "write a page with plots to this file");
  commands.eval->add_option("--resume", options.resume_file,
                            "keep each finished gap in this file, and go on from those it holds");
}

void AddModelCommands(CLI::App& app, Parsed& parsed, Commands& commands) {
  CLI::App* model = app.add_subcommand("model", "the models that are installed, and which one runs")
                        ->require_subcommand(1)
                        ->fallthrough();
  ModelOptions& options = parsed.model;
  const auto add = [model](const char* name, const char* about) {
    return model->add_subcommand(name, about)->fallthrough();
  };
  commands.model_list = add("list", "what is installed, which one runs and why");
  commands.model_pull = add("pull", "fetch a model by name, or list the names");
  commands.model_pull->add_option("name", options.name, "the model; without it: which there are");
  commands.model_use = add("use", "choose the model that runs from now on");
  CLI::Option* name = commands.model_use->add_option("name", options.name, "an installed model");
  commands.model_use->add_flag("--default", options.use_default, "let tenon choose again")
      ->excludes(name);
  commands.model_add = add("add", "install a file of your own under a name");
  commands.model_add
      ->add_option("file", options.file,
                   "a GGUF file, or a Hugging Face folder; it stays where it is")
      ->required();
  commands.model_add->add_option("--name", options.as, "the name; else that of the file");
  commands.model_remove = add("remove", "delete an installed model");
  commands.model_remove->add_option("name", options.name, "the model")->required();
  commands.model_info = add("info", "what a model file holds, and whether it runs");
  commands.model_info->add_option("model", options.what, "a name or path; else the one that runs");
  commands.model_check =
      add("check", "read a model's file, and compare its hash with what it should be");
  commands.model_check->add_option("model", options.what, "a name or path; else the one that runs");
  commands.model_convert =
      add("convert", "keep a model's weights as they are computed with, so that it loads quickly");
  commands.model_convert->add_option("model", options.what,
                                     "a name or path; else the one that runs");
  commands.model_bench = add("bench", "how fast a model is on this machine");
  commands.model_bench->add_option("model", options.what, "a name or path; else the one that runs");
  commands.model_bench->add_option("--runs", options.runs, "of the prompt")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

void AddServeAndReplay(CLI::App& app, Parsed& parsed, Commands& commands) {
  app.add_flag("--stdio", parsed.stdio,
               "serve on standard input and output; so it does without any command");
  app.add_option(
      "--record", parsed.serve.record,
      "serve, and write all messages with their times to this file, your texts included");
  app.add_option("--trace", parsed.serve.trace,
                 "serve, and write the stages of each completion to this file, for Perfetto");
  commands.replay = app.add_subcommand(
      "replay", "play a session that --record wrote again: what differs, how long it takes");
  commands.replay->add_option("file", parsed.replay.file, "the record")->required();
  commands.replay
      ->add_option("--patience-s", parsed.replay.patience_s,
                   "so many seconds until a message counts as missing")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
}

void AddTheRest(CLI::App& app, Parsed& parsed, Commands& commands) {
  AddModelCommands(app, parsed, commands);
  AddServeAndReplay(app, parsed, commands);
  commands.doctor = app.add_subcommand(
      "doctor", "one screen: version, model, grammars, what is wrong and what to do");
}

// Nothing: no command of `tenon model` was given.
std::optional<int> RunModel(const Invocation& invocation, const Commands& commands,
                            const ModelOptions& options) {
  if (commands.model_list->parsed()) return RunModelList(invocation);
  if (commands.model_pull->parsed()) return RunModelPull(invocation, options.name);
  if (commands.model_use->parsed()) return RunModelUse(invocation, options);
  if (commands.model_add->parsed()) return RunModelAdd(invocation, options);
  if (commands.model_remove->parsed()) return RunModelRemove(invocation, options);
  if (commands.model_info->parsed()) return RunModelInfo(invocation, options);
  if (commands.model_check->parsed()) return RunModelCheck(invocation, options);
  if (commands.model_convert->parsed()) return RunModelConvert(invocation, options);
  if (commands.model_bench->parsed()) return RunModelBench(invocation, options);
  return std::nullopt;
}

int RunChosen(const Surroundings& surroundings, const CLI::App& app, const Commands& commands,
              Parsed& parsed) {
  const Invocation invocation(surroundings, parsed.common);
  if (commands.complete->parsed()) return RunComplete(invocation, parsed.complete);
  if (commands.grammar->parsed()) return RunGrammar(invocation, parsed.grammar);
  if (commands.check->parsed()) {
    if (parsed.check_batch) return RunCheckBatch(invocation, parsed.check);
    if (!parsed.check.files.empty()) return RunCheck(invocation, parsed.check);
    return invocation.Fail("check needs a FILE, or --batch", kExitWrongUsage);
  }
  if (const auto status = RunModel(invocation, commands, parsed.model)) return *status;
  if (commands.doctor->parsed()) return RunDoctor(invocation);
  if (commands.replay->parsed()) return RunReplay(invocation, parsed.replay);
  if (commands.store->parsed()) return RunStore(invocation, parsed.store);
  if (commands.eval->parsed()) return RunEval(invocation, parsed.eval);
  if (commands.bench->parsed()) return RunBench(invocation, parsed.bench);
  if (commands.gap->parsed()) {
    if (parsed.gap_batch) return RunGapBatch(invocation, parsed.gap);
    if (!parsed.gap.file.empty() && !parsed.gap.at.empty()) return RunGap(invocation, parsed.gap);
    return invocation.Fail("gap needs FILE --at A[-B], or --batch", kExitWrongUsage);
  }
  if (surroundings.in_is_terminal && !parsed.stdio && !parsed.serve.told()) {
    invocation.Print(fmt::format(fmt::runtime(kOnTerminal), app.get_description()));
    return kExitDone;
  }
  return RunServe(invocation, parsed.serve);
}

// The arguments without the program's name, last first, as CLI11 takes them. "--insert=TEXT" is
// taken apart, because CLI11 would read an empty TEXT as missing.
std::vector<std::string> Arguments(int argc, const char* const* argv) {
  constexpr std::string_view kInsert = "--insert=";
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, kInsert.size()) == kInsert) {
      arguments.emplace_back("--insert");
      arguments.emplace_back(argument.substr(kInsert.size()));
    } else {
      arguments.emplace_back(argument);
    }
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv, const Surroundings& surroundings) {
  Parsed parsed;
  CLI::App app(kAbout, "tenon");
  app.set_version_flag("--version", "tenon " + surroundings.version);
  app.require_subcommand(0, 1);
  app.fallthrough();  // the options of all commands may stand after the command, too
  Commands commands;
  AddCommon(app, parsed);
  AddServe(app, parsed);
  parsed.serve.arguments.assign(argv, argv + argc);
  AddComplete(app, parsed, commands);
  AddCheckAndGap(app, parsed, commands);
  AddGrammar(app, parsed, commands);
  AddBenchAndStore(app, parsed, commands);
  AddEval(app, parsed, commands);
  AddTheRest(app, parsed, commands);
  try {
    app.parse(Arguments(argc, argv));
  } catch (const CLI::ParseError& error) {  // CLI11's way to say --help, --version and wrong usage
    return app.exit(error, surroundings.out, surroundings.err) == 0 ? kExitDone : kExitWrongUsage;
  }
  return RunChosen(surroundings, app, commands, parsed);
}

}  // namespace tenon::server
