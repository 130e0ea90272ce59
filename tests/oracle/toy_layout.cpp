#include "tests/oracle/toy_layout.h"

#include <algorithm>

#include "tests/oracle/toy_lexer.h"

namespace tenon::oracle {

namespace {

std::string Rules(const std::string& alphabet, ToyBlocks blocks) {
  auto has = [&](char c) { return alphabet.find(c) != std::string::npos; };
  std::string compound = std::string("I NL K") + (has('e') ? " | I NL K EL NL K" : "");
  std::string atom =
      std::string("X") + (has('"') ? " | STR" : "") + (has('(') ? " | L R | L A R" : "");
  std::string common = "K -> IND B DED\nA -> E | A E\nE -> " + atom + "\n";
  if (blocks == ToyBlocks::kLast) {
    std::string else_part = has('e') ? " | I NL K EL NL K" : "";
    return "P -> B\nB -> A NL | A NL B | I NL K" + else_part + "\n" + common;
  }
  std::string start = blocks == ToyBlocks::kFile ? "P -> | P S\n" : "P -> S\n";
  return start + "S -> A NL | " + compound + "\nB -> S | B S\n" + common;
}

}  // namespace

ToyLayout::ToyLayout(std::string alphabet, ToyBlocks blocks)
    : alphabet_(std::move(alphabet)), grammar_(Rules(alphabet_, blocks)) {}

std::string ToyLayout::ToLark() const {
  std::string not_quote, not_line_end;
  for (char c : alphabet_) {
    if (c != '"') not_quote += c;
    if (c != '\n') not_line_end += c;
  }
  std::string out =
      grammar_.ToLark() + "X: /x+/\nI: \"i\"\nNL: /\\n/\nWS: / +/\n%ignore WS\n%declare IND DED\n";
  if (Has('e')) out += "EL: \"e\"\n";
  if (Has('(')) out += "L: \"(\"\nR: \")\"\n";
  if (Has('"')) out += "STR: /\"" + ClassText(not_quote) + "*\"/\n%delimited STR\n";
  if (Has('#')) out += "COM: /#" + ClassText(not_line_end) + "*/\n%ignore COM\n%delimited COM\n";
  if (Has('\\')) out += "JOIN: /\\\\\\n/\n%ignore JOIN\n";
  return out + "%layout newline=NL indent=IND dedent=DED brackets=\"" + (Has('(') ? "()" : "") +
         "\"\n";
}

std::optional<Lexemes> ToyLayout::Tokenize(std::string_view text) const {
  Lexemes out;
  std::vector<size_t> columns{0};
  size_t depth = 0, at = 0;
  bool line_begin = true;
  auto here = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
  while (true) {
    if (line_begin && depth == 0) {
      size_t column = 0;
      bool fixed = false;
      while (here(at) == ' ' || (here(at) == '\\' && here(at + 1) == '\n')) {
        if (text[at] == ' ') {
          column += !fixed;
          ++at;
        } else {
          fixed = fixed || column > 0;
          at += 2;
        }
      }
      if (here(at) == '#') at = std::min(text.find('\n', at), text.size());
      if (at == text.size()) break;
      if (text[at] == '\n') {
        ++at;
        continue;
      }
      if (column > columns.back()) {
        columns.push_back(column);
        out.push_back({"IND"});
      }
      for (; column < columns.back(); columns.pop_back()) out.push_back({"DED"});
      if (column != columns.back()) return std::nullopt;
      line_begin = false;
    }
    if (at == text.size()) break;
    char c = text[at];
    if (!Has(c)) return std::nullopt;
    ++at;
    if (c == ' ') continue;
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '\n') {
      if (depth > 0) continue;
      out.push_back({"NL"});
      line_begin = true;
    } else if (c == '\\') {
      if (here(at++) != '\n') return std::nullopt;
    } else if (c == '"') {
      size_t end = text.find('"', at);
      if (end == std::string_view::npos) return std::nullopt;
      out.push_back({"STR"});
      at = end + 1;
    } else if (c == 'x') {
      while (here(at) == 'x') ++at;
      out.push_back({"X"});
    } else {
      out.push_back({c == 'i' ? "I" : c == 'e' ? "EL" : c == '(' ? "L" : "R"});
      if (c == ')' && depth == 0) return std::nullopt;
      depth += c == '(';
      depth -= c == ')';
    }
  }
  if (depth > 0) return std::nullopt;
  if (!line_begin) out.push_back({"NL"});
  for (size_t i = 1; i < columns.size(); ++i) out.push_back({"DED"});
  return out;
}

bool ToyLayout::Valid(std::string_view text) const {
  auto lexemes = Tokenize(text);
  return lexemes && grammar_.Member(*lexemes);
}

std::vector<std::string> ToyLayout::AllTexts(size_t longest) const {
  std::vector<std::string> all{""};
  for (size_t length = 0, begin = 0; length < longest; ++length) {
    size_t end = all.size();
    for (; begin < end; ++begin) {
      for (char c : alphabet_) all.push_back(all[begin] + c);
    }
  }
  return all;
}

std::string ToyLayout::RandomExpression(std::mt19937& random, int depth) const {
  unsigned r = random() % 10;
  if (r < 7 || depth > 2) return "x";
  if (r < 8 && Has('"')) {
    static const std::vector<std::string> kStrings{"\"\"", "\"x\"", "\"\n\"", "\"\n  \""};
    return kStrings[random() % kStrings.size()];
  }
  if (!Has('(')) return "x";
  std::vector<std::string> blanks{"", "", " ", "\n", "\n  "};
  if (Has('#')) blanks.push_back("#x\n");
  if (Has('\\')) blanks.push_back(" \\\n ");
  std::string out = "(" + blanks[random() % blanks.size()];
  for (unsigned n = random() % 3; n > 0; --n)
    out += RandomExpression(random, depth + 1) + (n > 1 ? " " : "");
  return out + blanks[random() % blanks.size()] + ")";
}

std::string ToyLayout::RandomBlock(std::mt19937& random, size_t column, int depth) const {
  std::string out;
  std::string margin(column, ' ');
  for (unsigned n = std::vector<unsigned>{1, 1, 2, 2, 3}[random() % 5]; n > 0; --n) {
    if (random() % 100 < 15)
      out += std::vector<std::string>{"\n", "  \n", Has('#') ? "#x\n" : "\n",
                                      Has('#') ? "    #\n" : "\n"}[random() % 4];
    if (depth < 3 && random() % 2 == 0) {
      size_t deeper = column + std::vector<size_t>{1, 1, 2, 2, 3, 4}[random() % 6];
      out += margin + "i\n" + RandomBlock(random, deeper, depth + 1);
      if (Has('e') && random() % 4 == 0)
        out += margin + "e\n" + RandomBlock(random, column + 1 + random() % 3, depth + 1);
    } else {
      out += margin + RandomExpression(random, 0);
      out += std::vector<std::string>{"", "", "", " ", Has('#') ? "#x" : ""}[random() % 5] + "\n";
    }
  }
  return out;
}

std::string ToyLayout::RandomFile(std::mt19937& random) const { return RandomBlock(random, 0, 0); }

}  // namespace tenon::oracle
