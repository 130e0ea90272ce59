// The lines of a text, as indentation and the characters at their ends show them.
//
// Example: the line `    } else {  ` has four columns of indentation, closes a bracket and ends
// with one. Nothing here knows a language: who asks must not depend on the answer being right.
//
// A line that git leaves where two versions conflict is a marker: `<<<<<<< HEAD`, `=======`. A
// marker has no indentation, so it counts as a blank line.
//
// Cost: linear in the line; of the next line with content: in the blank lines between. Thread
// rule: a value; the text lives longer.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tenon::server {

struct OutlineLine {
  std::string_view text;      // all of it
  size_t begin = 0, end = 0;  // bytes; the end without the line's end
  size_t first = 0;           // the first character that is no blank; = end of a blank line
  size_t columns = 0;         // the indentation
  bool is_marker = false;

  [[nodiscard]] bool blank() const { return first == end; }
  [[nodiscard]] std::string_view whole() const { return text.substr(begin, end - begin); }
  [[nodiscard]] std::string_view blanks() const { return text.substr(begin, first - begin); }
  [[nodiscard]] std::string_view code() const { return text.substr(first, end - first); }

  [[nodiscard]] std::optional<OutlineLine> Above() const;
  [[nodiscard]] std::optional<OutlineLine> Below() const;
  // The nearest line that is not blank.
  [[nodiscard]] std::optional<OutlineLine> FilledAbove() const;
  [[nodiscard]] std::optional<OutlineLine> FilledBelow() const;

  // The last character that is no blank; 0 of a blank line.
  [[nodiscard]] char last() const;
  [[nodiscard]] bool EndsWith(std::string_view characters) const {
    return last() != 0 && characters.find(last()) != std::string_view::npos;
  }
  // With an opening bracket, `<` among them.
  [[nodiscard]] bool EndsWithBracket() const;
  // Does a statement end with the line, or a bracket or block begin at its end?
  [[nodiscard]] bool EndsStatement() const { return EndsWith(";{}:"); }
  // Does the line begin with a closing bracket, `>` among them?
  [[nodiscard]] bool Closes() const;
  // Does it look like a line of a comment, in whatever language?
  [[nodiscard]] bool IsComment() const;
  // The indentation of a statement that is written in the line. A blank line has that of its
  // surroundings. Example: a blank line below `if a:` has one column more than `if`.
  [[nodiscard]] size_t StatementColumns() const;
};

// The line of a byte.
[[nodiscard]] OutlineLine LineAt(std::string_view text, size_t offset);

// The lines of many bytes, one after another. The last line is kept: a file may be one long line,
// and its thousand statements, or brackets, all lie in it.
class LineFinder {
 public:
  // REQUIRES: the text lives longer.
  explicit LineFinder(std::string_view text) : text_(text) {}
  // As LineAt. The reference is valid until the next call.
  [[nodiscard]] const OutlineLine& At(size_t offset) {
    if (offset < last_.begin || offset > last_.end) last_ = LineAt(text_, offset);
    return last_;
  }

 private:
  std::string_view text_;
  OutlineLine last_ = {.text = {}, .begin = 1, .end = 0};  // at first it has no byte
};

// Is `line` one that git leaves where two versions conflict?
[[nodiscard]] bool IsConflictMarker(std::string_view line);

}  // namespace tenon::server
