// The commands of the program and their options, for CLI11.
//
// Example: AddCommands(app, chosen) adds `complete FILE --at LINE:COL …` among others. When CLI11
// has read `tenon complete a.py --at 3:7`, `chosen` runs RunComplete with these options.
//
// A new command: a file NAME_command.h with its options and what it does, and a function in
// commands.cpp, or in measuring_commands.cpp, that adds both here.
//
// Thread rule: the main thread.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "server/invocation/invocation.h"

namespace tenon::server {

// The command of the command line; empty until it is read. Returns the exit status.
using ChosenCommand = std::function<int(const Invocation&)>;

// All of them. `chosen` outlives the parsing of `app`.
void AddCommands(CLI::App& app, ChosenCommand& chosen);
// The commands that measure: bench, eval, store.
void AddMeasuringCommands(CLI::App& app, ChosenCommand& chosen);

template <typename Options>
struct Command {
  CLI::App& app;
  Options& options;  // as long as `app`
};

// A command with options of its own.
template <typename Options>
Command<Options> AddCommand(CLI::App& app, ChosenCommand& chosen, const char* name,
                            const char* about, int (*run)(const Invocation&, const Options&)) {
  CLI::App* command = app.add_subcommand(name, about);
  const auto options = std::make_shared<Options>();
  command->callback([&chosen, options, run] {
    chosen = [options, run](const Invocation& invocation) { return run(invocation, *options); };
  });
  return {*command, *options};
}

// `--language`, of a file that may have another suffix.
inline void AddLanguage(CLI::App& command, std::optional<std::string>& language) {
  command.add_option("--language", language, "an LSP language id; else by the file's suffix");
}

// A check of an option: CLI11's ranges hold "nan".
inline std::string NoNumber(const std::string& text) {
  return text.find_first_of("nN") == std::string::npos ? std::string()
                                                       : fmt::format("'{}' is no number", text);
}

// The contexts that a completion may have to fit.
constexpr std::array<const char*, 3> kConstraints = {"off", "left", "both"};

// `--max-tokens`, of a completion.
inline void AddMaxTokens(CLI::App& command, int& max_tokens, const std::string& about) {
  command.add_option("--max-tokens", max_tokens, about)
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
}

// `--budget-ms`, the time budget of a completion.
inline void AddTimeBudget(CLI::App& command, std::optional<int>& budget_ms,
                          const std::string& about) {
  command.add_option("--budget-ms", budget_ms, about)->check(CLI::Range(1, 600'000));
}

// Of whatever an option counts.
constexpr int kMaxCount = 1'000'000;

// A seed. CLI11 would wrap "-1" around and cut what is too large.
inline std::string WrongSeed(const std::string& text) {
  uint64_t seed = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && stop == text.data() + text.size()) return {};
  return fmt::format("'{}' is no whole number from 0 to {}", text, UINT64_MAX);
}

// `--seed`, a number of any unsigned type.
template <typename Seed>
void AddSeed(CLI::App& command, Seed& seed, const std::string& about) {
  command.add_option("--seed", seed, about)->check(WrongSeed)->capture_default_str();
}

}  // namespace tenon::server
