#include "server/documents/client_documents.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "protocol/lsp_types.h"
#include "protocol/uri.h"

namespace tenon::server {

using nlohmann::json;

ClientDocuments::Result ClientDocuments::Open(const json& params,
                                              protocol::PositionEncoding encoding) {
  auto opened = ReadOpenedDocument(params, encoding);
  if (!opened) return tl::unexpected(opened.error());
  const std::string& uri = opened->uri;
  Forget(uri);
  ClientDocument document{std::move(opened->document), protocol::BaseName(uri),
                          protocol::FilePath(uri).value_or("")};
  document.last_edit = ++edits_;
  documents_.insert_or_assign(uri, std::move(document));
  return uri;
}

ClientDocuments::Result ClientDocuments::Close(const json& params) {
  auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return uri;
  const auto found = documents_.find(*uri);
  if (found == documents_.end()) return uri;
  const ClientDocument& document = found->second;
  if (document.in_step && document.text.text().size() <= kMaxClosedBytes) {
    closed_.push_front({*uri,
                        document.language_id,
                        {SharedText(document.text.Snapshot()), document.name, document.path}});
    if (closed_.size() > kMaxClosed) closed_.pop_back();
  }
  documents_.erase(found);
  return uri;
}

void ClientDocuments::Forget(const std::string& uri) {
  closed_.remove_if([&uri](const Closed& closed) { return closed.uri == uri; });
}

tl::expected<void, std::string> ClientDocuments::Change(const std::string& uri,
                                                        const protocol::ContentChanges& changes) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return tl::unexpected(fmt::format("'{}' is not open", uri));
  ClientDocument& document = found->second;
  document.last_edit = ++edits_;
  const auto applied = ApplyChange(changes, document);
  if (applied) return {};
  return tl::unexpected(fmt::format("'{}' gets no completions until its whole text comes again: {}",
                                    uri, applied.error()));
}

bool ClientDocuments::PutOutOfStep() {
  bool was_in_step = false;
  for (auto& [uri, document] : documents_)
    was_in_step = std::exchange(document.in_step, false) || was_in_step;
  return was_in_step;
}

ClientDocument* ClientDocuments::Find(const std::string& uri) {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

std::vector<OtherText> ClientDocuments::OtherTexts(const ClientDocument& document,
                                                   size_t most) const {
  std::vector<const ClientDocument*> others;
  for (const auto& [uri, other] : documents_) {
    if (&other != &document && other.language_id == document.language_id) others.push_back(&other);
  }
  std::sort(others.begin(), others.end(),
            [](const auto* a, const auto* b) { return a->last_edit > b->last_edit; });
  others.resize(std::min(others.size(), most));
  std::vector<OtherText> texts;
  for (const ClientDocument* other : others)
    texts.push_back({SharedText(other->text.Snapshot()), other->name, other->path});
  for (const Closed& closed : closed_) {
    if (texts.size() < most && closed.language_id == document.language_id)
      texts.push_back(closed.text);
  }
  return texts;
}

}  // namespace tenon::server
