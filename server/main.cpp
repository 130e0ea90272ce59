// The program: fills in what the process has, and hands over to the command line.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

#include <unistd.h>

#include "server/cli/command_line.h"
#include "server/complete/engine_completer.h"

namespace {

namespace fs = std::filesystem;

// $XDG_DATA_HOME/tenon/models, where tools/setup puts the default model.
fs::path DefaultModel() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder =
      data != nullptr && *data != '\0' ? fs::path(data) : fs::path(home != nullptr ? home : "") / ".local" / "share";
  return folder / "tenon" / "models" / "smollm2-135m-fim.gguf";
}

}  // namespace

int main(int argc, char** argv) {
  // A client that went away is an error of write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(false);
  std::error_code ignored;
  tenon::server::Surroundings surroundings{.in = std::cin,
                                           .out = std::cout,
                                           .err = std::cerr,
                                           .executable = {},
                                           .default_model = {},
                                           .version = TENON_VERSION,
                                           .make_completer = {},
                                           .end_process = {}};
  surroundings.in_is_terminal = isatty(STDIN_FILENO) != 0;
  surroundings.out_is_terminal = isatty(STDOUT_FILENO) != 0;
  surroundings.executable = fs::read_symlink("/proc/self/exe", ignored);
  surroundings.default_model = DefaultModel();
  surroundings.make_completer = tenon::server::MakeCompleter;
  surroundings.end_process = [](int exit_code) {
    std::cout.flush();
    std::cerr.flush();
    std::_Exit(exit_code);
  };
  return tenon::server::RunCommandLine(argc, argv, surroundings);
}
