#include "server/cli/daemon_identity.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "protocol/lsp_types.h"
#include "server/models/model_folder.h"
#include "server/settings/setting_layers.h"

namespace tenon::server {

namespace fs = std::filesystem;

namespace {

bool IsRelative(const std::optional<std::string>& path) {
  return path && !path->empty() && fs::path(*path).is_relative();
}

// The settings that a client gives before its daemon runs. The daemon checks the values: that takes
// compiled languages.
Settings SettingsOf(const Invocation& invocation, const nlohmann::json& initialize_params) {
  const nlohmann::json* given = protocol::Find(initialize_params, "initializationOptions");
  SettingLayers layers = invocation.settings();
  layers.SetCheck({});
  layers.Set(SettingSource::kInitialization, given != nullptr ? *given : nlohmann::json(),
             "initializationOptions");
  return layers.Merge().settings;
}

using Differences = std::vector<std::string>;

void AddModelState(const Invocation& invocation, const Settings& settings,
                   Differences& differences) {
  ModelsAtHand at_hand = invocation.Models();
  at_hand.available_bytes.reset();
  const auto model = at_hand.Choice(settings.model);
  if (!model) {
    differences.push_back(model.error());
  } else if (IsModelFolder(model->path)) {
    for (const fs::path& file : FilesOf(model->path)) differences.push_back(FileState(file));
  } else {
    differences.push_back(FileState(model->path));
  }
  differences.push_back(
      settings.adapter.value_or(model && model->adapter ? model->adapter->string() : ""));
  differences.push_back(std::to_string(settings.threads));
  differences.push_back(settings.engine + " " + settings.device);
}

// A key is no part of a name. A daemon reads its own when it starts.
void AddRemoteState(const RemoteSettings& remote, Differences& differences) {
  for (const auto& setting : {remote.kind, remote.url, remote.model, remote.format, remote.key_file,
                              remote.key_variable, remote.ca_file})
    differences.push_back(setting.value_or(""));
  differences.push_back(std::to_string(remote.silence.count()));
  differences.push_back(remote.grammar ? "grammar" : "");
  if (remote.key_file) differences.push_back(FileState(*remote.key_file));
}

// A path that depends on the folder that the client was started in means another file elsewhere.
bool HasRelativePath(const Settings& settings, const CommonOptions& common) {
  const RemoteSettings& remote = settings.remote;
  bool relative = (settings.model && IsModelPath(*settings.model) && IsRelative(settings.model)) ||
                  IsRelative(settings.adapter) || IsRelative(common.grammars) ||
                  IsRelative(common.log_file) || IsRelative(remote.key_file) ||
                  IsRelative(remote.ca_file);
  for (const std::string& path : settings.grammars) relative = relative || IsRelative(path);
  return relative;
}

}  // namespace

DaemonProgram DaemonFor(const Invocation& invocation, const std::vector<std::string>& arguments,
                        const nlohmann::json& initialize_params) {
  const ProcessContext& process = invocation.process();
  const CommonOptions& common = invocation.options();
  const Settings settings = SettingsOf(invocation, initialize_params);
  Differences differences = {process.version, FileState("/proc/self/exe"),
                             process.executable.string(), process.cache_folder.string()};
  AddModelState(invocation, settings, differences);
  AddRemoteState(settings.remote, differences);
  for (const std::string& argument : arguments)
    if (argument != "--stdio") differences.push_back(argument);
  differences.insert(differences.end(), settings.grammars.begin(), settings.grammars.end());
  std::error_code ignored;
  DaemonProgram daemon;
  daemon.folder = HasRelativePath(settings, common) ? fs::current_path(ignored) : fs::path("/");
  differences.push_back(daemon.folder.string());
  daemon.socket = process.runtime_folder / SocketName(differences);
  daemon.program = "/proc/self/exe";  // this build, even if its file has been replaced
  daemon.error_file = process.state_folder / "daemon.log";
  daemon.arguments = arguments;
  daemon.arguments.insert(daemon.arguments.end(), {"--daemon", daemon.socket.string()});
  if (!common.log_file)
    daemon.arguments.insert(daemon.arguments.end(), {"--log-file", daemon.error_file.string()});
  return daemon;
}

}  // namespace tenon::server
