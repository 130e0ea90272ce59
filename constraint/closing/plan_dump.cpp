#include "constraint/closing/plan_dump.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "constraint/lex/lex.h"

namespace tenon::constraint {

namespace {

std::string_view MeetsRight(GapEntry entry) {
  switch (entry) {
    case kEntryLine:
      return "R at the beginning of a line";
    case kEntryLexeme:
      return "the beginning of a lexeme that R goes on with";
    case kEntryWithinLine:
    case kEntryInside:
      break;
  }
  return "R";
}

}  // namespace

std::string Dump(const Plan& plan, const Grammar& grammar) {
  std::vector<std::string> names;
  for (SymbolId terminal : plan.terminals) names.push_back(grammar.SymbolName(terminal));
  return fmt::format("{}, then {}: {} bytes",
                     names.empty() ? "no terminal" : fmt::format("{}", fmt::join(names, " ")),
                     MeetsRight(plan.entry), plan.cost);
}

std::string Dump(Closer& closer, const GapState& state) {
  const Grammar& grammar = state.shared()->language().grammar;
  std::string out;
  for (const Closer::Candidate& candidate : closer.Candidates(state)) {
    out += fmt::format("about {} bytes\n", candidate.cost);
    if (!candidate.text.empty())
      out += fmt::format("  {} ends the lexeme in progress\n", ShownBytes(candidate.text));
    out += fmt::format("  {}\n", Dump(candidate.plan, grammar));
  }
  if (out.empty()) out = "no plan joins both sides\n";
  const auto closing = closer.Find(state);
  return out + (closing ? fmt::format("closed by {}\n", ShownBytes(closing->text))
                        : "no closing text was found\n");
}

}  // namespace tenon::constraint
