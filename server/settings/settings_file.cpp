#include "server/settings/settings_file.h"

#include <algorithm>
#include <sstream>
#include <string_view>
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

// The end of the text that begins with the quote at `begin`, after its last quote. A text of one
// line ends at the line's end at the latest.
size_t EndOfText(std::string_view toml, size_t begin) {
  const char quote = toml[begin];
  const std::string three(3, quote);
  const bool many_lines = toml.substr(begin, three.size()) == three;
  for (size_t at = begin + (many_lines ? three.size() : 1); at < toml.size(); ++at) {
    if (toml[at] == '\\' && quote == '"') {
      ++at;
    } else if (many_lines && toml.substr(at, three.size()) == three) {
      return std::min(toml.find_first_not_of(quote, at), toml.size());
    } else if (!many_lines && (toml[at] == quote || toml[at] == '\n')) {
      return at + 1;
    }
  }
  return toml.size();
}

// The dots outside of texts and comments. A name with so many is nested as deeply as that.
size_t DotsOf(std::string_view toml) {
  size_t dots = 0;
  for (size_t at = 0; at < toml.size();) {
    const char c = toml[at];
    if (c == '#') {
      at = std::min(toml.find('\n', at), toml.size());
    } else if (c == '"' || c == '\'') {
      at = EndOfText(toml, at);
    } else {
      dots += c == '.' ? 1 : 0;
      ++at;
    }
  }
  return dots;
}

}  // namespace

tl::expected<json, std::string> ReadSettingsFile(const fs::path& path, bool must_exist) {
  std::error_code error;
  if (!must_exist && !fs::exists(path, error)) return nullptr;
  const auto text = ReadFile(path, kMaxSettingsFileBytes);
  if (!text) return tl::unexpected(text.error() + "; settings are not read");
  // toml++ bounds the depth of arrays, and not that of names: it would exhaust the stack.
  constexpr size_t kMaxDots = 1000;
  if (DotsOf(*text) > kMaxDots) {
    return tl::unexpected(fmt::format(
        "{}: has more than {} dots in its names, so none of its settings holds; take some out",
        path.string(), kMaxDots));
  }
  const toml::parse_result parsed = toml::parse(*text);
  if (parsed) return OfToml(parsed.table());
  const toml::source_position at = parsed.error().source().begin;
  return tl::unexpected(fmt::format("{}:{}:{}: {}; none of its settings holds", path.string(),
                                    at.line, at.column, std::string(parsed.error().description())));
}

}  // namespace tenon::server
