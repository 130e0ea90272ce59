// Stretches of texts that are like the one around a cursor, for the model to read first.
//
// Code is written after code that is near it. Example: `worker.py` is open, and in `client.py` the
// user writes
//
//   def close(self):
//       self._queue.|
//
// The lines of `worker.py` that use `_queue` and `close` are shown to the model in front of the
// prompt: the model sees there that a queue is ended by `put(None)`.
//
// How it chooses. Each other text is cut into windows of kWindowLines lines, every kStrideLines
// lines. A window is worth the weights of the words that it shares with the lines around the
// cursor. A word of one window weighs much, a word of all windows nothing (the inverse document
// frequency of Spärck Jones 1972). The best windows are taken that do not overlap, as long as
// they have room. Left out are windows worth less than kMinWorth, those of which most lines stand
// around the cursor, too, and those that look like secrets (secrets.h).
//
// Cost: each text is cut once, in a pass; a choice is a pass over all windows' words.
// Memory: 8 bytes for each different word of a window.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/request/completer.h"

namespace tenon::server {

// Whole lines of another text.
struct Snippet {
  OtherText source;
  size_t begin_bytes = 0;
  size_t end_bytes = 0;

  [[nodiscard]] std::string_view text() const {
    return std::string_view(source.text).substr(begin_bytes, end_bytes - begin_bytes);
  }
  friend bool operator==(const Snippet&, const Snippet&) = default;
};

class SnippetFinder {
 public:
  static constexpr size_t kWindowLines = 20;
  static constexpr size_t kStrideLines = 10;
  static constexpr size_t kMaxWindowBytes = 1200;  // longer ones are no code that people read
  static constexpr size_t kMaxTextBytes = size_t{256}
                                          << 10;  // of a text; the rest is not looked at
  static constexpr size_t kLinesBefore = 24, kLinesAfter = 8;  // around the cursor
  static constexpr double kMinWorth = 6;

  // The best snippets of at most `max_bytes` together, the best one last: nearest to the cursor.
  // A text that is not cut when the search is stopped gives none.
  [[nodiscard]] std::vector<Snippet> Find(std::string_view left, std::string_view right,
                                          std::span<const OtherText> others, size_t max_bytes,
                                          const std::stop_token& stop);

 private:
  struct Window {
    size_t begin_bytes = 0;
    size_t end_bytes = 0;
    std::vector<uint64_t> words;  // hashes, sorted, each once
  };
  struct Cut {
    SharedText text;
    std::vector<Window> windows;
  };
  // How many windows have each of the cursor's words.
  using WindowsWith = std::unordered_map<uint64_t, size_t>;
  struct Rated {
    double worth = 0;
    Snippet snippet;
  };
  static std::vector<Window> CutUp(std::string_view text, const std::stop_token& stop);
  void Learn(std::span<const OtherText> others, const std::stop_token& stop);
  [[nodiscard]] WindowsWith CountWindows(const std::vector<uint64_t>& words) const;
  // The windows that are worth something, the best first. `others`: in the order of the cuts.
  [[nodiscard]] std::vector<Rated> Rate(const WindowsWith& windows_with,
                                        std::span<const OtherText> others) const;

  std::list<Cut> cuts_;  // in the order of the texts
};

// The last whole lines of `above`, the text above a cursor: a finder looks at no more of it than
// kMaxTextBytes, since the nearest lines count most. Cost: finding a line's end.
[[nodiscard]] std::string_view NearestLines(std::string_view above);

}  // namespace tenon::server
