#include "server/cli/model_command.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "model/file/file.h"
#include "model/inference/inference.h"
#include "server/bench/bench_command.h"
#include "server/invocation/progress_bar.h"
#include "server/models/model_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

template <typename Value>
json OrNull(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}

// Why a model runs, or does not.
std::string WhyOf(const ModelsAtHand& at_hand, const std::string& name, uint64_t memory_bytes,
                  bool installed, const tl::expected<ModelChoice, std::string>& choice) {
  if (choice && choice->name == name) return choice->why;
  if (!installed) return "not installed: tenon model pull " + name;
  return at_hand.Fits(memory_bytes) ? "" : "does not fit into memory now";
}

// A line for each panel file of the model, and {"path", "bytes", "state"}.
std::pair<std::string, json> PanelsOf(const Invocation& invocation, const ModelChoice& choice) {
  std::string lines;
  json rows = json::array();
  for (const KeptPanelFile& file : KeptPanelFiles(choice.path, invocation.panel_folders())) {
    lines += fmt::format("panels        {}, {}, {}\n", file.path.string(), Megabytes(file.bytes),
                         file.state);
    rows.push_back({{"path", file.path.string()}, {"bytes", file.bytes}, {"state", file.state}});
  }
  return {std::move(lines), std::move(rows)};
}

json RowOf(const ModelsAtHand& at_hand, const std::string& name, uint64_t file_bytes,
           uint64_t memory_bytes, const tl::expected<ModelChoice, std::string>& choice) {
  const InstalledModel* installed = at_hand.installed.Find(name);
  return {{"name", name},
          {"installed", installed != nullptr},
          {"path", installed != nullptr ? json(installed->path.string()) : json()},
          {"file_bytes", installed != nullptr ? installed->file_bytes : file_bytes},
          {"memory_bytes", memory_bytes},
          {"fits", at_hand.Fits(memory_bytes)},
          {"runs", choice && choice->name == name},
          {"why", WhyOf(at_hand, name, memory_bytes, installed != nullptr, choice)}};
}

json ToJson(const model::ModelInfo& info, const ModelChoice& choice) {
  return {{"path", info.path},
          {"name", info.name},
          {"model", choice.name.empty() ? json() : json(choice.name)},
          {"memory_bytes", choice.memory_bytes},
          {"architecture", info.architecture},
          {"license", info.license},
          {"file_bytes", info.file_bytes},
          {"parameters", info.parameters},
          {"tensor_types", info.tensor_types},
          {"layers", info.layers},
          {"width", info.width},
          {"context_tokens", info.context_tokens},
          {"vocabulary", info.vocabulary},
          {"tokenizer", info.tokenizer},
          {"fim_format", info.fim_format},
          {"fim_trained", info.fim_trained},
          {"runs", info.runs},
          {"why_not", info.why_not}};
}

// What `remove` was given: an installed model's name, or its path. The error says what it is
// instead.
tl::expected<InstalledModel, std::string> ToRemove(const ModelsAtHand& at_hand,
                                                   const std::string& name) {
  if (const InstalledModel* model = at_hand.installed.Find(name)) return *model;
  std::error_code ignored;
  for (const InstalledModel& model : at_hand.installed.models()) {
    if (fs::weakly_canonical(name, ignored) == fs::weakly_canonical(model.path, ignored))
      return model;
  }
  if (!IsModelPath(name) && !fs::exists(name, ignored))
    return tl::unexpected(at_hand.WhyUnknown(name));
  return tl::unexpected(
      fmt::format("{}: is no model of {}, and only those are removed; delete the file yourself",
                  name, at_hand.folder.string()));
}

// The name of an added model that is given none.
std::string NameFor(const std::string& path, bool is_folder) {
  if (!is_folder) return fs::path(path).stem().string();
  std::error_code ignored;  // an empty name is refused
  return fs::canonical(path, ignored).filename().string();
}

tl::expected<fs::path, std::string> AddFolder(const std::string& path, const std::string& name,
                                              const fs::path& models) {
  const auto folder = model::HuggingFaceFolder::Open(path);
  if (!folder) return tl::unexpected(folder.error().message);
  return AddModelFolder(path, model::HuggingFaceFiles(*folder), name, models);
}

