#include "constraint/grammar/productivity.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {
namespace {

TEST(EmitProductive, CountsWhatTenonMayWrite) {
  const auto grammar = ReadGrammar(
      "start: a | b | c | d\na: \"x\"\nb: \"y\"#given a\nc: \"z\"#since_2\nd: LEGACY | b "
      "a\nLEGACY: /l/\n%emit LEGACY never\n%levels since_2\n",
      "g.lark");
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  auto names = [&](InContext in) {
    const std::vector<bool> productive = EmitProductive(*grammar, in);
    std::string yes;
    for (size_t s = 0; s < productive.size(); ++s) {
      if (productive[s]) yes += grammar->SymbolName({static_cast<uint16_t>(s)}) + " ";
    }
    return yes;
  };
  EXPECT_EQ(names(InContext::kSome), "X Z#since_2 start a c ");
  EXPECT_EQ(names(InContext::kEvery), "X start a ");
}

}  // namespace
}  // namespace tenon::constraint
