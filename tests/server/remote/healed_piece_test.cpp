#include "server/remote/healed_piece.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(HealedPiece, CountsAmongThoseThatMayCome) {
  TextPiece piece{{" price", -std::log(0.3)}};
  piece.others = {{" not", -std::log(0.5)}, {" pr", -std::log(0.1)}, {"", -std::log(0.05), true}};
  EXPECT_NEAR(std::exp(-*NatsOf(piece, " pri")), 0.75, 1e-9);
  EXPECT_NEAR(std::exp(-*NatsOf(piece, "")), 0.3, 1e-9);
  piece.text.nats.reset();
  EXPECT_FALSE(NatsOf(piece, " pri"));
}

TEST(HealedPiece, WritesOnWithMoreThanTheHealedText) {
  EXPECT_TRUE(WritesOn(" price", " pri"));
  EXPECT_TRUE(WritesOn("a", ""));
  EXPECT_FALSE(WritesOn(" pri", " pri"));
  EXPECT_FALSE(WritesOn("", ""));
  EXPECT_FALSE(WritesOn(" not", " pri"));
}

}  // namespace
}  // namespace tenon::server
