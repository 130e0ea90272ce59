#include "server/decode/gap_masks.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/decode/tiny_engine.h"

namespace tenon::server {
namespace {

// Lists of words in brackets.
constexpr char kGrammar[] = "start: \"[\" WORD (\",\" WORD)* \"]\"\nWORD: /[a-z]+/\n%ignore / +/\n";

class GapMasksTest : public testing::Test {
 protected:
  // The masks of a gap where tokens that begin with `]` are in every mask.
  GapMasks Masks(MaskSource source) const {
    return {
        std::move(source), {kEnd}, [](std::string_view bytes) { return bytes.starts_with("]"); }};
  }
  MaskSource Store() const {
    return [this] { return engine_.store(); };
  }
  bool Holds(model::TokenBits mask, std::string_view bytes) const {
    return model::Holds(mask, engine_.Token(bytes));
  }

  static constexpr TokenId kEnd{0};
  TinyEngine engine_{kGrammar};
};

TEST_F(GapMasksTest, HoldTheTokensThatKeepTheGapViable) {
  GapMasks masks = Masks(Store());
  const model::TokenBits mask = masks.Of(engine_.Open("[a", "]"), "");
  for (const char* viable : {"b", ",", " ", "the"}) EXPECT_TRUE(Holds(mask, viable)) << viable;
  for (const char* refused : {"[", "+", "A"}) EXPECT_FALSE(Holds(mask, refused)) << refused;
}

TEST_F(GapMasksTest, HoldTheTokensThatOnlyAFilterCanDecide) {
  GapMasks masks = Masks(Store());
  const model::TokenBits mask = masks.Of(engine_.Open("[a,", "]"), "");
  EXPECT_TRUE(model::Holds(mask, kEnd));
  EXPECT_TRUE(Holds(mask, "]"));
  EXPECT_FALSE(model::Holds(mask, TokenId{1}));  // a control token that is no end
}

TEST_F(GapMasksTest, HoldTheTokensAlongHealedText) {
  GapMasks masks = Masks(Store());
  const model::TokenBits mask = masks.Of(engine_.Open("[th", "]"), "th");
  for (const char* along : {"t", "th", "the"}) EXPECT_TRUE(Holds(mask, along)) << along;
  for (const char* other : {"h", "a", ","}) EXPECT_FALSE(Holds(mask, other)) << other;
}

TEST_F(GapMasksTest, AreEmptyWhileThereIsNoStore) {
  bool built = false;
  GapMasks masks = Masks([&] { return built ? std::optional(engine_.store()) : std::nullopt; });
  EXPECT_TRUE(masks.Of(engine_.Open("[a,", "]"), "").empty());
  built = true;
  EXPECT_FALSE(masks.Of(engine_.Open("[a,", "]"), "").empty());
}

}  // namespace
}  // namespace tenon::server
