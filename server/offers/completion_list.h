// The answer to textDocument/completion: items as one list, as short as the client allows.
//
// Example: a client announces `itemDefaults: ["editRange", "insertTextFormat"]`. Two items that
// replace the same word then say so once, in `itemDefaults` of the list, and each has its own text
// alone, as `textEditText`. A client that announces nothing gets items that are whole.
//
// Documentation of an item may come later: a client that announces `documentation` in
// `resolveSupport` asks for it by completionItem/resolve when the user looks at the item. The item
// itself holds all that the documentation is made of, so nothing is kept here until then.
//
// Source: LSP 3.18, CompletionList.itemDefaults, completionItem/resolve.
// Cost: linear in the items. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/client/client_profile.h"

namespace tenon::server {

// `items`: an array of whole items. The list is incomplete: the client asks again at the next key.
[[nodiscard]] nlohmann::json ShapeCompletionList(nlohmann::json items, const ClientProfile& client);

// A text as an item's documentation: Markdown code, in a fence longer than any run of backquotes in
// it, or plain.
[[nodiscard]] nlohmann::json Documentation(std::string_view text, bool markdown,
                                           std::string_view language_id);

// The item with its documentation. The error: it is no item.
[[nodiscard]] tl::expected<nlohmann::json, std::string> ResolveItem(nlohmann::json item,
                                                                    const ClientProfile& client);

}  // namespace tenon::server
