#include "server/documents/editor_document.h"

#include <utility>

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

json OpenParams(const std::string& uri, const EditorDocument& document) {
  return {{"uri", uri},
          {"languageId", document.language_id},
          {"version", 0},
          {"text", document.text.text()}};
}

tl::expected<void, std::string> ApplyChange(const protocol::ContentChanges& changes,
                                            EditorDocument& document) {
  if (!document.in_step && !changes.BeginWithWholeText()) return {};
  protocol::Apply(changes, document.text);
  document.in_step = !changes.fault;
  if (changes.fault) return tl::unexpected(*changes.fault);
  return {};
}

}  // namespace tenon::server
