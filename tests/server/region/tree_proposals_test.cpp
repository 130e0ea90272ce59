// Proposals in files that no person has laid out. Those of other files are tested with the regions
// that come of them (region_gaps_test.cpp).
#include "server/region/tree_proposals.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/region/region_finder.h"
#include "tests/server/syntax/shipped_syntax.h"

namespace tenon::server {
namespace {

// A look for the line's begin at each statement would take minutes.
TEST(TreeProposals, AreMadeInAFileOfOneLongLine) {
  constexpr int kStatements = 30'000;
  std::string statements;
  for (int i = 0; i < kStatements; ++i) statements += "some_function(argument);";
  const std::string left = statements + "function f(){" + statements;
  const std::vector<RegionRule> rules = {
      {"program", {}, "", "", "", ";\n"},
      {"statement_block", {}, "", "function f() {\n", "}", ";\n"},
  };
  int asked = 0;
  RegionFinder::Judge nothing_fits;
  nothing_fits.left = [&asked](std::string_view) { return ++asked > 0; };
  nothing_fits.gap = [](std::string_view, std::string_view) { return std::nullopt; };
  nothing_fits.closing = [](std::string_view) { return std::nullopt; };
  RegionFinder finder(ShippedSyntax("javascript"), rules);
  EXPECT_FALSE(finder.Find(left + statements + "}", left.size(), nothing_fits));
  EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace tenon::server
