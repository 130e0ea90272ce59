// The user's reactions to the items that were offered: takes them, refuses them, or writes on.
//
// Example: at `x = |` the ghost text `max(a, b)` is shown. One edit writes it: it was accepted,
// and counts in the statistics. Or the user types `mi`: it was refused, and is not offered there
// again.
//
// The editor reports little of this, so it is read from the edits of a document: offered_items.h
// finds accepted items, unwanted_texts.h refused ones. Each edit is seen twice, because refusals
// are found in the text before the edit, and acceptance in the text after it.
//
// Cost: a few comparisons an edit. Thread rule: the I/O thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/content_changes.h"
#include "server/documents/client_documents.h"
#include "server/offers/completion_statistics.h"
#include "server/offers/offered_items.h"
#include "server/offers/unwanted_texts.h"
#include "server/request/deadline.h"

namespace tenon::server {

class UserReactions {
 public:
  explicit UserReactions(Deadline::Clock now) : now_(std::move(now)) {}

  // An item is offered whose text is to stand at byte `begin` of the document. Returns the item's
  // number. `goes_on`: it is the rest of an item that was offered before.
  // `owed`: when the client runs its command.
  int64_t OnOffered(const std::string& uri, size_t begin, std::string text, bool goes_on,
                    std::optional<OwedSign> owed) {
    return offered_.Offer(uri, begin, std::move(text), goes_on, std::move(owed));
  }
  // The first item of an answer is before the user's eyes, at byte `at` of the document.
  // `as_ghost_text`: it alone is shown. A list may show the items of other servers.
  void OnShown(const std::string& uri, const ClientDocument& document, size_t at,
               const CompletionItem& item, bool goes_on, bool as_ghost_text);

  // The document is about to be edited.
  void BeforeEdit(const std::string& uri, const ClientDocument& document,
                  const protocol::ContentChanges& changes);
  // The document was edited.
  void AfterEdit(const std::string& uri, const ClientDocument& document,
                 const protocol::ContentChanges& changes);
  // The client ran the command of an item. Returns the sign that is owed now.
  std::optional<OwedSign> OnCommand(int64_t number);
  void OnClose(const std::string& uri);

  // The texts that the user does not want at byte `at` of the document.
  [[nodiscard]] std::vector<std::string> UnwantedAt(const std::string& uri,
                                                    const ClientDocument& document,
                                                    size_t at) const;
  [[nodiscard]] CompletionStatistics& statistics() { return statistics_; }
  [[nodiscard]] const CompletionStatistics& statistics() const { return statistics_; }

 private:
  Deadline::Clock now_;
  OfferedItems offered_;
  UnwantedTexts unwanted_;
  CompletionStatistics statistics_;
};

}  // namespace tenon::server
