// The abilities of the client, read from the parameters of `initialize`, and the quirks that go
// with its name.
//
// Example: {"capabilities": {"window": {"workDoneProgress": true}}} sets work_done_progress, and
// the server shows in the editor that its model is loading.
//
// Some quirks are announced by no capability, and known by `clientInfo.name`:
//   Neovim       inserts the text of a completion item up to its first line break; an item that
//                needs a second line would break the promise that the buffer parses
//   Neovim       stops all editing until a message with actions is answered; it gets one without
//   Neovim 0.12  draws an inline completion over the rest of the line: the item has to repeat it
//   Eglot        keeps edits back and sends them with a question, however late that is asked
//
// Source: LSP 3.18 `ClientCapabilities`. Cost: constant. Thread rule: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "protocol/position.h"

namespace tenon::server {

struct ClientProfile {
  protocol::PositionEncoding encoding = protocol::PositionEncoding::kUtf16;
  bool work_done_progress = false;      // window.workDoneProgress
  bool insert_text_mode_as_is = false;  // completionItem.insertTextModeSupport has asIs
  bool markdown = false;                // completionItem.documentationFormat has markdown
  bool label_details = false;           // completionItem.labelDetailsSupport
  bool resolves_documentation = false;  // completionItem.resolveSupport has documentation
  // completionList.itemDefaults: the members of items that the list may say once for all
  std::set<std::string> item_defaults;
  bool multiline_items = true;       // false: a completion item must stay in one line
  bool repeat_rest_of_line = false;  // an inline item repeats and covers the rest of its line
  bool keeps_edits_back = false;     // an edit's time does not say when the user made it
  bool executes_commands = false;    // workspace.executeCommand
  bool applies_edits = false;        // workspace.applyEdit
  bool message_actions = false;      // window.showMessage, and not Neovim
  // Members of `capabilities.experimental.tenon` or `initializationOptions.experimental`.
  bool wants_status = false;
  bool wants_text = false;
  bool writes_inline_edits = false;      // additionalTextEdits of an inline item
  bool notebooks = false;                // notebookDocument.synchronization
  bool registers_list = false;           // textDocument.completion.dynamicRegistration
  bool registers_inline = false;         // textDocument.inlineCompletion.dynamicRegistration
  bool registers_notebooks = false;      // notebookDocument.synchronization.dynamicRegistration
  bool registers_configuration = false;  // workspace.didChangeConfiguration.dynamicRegistration
  std::optional<int64_t> process_id;     // the process whose end ends the server
};

// The encoding is the first that the client lists and tenon knows; utf-16 where it lists none.
[[nodiscard]] ClientProfile ReadClientProfile(const nlohmann::json& initialize_params);

}  // namespace tenon::server
