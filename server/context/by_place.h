// Choices for places in documents, each kept while somebody types at its place.
//
// Typing moves the text left of the cursor and leaves the one right of it. So a place is a
// document, the text right of the cursor, and the cursor's offset, give or take the *reach* of the
// choice. Example: in `client.py` the user types `close(` and goes on to `close(timeout|)`: one
// place. The cursor goes to the next function: another one. So is the end of a file, where nothing
// is ever right of the cursor, 40 lines later.
//
// Cost: a hash of 1 KB a question. Memory: kMaxPlaces values. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <utility>

#include "server/request/words.h"

namespace tenon::server {

template <typename Value>
class ByPlace {
 public:
  static constexpr size_t kMaxPlaces = 4;  // by least recent use
  // Of a choice: half of the lines that it was made for are no longer near the cursor then.
  static constexpr size_t kReachBytes = 1024;
  // Of a choice of nothing at the end of a file, as for its first words: after a line or two there
  // may be something.
  static constexpr size_t kReachOfNothingBytes = 64;

  // `right`: right of the cursor.
  struct Cursor {
    std::string_view document, right;
    size_t offset_bytes = 0;
  };

  // Of a choice. Amid a text one of nothing reaches as far as others: the lines there are known.
  static size_t ReachOf(const Cursor& at, bool is_nothing) {
    return is_nothing && IsBlank(at.right) ? kReachOfNothingBytes : kReachBytes;
  }

  // The value of a place; nullptr where none is kept.
  const Value* Find(const Cursor& at) {
    const auto known = PlaceOf(at);
    if (known == places_.end()) return nullptr;
    const size_t moved = std::max(known->offset_bytes, at.offset_bytes) -
                         std::min(known->offset_bytes, at.offset_bytes);
    if (moved > known->reach_bytes) return nullptr;
    places_.splice(places_.begin(), places_, known);
    return &places_.front().value;
  }

  // Keeps the value of a place, in the place of an older one. It is found within `reach_bytes`.
  const Value& Keep(const Cursor& at, size_t reach_bytes, Value value) {
    if (const auto known = PlaceOf(at); known != places_.end()) places_.erase(known);
    places_.push_front({std::string(at.document), HashOf(at.right), at.offset_bytes, reach_bytes,
                        std::move(value)});
    if (places_.size() > kMaxPlaces) places_.pop_back();
    return places_.front().value;
  }

 private:
  struct Place {
    std::string document;
    size_t right_hash = 0;
    size_t offset_bytes = 0;  // of the cursor when the value was chosen
    size_t reach_bytes = 0;
    Value value;
  };

  typename std::list<Place>::iterator PlaceOf(const Cursor& at) {
    const size_t hash = HashOf(at.right);
    return std::find_if(places_.begin(), places_.end(), [&](const Place& place) {
      return place.document == at.document && place.right_hash == hash;
    });
  }

  // As much of the text right of the cursor as a prompt shows at most.
  static constexpr size_t kRightBytes = 1024;
  static size_t HashOf(std::string_view right) {
    return std::hash<std::string_view>()(right.substr(0, kRightBytes));
  }

  std::list<Place> places_;  // the latest first
};

}  // namespace tenon::server
