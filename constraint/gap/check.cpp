#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "constraint/gap/branch.h"
#include "constraint/gap/language.h"

namespace tenon::constraint {

namespace {

constexpr size_t kCompactAbove = 100000;  // stack nodes
constexpr size_t kMostExpected = 8;       // listed in a message

// Reads a whole text lexeme by lexeme; on an error says what could have stood there.
class Checker {
 public:
  Checker(const Language& language, std::string_view text, Strength strength)
      : language_(language), text_(text), emit_(strength == Strength::kEmit), mover_(language) {}

  CheckResult Run() {
    std::vector<Between> at{{kBottomNode, LayoutState{}}};
    size_t offset = 0;
    while (offset < text_.size()) {
      Lexer::Match match = language_.lexer.LongestMatch(text_, offset);
      if (match.lexeme == kNoLexeme) return Fail(offset, Found(offset, offset + 1) + " begins nothing", at);
      const Lexeme& lexeme = language_.lexer.lexeme(match.lexeme);
      if (lexeme.kind == TerminalKind::kPoison) {
        return {false, offset, fmt::format("{} is malformed", Found(offset, match.end))};
      }
      if (emit_ && !Emittable(offset, match.end))
        return {false, offset, fmt::format("{} is never written by tenon", Found(offset, match.end))};
      for (size_t i = offset; at[0].layout.line_begin && i < match.end; ++i) {
        for (Between& b : at) mover_.layout().ReadByte(static_cast<uint8_t>(text_[i]), b.layout);
      }
      std::vector<Between> next;
      for (const Between& b : at) {
        std::vector<Between> ended = mover_.End(b, match.lexeme, emit_);
        next.insert(next.end(), ended.begin(), ended.end());
      }
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      if (next.empty()) return Explain(offset, match, at);
      if (next.size() > kMaxBranches) return {false, offset, "the text is too ambiguous to be checked"};
      at = std::move(next);
      offset = match.end;
      if (mover_.stacks().size() > kCompactAbove) mover_.Compact(at);
    }
    if (std::any_of(at.begin(), at.end(), [&](const Between& b) { return mover_.AcceptsEnd(b); }))
      return {true, text_.size(), ""};
    return Fail(text_.size(), "the file ends too early", at);
  }

 private:
  bool Emittable(size_t begin, size_t end) const {
    DfaStateId q = kStartState;
    for (size_t i = begin; i < end; ++i) {
      uint8_t byte = static_cast<uint8_t>(text_[i]);
      if (!language_.lexer.IsEmitEdge(q, byte)) return false;
      q = language_.lexer.Next(q, byte);
    }
    return true;
  }

  std::string Found(size_t begin, size_t end) const {
    size_t length = std::min<size_t>(end - begin, 24);
    while (begin + length < text_.size() && (text_[begin + length] & 0xc0) == 0x80) ++length;  // whole characters
    std::string_view found = text_.substr(begin, length);
    if (size_t line = found.find_first_of("\r\n"); line != std::string_view::npos) found = found.substr(0, line);
    if (found.empty()) return "the line end";
    return fmt::format("'{}{}'", found, end - begin > found.size() ? "…" : "");
  }

  // The lexeme could not be shifted: by its columns, its bracket, or the grammar.
  CheckResult Explain(size_t offset, const Lexer::Match& match, const std::vector<Between>& at) {
    const LayoutState& layout = at[0].layout;
    const Lexeme& lexeme = language_.lexer.lexeme(match.lexeme);
    if (mover_.layout().has_columns() && layout.line_begin && layout.depth == 0 &&
        lexeme.kind == TerminalKind::kToken && !lexeme.is_newline) {
      IndentId id = layout.indents;
      std::vector<uint16_t> columns;
      for (;; id = mover_.indents().top(id).below) {
        columns.push_back(mover_.indents().top(id).column);
        if (id == IndentId{}) break;
      }
      if (std::find(columns.begin(), columns.end(), layout.column) == columns.end()) {
        if (layout.column > columns[0] && ExpectsIndent(at))
          return Fail(offset, Found(offset, match.end) + " cannot stand here", at);
        return {false, offset,
                fmt::format("the line begins in column {}; the open blocks begin in column {}", layout.column + 1,
                            Columns(columns))};
      }
      if (layout.column == columns[0] && ExpectsIndent(at)) {
        return {false, offset, fmt::format("expected a block indented deeper than column {}", columns[0] + 1)};
      }
    }
    if (lexeme.bracket < 0 && layout.depth == 0)
      return {false, offset, fmt::format("{} closes nothing", Found(offset, match.end))};
    return Fail(offset, Found(offset, match.end) + " cannot stand here", at);
  }

  static std::string Columns(const std::vector<uint16_t>& columns) {
    std::vector<int> from_one;
    for (auto it = columns.rbegin(); it != columns.rend(); ++it) from_one.push_back(*it + 1);
    return fmt::format("{}", fmt::join(from_one, ", "));
  }

  bool ExpectsIndent(const std::vector<Between>& at) {
    return std::any_of(at.begin(), at.end(), [&](const Between& b) {
      return !mover_.stacks().Shift(b.top, mover_.layout().indent_column(), 1).empty();
    });
  }

  CheckResult Fail(size_t offset, std::string what, const std::vector<Between>& at) {
    std::set<std::string> expected;
    for (uint16_t id = 0; id < language_.lexer.lexeme_count(); ++id) {
      const Lexeme& lexeme = language_.lexer.lexeme(LexemeId{id});
      if (lexeme.kind != TerminalKind::kToken) continue;
      bool fits = std::any_of(at.begin(), at.end(),
                              [&](const Between& b) { return !mover_.End(b, LexemeId{id}, emit_).empty(); });
      if (fits && !OnlyFallsBack(lexeme, at)) expected.insert(Describe(lexeme.terminals[0]));
    }
    if (expected.empty()) return {false, offset, what};
    std::vector<std::string> listed(expected.begin(), expected.end());
    size_t more = listed.size() > kMostExpected ? listed.size() - kMostExpected : 0;
    listed.resize(listed.size() - more);
    return {false, offset,
            fmt::format("{}; expected {}{}", what, fmt::join(listed, ", "),
                        more ? fmt::format(" or one of {} others", more) : "")};
  }

  // A keyword that could only stand for a name: the name is expected, not each of them.
  bool OnlyFallsBack(const Lexeme& lexeme, const std::vector<Between>& at) {
    const std::vector<SymbolId>& columns = emit_ ? lexeme.emit_columns : lexeme.given_columns;
    const auto falls_back = [&](SymbolId c) { return language_.grammar.columns[c.value].reads_as.has_value(); };
    if (std::none_of(columns.begin(), columns.end(), falls_back)) return false;
    return std::none_of(columns.begin(), columns.end(), [&](SymbolId c) {
      return !falls_back(c) && std::any_of(at.begin(), at.end(),
                                           [&](const Between& b) { return !mover_.stacks().Shift(b.top, c).empty(); });
    });
  }

  std::string Describe(TerminalId id) const {
    const Terminal& terminal = language_.grammar.terminals[id.value];
    if (!terminal.description.empty()) return terminal.description;
    if (terminal.literal && !language_.lexer.Spelling(id).empty())
      return fmt::format("'{}'", language_.lexer.Spelling(id));
    return terminal.name;
  }

  const Language& language_;
  std::string_view text_;
  bool emit_;
  BranchMover mover_;
};

}  // namespace

CheckResult Check(const Language& language, std::string_view text, Strength strength) {
  return Checker(language, text, strength).Run();
}

}  // namespace tenon::constraint