// A damaged file is a choice, too.
tl::expected<ModelChoice, std::string> ChoiceOf(const Invocation& invocation,
                                                const ModelOptions& options) {
  return invocation.Models().Choice(options.what ? options.what : invocation.options().model);
}

}  // namespace

std::vector<json> ModelRows(const ModelsAtHand& at_hand,
                            const tl::expected<ModelChoice, std::string>& choice) {
  std::vector<json> rows;
  for (const RegisteredModel& model : at_hand.registry.models())
    rows.push_back(RowOf(at_hand, model.name, model.file_bytes, model.memory_bytes, choice));
  for (const InstalledModel& model : at_hand.installed.models()) {
    if (at_hand.registry.Find(model.name) == nullptr)
      rows.push_back(RowOf(at_hand, model.name, model.file_bytes, model.memory_bytes, choice));
  }
  return rows;
}

std::string ModelTable(const std::vector<json>& rows, const std::string& indent) {
  size_t width = 0;
  for (const json& row : rows)
    width = std::max(width, row["name"].get_ref<const std::string&>().size());
  std::string table;
  for (const json& row : rows) {
    const bool runs = row["runs"];
    std::string why = row["why"];
    if (runs) why = "runs: " + why;
    if (why.empty()) why = "installed";
    table += fmt::format("{}{} {:{}}  {:>9}, needs {:>9} of memory  {}\n", indent, runs ? '*' : ' ',
                         row["name"].get<std::string>(), width, Megabytes(row["file_bytes"]),
                         Megabytes(row["memory_bytes"]), why);
  }
  return table;
}

int RunModelList(const Invocation& invocation) {
  const ModelsAtHand at_hand = invocation.Models();
  const auto choice = at_hand.Choice(invocation.options().model);
  const std::vector<json> rows = ModelRows(at_hand, choice);
  const std::optional<std::string> passed_over = choice ? choice->passed_over : std::nullopt;
  if (invocation.json()) {
    json head = {{"folder", at_hand.folder.string()},
                 {"available_bytes", OrNull(at_hand.available_bytes)},
                 {"runs", nullptr},
                 {"why", choice ? choice->why : choice.error()},
                 {"passed_over", OrNull(passed_over)},
                 {"problems", at_hand.problems}};
    if (choice) head["runs"] = choice->name.empty() ? choice->path.string() : choice->name;
    invocation.PrintJson(head);
    for (json row : rows) {
      const InstalledModel* model = at_hand.installed.Find(row["name"].get<std::string>());
      row["panel_bytes"] =
          model != nullptr ? PanelBytesOf(model->path, invocation.panel_folders()) : 0;
      invocation.PrintJson(row);
    }
    return kExitDone;
  }
  uint64_t panel_bytes = 0;
  for (const InstalledModel& model : at_hand.installed.models())
    panel_bytes += PanelBytesOf(model.path, invocation.panel_folders());
  std::string text = ModelTable(rows, "");
  if (choice && choice->name.empty())
    text += fmt::format("* {}  runs: {}\n", choice->path.string(), choice->why);
  text += fmt::format("\nmodels lie in {}", at_hand.folder.string());
  if (panel_bytes > 0) text += fmt::format(", {} of panels beside", Megabytes(panel_bytes));
  if (at_hand.available_bytes)
    text += fmt::format("; {} of memory are available", Megabytes(*at_hand.available_bytes));
  text += '\n';
  if (passed_over) text += *passed_over + '\n';
  if (!choice) text += "none runs: " + choice.error() + '\n';
  for (const std::string& problem : at_hand.problems) text += problem + '\n';
  invocation.Print(text);
  return kExitDone;
}

