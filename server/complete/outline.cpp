#include "server/complete/outline.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// Lines by their numbers, as long as they have room.
class Choice {
 public:
  Choice(const std::vector<std::string_view>& lines, size_t max_bytes)
      : lines_(lines), room_bytes_(max_bytes), taken_(lines.size(), false) {}

  void Take(size_t line) {
    if (taken_[line] || lines_[line].size() > room_bytes_) return;
    taken_[line] = true;
    room_bytes_ -= lines_[line].size();
  }
  [[nodiscard]] std::string Text() const {
    std::string text;
    for (size_t i = 0; i < lines_.size(); ++i)
      if (taken_[i]) text += lines_[i];
    return text;
  }

 private:
  const std::vector<std::string_view>& lines_;
  size_t room_bytes_;
  std::vector<bool> taken_;
};

// Going up, each line with less indentation than `indentation` and all lines passed.
void TakeHeads(const std::vector<std::string_view>& lines, size_t indentation, Choice& choice) {
  for (size_t i = lines.size(); i-- > 0 && indentation > 0;) {
    if (IsBlank(lines[i]) || IndentationColumns(lines[i]) >= indentation) continue;
    choice.Take(i);
    indentation = IndentationColumns(lines[i]) + (ClosesABracket(lines[i]) ? 1 : 0);
  }
}

void TakeImports(const std::vector<std::string_view>& lines, std::span<const std::string> imports,
                 Choice& choice) {
  bool open = false;  // an import goes on up to its closing bracket
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool begins = std::any_of(imports.begin(), imports.end(), [&](const std::string& word) {
      return lines[i].starts_with(word);
    });
    if (begins) open = WithoutBlanksAtEnd(lines[i]).ends_with('(');
    if (begins || open) choice.Take(i);
    if (!begins && ClosesABracket(lines[i])) open = false;
  }
}

}  // namespace

std::string Outline(std::string_view hidden, std::string_view shown,
                    std::span<const std::string> imports, size_t max_bytes) {
  std::vector<std::string_view> lines = LinesIn(hidden);
  if (lines.empty()) return {};
  std::optional<size_t> indentation;
  if (!lines.back().ends_with('\n')) {  // the window begins within this line
    indentation = IndentationColumns(lines.back());
    lines.pop_back();
  }
  const size_t first = std::min(shown.find_first_not_of(kBlanksAndLineEnds), shown.size());
  if (!indentation && first < shown.size()) indentation = IndentationColumnsAt(shown, first);
  Choice choice(lines, max_bytes);
  TakeHeads(lines, indentation.value_or(0), choice);
  TakeImports(lines, imports, choice);
  return choice.Text();
}

}  // namespace tenon::server
