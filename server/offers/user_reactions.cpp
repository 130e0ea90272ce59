#include "server/offers/user_reactions.h"

#include <algorithm>
#include <utility>

namespace tenon::server {

void UserReactions::OnShown(const std::string& uri, const ClientDocument& document, size_t at,
                            const CompletionItem& item, bool goes_on, bool as_ghost_text) {
  if (!goes_on) statistics_.Shown(item.guarantee);
  if (as_ghost_text && item.range_begin_bytes == at)
    unwanted_.OnShown(uri, document.text.text(), at, item.text);
}

void UserReactions::BeforeEdit(const std::string& uri, const ClientDocument& document,
                               const protocol::ContentChanges& changes) {
  // Several edits at once, or a whole text, are no typing.
  if (changes.fault || changes.edits.size() != 1 || !changes.edits.front().range)
    return unwanted_.Forget(uri);
  const protocol::ContentChange& change = changes.edits.front();
  const auto [begin, end] = std::minmax(
      {document.text.OffsetAt(change.range->start), document.text.OffsetAt(change.range->end)});
  const std::string& text = document.text.text();
  unwanted_.OnEdit(uri, text, {begin, text.substr(begin, end - begin), change.text}, now_());
}

void UserReactions::AfterEdit(const std::string& uri, const ClientDocument& document,
                              const protocol::ContentChanges& changes) {
  size_t inserted_bytes = 0;
  for (const protocol::ContentChange& change : changes.edits) {
    // A whole new text does not say what was inserted.
    if (change.range) inserted_bytes = std::max(inserted_bytes, change.text.size());
  }
  for (size_t i = offered_.OnEdit(uri, document.text.text(), inserted_bytes); i > 0; --i)
    statistics_.Accepted();
}

std::optional<OwedSign> UserReactions::OnCommand(int64_t number) {
  OfferedItems::CommandEffect effect = offered_.OnCommand(number);
  if (effect.accepts) statistics_.Accepted();
  return std::move(effect.owed);
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
