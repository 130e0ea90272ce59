#include "server/models/model_choice.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "protocol/json_text.h"
#include "server/files/read_file.h"
#include "server/models/model_folder.h"
#include "server/models/nearest_name.h"

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

ModelChoice ChoiceOf(const InstalledModel& model, std::string why) {
  return {.name = model.name,
          .path = model.path,
          .adapter = model.adapter,
          .memory_bytes = model.memory_bytes,
          .why = std::move(why),
          .passed_over = std::nullopt,
          .sha256 = model.sha256};
}

std::string NamesOf(const InstalledModels& installed) {
  std::string names;
  for (const InstalledModel& model : installed.models())
    names += (names.empty() ? "" : ", ") + model.name;
  return names.empty() ? "none" : names;
}

std::string HowToFetch(const RegisteredModel& model) {
  return fmt::format("'tenon model pull {}' fetches it ({})", model.name,
                     Megabytes(model.file_bytes));
}

// The model that is wanted without --model, and the reason; null where none is installed.
std::pair<const InstalledModel*, std::string> Wanted(const ModelsAtHand& at_hand) {
  std::string after;
  if (at_hand.used) {
    if (const InstalledModel* used = at_hand.installed.Find(*at_hand.used))
      return {used, "chosen by 'tenon model use'"};
    after =
        fmt::format(", since '{}', chosen by 'tenon model use', is not installed", *at_hand.used);
  }
  for (const std::string& name : at_hand.registry.defaults()) {
    if (const InstalledModel* model = at_hand.installed.Find(name))
      return {model, "the first of the default models that is installed" + after};
  }
  if (at_hand.installed.models().empty()) return {nullptr, ""};
  return {&at_hand.installed.models().front(),
          "the largest installed; no default model is" + after};
}

}  // namespace

bool IsModelPath(std::string_view text) {
  constexpr std::string_view kSuffix = ".gguf";
  return text.find('/') != std::string_view::npos ||
         (text.size() > kSuffix.size() && text.ends_with(kSuffix));
}

std::string Megabytes(uint64_t bytes) {
  std::string text = fmt::format("{:.0f}", static_cast<double>(bytes) / 1e6);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text + " MB";
}

tl::expected<ModelChoice, std::string> ModelsAtHand::Choose() const {
  const auto [wanted, why] = Wanted(*this);
  if (wanted == nullptr) {
    return tl::unexpected(
        fmt::format("no model is installed in {}; 'tenon model pull' lists what can be "
                    "fetched, and --model takes the path of a file",
                    folder.string()));
  }
  if (Fits(wanted->memory_bytes)) return ChoiceOf(*wanted, why);
  std::string passed_over =
      fmt::format("{} needs {} of memory, and {} are available", wanted->name,
                  Megabytes(wanted->memory_bytes), Megabytes(*available_bytes));
  for (const InstalledModel& model : installed.models()) {  // the most memory first
    if (model.memory_bytes >= wanted->memory_bytes || !Fits(model.memory_bytes)) continue;
    ModelChoice choice = ChoiceOf(model, "the largest smaller one that fits into memory");
    choice.passed_over = std::move(passed_over);
    return choice;
  }
  return tl::unexpected(fmt::format(
      "{}, and no smaller model that fits is installed (installed: {}); end other "
      "programs, fetch a smaller one by 'tenon model pull', or force one by --model NAME",
      passed_over, NamesOf(installed)));
}

tl::expected<ModelChoice, std::string> ModelsAtHand::Named(std::string_view name_or_path) const {
  std::error_code error;
  const InstalledModel* model = IsModelPath(name_or_path) ? nullptr : installed.Find(name_or_path);
  if (model != nullptr) {
    ModelChoice choice = ChoiceOf(*model, "named by --model");
    choice.fits = Fits(choice.memory_bytes);
    return choice;
  }
  const fs::path path = name_or_path;
  if (!IsModelPath(name_or_path) && !fs::is_regular_file(path, error) && !IsModelFolder(path))
    return tl::unexpected(WhyUnknown(name_or_path));
  ModelChoice choice{.name = "",
                     .path = path,
                     .adapter = std::nullopt,
                     .memory_bytes = ModelBytes(path) > 0 ? EstimateMemoryBytesOf(path) : 0,
                     .why = "named by --model",
                     .passed_over = std::nullopt,
                     .sha256 = ""};
  choice.fits = Fits(choice.memory_bytes);
  return choice;
}

