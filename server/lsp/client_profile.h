// What the client can do, read from the parameters of `initialize`, and the quirks that go with its name.
//
// Source: LSP 3.18 `ClientCapabilities`. Quirks that no capability announces are known by `clientInfo.name`: Neovim inserts the
// text of a completion item up to its first line break, so an item that needs more than that line would break the promise that
// the buffer parses; and Neovim 0.12 draws an inline completion over the rest of the line, so the item has to repeat it.
// Cost: constant. Thread rule: plain values.
#pragma once

#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "protocol/position.h"

namespace tenon::server {

struct ClientProfile {
  protocol::PositionEncoding encoding = protocol::PositionEncoding::kUtf16;
  bool work_done_progress = false;      // window.workDoneProgress
  bool insert_text_mode_as_is = false;  // completionItem.insertTextModeSupport has asIs
  bool markdown = false;                // completionItem.documentationFormat has markdown
  bool multiline_items = true;          // false: a completion item must stay in one line
  bool repeat_rest_of_line = false;     // an inline completion repeats and covers what stands right of it
  std::optional<int64_t> process_id;    // the process whose end ends the server
};

// The first encoding that the client lists and we know; utf-16 where it lists none.
[[nodiscard]] ClientProfile ReadClientProfile(const nlohmann::json& initialize_params);

}  // namespace tenon::server
