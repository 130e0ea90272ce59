// The program: hands the process over to the command line: its streams, its paths, its end.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "server/cli/command_line.h"
#include "server/complete/engine_completer.h"
#include "server/models/available_memory.h"

namespace {

namespace fs = std::filesystem;

// The folder that a variable of the XDG base directory specification names, or its default below
// the home folder. Nowhere, where that would depend on the folder that the program was started in.
fs::path XdgFolder(const char* variable, const fs::path& below_home) {
  const char* folder = std::getenv(variable);
  if (folder != nullptr && fs::path(folder).is_absolute()) return folder;
  const char* home = std::getenv("HOME");
  return home != nullptr && fs::path(home).is_absolute() ? home / below_home : fs::path();
}

// A folder within another one, which may be nowhere.
fs::path Within(const fs::path& folder, const fs::path& name) {
  return folder.empty() ? folder : folder / name;
}

// Where tools/setup and tools/model/pull put models.
fs::path ModelsFolder() {
  return Within(XdgFolder("XDG_DATA_HOME", fs::path(".local") / "share"),
                fs::path("tenon") / "models");
}

// Of sockets: the folder of the session's own that the system made, else one in the folder of
// temporary files.
fs::path RuntimeFolder() {
  const char* folder = std::getenv("XDG_RUNTIME_DIR");
  if (folder != nullptr && fs::path(folder).is_absolute()) return fs::path(folder) / "tenon";
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / ("tenon-" + std::to_string(geteuid()));
}

// Of what can be made again.
fs::path CacheFolder(const char* name) {
  return Within(XdgFolder("XDG_CACHE_HOME", ".cache"), fs::path("tenon") / name);
}

// A standard stream that is closed keeps its number: else the next file that is opened gets the
// number, and results are written into that file. Writing to standard output fails then.
void KeepStandardNumbers() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0)
      (void)!open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  KeepStandardNumbers();
  // A client that went away is an error of write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a log or a cache that may grow no further (ulimit -f).
  std::signal(SIGXFSZ, SIG_IGN);
  std::ios::sync_with_stdio(false);
  std::error_code ignored;
  tenon::server::ProcessContext process{.in = std::cin,
                                        .out = std::cout,
                                        .err = std::cerr,
                                        .executable = {},
                                        .models_folder = {},
                                        .config_folder = {},
                                        .cache_folder = {},
                                        .runtime_folder = {},
                                        .state_folder = {},
                                        .version = TENON_VERSION,
                                        .make_completer = {},
                                        .end_process = {}};
  process.in_is_terminal = isatty(STDIN_FILENO) != 0;
  process.out_is_terminal = isatty(STDOUT_FILENO) != 0;
  process.executable = fs::read_symlink("/proc/self/exe", ignored);
  process.models_folder = ModelsFolder();
  process.config_folder = Within(XdgFolder("XDG_CONFIG_HOME", ".config"), "tenon");
  process.available_memory_bytes = [] { return tenon::server::AvailableMemoryBytes(); };
  process.cache_folder = CacheFolder("languages");
  process.panels_folder = CacheFolder("panels");
  process.runtime_folder = RuntimeFolder();
  process.state_folder = Within(XdgFolder("XDG_STATE_HOME", fs::path(".local") / "state"), "tenon");
  process.lacks_home = process.models_folder.empty() || process.config_folder.empty() ||
                       process.state_folder.empty();
  process.make_completer = tenon::server::MakeCompleter;
  process.environment = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
  process.end_process = [](int exit_code) {
    std::cout.flush();
    std::cerr.flush();
    std::_Exit(exit_code);
  };
  return tenon::server::RunCommandLine(argc, argv, process);
}
