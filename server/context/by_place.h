// Choices for places in documents, each kept while somebody types at its place.
//
// Typing moves the text left of the cursor and leaves the one right of it. So a place is a document
// and the text right of the cursor. Example: in `client.py` the user types `close(` and goes on to
// `close(timeout|)`: one place. The cursor goes to the next function: another one.
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

namespace tenon::server {

template <typename Value>
class ByPlace {
 public:
  static constexpr size_t kMaxPlaces = 4;  // by least recent use

  // The value of a place; nullptr where none is kept.
  const Value* Find(std::string_view document, std::string_view right) {
    const size_t hash = HashOf(right);
    const auto known = std::find_if(places_.begin(), places_.end(), [&](const Place& place) {
      return place.document == document && place.right_hash == hash;
    });
    if (known == places_.end()) return nullptr;
    places_.splice(places_.begin(), places_, known);
    return &places_.front().value;
  }

  // Keeps the value of a place that has none.
  const Value& Keep(std::string_view document, std::string_view right, Value value) {
    places_.push_front({std::string(document), HashOf(right), std::move(value)});
    if (places_.size() > kMaxPlaces) places_.pop_back();
    return places_.front().value;
  }

 private:
  struct Place {
    std::string document;
    size_t right_hash = 0;
    Value value;
  };

  // As much of the text right of the cursor as a prompt shows at most.
  static constexpr size_t kRightBytes = 1024;
  static size_t HashOf(std::string_view right) {
    return std::hash<std::string_view>()(right.substr(0, kRightBytes));
  }

  std::list<Place> places_;  // the latest first
};

}  // namespace tenon::server
