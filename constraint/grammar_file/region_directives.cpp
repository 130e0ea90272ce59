#include "constraint/grammar_file/region_directives.h"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tenon::constraint {

void RegionDirectives::Region(const DirectiveLine& line) {
  constexpr std::string_view kForm =
      "%region block in function_definition has \"async\" before \"…\" after \"…\" filler \"…\"";
  const auto word = [&](size_t i) {
    return i < line.arguments.size() && line.arguments[i].kind == ScannedKind::kRuleName;
  };
  if (!word(0))
    return Mechanism(line.arguments.empty() ? line.end : line.arguments[0].place,
                     fmt::format("expected the kind of a node, as in '{}'", kForm));
  constraint::Region region;
  region.node = line.arguments[0].text;
  size_t at = 1;
  if (line.IsWordAt(at, "in")) {
    const auto is_key = [&](size_t i) {
      const std::string& text = line.arguments[i].text;
      return text == "has" || text == "before" || text == "after" || text == "filler";
    };
    for (++at; word(at) && !is_key(at); ++at) region.parents.push_back(line.arguments[at].text);
    if (region.parents.empty())
      return Mechanism(line.arguments[at - 1].place,
                       fmt::format("expected kinds of nodes behind 'in', as in '{}'", kForm));
  }
  const std::pair<std::string_view, std::string*> texts[] = {{"has", &region.token},
                                                             {"before", &region.before},
                                                             {"after", &region.after},
                                                             {"filler", &region.filler}};
  for (const auto& [key, text] : texts) {
    if (!line.IsWordAt(at, key)) continue;
    if (at + 1 == line.arguments.size() || line.arguments[at + 1].kind != ScannedKind::kString ||
        line.arguments[at + 1].text.empty() || !line.arguments[at + 1].flags.empty())
      return Mechanism(line.arguments[at].place,
                       fmt::format("expected a text in double quotes behind '{}'", key));
    *text = line.arguments[at + 1].text;
    at += 2;
  }
  if (at < line.arguments.size())
    return Mechanism(
        line.arguments[at].place,
        fmt::format("expected 'in', 'has', 'before', 'after' and 'filler' in this order, each at "
                    "most once, found {}; as in '{}'",
                    line.arguments[at].Describe(), kForm));
  if (!region.token.empty() && region.parents.empty())
    return Mechanism(line.place, "'has' names a token of the node that 'in' names: give both");
  result_.regions.push_back(std::move(region));
}

}  // namespace tenon::constraint
