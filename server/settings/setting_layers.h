// All values that were given to settings, who gave them, and which of them hold.
//
// From the weakest to the strongest: tenon's own defaults, the user's file, initializationOptions,
// the client's workspace, the flags of the command line. Each layer is kept as it was given, so
// that one can be replaced while the server runs.
//
// Example: the file says {"maxTokens": 32, "seed": 1}, the workspace {"maxTokens": 8}. 8 tokens and
// seed 1 hold. When the workspace says nothing any more, 32 tokens hold again.
//
// Cost: a walk over all that was given, and the check. Thread rule: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/settings/settings.h"

namespace tenon::server {

enum class SettingSource : uint8_t { kUserFile, kInitialization, kWorkspace, kFlags };

struct MergedSettings {
  Settings settings;
  // Where a setting's value is from: the name of its layer; without an entry: tenon's default.
  std::map<std::string, std::string> origins;
  std::vector<std::string> problems;
};

// What is wrong with the value of a setting.
struct SettingFault {
  std::string setting;  // its name
  std::string message;
};

// Takes out of the settings what is wrong although its form is right, and returns the faults.
// Example: {"levels": {"python": "since_9"}}, where Python's grammar has no such level.
using SettingCheck = std::function<std::vector<SettingFault>(Settings& settings)>;

class SettingLayers {
 public:
  explicit SettingLayers(Settings defaults = {});

  // Replaces a layer. `name` is how problems and origins call it; null: it says nothing.
  void Set(SettingSource source, nlohmann::json values, std::string name);
  // Something that is wrong with a layer as a whole: its file cannot be read.
  void AddProblem(std::string problem) { problems_.push_back(std::move(problem)); }
  // Merged settings are checked by it. Empty: by their forms alone.
  void SetCheck(SettingCheck check) { check_ = std::move(check); }
  // `folder` holds above the workspace's layer: the settings of the folder that a document lies in.
  // It may be null.
  [[nodiscard]] MergedSettings Merge(const nlohmann::json& folder = nullptr) const;

 private:
  struct Layer {
    nlohmann::json values;
    std::string name;
  };
  Settings defaults_;
  std::array<Layer, 4> layers_;  // by SettingSource
  std::vector<std::string> problems_;
  SettingCheck check_;
};

}  // namespace tenon::server