int RunModelUse(const Invocation& invocation, const ModelOptions& options) {
  if (options.use_default == !options.name.empty())
    return invocation.Fail("model use needs the NAME of a model, or --default", kExitWrongUsage);
  const ModelsAtHand at_hand = invocation.Models();
  const InstalledModel* model = at_hand.installed.Find(options.name);
  if (IsModelPath(options.name) && model == nullptr) {
    return invocation.Fail(fmt::format("{}: is a path; 'tenon model add {}' gives the file a name",
                                       options.name, options.name));
  }
  if (!options.use_default && model == nullptr)
    return invocation.Fail(at_hand.WhyUnknown(options.name));
  const fs::path& config_folder = invocation.process().config_folder;
  const auto name = options.use_default ? std::nullopt : std::optional(options.name);
  if (const auto written = WriteUsedModel(config_folder, name); !written)
    return invocation.Fail(written.error());
  const bool fits = model == nullptr || at_hand.Fits(model->memory_bytes);
  if (invocation.json()) {
    invocation.PrintJson({{"used", OrNull(name)}, {"fits", fits}});
    return kExitDone;
  }
  invocation.Print(name ? fmt::format("{} runs from now on\n", *name)
                        : std::string("a default model runs from now on\n"));
  if (!fits) {
    invocation.Print(fmt::format(
        "but it needs {} of memory and {} are available now: until there is more, a smaller "
        "one runs\n",
        Megabytes(model->memory_bytes), Megabytes(at_hand.available_bytes.value_or(0))));
  }
  return kExitDone;
}

int RunModelAdd(const Invocation& invocation, const ModelOptions& options) {
  const bool is_folder = model::IsFolder(options.file);
  const std::string name = options.as.value_or(NameFor(options.file, is_folder));
  if (const auto why = WhyNoModelName(name)) {
    return invocation.Fail(
        fmt::format("'{}' cannot be the name of a model: {}; give one by --name", name, *why));
  }
  const ModelsAtHand at_hand = invocation.Models();
  if (at_hand.registry.Find(name) != nullptr) {
    return invocation.Fail(fmt::format(
        "'{}' is the name of a model that 'tenon model pull' fetches; give another by --name",
        name));
  }
  const auto info = model::ReadModelInfo(options.file);
  if (!info) return invocation.Fail(info.error().message);
  if (!info->runs)
    return invocation.Fail(fmt::format("{}: does not run: {}", options.file, info->why_not));
  const auto added = is_folder ? AddFolder(options.file, name, at_hand.folder)
                               : AddModel(options.file, name, at_hand.folder);
  if (!added) return invocation.Fail(added.error());
  const uint64_t memory_bytes = EstimateMemoryBytesOf(*added);
  if (invocation.json()) {
    invocation.PrintJson(
        {{"added", name}, {"path", added->string()}, {"memory_bytes", memory_bytes}});
  } else {
    invocation.Print(fmt::format(
        "{} is installed as {}; it needs about {} of memory. 'tenon model use {}' makes it run\n",
        name, added->string(), Megabytes(memory_bytes), name));
  }
  return kExitDone;
}

int RunModelRemove(const Invocation& invocation, const ModelOptions& options) {
  const ModelsAtHand at_hand = invocation.Models();
  const auto model = ToRemove(at_hand, options.name);
  if (!model) return invocation.Fail(model.error());
  // Before the model: links to its file lead nowhere without it.
  RemovePanelFiles(model->path, invocation.panel_folders());
  if (const auto removed = RemoveModel(*model); !removed) return invocation.Fail(removed.error());
  const bool was_used = at_hand.used == model->name;
  if (was_used) {
    const auto written = WriteUsedModel(invocation.process().config_folder, std::nullopt);
    if (!written) return invocation.Fail(written.error());
  }
  if (invocation.json())
    invocation.PrintJson({{"removed", model->name}, {"path", model->path.string()}});
  else
    invocation.Print(fmt::format("{} is removed{}\n", model->path.string(),
                                 was_used ? "; a default model runs from now on" : ""));
  return kExitDone;
}

int RunModelInfo(const Invocation& invocation, const ModelOptions& options) {
  const auto choice = ChoiceOf(invocation, options);
  if (!choice) return invocation.Fail(choice.error());
  const auto info = model::ReadModelInfo(choice->path.string());
  if (!info) return invocation.Fail(info.error().message);
  const ModelVerdict verdict = invocation.CheckOf(*choice).Known();
  auto [panel_lines, panel_rows] = PanelsOf(invocation, *choice);
  if (invocation.json()) {
    json facts = ToJson(*info, *choice);
    facts["file"] = ToString(verdict);
    facts["panels"] = std::move(panel_rows);
    invocation.PrintJson(facts);
  } else {
    invocation.Print(model::DescribeModel(*info));
    invocation.Print(fmt::format("memory        {}\n", Megabytes(choice->memory_bytes)));
    invocation.Print(fmt::format("file          {}\n{}", ToString(verdict), panel_lines));
  }
  return info->runs ? kExitDone : kExitFailed;
}

