#include "constraint/closing/layout_texts.h"

#include <algorithm>

namespace tenon::constraint {

namespace {

constexpr uint16_t kIndentStep = 4;
constexpr size_t kMaxRightColumns = 8;  // of R's lines tried as columns of new blocks

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

}  // namespace

LayoutTexts::LayoutTexts(SharedGap& gap)
    : gap_(gap),
      rules_(gap.mover().layout()),
      indents_(gap.mover().indents()),
      of_right_(OfLines(gap.right())) {}

bool LayoutTexts::IsLayoutTerminal(SymbolId terminal) const {
  return (rules_.active() && terminal == rules_.newline_terminal()) ||
         (rules_.has_columns() &&
          (terminal == rules_.indent_terminal() || terminal == rules_.dedent_terminal()));
}

void LayoutTexts::Columns::Pass(char blank) {
  column = NextColumn(column, static_cast<uint8_t>(blank), 8);
  alt_column = NextColumn(alt_column, static_cast<uint8_t>(blank), 1);
}

std::optional<std::string> LayoutTexts::Blanks(int width, int alt_width) {
  if (width < alt_width || (width - alt_width) % 7 != 0) return std::nullopt;
  const int tabs = (width - alt_width) / 7;
  if (tabs > alt_width) return std::nullopt;
  return std::string(static_cast<size_t>(tabs), '\t') +
         std::string(static_cast<size_t>(alt_width - tabs), ' ');
}

std::vector<std::string> LayoutTexts::LineBeginnings(const LayoutState& layout,
                                                     Columns wanted) const {
  std::vector<std::string> texts;
  if (layout.line_begin && layout.column <= wanted.column &&
      layout.alt_column <= wanted.alt_column) {
    if (auto rest = Blanks(wanted.column - layout.column, wanted.alt_column - layout.alt_column))
      texts.push_back(*std::move(rest));
  }
  if (auto blanks = Blanks(wanted.column, wanted.alt_column))
    texts.push_back(gap_.line_end() + *blanks);
  return texts;
}

std::vector<LayoutTexts::Columns> LayoutTexts::OfNewBlock(const IndentArena::Block& top) const {
  std::vector<uint16_t> steps{kIndentStep, 2, 8, 1};
  if (top.column > 0)
    steps.insert(steps.begin(), static_cast<uint16_t>(top.column - indents_.top(top.below).column));
  std::vector<Columns> columns;
  for (const uint16_t step : steps) {
    columns.push_back(
        {static_cast<uint16_t>(top.column + step), static_cast<uint16_t>(top.alt_column + step)});
  }
  for (const Columns& line : of_right_) {
    if (line.column > top.column && line.alt_column > top.alt_column) columns.push_back(line);
  }
  return columns;
}

std::vector<LayoutTexts::Columns> LayoutTexts::OfLines(std::string_view right) {
  std::vector<Columns> columns;
  for (size_t at = right.find('\n');
       at != std::string_view::npos && columns.size() < kMaxRightColumns;
       at = right.find('\n', at)) {
    Columns line;
    for (++at; at < right.size() && IsBlank(right[at]); ++at) line.Pass(right[at]);
    if (std::find(columns.begin(), columns.end(), line) == columns.end()) columns.push_back(line);
  }
  return columns;
}

std::vector<std::string> LayoutTexts::Before(const LayoutState& layout,
                                             std::span<const SymbolId> terminals) const {
  if (!rules_.active() || layout.depth > 0) return {""};
  IndentArena::Block top = indents_.top(layout.indents);
  bool opens = false;
  for (const SymbolId terminal : terminals) {
    opens |= rules_.has_columns() && terminal == rules_.indent_terminal();
    if (rules_.has_columns() && terminal == rules_.dedent_terminal()) top = indents_.top(top.below);
  }
  if (!opens) return LineBeginnings(layout, {top.column, top.alt_column});
  std::vector<std::string> texts;
  for (const Columns& columns : OfNewBlock(top)) {
    const auto more = LineBeginnings(layout, columns);
    texts.insert(texts.end(), more.begin(), more.end());
  }
  // A tab, at once where the block below is indented by tabs alone.
  const auto tab = LineBeginnings(
      layout, {static_cast<uint16_t>(top.column + 8), static_cast<uint16_t>(top.alt_column + 1)});
  texts.insert(top.column != top.alt_column ? texts.begin() : texts.end(), tab.begin(), tab.end());
  return texts;
}

std::vector<std::string> LayoutTexts::BeforeRight(const LayoutState& layout) const {
  std::vector<Columns> wanted = OfNewBlock(indents_.top(layout.indents));
  for (IndentId id = layout.indents;; id = indents_.top(id).below) {
    wanted.push_back({indents_.top(id).column, indents_.top(id).alt_column});
    if (id == IndentId{}) break;
  }
  Columns brought;  // by R's own blanks
  for (size_t i = 0; i < gap_.right().size() && IsBlank(gap_.right()[i]); ++i)
    brought.Pass(gap_.right()[i]);
  std::vector<std::string> texts{gap_.line_end()};
  for (const Columns& columns : wanted) {
    if (columns.column < brought.column || columns.alt_column < brought.alt_column) continue;
    const auto more =
        LineBeginnings(layout, {static_cast<uint16_t>(columns.column - brought.column),
                                static_cast<uint16_t>(columns.alt_column - brought.alt_column)});
    texts.insert(texts.end(), more.begin(), more.end());
  }
  return texts;
}

}  // namespace tenon::constraint
