#include "server/settings/settings_file.h"

#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

// Errors come as values. Only this file includes the library, which is all in its header.
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json ToJson(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    json object = json::object();
    for (const auto& [name, value] : *table) object[std::string(name.str())] = ToJson(value);
    return object;
  }
  if (const auto* array = node.as_array()) {
    json values = json::array();
    for (const toml::node& value : *array) values.push_back(ToJson(value));
    return values;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  std::ostringstream date;  // no setting is one
  node.visit([&date](const auto& value) { date << value; });
  return date.str();
}

}  // namespace

tl::expected<json, std::string> ReadSettingsFile(const fs::path& path, bool must_exist) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    if (!must_exist) return nullptr;
    return tl::unexpected(fmt::format("{}: there is no such file", path.string()));
  }
  if (!fs::is_regular_file(status))
    return tl::unexpected(fmt::format("{}: it is no file; settings are not read", path.string()));
  if (fs::file_size(path, error) > kMaxSettingsFileBytes) {
    return tl::unexpected(fmt::format("{}: it is larger than {} bytes; settings are not read",
                                      path.string(), kMaxSettingsFileBytes));
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in) return tl::unexpected(fmt::format("{}: it cannot be read", path.string()));
  const toml::parse_result parsed = toml::parse(text.str());
  if (parsed) return ToJson(parsed.table());
  const toml::source_position at = parsed.error().source().begin;
  return tl::unexpected(fmt::format("{}:{}:{}: {}; none of its settings holds", path.string(),
                                    at.line, at.column, std::string(parsed.error().description())));
}

}  // namespace tenon::server
