#include "server/settings/setting_table.h"

#include <array>
#include <iterator>
#include <utility>

#include "model/inference/inference.h"
#include "server/settings/setting_values.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kLogLevels = {"off", "error", "warn", "info", "debug"};

constexpr const char* kSwitch = "true or false";
constexpr const char* kBudget = "a whole number of milliseconds from 1 to 600000";

// `part`: settings -> the member that holds the value. `read`: of setting_values.h.
template <typename Part, typename Read>
SettingEntry Entry(Part part, Read read, const SettingDescription& description) {
  return {
      description,
      [part, read](const json& value, Settings& settings) { return read(value, part(settings)); },
      [part](const Settings& settings) { return ToJson(part(settings)); }};
}

// A value that is never shown.
template <typename Part, typename Read>
SettingEntry HiddenEntry(Part part, Read read, const SettingDescription& description) {
  SettingEntry entry = Entry(part, read, description);
  entry.write = [part](const Settings& settings) {
    return part(settings) ? json("(not shown)") : json();
  };
  return entry;
}

// Which model completes, and what computes it.
std::vector<SettingEntry> ModelSettings() {
  return {
      Entry([](auto& s) -> auto& { return s.model; }, ReadText,
            {"model", "the name of a model or the path of its file", "the model that completes",
             SettingReach::kUser}),
      Entry([](auto& s) -> auto& { return s.adapter; }, ReadTextOrNone,
            {"adapter", "the path of a folder, or \"\" for none",
             "a PEFT adapter beside the model's weights; absent: that of the model by name",
             SettingReach::kUser}),
      Entry([](auto& s) -> auto& { return s.threads; }, WholeNumber(0, 256),
            {"threads", "a whole number from 0 to 256", "threads for the model; 0: as it sees fit",
             SettingReach::kUser}),
      Entry([](auto& s) -> auto& { return s.engine; }, OneOf(model::kEngineNames),
            {"engine", "\"kernels\" or \"torch\"",
             "what computes the model: tenon's own kernels, or libtorch's operators",
             SettingReach::kUser}),
      Entry(
          [](auto& s) -> auto& { return s.device; }, OneOf(model::kDeviceNames),
          {"device", "\"auto\", \"cpu\" or \"cuda\"",
           "where the torch engine computes; auto: a GPU that libtorch can use, else the processor",
           SettingReach::kUser}),
  };
}

// A server whose model completes in place of a local one.
std::vector<SettingEntry> RemoteEntries() {
  return {
      Entry([](auto& s) -> auto& { return s.remote.kind; }, OneOf(kRemoteKinds),
            {"remote.kind", "\"llama.cpp\", \"openai\" or \"ollama\"",
             "the kind of server whose model completes, in place of a local one",
             SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.remote.url; }, ReadLine,
            {"remote.url", "a URL, such as \"http://127.0.0.1:8080\"", "where that server is",
             SettingReach::kProgram}),
      Entry(
          [](auto& s) -> auto& { return s.remote.model; }, ReadText,
          {"remote.model", "a name", "the model, as that server calls it", SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.remote.format; }, ReadText,
            {"remote.format", "a name, such as \"qwen2.5-coder\", or a template with {prefix}",
             "the markers of that model's prompts", SettingReach::kProgram}),
      HiddenEntry([](auto& s) -> auto& { return s.remote.key; }, ReadLine,
                  {"remote.key", "a text of one line",
                   "the key that the server wants; better in a file", SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.remote.key_file; }, ReadText,
            {"remote.keyFile", "the path of a file", "a file with the key in it",
             SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.remote.key_variable; }, ReadText,
            {"remote.keyVariable", "the name of a variable of the environment",
             "a variable that holds the key", SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.remote.ca_file; }, ReadText,
            {"remote.caFile", "the path of a PEM file",
             "certificates that may vouch for the server, beside the system's",
             SettingReach::kProgram}),
      Entry(
          [](auto& s) -> auto& { return s.remote.grammar; }, ReadSwitch,
          {"remote.grammar", kSwitch,
           "llama.cpp's server is sent grammars: how a completion begins", SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.remote.silence; }, ReadBudget,
            {"remote.silenceMs", kBudget, "the longest that the server may say nothing",
             SettingReach::kProgram}),
  };
}

// Grammars beside the installed ones, the log, and the cache.
std::vector<SettingEntry> ProgramSettings() {
  return {
      Entry([](auto& s) -> auto& { return s.grammars; }, ReadTexts,
            {"grammars", "an array of paths of grammar files or folders",
             "further grammars, which come before the installed ones", SettingReach::kUser}),
      Entry([](auto& s) -> auto& { return s.log_level; }, OneOf(kLogLevels),
            {"log", "\"off\", \"error\", \"warn\", \"info\" or \"debug\"", "what is logged",
             SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.log_file; }, ReadText,
            {"logFile", "the path of a file", "where the log goes; absent: to standard error",
             SettingReach::kProgram}),
      Entry([](auto& s) -> auto& { return s.cache_mb; }, WholeNumber(1, 1 << 20),
            {"cacheMb", "a whole number from 1 to 1048576",
             "MiB of compiled languages that are kept at most", SettingReach::kProgram}),
  };
}

