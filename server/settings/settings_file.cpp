#include "server/settings/settings_file.h"

#include <algorithm>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "server/files/read_file.h"

// Errors come as values. Only this file includes the library, which is all in its header.
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json OfToml(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    json object = json::object();
    for (const auto& [name, value] : *table) object[std::string(name.str())] = OfToml(value);
    return object;
  }
  if (const auto* array = node.as_array()) {
    json values = json::array();
    for (const toml::node& value : *array) values.push_back(OfToml(value));
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
  if (!must_exist && !fs::exists(path, error)) return nullptr;
  const auto text = ReadFile(path, kMaxSettingsFileBytes);
  if (!text) return tl::unexpected(text.error() + "; settings are not read");
  // toml++ bounds the depth of arrays, and not that of names: `a.a.a` is a table in a table. Some
  // 60,000 would exhaust the stack. The dots of texts and comments count, too: no person writes so
  // many.
  constexpr ptrdiff_t kMaxDots = 10'000;
  if (std::count(text->begin(), text->end(), '.') > kMaxDots) {
    return tl::unexpected(
        fmt::format("{}: has more than {} dots, so none of its settings holds; take some out",
                    path.string(), kMaxDots));
  }
  const toml::parse_result parsed = toml::parse(*text);
  if (parsed) return OfToml(parsed.table());
  const toml::source_position at = parsed.error().source().begin;
  return tl::unexpected(fmt::format("{}:{}:{}: {}; none of its settings holds", path.string(),
                                    at.line, at.column, std::string(parsed.error().description())));
}

}  // namespace tenon::server
