#include "model/json_text.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace tenon::model {
namespace {

using nlohmann::json;

// Ends the parsing of a text at the first broken rule.
struct BrokenRule {
  std::string what;
};

// Watches the parser's events.
class Rules {
 public:
  explicit Rules(const JsonSource& source) : source_(source) {}

  // Throws a BrokenRule.
  void Watch(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if ((event == Event::object_start || event == Event::array_start) && depth >= source_.max_depth)
      throw BrokenRule{fmt::format("more than {} brackets are nested", source_.max_depth)};
    if (!source_.has_unique_keys) return;
    if (event == Event::object_start) keys_[depth + 1].clear();
    if (event != Event::key) return;
    const auto& key = parsed.get_ref<const std::string&>();
    if (!keys_[depth].insert(key).second)
      throw BrokenRule{fmt::format("\"{}\" is there twice", key)};
  }

 private:
  const JsonSource& source_;
  // The keys met so far of the open object at each depth.
  std::map<int, std::set<std::string>> keys_;
};

}  // namespace

tl::expected<json, ModelError> ParseJson(std::string_view text, const JsonSource& source) {
  const auto damaged = [&](const std::string& what) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFormat,
                   fmt::format("{}: {}; the file is damaged, fetch it again", source.path, what)});
  };
  Rules rules(source);
  try {
    return json::parse(text.begin(), text.end(),
                       [&](int depth, json::parse_event_t event, const json& value) {
                         rules.Watch(depth, event, value);
                         return true;
                       });
  } catch (const BrokenRule& rule) {
    return damaged(fmt::format("in the JSON from byte {} on {}", source.first_byte, rule.what));
  } catch (const json::parse_error& error) {
    // The parser counts from one.
    const uint64_t byte = source.first_byte + error.byte - (error.byte > 0);
    return damaged(fmt::format("at byte {}: this is not JSON", byte));
  } catch (const json::exception&) {
    return damaged(
        fmt::format("the JSON from byte {} on has a number that is too large", source.first_byte));
  }
}

const json& Member(const json& object, std::string_view name) {
  static const json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

bool IsTrue(const json& object, std::string_view name) {
  const json& member = Member(object, name);
  return member.is_boolean() && member.get<bool>();
}

std::string_view TextOf(const json& value) {
  return value.is_string() ? std::string_view(value.get_ref<const std::string&>())
                           : std::string_view();
}

}  // namespace tenon::model
