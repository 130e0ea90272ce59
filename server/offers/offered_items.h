// Which of the items that were offered the user has accepted.
//
// Example: at `x = |` the item `max(a, b)` is offered, and then one edit makes the text
// `x = max(a, b)`: the item was accepted. When the same text grows key by key, the user wrote it.
//
// An item counts once, whether its text is seen to arrive or the client runs its command.
//
// Cost: the texts of the last kKept items of a document; an edit compares them with the text.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/request/completer.h"

namespace tenon::server {

// A sign that is written once its item is accepted.
struct OwedSign {
  std::string uri;  // of its document
  MissingSign sign;
  std::string line;  // the text of the line left of the sign
};

class OfferedItems {
 public:
  static constexpr size_t kKept = 8;

  // An item whose text stands at this byte of its document when it is accepted. Returns its number.
  // `goes_on`: it is the rest of an item before it, which is what is accepted.
  // `owed`: when the client runs the item's command.
  int64_t Offer(const std::string& uri, size_t begin, std::string text, bool goes_on,
                std::optional<OwedSign> owed = {});
  // The document is this text now, after an edit that inserted at most so many bytes at one place.
  // Returns how many items were accepted by it.
  size_t OnEdit(const std::string& uri, std::string_view text, size_t inserted_bytes);
  // The client ran the item's command.
  struct CommandEffect {
    bool accepts = false;          // false: the number is unknown, or was accepted before
    std::optional<OwedSign> owed;  // once
  };
  CommandEffect OnCommand(int64_t number);
  void Forget(const std::string& uri) { offers_.erase(uri); }

 private:
  struct Offered {
    int64_t number = 0;
    size_t begin = 0;
    std::string text;
    std::optional<OwedSign> owed;
    bool accepted = false;
  };
  std::map<std::string, std::deque<Offered>> offers_;  // by URI; the oldest first
  int64_t last_ = 0;
};

}  // namespace tenon::server
