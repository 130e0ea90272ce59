#include "server/models/model_registry.h"

#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "protocol/json_text.h"
#include "server/files/read_file.h"

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kRemedy = "install tenon again, or restore the file";

std::string TextOf(const json& entry, const char* member) {
  const auto found = entry.find(member);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<uint64_t> CountOf(const json& entry, const char* member) {
  const auto found = entry.find(member);
  if (found == entry.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<uint64_t>();
}

// The error is the entry's fault.
tl::expected<RegisteredModel, std::string> ReadEntry(const json& entry, const fs::path& folder) {
  if (!entry.is_object()) return tl::unexpected(std::string("is no object"));
  RegisteredModel model{.name = TextOf(entry, "name"),
                        .title = TextOf(entry, "title"),
                        .license = TextOf(entry, "license"),
                        .adapter = std::nullopt,
                        .sha256 = TextOf(entry, "sha256")};
  if (model.name.empty()) return tl::unexpected(std::string("has no \"name\""));
  const auto file_bytes = CountOf(entry, "bytes"), memory_bytes = CountOf(entry, "memory_bytes");
  if (!file_bytes || !memory_bytes) {
    return tl::unexpected(
        fmt::format("('{}') needs \"bytes\" and \"memory_bytes\", whole numbers", model.name));
  }
  model.file_bytes = *file_bytes;
  model.memory_bytes = *memory_bytes;
  if (const std::string adapter = TextOf(entry, "adapter"); !adapter.empty())
    model.adapter = folder / adapter;
  return model;
}

}  // namespace

tl::expected<ModelRegistry, std::string> ModelRegistry::Load(const fs::path& file) {
  const auto fault = [&file](std::string_view what) {
    return tl::unexpected(fmt::format("{}: {}; {}", file.string(), what, kRemedy));
  };
  const auto text = ReadFile(file);
  if (!text) return tl::unexpected(fmt::format("{}; {}", text.error(), kRemedy));
  const json root = protocol::ParseJson(*text).value_or(json());
  if (!root.is_object() || !root.contains("models") || !root["models"].is_array())
    return fault("not a JSON object with an array \"models\"");
  ModelRegistry registry;
  for (const json& entry : root["models"]) {
    auto model = ReadEntry(entry, file.parent_path());
    const std::string place = fmt::format("model {}", registry.models_.size() + 1);
    if (!model) return fault(fmt::format("{} {}", place, model.error()));
    if (registry.Find(model->name) != nullptr)
      return fault(fmt::format("{} has the name '{}' of another", place, model->name));
    registry.models_.push_back(*std::move(model));
  }
  if (!root.contains("default")) return registry;
  if (!root["default"].is_array()) return fault("\"default\" is no array of names");
  for (const json& name : root["default"]) {
    if (!name.is_string() || registry.Find(name.get<std::string>()) == nullptr)
      return fault(fmt::format("\"default\" holds {}, which is the name of no model", name.dump()));
    registry.defaults_.push_back(name.get<std::string>());
  }
  return registry;
}

const RegisteredModel* ModelRegistry::Find(std::string_view name) const {
  for (const RegisteredModel& model : models_) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

fs::path FindModelRegistry(const fs::path& executable) {
  std::error_code ignored;
  fs::path installed =
      executable.parent_path().parent_path() / "share" / "tenon" / "models" / "registry.json";
#ifdef TENON_SOURCE_MODELS
  if (!fs::exists(installed, ignored)) return fs::path(TENON_SOURCE_MODELS) / "registry.json";
#endif
  return installed;
}

}  // namespace tenon::server