std::string ModelsAtHand::WhyUnknown(std::string_view name) const {
  if (const RegisteredModel* registered = registry.Find(name)) {
    return fmt::format("the model '{}' is not installed; {}. Installed: {}", name,
                       HowToFetch(*registered), NamesOf(installed));
  }
  std::vector<std::string> names;
  for (const InstalledModel& model : installed.models()) names.push_back(model.name);
  for (const RegisteredModel& model : registry.models()) names.push_back(model.name);
  std::string nearest = NearestName(name, names);
  if (!IsNear(name, nearest)) nearest.clear();
  std::string text = fmt::format("no model is called '{}'", name);
  if (const RegisteredModel* known = registry.Find(nearest); installed.Find(nearest) != nullptr)
    text += fmt::format("; the nearest name is '{}'", nearest);
  else if (known != nullptr)
    text += fmt::format("; the nearest name is '{}', which is not installed: {}", nearest,
                        HowToFetch(*known));
  text +=
      fmt::format(". Installed: {}. A file or a folder is named by its path", NamesOf(installed));
  for (const std::string& problem : problems) text += fmt::format(" ({})", problem);
  return text;
}

ModelsAtHand ReadModelsAtHand(const fs::path& registry_file, const fs::path& models_folder,
                              const fs::path& config_folder,
                              std::optional<uint64_t> available_bytes) {
  ModelsAtHand at_hand;
  if (auto registry = ModelRegistry::Load(registry_file))
    at_hand.registry = *std::move(registry);
  else
    at_hand.problems.push_back(std::move(registry.error()));
  if (auto used = ReadUsedModel(config_folder))
    at_hand.used = *std::move(used);
  else
    at_hand.problems.push_back(std::move(used.error()));
  at_hand.folder = models_folder;
  at_hand.installed = InstalledModels::In(models_folder, at_hand.registry);
  at_hand.available_bytes = available_bytes;
  return at_hand;
}

tl::expected<std::optional<std::string>, std::string> ReadUsedModel(const fs::path& config_folder) {
  const fs::path file = config_folder / "model.json";
  std::error_code error;
  if (!fs::exists(file, error) && !error) return std::nullopt;
  const auto text = ReadFile(file);
  if (!text) return tl::unexpected(text.error());
  const json root = protocol::ParseJson(*text).value_or(json());
  if (!root.is_object() || !root.contains("model") || !root["model"].is_string()) {
    return tl::unexpected(
        fmt::format("{}: not of the form {{\"model\": \"NAME\"}}; 'tenon model use NAME' writes it "
                    "anew",
                    file.string()));
  }
  return root["model"].get<std::string>();
}

tl::expected<void, std::string> WriteUsedModel(const fs::path& config_folder,
                                               const std::optional<std::string>& name) {
  const fs::path file = config_folder / "model.json";
  const fs::path unfinished = config_folder / fmt::format(".model.json.{}", getpid());
  std::error_code error, ignored;
  if (!name) {
    fs::remove(file, error);
  } else {
    fs::create_directories(config_folder, error);
    if (!error) {
      errno = 0;
      std::ofstream out(unfinished, std::ios::binary);
      out << json{{"model", *name}}.dump() << '\n' << std::flush;
      if (!out) error = std::error_code(errno != 0 ? errno : EIO, std::generic_category());
    }
    if (!error) fs::rename(unfinished, file, error);
    if (error) fs::remove(unfinished, ignored);
  }
  if (!error) return {};
  return tl::unexpected(fmt::format(
      "{}: cannot be written ({}); make its folder writable, or let XDG_CONFIG_HOME name another",
      file.string(), error.message()));
}

}  // namespace tenon::server
