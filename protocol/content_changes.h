// The edits of a textDocument/didChange notification, applied in order.
//
// Source: LSP 3.18, TextDocumentContentChangeEvent: with a range it replaces that range, without
// one it is the whole new text.
// Cost: that of TextDocument::Replace for each edit. Thread rule: that of the document.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "protocol/lsp_types.h"
#include "protocol/text_document.h"

namespace tenon::protocol {

// One edit of the list.
struct ContentChange {
  std::optional<Range> range;  // nothing: the text is the whole new one
  std::string text;
};
[[nodiscard]] tl::expected<ContentChange, ReadError> ReadContentChange(
    const nlohmann::json& change);

// Applies the edits up to the first that cannot be read, whose fault is the error: from there on
// the document is not the editor's text any more, until a whole new text comes.
[[nodiscard]] tl::expected<void, ReadError> ApplyContentChanges(const nlohmann::json& changes,
                                                                TextDocument& document);

// True where the last edits begin with a whole text, so that they mean the same whatever the
// document was before.
[[nodiscard]] bool ContainsWholeText(const nlohmann::json& changes);

// The byte offset after the text that the last edit has written: the cursor is often there. Nothing
// where the last edit is a whole text, or cannot be read.
// REQUIRES: the edits were applied to the document.
[[nodiscard]] std::optional<size_t> EndOfLastEdit(const nlohmann::json& changes,
                                                  const TextDocument& document);

}  // namespace tenon::protocol
