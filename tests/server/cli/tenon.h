// The program's command line run in this process: its output, and its exit status.
//
// The completer is a FakeCompleter; the grammars are the shipped ones. The installed models lie in
// `models_root`/models, and the program's state in `models_root`/state; without it the model is a
// file that is absent.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/cli/command_line.h"
#include "tests/server/fake_completer.h"

namespace tenon::server {

struct ProgramRun {
  int status = -1;
  std::string out;
  std::string err;
  std::vector<nlohmann::json> Lines() const {
    std::vector<nlohmann::json> lines;
    std::istringstream in(out);
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }
};

inline ProgramRun Tenon(std::vector<std::string> arguments, const std::string& input = "",
                        CompleterState model = CompleterState::kReady, bool in_is_terminal = false,
                        const std::filesystem::path& cache_folder = {},
                        const std::filesystem::path& models_root = {},
                        std::optional<uint64_t> available_memory_bytes = std::nullopt,
                        bool out_is_terminal = false) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  ProcessContext process{
      .in = in,
      .out = out,
      .err = err,
      .executable = "/nowhere/bin/tenon",
      .models_folder = models_root / "models",
      .config_folder = models_root / "config",
      .cache_folder = cache_folder,
      .runtime_folder = {},
      .state_folder = models_root.empty() ? models_root : models_root / "state",
      .version = "1.2.3",
      .make_completer =
          [model](const CompleterOptions&, const std::shared_ptr<const LanguageRegistry>&) {
            return std::make_unique<FakeCompleter>(model);
          },
      .end_process = [](int) {}};
  process.in_is_terminal = in_is_terminal;
  process.out_is_terminal = out_is_terminal;
  process.available_memory_bytes = [available_memory_bytes] { return available_memory_bytes; };
  if (models_root.empty() &&
      std::find(arguments.begin(), arguments.end(), "--model") == arguments.end())
    arguments.insert(arguments.begin(), {"--model", "/nowhere/model.gguf"});
  arguments.insert(arguments.begin(), "tenon");
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  ProgramRun run;
  run.status = RunCommandLine(static_cast<int>(argv.size()), argv.data(), process);
  run.out = out.str();
  run.err = err.str();
  return run;
}

inline bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The row of this name; null where there is none.
inline const nlohmann::json* RowNamed(const std::vector<nlohmann::json>& rows,
                                      const std::string& name) {
  for (const nlohmann::json& row : rows) {
    const auto found = row.find("name");  // of a const row [] must find it
    if (found != row.end() && *found == name) return &row;
  }
  return nullptr;
}

}  // namespace tenon::server
