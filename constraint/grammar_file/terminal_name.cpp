#include "constraint/grammar_file/terminal_name.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "constraint/automata/automata.h"

namespace tenon::constraint {
namespace {

struct CharacterName {
  char character;
  std::string_view name;
};

constexpr CharacterName kNames[] = {
    {'.', "DOT"},        {',', "COMMA"},     {':', "COLON"},      {';', "SEMICOLON"},
    {'+', "PLUS"},       {'-', "MINUS"},     {'*', "STAR"},       {'/', "SLASH"},
    {'\\', "BACKSLASH"}, {'|', "VBAR"},      {'?', "QMARK"},      {'!', "BANG"},
    {'@', "AT"},         {'#', "HASH"},      {'$', "DOLLAR"},     {'%', "PERCENT"},
    {'^', "CIRCUMFLEX"}, {'&', "AMPERSAND"}, {'_', "UNDERSCORE"}, {'<', "LESSTHAN"},
    {'>', "MORETHAN"},   {'=', "EQUAL"},     {'"', "DBLQUOTE"},   {'\'', "QUOTE"},
    {'`', "BACKQUOTE"},  {'~', "TILDE"},     {'(', "LPAR"},       {')', "RPAR"},
    {'{', "LBRACE"},     {'}', "RBRACE"},    {'[', "LSQB"},       {']', "RSQB"},
    {'\n', "NEWLINE"},   {'\r', "CR"},       {'\t', "TAB"},       {' ', "SPACE"},
};

bool IsWordPart(uint32_t c) {
  return c < 0x80 && (std::isalnum(static_cast<int>(c)) != 0 || c == '_');
}

}  // namespace

std::string TerminalName(std::string_view literal) {
  std::string name;
  bool in_word = false;
  // "_" alone is UNDERSCORE; inside a word it is itself.
  const bool word = literal.size() > 1 || (!literal.empty() && literal[0] != '_');
  for (size_t at = 0; at < literal.size();) {
    const DecodedCodepoint decoded = DecodeUtf8(literal, at);
    const uint32_t c = decoded.codepoint;
    at += std::max<size_t>(decoded.length_bytes, 1);
    const bool part = word && IsWordPart(c);
    if (!name.empty() && !(part && in_word)) name += '_';
    in_word = part;
    if (part) {
      name += static_cast<char>(std::toupper(static_cast<int>(c)));
      continue;
    }
    const auto* known = std::find_if(
        std::begin(kNames), std::end(kNames),
        [&](const CharacterName& n) { return static_cast<uint32_t>(n.character) == c; });
    name += known != std::end(kNames) ? std::string(known->name) : fmt::format("U{:04X}", c);
  }
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0)
    name = "LITERAL_" + name;
  return name;
}

}  // namespace tenon::constraint
