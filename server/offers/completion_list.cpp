#include "server/offers/completion_list.h"

#include <algorithm>
#include <utility>

#include "protocol/lsp_types.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// The value that all items have at this path, or null.
json CommonValue(const json& items, std::string_view path) {
  const json* first = protocol::FindPath(items.front(), path);
  if (first == nullptr) return nullptr;
  const bool common = std::all_of(items.begin(), items.end(), [first, path](const json& item) {
    const json* value = protocol::FindPath(item, path);
    return value != nullptr && *value == *first;
  });
  return common ? *first : json();
}

}  // namespace

json ShapeCompletionList(json items, const ClientProfile& client) {
  json defaults = json::object();
  if (!items.empty()) {
    for (const char* member : {"insertTextFormat", "insertTextMode", "data"}) {
      if (client.item_defaults.count(member) == 0) continue;
      json value = CommonValue(items, member);
      if (value.is_null()) continue;
      defaults[member] = std::move(value);
      for (json& item : items) item.erase(member);
    }
    json range = CommonValue(items, "textEdit/range");
    if (client.item_defaults.count("editRange") != 0 && !range.is_null()) {
      defaults["editRange"] = std::move(range);
      for (json& item : items) {
        item["textEditText"] = std::move(item["textEdit"]["newText"]);
        item.erase("textEdit");
      }
    }
  }
  json list = {{"isIncomplete", true}, {"items", std::move(items)}};
  if (!defaults.empty()) list["itemDefaults"] = std::move(defaults);
  return list;
}

json Documentation(std::string_view text, bool markdown, std::string_view language_id) {
  if (!markdown) return text;
  size_t longest = 2;
  size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return {{"kind", "markdown"},
          {"value", fence + std::string(language_id) + "\n" + std::string(text) + "\n" + fence}};
}

tl::expected<json, std::string> ResolveItem(json item, const ClientProfile& client) {
  if (!item.is_object())
    return tl::unexpected(std::string("'completionItem/resolve' needs an item as params"));
  auto text = protocol::ReadString(item, "textEdit/newText");
  if (!text) text = protocol::ReadString(item, "textEditText");
  const bool deferred = client.resolves_documentation && !item.contains("documentation");
  if (text && deferred && text->find_first_of("\r\n") != std::string::npos) {
    const auto language_id = protocol::ReadString(item, "data/language").value_or("");
    item["documentation"] = Documentation(*text, client.markdown, language_id);
  }
  return item;
}

}  // namespace tenon::server
