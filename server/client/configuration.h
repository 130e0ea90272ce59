// The settings that hold for one client at this moment: those of the user's file, of the client
// and of the flags together (server/settings/setting_layers.h). The client may change its own at
// any time.
//
//   client                                  server
//   initialize {initializationOptions}  ->
//   initialized                         ->
//                                       <-  workspace/configuration       where the client can
//   its answer                          ->                                they hold from here on
//   workspace/didChangeConfiguration    ->
//                                       <-  workspace/configuration       where nothing was pushed
//
// A didChangeConfiguration of null or of an empty object means "ask me": Emacs and VS Code send
// it. From a client that cannot be asked it means that there are no settings.
//
// A workspace of several roots has settings for each: a document's are those of the innermost root
// that it lies in.
//
// All wrong settings are named in one message, once.
//
// Source: LSP 3.18, workspace/configuration and workspace/didChangeConfiguration.
// Cost: a message of a few hundred bytes at each change. Thread rule: the I/O thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/client/client_requests.h"
#include "server/settings/setting_layers.h"

namespace tenon::server {

class Configuration {
 public:
  // `on_change` is called when other settings hold than before, or there are problems to take.
  Configuration(SettingLayers layers, ClientRequests& requests, std::function<void()> on_change);

  // From the params of `initialize`: initializationOptions, the roots, whether the client is asked.
  void OnInitialize(const nlohmann::json& params);
  void OnInitialized();
  void OnDidChangeConfiguration(const nlohmann::json& params);
  void OnDidChangeWorkspaceFolders(const nlohmann::json& params);

  [[nodiscard]] const Settings& settings() const { return merged_.settings; }
  // The settings of the root that a document lies in.
  [[nodiscard]] const Settings& SettingsOf(const std::string& uri) const;
  // Does it hold for the workspace or for one of its roots?
  [[nodiscard]] bool IsAnywhere(const std::function<bool(const Settings&)>& holds) const;
  // The problems that were not taken before.
  [[nodiscard]] std::vector<std::string> TakeProblems();

 private:
  struct Root {
    std::string uri;
    nlohmann::json values;  // null: those of the whole workspace
    Settings settings;
  };
  void AddRoots(const nlohmann::json* folders);
  void Pull();
  void OnPulled(int64_t pull, const std::vector<std::string>& roots, const nlohmann::json& result);
  // Merges the layers, and calls on_change_ where the settings or their problems have changed.
  // `changed`: some have changed already.
  void Merge(bool changed = false);

  SettingLayers layers_;
  ClientRequests& requests_;
  std::function<void()> on_change_;
  bool can_pull_ = false;
  int64_t pulls_ = 0;  // of which the last one's answer counts
  std::vector<Root> roots_;
  MergedSettings merged_;
  std::set<std::string> told_;
  std::vector<std::string> problems_;  // that are not taken yet
};

}  // namespace tenon::server
