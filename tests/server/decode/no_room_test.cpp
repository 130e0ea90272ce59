// Which pieces lack room: those alone for whose closing text tokens or bytes are too few.
#include <string_view>

#include <gtest/gtest.h>

#include "server/decode/gap_text.h"

namespace tenon::server {
namespace {

// A middle of statements and blocks in the block `{|}`, of which a token has a byte.
GapText InBlock(uint32_t tokens, std::string_view middle) {
  const auto language = Language::Compile(
      "start: s+\ns: \"x\" | \"{\" s+ \"}\" | \"b\" s+ \"}\"\n%ignore /[\\n]+/\n", "blocks.lark");
  GapOptions options;
  options.scope = Scope::kBlock;
  options.count = [](std::string_view bytes) { return static_cast<uint32_t>(bytes.size()); };
  GapText text(Budget(Gap::Open(*language, "{", "}", std::move(options)), tokens), Goal::kJoin, {});
  for (const char byte : middle) {
    const Judgement judged = text.Judge(std::string_view(&byte, 1));
    EXPECT_EQ(judged.verdict, Judgement::Verdict::kAccepted) << middle;
    EXPECT_TRUE(text.ConvergeWhereDue(judged, false));
  }
  return text;
}

bool LacksRoom(GapText text, std::string_view piece) {
  EXPECT_FALSE(text.Try(piece)) << piece;
  text.FirstChoiceRefused(piece);
  return text.lacks_room();
}

TEST(NoRoom, IsWhereTheTokensAreTooFewForAClosingText) {
  EXPECT_TRUE(LacksRoom(InBlock(5, "{\nx\n"), "x"));
}

// The brace that ends a `b` counts for the block around it, so the scope has no closing text.
TEST(NoRoom, IsNotWhereNothingClosesThePieceInTheScope) {
  EXPECT_FALSE(LacksRoom(InBlock(60, "{\nx\n"), "b"));
}

}  // namespace
}  // namespace tenon::server
