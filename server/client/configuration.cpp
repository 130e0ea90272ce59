#include "server/client/configuration.h"

#include <algorithm>
#include <utility>

#include "protocol/lsp_types.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr const char* kSection = "tenon";
constexpr const char* kWorkspace = "the workspace's settings";

// Does the document lie below the root? "file:///a/b" holds "file:///a/b/c.py", not "file:///a/bc".
bool Holds(const std::string& root, const std::string& uri) {
  if (uri.compare(0, root.size(), root) != 0) return false;
  return uri.size() == root.size() || root.ends_with('/') || uri[root.size()] == '/';
}

// Of settings that were pushed: those of tenon. A client may push those of its other servers, too,
// each in an object of its own.
json Pushed(const json& settings) {
  if (const json* section = protocol::Find(settings, kSection)) return *section;
  if (!settings.is_object()) return settings;
  const std::vector<SettingDescription> known = AllSettings();
  json ours = json::object();
  for (const auto& [name, value] : settings.items()) {
    const bool other = value.is_object() &&
                       std::none_of(known.begin(), known.end(), [&name = name](const auto& each) {
                         return each.name.substr(0, name.size()) == name;
                       });
    if (!other) ours[name] = value;
  }
  return ours;
}

}  // namespace

Configuration::Configuration(SettingLayers layers, ClientRequests& requests,
                             std::function<void()> on_change)
    : layers_(std::move(layers)), requests_(requests), on_change_(std::move(on_change)) {
  merged_ = layers_.Merge();
}

void Configuration::OnInitialize(const json& params) {
  can_pull_ = protocol::IsTrue(params, "capabilities/workspace/configuration");
  AddRoots(protocol::Find(params, "workspaceFolders"));
  const json* options = protocol::Find(params, "initializationOptions");
  json values = options != nullptr ? *options : json();
  if (values.is_object()) values.erase("experimental");  // abilities of the client, no settings
  layers_.Set(SettingSource::kInitialization, std::move(values), "initializationOptions");
  Merge();
}

void Configuration::OnInitialized() {
  if (can_pull_) Pull();
}

void Configuration::OnDidChangeConfiguration(const json& params) {
  const json* settings = protocol::Find(params, "settings");
  json pushed = settings != nullptr ? Pushed(*settings) : json();
  if (can_pull_ && (pushed.is_null() || pushed.empty())) return Pull();
  ++pulls_;  // an answer that is on its way is older than this
  layers_.Set(SettingSource::kWorkspace, std::move(pushed), kWorkspace);
  Merge();
}

void Configuration::OnDidChangeWorkspaceFolders(const json& params) {
  const size_t roots_before = roots_.size();
  if (const json* removed = protocol::FindPath(params, "event/removed");
      removed != nullptr && removed->is_array()) {
    for (const json& folder : *removed) {
      const auto uri = protocol::ReadString(folder, "uri");
      if (uri) std::erase_if(roots_, [&uri](const Root& root) { return root.uri == *uri; });
    }
  }
  // The documents of a root that is gone have the settings of another, or of the workspace.
  const bool removed_some = roots_.size() < roots_before;
  AddRoots(protocol::FindPath(params, "event/added"));
  Merge(removed_some);
  if (can_pull_) Pull();
}

void Configuration::AddRoots(const json* folders) {
  if (folders == nullptr || !folders->is_array()) return;
  for (const json& folder : *folders) {
    if (auto uri = protocol::ReadString(folder, "uri"))
      roots_.push_back({*std::move(uri), nullptr, merged_.settings});
  }
}

void Configuration::Pull() {
  json items = json::array({{{"section", kSection}}});
  std::vector<std::string> roots;
  for (const Root& root : roots_) {
    items.push_back({{"scopeUri", root.uri}, {"section", kSection}});
    roots.push_back(root.uri);
  }
  requests_.Send("workspace/configuration", {{"items", std::move(items)}},
                 [this, pull = ++pulls_, roots](const protocol::Response& response) {
                   if (!response.error) OnPulled(pull, roots, response.result);
                 });
}

void Configuration::OnPulled(int64_t pull, const std::vector<std::string>& roots,
                             const json& result) {
  if (pull != pulls_ || !result.is_array() || result.empty()) return;
  layers_.Set(SettingSource::kWorkspace, result[0], kWorkspace);
  for (size_t i = 0; i < roots.size() && i + 1 < result.size(); ++i) {
    for (Root& root : roots_) {
      if (root.uri == roots[i]) root.values = result[i + 1] == result[0] ? json() : result[i + 1];
    }
  }
  Merge();
}

void Configuration::Merge(bool changed) {
  const MergedSettings before = std::exchange(merged_, layers_.Merge());
  changed = changed || before.settings != merged_.settings;
  std::vector<std::string> problems = merged_.problems;
  for (Root& root : roots_) {
    MergedSettings merged = layers_.Merge(root.values);
    changed = changed || merged.settings != root.settings;
    root.settings = std::move(merged.settings);
    problems.insert(problems.end(), merged.problems.begin(), merged.problems.end());
  }
  constexpr size_t kMaxTold = 100;  // a client may make any number of mistakes
  for (std::string& problem : problems) {
    if (told_.size() < kMaxTold && told_.insert(problem).second)
      problems_.push_back(std::move(problem));
  }
  if (changed || !problems_.empty()) on_change_();
}

const Settings& Configuration::SettingsOf(const std::string& uri) const {
  const Root* innermost = nullptr;
  for (const Root& root : roots_) {
    if (Holds(root.uri, uri) && (innermost == nullptr || root.uri.size() > innermost->uri.size()))
      innermost = &root;
  }
  return innermost != nullptr ? innermost->settings : merged_.settings;
}

bool Configuration::IsAnywhere(const std::function<bool(const Settings&)>& holds) const {
  return holds(merged_.settings) ||
         std::any_of(roots_.begin(), roots_.end(),
                     [&holds](const Root& root) { return holds(root.settings); });
}

std::vector<std::string> Configuration::TakeProblems() { return std::exchange(problems_, {}); }

}  // namespace tenon::server
