#include "server/offers/unwanted_texts.h"

#include <algorithm>
#include <utility>

#include "server/request/lines.h"
#include "server/request/visible_text.h"

namespace tenon::server {
namespace {

// A person who takes a single character back has refused nothing.
constexpr size_t kFewestCharacters = 2;

size_t CharactersIn(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // begins a code point
  }));
}

// The edit without what it writes again. Example: `foo` for `fao` is `o` for `a`.
UnwantedTexts::Edit WithoutSharedEnds(UnwantedTexts::Edit edit) {
  std::string &removed = edit.removed, &inserted = edit.inserted;
  const auto begin =
      std::mismatch(removed.begin(), removed.end(), inserted.begin(), inserted.end()).first -
      removed.begin();
  removed.erase(0, static_cast<size_t>(begin));
  inserted.erase(0, static_cast<size_t>(begin));
  edit.begin += static_cast<size_t>(begin);
  const auto end =
      std::mismatch(removed.rbegin(), removed.rend(), inserted.rbegin(), inserted.rend()).first -
      removed.rbegin();
  removed.resize(removed.size() - static_cast<size_t>(end));
  inserted.resize(inserted.size() - static_cast<size_t>(end));
  return edit;
}

// Does `whole` begin with `line`, but for a bracket or quote that the editor has closed ahead?
bool BeginsWith(std::string_view whole, std::string_view line, size_t inserted_bytes) {
  if (whole.starts_with(line)) return true;
  constexpr std::string_view kClosing = ")]}\"'`";
  return inserted_bytes >= 2 && kClosing.find(line.back()) != std::string_view::npos &&
         whole.starts_with(line.substr(0, line.size() - 1));
}

}  // namespace

UnwantedTexts::Placed UnwantedTexts::PlacedAt(std::string_view text, size_t at,
                                              std::string_view placed) {
  const size_t line_begin = LineBeginAt(text, at);
  return {line_begin, std::string(text.substr(line_begin, at - line_begin)),
          std::string(placed.substr(0, kMaxBytes))};
}

void UnwantedTexts::Refuse(Document& document, Placed placed, Time now) {
  placed.since = now;
  document.unwanted.push_front(std::move(placed));
  if (document.unwanted.size() > kMaxTexts) document.unwanted.pop_back();
}

void UnwantedTexts::OnShown(const std::string& uri, std::string_view text, size_t at,
                            std::string_view shown) {
  if (at - LineBeginAt(text, at) > kMaxBytes) return Forget(uri);
  Document& document = documents_[uri];
  document.shown = PlacedAt(text, at, shown);
  document.accepted = false;
}

void UnwantedTexts::OnEdit(const std::string& uri, std::string_view before, Edit edit, Time now) {
  edit = WithoutSharedEnds(std::move(edit));
  if (edit.begin > before.size() || (edit.removed.empty() && edit.inserted.empty())) return;
  const size_t line_begin = LineBeginAt(before, edit.begin);
  if (edit.begin - line_begin > kMaxBytes) return Forget(uri);
  Document& document = documents_[uri];
  std::erase_if(document.unwanted,
                [line_begin](const Placed& placed) { return placed.line_begin != line_begin; });
  if (document.shown && (document.shown->line_begin != line_begin ||
                         edit.begin < line_begin + document.shown->before.size()))
    document.shown.reset();
  if (!edit.removed.empty()) return OnDeletion(document, before, edit, now);

  document.cut_at.reset();
  std::string line(before.substr(line_begin, edit.begin - line_begin));
  line += edit.inserted;
  std::erase_if(document.unwanted, [&](Placed& placed) {
    if (edit.begin < line_begin + placed.before.size() ||
        !(placed.before + placed.text).starts_with(line))
      return false;
    placed.written_along += CharactersIn(edit.inserted);
    return placed.written_along >= kFewestCharacters;
  });
  if (!document.shown) return;
  const std::string whole = document.shown->before + document.shown->text;
  if (line.starts_with(whole)) {
    document.accepted = true;
  } else if (!BeginsWith(whole, line, edit.inserted.size())) {
    if (!document.accepted) Refuse(document, *std::move(document.shown), now);
    document.shown.reset();
  }
}

void UnwantedTexts::OnDeletion(Document& document, std::string_view before, const Edit& edit,
                               Time now) const {
  const size_t line_begin = LineBeginAt(before, edit.begin), end = edit.begin + edit.removed.size();
  if (document.shown) {
    const std::string whole = document.shown->before + document.shown->text;
    const std::string_view written = before.substr(line_begin, end - line_begin);
    if (document.accepted && edit.begin < line_begin + whole.size()) {
      document.cut_at.reset();
      Refuse(document, *std::exchange(document.shown, std::nullopt), now);
      return;
    }
    if (!document.accepted && edit.inserted.empty() && whole.starts_with(written)) return;
    document.shown.reset();
  }
  const bool grows = document.cut_at && !document.unwanted.empty() &&
                     (end == *document.cut_at || edit.begin == *document.cut_at);
  if (grows) {
    Placed& last = document.unwanted.front();
    Placed grown = PlacedAt(
        before, edit.begin,
        edit.begin == *document.cut_at ? last.text + edit.removed : edit.removed + last.text);
    grown.since = now;
    last = std::move(grown);
  } else {
    Refuse(document, PlacedAt(before, edit.begin, edit.removed), now);
  }
  document.cut_at = edit.inserted.empty() ? std::optional(edit.begin) : std::nullopt;
}

std::vector<std::string> UnwantedTexts::At(const std::string& uri, std::string_view text, size_t at,
                                           Time now) const {
  std::vector<std::string> unwanted;
  const auto found = documents_.find(uri);
  if (found == documents_.end() || at > text.size()) return unwanted;
  const size_t line_begin = LineBeginAt(text, at);
  const std::string_view line = text.substr(line_begin, at - line_begin);
  for (const Placed& placed : found->second.unwanted) {
    const std::string whole = placed.before + placed.text;
    if (placed.line_begin != line_begin || now - placed.since > kMemory || !whole.starts_with(line))
      continue;
    std::string rest = whole.substr(line.size());
    if (CharactersIn(VisibleText(rest)) >= kFewestCharacters) unwanted.push_back(std::move(rest));
  }
  return unwanted;
}

}  // namespace tenon::server
