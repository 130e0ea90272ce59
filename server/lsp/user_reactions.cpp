#include "server/lsp/user_reactions.h"

#include <algorithm>
#include <utility>

#include "protocol/content_changes.h"

namespace tenon::server {

using nlohmann::json;

void UserReactions::OnShown(const std::string& uri, const ClientDocument& document, size_t at,
                            const CompletionItem& item, bool goes_on, bool as_ghost_text) {
  if (!goes_on) statistics_.Shown(item.guarantee);
  if (as_ghost_text && item.range_begin_bytes == at)
    unwanted_.OnShown(uri, document.text.text(), at, item.text);
}

void UserReactions::BeforeEdit(const std::string& uri, const ClientDocument& document,
                               const json& changes) {
  if (!changes.is_array()) return;
  // Several edits at once, or a whole text, are no typing.
  if (changes.size() != 1) return unwanted_.Forget(uri);
  auto change = protocol::ReadContentChange(changes.front());
  if (!change) return;
  if (!change->range) return unwanted_.Forget(uri);
  const auto [begin, end] = std::minmax(
      {document.text.OffsetAt(change->range->start), document.text.OffsetAt(change->range->end)});
  const std::string& text = document.text.text();
  unwanted_.OnEdit(uri, text, {begin, text.substr(begin, end - begin), std::move(change->text)},
                   now_());
}

void UserReactions::AfterEdit(const std::string& uri, const ClientDocument& document,
                              const json& changes) {
  size_t inserted_bytes = 0;
  for (const json& change : changes) {
    const auto read = protocol::ReadContentChange(change);
    // A whole new text does not say what was inserted.
    if (read && read->range) inserted_bytes = std::max(inserted_bytes, read->text.size());
  }
  for (size_t i = offered_.OnEdit(uri, document.text.text(), inserted_bytes); i > 0; --i)
    statistics_.Accepted();
}

std::optional<OwedSign> UserReactions::OnCommand(int64_t number) {
  if (offered_.OnCommand(number)) statistics_.Accepted();
  return offered_.TakeSign(number);
}

void UserReactions::OnClose(const std::string& uri) {
  offered_.Forget(uri);
  unwanted_.Forget(uri);
}

std::vector<std::string> UserReactions::UnwantedAt(const std::string& uri,
                                                   const ClientDocument& document,
                                                   size_t at) const {
  return unwanted_.At(uri, document.text.text(), at, now_());
}

}  // namespace tenon::server
