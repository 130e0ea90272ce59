// The edits of a textDocument/didChange notification, applied in order.
//
// A message is read once, into a list of edits. Who needs them takes the list: the text, and the
// listeners that look for an accepted item. Edits after one that cannot be read are left out, and
// `fault` names the first wrong member:
//
//   [{"range": …, "text": "a"}, {"range": 1, "text": "b"}, {"text": "c"}]
//   edits = {insertion of "a"}, fault = "contentChanges[1]: in 'range': …"
//
// Source: LSP 3.18, TextDocumentContentChangeEvent: with a range it replaces that range, without
// one it is the whole new text.
// Cost: a copy of the inserted texts; to apply, that of TextDocument::Replace for each edit.
// Thread rule: plain values; Apply: that of the document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "protocol/lsp_types.h"
#include "protocol/text_document.h"

namespace tenon::protocol {

// One edit of the list.
struct ContentChange {
  std::optional<Range> range;  // nothing: the text is the whole new one
  std::string text;
};

struct ContentChanges {
  std::vector<ContentChange> edits;
  // With a fault the document is not the editor's text any more, until a whole new text comes.
  std::optional<ReadError> fault;

  // True where the edits begin with a whole text, so that they mean the same whatever the document
  // was before.
  [[nodiscard]] bool BeginWithWholeText() const;
};

// `changes`: the list in the message; null where it has none.
[[nodiscard]] ContentChanges ReadContentChanges(const nlohmann::json* changes);

void Apply(const ContentChanges& changes, TextDocument& document);

// The byte offset after the text that the last edit has written: the cursor is often there. Nothing
// where the last edit is a whole text, or cannot be read.
// REQUIRES: the edits were applied to the document.
[[nodiscard]] std::optional<size_t> EndOfLastEdit(const ContentChanges& changes,
                                                  const TextDocument& document);

}  // namespace tenon::protocol
