#include "server/context/snippets.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include <xxhash.h>

#include "server/context/secrets.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// Shorter words say little: `i`, `x`, `in`, `if`.
constexpr size_t kMinWordBytes = 3;
// A window is a copy of the cursor's surroundings where so many of its lines stand there.
constexpr double kMaxSharedLines = 0.6;

void AddWords(std::string_view text, std::vector<uint64_t>& words) {
  for (size_t at = 0; at < text.size();) {
    if (!IsWordByte(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && IsWordByte(text[at])) ++at;
    if (at - begin >= kMinWordBytes) words.push_back(XXH3_64bits(text.data() + begin, at - begin));
  }
}

void MakeSet(std::vector<uint64_t>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

std::string_view LastLines(std::string_view text, size_t count) {
  size_t begin = text.size();
  for (size_t lines = 0; lines <= count && begin > 0; ++lines) {
    const size_t newline = text.rfind('\n', begin - 1);
    if (newline == std::string_view::npos) return text;
    begin = newline;
  }
  return text.substr(begin);
}

std::string_view FirstLines(std::string_view text, size_t count) {
  size_t end = 0;
  for (size_t lines = 0; lines < count && end < text.size(); ++lines)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

// The lines of a text that are not blank.
std::unordered_set<std::string_view> ContentOf(std::string_view left, std::string_view right) {
  std::unordered_set<std::string_view> lines;
  for (const std::string_view text : {left, right}) {
    for (const std::string_view line : LinesIn(text))
      if (const std::string_view content = Trimmed(line); !content.empty()) lines.insert(content);
  }
  return lines;
}

bool IsCopy(std::string_view window, const std::unordered_set<std::string_view>& around) {
  size_t lines = 0, shared = 0;
  for (const std::string_view line : LinesIn(window)) {
    const std::string_view content = Trimmed(line);
    if (content.empty()) continue;
    ++lines;
    shared += around.contains(content) ? 1 : 0;
  }
  return static_cast<double>(shared) > kMaxSharedLines * static_cast<double>(lines);
}

bool Overlap(const Snippet& a, const Snippet& b) {
  return a.source.text == b.source.text && a.begin_bytes < b.end_bytes &&
         b.begin_bytes < a.end_bytes;
}

}  // namespace

std::vector<SnippetFinder::Window> SnippetFinder::CutUp(std::string_view text,
                                                        const std::stop_token& stop) {
  const std::vector<std::string_view> lines = LinesIn(text.substr(0, kMaxTextBytes));
  std::vector<Window> windows;
  for (size_t first = 0; first < lines.size() && !stop.stop_requested(); first += kStrideLines) {
    const size_t last = std::min(first + kWindowLines, lines.size()) - 1;
    Window window;
    window.begin_bytes = static_cast<size_t>(lines[first].data() - text.data());
    window.end_bytes = static_cast<size_t>(lines[last].data() - text.data()) + lines[last].size();
    if (window.end_bytes - window.begin_bytes > kMaxWindowBytes) continue;
    AddWords(text.substr(window.begin_bytes, window.end_bytes - window.begin_bytes), window.words);
    MakeSet(window.words);
    windows.push_back(std::move(window));
    if (last + 1 == lines.size()) break;
  }
  return windows;
}

void SnippetFinder::Learn(std::span<const OtherText> others, const std::stop_token& stop) {
  std::list<Cut> wanted;
  for (const OtherText& other : others) {
    const auto known = std::find_if(cuts_.begin(), cuts_.end(), [&other](const Cut& cut) {
      return &*cut.text == &*other.text;
    });
    if (known != cuts_.end()) {
      wanted.splice(wanted.end(), cuts_, known);
    } else {
      std::vector<Window> windows = CutUp(other.text, stop);
      if (stop.stop_requested()) return;
      wanted.push_back({other.text, std::move(windows)});
    }
  }
  cuts_ = std::move(wanted);
}

SnippetFinder::WindowsWith SnippetFinder::CountWindows(const std::vector<uint64_t>& words) const {
  WindowsWith windows_with;
  for (const uint64_t word : words) windows_with.emplace(word, 0);
  for (const Cut& cut : cuts_) {
    for (const Window& window : cut.windows) {
      for (const uint64_t word : window.words)
        if (const auto at = windows_with.find(word); at != windows_with.end()) ++at->second;
    }
  }
  return windows_with;
}

std::vector<SnippetFinder::Rated> SnippetFinder::Rate(const WindowsWith& windows_with,
                                                      std::span<const OtherText> others) const {
  size_t windows = 0;
  for (const Cut& cut : cuts_) windows += cut.windows.size();
  std::vector<Rated> rated;
  size_t index = 0;
  for (const Cut& cut : cuts_) {
    for (const Window& window : cut.windows) {
      double worth = 0;
      for (const uint64_t word : window.words) {
        if (const auto at = windows_with.find(word); at != windows_with.end())
          worth += std::log(static_cast<double>(windows) / static_cast<double>(at->second));
      }
      if (worth >= kMinWorth)
        rated.push_back({worth, {others[index], window.begin_bytes, window.end_bytes}});
    }
    ++index;
  }
  std::stable_sort(rated.begin(), rated.end(),
                   [](const Rated& a, const Rated& b) { return a.worth > b.worth; });
  return rated;
}

std::vector<Snippet> SnippetFinder::Find(std::string_view left, std::string_view right,
                                         std::span<const OtherText> others, size_t max_bytes,
                                         const std::stop_token& stop) {
  Learn(others, stop);
  if (stop.stop_requested() || cuts_.size() != others.size()) return {};
  const std::string_view before = LastLines(left, kLinesBefore),
                         after = FirstLines(right, kLinesAfter);
  std::vector<uint64_t> wanted;
  AddWords(before, wanted);
  AddWords(after, wanted);
  MakeSet(wanted);
  const auto around = ContentOf(before, after);
  std::vector<Snippet> chosen;
  for (const auto& [worth, snippet] : Rate(CountWindows(wanted), others)) {
    const size_t bytes = snippet.text().size();
    if (bytes > max_bytes || IsCopy(snippet.text(), around) || HoldsSecret(snippet.text()) ||
        std::any_of(chosen.begin(), chosen.end(),
                    [&](const Snippet& other) { return Overlap(snippet, other); }))
      continue;
    max_bytes -= bytes;
    chosen.push_back(snippet);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

std::string_view NearestLines(std::string_view above) {
  if (above.size() <= SnippetFinder::kMaxTextBytes) return above;
  above.remove_prefix(above.size() - SnippetFinder::kMaxTextBytes);
  above.remove_prefix(std::min(above.find('\n'), above.size() - 1) + 1);
  return above;
}

}  // namespace tenon::server
