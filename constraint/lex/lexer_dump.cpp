#include "constraint/lex/lexer_dump.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::constraint {

namespace {

constexpr size_t kMaxShownBytes = 16;

void AppendByte(uint8_t byte, std::string& out) {
  switch (byte) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '`':
    case '\\':
      out += '\\';
      break;
    default:
      break;
  }
  if (byte >= ' ' && byte < 0x7f) {
    out += static_cast<char>(byte);
  } else {
    out += fmt::format("\\x{:02x}", byte);
  }
}

std::string_view KindName(const Lexeme& lexeme) {
  switch (lexeme.kind) {
    case TerminalKind::kIgnored:
      return "ignored";
    case TerminalKind::kPoison:
      return "malformed (%poison)";
    case TerminalKind::kLineEnd:
      return "a line end";
    case TerminalKind::kDeclared:
      return "declared";
    case TerminalKind::kParsed:
      break;
  }
  return lexeme.is_newline ? "the layout's line end" : "stands in rules";
}

std::string DescribeLexeme(const Lexer& lexer, const Grammar& grammar, LexemeId id) {
  const Lexeme& lexeme = lexer.lexeme(id);
  std::string out = fmt::format("  {}: {}", LexemeName(lexer, grammar, id), KindName(lexeme));
  if (lexeme.delimited) out += ", delimited";
  if (lexeme.bracket > 0) out += ", opens";
  if (lexeme.bracket < 0) out += ", closes";
  if (lexeme.kind == TerminalKind::kParsed) {
    const bool written =
        std::any_of(lexeme.terminals.begin(), lexeme.terminals.end(),
                    [&](TerminalId t) { return grammar.terminals[t.value].emitted; });
    if (!written) out += ", never written";
  }
  return out + '\n';
}

// "`a`-`z`" for a run of bytes.
std::string Run(int begin, int end) {
  const auto shown = [](int byte) { return ShownBytes(std::string(1, static_cast<char>(byte))); };
  return begin + 1 == end ? shown(begin) : fmt::format("{}-{}", shown(begin), shown(end - 1));
}

struct Edge {
  DfaStateId to;
  bool emit;
  std::vector<std::string> runs;
};

std::vector<Edge> EdgesOf(const Lexer& lexer, DfaStateId q) {
  std::vector<Edge> edges;
  for (int begin = 0; begin < 256;) {
    const DfaStateId to = lexer.Next(q, static_cast<uint8_t>(begin));
    const bool emit = lexer.IsEmitEdge(q, static_cast<uint8_t>(begin));
    int end = begin + 1;
    while (end < 256 && lexer.Next(q, static_cast<uint8_t>(end)) == to &&
           lexer.IsEmitEdge(q, static_cast<uint8_t>(end)) == emit)
      ++end;
    if (to != kDeadState) {
      auto at = std::find_if(edges.begin(), edges.end(),
                             [&](const Edge& e) { return e.to == to && e.emit == emit; });
      if (at == edges.end()) at = edges.insert(at, {to, emit, {}});
      at->runs.push_back(Run(begin, end));
    }
    begin = end;
  }
  return edges;
}

// [DfaStateId] a shortest text that leads to the state.
std::vector<std::string> TextsTo(const Lexer& lexer) {
  std::vector<std::string> texts(lexer.state_count());
  for (const Lexer::Beginning& beginning : lexer.Beginnings(false))
    texts[beginning.q.value] = beginning.text;
  return texts;
}

std::string NameWith(const Lexer& lexer, DfaStateId q, const std::string& text) {
  if (q == kDeadState) return "no state";
  if (q == kStartState) return "the start";
  if (lexer.IsStart(q) && text.empty()) return fmt::format("state {}, a start", q.value);
  return fmt::format("state {}, after {}", q.value, ShownBytes(text));
}

}  // namespace

std::string ShownBytes(std::string_view bytes) {
  std::string out = "`";
  for (char c : bytes) AppendByte(static_cast<uint8_t>(c), out);
  return out + '`';
}

std::string ShownBeginning(std::string_view bytes) {
  if (bytes.size() <= kMaxShownBytes) return ShownBytes(bytes);
  return ShownBytes(bytes.substr(0, kMaxShownBytes)) + "…";
}

std::string LexemeName(const Lexer& lexer, const Grammar& grammar, LexemeId id) {
  if (id == kNoLexeme) return "no lexeme";
  std::vector<std::string_view> names;
  for (TerminalId t : lexer.lexeme(id).terminals) names.push_back(grammar.terminals[t.value].name);
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string StateName(const Lexer& lexer, DfaStateId q) {
  for (const Lexer::Beginning& beginning : lexer.Beginnings(false)) {
    if (beginning.q == q) return NameWith(lexer, q, beginning.text);
  }
  return NameWith(lexer, q, "");
}

std::string Dump(const Lexer& lexer, const Grammar& grammar) {
  std::string out = fmt::format("lexer: {} states, {} lexemes\n\nlexemes\n", lexer.state_count(),
                                lexer.lexeme_count());
  for (uint16_t id = 0; id < lexer.lexeme_count(); ++id)
    out += DescribeLexeme(lexer, grammar, LexemeId{id});
  for (size_t m = 0; lexer.has_modes() && m < lexer.mode_count(); ++m) {
    const ModeId mode{static_cast<uint8_t>(m)};
    out += fmt::format("mode {} begins in state {}\n", grammar.modes[m].name,
                       lexer.StartOf(mode).value);
  }
  const std::vector<std::string> texts = TextsTo(lexer);
  for (uint16_t s = 0; s < lexer.state_count(); ++s) {
    const DfaStateId q{s};
    out += fmt::format("\n{}", NameWith(lexer, q, texts[s]));
    if (lexer.LexemeAt(q) != kNoLexeme)
      out += fmt::format(": accepts {}", LexemeName(lexer, grammar, lexer.LexemeAt(q)));
    out += '\n';
    for (const Edge& edge : EdgesOf(lexer, q)) {
      out += fmt::format("  {} -> {}{}\n", fmt::join(edge.runs, " "), edge.to.value,
                         edge.emit ? "" : ", given text only");
    }
  }
  return out;
}

}  // namespace tenon::constraint
