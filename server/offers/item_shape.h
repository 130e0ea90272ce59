// How a completion is told to an editor: the JSON of a CompletionItem or an InlineCompletionItem.
//
// Example: in `foo.ba|` the completer offers `r(1)` at the cursor. The CompletionItem replaces the
// word `ba` by `bar(1)`, and its filterText is `ba`: a client that filters by the typed word keeps
// the item. The InlineCompletionItem inserts `r(1)`.
//
// The replaced range lies in the cursor's line and contains the cursor. Where the completer covered
// a bracket that the editor had closed ahead, the range covers it, too.
//
// A CompletionItem says what every client understands, and what it has announced:
//   label          the first line of the text; several lines are counted in labelDetails
//   sortText       after the items of other servers, whose order is theirs
//   textEdit       one range. An InsertReplaceEdit has two, and the text would fit in only one of
//                  them: the promise holds for the buffer that the completer verified
//   insertTextFormat  plain. Clients indent the lines of a snippet anew, which would change a text
//                  that was verified
//   additionalTextEdits  the sign that the line above lacks. An InlineCompletionItem has them only
//                  for a client that has announced so, as the protocol knows none
//   documentation  the text as code, where it has several lines; deferred where the client asks for
//                  it later (completion_list.h)
//
// Source: LSP 3.18, CompletionItem and InlineCompletionItem.
// Cost: linear in the item. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "protocol/text_document.h"
#include "server/client/client_profile.h"
#include "server/request/completer.h"

namespace tenon::server {

// The place of a question: the cursor, and a text that the client's own list proposes there
// (selectedCompletionInfo). The completion has to go on from that text. Offsets are bytes of the
// document.
// Example: in `os.pa|` the list proposes `path` for `pa`; the completion goes on from `os.path|`.
struct AskedPlace {
  size_t cursor = 0;
  size_t selected_begin = 0;  // = cursor where nothing is selected
  size_t selected_end = 0;    // = cursor where nothing is selected
  std::string selected_text;

  // The text and the cursor for the Completer: as if the selected text had been accepted.
  [[nodiscard]] SharedText TextFor(const protocol::TextDocument& document) const;
  [[nodiscard]] size_t CursorFor() const { return selected_begin + selected_text.size(); }
};

// The TextEdit that writes a sign which the line above an item lacks.
[[nodiscard]] nlohmann::json SignEdit(const protocol::TextDocument& document,
                                      const MissingSign& sign);

// Nothing where the completion cannot be told to this client: it is blank, has several lines where
// the client takes one, or its range leaves the cursor's line.
[[nodiscard]] std::optional<nlohmann::json> ShapeCompletionItem(
    const protocol::TextDocument& document, const AskedPlace& place, const CompletionItem& item,
    const ClientProfile& client, std::string_view language_id);
[[nodiscard]] std::optional<nlohmann::json> ShapeInlineItem(const protocol::TextDocument& document,
                                                            const AskedPlace& place,
                                                            const CompletionItem& item,
                                                            const ClientProfile& client);

}  // namespace tenon::server
