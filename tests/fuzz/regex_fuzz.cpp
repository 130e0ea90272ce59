// The first line is a pattern, every other one a text: the automaton matches what a naive matcher
// does, where that knows the pattern.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/automata/automata.h"
#include "tests/fuzz/expect.h"
#include "tests/oracle/naive_regex.h"

namespace {

// Only characters that mean the same to both: the naive matcher knows neither escapes nor
// look-around nor `\w`.
bool Simple(std::string_view pattern) {
  return pattern.size() <= 24 &&
         pattern.find_first_not_of("abc.()|*+?[]-^") == std::string_view::npos &&
         pattern.find("(?") == std::string_view::npos &&
         pattern.find("[]") == std::string_view::npos &&
         pattern.find("[^]") == std::string_view::npos &&
         pattern.find("??") == std::string_view::npos &&
         pattern.find("*?") == std::string_view::npos &&
         pattern.find("+?") == std::string_view::npos &&
         pattern.find("++") == std::string_view::npos &&
         pattern.find("*+") == std::string_view::npos &&
         pattern.find("?+") == std::string_view::npos;
}

bool Matches(const tenon::constraint::Dfa& dfa, std::string_view text) {
  tenon::constraint::DfaStateId q = tenon::constraint::kStartState;
  for (char c : text) {
    if (q != tenon::constraint::kDeadState) q = dfa.Next(q, static_cast<uint8_t>(c));
  }
  return q != tenon::constraint::kDeadState && !dfa.Accepts(q).empty();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::constraint;
  if (size > 300) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::vector<std::string_view> lines;
  for (size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1))
    lines.push_back(rest.substr(0, end));
  lines.push_back(rest);
  auto regex = ParseRegex(lines[0]);
  if (!regex) {
    TENON_FUZZ_EXPECT(regex.error().offset_bytes <= lines[0].size() &&
                      !regex.error().message.empty());
    return 0;
  }
  const std::vector<Regex> patterns{*regex};
  auto dfa = Dfa::Build(patterns, 3000);
  if (!dfa) return 0;
  TENON_FUZZ_EXPECT(Matches(*dfa, "") == MatchesEmpty(*regex));
  const std::string_view pattern = lines[0];
  const auto naive =
      Simple(pattern)
          ? tenon::oracle::NaiveRegex::Parse(std::u32string(pattern.begin(), pattern.end()))
          : std::nullopt;
  for (size_t i = 1; i < lines.size() && naive; ++i) {
    if (lines[i].size() > 12 || lines[i].find_first_not_of("abcd") != std::string_view::npos)
      continue;
    TENON_FUZZ_EXPECT(Matches(*dfa, lines[i]) ==
                      naive->Matches(std::u32string(lines[i].begin(), lines[i].end())));
  }
  return 0;
}
