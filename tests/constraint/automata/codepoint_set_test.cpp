#include "constraint/automata/codepoint_set.h"

#include <vector>

#include <gtest/gtest.h>

namespace tenon::constraint {
namespace {

TEST(CodepointSet, NormalisesAndLeavesSurrogatesOut) {
  const CodepointSet set({{5, 9}, {1, 4}, {20, 10}, {0xd000, 0xe001}, {7, 12}});
  EXPECT_EQ(set.ranges(),
            (std::vector<CodepointRange>{{1, 12}, {0xd000, 0xd7ff}, {0xe000, 0xe001}}));
  EXPECT_EQ(set.Complement().Complement(), set);
  EXPECT_TRUE(CodepointSet::All().Complement().empty());
  EXPECT_FALSE(CodepointSet::All().Contains(0xd900));
}

// The examples of the header.
TEST(CodepointSet, KnowsComplementsAndCases) {
  const CodepointSet hexadecimal({{'a', 'f'}, {'A', 'F'}, {'_', '_'}});
  EXPECT_EQ(hexadecimal.ranges(),
            (std::vector<CodepointRange>{{'A', 'F'}, {'_', '_'}, {'a', 'f'}}));
  EXPECT_EQ(hexadecimal.Complement().ranges().size(), 5u);
  EXPECT_EQ(CodepointSet::Single('k').CaseClosure().ranges(),
            (std::vector<CodepointRange>{{'K', 'K'}, {'k', 'k'}, {0x212a, 0x212a}}));
}

}  // namespace
}  // namespace tenon::constraint
