// Everything that the command line takes from the process around it, so that tests can stand in
// for the process.
//
// Thread rule: used by the main thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "server/complete/engine_completer.h"
#include "server/languages/language_registry.h"
#include "server/request/completer.h"

namespace tenon::server {

struct ProcessContext {
  std::istream& in;
  std::ostream& out;  // results and protocol only
  std::ostream& err;  // messages and logs
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  std::filesystem::path executable = {};      // absolute
  std::filesystem::path models_folder = {};   // of the installed models
  std::filesystem::path config_folder = {};   // of the user's choices
  std::filesystem::path cache_folder = {};    // where compiled languages are kept; empty: nowhere
  std::filesystem::path panels_folder = {};   // of panels that cannot lie beside their model
  std::filesystem::path runtime_folder = {};  // of the daemon's socket; empty: there is no daemon
  std::filesystem::path state_folder = {};    // of the daemon's log
  bool lacks_home = false;  // one of the folders of models, choices and state is nowhere
  std::string version = {};
  std::function<std::unique_ptr<Completer>(CompleterOptions,
                                           std::shared_ptr<const LanguageRegistry>)>
      make_completer = {};
  // Ends the process at once with this status, when the language server is done: nobody waits for
  // a model to finish loading.
  std::function<void(int exit_code)> end_process = {};
  // Of memory, for a model; nothing: not known.
  std::function<std::optional<uint64_t>()> available_memory_bytes = [] { return std::nullopt; };
  // A variable of the environment that the user's file names; nothing: it is not set.
  std::function<std::optional<std::string>(const std::string& name)> environment =
      [](const std::string&) { return std::nullopt; };
};

}  // namespace tenon::server