int RunModelCheck(const Invocation& invocation, const ModelOptions& options) {
  const auto choice = ChoiceOf(invocation, options);
  if (!choice) return invocation.Fail(choice.error());
  if (model::IsFolder(choice->path.string())) {
    return invocation.Fail(fmt::format(
        "{}: is a folder, and no hash of it is known; 'tenon model info' checks its files",
        choice->path.string()));
  }
  constexpr uint64_t kStepBytes = uint64_t{32} << 20;
  std::error_code ignored;
  const uint64_t bytes = fs::file_size(choice->path, ignored);
  const ModelCheck check = invocation.CheckOf(*choice);
  tl::expected<std::string, ModelCheck::Fault> hash;
  {
    ProgressBar bar(invocation, bytes / kStepBytes + 1, ProgressBar::Steps::kEqual);
    uint64_t shown = 0;
    bar.Begin("reading the file");
    hash = check.Check({}, [&](uint64_t done_bytes) {
      for (; shown < done_bytes / kStepBytes; ++shown) bar.Begin("reading the file");
    });
  }
  if (!hash) return invocation.Fail(hash.error().message);
  const char* verdict =
      ToString(choice->sha256.empty() ? ModelVerdict::kNoHash : ModelVerdict::kGood);
  if (invocation.json())
    invocation.PrintJson({{"path", choice->path.string()}, {"sha256", *hash}, {"file", verdict}});
  else
    invocation.Print(
        fmt::format("{}\nSHA-256  {}\nfile     {}\n", choice->path.string(), *hash, verdict));
  return kExitDone;
}

int RunModelConvert(const Invocation& invocation, const ModelOptions& options) {
  if (invocation.options().no_cache) {
    return invocation.Fail(
        "--no-cache keeps nothing, and convert is there to keep it: leave it out", kExitWrongUsage);
  }
  const auto choice = ChoiceOf(invocation, options);
  if (!choice) return invocation.Fail(choice.error());
  const PanelFolders folders = invocation.panel_folders();
  std::string note = "another process keeps them at this moment; try again";
  model::LoadOptions how{invocation.options().threads.value_or(0)};
  how.panels = PanelShelfOf(choice->path, folders, [&](const std::string& said) { note = said; });
  tl::expected<std::shared_ptr<const model::LlamaModel>, model::ModelError> model;
  {
    constexpr uint64_t kSteps = 100;
    ProgressBar bar(invocation, kSteps, ProgressBar::Steps::kEqual);
    uint64_t shown = 0;
    how.on_progress = [&](uint64_t read, uint64_t all) {
      for (; shown < kSteps * read / std::max<uint64_t>(1, all); ++shown)
        bar.Begin("laying the weights out");
    };
    model = model::LlamaModel::Load(choice->path.string(), how);
  }
  if (!model) return invocation.Fail(model.error().message);
  if (!(*model)->has_panels()) {
    return invocation.Fail(fmt::format(
        "{}: its weights are floats and are computed as such; there is nothing to convert",
        choice->path.string()));
  }
  const bool made = !(*model)->found_panels();
  (*model)->KeepPanels();
  for (const KeptPanelFile& file : KeptPanelFiles(choice->path, folders)) {
    if (!file.is_used) continue;
    if (invocation.json()) {
      invocation.PrintJson({{"converted", choice->path.string()},
                            {"panels", file.path.string()},
                            {"bytes", file.bytes},
                            {"made", made}});
    } else {
      invocation.Print(fmt::format("{} {}: it loads from {} ({})\n", choice->path.string(),
                                   made ? "is converted" : "was converted before",
                                   file.path.string(), Megabytes(file.bytes)));
    }
    return kExitDone;
  }
  return invocation.Fail(fmt::format("{}: cannot be converted: {}", choice->path.string(), note));
}

int RunModelBench(const Invocation& invocation, const ModelOptions& options) {
  const auto choice = invocation.Model(options.what);
  if (!choice) return invocation.Fail(choice.error());
  return BenchModelBriefly(invocation, *choice, options.runs);
}

}  // namespace tenon::server
