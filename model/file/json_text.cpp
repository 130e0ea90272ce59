#include "model/file/json_text.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

namespace tenon::model {
namespace {

using nlohmann::json;

// Watches the parser's events for broken rules.
class Rules {
 public:
  explicit Rules(int max_depth) : max_depth_(max_depth) {}

  const std::optional<std::string>& broken() const { return broken_; }

  // Whether the value is kept.
  bool Allow(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= max_depth_) {
        Break(fmt::format("more than {} brackets are nested", max_depth_));
        return false;
      }
      if (event == Event::object_start) keys_[depth + 1].clear();
    }
    if (event == Event::key && depth <= max_depth_ &&
        !keys_[depth].insert(parsed.get_ref<const std::string&>()).second) {
      Break(fmt::format("\"{}\" is there twice", parsed.get_ref<const std::string&>()));
    }
    return true;
  }

 private:
  void Break(std::string what) {
    if (!broken_) broken_ = std::move(what);
  }

  int max_depth_;
  // The keys met so far of the open object at each depth.
  std::map<int, std::set<std::string>> keys_;
  std::optional<std::string> broken_;
};

}  // namespace

tl::expected<json, ModelError> ParseJson(std::string_view text, const JsonSource& source) {
  const auto damaged = [&](const std::string& what) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFormat,
                   fmt::format("{}: {}; the file is damaged, fetch it again", source.path, what)});
  };
  Rules rules(source.max_depth);
  json parsed;
  try {
    parsed = json::parse(text.begin(), text.end(),
                         [&](int depth, json::parse_event_t event, const json& value) {
                           return rules.Allow(depth, event, value);
                         });
  } catch (const json::parse_error& error) {
    // The parser counts from one.
    const uint64_t byte = source.first_byte + error.byte - (error.byte > 0);
    return damaged(fmt::format("at byte {}: this is not JSON", byte));
  } catch (const json::exception&) {
    return damaged(
        fmt::format("the JSON from byte {} on has a number that is too large", source.first_byte));
  }
  if (rules.broken())
    return damaged(
        fmt::format("in the JSON from byte {} on {}", source.first_byte, *rules.broken()));
  return parsed;
}

const json& JsonMember(const json& object, std::string_view name) {
  static const json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

}  // namespace tenon::model
