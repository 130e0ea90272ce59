#include "constraint/grammar_file/common_terminals.h"

#include <array>
#include <utility>

namespace tenon::constraint {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kCommon = {{
    {"CNAME", R"([A-Za-z_][A-Za-z_0-9]*)"},
    {"CPP_COMMENT", R"(\/\/[^\n]*)"},
    {"CR", R"(\r)"},
    {"C_COMMENT", R"(\/\*([^*]|\*+[^*\/])*\*+\/)"},
    {"DECIMAL", R"([0-9]+\.[0-9]*|\.[0-9]+)"},
    {"DIGIT", R"([0-9])"},
    {"ESCAPED_STRING", R"("([^"\\\n]|\\[^\n])*")"},
    {"FLOAT", R"([0-9]+[eE][+-]?[0-9]+|([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)"},
    {"HEXDIGIT", R"([0-9A-Fa-f])"},
    {"INT", R"([0-9]+)"},
    {"LCASE_LETTER", R"([a-z])"},
    {"LETTER", R"([A-Za-z])"},
    {"LF", R"(\n)"},
    {"NEWLINE", R"((\r?\n)+)"},
    {"NUMBER", R"(([0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)"},
    {"SH_COMMENT", R"(#[^\n]*)"},
    {"SIGNED_FLOAT", R"([+-]?([0-9]+[eE][+-]?[0-9]+|([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?))"},
    {"SIGNED_INT", R"([+-]?[0-9]+)"},
    {"SIGNED_NUMBER", R"([+-]?([0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)"},
    {"SQL_COMMENT", R"(--[^\n]*)"},
    {"UCASE_LETTER", R"([A-Z])"},
    {"WORD", R"([A-Za-z]+)"},
    {"WS", R"([ \t\f\r\n]+)"},
    {"WS_INLINE", R"([ \t]+)"},
}};

}  // namespace

std::optional<std::string_view> CommonTerminal(std::string_view name) {
  for (const auto& [known, pattern] : kCommon) {
    if (known == name) return pattern;
  }
  return std::nullopt;
}

std::string CommonTerminalNames() {
  std::string names;
  for (const auto& [known, pattern] : kCommon) (names += names.empty() ? "" : ", ") += known;
  return names;
}

}  // namespace tenon::constraint
