#include "server/settings/settings.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/inference/inference.h"
#include "server/models/nearest_name.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// `read` stores a good value and answers true, or leaves the settings as they are.
struct Member {
  SettingDescription description;
  bool (*read)(const json& value, Settings& settings);
  json (*write)(const Settings& settings);
};

bool ReadText(const json& value, std::optional<std::string>& text) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) return false;
  text = value.get<std::string>();
  return true;
}

bool ReadAdapter(const json& value, Settings& settings) {
  if (!value.is_string()) return false;
  settings.adapter = value.get<std::string>();
  return true;
}

bool IsOneOf(const json& value, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&value](std::string_view word) { return value == word; });
}

bool ReadLogLevel(const json& value, Settings& settings) {
  constexpr std::array<std::string_view, 5> kLevels = {"off", "error", "warn", "info", "debug"};
  const bool known = IsOneOf(value, kLevels);
  if (known) settings.log_level = value.get<std::string>();
  return known;
}

bool ReadWord(const json& value, std::span<const std::string_view> words, std::string& into) {
  const bool known = IsOneOf(value, words);
  if (known) into = value.get<std::string>();
  return known;
}

bool ReadTexts(const json& value, std::vector<std::string>& texts) {
  if (!value.is_array()) return false;
  std::vector<std::string> read;
  for (const json& text : value) {
    if (!text.is_string() || text.get_ref<const std::string&>().empty()) return false;
    read.push_back(text.get<std::string>());
  }
  texts = std::move(read);
  return true;
}

bool ReadSwitch(const json& value, bool& on) {
  if (!value.is_boolean()) return false;
  on = value.get<bool>();
  return true;
}

// Nothing where it is no whole number from `least` to `most`.
std::optional<int64_t> ReadNumber(const json& value, int64_t least, int64_t most) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(most))
    return std::nullopt;
  const auto number = value.get<int64_t>();
  return number < least || number > most ? std::nullopt : std::optional(number);
}

bool ReadInt(const json& value, int64_t least, int64_t most, int& into) {
  const auto number = ReadNumber(value, least, most);
  if (number) into = static_cast<int>(*number);
  return number.has_value();
}

bool ReadCacheMb(const json& value, Settings& settings) {
  int mb = 0;
  if (!ReadInt(value, 1, 1 << 20, mb)) return false;
  settings.cache_mb = mb;
  return true;
}