// What is completed at all.
std::vector<SettingEntry> SwitchSettings() {
  return {
      Entry([](auto& s) -> auto& { return s.enabled; }, ReadSwitch,
            {"enabled", kSwitch, "off: nothing is completed"}),
      Entry([](auto& s) -> auto& { return s.list_enabled; }, ReadSwitch,
            {"completion.enabled", kSwitch, "items of the completion list"}),
      Entry([](auto& s) -> auto& { return s.inline_enabled; }, ReadSwitch,
            {"inlineCompletion.enabled", kSwitch, "ghost text"}),
      Entry([](auto& s) -> auto& { return s.languages; }, ReadByLanguage<bool>,
            {"languages",
             "an object of language ids with true or false, such as {\"*\": true, \"json\": false}",
             "the languages that are completed; * means all that are not named"}),
  };
}

// How far a completion may go, and how long it may take.
std::vector<SettingEntry> LimitSettings() {
  return {
      Entry([](auto& s) -> auto& { return s.max_tokens; }, WholeNumber(1, 4096),
            {"maxTokens", "a whole number from 1 to 4096", "the most tokens of a completion"}),
      Entry([](auto& s) -> auto& { return s.automatic_budget; }, ReadBudget,
            {"completion.automaticBudgetMs", kBudget,
             "the time until a keystroke's request is answered"}),
      Entry(
          [](auto& s) -> auto& { return s.invoked_budget; }, ReadBudget,
          {"completion.invokedBudgetMs", kBudget, "the time until a person's request is answered"}),
      Entry([](auto& s) -> auto& { return s.candidates; }, WholeNumber(1, 8),
            {"candidates", "a whole number from 1 to 8",
             "the most items of an answer to a person's request"}),
      Entry([](auto& s) -> auto& { return s.sureness; }, RealNumber(0, 1),
            {"sureness", "a number from 0 to 1",
             "how sure the model must be to complete, unasked, in a word or before code on its "
             "line"}),
      Entry([](auto& s) -> auto& { return s.scope; }, ReadScope,
            {"scope", "\"argument\", \"line\", \"statement\", \"block\" or \"free\"",
             "how far a completion may go"}),
      Entry([](auto& s) -> auto& { return s.constraint; }, ReadConstraint,
            {"constraint", "\"off\", \"left\" or \"both\"", "which context a completion must fit"}),
      Entry(
          [](auto& s) -> auto& { return s.levels; }, ReadByLanguage<std::string>,
          {"levels",
           "an object of language ids with the level of each, such as {\"python\": \"since_3_12\"}",
           "the newest version of a language that may be written"}),
  };
}

// What is computed and shown beside, and how tokens are drawn.
std::vector<SettingEntry> OtherSettings() {
  return {
      Entry([](auto& s) -> auto& { return s.work_ahead; }, ReadSwitch,
            {"workAhead", kSwitch,
             "compute the next completion while this one is read, and other things "
             "that nobody has asked for yet"}),
      Entry([](auto& s) -> auto& { return s.other_files; }, ReadSwitch,
            {"otherFiles", kSwitch, "does the model see stretches of other open files?"}),
      Entry(
          [](auto& s) -> auto& { return s.any_language; }, ReadSwitch,
          {"anyLanguage", kSwitch, "complete documents of unknown languages, without a guarantee"}),
      Entry([](auto& s) -> auto& { return s.multiline; }, ReadSwitch,
            {"multiline", kSwitch, "may list items hold line breaks? absent: as the client can"}),
      Entry([](auto& s) -> auto& { return s.temperature; }, RealNumber(0, 5),
            {"temperature", "a number from 0 to 5", "0: always the likeliest token"}),
      Entry([](auto& s) -> auto& { return s.seed; }, ReadSeed,
            {"seed", "a whole number from 0", "of the draws at a temperature above 0"}),
  };
}

}  // namespace

const std::vector<SettingEntry>& SettingTable() {
  static const std::vector<SettingEntry> kTable = [] {
    std::vector<SettingEntry> all;
    for (const auto group : {ModelSettings, RemoteEntries, ProgramSettings, SwitchSettings,
                             LimitSettings, OtherSettings}) {
      std::vector<SettingEntry> entries = group();
      all.insert(all.end(), std::make_move_iterator(entries.begin()),
                 std::make_move_iterator(entries.end()));
    }
    return all;
  }();
  return kTable;
}

const SettingEntry* FindSetting(std::string_view name) {
  for (const SettingEntry& entry : SettingTable()) {
    if (entry.description.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace tenon::server
