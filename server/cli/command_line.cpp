#include "server/cli/command_line.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model/inference/inference.h"
#include "protocol/json_rpc.h"
#include "server/cli/commands.h"
#include "server/cli/serve_command.h"
#include "server/cli/wrong_usage.h"

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

constexpr const char* kNoHome =
    "HOME is not set to an absolute path, so there is no place for models, settings and state; set "
    "it, or each of XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME";

// Options of all commands.
void AddCommon(CLI::App& app, CommonOptions& options) {
  app.add_flag("--json", options.json, "print one JSON object a line and nothing else");
  app.add_option("--log", options.log_level, "what is logged, to standard error or --log-file")
      ->check(CLI::IsMember({"off", "error", "warn", "info", "debug"}));
  app.add_option("--log-file", options.log_file,
                 "a file that the log is appended to; a new one every 5 MiB");
  app.add_option("--grammars", options.grammars, "a folder with languages.json and grammars");
  app.add_option(
      "--model", options.model,
      "a model by name ('tenon model list'), or the path of a GGUF file or of a Hugging Face "
      "folder; else the one "
      "that 'tenon model use' chose, or a default");
  app.add_option(
      "--adapter", options.adapter,
      "the folder of a PEFT adapter, used beside the model's weights; '': none; else the "
      "one that belongs to the model by name");
  app.add_option("--threads", options.threads, "threads for the model; 0: as it sees fit")
      ->check(CLI::Range(0, 256));
  app.add_option("--engine", options.engine,
                 "what computes the model: tenon's own kernels, or libtorch's operators")
      ->check(CLI::IsMember(
          std::vector<std::string>(model::kEngineNames.begin(), model::kEngineNames.end())));
  app.add_option("--device", options.device,
                 "where libtorch computes; auto: a GPU that it can use, else the processor")
      ->check(CLI::IsMember(
          std::vector<std::string>(model::kDeviceNames.begin(), model::kDeviceNames.end())));
  app.add_flag("--no-cache", options.no_cache,
               "compile languages and lay weights out anew, and keep nothing");
  app.add_option("--cache-mb", options.cache_mb,
                 "so many MiB of compiled languages are kept at most; 512 unless told")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--config", options.config,
                 "the file of settings; else config.toml in the folder of tenon's configuration");
  app.add_option("--set", options.set,
                 "a setting, NAME=VALUE, above all that a file or an editor says")
      ->check([](const std::string& setting) {
        if (setting.find('=') != std::string::npos) return std::string();
        return fmt::format("'{}' must be NAME=VALUE", setting);
      })
      ->allow_extra_args(false);
}

// Options of the language server, which runs without a command.
void AddServe(CLI::App& app, ServeOptions& options) {
  app.add_flag("--stdio", options.stdio,
               "serve on standard input and output; so it does without any command");
  app.add_option(
      "--record", options.record,
      "serve, and write all messages with their times to this file, your texts included");
  app.add_option("--trace", options.trace,
                 "serve, and write the stages of each completion to this file, for Perfetto");
  app.add_flag("--no-daemon", options.no_daemon,
               "serve in this process, with a model of its own, and not by the user's daemon");
  CLI::Option* port =
      app.add_option("--port", options.port,
                     "serve clients of this machine at this port of 127.0.0.1; 0: one that is free")
          ->check(CLI::Range(0, 65535));
  app.add_option("--pipe", options.pipe,
                 "serve at this Unix socket; where somebody listens there, that client")
      ->check([](const std::string& path) {
        return path.empty() ? "the path of a socket is not empty" : std::string();
      })
      ->excludes(port);
  app.add_option("--idle-minutes", options.idle_minutes,
                 "a daemon that is started ends after so many minutes without a client")
      ->check(NoNumber)
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--daemon", options.daemon, "be the daemon at this socket")->group("");
}

int Serve(const ProcessContext& process, const Invocation& invocation, const CLI::App& app,
          const ServeOptions& options) {
  if (process.in_is_terminal && !options.stdio && !options.told()) {
    invocation.Print(fmt::format(fmt::runtime(kOnTerminal), app.get_description()));
    return kExitDone;
  }
  return RunServe(invocation, options);
}

// A command. Its warnings must have somewhere to go, those of wrong settings come first. The doctor
// tells of both itself.
int Run(const ChosenCommand& command, const Invocation& invocation, bool is_doctor) {
  if (is_doctor) return command(invocation);
  {
    const auto log = invocation.MakeLog("warn");  // the command has one of its own
    if (!log) return invocation.Fail(log.error(), kExitWrongUsage);
    for (const std::string& problem : invocation.settings().Merge().problems)
      (*log)->warn("{}", problem);
  }
  return command(invocation);
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

// Is --json among the arguments, though the rest of them cannot be read? That of `eval` names a
// file.
bool WantsJson(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "eval") return false;
    if (argument == "--json") return true;
  }
  return false;
}

// --help and --version, which CLI11 throws, too, or wrong usage.
int EndParsing(const CLI::App& app, const CLI::ParseError& error, const ProcessContext& process,
               bool json) {
  if (error.get_exit_code() == 0) return app.exit(error, process.out, process.err);
  const std::string why = WhyWrong(app, error);
  if (json)
    process.out << protocol::Dump({{"error", why}}) << '\n';
  else
    process.err << "tenon: " << why << '\n';
  return kExitWrongUsage;
}

int ReadAndRun(int argc, const char* const* argv, const ProcessContext& process) {
  CLI::App app(kAbout, "tenon");
  app.set_version_flag("--version", "tenon " + process.version);
  app.require_subcommand(0, 1);
  app.fallthrough();  // the options of all commands may stand after the command, too
  CommonOptions common;
  AddCommon(app, common);
  ServeOptions serve;
  serve.arguments.assign(argv, argv + argc);
  AddServe(app, serve);
  ChosenCommand chosen;
  AddCommands(app, chosen);
  try {
    app.parse(Arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    return EndParsing(app, error, process, WantsJson(argc, argv));
  }
  const Invocation invocation(process, common);
  if (process.lacks_home) return invocation.Fail(kNoHome);
  if (!chosen) return Serve(process, invocation, app, serve);
  return Run(chosen, invocation, app.got_subcommand("doctor"));
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv, const ProcessContext& process) {
  const int status = ReadAndRun(argc, argv, process);
  if (process.out.flush()) return status;
  process.err << "tenon: standard output cannot be written, and a result is lost; is the disk "
                 "full, or nobody reading?\n";
  return status == kExitDone ? kExitFailed : status;
}

}  // namespace tenon::server
