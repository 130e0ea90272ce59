// Texts that the user has just refused in a document: none is offered again at its place.
//
// Two things count as a refusal. Example, with the cursor as `|`:
//
//   *Dismissed*: at `x = |` the ghost text `max(a, b)` was shown, and the user typed `mi`. Back at
//   `x = |` or `x = m|`, `max(a, b)` and its rest `ax(a, b)` are unwanted.
//   *Deleted*: the user selected `max(a, b)` and deleted it, took back what was accepted, or
//   deleted it key by key. `max(a, b)` is unwanted at the place where it was.
//
// While a text is shown, letters that the user writes along it and takes back refuse nothing: the
// text stays shown (server/scheduling/known_completions.h).
//
// An unwanted text is kept with the beginning of its line, so that it is recognised after some of
// its letters, too. A user who writes two characters along an unwanted text wants it after all.
// All texts are forgotten at an edit on another line, and each text after kMemory.
//
// Cost: at most kMaxTexts texts of at most kMaxBytes for each document, each with as much of its
// line: a text further right is not remembered. An edit compares them with a line.
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

class UnwantedTexts {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr size_t kMaxTexts = 8;
  static constexpr size_t kMaxBytes = 2048;
  static constexpr std::chrono::minutes kMemory{2};

  // One stretch of a document is replaced.
  struct Edit {
    size_t begin = 0;
    std::string removed;
    std::string inserted;
  };

  // Ghost text is shown at this byte of the document.
  void OnShown(const std::string& uri, std::string_view text, size_t at, std::string_view shown);
  // REQUIRES: `before` is the document's text before the edit.
  void OnEdit(const std::string& uri, std::string_view before, Edit edit, Time now);
  // The document was changed in another way.
  void Forget(const std::string& uri) { documents_.erase(uri); }

  // The texts that the user does not want at this byte of the document.
  [[nodiscard]] std::vector<std::string> At(const std::string& uri, std::string_view text,
                                            size_t at, Time now) const;

 private:
  // A text at a place: `before` is the beginning of its line, up to it.
  struct Placed {
    size_t line_begin = 0;
    std::string before;
    std::string text;
    Time since = {};
    size_t written_along = 0;  // characters that the user has typed of it since
  };
  struct Document {
    std::optional<Placed> shown;
    bool accepted = false;         // `shown` stands in the document
    std::deque<Placed> unwanted;   // the newest first
    std::optional<size_t> cut_at;  // where the last edit only deleted: unwanted.front() grows there
  };
  static Placed PlacedAt(std::string_view text, size_t at, std::string_view placed);
  static void Refuse(Document& document, Placed placed, Time now);
  void OnDeletion(Document& document, std::string_view before, const Edit& edit, Time now) const;

  std::map<std::string, Document> documents_;  // by URI
};

}  // namespace tenon::server
