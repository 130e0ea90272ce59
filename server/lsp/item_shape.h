// How a completion is told to an editor: the JSON of a CompletionItem or an InlineCompletionItem.
//
// Source: LSP 3.18, CompletionItem and InlineCompletionItem: the replaced range lies in the cursor's line and contains the cursor.
// A CompletionItem replaces from the beginning of the word at the cursor, and filterText is what stands there, so that a client
// that filters by the typed word keeps it. Cost: linear in the item. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "protocol/text_document.h"
#include "server/complete/completer.h"
#include "server/lsp/client_profile.h"

namespace tenon::server {

// What was asked: the document, the cursor, and a text that the client's own list proposes there (selectedCompletionInfo), which
// the completion then has to go on from. Offsets are bytes of the document.
struct AskedPlace {
  size_t cursor = 0;
  size_t selected_begin = 0;  // = cursor where nothing is selected
  size_t selected_end = 0;    // = cursor where nothing is selected
  std::string selected_text;

  // The text and the cursor for the Completer: as if the selected text had been accepted.
  [[nodiscard]] std::string TextFor(const protocol::TextDocument& document) const;
  [[nodiscard]] size_t CursorFor() const { return selected_begin + selected_text.size(); }
};

// Nothing where the completion cannot be told to this client: blank, or of several lines where it takes one, or its range leaves
// the cursor's line.
[[nodiscard]] std::optional<nlohmann::json> ShapeCompletionItem(const protocol::TextDocument& document,
                                                                const AskedPlace& place, const CompletionItem& item,
                                                                const ClientProfile& client,
                                                                std::string_view language_id);
[[nodiscard]] std::optional<nlohmann::json> ShapeInlineItem(const protocol::TextDocument& document,
                                                            const AskedPlace& place, const CompletionItem& item,
                                                            const ClientProfile& client);

}  // namespace tenon::server