bool ReadBudget(const json& value, std::chrono::milliseconds& budget) {
  const auto ms = ReadNumber(value, 1, 600'000);
  if (ms) budget = std::chrono::milliseconds(*ms);
  return ms.has_value();
}

bool ReadTemperature(const json& value, Settings& settings) {
  if (!value.is_number()) return false;
  const double temperature = value.get<double>();
  if (!(temperature >= 0 && temperature <= 5)) return false;
  settings.temperature = static_cast<float>(temperature);
  return true;
}

bool ReadSureness(const json& value, Settings& settings) {
  if (!value.is_number()) return false;
  const double sureness = value.get<double>();
  if (!(sureness >= 0 && sureness <= 1)) return false;
  settings.sureness = sureness;
  return true;
}

bool ReadSeed(const json& value, Settings& settings) {
  if (!value.is_number_integer() || value < 0) return false;
  settings.seed = value.get<uint64_t>();
  return true;
}

bool ReadConstraint(const json& value, Settings& settings) {
  const auto mode =
      value.is_string() ? ConstraintModeFromName(value.get<std::string>()) : std::nullopt;
  if (mode) settings.constraint = *mode;
  return mode.has_value();
}

json ConstraintName(const Settings& settings) {
  switch (settings.constraint) {
    case ConstraintMode::kOff:
      return "off";
    case ConstraintMode::kLeft:
      return "left";
    case ConstraintMode::kBoth:
      return "both";
  }
  return nullptr;
}

bool ReadScope(const json& value, Settings& settings) {
  const auto scope = value.is_string() ? ScopeNamed(value.get<std::string>()) : std::nullopt;
  if (scope) settings.scope = *scope;
  return scope.has_value();
}

bool ReadLevels(const json& value, Settings& settings) {
  if (!value.is_object()) return false;
  std::map<std::string, std::string> levels;
  for (const auto& [language, level] : value.items()) {
    if (!level.is_string()) return false;
    levels[language] = level.get<std::string>();
  }
  settings.levels = std::move(levels);
  return true;
}

bool ReadLanguages(const json& value, Settings& settings) {
  if (!value.is_object()) return false;
  std::map<std::string, bool> languages;
  for (const auto& [language, on] : value.items()) {
    if (!on.is_boolean()) return false;
    languages[language] = on.get<bool>();
  }
  settings.languages = std::move(languages);
  return true;
}

bool ReadMultiline(const json& value, Settings& settings) {
  if (!value.is_boolean()) return false;
  settings.multiline = value.get<bool>();
  return true;
}

bool ReadOneLine(const json& value, std::optional<std::string>& text) {
  if (!value.is_string()) return false;
  const auto& line = value.get_ref<const std::string&>();
  return line.find_first_of("\r\n") == std::string::npos && ReadText(value, text);
}

template <typename T>
json OrNull(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

constexpr const char* kSwitch = "true or false";
constexpr const char* kBudget = "a whole number of milliseconds from 1 to 600000";

const std::vector<Member>& Members() {
  using S = Settings;
  static const std::vector<Member> kMembers = {
      {{"model", "the name of a model or the path of its file", "the model that completes",
        SettingReach::kUser},
       [](const json& v, S& s) { return ReadText(v, s.model); },
       [](const S& s) { return OrNull(s.model); }},
      {{"adapter", "the path of a folder, or \"\" for none",
        "a PEFT adapter beside the model's weights; absent: that of the model by name",
        SettingReach::kUser},
       ReadAdapter,
       [](const S& s) { return OrNull(s.adapter); }},
      {{"threads", "a whole number from 0 to 256", "threads for the model; 0: as it sees fit",
        SettingReach::kUser},
       [](const json& v, S& s) { return ReadInt(v, 0, 256, s.threads); },
       [](const S& s) { return json(s.threads); }},
      {{"engine", "\"kernels\" or \"torch\"",
        "what computes the model: tenon's own kernels, or libtorch's operators",
        SettingReach::kUser},
       [](const json& v, S& s) { return ReadWord(v, model::kEngineNames, s.engine); },
       [](const S& s) { return json(s.engine); }},
      {{"device", "\"auto\", \"cpu\" or \"cuda\"",
        "where the torch engine computes; auto: a GPU that libtorch can use, else the processor",
        SettingReach::kUser},
       [](const json& v, S& s) { return ReadWord(v, model::kDeviceNames, s.device); },
       [](const S& s) { return json(s.device); }},
      {{"remote.kind", "\"llama.cpp\", \"openai\" or \"ollama\"",
        "the kind of server whose model completes, in place of a local one",
        SettingReach::kProgram},
       [](const json& v, S& s) { return IsOneOf(v, kRemoteKinds) && ReadText(v, s.remote.kind); },
       [](const S& s) { return OrNull(s.remote.kind); }},
      {{"remote.url", "a URL, such as \"http://127.0.0.1:8080\"", "where that server is",
        SettingReach::kProgram},
       [](const json& v, S& s) { return ReadOneLine(v, s.remote.url); },
       [](const S& s) { return OrNull(s.remote.url); }},
      {{"remote.model", "a name", "the model, as that server calls it", SettingReach::kProgram},
       [](const json& v, S& s) { return ReadText(v, s.remote.model); },
       [](const S& s) { return OrNull(s.remote.model); }},
      {{"remote.format", "a name, such as \"qwen2.5-coder\", or a template with {prefix}",
        "the markers of that model's prompts", SettingReach::kProgram},
       [](const json& v, S& s) { return ReadText(v, s.remote.format); },
       [](const S& s) { return OrNull(s.remote.format); }},
      {{"remote.key", "a text of one line", "the key that the server wants; better in a file",
        SettingReach::kProgram},
       [](const json& v, S& s) { return ReadOneLine(v, s.remote.key); },
       [](const S& s) { return s.remote.key ? json("(not shown)") : json(); }},
      {{"remote.keyFile", "the path of a file", "a file with the key in it",
        SettingReach::kProgram},
       [](const json& v, S& s) { return ReadText(v, s.remote.key_file); },
       [](const S& s) { return OrNull(s.remote.key_file); }},
      {{"remote.keyVariable", "the name of a variable of the environment",
        "a variable that holds the key", SettingReach::kProgram},
       [](const json& v, S& s) { return ReadText(v, s.remote.key_variable); },
       [](const S& s) { return OrNull(s.remote.key_variable); }},
      {{"remote.caFile", "the path of a PEM file",
        "certificates that may vouch for the server, beside the system's", SettingReach::kProgram},
       [](const json& v, S& s) { return ReadText(v, s.remote.ca_file); },
       [](const S& s) { return OrNull(s.remote.ca_file); }},
      {{"remote.silenceMs", kBudget, "the longest that the server may say nothing",
        SettingReach::kProgram},
       [](const json& v, S& s) { return ReadBudget(v, s.remote.silence); },
       [](const S& s) { return json(s.remote.silence.count()); }},
      {{"grammars", "an array of paths of grammar files or folders",
        "further grammars, which come before the installed ones", SettingReach::kUser},
       [](const json& v, S& s) { return ReadTexts(v, s.grammars); },
       [](const S& s) { return json(s.grammars); }},
      {{"log", "\"off\", \"error\", \"warn\", \"info\" or \"debug\"", "what is logged",
        SettingReach::kProgram},
       ReadLogLevel,
       [](const S& s) { return OrNull(s.log_level); }},
      {{"logFile", "the path of a file", "where the log goes; absent: to standard error",
        SettingReach::kProgram},
       [](const json& v, S& s) { return ReadText(v, s.log_file); },
       [](const S& s) { return OrNull(s.log_file); }},
      {{"cacheMb", "a whole number from 1 to 1048576",
        "MiB of compiled languages that are kept at most", SettingReach::kProgram},
       ReadCacheMb,
       [](const S& s) { return OrNull(s.cache_mb); }},
      {{"enabled", kSwitch, "off: nothing is completed"},
       [](const json& v, S& s) { return ReadSwitch(v, s.enabled); },
       [](const S& s) { return json(s.enabled); }},
      {{"completion.enabled", kSwitch, "items of the completion list"},
       [](const json& v, S& s) { return ReadSwitch(v, s.list_enabled); },
       [](const S& s) { return json(s.list_enabled); }},
      {{"inlineCompletion.enabled", kSwitch, "ghost text"},
       [](const json& v, S& s) { return ReadSwitch(v, s.inline_enabled); },
       [](const S& s) { return json(s.inline_enabled); }},
      {{"languages",
        "an object of language ids with true or false, such as {\"*\": true, \"json\": false}",
        "the languages that are completed; * means all that are not named"},
       ReadLanguages,
       [](const S& s) { return json(s.languages); }},
      {{"maxTokens", "a whole number from 1 to 4096", "the most tokens of a completion"},
       [](const json& v, S& s) { return ReadInt(v, 1, 4096, s.max_tokens); },
       [](const S& s) { return json(s.max_tokens); }},
      {{"completion.automaticBudgetMs", kBudget,
        "the time until a keystroke's request is answered"},
       [](const json& v, S& s) { return ReadBudget(v, s.automatic_budget); },
       [](const S& s) { return json(s.automatic_budget.count()); }},
      {{"completion.invokedBudgetMs", kBudget, "the time until a person's request is answered"},
       [](const json& v, S& s) { return ReadBudget(v, s.invoked_budget); },
       [](const S& s) { return json(s.invoked_budget.count()); }},
      {{"candidates", "a whole number from 1 to 8",
        "the most items of an answer to a person's request"},
       [](const json& v, S& s) { return ReadInt(v, 1, 8, s.candidates); },
       [](const S& s) { return json(s.candidates); }},
      {{"sureness", "a number from 0 to 1",
        "how sure the model must be to complete, unasked, in a word or before code on its line"},
       ReadSureness,
       [](const S& s) { return json(s.sureness); }},
      {{"scope", "\"argument\", \"line\", \"statement\", \"block\" or \"free\"",
        "how far a completion may go"},
       ReadScope,
       [](const S& s) { return json(ToString(s.scope)); }},
      {{"constraint", "\"off\", \"left\" or \"both\"", "which context a completion must fit"},
       ReadConstraint,
       ConstraintName},
      {{"levels",
        "an object of language ids with the level of each, such as {\"python\": \"since_3_12\"}",
        "the newest version of a language that may be written"},
       ReadLevels,
       [](const S& s) { return json(s.levels); }},
      {{"workAhead", kSwitch,
        "compute the next completion while this one is read, and other things "
        "that nobody has asked for yet"},
       [](const json& v, S& s) { return ReadSwitch(v, s.work_ahead); },
       [](const S& s) { return json(s.work_ahead); }},
      {{"otherFiles", kSwitch, "does the model see stretches of other open files?"},
       [](const json& v, S& s) { return ReadSwitch(v, s.other_files); },
       [](const S& s) { return json(s.other_files); }},
      {{"anyLanguage", kSwitch, "complete documents of unknown languages, without a guarantee"},
       [](const json& v, S& s) { return ReadSwitch(v, s.any_language); },
       [](const S& s) { return json(s.any_language); }},
      {{"multiline", kSwitch, "may list items hold line breaks? absent: as the client can"},
       ReadMultiline,
       [](const S& s) { return OrNull(s.multiline); }},
      {{"temperature", "a number from 0 to 5", "0: always the likeliest token"},
       ReadTemperature,
       [](const S& s) { return json(s.temperature); }},
      {{"seed", "a whole number from 0", "of the draws at a temperature above 0"},
       ReadSeed,
       [](const S& s) { return json(s.seed); }},
  };
  return kMembers;
}

const Member* FindMember(std::string_view name) {
  for (const Member& member : Members()) {
    if (member.description.name == name) return &member;
  }
  return nullptr;
}

constexpr std::string_view kSection = "tenon";

// Is the name the first part of a setting's name, such as "completion"?
bool IsPart(std::string_view name) {
  return std::any_of(Members().begin(), Members().end(), [name](const Member& member) {
    const std::string_view full = member.description.name;
    return full.size() > name.size() && full.substr(0, name.size()) == name &&
           full[name.size()] == '.';
  });
}

// A VS Code extension keeps `tenon.server.path` and `tenon.trace.server` beside our settings.
bool IsTheClients(std::string_view name) {
  return name == "server" || name == "trace" || name.starts_with("server.") ||
         name.starts_with("trace.");
}

// The values by their whole names: {"tenon": {"completion": {"enabled": false}}} gives
// "completion.enabled".
void Flatten(const json& object, const std::string& before, std::map<std::string, json>& flat) {
  for (const auto& [part, value] : object.items()) {
    std::string name = before + part;
    if (name.starts_with("tenon.")) name.erase(0, kSection.size() + 1);
    if (FindMember(name) == nullptr && value.is_object() && IsPart(name))
      Flatten(value, name + ".", flat);
    else
      flat[std::move(name)] = value;
  }
}

std::string Unknown(const std::string& name) {
  constexpr size_t kMaxNameBytes = 100;  // of a name that is looked up, and told
  if (name.size() > kMaxNameBytes)
    return fmt::format("a name of {} bytes is not a setting", name.size());
  std::vector<std::string> names;
  for (const Member& member : Members()) names.emplace_back(member.description.name);
  std::string nearest = NearestName(name, names);
  std::string text = fmt::format("'{}' is not a setting", name);
  // A name of which half is wrong means nothing that we know.
  if (EditDistance(name, nearest) <= std::max<size_t>(2, nearest.size() / 2) ||
      nearest.find(name) != std::string::npos)
    text += fmt::format("; the nearest is '{}'", nearest);
  return text;
}

// The setting's problem, or nothing where it was taken.
std::optional<std::string> Take(const std::string& name, const json& value, SettingGiver giver,
                                Settings& settings) {
  const Member* member = FindMember(name);
  if (member == nullptr) return Unknown(name);
  const SettingReach reach = member->description.reach;
  const bool refused = (giver == SettingGiver::kWorkspace && reach != SettingReach::kAnywhere) ||
                       (giver == SettingGiver::kUser && reach == SettingReach::kProgram);
  if (refused && value == member->write(settings)) return std::nullopt;
  if (refused && reach == SettingReach::kProgram) {
    return fmt::format(
        "'{}' is not taken from here, it {}; it belongs into the user's file or --set", name,
        name.starts_with("remote.") ? "says where code is sent"
                                    : "is needed before a client speaks");
  }
  if (refused) {
    return fmt::format(
        "'{}' is not taken from here, where a workspace could name it; it belongs into the user's "
        "file, initializationOptions or --set, and holds from the next start on",
        name);
  }
  if (!member->read(value, settings))
    return fmt::format("'{}' must be {}", name, member->description.expected);
  return std::nullopt;
}

}  // namespace

bool Settings::IsOn(const std::string& language_id) const {
  if (!enabled) return false;
  auto found = languages.find(language_id);
  if (found == languages.end()) found = languages.find("*");
  return found == languages.end() || found->second;
}

std::vector<SettingDescription> AllSettings() {
  std::vector<SettingDescription> all;
  for (const Member& member : Members()) all.push_back(member.description);
  return all;
}

json ValueOf(std::string_view name, const Settings& settings) {
  return FindMember(name)->write(settings);
}

std::optional<ConstraintMode> ConstraintModeFromName(std::string_view name) {
  if (name == "off") return ConstraintMode::kOff;
  if (name == "left") return ConstraintMode::kLeft;
  if (name == "both") return ConstraintMode::kBoth;
  return std::nullopt;
}

ReadSettings SettingsFromJson(const json& values, const Settings& defaults, SettingGiver giver) {
  ReadSettings result{defaults, {}, {}};
  if (values.is_null()) return result;
  if (!values.is_object()) {
    result.problems.emplace_back("settings must be an object");
    return result;
  }
  std::map<std::string, json> flat;
  Flatten(values, "", flat);
  if (const auto section = flat.find(std::string(kSection));
      section != flat.end() && section->second.is_object()) {
    const json nested = std::move(section->second);
    flat.erase(section);
    Flatten(nested, "", flat);
  }
  for (const auto& [name, value] : flat) {
    if (value.is_null() || IsTheClients(name)) continue;
    if (auto problem = Take(name, value, giver, result.settings))
      result.problems.push_back(*std::move(problem));
    else
      result.names.push_back(name);
  }
  return result;
}

}  // namespace tenon::server
