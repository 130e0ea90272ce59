#include "server/lsp/editor_document.h"

#include <utility>

#include "protocol/content_changes.h"
#include "protocol/lsp_types.h"

namespace tenon::server {

using nlohmann::json;

tl::expected<OpenedDocument, std::string> ReadOpenedDocument(const json& params,
                                                             protocol::PositionEncoding encoding) {
  auto uri = protocol::ReadString(params, "textDocument/uri");
  auto language_id = protocol::ReadString(params, "textDocument/languageId");
  auto text = protocol::ReadString(params, "textDocument/text");
  for (const auto* part : {&uri, &language_id, &text}) {
    if (!*part) return tl::unexpected(part->error());
  }
  return OpenedDocument{*std::move(uri), {*std::move(language_id), {*std::move(text), encoding}}};
}

tl::expected<void, std::string> ApplyChange(const json& params, EditorDocument& document) {
  const json* changes = protocol::Find(params, "contentChanges");
  const json edits = changes != nullptr ? *changes : json();
  if (!document.in_step && !protocol::ContainsWholeText(edits)) return {};
  auto applied = protocol::ApplyContentChanges(edits, document.text);
  document.in_step = applied.has_value();
  return applied;
}

}  // namespace tenon::server
