#include "constraint/automata/regex.h"

#include <fmt/format.h>

#include "constraint/automata/regex_node.h"

namespace tenon::constraint {

std::string EscapeRegex(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    const bool word =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (byte >= 0x80 || word) {
      out.push_back(c);
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += {'\\', c};
    }
  }
  return out;
}

bool MatchesEmpty(const Regex& regex) {
  switch (regex->kind) {
    case RegexKind::kSet:
      return false;
    case RegexKind::kConcat:
      for (const Regex& child : regex->children) {
        if (!MatchesEmpty(child)) return false;
      }
      return true;
    case RegexKind::kAlternate:
      for (const Regex& child : regex->children) {
        if (MatchesEmpty(child)) return true;
      }
      return false;
    case RegexKind::kRepeat:
      return regex->min == 0 || MatchesEmpty(regex->children[0]);
  }
  return false;
}

bool MatchesNothing(const Regex& regex) {
  switch (regex->kind) {
    case RegexKind::kSet:
      return regex->set.empty();
    case RegexKind::kConcat:
      for (const Regex& child : regex->children) {
        if (MatchesNothing(child)) return true;
      }
      return false;
    case RegexKind::kAlternate:
      for (const Regex& child : regex->children) {
        if (!MatchesNothing(child)) return false;
      }
      return true;
    case RegexKind::kRepeat:
      return regex->min > 0 && MatchesNothing(regex->children[0]);
  }
  return false;
}

}  // namespace tenon::constraint
