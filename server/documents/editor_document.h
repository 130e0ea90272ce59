// A document as the editor has it: made by textDocument/didOpen, and kept equal to the editor's
// text by the edits of textDocument/didChange.
//
// Where an edit cannot be read the document is *out of step*: its text is not the editor's any
// more. Edits after that are left out, until one brings the whole text. Example:
//
//   message                         text        in step
//   didOpen  "x = 1"                x = 1       yes
//   didChange, without a text       x = 1       no: nothing is completed
//   didChange, inserts `0`          x = 1       no: where the `0` belongs is not known
//   didChange, the text "x = 20"    x = 20      yes
//
// Two sides keep such documents. The server completes in them (client_documents.h). The proxy
// tells them to the next daemon when one has died (server/daemon/proxy_memory.h). Both follow this
// rule, so that a document which is out of step for one is so for the other.
//
// A message that cannot be read at all may have been an edit of any document. Then all open
// documents are out of step.
//
// Source: LSP 3.18, "Text Document Synchronization". Cost: that of protocol::TextDocument.
// Thread rule: one thread at a time.
#pragma once

#include <string>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "protocol/content_changes.h"
#include "protocol/text_document.h"

namespace tenon::server {

struct EditorDocument {
  std::string language_id;
  protocol::TextDocument text;
  bool in_step = true;
};

struct OpenedDocument {
  std::string uri;
  EditorDocument document;
};

// From the params of textDocument/didOpen. The error says what is wrong with them.
[[nodiscard]] tl::expected<OpenedDocument, std::string> ReadOpenedDocument(
    const nlohmann::json& params, protocol::PositionEncoding encoding);

// The TextDocumentItem by which the document is opened as it is now. Its version means nothing.
[[nodiscard]] nlohmann::json OpenParams(const std::string& uri, const EditorDocument& document);

// Applies the edits, or leaves them out. The error says why an edit cannot be read: the document
// is out of step then.
[[nodiscard]] tl::expected<void, std::string> ApplyChange(const protocol::ContentChanges& changes,
                                                          EditorDocument& document);

}  // namespace tenon::server
